// `halyard board`: a virtual robot on a UDP port, in real time.
#include <halyard/board.h>
#include <halyard/link.h>
#include <halyard/program_page.h>
#include <halyard/sim.h>
#include <halyard/text_decimal.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board_many.h"
#include "cli/app.h"
#include "cli/faults_option.h"
#include "cli/network_notice.h"
#include "cli/nt_option.h"
#include "cli/options.h"
#include "cli/page_option.h"
#include "cli/phantom_option.h"
#include "cli/ready_line.h"
#include "cli/record_option.h"
#include "cli/refusals.h"
#include "cli/robot_choices.h"
#include "cli/robot_option.h"
#include "robot_world.h"
#include "truth.h"

#define COMMAND "board"

// More than this behind real time, the world's clock is set forward instead of caught up.
#define CATCH_UP_MAX_US 250000

#define PRESSES_MAX 64

typedef struct {
    double from_s, to_s;
} press;

typedef struct {
    const char *listen, *truth;
    double pwm_hz; // of the PWM of its motors; 0: its controller's
    robot_option traits;
    double duration_s;
    const char *press_items[PRESSES_MAX];
    option_list press_texts;
    press presses[PRESSES_MAX];
    bool has_page;
    hy_view_place page;
    bool opens;
    const char *world;
    uint64_t seed;
    hy_board_options robot;
    const char *faults_text; // NULL: none
    hy_faults_spec faults;
    record_option record;
    nt_option nt;
    phantom_option phantom;
    uint64_t count; // of robots
} board_options;

typedef struct {
    board_options options;
    hy_world_model *model;
    hy_sim *sim;
    hy_link link;
    hy_loop loop;
    truth_file truth;
    hy_sim_record record;
    hy_nt *nt;
    hy_telemetry_sink nt_sink;
    hy_program_page page;
    int64_t start_us;    // the simulation's time 0
    int64_t due_us;      // when the next step of the world ends
    bool is_pressed;     // the user button, as the simulation knows it
    bool is_reset_said;  // since it is enabled
    int64_t turn_us;     // of the present event: what is read arrived until then
    uint64_t overflowed; // datagrams that the system lost, as far as the board knows
    hy_sim_refusal refusal; // what the board only counts, until it is told
} server;

// --------------------------------------------------------------------------- the command line

static bool read_presses(board_options *options)
{
    for (size_t i = 0; i < options->press_texts.count; i++) {
        const char *text = options->press_texts.items[i];
        press *p = &options->presses[i];
        char from[32];
        const size_t length = strcspn(text, ":");
        const bool fits = length < sizeof from && text[length] == ':';
        snprintf(from, sizeof from, "%.*s", fits ? (int)length : 0, text);
        if (!fits || !hy_decimal_read(from, &p->from_s) ||
            !hy_decimal_read(text + length + 1, &p->to_s) || p->from_s < 0.0 || p->from_s > p->to_s) {
            app_error(COMMAND,
                      "--press needs two times in seconds since the start, as in 2:2.5, not '%s'",
                      text);
            return false;
        }
    }
    return true;
}

/// What not every robot has. False with a sentence if this one is asked for it.
static bool fits_robot(const hy_robot_type *type, const hy_board_options *board, const char *hardware)
{
    if (board->kind == NULL) {
        app_error(COMMAND, "--hardware %s: there is no such %s; leave it out for a %s", hardware,
                  type->title, type->name);
        return false;
    }
    if (board->stock_bugs && !hy_board_has_stock_bugs(board->kind)) {
        app_error(COMMAND, "--bugs stock: there is no stock firmware for a %s; leave it out",
                  type->name);
        return false;
    }
    return true;
}

/// Only some types of robots differ from each other.
static bool fits_traits(const hy_robot_type *type, const robot_option *traits)
{
    hy_vehicle_type vehicle;
    const bool fits = hy_vehicle_type_find(type->variants[0].vehicle, &vehicle) &&
                      hy_vehicle_type_has_traits(vehicle);
    if (traits->text != NULL && !fits) {
        app_error(COMMAND, "--robot: one %s is like any other; leave it out", type->title);
    }
    return traits->text == NULL || fits;
}

