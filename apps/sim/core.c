// `halyard core`: a robot's core with the reference mapping.
#include <halyard/core.h>
#include <halyard/player.h>
#include <halyard/worldfile.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/app.h"
#include "core_record.h"
#include "host/host_ready.h"
#include "host/host_refusals.h"
#include "host/host_world.h"
#include "icd_options.h"
#include "system/system.h"
#include "text/text_plain.h"

#define COMMAND "halyard core"

#define WALLS_MAX      4096
#define START_AFTER_US 1000000 // the sim was heard first, '--start' presses the timer's button ...
#define START_LONG_US  200000  // ... for so long

typedef struct {
    hy_player_mapping mapping;
    hy_player_demo demo;
    bool plays_itself;
    hy_player_bot *bot; // NULL: none
    bool starts_match;
    int64_t sim_found_us;     // when the sim was heard first; 0: not yet
    int64_t start_pressed_us; // when '--start' pressed the button; 0: not yet
    bool joystick_was_up, sim_was_up;
    core_record record;
} mapper;

static void tell(const mapper *self, const char *who, const char *what)
{
    char text[80];
    (void)snprintf(text, sizeof text, "%s %s", who, what);
    hy_print(stdout, "%s\n", text);
    fflush(stdout);
    core_record_say(&self->record, text);
}

static void on_refused(void *context, const hy_endpoint *from, const char *why)
{
    (void)context;
    hy_refusals_say(COMMAND, from, "a message", why);
}

static void tell_connected(const mapper *self, const char *who, bool is_up)
{
    tell(self, who, is_up ? "connected" : "disconnected");
}

// The demo drives; the buttons stay the joystick's.
static hy_icd_commands with_demo(mapper *self, hy_icd_commands buttons, const hy_core_input *in)
{
    hy_icd_commands commands =
        in->sim_up ? hy_player_demo_drive(&self->demo, &in->sensors, in->is_new, in->now_us)
                   : (hy_icd_commands){ 0 };
    commands.timer_start_stop = buttons.timer_start_stop;
    commands.reset = buttons.reset;
    commands.outtake = buttons.outtake;
    return commands;
}

// The timer's button, pressed once by itself.
static bool presses_start(mapper *self, const hy_core_input *in)
{
    if (!self->starts_match || !in->sim_up) {
        return false;
    }
    if (self->sim_found_us == 0) {
        self->sim_found_us = in->now_us;
    }
    if (in->now_us - self->sim_found_us <= START_AFTER_US) {
        return false;
    }
    if (self->start_pressed_us == 0) { // in the first turn after that, however late it is
        self->start_pressed_us = in->now_us;
    }
    return in->now_us - self->start_pressed_us < START_LONG_US;
}

// The bot drives while nobody else does.
static hy_icd_commands with_bot(mapper *self, hy_icd_commands commands, const hy_core_input *in)
{
    if (!in->joystick_up) {
        commands = in->sim_up ? hy_player_bot_drive(self->bot, &in->sensors, in->is_new, in->now_us)
                              : (hy_icd_commands){ 0 };
    }
    commands.timer_start_stop = commands.timer_start_stop || presses_start(self, in);
    return commands;
}

static hy_icd_commands map(void *context, const hy_core_input *in)
{
    mapper *const self = context;
    if (in->joystick_up != self->joystick_was_up) {
        tell_connected(self, "joystick", in->joystick_up);
    }
    if (in->sim_up != self->sim_was_up) {
        tell_connected(self, "sim", in->sim_up);
    }
    self->joystick_was_up = in->joystick_up;
    self->sim_was_up = in->sim_up;
    const bool was_one_handed = self->mapping.one_handed;
    const hy_icd_commands commands = hy_player_map(&self->mapping, &in->sticks);
    if (self->mapping.one_handed != was_one_handed) {
        tell(self, self->mapping.one_handed ? "one-handed" : "two-handed", "drive");
    }
    const hy_icd_commands sent = self->plays_itself  ? with_demo(self, commands, in)
                                 : self->bot != NULL ? with_bot(self, commands, in)
                                                     : commands;
    core_record_put(&self->record, in, &sent);
    return sent;
}

