// `halyard board`: a virtual robot on a UDP port, in real time.
#include <stdio.h>
#include <string.h>

#include "board_processes.h"
#include "cli/app.h"
#include "cli/figures.h"
#include "cli/robot_choices.h"
#include "host/host_world.h"
#include "text/text_decimal.h"

// --------------------------------------------------------------------------- the command line

static bool read_presses(board_options *options)
{
    for (size_t i = 0; i < options->press_texts.count; i++) {
        const char *text = options->press_texts.items[i];
        board_press *p = &options->presses[i];
        char from[32];
        const size_t length = strcspn(text, ":");
        const bool fits = length < sizeof from && text[length] == ':';
        snprintf(from, sizeof from, "%.*s", fits ? (int)length : 0, text);
        if (!fits || !hy_decimal_read(from, &p->from_s) ||
            !hy_decimal_read(text + length + 1, &p->to_s) || p->from_s < 0.0 || p->from_s > p->to_s) {
            hy_print_error(
                BOARD_COMMAND,
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
        hy_print_error(BOARD_COMMAND, "--hardware %s: there is no such %s; leave it out for a %s",
                       hardware, type->title, type->name);
        return false;
    }
    if (board->stock_bugs && !hy_board_has_stock_bugs(board->kind)) {
        hy_print_error(BOARD_COMMAND,
                       "--bugs stock: there is no stock firmware for a %s; leave it out", type->name);
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
        hy_print_error(BOARD_COMMAND, "--robot: one %s is like any other; leave it out", type->title);
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
            BOARD_COMMAND,
            "--view, --truth, --record, --nt and --press are for one robot; leave out --count");
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
    out->press_texts = (hy_option_list){ .items = out->press_items, .room = BOARD_PRESSES_MAX };
    // clang-format off
    static const char notes[] =
        "When it is ready it prints 'halyard: ready udp=ADDR:PORT'. Then start what drives it: 'halyard drive\n"
        "xrp://localhost' in another terminal, WPILib's simulation with HALSIMXRP_HOST=127.0.0.1 in its environment, or a\n"
        "program of yours. When it ends, also by Ctrl-C, it prints to stderr how many commands it obeyed, how many it dropped, and why.";
    const hy_option table[] = {
        { HY_OPTION(CHOICE, board_options, type), .choices = choices.types, .required = true, .help = "which robot" },
        { HY_OPTION(TEXT, board_options, listen), .name = "listen", .value = "ADDR:PORT", .help = "where to listen (default 127.0.0.1:3540; port 0: any free one)" },
        { HY_OPTION(WHOLE, board_options, count), .name = "count", .value = "N", .low = 1, .high = BOARD_MANY_MAX, .help = "number of robots, at most 1000, each in a world of its own, at the ports from --listen's on and with the seeds from --seed's on" },
        { HY_OPTION(TEXT, board_options, world), .name = "world", .value = "NAME|FILE", .reads = true, .names = hy_host_world_names, .help = "the world around the robot (default: the robot's own, as xrp-arena)" },
        { HY_OPTION(CHOICE, board_options, hardware), .name = "hardware", .choices = choices.variants, .help = "which version of its controller: an XRP's prod has four servos and does not brake its motors, beta has two and does (default prod)" },
        { HY_OPTION(NUMBER, board_options, pwm_hz), .name = "pwm", .value = "HZ", .low = 20, .high = 100000, .help = "frequency of the PWM of its motors: 50 as XRPLib has it (default: that of WPILib's firmware, 1000)" },
        { HY_OPTION(CHOICE, board_options, encoder), .name = "encoder", .choices = encoders, .help = "encoder block with period, or that of old firmware (default long)" },
        { HY_OPTION(CHOICE, board_options, stock_bugs), .name = "bugs", .choices = bugs, .help = "stock keeps the defects of the XRP's stock firmware (default none)" },
        { HY_OPTION(TEXT, board_options, truth.name), .name = "truth", .value = "FILE", .writes = true, .help = "write the true state of the world, one line of JSON per step" },
        { HY_OPTION(LIST, board_options, press_texts), .name = "press", .value = "T0:T1", .help = "hold the user button from T0 to T1 seconds; may be repeated" },
        { HY_OPTION(WHOLE, board_options, seed), .name = "seed", .value = "N", .help = "seed for all sensor noise (default 1)" },
        { HY_OPTION(FLAG, board_options, is_json), .name = "json", .help = FIGURES_HELP },
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
    const hy_command_line line = { .program = BOARD_COMMAND,
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
    return fits_robot(type, &out->robot, hardware_name) && fits_count(out) && read_presses(out) &&
                   fits_traits(type, &out->traits)
               ? HY_OPTIONS_OK
               : HY_OPTIONS_WRONG;
}

int app_board(int argc, char **argv)
{
    static board_options options; // too large for a stack
    const hy_options_result result = read_options(argc, argv, &options);
    if (result != HY_OPTIONS_OK) {
        return app_status(result);
    }
    const board_command command = { app_board, argc, argv };
    const bool ok = options.count > BOARD_PROCESS_MAX ? board_processes_run(&options, &command)
                                                      : board_robots_run(&options);
    return ok ? APP_OK : APP_FAILED;
}
