// `halyard play`: the programs of a match as processes of this machine, and one address to open.
#include "host/host_nt_text.h"
#include <halyard/icd.h>
#include <halyard/link.h>

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/app.h"
#include "host/host_faults.h"
#include "host/host_names.h"
#include "host/host_nt.h"
#include "host/host_page.h"
#include "host/host_phantoms.h"
#include "host/host_ready.h"
#include "host/host_record.h"
#include "host/host_traits.h"
#include "options/options.h"
#include "process/child.h"
#include "sim_boards.h"

#define COMMAND "halyard play"

#define READY_MS 20000 // for a program to say that it is ready
#define END_MS   3000  // for a program to end when asked to
#define TURN_MS  20
#define RESTART_US \
    1000000 // after which a program that died is started again; doubled each time that it dies young
#define RESTART_MOST_US 30000000
#define STEADY_US       30000000 // who ran for so long starts with a clean slate
#define DEATHS_MAX      3
#define PROGRAMS_MAX    (2 + 2 * HY_ICD_PLAYERS) // sim, view, and a core and a joystick a player
#define TEXTS_MAX       24                       // words of a command line that are made here
#define TEXT_SIZE       64

typedef struct {
    uint64_t players, shift;
    uint64_t bots; // beside the players
    const char *bots_text, *skill;
    const char *config, *ports;
    double seconds;  // of a match; 0: as the sim has it
    int drive, form; // of drives[] and forms[]
    hy_option_list boards;
    hy_host_traits traits; // of `boards`
    hy_host_faults faults; // of the robots of `boards`
    hy_host_record record;
    hy_host_nt nt;
    hy_host_names names;
    hy_host_phantoms phantom;
    const char *board_items[SIM_BOARDS_MAX];
    bool scripted;
    hy_host_page_options page;
    bool unattended; // no terminal: bots play one match
} play_options;

typedef struct {
    char name[24];
    app_run *run;
    bool may_end;        // a script does
    bool is_dispensable; // the match goes on without it, however often it dies
    const char *words[CHILD_ARGUMENTS_MAX + 1];
    char texts[TEXTS_MAX][TEXT_SIZE];
    unsigned word_count, text_count;
    child child;
    char complaint[CHILD_LINE_MAX];       // its last one, often why it died
    char page[HY_VIEW_URL_MAX];           // the view's
    char nt[HY_NT_TEXT_HOST_MAX + 1];     // where the sim serves NetworkTables
    char joined[HY_NT_TEXT_HOST_MAX + 8]; // --nt=ADDR:PORT
    int64_t started_us, restart_us;       // restart_us: 0 while it runs
    unsigned deaths, starts;
    const char *record;   // the first
    unsigned record_word; // of `words`: its log file; 0: none
    char next_record[512];
    long blue, red; // points, as the sim's last line has them
} program;

/// Of options that are handed on to sim or view.
enum group { OWN, ROBOT, FAULTS, PAGE, PHANTOM, RECORD, NT, NAMES, GROUPS };

typedef struct {
    play_options options;
    hy_option_group groups[GROUPS];
    program programs[PROGRAMS_MAX];
    size_t count;
    FILE *scripts[HY_ICD_PLAYERS];
} game;

static volatile sig_atomic_t asked_to_end;

static void on_signal(int number)
{
    (void)number;
    asked_to_end = 1;
}

// --------------------------------------------------------------------------- the programs and their command lines

static void add_word(program *self, const char *word)
{
    self->words[self->word_count++] = word;
}

static void add_pair(program *self, const char *name, const char *value)
{
    add_word(self, name);
    add_word(self, value);
}

__attribute__((format(printf, 3, 4))) static void add_made(program *self, const char *name,
                                                           const char *format, ...)
{
    char *const text = self->texts[self->text_count++];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, TEXT_SIZE, format, arguments);
    va_end(arguments);
    add_pair(self, name, text);
}

static program *add_program(game *self, const char *name, app_run *run, unsigned player)
{
    program *const added = &self->programs[self->count++];
    *added = (program){ .run = run, .child.said = -1 };
    add_word(added, name);
    if (player > 0) {
        snprintf(added->name, sizeof added->name, "%.10s %u", name, player);
        add_made(added, "--player", "%u", player);
    } else {
        snprintf(added->name, sizeof added->name, "%.10s", name);
    }
    add_made(added, "--shift", "%" PRIu64, self->options.shift);
    if (self->options.ports != NULL) {
        add_pair(added, "--ports", self->options.ports);
    }
    return added;
}

