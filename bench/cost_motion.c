// What a step costs: of worlds, boards, matches, lidars and robot programs.
#include <halyard/board.h>
#include <halyard/player.h>
#include <halyard/worldfile.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/world/batch.h"
#include "../tests/support/ideal_world.h"
#include "../tests/support/lidar_field.h"
#include "../tests/support/robot_loop.h"
#include "cost.h"
#include "scene/scene.h"

#define STEPS        3000
#define WARM_UP      1000 // to the middle of things, and the engine's memory to its size
#define COMMAND_US   20000
#define NEW_DRIVE_US 500000
#define RAYS         80
#define TURN         6.283185307179586

// --------------------------------------------------------------------------- worlds and boards

/// A vehicle, and the board that commands it; NULL drives it directly.
typedef struct {
    const char *file;
    const hy_board_kind *kind;
    bool coasts; ///< Its vehicles have the default controller, an XRP's coasts.
} robot_choice;

static struct {
    hy_world_model *model;
    hy_world_state *state;
    hy_world_input input;
    hy_sensors sensors;
    hy_random random;
    int64_t step_us, now_us;
    hy_board *board; ///< NULL: none.
    hy_seq_sender numbers;
    float motor[HY_WIRE_MOTORS];
    size_t status_bytes;
} robot;

static void open_model(const char *file, bool coasts, hy_world_model **model)
{
    char path[1024];
    hy_world_error error;
    snprintf(path, sizeof path, "%s/%s", cost_worlds, file);
    if (ideal_world_load(path, coasts, model, &error) != HY_OK) {
        cost_fail(error.text);
    }
}

/// Driving that is mostly forward, turning either way. A swerve's motors all do as they like.
static void choose_drive(void)
{
    const double both = hy_random_unit(&robot.random) * 1.6 - 0.5;
    const double apart = hy_random_unit(&robot.random) - 0.5;
    for (int i = 0; i < HY_WIRE_MOTORS; i++) {
        const double duty = i == 0 ? both - apart : i == 1 ? -(both + apart) : both / (i + 1);
        robot.motor[i] = (float)duty;
        robot.input.vehicle[0].motor_duty[i] = duty;
    }
}

static void send_command(void)
{
    static const hy_endpoint client = { .ip = { 127, 0, 0, 1 }, .port = 5800 };
    const hy_dialect *const dialect = hy_board_dialect(robot.board);
    hy_wire_command command = { .control = HY_WIRE_CONTROL_ENABLED,
                                .motors = (uint8_t)((1U << dialect->motors) - 1) };
    memcpy(command.motor, robot.motor, sizeof command.motor);
    uint16_t numbers[2];
    const unsigned count = hy_seq_sender_next(&robot.numbers, numbers);
    for (unsigned i = 0; i < count; i++) {
        uint8_t bytes[HY_WIRE_COMMAND_MAX];
        command.seq = numbers[i];
        const size_t size = dialect->command_encode(&command, (hy_room){ bytes, sizeof bytes });
        hy_board_receive(robot.board, &client, (hy_bytes){ bytes, size }, robot.now_us);
    }
}

static void take_statuses(void)
{
    uint8_t bytes[HY_WIRE_STATUS_MAX];
    hy_endpoint to;
    size_t size;
    while ((size = hy_board_send(robot.board, robot.now_us, &to, (hy_room){ bytes, sizeof bytes })) >
           0) {
        robot.status_bytes += size;
    }
}

static void serve_board(void)
{
    if (robot.now_us % COMMAND_US == 0) {
        send_command();
    }
    hy_board_sense(robot.board, &robot.sensors, robot.now_us);
    take_statuses();
}

static void run_steps(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (robot.now_us % NEW_DRIVE_US == 0) {
            choose_drive();
        }
        hy_world_step(robot.model, robot.state, &robot.input);
        robot.now_us += robot.step_us;
        if (robot.board != NULL) {
            hy_world_read_sensors_without_reflectance(robot.model, robot.state, 0, &robot.sensors);
            if (hy_board_due_us(robot.board) <= robot.now_us) { // as the simulator: only before a status
                hy_world_read_floor(robot.model, robot.state, 0, robot.sensors.reflectance);
            }
            serve_board();
            robot.input.vehicle[0] = *hy_board_actuators(robot.board);
        }
    }
}