/// A page needs somebody to show it.
static bool fits_page(const board_options *options)
{
    const char *const lone = options->page.folder != NULL       ? "--page"
                             : options->page.watchers           ? "--watchers"
                             : options->opens                   ? "--open"
                             : options->phantom.files.count > 0 ? "--phantom"
                                                                : NULL;
    if (lone != NULL && !options->has_page) {
        app_error(COMMAND, "%s is for the page, but nothing shows it: add --view", lone);
        return false;
    }
    return true;
}

/// What is for one robot alone.
static bool fits_count(const board_options *options)
{
    if (options->count < 1 || options->count > BOARD_MANY_MAX) {
        app_error(COMMAND, "--count must be between 1 and %d", BOARD_MANY_MAX);
        return false;
    }
    if (options->count > 1 &&
        (options->has_page || options->truth != NULL || options->record.path != NULL ||
         options->nt.is_asked || options->press_texts.count > 0)) {
        app_error(
            COMMAND,
            "--view, --truth, --record, --nt and --press are for one robot; leave out --count");
        return false;
    }
    return true;
}

/// Two writers would spoil each other's file.
static bool has_own_files(const board_options *options)
{
    if (options->truth != NULL && options->record.path != NULL &&
        strcmp(options->truth, options->record.path) == 0) {
        app_error(COMMAND, "--record and --truth name the same file, %s; give each its own",
                  options->truth);
        return false;
    }
    return true;
}