static const char *const drives[] = { "file", "ideal", "dcmotor", NULL };
static const char *const forms[] = { "document", "later", NULL };

/// Sim and view both know how long a match is.
static void add_seconds(program *to, const play_options *options)
{
    if (options->seconds > 0) {
        add_made(to, "--seconds", "%.6g", options->seconds);
    }
}

static unsigned robots(const play_options *options)
{
    return (unsigned)(options->players + options->bots);
}

/// Hands on an option of ours, which the program has too.
static void add_option(void *context, const hy_option *option, const char *value)
{
    program *const to = context;
    if (option->kind == HY_OPTION_OPTIONAL) {
        (void)snprintf(to->joined, sizeof to->joined, "--%s%s%s", option->name,
                       value[0] != '\0' ? "=" : "", value);
        add_word(to, to->joined);
        return;
    }
    (void)snprintf(to->texts[to->text_count], TEXT_SIZE, "--%s", option->name);
    add_word(to, to->texts[to->text_count++]);
    if (value != NULL) {
        add_word(to, value);
    }
}

static void add_group(const game *self, program *to, enum group which)
{
    hy_options_each_given(&self->groups[which], add_option, to);
}

static void plan_sim(game *self)
{
    const play_options *const o = &self->options;
    program *const sim = add_program(self, "sim", app_sim, 0);
    add_made(sim, "--players", "%u", robots(o));
    add_pair(sim, "--views", "1"); // the one view shows all players
    if (o->bots > 0) {
        add_made(sim, "--bots", "%" PRIu64, o->bots);
    }
    if (o->unattended) {
        add_word(sim, "--once");
        sim->may_end = true;
    }
    add_pair(sim, "--config", o->config);
    add_pair(sim, "--drive", drives[o->drive]);
    add_pair(sim, "--icd", forms[o->form]);
    add_seconds(sim, o);
    for (size_t i = 0; i < o->boards.count; i++) {
        add_pair(sim, "--board", o->boards.items[i]);
    }
    add_group(self, sim, ROBOT);
    add_group(self, sim, FAULTS);
    add_group(self, sim, NT);
    add_group(self, sim, NAMES);
    if (o->record.path != NULL) {
        sim->record = o->record.path;
        sim->record_word = sim->word_count + 1;
    }
    add_group(self, sim, RECORD);
}

static void plan_view(game *self)
{
    program *const view = add_program(self, "view", app_view, 0);
    add_made(view, "--players", "%u", robots(&self->options));
    add_pair(view, "--views", "1");
    add_pair(view, "--config", self->options.config);
    add_pair(view, "--listen", self->options.page.view);
    add_seconds(view, &self->options);
    if (self->options.faults.text != NULL && self->options.boards.count > 0) {
        add_pair(view, "--faults-shown", self->options.faults.text);
    }
    if (self->options.bots > 0) {
        add_made(view, "--bots", "%" PRIu64, self->options.bots);
    }
    add_group(self, view, PHANTOM);
    add_group(self, view, PAGE);
    for (size_t i = 0; i < self->options.names.hosts.count; i++) {
        add_pair(view, "--allow-host", self->options.names.hosts.items[i]);
    }
    view->is_dispensable = true;
}

// --------------------------------------------------------------------------- a match without a person

// The first player starts the timer and stops it again; the robots drive by themselves.
static const char *const scripts[] = {
    "0.5 start=1\n+0.2 start=0\n+8.5 start=1\n+0.2 start=0\n+0.6 quit\n",
    "0.5 b=1\n+0.2 b=0\n+9.3 quit\n",
};

static bool plan_joystick(game *self, unsigned player)
{
    FILE *const file = tmpfile(); // a joystick reads it as /dev/fd/N
    const char *const text = scripts[player > 1];
    self->scripts[player - 1] = file;
    if (file == NULL || fputs(text, file) < 0 || fflush(file) != 0) {
        hy_print_error(COMMAND, "cannot write a temporary file: %s", strerror(errno));
        return false;
    }
    rewind(file);
    program *const joystick = add_program(self, "joystick", app_joystick, player);
    add_made(joystick, "--script", "/dev/fd/%d", fileno(file));
    joystick->may_end = true;
    return true;
}

