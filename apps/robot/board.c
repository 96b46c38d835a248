// `halyard board`: a virtual robot on a UDP port, in real time.
#include <halyard/board.h>
#include <halyard/link.h>
#include <halyard/sim.h>
#include <halyard/text_decimal.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board_many.h"
#include "cli/app.h"
#include "cli/network_notice.h"
#include "cli/robot_choices.h"
#include "host/host.h"
#include "host/host_boards.h"
#include "host/host_faults.h"
#include "host/host_names.h"
#include "host/host_nt.h"
#include "host/host_page.h"
#include "host/host_phantoms.h"
#include "host/host_ready.h"
#include "host/host_record.h"
#include "host/host_traits.h"
#include "host/host_truth.h"
#include "options/options.h"
#include "robot_world.h"

#define COMMAND "halyard board"

#define PRESSES_MAX 64

typedef struct {
    double from_s, to_s;
} press;

typedef struct {
    const char *listen;
    hy_host_truth truth;
    double pwm_hz; // of the PWM of its motors; 0: its controller's
    hy_host_traits traits;
    double duration_s;
    const char *press_items[PRESSES_MAX];
    hy_option_list press_texts;
    press presses[PRESSES_MAX];
    hy_host_page_options page;
    const char *world;
    uint64_t seed;
    hy_board_options robot;
    hy_host_faults faults;
    hy_host_record record;
    hy_host_nt nt;
    hy_host_names names;
    hy_host_phantoms phantom;
    uint64_t count; // of robots
    int type, hardware, encoder,
        stock_bugs; // indices of choices; `hardware` is -1 for the first that the type has
} board_options;

typedef struct {
    board_options options;
    hy_world_model *model;
    hy_sim *sim;
    hy_host host;
    hy_host_boards boards;
    hy_loop loop;
    hy_host_page page;
    bool is_pressed;    // the user button, as the simulation knows it
    bool is_reset_said; // since it is enabled
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
            hy_print_error(
                COMMAND,
                "--press needs two times in seconds since the start, as in 2:2.5, not '%s'", text);
            return false;
        }
    }
    return true;
}

/// What not every robot has. False with a sentence if this one is asked for it.
static bool fits_robot(const hy_robot_type *type, const hy_board_options *board, const char *hardware)
{
    if (board->kind == NULL) {
        hy_print_error(COMMAND, "--hardware %s: there is no such %s; leave it out for a %s",
                       hardware, type->title, type->name);
        return false;
    }
    if (board->stock_bugs && !hy_board_has_stock_bugs(board->kind)) {
        hy_print_error(COMMAND, "--bugs stock: there is no stock firmware for a %s; leave it out",
                       type->name);
        return false;
    }
    return true;
}

/// Only some types of robots differ from each other.
static bool fits_traits(const hy_robot_type *type, const hy_host_traits *traits)
{
    hy_vehicle_type vehicle;
    const bool fits = hy_vehicle_type_find(type->variants[0].vehicle, &vehicle) &&
                      hy_vehicle_type_has_traits(vehicle);
    if (traits->text != NULL && !fits) {
        hy_print_error(COMMAND, "--robot: one %s is like any other; leave it out", type->title);
    }
    return traits->text == NULL || fits;
}

/// What is for one robot alone.
static bool fits_count(const board_options *options)
{
    if (options->count > 1 && (options->page.view != NULL || options->truth.name != NULL ||
                               options->record.path != NULL || options->nt.listen != NULL ||
                               options->press_texts.count > 0)) {
        hy_print_error(
            COMMAND,
            "--view, --truth, --record, --nt and --press are for one robot; leave out --count");
        return false;
    }
    return true;
}

/// Two writers would spoil each other's file.
static bool has_own_files(const board_options *options)
{
    if (options->truth.name != NULL && options->record.path != NULL &&
        strcmp(options->truth.name, options->record.path) == 0) {
        hy_print_error(COMMAND, "--record and --truth name the same file, %s; give each its own",
                       options->truth.name);
        return false;
    }
    return true;
}

