// `halyard play`: the programs of a match as processes of this machine, and one address to open.
#include <halyard/link.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/app.h"
#include "host/host_ready.h"
#include "host/host_world.h"
#include "options/options.h"
#include "play_plan.h"
#include "system/system_signals.h"
#include "system/system_sockets.h"
#include "system/system_terminal.h"
#include "text/text_plain.h"

#define READY_MS 20000 // for a program to say that it is ready
#define END_MS   3000  // for a program to end when asked to
#define TURN_MS  20

// --------------------------------------------------------------------------- starting and watching

// It has said why itself; what to do about it here is ours to say.
static void explain(const service *self)
{
    if (!hy_signals_end()) {
        hy_print_error(PLAY_COMMAND, "%s did not start, so there is no match%s", self->name,
                       self->run == app_view
                           ? "; '--listen 127.0.0.1:0' serves the page on any free port"
                           : "");
    }
}

static bool start_all(play_game *self)
{
    for (size_t i = 0; i < self->count; i++) {
        service *const one = &self->programs[i].service;
        if (!service_start(one) || !service_await_ready(one, READY_MS)) {
            explain(one);
            return false;
        }
    }
    return true;
}

static bool is_over(const play_game *self)
{
    bool over = self->options.scripted || self->options.unattended;
    for (size_t i = 0; i < self->count; i++) {
        const service *const one = &self->programs[i].service;
        over = over &&
               (!one->may_end || service_is_over(one)); // one that ended may be yet to come back
    }
    return over;
}

static void wait_for_something(const play_game *self)
{
    hy_wait_source sources[PLAY_PROGRAMS_MAX];
    for (size_t i = 0; i < self->count; i++) {
        sources[i] =
            (hy_wait_source){ .handle = self->programs[i].service.child.said, .wants_read = true };
    }
    (void)hy_wait(sources, self->count, TURN_MS * 1000);
}

static bool watch(play_game *self)
{
    while (!hy_signals_end() && !is_over(self)) {
        wait_for_something(self);
        const int64_t now_us = hy_clock_now_us();
        for (size_t i = 0; i < self->count; i++) {
            if (!service_look_after(&self->programs[i].service, now_us)) {
                return false;
            }
        }
    }
    return true;
}

// --------------------------------------------------------------------------- the end

// The hands first and the world last, so that every robot has been stopped when it ends.
static bool end_all(play_game *self, bool listens)
{
    bool ok = true;
    for (size_t i = self->count; i-- > 0;) {
        ok = service_end(&self->programs[i].service, END_MS, listens) && ok;
    }
    return ok;
}

// A scripted match is a check of the whole installation: robots that bring no ball to a goal have not played.
static bool has_scored(const play_game *self)
{
    long points = 0;
    for (size_t i = 0; i < self->count; i++) {
        points += self->programs[i].blue + self->programs[i].red;
    }
    if (points == 0) {
        hy_print_error(PLAY_COMMAND, "no robot scored in the scripted match");
    }
    return points > 0;
}

static void print_ready(const play_game *self)
{
    hy_ready_line ready = { .pairs = "" };
    hy_ready_line_add(&ready, "players", "%u", play_robots(&self->options));
    for (size_t i = 0; i < self->count; i++) {
        if (self->programs[i].page[0] != '\0') {
            hy_ready_line_add(&ready, "page", "%s", self->programs[i].page);
        }
        if (self->programs[i].nt[0] != '\0') {
            hy_ready_line_add(&ready, "nt", "%s", self->programs[i].nt);
        }
    }
    hy_ready_line_print(&ready, stdout);
}

static const char *what_to_do(const play_options *options)
{
    return options->scripted     ? "no terminal: the robots play a short match by themselves"
           : options->unattended ? "no terminal: the bots play one match by themselves"
                                 : "open the address above in a browser and press H for help; "
                                   "Ctrl-C ends the match";
}

static void print_result(const play_game *self)
{
    for (size_t i = 0; i < self->count; i++) {
        if (self->programs[i].service.run == app_sim) {
            printf("blue %ld, red %ld\n", self->programs[i].blue, self->programs[i].red);
        }
    }
}

static int play(play_game *self)
{
    hy_signals_note_end();           // also when nobody reads us any more
    (void)hy_host_page_keep_token(); // without one a restarted view only has another address
    const bool began = play_plan(self) && start_all(self);
    bool ok = began;
    if (began) {
        print_ready(self);
        hy_print(stdout, "%s\n", what_to_do(&self->options));
        fflush(stdout);
        ok = watch(self);
    }
    ok = end_all(self, began) && ok; // who ends before a match has begun has nothing to tell
    play_plan_close(self);
    if (ok && self->options.scripted && !hy_signals_end()) {
        ok = has_scored(self);
    }
    if (ok && self->options.unattended && !hy_signals_end()) {
        print_result(self);
    }
    return ok || hy_signals_end() ? APP_OK : APP_FAILED;
}

// "3", or "3:easy"
static bool read_bots(play_options *o)
{
    static const char *const skills[] = { "hard", "easy" };
    o->skill = skills[0];
    if (o->bots_text == NULL) {
        return true;
    }
    const char *const colon = strchr(o->bots_text, ':');
    const bool has_skill = colon != NULL;
    o->skill = !has_skill || strcmp(colon + 1, skills[0]) == 0 ? skills[0]
               : strcmp(colon + 1, skills[1]) == 0             ? skills[1]
                                                               : NULL;
    const char first = o->bots_text[0], next = o->bots_text[first != '\0'];
    if (first < '1' || first > '0' + HY_ICD_PLAYERS || (next != '\0' && next != ':') ||
        o->skill == NULL) {
        hy_print_error(
            PLAY_COMMAND,
            "--bots %s: give how many, 1 to %d, and how well they play, as in 3 or 3:easy",
            o->bots_text, HY_ICD_PLAYERS);
        return false;
    }
    o->bots = (uint64_t)(first - '0');
    return true;
}