// The first of them starts the match if nobody else is there to do it.
static void plan_bot(game *self, unsigned player)
{
    program *const core = add_program(self, "core", app_core, player);
    add_pair(core, "--bot", self->options.skill);
    add_pair(core, "--config", self->options.config);
    if (self->options.record.path != NULL) {
        add_word(core, "--report-sticks");
    }
    if (self->options.unattended && player == self->options.players + 1) {
        add_word(core, "--start");
    }
}

static bool plan(game *self)
{
    const unsigned players = (unsigned)self->options.players;
    plan_sim(self);
    for (unsigned player = 1; player <= players; player++) {
        program *const core = add_program(self, "core", app_core, player);
        if (self->options.scripted && player <= 2) { // the others would come to the same balls
            add_word(core, "--demo");
        }
        if (self->options.record.path != NULL) {
            add_word(core, "--report-sticks");
        }
    }
    for (unsigned player = players + 1; player <= robots(&self->options); player++) {
        plan_bot(self, player);
    }
    plan_view(self);
    bool ok = true;
    for (unsigned player = 1; player <= players && ok && self->options.scripted; player++) {
        ok = plan_joystick(self, player);
    }
    return ok;
}

// --------------------------------------------------------------------------- starting and watching

// Started again, the view serves the same port, so the pages that are open find back; the address is the one that was asked for, for
// what is printed stands for one of its several.
static void keep_port(program *view)
{
    char address[TEXT_SIZE], asked[HY_ENDPOINT_TEXT_MAX];
    const char *const port =
        sscanf(view->page, "http://%63[^/]/", address) == 1 ? strrchr(address, ':') : NULL;
    hy_endpoint listen;
    if (port == NULL) {
        return;
    }
    for (unsigned i = 0; i + 1 < view->word_count; i++) {
        if (strcmp(view->words[i], "--listen") == 0 && view->text_count < TEXTS_MAX &&
            hy_link_resolve(view->words[i + 1], 0, &listen, 1) == 1) {
            listen.port = (uint16_t)strtoul(port + 1, NULL, 10);
            snprintf(view->texts[view->text_count], TEXT_SIZE, "%s",
                     hy_endpoint_format(&listen, asked));
            view->words[i + 1] = view->texts[view->text_count++];
        }
    }
}

// A line without the name that every program puts before its complaints: ours says more.
static const char *without_name(const char *line)
{
    const char *const colon = strstr(line, ": ");
    return strncmp(line, "halyard ", 8) == 0 && colon != NULL ? colon + 2 : line;
}

// The number behind `key` in a line; -1 without it.
static long number_behind(const char *line, const char *key)
{
    const char *const at = strstr(line, key);
    char *end = NULL;
    const long value = at != NULL ? strtol(at + strlen(key), &end, 10) : -1;
    return at != NULL && end != at + strlen(key) ? value : -1;
}

// The sim reports the scores when it ends: "steps 950, blue 1, red 0, hash ...".
static void keep_points(program *sim, const char *line)
{
    const long blue = number_behind(line, ", blue "), red = number_behind(line, ", red ");
    if (strncmp(line, "steps ", 6) == 0 && blue >= 0 && red >= 0) {
        sim->blue = blue;
        sim->red = red;
    }
}

// A sim that is started again serves where dashboards look for it, even if any free port was asked for.
static void keep_nt(program *self, const char *line)
{
    if (hy_ready_line_find(line, "nt", self->nt, sizeof self->nt)) {
        (void)snprintf(self->joined, sizeof self->joined, "--nt=%s", self->nt);
    }
}

static void hear(program *self, const char *line)
{
    if (self->run == app_sim) {
        keep_points(self, line);
    }
    const char *const said = without_name(line);
    if (said != line) {
        snprintf(self->complaint, sizeof self->complaint, "%s", said);
    }
    if (hy_ready_line_is(line)) {
        keep_nt(self, line);
        if (hy_ready_line_find(line, "page", self->page, sizeof self->page)) {
            keep_port(self);
            printf("open %s\n", self->page);
        }
    } else if (strncmp(line, "ready: ", 7) != 0 && strncmp(line, "open ", 5) != 0) {
        printf("%s: %s\n", self->name, said);
    }
    fflush(stdout);
}

