#include "sim_options.h"

#include <halyard/worldfile.h>

#include <inttypes.h>
#include <stdio.h>

#include "cli/app.h"
#include "host/host_world.h"

// --------------------------------------------------------------------------- the command line

static bool read_boards(sim_options *options)
{
    for (size_t i = 0; i < options->board_texts.count; i++) {
        if (!sim_board_read(SIM_COMMAND, options->board_texts.items[i], i, &options->boards[i])) {
            return false;
        }
    }
    return true;
}

static const char *const speeds[] = { "max", NULL };
static const char *const drives[] = { "file", "ideal", "dcmotor", NULL };
/// The choices of --drive.
enum { DRIVE_AS_FILED, DRIVE_IDEAL };

/// What a recording says of it.
static void describe_run(sim_options *options)
{
    hy_host_record *const record = &options->record;
    record->world = options->config;
    record->seed = options->seed;
    record->faults = options->faults.text;
    hy_record_add_number(record->options, "players", (double)options->players);
    hy_record_add_number(record->options, "bots", (double)options->bots);
    hy_record_add_option(record->options, "drive",
                         options->drive == DRIVE_AS_FILED ? NULL : drives[options->drive]);
    hy_record_add_number(record->options, "seconds", options->match_s);
    hy_record_add_number(record->options, "lidar-noise", options->lidar_noise_m);
    hy_record_add_option(record->options, "robot", options->traits.text);
}

static bool check(const char *program, void *to)
{
    sim_options *const options = to;
    (void)program;
    options->players_options.form = options->form == 0 ? HY_ICD_DOCUMENT : HY_ICD_LATER;
    options->players_options.sweeps = options->lidar == 1;
    options->players_options.views = (unsigned)options->views;
    options->record.waits = options->speed <= 0.0;
    describe_run(options);
    return icd_options_check(&options->players_options.icd, SIM_COMMAND) && read_boards(options);
}

hy_options_result sim_options_read(int argc, char **argv, sim_options *out)
{
    static const char *const forms[] = { "document", "later", NULL };
    static const char *const lidars[] = { "stream", "sweep", NULL };
    *out = (sim_options){
        .config = "field2020", .speed = 1.0, .seed = 1, .players_options.icd = ICD_OPTIONS
    };
    out->board_texts = (hy_option_list){ .items = out->board_items, .room = SIM_BOARDS_MAX };
    // clang-format off
    const hy_option table[] = {
        { HY_OPTION(TEXT, sim_options, config), .name = "config", .value = "NAME|FILE", .reads = true, .names = hy_host_world_names, .help = "the field and its robots: a world, or a robotConfig.yml (default field2020)" },
        { HY_OPTION(WHOLE, sim_options, players), .name = "players", .value = "N", .low = 1, .high = HY_ICD_PLAYERS, .help = "simulate only its first N robots (default all)" },
        { HY_OPTION(WHOLE, sim_options, bots), .name = "bots", .value = "N", .help = "the last N robots play by themselves ('halyard core --bot'): each is fitted with a lidar and stands while the timer does" },
        { HY_OPTION(FLAG, sim_options, once), .name = "once", .help = "exit when the match is over" },
        { HY_OPTION(CHOICE, sim_options, drive), .name = "drive", .choices = drives, .help = "how robots move: ideal is the reference's kinematics; dcmotor, the default unless the file says otherwise, has motors, mass and grip" },
        { HY_OPTION(NUMBER, sim_options, speed), .name = "speed", .value = "X|max", .low = 0.01, .high = 1000.0, .choices = speeds, .help = "speed as a multiple of real time (default 1)" },
        { HY_OPTION(NUMBER, sim_options, duration_s), .name = "duration", .value = "SECONDS", .low = 0.01, .high = 1e9, .help = "exit after this much simulated time (default: on Ctrl-C)" },
        { HY_OPTION(NUMBER, sim_options, match_s), .name = "seconds", .value = "N", .low = 1.0, .high = 36000.0, .help = "length of a match (default 135)" },
        { HY_OPTION(WHOLE, sim_options, seed), .name = "seed", .value = "N", .help = "seed for all sensor noise (default 1)" },
        { HY_OPTION(LIST, sim_options, board_texts), .name = "board", .value = "ROBOT@ADDR:PORT[,X,Y[,DEG]]", .help = "add a robot, such as an xrp or a teensy, that is driven by its own protocol; up to two" },
        { HY_OPTION(CHOICE, sim_options, form), .name = "icd", .choices = forms, .help = "which form of the messages is sent; both are understood (default document)" },
        { HY_OPTION(CHOICE, sim_options, lidar), .name = "lidar", .choices = lidars, .help = "points as they are measured, or whole sweeps ten times a second (default stream)" },
        { HY_OPTION(NUMBER, sim_options, lidar_noise_m), .name = "lidar-noise", .value = "METRES", .low = 0.0, .high = 1.0, .help = "spread of the lidars' ranges (default 0)" },
        { HY_OPTION(FLAG, sim_options, headless), .name = "headless", .help = "accepted and ignored, for old scripts: there is no window" },
        { HY_OPTION(WHOLE, sim_options, views), .name = "views", .value = "N", .high = HY_ICD_PLAYERS, .help = "send the state to the views of players 1 to N only: 1 where one view shows all players (default: to each player's view)" },
        ICD_OPTION_HOST("core", sim_options, players_options.core, "core of each player"),
        ICD_OPTION_HOST("view", sim_options, players_options.view, "view of each player"),
        ICD_OPTION_COMMON(sim_options, players_options.icd),
    };
    // clang-format on
    hy_option_group groups[] = { HY_OPTION_GROUP_CHECKED(NULL, table, out, check),
                                 hy_host_traits_group(&out->traits),
                                 hy_host_faults_group(&out->faults),
                                 hy_host_record_group(&out->record, HY_HOST_RECORD_LIDAR),
                                 hy_host_nt_group(&out->nt),
                                 hy_host_names_group(&out->names, true) };
    const hy_command_line line = {
        SIM_COMMAND, "simulates the field, its robots and the game", groups,
        sizeof groups / sizeof groups[0],
        "When it is ready it prints 'halyard: ready players=N'. It does not wait "
        "for the other programs: a robot\n"
        "whose core is silent stands still."
    };
    return hy_options_parse(&line, argc, argv);
}