static hy_options_result read_options(int argc, char **argv, board_options *out)
{
    static const char *const encoders[] = { "long", "short", NULL };
    static const char *const bugs[] = { "none", "stock", NULL };
    robot_choices choices;
    robot_choices_fill(&choices);
    *out = (board_options){ .listen = "127.0.0.1:3540", .seed = 1, .count = 1, .hardware = -1 };
    out->press_texts = (hy_option_list){ .items = out->press_items, .room = PRESSES_MAX };
    // clang-format off
    static const char notes[] =
        "When it is ready it prints 'halyard: ready udp=ADDR:PORT'. Then start what drives it: 'halyard drive\n"
        "xrp://localhost' in another terminal, WPILib's simulation with HALSIMXRP_HOST=127.0.0.1 in its environment, or a\n"
        "program of yours. When it ends, also by Ctrl-C, it prints to stderr how many commands it obeyed, how many it dropped, and why.";
    const hy_option table[] = {
        { HY_OPTION(CHOICE, board_options, type), .choices = choices.types, .required = true, .help = "which robot" },
        { HY_OPTION(TEXT, board_options, listen), .name = "listen", .value = "ADDR:PORT", .help = "where to listen (default 127.0.0.1:3540; port 0: any free one)" },
        { HY_OPTION(WHOLE, board_options, count), .name = "count", .value = "N", .low = 1, .high = BOARD_MANY_MAX, .help = "number of robots, at most 1000, each in a world of its own, at the ports from --listen's on and with the seeds from --seed's on" },
        { HY_OPTION(TEXT, board_options, world), .name = "world", .value = "NAME|FILE", .help = "the world around the robot (default: the robot's own, as xrp-arena)" },
        { HY_OPTION(CHOICE, board_options, hardware), .name = "hardware", .choices = choices.variants, .help = "which version of its controller: an XRP's prod has four servos and does not brake its motors, beta has two and does (default prod)" },
        { HY_OPTION(NUMBER, board_options, pwm_hz), .name = "pwm", .value = "HZ", .low = 20, .high = 100000, .help = "frequency of the PWM of its motors: 50 as XRPLib has it (default: that of WPILib's firmware, 1000)" },
        { HY_OPTION(CHOICE, board_options, encoder), .name = "encoder", .choices = encoders, .help = "encoder block with period, or that of old firmware (default long)" },
        { HY_OPTION(CHOICE, board_options, stock_bugs), .name = "bugs", .choices = bugs, .help = "stock keeps the defects of the XRP's stock firmware (default none)" },
        { HY_OPTION(TEXT, board_options, truth.name), .name = "truth", .value = "FILE", .help = "write the true state of the world, one line of JSON per step" },
        { HY_OPTION(LIST, board_options, press_texts), .name = "press", .value = "T0:T1", .help = "hold the user button from T0 to T1 seconds; may be repeated" },
        { HY_OPTION(WHOLE, board_options, seed), .name = "seed", .value = "N", .help = "seed for all sensor noise (default 1)" },
        { HY_OPTION(NUMBER, board_options, duration_s), .name = "duration", .value = "SECONDS", .low = 0.001, .high = 1e9, .help = "exit after that time (default: on Ctrl-C)" },
    };
    // clang-format on
    hy_option_group groups[] = { HY_OPTION_GROUP(NULL, table, out),
                                 hy_host_traits_group(&out->traits),
                                 hy_host_faults_group(&out->faults),
                                 hy_host_page_group(&out->page),
                                 hy_host_phantoms_group(&out->phantom),
                                 hy_host_record_group(&out->record, HY_HOST_RECORD_LIDAR),
                                 hy_host_nt_group(&out->nt),
                                 hy_host_names_group(&out->names, true) };
    const hy_command_line line = { .program = COMMAND,
                                   .summary =
                                       "runs a virtual robot that behaves like the real hardware",
                                   .groups = groups,
                                   .group_count = sizeof groups / sizeof groups[0],
                                   .notes = notes };
    const hy_options_result result = hy_options_parse(&line, argc, argv);
    if (result != HY_OPTIONS_OK) {
        return result;
    }
    const hy_robot_type *const type = hy_robot_type_at((size_t)out->type);
    const char *const hardware_name =
        out->hardware < 0 ? type->variants[0].name : choices.variants[out->hardware];
    const hy_robot_variant *const variant = hy_robot_variant_find(type, hardware_name);
    if (out->world == NULL) {
        out->world = type->world;
    }
    out->record.world = out->world;
    out->record.seed = out->seed;
    out->record.faults = out->faults.text;
    char *const asked = out->record.options;
    hy_record_add_option(asked, "robot", out->traits.text);
    hy_record_add_option(asked, "hardware", out->hardware < 0 ? NULL : hardware_name);
    hy_record_add_number(asked, "pwm", out->pwm_hz);
    hy_record_add_option(asked, "encoder", out->encoder == 0 ? NULL : encoders[out->encoder]);
    hy_record_add_option(asked, "bugs", out->stock_bugs == 0 ? NULL : bugs[out->stock_bugs]);
    out->robot = (hy_board_options){
        .kind = variant != NULL ? variant->board : NULL,
        .encoder_format = out->encoder == 0 ? HY_ENCODER_LONG : HY_ENCODER_SHORT,
        .stock_bugs = out->stock_bugs == 1,
    };
    return fits_robot(type, &out->robot, hardware_name) && fits_count(out) && has_own_files(out) &&
                   read_presses(out) && hy_host_record_check(COMMAND, &out->record) &&
                   hy_host_names_check(COMMAND, &out->names) && hy_host_nt_check(COMMAND, &out->nt) &&
                   hy_host_phantoms_check(COMMAND, &out->phantom) &&
                   hy_host_faults_read(COMMAND, &out->faults) &&
                   hy_host_page_check(COMMAND, &out->page) && fits_traits(type, &out->traits) &&
                   hy_host_traits_read(COMMAND, &out->traits)
               ? HY_OPTIONS_OK
               : HY_OPTIONS_WRONG;
}