// What was recorded before a program died is kept: started again it writes run-2.wpilog beside run.wpilog.
static void name_next_record(program *self, const char *first)
{
    const char *const slash = strrchr(first, '/');
    const char *dot = strrchr(first, '.');
    dot = dot != NULL && (slash == NULL || dot > slash) ? dot : first + strlen(first);
    snprintf(self->next_record, sizeof self->next_record, "%.*s-%u%s", (int)(dot - first), first,
             self->starts, dot);
    self->words[self->record_word] = self->next_record;
}

static bool start(program *self)
{
    self->starts++;
    if (self->record_word > 0 && self->starts > 1) {
        name_next_record(self, self->record);
    }
    if (self->starts > 1 && strcmp(self->words[self->word_count - 1], "--open") == 0) {
        self->words[--self->word_count] = NULL; // its page is open already
    }
    self->started_us = hy_clock_now_us();
    self->restart_us = 0;
    self->complaint[0] = '\0';
    const bool started = child_start(&self->child, self->run, self->words);
    if (!started) {
        hy_print_error(COMMAND, "cannot start %s: %s", self->name, strerror(errno));
    }
    return started;
}

// Waits until it says that it can be reached; tells what it said instead.
static bool await_ready(program *self)
{
    const int64_t end_us = hy_clock_now_us() + READY_MS * INT64_C(1000);
    while (!asked_to_end && hy_clock_now_us() < end_us) {
        const char *const line =
            child_await(&self->child, hy_clock_now_us() + 10 * TURN_MS * INT64_C(1000));
        if (line != NULL) {
            hear(self, line);
            if (hy_ready_line_is(line)) {
                return true;
            }
        }
        int status;
        if (line == NULL && child_has_ended(&self->child, &status)) {
            return false; // it said why
        }
    }
    if (!asked_to_end) {
        hy_print_error(COMMAND, "%s did not become ready in %d seconds", self->name, READY_MS / 1000);
    }
    return false;
}

// It has said why itself; what to do about it here is ours to say.
static void explain(const program *self)
{
    if (!asked_to_end) {
        hy_print_error(COMMAND, "%s did not start, so there is no match%s", self->name,
                       self->run == app_view
                           ? "; '--listen 127.0.0.1:0' serves the page on any free port"
                           : "");
    }
}

static bool start_all(game *self)
{
    for (size_t i = 0; i < self->count; i++) {
        if (!start(&self->programs[i]) || !await_ready(&self->programs[i])) {
            explain(&self->programs[i]);
            return false;
        }
    }
    return true;
}

static int64_t restart_delay_us(unsigned deaths)
{
    int64_t delay_us = RESTART_US;
    for (unsigned i = 1; i < deaths && delay_us < RESTART_MOST_US; i++) {
        delay_us *= 2;
    }
    return delay_us < RESTART_MOST_US ? delay_us : RESTART_MOST_US;
}

// A program has died. False if there is no use in starting it once more.
static bool take_death(program *self, int status, int64_t now_us)
{
    self->deaths = now_us - self->started_us > STEADY_US ? 1 : self->deaths + 1;
    char how[32], next[64] = "that was too often, the match is over";
    snprintf(how, sizeof how, status < 0 ? "by signal %d" : "with status %d",
             status < 0 ? -status : status);
    const bool again = self->is_dispensable || self->deaths < DEATHS_MAX;
    const int64_t delay_us = restart_delay_us(self->deaths);
    if (again) {
        snprintf(next, sizeof next, "it is started again in %d s", (int)(delay_us / 1000000));
    }
    hy_print_error(COMMAND, "%s ended %s%s%s; %s", self->name, how,
                   self->complaint[0] != '\0' ? ", after it said: " : "", self->complaint, next);
    self->restart_us = now_us + delay_us;
    return again;
}