static options_result read_options(int argc, char **argv, board_options *out)
{
    static const char *const encoders[] = { "long", "short", NULL };
    static const char *const bugs[] = { "none", "stock", NULL };
    robot_choices choices;
    robot_choices_fill(&choices);
    int robot = 0, hardware = -1, encoder_index = 0, bugs_index = 0;
    *out = (board_options){
        .listen = "127.0.0.1:3540", .page.listen = HY_VIEW_LISTEN, .seed = 1, .count = 1
    };
    out->press_texts = (option_list){ .items = out->press_items, .room = PRESSES_MAX };
    out->phantom.files = PHANTOM_LIST(&out->phantom);
    // clang-format off
    static const char notes[] =
        "When it is ready it prints 'halyard: ready udp=ADDR:PORT'. Then start what drives it: 'halyard drive\n"
        "xrp://localhost' in another terminal, WPILib's simulation with HALSIMXRP_HOST=127.0.0.1 in its environment, or a\n"
        "program of yours. When it ends, also by Ctrl-C, it prints to stderr how many commands it obeyed, how many it dropped, and why.";
    const option table[] = {
        { .choice = &robot, .choices = choices.types, .required = true, .help = "which robot" },
        { .name = "listen", .value = "ADDR:PORT", .text = &out->listen, .help = "where to listen (default 127.0.0.1:3540; port 0: any free one)" },
        { .name = "count", .value = "N", .whole = &out->count, .help = "so many robots at once, at most 1000, each in a world of its own, at the ports from --listen's on and with the seeds from --seed's on" },
        { .name = "world", .value = "NAME|FILE", .text = &out->world, .help = "the world around the robot (default: the robot's own, as xrp-arena)" },
        { .name = "hardware", .choice = &hardware, .choices = choices.variants, .help = "which version of its controller: an XRP's prod has four servos and does not brake its motors, beta has two and does (default prod)" },
        { .name = "pwm", .value = "HZ", .number = &out->pwm_hz, .low = 20, .high = 100000, .help = "frequency of the PWM of its motors: 50 as XRPLib has it (default: that of WPILib's firmware, 1000)" },
        ROBOT_OPTION(&out->traits, ""),
        { .name = "encoder", .choice = &encoder_index, .choices = encoders, .help = "encoder block with period, or that of old firmware (default long)" },
        { .name = "bugs", .choice = &bugs_index, .choices = bugs, .help = "stock keeps the defects of the XRP's stock firmware (default none)" },
        { .name = "truth", .value = "FILE", .text = &out->truth, .help = "write the true state of the world, one line of JSON per step" },
        { .name = "press", .value = "T0:T1", .list = &out->press_texts, .help = "hold the user button from T0 to T1 seconds; may be repeated" },
        { .name = "view", .value = "ADDR:PORT", .flag = &out->has_page, .text = &out->page.listen, .help = "show it in the browser (default " HY_VIEW_LISTEN "; port 0: any free one)" },
        { .name = "page", .value = "DIR", .text = &out->page.folder, .help = "the folder of the built page (default: where it was built, or installed)" },
        PAGE_OPTION_WATCHERS(&out->page),
        PAGE_OPTION_OPEN(&out->opens),
        { .name = "faults", .value = "SPEC|FILE|PRESET", .text = &out->faults_text, .help = FAULTS_HELP },
        PHANTOM_OPTION(&out->phantom),
        RECORD_OPTIONS(&out->record),
        RECORD_OPTION_LIDAR(&out->record),
        NT_OPTIONS(&out->nt),
        RECORD_OPTION_DIALECT(&out->record),
        { .name = "seed", .value = "N", .whole = &out->seed, .help = "seed for all sensor noise (default 1)" },
        { .name = "duration", .value = "SECONDS", .number = &out->duration_s, .low = 0.001, .high = 1e9, .help = "exit after that time (default: on Ctrl-C)" },
    };
    // clang-format on
    const command_line line = { COMMAND, "runs a virtual robot that behaves like the real hardware",
                                table, sizeof table / sizeof table[0], notes };
    const options_result result = options_parse(&line, argc, argv);
    if (result != OPTIONS_OK) {
        return result;
    }
    const hy_robot_type *const type = hy_robot_type_at((size_t)robot);
    const char *const hardware_name =
        hardware < 0 ? type->variants[0].name : choices.variants[hardware];
    const hy_robot_variant *const variant = hy_robot_variant_find(type, hardware_name);
    if (out->world == NULL) {
        out->world = type->world;
    }
    out->page.names = out->nt.names;
    out->record.world = out->world;
    out->record.seed = out->seed;
    out->record.faults = out->faults_text;
    char *const asked = out->record.options;
    hy_record_add_option(asked, "robot", out->traits.text);
    hy_record_add_option(asked, "hardware", hardware < 0 ? NULL : hardware_name);
    hy_record_add_number(asked, "pwm", out->pwm_hz);
    hy_record_add_option(asked, "encoder", encoder_index == 0 ? NULL : encoders[encoder_index]);
    hy_record_add_option(asked, "bugs", bugs_index == 0 ? NULL : bugs[bugs_index]);
    out->robot = (hy_board_options){
        .kind = variant != NULL ? variant->board : NULL,
        .encoder_format = encoder_index == 0 ? HY_ENCODER_LONG : HY_ENCODER_SHORT,
        .stock_bugs = bugs_index == 1,
    };
    return fits_robot(type, &out->robot, hardware_name) && fits_page(out) && fits_count(out) &&
                   has_own_files(out) && read_presses(out) &&
                   record_option_check(COMMAND, &out->record) && nt_option_check(COMMAND, &out->nt) &&
                   phantom_option_check(COMMAND, &out->phantom) &&
                   faults_option_read(COMMAND, out->faults_text, &out->faults) &&
                   fits_traits(type, &out->traits) && robot_option_read(COMMAND, &out->traits)
               ? OPTIONS_OK
               : OPTIONS_WRONG;
}

/// What the robot brings into its world.
static hy_worldfile_robots robots_of(const board_options *options)
{
    return (hy_worldfile_robots){ .pwm_hz = options->pwm_hz,
                                  .traits = robot_option_traits(&options->traits) };
}

// --------------------------------------------------------------------------- stepping

static double seconds_since(int64_t start_us, int64_t now_us)
{
    return (double)(now_us - start_us) * 1e-6;
}

static bool is_pressed(const server *self, double t_s)
{
    for (size_t i = 0; i < self->options.press_texts.count; i++) {
        if (t_s >= self->options.presses[i].from_s && t_s < self->options.presses[i].to_s) {
            return true;
        }
    }
    return false;
}