/// What the robot brings into its world.
static hy_worldfile_robots robots_of(const board_options *options)
{
    return (hy_worldfile_robots){ .pwm_hz = options->pwm_hz,
                                  .traits = hy_host_traits_of(&options->traits) };
}

// --------------------------------------------------------------------------- running

static bool is_pressed(const server *self, double t_s)
{
    for (size_t i = 0; i < self->options.press_texts.count; i++) {
        if (t_s >= self->options.presses[i].from_s && t_s < self->options.presses[i].to_s) {
            return true;
        }
    }
    return false;
}

static bool step(void *context, int64_t due_us)
{
    server *const self = context;
    const int64_t at_us = due_us - self->host.start_us;
    const bool is_down = is_pressed(self, (double)at_us * 1e-6) ||
                         hy_host_page_button(&self->page, ROBOT_WORLD_VEHICLE, due_us);
    const hy_sim_button button = { ROBOT_WORLD_VEHICLE, is_down };
    const hy_sim_push push = { ROBOT_WORLD_VEHICLE };
    const bool is_pushed = hy_host_page_take_push(&self->page, ROBOT_WORLD_VEHICLE);
    const hy_sim_input input = { .now_us = at_us,
                                 .world_steps = 1,
                                 .buttons = &button,
                                 .button_count = is_down != self->is_pressed ? 1 : 0,
                                 .pushes = &push,
                                 .push_count = is_pushed ? 1 : 0 };
    hy_sim_step(self->sim, &input);
    self->is_pressed = is_down;
    self->is_reset_said = self->is_reset_said && hy_board_is_enabled(hy_sim_board_at(self->sim, 0));
    hy_host_boards_send(&self->boards, self->sim);
    hy_host_stepped(&self->host, self->sim);
    return true;
}

static void say(const char *what)
{
    printf("%s\n", what);
    fflush(stdout);
}

static void stop_robot(server *self, int64_t at_us, bool is_enabled)
{
    static const uint8_t any = 0;
    const hy_sim_datagram stop = { .bytes = { &any, sizeof any } };
    hy_sim_step(self->sim,
                &(hy_sim_input){ .now_us = at_us, .datagrams = &stop, .datagram_count = 1 });
    hy_host_boards_send(&self->boards, self->sim);
    if (is_enabled) {
        say("a page stopped the robot: it obeys again when its program was disabled and enabled");
    }
}