// False when the match cannot go on.
static bool look_after(program *self, int64_t now_us)
{
    const char *line;
    while ((line = child_read(&self->child)) != NULL) {
        hear(self, line);
    }
    int status = 0;
    if (child_has_ended(&self->child, &status)) {
        while ((line = child_read(&self->child)) != NULL) {
            hear(self, line);
        }
        child_close(&self->child, 0);
        return (self->may_end && status == 0) || take_death(self, status, now_us);
    }
    return self->restart_us == 0 || now_us < self->restart_us || start(self);
}

// A joystick that died is yet to come back.
static bool has_played(const program *self)
{
    return self->child.pid == 0 && self->restart_us == 0;
}

static bool is_over(const game *self)
{
    bool over = self->options.scripted || self->options.unattended;
    for (size_t i = 0; i < self->count; i++) {
        over = over && (!self->programs[i].may_end || has_played(&self->programs[i]));
    }
    return over;
}

static void wait_for_something(const game *self)
{
    struct pollfd sources[PROGRAMS_MAX];
    for (size_t i = 0; i < self->count; i++) {
        sources[i] = (struct pollfd){ .fd = self->programs[i].child.said, .events = POLLIN };
    }
    poll(sources, (nfds_t)self->count, TURN_MS);
}

static bool watch(game *self)
{
    while (!asked_to_end && !is_over(self)) {
        wait_for_something(self);
        const int64_t now_us = hy_clock_now_us();
        for (size_t i = 0; i < self->count; i++) {
            if (!look_after(&self->programs[i], now_us)) {
                return false;
            }
        }
    }
    return true;
}

// --------------------------------------------------------------------------- the end

// The hands first and the world last, so that every robot has been stopped when it ends.
static bool end_all(game *self, bool listen)
{
    bool ok = true;
    for (size_t i = self->count; i-- > 0;) {
        program *const p = &self->programs[i];
        child_stop(&p->child);
        const int64_t until_us = hy_clock_now_us() + END_MS * INT64_C(1000);
        const char *line;
        while (p->child.pid > 0 && (line = child_await(&p->child, until_us)) != NULL) {
            if (listen) {
                hear(p, line);
            }
        }
        const bool was_running = p->child.pid > 0;
        const int status = child_close(&p->child, END_MS);
        if (was_running && status != 0) {
            hy_print_error(COMMAND, "%s ended with %d", p->name, status);
            ok = false;
        }
    }
    return ok;
}

// A scripted match is a check of the whole installation: robots that bring no ball to a goal have not played.
static bool has_scored(const game *self)
{
    long points = 0;
    for (size_t i = 0; i < self->count; i++) {
        points += self->programs[i].blue + self->programs[i].red;
    }
    if (points == 0) {
        hy_print_error(COMMAND, "no robot scored in the scripted match");
    }
    return points > 0;
}

static void close_scripts(game *self)
{
    for (size_t i = 0; i < HY_ICD_PLAYERS; i++) {
        if (self->scripts[i] != NULL) {
            fclose(self->scripts[i]);
        }
    }
}

static void print_ready(const game *self)
{
    hy_ready_line ready = { .pairs = "" };
    hy_ready_line_add(&ready, "players", "%u", robots(&self->options));
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

static void print_result(const game *self)
{
    for (size_t i = 0; i < self->count; i++) {
        if (self->programs[i].run == app_sim) {
            printf("blue %ld, red %ld\n", self->programs[i].blue, self->programs[i].red);
        }
    }
}

static int play(game *self)
{
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    signal(SIGHUP, on_signal);
    signal(SIGPIPE, on_signal);      // nobody reads us any more: the end, but one in order
    (void)hy_host_page_keep_token(); // without one a restarted view only has another address
    const bool began = plan(self) && start_all(self);
    bool ok = began;
    if (began) {
        print_ready(self);
        printf("%s\n", what_to_do(&self->options));
        fflush(stdout);
        ok = watch(self);
    }
    ok = end_all(self, began) && ok; // who ends before a match has begun has nothing to tell
    close_scripts(self);
    if (ok && self->options.scripted && !asked_to_end) {
        ok = has_scored(self);
    }
    if (ok && self->options.unattended && !asked_to_end) {
        print_result(self);
    }
    return ok || asked_to_end ? APP_OK : APP_FAILED;
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
            COMMAND, "--bots %s: give how many, 1 to %d, and how well they play, as in 3 or 3:easy",
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
        hy_print_error(COMMAND,
                       "--players %" PRIu64 " and --bots %" PRIu64 ": there is room for %d robots",
                       o->players, o->bots, HY_ICD_PLAYERS);
    } else if (!ok) {
        hy_print_error(COMMAND, "--players %" PRIu64 ": there is room for 1 to %d", o->players,
                       HY_ICD_PLAYERS);
    }
    return ok;
}