typedef struct {
    icd_options icd;
    const char *joystick, *sim;
    bool any_port, demo, report_sticks, start;
    int bot; // of bots[]
    const char *config;
    hy_host_record record;
} core_options;

static const char *const bots[] = { "none", "easy", "hard", NULL };

// Says what is wrong with a host, which hy_core_open() cannot.
static bool find_peers(const core_options *o)
{
    hy_endpoint peer;
    const unsigned player = (unsigned)o->icd.player;
    return icd_find(&o->icd, o->joystick, HY_ICD_JOYSTICK, player, &peer) &&
           icd_find(&o->icd, o->sim, HY_ICD_SIM_CORE, player, &peer);
}

static bool open_core(hy_core *core, const core_options *o, mapper *self)
{
    const icd_options *const icd = &o->icd;
    const hy_core_options options = { .player = (unsigned)icd->player,
                                      .listen = icd->listen,
                                      .joystick = o->joystick,
                                      .sim = o->sim,
                                      .ports = icd->ports,
                                      .shift = (unsigned)icd->shift,
                                      .any_address = icd->any_address,
                                      .any_port = o->any_port,
                                      .report_sticks = o->report_sticks,
                                      .refused = on_refused };
    if (!find_peers(o)) {
        return false;
    }
    const hy_status status = hy_core_open(core, &options, map, self);
    if (status != HY_OK) {
        char owner[HY_PORT_OWNER_MAX];
        hy_print_error(
            COMMAND, "cannot listen on ports %u and %u of %s: %s%s%s",
            icd_port(icd, HY_ICD_CORE_JOYSTICK, options.player),
            icd_port(icd, HY_ICD_CORE_SIM, options.player), icd->listen,
            status == HY_EADDRESS ? "it is not an address of this machine" : hy_status_text(status),
            status == HY_EINUSE
                ? "; end the program that has them, or play beside it with --shift 1"
                : "",
            hy_port_owner(status, icd_port(icd, HY_ICD_CORE_JOYSTICK, options.player), false, owner));
    }
    return status == HY_OK;
}

static void print_end(const core_options *options, const hy_core *core)
{
    const hy_core_counters *const c = &core->counters;
    const figure figures[] = {
        { "sticks", (double)c->sticks },
        { "sensors", (double)c->sensors },
        { "commands", (double)c->commands },
        { "malformed", (double)c->rx_malformed },
        { "from_strangers", (double)c->rx_strangers },
    };
    if (options->icd.is_json) {
        FIGURES_PRINT(figures);
    } else {
        icd_print_end(COMMAND, "ended; commands sent", c->commands,
                      c->rx_malformed + c->rx_strangers);
    }
}

// A bot knows the field that it plays on, as a team does.
static bool make_bot(const core_options *o, mapper *self)
{
    char path[HY_WORLDFILE_PATH_MAX];
    hy_world_error error;
    hy_match_model *model;
    if (!hy_worldfile_find(o->config, path, &error) ||
        hy_worldfile_load_match(path, &model, &error) != HY_OK) {
        hy_print_error(COMMAND, "%s", error.text);
        return false;
    }
    static hy_segment walls[WALLS_MAX];
    const hy_player_field field = {
        .walls = walls,
        .wall_count = hy_match_walls(model, walls, WALLS_MAX),
        .goal = { [HY_ALLIANCE_BLUE] = hy_match_goal(model, HY_ALLIANCE_BLUE),
                  [HY_ALLIANCE_RED] = hy_match_goal(model, HY_ALLIANCE_RED) },
        .ball_radius_m = hy_world_describe(hy_match_world(model)).piece_radius_m,
    };
    hy_match_free(model);
    const hy_player_skill skill = o->bot == 1 ? HY_PLAYER_EASY : HY_PLAYER_HARD;
    self->bot = hy_player_bot_open(&field, skill);
    if (self->bot == NULL) {
        hy_print_error(COMMAND, "%s is no field that a bot can find its way on: it has %zu walls",
                       o->config, field.wall_count);
    }
    return self->bot != NULL;
}