/// The board alone: the world stands still.
static void run_board(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        robot.now_us += robot.step_us;
        serve_board();
    }
}

static void start_board(const hy_board_kind *kind)
{
    const hy_board_options options = { .kind = kind };
    void *const memory = malloc(hy_board_size());
    if (memory == NULL) {
        cost_fail("no memory");
    }
    robot.board = hy_board_init(memory, &options, 0);
}

static void prepare_world(void *about)
{
    const robot_choice *const choice = about;
    free(robot.board);
    memset(&robot, 0, sizeof robot);
    open_model(choice->file, choice->coasts, &robot.model);
    (void)hy_world_open(robot.model, 1, &robot.state);
    robot.random = hy_random_seeded(1);
    robot.step_us = hy_world_describe(robot.model).step_us;
    if (robot.state == NULL) {
        cost_fail("no memory");
    }
    if (choice->kind != NULL) {
        start_board(choice->kind);
    }
    run_steps(WARM_UP);
    if (choice->kind != NULL && robot.status_bytes == 0) {
        cost_fail("the board did not answer");
    }
}

static void load_world(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        hy_world_model *model;
        open_model("xrp-arena.yaml", false, &model);
        hy_world_free(model);
    }
}

static void hash_world(unsigned count)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < count; i++) {
        sum += hy_world_hash(robot.state);
    }
    if (sum == 0) {
        cost_fail("a world has no hash");
    }
}

// --------------------------------------------------------------------------- matches

static struct {
    hy_match_model *model;
    hy_match *match;
    hy_random random;
    int64_t now_us;
} game;

static void command_players(void)
{
    for (unsigned i = 1; i <= hy_match_players(game.model); i++) {
        const double both = (double)hy_random_below(&game.random, 900) - 350;
        const double apart = (double)hy_random_below(&game.random, 400) - 200;
        const hy_match_commands commands = { .left_drive = (both - apart) / 512,
                                             .right_drive = (both + apart) / 512,
                                             .intake_center = 1,
                                             .intake_left = 1,
                                             .intake_right = 1,
                                             .tube = (double)hy_random_below(&game.random, 2) / 2 };
        hy_match_command(game.match, i, &commands, game.now_us);
    }
}

static void run_match(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (game.now_us % NEW_DRIVE_US == 0) {
            command_players();
        }
        game.now_us += HY_MATCH_STEP_US;
        hy_match_step(game.match, game.now_us);
    }
}

static void prepare_match(void *about)
{
    char path[1024];
    hy_world_error error;
    hy_match_spec spec;
    memset(&game, 0, sizeof game);
    snprintf(path, sizeof path, "%s/field2020.yaml", cost_worlds);
    if (hy_worldfile_read_match(path, &spec, &error) != HY_OK) {
        cost_fail(error.text);
    }
    hy_world_spec_set_drive(&spec.world, *(const hy_world_drive *)about);
    if (hy_match_compile(&spec, &game.model, &error) != HY_OK) {
        cost_fail(error.text);
    }
    hy_match_spec_free(&spec);
    (void)hy_match_open(game.model, &(hy_match_options){ .seed = 1 }, &game.match);
    game.random = hy_random_seeded(1);
    if (game.match == NULL) {
        cost_fail("no memory");
    }
    run_match(WARM_UP);
}

// --------------------------------------------------------------------------- bots

#define BOT_STATES 500
#define WALLS_MAX  512

static struct {
    hy_player_bot *bot;
    hy_icd_sensors states[BOT_STATES];
    hy_lidar_point points[BOT_STATES][RAYS];
} player;

static void run_bot(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        (void)hy_player_bot_drive(player.bot, &player.states[i], true,
                                  (i + 1) * (int64_t)HY_MATCH_STEP_US);
    }
}