static int64_t sim_time_us(const server *self, int64_t now_us)
{
    return now_us - self->start_us;
}

static void send_all(server *self)
{
    for (hy_sim_datagram out; hy_sim_next_datagram(self->sim, &out);) {
        // What the network refuses is counted by the link and lost, as on the air.
        (void)hy_link_send(&self->link, &out.peer, out.bytes);
    }
}

static void step_once(server *self, int64_t now_us)
{
    const int64_t at_us = sim_time_us(self, self->due_us);
    const bool is_down = is_pressed(self, (double)at_us * 1e-6) ||
                         hy_program_page_button(&self->page, ROBOT_WORLD_VEHICLE, now_us);
    const hy_sim_button button = { ROBOT_WORLD_VEHICLE, is_down };
    const hy_sim_push push = { ROBOT_WORLD_VEHICLE };
    const bool is_pushed = hy_program_page_take_push(&self->page, ROBOT_WORLD_VEHICLE);
    const hy_sim_input input = { .now_us = at_us,
                                 .world_steps = 1,
                                 .buttons = &button,
                                 .button_count = is_down != self->is_pressed ? 1 : 0,
                                 .pushes = &push,
                                 .push_count = is_pushed ? 1 : 0 };
    hy_sim_step(self->sim, &input);
    self->is_pressed = is_down;
    self->is_reset_said = self->is_reset_said && hy_board_is_enabled(hy_sim_board_at(self->sim, 0));
    self->due_us += hy_sim_step_us(self->sim);
    truth_file_write(&self->truth, self->sim);
    hy_sim_record_step(&self->record, self->sim);
    nt_option_report(COMMAND, self->nt);
    hy_program_page_collect(&self->page, self->sim);
}

// After a stall the next step ends after `now_us`, a whole number of steps later than it would have.
static void skip_to(server *self, int64_t now_us)
{
    const int64_t step_us = hy_sim_step_us(self->sim);
    const int64_t skipped_us = (now_us - self->due_us) / step_us * step_us + step_us;
    self->due_us += skipped_us;
    app_error(COMMAND, "host stalled; skipped %.3f s of simulated time", (double)skipped_us * 1e-6);
}

static void step_world(server *self, int64_t now_us)
{
    if (now_us - self->due_us > CATCH_UP_MAX_US) {
        skip_to(self, now_us);
    }
    while (self->due_us <= now_us) {
        step_once(self, now_us);
        send_all(self);
    }
}

// --------------------------------------------------------------------------- events

static void give_datagram(server *self, const hy_sim_datagram *datagram)
{
    hy_sim_step(self->sim, &(hy_sim_input){ .now_us = sim_time_us(self, self->turn_us),
                                            .datagrams = datagram,
                                            .datagram_count = 1 });
    send_all(self);
}

static void say(const char *what)
{
    printf("%s\n", what);
    fflush(stdout);
}

static void on_pages(void *context, int64_t now_us)
{
    server *self = context;
    const bool is_reset = hy_program_page_poll(&self->page, now_us);
    const bool is_enabled = hy_board_is_enabled(hy_sim_board_at(self->sim, 0));
    if (hy_program_page_take_stop(&self->page)) {
        static const uint8_t any = 0;
        step_world(self, now_us);
        self->turn_us = now_us;
        give_datagram(self, &(hy_sim_datagram){ .bytes = { &any, sizeof any } });
        if (is_enabled) {
            say("a page stopped the robot: it obeys again when its program was disabled and "
                "enabled");
        }
    }
    if (is_reset) {
        if (is_enabled && !self->is_reset_said) { // a line for each would fill a pipe that nobody reads
            say("a page reset the world; the program of the robot drives on");
            self->is_reset_said = true;
        }
        step_world(self, now_us);
        const hy_sim_reset all = { HY_SIM_RESET_ALL };
        hy_sim_step(self->sim, &(hy_sim_input){ .now_us = sim_time_us(self, now_us),
                                                .resets = &all,
                                                .reset_count = 1 });
        send_all(self);
    }
}