// What has come, after the steps of the past: time never falls.
static void take_inputs(void *context, int64_t now_us)
{
    server *const self = context;
    const int64_t at_us = now_us - self->host.start_us;
    const hy_sim_reset all = { HY_SIM_RESET_ALL };
    const bool is_enabled = hy_board_is_enabled(hy_sim_board_at(self->sim, 0));
    const bool is_reset = hy_host_page_take_reset(&self->page);
    if (hy_host_page_take_stop(&self->page)) {
        stop_robot(self, at_us, is_enabled);
    }
    if (is_reset && is_enabled &&
        !self->is_reset_said) { // a line for each would fill a pipe that nobody reads
        say("a page reset the world; the program of the robot drives on");
        self->is_reset_said = true;
    }
    hy_host_boards_receive(&self->boards, self->sim, at_us, self->host.start_us);
    // A status may be due between two steps of the world.
    hy_sim_step(self->sim,
                &(hy_sim_input){ .now_us = at_us, .resets = &all, .reset_count = is_reset ? 1 : 0 });
    hy_host_boards_send(&self->boards, self->sim);
}

static void on_event(void *context, int64_t now_us)
{
    server *const self = context;
    (void)hy_host_turn(&self->host, now_us);
}

static void on_signal(void *context, int signal_number)
{
    (void)signal_number;
    server *const self = context;
    hy_loop_quit(&self->loop);
}

static void on_end(void *context, int64_t now_us)
{
    (void)now_us;
    server *const self = context;
    hy_loop_quit(&self->loop);
}

// --------------------------------------------------------------------------- life

static bool open_link(server *self)
{
    hy_endpoint local;
    const char *address = self->options.listen;
    const int found = hy_link_resolve(address, HY_WIRE_PORT, &local, 1);
    if (found < 1) {
        hy_print_error(COMMAND,
                       "--listen %s: %s; give an address of this machine, as in 127.0.0.1:3540",
                       address, hy_status_text(found < 0 ? (hy_status)found : HY_ENAME));
        return false;
    }
    const hy_status status = hy_link_open(&self->boards.link[0], &local);
    self->boards.count = status == HY_OK ? 1 : 0;
    self->boards.program = COMMAND;
    if (status != HY_OK) {
        const char *why =
            status == HY_EADDRESS ? "it is not an address of this machine" : hy_status_text(status);
        hy_print_error(COMMAND,
                       "cannot listen on %s: %s; choose another address or port with --listen",
                       address, why);
        return false;
    }
    return true;
}

static bool start_loop(server *self)
{
    const int64_t start_us = self->host.start_us;
    const int64_t step_us = hy_sim_step_us(self->sim);
    const int64_t status_us = hy_board_status_period_us(hy_sim_board_at(self->sim, 0));
    const int64_t duration_us = (int64_t)(self->options.duration_s * 1e6);
    hy_loop *const loop = &self->loop;
    hy_status status = hy_loop_every(loop, start_us + step_us, step_us, on_event, self);
    if (status == HY_OK) {
        status = hy_loop_every(loop, start_us + status_us, status_us, on_event, self);
    }
    if (status == HY_OK && duration_us > 0) {
        status = hy_loop_every(loop, start_us + duration_us, duration_us + 1, on_end, self);
    }
    if (status == HY_OK) {
        status = hy_loop_watch(loop, hy_link_descriptor(&self->boards.link[0]), on_event, self);
    }
    if (status == HY_OK) {
        status = hy_loop_on_signals(loop, on_signal, self);
    }
    if (status != HY_OK) {
        hy_print_error(COMMAND, "cannot start: %s", hy_status_text(status));
    }
    return status == HY_OK;
}

static void print_summary(const server *self)
{
    const hy_board_counters *c = hy_board_counts(hy_sim_board_at(self->sim, 0));
    hy_print_error(COMMAND,
                   "ran %.1f s: %" PRIu64 " commands obeyed, %" PRIu64 " statuses sent, %" PRIu64
                   " probes answered, %" PRIu64 " watchdog trips; dropped %" PRIu64
                   " too short, %" PRIu64 " late or doubled, %" PRIu64 " read too late, %" PRIu64
                   " from strangers; %" PRIu64 " malformed",
                   (double)(hy_clock_now_us() - self->host.start_us) * 1e-6, c->commands,
                   c->statuses, c->probes_answered, c->watchdog_trips, c->rx_too_short,
                   c->rx_sequence, c->rx_old, c->rx_strangers, c->rx_malformed);
}