// What a robot senses while others, which drive at random, push it about.
static void prepare_bot(void *about)
{
    static hy_segment walls[WALLS_MAX];
    prepare_match(about);
    for (size_t i = 0; i < BOT_STATES; i++) {
        hy_match_sensors sensors;
        run_match(1);
        hy_match_read_sensors(game.match, 1, &sensors);
        hy_icd_sensors_from_match(&sensors, &player.states[i]);
        if (sensors.lidar.count > RAYS) {
            cost_fail("more rays than expected");
        }
        memcpy(player.points[i], sensors.lidar.points,
               sensors.lidar.count * sizeof player.points[i][0]);
        player.states[i].lidar.points = player.points[i];
    }
    const hy_player_field field = {
        .walls = walls,
        .wall_count = hy_match_walls(game.model, walls, WALLS_MAX),
        .goal = { [HY_ALLIANCE_BLUE] = hy_match_goal(game.model, HY_ALLIANCE_BLUE),
                  [HY_ALLIANCE_RED] = hy_match_goal(game.model, HY_ALLIANCE_RED) },
        .ball_radius_m = hy_world_describe(hy_match_world(game.model)).piece_radius_m,
    };
    player.bot = hy_player_bot_open(&field, HY_PLAYER_HARD);
    if (player.bot == NULL) {
        cost_fail("no bot");
    }
}

// --------------------------------------------------------------------------- batches of worlds

#define BATCH 64

static hy_world_batch *batch;

static void prepare_batch(void *about)
{
    uint64_t seeds[BATCH];
    hy_world_model *model;
    open_model(about, false, &model);
    for (size_t i = 0; i < BATCH; i++) {
        seeds[i] = i;
    }
    // On every processor the same path.
    if (hy_batch_open(model, seeds, BATCH, &hy_xrp_baseline, &batch) != HY_OK) {
        cost_fail("no memory");
    }
    hy_random random = hy_random_seeded(1);
    for (size_t i = 0; i < BATCH; i++) {
        const double both = hy_random_unit(&random), apart = hy_random_unit(&random) - 0.5;
        const hy_actuators drive = { .motor_duty = { both - apart, -(both + apart) } };
        hy_world_batch_set(batch, i, &drive, false);
    }
}

static void step_batch(unsigned count)
{
    for (unsigned i = 0; i < count; i += BATCH) {
        hy_world_batch_step(batch);
    }
}

// --------------------------------------------------------------------------- lidars

static struct {
    hy_lidar_shapes shapes;
    hy_lidar_fan fan;
    hy_lidar_scene scene;
    double sum;
} lidar;

static void scan(unsigned count)
{
    double ranges_m[RAYS];
    for (unsigned i = 0; i < count; i++) {
        const size_t seen_from = 1 + i % FIELD_ROBOTS;
        const hy_lidar_scan here = { .from = lidar.scene.pose[seen_from],
                                     .first_rad = (double)(i % 10) * TURN / 10,
                                     .count = RAYS,
                                     .near_m = 0.75,
                                     .far_m = 12,
                                     .excluded = seen_from };
        hy_lidar_cast(&lidar.shapes, &lidar.scene, &lidar.fan, &here, ranges_m);
        lidar.sum += ranges_m[0];
    }
}

static void prepare_lidar(void *about)
{
    (void)about;
    hy_random random = hy_random_seeded(1);
    field_build(&lidar.shapes);
    hy_lidar_fan_make(&lidar.fan, TURN / (10 * RAYS));
    field_scatter(&lidar.scene, &random);
}

// --------------------------------------------------------------------------- robot programs

static robot_loop loop;

static void prepare_loop(void *about)
{
    (void)about;
    robot_loop_start(&loop);
}

static void run_loop(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        (void)robot_loop_once(&loop);
    }
}

static struct {
    hy_swerve_odometry odometry;
    hy_swerve_kinematics kinematics;
    hy_swerve_position positions[4];
    double sum;
} swerve;

static void prepare_swerve(void *about)
{
    static const hy_translation2d places[4] = {
        { 0.25, 0.25 }, { 0.25, -0.25 }, { -0.25, 0.25 }, { -0.25, -0.25 }
    };
    (void)about;
    memset(&swerve, 0, sizeof swerve);
    for (int i = 0; i < 4; i++) {
        swerve.positions[i].angle = hy_rotation2d_from_rad(0.2 * i);
    }
    hy_swerve_kinematics_init(&swerve.kinematics, places, 4);
    hy_swerve_odometry_start(&swerve.odometry, &swerve.kinematics, 0, swerve.positions,
                             HY_POSE2D_ORIGIN);
}

