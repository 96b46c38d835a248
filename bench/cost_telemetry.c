// What telemetry costs: values into a log, and a match of six robots with and without its recording. The bytes go nowhere.
#include <halyard/telemetry.h>
#include <halyard/worldfile.h>

#include <stdio.h>

#include "cost.h"
#include "sim/sim_publish.h"

#define ROOM         (1 << 20)
#define WARM_UP      500 // steps
#define STEPS        2000
#define NEW_DRIVE    50 // steps
#define PUTS         20000
#define PUTS_A_DRAIN 1000

static struct {
    hy_telemetry *telemetry;
    hy_wpilog *log;
    hy_channel number, pose;
    hy_sim *sim;
    hy_sim_publisher publisher;
    hy_match_model *model;
    hy_random random;
    int64_t step;
    uint64_t bytes;
} game;

static void drain(void)
{
    for (hy_bytes bytes; (bytes = hy_wpilog_peek(game.log)).size > 0;
         hy_wpilog_consume(game.log, bytes.size)) {
        game.bytes += bytes.size;
    }
}

static void open_log(void)
{
    if (hy_telemetry_open(&game.telemetry) != HY_OK ||
        hy_wpilog_open(&(hy_wpilog_options){ .room = ROOM }, &game.log) != HY_OK ||
        hy_telemetry_attach(game.telemetry, hy_wpilog_sink(game.log)) != HY_OK) {
        cost_fail("no memory");
    }
}

static void prepare_values(void *about)
{
    (void)about;
    open_log();
    game.number = hy_telemetry_declare(
        game.telemetry, &(hy_channel_spec){ .name = "/Robot/Battery", .kind = HY_CHANNEL_DOUBLE });
    game.pose = hy_telemetry_declare(game.telemetry, &(hy_channel_spec){ .name = "/Robot/Pose",
                                                                         .kind = HY_CHANNEL_STRUCT,
                                                                         .type = &hy_struct_pose2d });
    hy_telemetry_set_time(game.telemetry, 1000000);
}

static void put_doubles(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        hy_telemetry_put_double(game.telemetry, game.number, i);
        if (i % PUTS_A_DRAIN == 0) {
            drain();
        }
    }
}

static void put_poses(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        hy_telemetry_put_struct(game.telemetry, game.pose, &(hy_telemetry_pose2d){ i, 2, 0.5 });
        if (i % PUTS_A_DRAIN == 0) {
            drain();
        }
    }
}

// --------------------------------------------------------------------------- a match

static double random_share(void)
{
    return 2 * hy_random_unit(&game.random) - 1;
}

static void step_match(bool is_recorded)
{
    hy_sim_command commands[HY_MATCH_PLAYERS];
    const unsigned players = hy_match_players(game.model);
    const bool is_new = game.step % NEW_DRIVE == 0;
    for (unsigned i = 0; i < players && is_new; i++) {
        commands[i] = (hy_sim_command){
            .player = i + 1,
            .at_us = game.step * HY_MATCH_STEP_US,
            .commands = { .left_drive = random_share(),
                          .right_drive = random_share(),
                          .intake_center = 1 },
        };
    }
    game.step++;
    hy_sim_step(game.sim, &(hy_sim_input){ .now_us = game.step * HY_MATCH_STEP_US,
                                           .world_steps = 1,
                                           .commands = commands,
                                           .command_count = is_new ? players : 0 });
    if (is_recorded) {
        hy_sim_publish(&game.publisher, game.sim);
        drain();
    }
}

static void run_plain(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        step_match(false);
    }
}

static void run_recorded(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        step_match(true);
    }
}

static void prepare_match(void *about)
{
    (void)about;
    char path[1024];
    hy_world_error error;
    (void)snprintf(path, sizeof path, "%s/field2020.yaml", cost_worlds);
    if (hy_worldfile_load_match(path, &game.model, &error) != HY_OK ||
        hy_sim_open(&(hy_sim_setup){ .match = game.model, .seed = 1 }, &game.sim, &error) != HY_OK) {
        cost_fail(error.text);
    }
    open_log();
    if (hy_sim_publisher_init(&game.publisher, game.sim, game.telemetry) != HY_OK) {
        cost_fail("no memory");
    }
    game.step = 0;
    game.random = hy_random_seeded(1);
    run_recorded(WARM_UP);
}

const cost_operation cost_telemetry[] = {
    { "telemetry: a double into a log", PUTS, prepare_values, put_doubles, NULL },
    { "telemetry: a Pose2d into a log", PUTS, prepare_values, put_poses, NULL },
    { "sim: a step of six tanks", STEPS, prepare_match, run_plain, NULL },
    { "sim: the same, recorded", STEPS, prepare_match, run_recorded, NULL },
};
const size_t cost_telemetry_count = sizeof cost_telemetry / sizeof cost_telemetry[0];