static void take_datagram(void *context, const hy_datagram *datagram)
{
    server *self = context;
    const hy_sim_datagram arrived = { .peer = datagram->peer,
                                      .at_us = sim_time_us(self, datagram->at_us),
                                      .bytes = datagram->bytes };
    const hy_board *const board = hy_sim_board_at(self->sim, 0);
    const uint64_t strangers = hy_board_counts(board)->rx_strangers + self->refusal.refused.strangers;
    refusals_check_command(COMMAND, hy_board_dialect(board), &datagram->peer, datagram->bytes);
    if (hy_sim_give(self->sim, sim_time_us(self, self->turn_us), &arrived, &self->refusal)) {
        send_all(self);
    }
    // Faults hold commands back: then it may be another one.
    if (hy_board_counts(board)->rx_strangers + self->refusal.refused.strangers > strangers &&
        self->options.faults_text == NULL) {
        refusals_say(COMMAND, &datagram->peer, "a command", "another program drives this robot");
    }
}

// All that waits, before a step acts on it: the newest may be the stop. What the system had to drop is newer still, and may be it
// as well.
static void receive(server *self, int64_t now_us)
{
    self->turn_us = now_us;
    if (hy_link_receive_waiting(&self->link, take_datagram, self) == 0) {
        return;
    }
    const uint64_t overflowed = hy_link_overflowed(&self->link);
    const bool has_lost = overflowed != self->overflowed;
    const bool has_refused = self->refusal.refused.strangers + self->refusal.refused.too_short > 0;
    if (has_lost || has_refused) {
        const hy_sim_datagram lost = { .peer = { .port = 0 } };
        hy_sim_step(self->sim, &(hy_sim_input){ .now_us = sim_time_us(self, now_us),
                                                .datagrams = &lost,
                                                .datagram_count = has_lost ? 1 : 0,
                                                .refusals = &self->refusal,
                                                .refusal_count = has_refused ? 1 : 0 });
        send_all(self);
        self->overflowed = overflowed;
        self->refusal = (hy_sim_refusal){ .board = 0 };
    }
}

static void on_time(void *context, int64_t now_us)
{
    server *self = context;
    step_world(self, now_us); // time never falls: first the past, then what arrives now
    receive(self, now_us);
    // A status may be due between two steps of the world.
    hy_sim_step(self->sim, &(hy_sim_input){ .now_us = sim_time_us(self, now_us) });
    send_all(self);
    hy_program_page_show(&self->page, self->sim, now_us);
    if (hy_program_page_is_due(&self->page, now_us)) {
        on_pages(self, now_us);
    }
}

static void on_datagrams(void *context, int64_t now_us)
{
    server *self = context;
    step_world(self, now_us);
    receive(self, now_us);
}

static void on_signal(void *context, int signal_number)
{
    (void)signal_number;
    server *self = context;
    hy_loop_quit(&self->loop);
}

static void on_end(void *context, int64_t now_us)
{
    (void)now_us;
    server *self = context;
    hy_loop_quit(&self->loop);
}

// --------------------------------------------------------------------------- life

static bool open_link(server *self)
{
    hy_endpoint local;
    const char *address = self->options.listen;
    const int found = hy_link_resolve(address, HY_WIRE_PORT, &local, 1);
    if (found < 1) {
        app_error(COMMAND, "--listen %s: %s; give an address of this machine, as in 127.0.0.1:3540",
                  address, hy_status_text(found < 0 ? (hy_status)found : HY_ENAME));
        return false;
    }
    const hy_status status = hy_link_open(&self->link, &local);
    if (status != HY_OK) {
        const char *why =
            status == HY_EADDRESS ? "it is not an address of this machine" : hy_status_text(status);
        app_error(COMMAND, "cannot listen on %s: %s; choose another address or port with --listen",
                  address, why);
        return false;
    }
    return true;
}