static void run_swerve_odometry(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        for (int k = 0; k < 4; k++) {
            swerve.positions[k].distance_m += 0.01 + 0.001 * k;
        }
        hy_swerve_odometry_update(&swerve.odometry, 0.001 * (double)i, swerve.positions);
    }
}

static void run_swerve_kinematics(unsigned count)
{
    hy_swerve_state states[4];
    for (unsigned i = 0; i < count; i++) {
        const hy_chassis_speeds wanted = { 0.5, 0.001 * (double)i, 0.7 };
        hy_swerve_to_modules(&swerve.kinematics, wanted, (hy_translation2d){ 0, 0 }, states);
        swerve.sum += hy_swerve_to_chassis(&swerve.kinematics, states).vx_m_s;
    }
}

// --------------------------------------------------------------------------- the list

static robot_choice open_alone = { "xrp-open.yaml", NULL, false },
                    open_coasting = { "xrp-open.yaml", NULL, true },
                    open_board = { "xrp-open.yaml", &hy_board_xrp, false };
static robot_choice line_alone = { "xrp-line.yaml", NULL, false },
                    line_board = { "xrp-line.yaml", &hy_board_xrp, false };
static robot_choice arena_alone = { "xrp-arena.yaml", NULL, false };
static robot_choice arena_board = { "xrp-arena.yaml", &hy_board_xrp, false };
static robot_choice field_alone = { "teensy-field.yaml", NULL, false };
static robot_choice field_board = { "teensy-field.yaml", &hy_board_teensy, false };
static char open_file[] = "xrp-open.yaml", arena_file[] = "xrp-arena.yaml";
static hy_world_drive real_motors = HY_WORLD_DRIVE_DCMOTOR, ideal_motors = HY_WORLD_DRIVE_IDEAL;

const cost_operation cost_motion[] = {
    { "board: a step of an xrp", STEPS, prepare_world, run_board, &open_board },
    { "board: a step of a teensy", STEPS, prepare_world, run_board, &field_board },
    { "world: a step of xrp-open", STEPS, prepare_world, run_steps, &open_alone },
    { "world: a step of xrp-open, coasting bridge", STEPS, prepare_world, run_steps, &open_coasting },
    { "world: a step of xrp-line", STEPS, prepare_world, run_steps, &line_alone },
    { "world: a step of xrp-arena", STEPS, prepare_world, run_steps, &arena_alone },
    { "world: a step of xrp-open in a batch, SSE2", 100 * BATCH, prepare_batch, step_batch,
      open_file },
    { "world: a step of xrp-arena in a batch, SSE2", 500 * BATCH, prepare_batch, step_batch,
      arena_file }, // so long that most are at a wall
    { "world: its hash", 100, NULL, hash_world, NULL },
    { "world: a step of teensy-field", STEPS, prepare_world, run_steps, &field_alone },
    { "world: loading xrp-arena", 1, NULL, load_world, NULL },
    { "robot: a step of xrp-open with a board", STEPS, prepare_world, run_steps, &open_board },
    { "robot: a step of xrp-line with a board", STEPS, prepare_world, run_steps, &line_board },
    { "robot: a step of xrp-arena with a board", STEPS, prepare_world, run_steps, &arena_board },
    { "robot: a step of teensy-field with a board", STEPS, prepare_world, run_steps, &field_board },
    { "match: a step of six tanks, motors", STEPS, prepare_match, run_match, &real_motors },
    { "match: a step of six tanks, ideal", STEPS, prepare_match, run_match, &ideal_motors },
    { "player: a state of a bot", BOT_STATES, prepare_bot, run_bot, &real_motors },
    { "lidar: 80 rays in a match, SSE2", 600, prepare_lidar, scan, NULL },
    { "bot: a 50 Hz loop of an xrp", 1000, prepare_loop, run_loop, NULL },
    { "bot: swerve odometry", 1000, prepare_swerve, run_swerve_odometry, NULL },
    { "bot: swerve to modules and back", 1000, prepare_swerve, run_swerve_kinematics, NULL },
};
const size_t cost_motion_count = sizeof cost_motion / sizeof cost_motion[0];
