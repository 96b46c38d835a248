#include "play_plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/// Hands on an option of ours, which the program has too.
static void add_option(void *context, const hy_option *option, const char *value)
{
    play_program *const to = context;
    if (option->kind == HY_OPTION_OPTIONAL) {
        (void)snprintf(to->joined, sizeof to->joined, "--%s%s%s", option->name,
                       value[0] != '\0' ? "=" : "", value);
        service_add(&to->service, to->joined);
        return;
    }
    service_add(&to->service, service_print(&to->service, "--%s", option->name));
    if (option->kind == HY_OPTION_NUMBER || option->kind == HY_OPTION_WHOLE) {
        service_add(&to->service, service_print(&to->service, "%s", value));
    } else if (value != NULL) {
        service_add(&to->service, value);
    }
}

static void add_group(const play_game *self, play_program *to, enum play_group which)
{
    hy_options_each_given(&self->groups[which], add_option, to);
}

static play_program *add_program(play_game *self, const char *name, app_run *run, unsigned player)
{
    play_program *const added = &self->programs[self->count++];
    play_program_init(added, name, run, player);
    add_group(self, added, PLAY_PORTS);
    return added;
}

unsigned play_robots(const play_options *options)
{
    return (unsigned)(options->players + options->bots);
}

static void plan_sim(play_game *self)
{
    const play_options *const o = &self->options;
    play_program *const program = add_program(self, "sim", app_sim, 0);
    service *const sim = &program->service;
    service_add_pair(sim, "--players", service_print(sim, "%u", play_robots(o)));
    service_add_pair(sim, "--views", "1"); // the one view shows all players
    if (o->bots > 0) {
        service_add_pair(sim, "--bots", service_print(sim, "%" PRIu64, o->bots));
    }
    if (o->unattended) {
        service_add(sim, "--once");
        sim->may_end = true;
    }
    static const enum play_group handed_on[] = { PLAY_MATCH,  PLAY_SIM, PLAY_ROBOT,
                                                 PLAY_FAULTS, PLAY_NT,  PLAY_NAMES };
    for (size_t i = 0; i < sizeof handed_on / sizeof handed_on[0]; i++) {
        add_group(self, program, handed_on[i]);
    }
    if (o->record.path != NULL) {
        program->record = o->record.path;
        program->record_word = sim->word_count + 1;
    }
    add_group(self, program, PLAY_RECORD);
}

static void plan_view(play_game *self)
{
    play_program *const program = add_program(self, "view", app_view, 0);
    service *const view = &program->service;
    service_add_pair(view, "--players", service_print(view, "%u", play_robots(&self->options)));
    service_add_pair(view, "--views", "1");
    service_add_pair(view, "--listen", self->options.page.view);
    if (self->options.faults.text != NULL && self->options.boards.count > 0) {
        service_add_pair(view, "--faults-shown", self->options.faults.text);
    }
    if (self->options.bots > 0) {
        service_add_pair(view, "--bots", service_print(view, "%" PRIu64, self->options.bots));
    }
    add_group(self, program, PLAY_MATCH);
    add_group(self, program, PLAY_PHANTOM);
    add_group(self, program, PLAY_PAGE);
    for (size_t i = 0; i < self->options.names.hosts.count; i++) {
        service_add_pair(view, "--allow-host", self->options.names.hosts.items[i]);
    }
    view->is_dispensable = true;
}

// --------------------------------------------------------------------------- a match without a person

// The first player starts the timer and stops it again; the robots drive by themselves.
static const char *const scripts[] = {
    "0.5 start=1\n+0.2 start=0\n+8.5 start=1\n+0.2 start=0\n+0.6 quit\n",
    "0.5 b=1\n+0.2 b=0\n+9.3 quit\n",
};

static bool plan_joystick(play_game *self, unsigned player)
{
    FILE *const file = tmpfile(); // a joystick reads it as /dev/fd/N
    const char *const text = scripts[player > 1];
    self->scripts[player - 1] = file;
    if (file == NULL || fputs(text, file) < 0 || fflush(file) != 0) {
        hy_print_error(PLAY_COMMAND, "cannot write a temporary file: %s", strerror(errno));
        return false;
    }
    rewind(file);
    service *const joystick = &add_program(self, "joystick", app_joystick, player)->service;
    service_add_pair(joystick, "--script", service_print(joystick, "/dev/fd/%d", fileno(file)));
    joystick->may_end = true;
    return true;
}

// The first of them starts the match if nobody else is there to do it.
static void plan_bot(play_game *self, unsigned player)
{
    service *const core = &add_program(self, "core", app_core, player)->service;
    service_add_pair(core, "--bot", self->options.skill);
    service_add_pair(core, "--config", self->options.config);
    if (self->options.record.path != NULL) {
        service_add(core, "--report-sticks");
    }
    if (self->options.unattended && player == self->options.players + 1) {
        service_add(core, "--start");
    }
}

bool play_plan(play_game *self)
{
    const unsigned players = (unsigned)self->options.players;
    plan_sim(self);
    for (unsigned player = 1; player <= players; player++) {
        service *const core = &add_program(self, "core", app_core, player)->service;
        if (self->options.scripted && player <= 2) { // the others would come to the same balls
            service_add(core, "--demo");
        }
        if (self->options.record.path != NULL) {
            service_add(core, "--report-sticks");
        }
    }
    for (unsigned player = players + 1; player <= play_robots(&self->options); player++) {
        plan_bot(self, player);
    }
    plan_view(self);
    bool ok = true;
    for (unsigned player = 1; player <= players && ok && self->options.scripted; player++) {
        ok = plan_joystick(self, player);
    }
    return ok;
}

void play_plan_close(play_game *self)
{
    for (size_t i = 0; i < HY_ICD_PLAYERS; i++) {
        if (self->scripts[i] != NULL) {
            fclose(self->scripts[i]);
        }
    }
}