static bool check_players(const play_options *o)
{
    const bool ok = o->players <= HY_ICD_PLAYERS && o->players + o->bots >= 1 &&
                    o->players + o->bots <= HY_ICD_PLAYERS;
    if (!ok && o->bots > 0) {
        hy_print_error(PLAY_COMMAND,
                       "--players %" PRIu64 " and --bots %" PRIu64 ": there is room for %d robots",
                       o->players, o->bots, HY_ICD_PLAYERS);
    } else if (!ok) {
        hy_print_error(PLAY_COMMAND, "--players %" PRIu64 ": there is room for 1 to %d", o->players,
                       HY_ICD_PLAYERS);
    }
    return ok;
}

int app_play(int argc, char **argv)
{
    static play_game self;
    play_options *const o = &self.options;
    *o = (play_options){ .players = 1, .config = "field2020", .page.view = HY_VIEW_LISTEN };
    o->boards = (hy_option_list){ .items = o->board_items, .room = SIM_BOARDS_MAX };
    // clang-format off
    static const char *const drives[] = { "file", "ideal", "dcmotor", NULL };
    static const char *const forms[] = { "document", "later", NULL };
    static const hy_option own[] = {
        { HY_OPTION(WHOLE, play_options, players), .name = "players", .value = "N", .help = "how many robots, 1 to 6 (default 1)" },
        { HY_OPTION(TEXT, play_options, bots_text), .name = "bots", .value = "N[:easy|hard]", .help = "add N robots that play by themselves (default hard); whoever takes one's seat drives it. Without a terminal they play one match" },
        { HY_OPTION(TEXT, play_options, page.view), .name = "listen", .value = "ADDR:PORT", .help = "where the page is served (default " HY_VIEW_LISTEN "; port 0: any free one)" },
        { HY_OPTION(FLAG, play_options, scripted), .name = "scripted", .help = "robots play ten seconds by themselves, as they do without a terminal" },
    };
    static const hy_option of_match[] = {
        { HY_OPTION(TEXT, play_options, config), .name = "config", .value = "NAME|FILE", .reads = true, .names = hy_host_world_names, .help = "the field and its robots: a world, or a robotConfig.yml (default field2020)" },
        { HY_OPTION(NUMBER, play_options, seconds), .name = "seconds", .value = "N", .low = 1.0, .high = 36000.0, .help = "length of a match (default 135)" },
    };
    static const hy_option of_sim[] = {
        { HY_OPTION(CHOICE, play_options, drive), .name = "drive", .choices = drives, .help = "how robots move: ideal is the reference's kinematics; dcmotor, the default unless the file says otherwise, has motors, mass and grip" },
        { HY_OPTION(LIST, play_options, boards), .name = "board", .value = "ROBOT@ADDR:PORT[,X,Y[,DEG]]", .help = "add a robot, such as an xrp or a teensy, that is driven by its own protocol; up to two" },
        { HY_OPTION(CHOICE, play_options, form), .name = "icd", .choices = forms, .help = "which form the sim's messages have (default document)" },
    };
    static const hy_option of_ports[] = {
        { HY_OPTION(WHOLE, play_options, shift), .name = "shift", .value = "N", .help = "add N to every port between the programs: another match on this machine" },
        { HY_OPTION(TEXT, play_options, ports), .name = "ports", .value = "A,B,C,D,E,F", .help = "ports of player 1 between the programs (default 2000,4000,6000,8000,10000,12000)" },
    };
    // clang-format on
    self.groups[PLAY_OWN] = (hy_option_group)HY_OPTION_GROUP(NULL, own, o);
    self.groups[PLAY_MATCH] = (hy_option_group)HY_OPTION_GROUP(NULL, of_match, o);
    self.groups[PLAY_SIM] = (hy_option_group)HY_OPTION_GROUP(NULL, of_sim, o);
    self.groups[PLAY_PORTS] = (hy_option_group)HY_OPTION_GROUP(NULL, of_ports, o);
    self.groups[PLAY_ROBOT] = hy_host_traits_group(&o->traits);
    self.groups[PLAY_FAULTS] = hy_host_faults_group(&o->faults);
    self.groups[PLAY_PAGE] = hy_host_page_group_without_view(&o->page);
    self.groups[PLAY_PHANTOM] = hy_host_phantoms_group(&o->phantom);
    self.groups[PLAY_RECORD] = hy_host_record_group(&o->record, HY_HOST_RECORD_LIDAR);
    self.groups[PLAY_NAMES] = hy_host_names_group(&o->names, true);
    self.groups[PLAY_NT] = hy_host_nt_group(&o->nt);
    const hy_command_line line = {
        PLAY_COMMAND, "is a whole match on this machine, played in the browser", self.groups,
        PLAY_GROUPS,
        "It starts sim, view and a core for every player, and restarts any that ends unexpectedly. "
        "The page "
        "gives sticks\n"
        "to whoever takes a player; 'halyard joystick --player N' does the same with a game pad or "
        "a terminal.\n"
        "For a robot in the terminal instead, see 'halyard drive virtual'."
    };
    const hy_options_result result = hy_options_parse(&line, argc, argv);
    if (result != HY_OPTIONS_OK) {
        return app_status(result);
    }
    if (!read_bots(o) || !check_players(o)) {
        return APP_USAGE;
    }
    const bool has_terminal = hy_terminal_is_stream(stdout);
    o->unattended = o->bots > 0 && !o->scripted && !has_terminal;
    o->scripted = o->scripted || (o->bots == 0 && !has_terminal);
    return play(&self);
}