// --------------------------------------------------------------------------- the match

static bool fit_bots(const sim_options *o, hy_match_spec *spec, hy_world_error *error)
{
    const size_t tanks = hy_world_spec_tanks(&spec->world);
    const unsigned players = (unsigned)(tanks < HY_ICD_PLAYERS ? tanks : HY_ICD_PLAYERS);
    bool ok = o->bots <= players;
    for (unsigned player = players; ok && player + o->bots > players; player--) {
        ok = hy_match_spec_add_lidar(spec, player);
    }
    if (!ok) {
        snprintf(error->text, sizeof error->text,
                 "--bots %" PRIu64
                 ": this match has %u robots, and each bot needs room for a lidar",
                 o->bots, players);
    }
    return ok;
}

/// Changes what the file says by the options.
static hy_status edit(const sim_options *o, hy_match_spec *spec, hy_world_error *error)
{
    if (o->drive != DRIVE_AS_FILED) {
        hy_world_spec_set_drive(&spec->world, o->drive == DRIVE_IDEAL ? HY_WORLD_DRIVE_IDEAL
                                                                      : HY_WORLD_DRIVE_DCMOTOR);
    }
    if (o->players > 0 && hy_match_spec_set_players(spec, (unsigned)o->players, error) != HY_OK) {
        return HY_ERANGE;
    }
    if (!fit_bots(o, spec, error)) {
        return HY_ERANGE;
    }
    for (size_t i = 0; i < o->board_texts.count; i++) {
        if (!sim_board_add_vehicle(&o->boards[i], hy_host_traits_of(&o->traits), spec)) {
            snprintf(error->text, sizeof error->text,
                     "the world has no room for --board: %d vehicles are the most",
                     HY_WORLD_VEHICLES);
            return HY_ERANGE;
        }
    }
    return HY_OK;
}

hy_match_model *sim_options_compile(const sim_options *options)
{
    char path[HY_WORLDFILE_PATH_MAX];
    hy_world_error error;
    hy_match_spec spec;
    hy_match_model *model = NULL;
    hy_status status = HY_EFILE;
    if (hy_worldfile_find(options->config, path, &error) &&
        hy_worldfile_read_match(path, &spec, &error) == HY_OK) {
        status = edit(options, &spec, &error);
        status = status == HY_OK ? hy_match_compile(&spec, &model, &error) : status;
        hy_match_spec_free(&spec);
    }
    if (status != HY_OK) {
        hy_print_error(SIM_COMMAND, "%s", error.text);
    }
    return model;
}