static int serve(core_options *options, mapper *self)
{
    hy_core core;
    if (!open_core(&core, options, self)) {
        return APP_FAILED;
    }
    hy_host host = { .program = COMMAND };
    self->record.file = &options->record;
    if (!hy_host_record_start(&options->record, &host, NULL)) {
        hy_core_close(&core);
        return APP_FAILED;
    }
    core_record_declare(&self->record);
    hy_ready_line ready = { .pairs = "" };
    hy_ready_line_add(&ready, "player", "%" PRIu64, options->icd.player);
    hy_ready_line_print(&ready, stdout);
    printf("ready: player %" PRIu64 "\n", options->icd.player);
    fflush(stdout);
    icd_notice(&options->icd, "can drive this player's robot");
    const hy_status status = hy_core_serve(&core);
    hy_core_close(&core); // stops the robot
    hy_host_close(&host);
    print_end(options, &core);
    if (status != HY_OK) {
        hy_print_error(COMMAND, "stopped: %s", hy_status_text(status));
    }
    return status == HY_OK && !options->record.has_failed ? APP_OK : APP_FAILED;
}

static int serve_with_bot(core_options *options)
{
    mapper self = { .demo.stages = hy_player_one_ball,
                    .plays_itself = options->demo,
                    .starts_match = options->start };
    const int status =
        options->bot == 0 || make_bot(options, &self) ? serve(options, &self) : APP_FAILED;
    hy_player_bot_close(self.bot);
    return status;
}

int app_core(int argc, char **argv)
{
    core_options o = { .icd = ICD_OPTIONS, .config = "field2020", .record.title = COMMAND };
    // clang-format off
    const hy_option table[] = {
        ICD_OPTION_PLAYER(core_options, icd),
        ICD_OPTION_HOST("joystick", core_options, joystick, "joystick"),
        ICD_OPTION_HOST("sim", core_options, sim, "sim"),
        { HY_OPTION(FLAG, core_options, demo), .name = "demo", .help = "play without a driver: collect the ball ahead and score it; the joystick keeps its buttons" },
        { HY_OPTION(CHOICE, core_options, bot), .name = "bot", .choices = bots, .help = "play the whole match by itself while no joystick does: fetch balls and score them, by pose and lidar (default none)" },
        { HY_OPTION(TEXT, core_options, config), .name = "config", .value = "NAME|FILE", .reads = true, .names = hy_host_world_names, .help = "the field that the bot plays on: a world, or a robotConfig.yml (default field2020)" },
        { HY_OPTION(FLAG, core_options, start), .name = "start", .help = "press the timer's button once, one second after the sim's first message" },
        { HY_OPTION(FLAG, core_options, report_sticks), .name = "report-sticks", .help = "tell the sim which sticks were used, for its recording (docs/spec/icd.md)" },
        ICD_OPTION_COMMON(core_options, icd),
        { HY_OPTION(FLAG, core_options, any_port), .name = "any-port", .help = "accept sticks from any port of the joystick's host, for programs that do not send from their own port" },
    };
    // clang-format on
    hy_option_group groups[] = { HY_OPTION_GROUP(NULL, table, &o),
                                 hy_host_record_group(&o.record, HY_HOST_RECORD_FILE) };
    const hy_command_line line = {
        COMMAND, "turns a player's sticks into the commands of a robot", groups,
        sizeof groups / sizeof groups[0],
        "The left stick drives and the right one turns; after Back was let "
        "go the left one does both. The left trigger\n"
        "runs the intakes, the right one the tube; Start is the timer's, "
        "Guide resets, A takes a ball out of the goal.\n"
        "A core of your own is one C file: examples/core_custom.c."
    };
    const hy_options_result result = hy_options_parse(&line, argc, argv);
    if (result != HY_OPTIONS_OK) {
        return app_status(result);
    }
    return icd_options_check(&o.icd, COMMAND) ? serve_with_bot(&o) : APP_USAGE;
}