static bool start_loop(server *self)
{
    hy_loop_init(&self->loop);
    const int64_t step_us = hy_sim_step_us(self->sim);
    hy_status status = hy_loop_every(&self->loop, self->start_us + step_us, step_us, on_time, self);
    if (status == HY_OK) {
        const int64_t period_us = hy_board_status_period_us(hy_sim_board_at(self->sim, 0));
        status = hy_loop_every(&self->loop, self->start_us + period_us, period_us, on_time, self);
    }
    if (status == HY_OK && self->options.duration_s > 0.0) {
        const int64_t duration_us = (int64_t)(self->options.duration_s * 1e6);
        status =
            hy_loop_every(&self->loop, self->start_us + duration_us, duration_us + 1, on_end, self);
    }
    if (status == HY_OK) {
        status = hy_loop_watch(&self->loop, hy_link_descriptor(&self->link), on_datagrams, self);
    }
    if (status == HY_OK && self->page.view != NULL) {
        status = hy_loop_watch(&self->loop, hy_view_descriptor(self->page.view), on_pages, self);
    }
    if (status == HY_OK) {
        status = hy_loop_on_signals(&self->loop, on_signal, self);
    }
    if (status != HY_OK) {
        app_error(COMMAND, "cannot start: %s", hy_status_text(status));
    }
    return status == HY_OK;
}

static void print_summary(const server *self)
{
    const hy_board_counters *c = hy_board_counts(hy_sim_board_at(self->sim, 0));
    app_error(COMMAND,
              "ran %.1f s: %" PRIu64 " commands obeyed, %" PRIu64 " statuses sent, %" PRIu64
              " probes answered, %" PRIu64 " watchdog trips; dropped %" PRIu64
              " too short, %" PRIu64 " late or doubled, %" PRIu64 " read too late, %" PRIu64
              " from strangers; %" PRIu64 " malformed",
              seconds_since(self->start_us, hy_clock_now_us()), c->commands, c->statuses,
              c->probes_answered, c->watchdog_trips, c->rx_too_short, c->rx_sequence, c->rx_old,
              c->rx_strangers, c->rx_malformed);
}

// What the board cannot count: it never saw them.
static void print_overflow(server *self)
{
    const uint64_t overflowed = hy_link_overflowed(&self->link);
    if (overflowed > 0) {
        app_error(COMMAND, "receive buffer overflowed; %" PRIu64 " datagrams lost", overflowed);
    }
}

// Which robot of all that are built alike it is. Values of the ready line have no blanks.
static void name_robot(const server *self, ready_line *ready)
{
    const hy_robot_traits *const traits = hy_world_traits(self->model, ROBOT_WORLD_VEHICLE);
    if (traits != NULL) {
        char name[HY_ROBOT_TEXT];
        snprintf(name, sizeof name, "%s", traits->name);
        for (char *at = name; *at != '\0'; at++) {
            *at = *at == ' ' ? '_' : *at;
        }
        ready_line_add(ready, "robot", "%s", name);
    }
}

static bool serve(server *self)
{
    char text[HY_ENDPOINT_TEXT_MAX], url[HY_VIEW_URL_MAX];
    const hy_endpoint usable = hy_endpoint_local(&self->link.local);
    ready_line ready = { .pairs = "" };
    ready_line_add_address(&ready, "udp", &self->link.local);
    name_robot(self, &ready);
    if (self->page.view != NULL) {
        ready_line_add(&ready, "page", "%s", hy_view_url(self->page.view, url));
    }
    nt_option_announce(self->nt, &ready);
    ready_line_print(&ready, stdout);
    printf("listening on %s\n", hy_endpoint_format(&usable, text));
    network_notice(&self->link.local,
                   "can drive this robot and read its sensors: its protocol has no password");
    nt_option_notice(&self->options.nt, self->nt);
    faults_option_announce(COMMAND, self->options.faults_text);
    fflush(stdout);
    const hy_status status = hy_loop_run(&self->loop);
    hy_loop_on_signals(&self->loop, NULL, NULL);
    print_summary(self);
    faults_option_sum_up(COMMAND, self->options.faults_text, self->sim);
    print_overflow(self);
    if (status != HY_OK) {
        app_error(COMMAND, "stopped: %s", hy_status_text(status));
    }
    return status == HY_OK;
}