int app_play(int argc, char **argv)
{
    static game self;
    play_options *const o = &self.options;
    *o = (play_options){ .players = 1, .config = "field2020", .page.view = HY_VIEW_LISTEN };
    o->boards = (hy_option_list){ .items = o->board_items, .room = SIM_BOARDS_MAX };
    // clang-format off
    const hy_option table[] = {
        { HY_OPTION(WHOLE, play_options, players), .name = "players", .value = "N", .help = "how many robots, 1 to 6 (default 1)" },
        { HY_OPTION(TEXT, play_options, bots_text), .name = "bots", .value = "N[:easy|hard]", .help = "add N robots that play by themselves (default hard); whoever takes one's seat drives it. Without a terminal they play one match" },
        { HY_OPTION(TEXT, play_options, config), .name = "config", .value = "NAME|FILE", .help = "the field and its robots: a world, or a robotConfig.yml (default field2020)" },
        { HY_OPTION(CHOICE, play_options, drive), .name = "drive", .choices = drives, .help = "how robots move: ideal is the reference's kinematics; dcmotor, the default unless the file says otherwise, has motors, mass and grip" },
        { HY_OPTION(LIST, play_options, boards), .name = "board", .value = "ROBOT@ADDR:PORT[,X,Y[,DEG]]", .help = "add a robot, such as an xrp or a teensy, that is driven by its own protocol; up to two" },
        { HY_OPTION(CHOICE, play_options, form), .name = "icd", .choices = forms, .help = "which form the sim's messages have (default document)" },
        { HY_OPTION(TEXT, play_options, page.view), .name = "listen", .value = "ADDR:PORT", .help = "where the page is served (default " HY_VIEW_LISTEN "; port 0: any free one)" },
        { HY_OPTION(NUMBER, play_options, seconds), .name = "seconds", .value = "N", .low = 1.0, .high = 36000.0, .help = "length of a match (default 135)" },
        { HY_OPTION(WHOLE, play_options, shift), .name = "shift", .value = "N", .help = "add N to every port between the programs: another match on this machine" },
        { HY_OPTION(TEXT, play_options, ports), .name = "ports", .value = "A,B,C,D,E,F", .help = "ports of player 1 between the programs (default 2000,4000,6000,8000,10000,12000)" },
        { HY_OPTION(FLAG, play_options, scripted), .name = "scripted", .help = "robots play ten seconds by themselves, as they do without a terminal" },
    };
    // clang-format on
    self.groups[OWN] = (hy_option_group)HY_OPTION_GROUP(NULL, table, o);
    self.groups[ROBOT] = hy_host_traits_group(&o->traits);
    self.groups[FAULTS] = hy_host_faults_group(&o->faults);
    self.groups[PAGE] = hy_host_page_group_without_view(&o->page);
    self.groups[PHANTOM] = hy_host_phantoms_group(&o->phantom);
    self.groups[RECORD] = hy_host_record_group(&o->record, HY_HOST_RECORD_LIDAR);
    self.groups[NAMES] = hy_host_names_group(&o->names, true);
    self.groups[NT] = hy_host_nt_group(&o->nt);
    const hy_command_line line = {
        COMMAND, "is a whole match on this machine, played in the browser", self.groups, GROUPS,
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
    if (!hy_host_page_check(COMMAND, &o->page) || !hy_host_record_check(COMMAND, &o->record) ||
        !hy_host_nt_check(COMMAND, &o->nt) || !hy_host_names_check(COMMAND, &o->names) ||
        !hy_host_traits_read(COMMAND, &o->traits) || !hy_host_phantoms_check(COMMAND, &o->phantom)) {
        return APP_USAGE;
    }
    const bool has_terminal = isatty(STDOUT_FILENO);
    o->unattended = o->bots > 0 && !o->scripted && !has_terminal;
    o->scripted = o->scripted || (o->bots == 0 && !has_terminal);
    return play(&self);
}