// What the board cannot count: it never saw them.
static void print_overflow(server *self)
{
    const uint64_t overflowed = hy_host_boards_overflowed(&self->boards);
    if (overflowed > 0) {
        hy_print_error(COMMAND, "receive buffer overflowed; %" PRIu64 " datagrams lost", overflowed);
    }
}

// Which robot of all that are built alike it is. Values of the ready line have no blanks.
static void name_robot(const server *self, hy_ready_line *ready)
{
    const hy_robot_traits *const traits = hy_world_traits(self->model, ROBOT_WORLD_VEHICLE);
    if (traits != NULL) {
        char name[HY_ROBOT_TEXT];
        snprintf(name, sizeof name, "%s", traits->name);
        for (char *at = name; *at != '\0'; at++) {
            *at = *at == ' ' ? '_' : *at;
        }
        hy_ready_line_add(ready, "robot", "%s", name);
    }
}

static bool serve(server *self)
{
    char text[HY_ENDPOINT_TEXT_MAX];
    const hy_endpoint *const local = &self->boards.link[0].local;
    const hy_endpoint usable = hy_endpoint_local(local);
    hy_ready_line ready = { .pairs = "" };
    hy_ready_line_add_address(&ready, "udp", local);
    name_robot(self, &ready);
    hy_host_page_add(&self->page, &ready);
    hy_host_nt_announce(&self->options.nt, &ready);
    hy_ready_line_print(&ready, stdout);
    printf("listening on %s\n", hy_endpoint_format(&usable, text));
    network_notice(local,
                   "can drive this robot and read its sensors: its protocol has no password");
    hy_host_nt_notice(&self->options.nt, stdout);
    hy_host_faults_announce(COMMAND, self->options.faults.text);
    fflush(stdout);
    const hy_status status = hy_loop_run(&self->loop);
    hy_loop_on_signals(&self->loop, NULL, NULL);
    print_summary(self);
    hy_host_faults_sum_up(COMMAND, self->options.faults.text, self->sim);
    print_overflow(self);
    if (status != HY_OK) {
        hy_print_error(COMMAND, "stopped: %s", hy_status_text(status));
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
        .faults = &o->faults.spec,
    };
    if (self->model == NULL || hy_sim_start(&setup, &self->sim, &error) != HY_OK) {
        hy_print_error(COMMAND, "%s", error.text);
        return false;
    }
    return true;
}

static bool attach_all(server *self)
{
    board_options *const o = &self->options;
    const hy_host_page_setup page = { .page = &o->page,
                                      .phantoms = &o->phantom,
                                      .sim = self->sim,
                                      .faults = o->faults.text,
                                      .may = "press the robot's button and reset its world",
                                      .loop = &self->loop };
    o->nt.names = o->page.place.names = o->names.names;
    hy_host_nt_start(&o->nt, &self->host);
    o->record.live = hy_host_nt_sink(&o->nt);
    return hy_host_truth_start(&o->truth, &self->host) &&
           hy_host_page_start(&self->page, &self->host, &page) && start_loop(self) &&
           hy_host_record_start(&o->record, &self->host, self->sim);
}

static bool run(server *self)
{
    hy_loop_init(&self->loop);
    bool ok = open_link(self) && start_sim(self);
    if (ok) {
        self->host = (hy_host){ .step = step, .take_inputs = take_inputs, .context = self };
        hy_host_start(&self->host, COMMAND, hy_sim_step_us(self->sim), 1.0, hy_clock_now_us());
        ok = attach_all(self) && serve(self);
        hy_host_close(&self->host);
    }
    hy_sim_end(self->sim);
    hy_world_free(self->model);
    hy_host_boards_close(&self->boards);
    return ok && !self->options.record.has_failed && !self->options.truth.has_failed;
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
        .faults_text = options->faults.text,
        .faults = &options->faults.spec,
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
        hy_print_error(COMMAND, "there is not enough memory");
        return APP_FAILED;
    }
    const hy_options_result result = read_options(argc, argv, &self->options);
    int exit_status = app_status(result);
    if (result == HY_OPTIONS_OK && self->options.count > 1) {
        exit_status = run_many(&self->options, argc, argv) ? APP_OK : APP_FAILED;
    } else if (result == HY_OPTIONS_OK) {
        exit_status = run(self) ? APP_OK : APP_FAILED;
    }
    free(self);
    return exit_status;
}