// What a phantom must fit: the world's name and floor.
static bool open_phantoms(server *self)
{
    hy_scene_of_world drawn;
    if (!hy_scene_make(&drawn, self->model, (hy_point){ 0, 0 })) {
        app_error(COMMAND, "there is not enough memory");
        return false;
    }
    const bool ok =
        phantom_option_open(COMMAND, &self->options.phantom, &drawn.scene, &self->page.phantoms);
    hy_scene_free(&drawn);
    return ok;
}

static bool open_page(server *self)
{
    hy_view_error error = { "" };
    if (!self->options.has_page) {
        return true;
    }
    if (!open_phantoms(self)) {
        return false;
    }
    const hy_status status = hy_program_page_open(&self->page, &self->options.page, self->sim,
                                                  self->options.faults_text, &error);
    if (error.text[0] != '\0') {
        app_error(COMMAND, "%s", error.text);
    }
    if (status == HY_OK) {
        page_option_announce(self->page.view, "press the robot's button and reset its world");
        if (self->options.opens) {
            page_option_open(COMMAND, self->page.view);
        }
    }
    return status == HY_OK;
}

static bool start_sim(server *self)
{
    const board_options *const o = &self->options;
    hy_world_error error;
    self->model = robot_world_load(o->world, o->robot.kind, robots_of(o), &error);
    const hy_sim_board board = { ROBOT_WORLD_VEHICLE, o->robot };
    const hy_sim_setup setup = {
        .world = self->model,
        .boards = &board,
        .board_count = 1,
        .seed = o->seed,
        .faults = &o->faults,
    };
    if (self->model == NULL || hy_sim_start(&setup, &self->sim, &error) != HY_OK) {
        app_error(COMMAND, "%s", error.text);
        return false;
    }
    return true;
}

static void start_nt(server *self)
{
    self->nt = nt_option_start(COMMAND, &self->options.nt);
    if (self->nt != NULL) {
        self->nt_sink = hy_nt_sink(self->nt);
        self->options.record.live = &self->nt_sink;
    }
}

static bool run(server *self)
{
    bool ok = open_link(self) && start_sim(self);
    if (ok && (ok = truth_file_open(&self->truth, self->options.truth, COMMAND))) {
        self->start_us = hy_clock_now_us();
        self->due_us = self->start_us + hy_sim_step_us(self->sim);
        start_nt(self);
        ok = open_page(self) && start_loop(self) &&
             record_option_start(COMMAND, &self->options.record, &self->record, self->sim) &&
             serve(self);
    }
    hy_program_page_close(&self->page);
    hy_phantoms_free(self->page.phantoms);
    ok = record_option_end(COMMAND, &self->record) && ok;
    hy_nt_stop(self->nt);
    ok = truth_file_close(&self->truth, COMMAND) && ok;
    hy_sim_end(self->sim);
    hy_world_free(self->model);
    return ok;
}

static bool run_many(const board_options *options, int argc, char **argv)
{
    return board_many_run(&(board_many_options){
        .command = COMMAND,
        .listen = options->listen,
        .count = (size_t)options->count,
        .world = options->world,
        .seed = options->seed,
        .robot = options->robot,
        .faults_text = options->faults_text,
        .faults = &options->faults,
        .robots = robots_of(options),
        .duration_s = options->duration_s,
        .run = app_board,
        .argc = argc,
        .argv = argv,
    });
}

int app_board(int argc, char **argv)
{
    server *self = calloc(1, sizeof *self);
    if (self == NULL) {
        app_error(COMMAND, "there is not enough memory");
        return APP_FAILED;
    }
    options_result result = read_options(argc, argv, &self->options);
    if (result == OPTIONS_OK && self->options.has_page && !page_option_check_token(COMMAND)) {
        result = OPTIONS_WRONG;
    }
    int exit_status = result == OPTIONS_HELP ? APP_OK : APP_USAGE;
    if (result == OPTIONS_OK && self->options.count > 1) {
        exit_status = run_many(&self->options, argc, argv) ? APP_OK : APP_FAILED;
    } else if (result == OPTIONS_OK) {
        exit_status = run(self) ? APP_OK : APP_FAILED;
        hy_link_close(&self->link);
    }
    free(self);
    return exit_status;
}
