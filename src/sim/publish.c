// A simulation as telemetry: include/halyard/sim_publish.h has the list of channels.
#include <halyard/telemetry.h>

#include <stdio.h>
#include <string.h>

#include "sim_publish.h"

#define PERIOD_US 20000 // of what moves
#define COMMANDS  6
#define AWAKE_M_S 0.001 // a piece that is slower lies still

// What a player's core commands: speeds of its motors, rad/s.
typedef struct {
    float motors_rad_s[COMMANDS];
} match_commands;

#define COMMAND_FIELD(text, index)                                                 \
    {                                                                              \
        .name = text, .kind = HY_FIELD_FLOAT,                                      \
        .offset = offsetof(match_commands, motors_rad_s) + (index) * sizeof(float) \
    }
static const hy_struct_field command_fields[] = {
    COMMAND_FIELD("leftDrive", 0),    COMMAND_FIELD("rightDrive", 1),
    COMMAND_FIELD("intakeCenter", 2), COMMAND_FIELD("intakeLeft", 3),
    COMMAND_FIELD("intakeRight", 4),  COMMAND_FIELD("tube", 5),
};
static const hy_struct_type command_type = { "MatchCommands", command_fields, COMMANDS,
                                             sizeof(match_commands) };

// What --faults has done to datagrams of one direction.
typedef struct {
    int64_t arrived, lost, duplicated, reordered, corrupted, truncated;
} fault_counts;

#define FAULT_FIELD(member)                                                                \
    {                                                                                      \
        .name = #member, .kind = HY_FIELD_INT64, .offset = offsetof(fault_counts, member), \
    }
static const hy_struct_field fault_fields[] = {
    FAULT_FIELD(arrived),   FAULT_FIELD(lost),      FAULT_FIELD(duplicated),
    FAULT_FIELD(reordered), FAULT_FIELD(corrupted), FAULT_FIELD(truncated),
};
const hy_struct_type hy_struct_fault_counts = { "FaultCounts", fault_fields,
                                                sizeof fault_fields / sizeof *fault_fields,
                                                sizeof(fault_counts) };

void hy_publish_fault_counts(hy_telemetry *telemetry, hy_channel channel,
                             const hy_faults_counters *counts)
{
    const uint64_t lost = counts->lost + counts->burst_lost + counts->outage_lost +
                          counts->rate_lost + counts->overflowed;
    const fault_counts now = { (int64_t)counts->taken,      (int64_t)lost,
                               (int64_t)counts->duplicated, (int64_t)counts->reordered,
                               (int64_t)counts->corrupted,  (int64_t)counts->truncated };
    hy_telemetry_put_struct(telemetry, channel, &now);
}

// --------------------------------------------------------------------------- the channels

// What a robot may have.
enum {
    BOARD = 1,
    RANGE = 2,
    REFLECTANCE = 4,
    SERVOS = 8,
    FAULTS = 16,
    BROWNOUT = 32,
    PIECES = 64,
    PLAYER = 128
};

// clang-format off
static const hy_channel_row robot_rows[] = {
    HY_CHANNEL_ROW(hy_sim_robot_channels, pose, 0, "/Truth/Pose", STRUCT, ALWAYS, .type = &hy_struct_pose2d),
    HY_CHANNEL_ROW(hy_sim_robot_channels, speeds, 0, "/Truth/Speeds", STRUCT, ALWAYS, .type = &hy_struct_chassis_speeds),
    HY_CHANNEL_ROW(hy_sim_robot_channels, touching, 0, "/Touching", BOOLEAN, ON_CHANGE, .unit = NULL),
    HY_CHANNEL_ROW(hy_sim_robot_channels, encoder_counts, BOARD, "/Sensors/Encoders", DOUBLE_ARRAY, ALWAYS, .unit = "counts"),
    HY_CHANNEL_ROW(hy_sim_robot_channels, gyro_rate, BOARD, "/Sensors/GyroRate", DOUBLE_ARRAY, ALWAYS, .unit = "rad/s"),
    HY_CHANNEL_ROW(hy_sim_robot_channels, gyro_angle, BOARD, "/Sensors/GyroAngle", DOUBLE_ARRAY, ALWAYS, .unit = "rad"),
    HY_CHANNEL_ROW(hy_sim_robot_channels, acceleration, BOARD, "/Sensors/Acceleration", DOUBLE_ARRAY, ALWAYS, .unit = "m/s^2"),
    HY_CHANNEL_ROW(hy_sim_robot_channels, range, RANGE, "/Sensors/Range", DOUBLE, ALWAYS, .unit = "m"),
    HY_CHANNEL_ROW(hy_sim_robot_channels, reflectance, REFLECTANCE, "/Sensors/Reflectance", DOUBLE_ARRAY, ALWAYS, .unit = NULL),
    HY_CHANNEL_ROW(hy_sim_robot_channels, motor_duty, BOARD, "/Motors", DOUBLE_ARRAY, ALWAYS, .unit = NULL),
    HY_CHANNEL_ROW(hy_sim_robot_channels, servos, SERVOS, "/Servos", DOUBLE_ARRAY, ON_CHANGE, .unit = "us"),
    HY_CHANNEL_ROW(hy_sim_robot_channels, battery, BOARD, "/Battery", DOUBLE, ON_CHANGE, .unit = "V"),
    HY_CHANNEL_ROW(hy_sim_robot_channels, led, BOARD, "/LED", BOOLEAN, ON_CHANGE, .unit = NULL),
    HY_CHANNEL_ROW(hy_sim_robot_channels, button, BOARD, "/Button", BOOLEAN, ON_CHANGE, .unit = NULL),
    HY_CHANNEL_ROW(hy_sim_robot_channels, enabled, BOARD, "/Enabled", BOOLEAN, ON_CHANGE, .unit = NULL),
    HY_CHANNEL_ROW(hy_sim_robot_channels, command_rate, BOARD, "/Link/CommandRate", DOUBLE, SELDOM, .unit = "Hz"),
    HY_CHANNEL_ROW(hy_sim_robot_channels, command_age, BOARD, "/Link/CommandAge", DOUBLE, SELDOM, .unit = "s"),
    HY_CHANNEL_ROW(hy_sim_robot_channels, faults_to, FAULTS, "/Faults/ToRobot", STRUCT, SELDOM, .type = &hy_struct_fault_counts),
    HY_CHANNEL_ROW(hy_sim_robot_channels, faults_from, FAULTS, "/Faults/FromRobot", STRUCT, SELDOM, .type = &hy_struct_fault_counts),
    HY_CHANNEL_ROW(hy_sim_robot_channels, refused, BOARD, "/Link/Refused", INT64, SELDOM, .unit = NULL),
    HY_CHANNEL_ROW(hy_sim_robot_channels, commands_lost, BOARD, "/Link/CommandsLost", INT64, SELDOM, .unit = NULL),
    HY_CHANNEL_ROW(hy_sim_robot_channels, watchdog_trips, BOARD, "/Link/WatchdogTrips", INT64, SELDOM, .unit = NULL),
    HY_CHANNEL_ROW(hy_sim_robot_channels, brownout, BROWNOUT, "/Brownout", BOOLEAN, ON_CHANGE, .unit = NULL),
    HY_CHANNEL_ROW(hy_sim_robot_channels, pieces, PIECES, "/Pieces", INT64, ON_CHANGE, .unit = NULL),
    HY_CHANNEL_ROW(hy_sim_robot_channels, commands, PLAYER, "/Commands", STRUCT, ON_CHANGE, .type = &command_type),
    HY_CHANNEL_ROW(hy_sim_robot_channels, alliance, PLAYER, "/Alliance", STRING, SELDOM, .unit = NULL),
    HY_CHANNEL_ROW(hy_sim_robot_channels, team, PLAYER, "/Team", STRING, SELDOM, .unit = NULL),
};
static const hy_channel_row match_rows[] = {
    HY_CHANNEL_ROW(hy_sim_publisher, blue, 0, "/Match/Blue", INT64, ON_CHANGE, .unit = NULL),
    HY_CHANNEL_ROW(hy_sim_publisher, red, 0, "/Match/Red", INT64, ON_CHANGE, .unit = NULL),
    HY_CHANNEL_ROW(hy_sim_publisher, time_left, 0, "/Match/Time", DOUBLE, SELDOM, .unit = "s"),
    HY_CHANNEL_ROW(hy_sim_publisher, running, 0, "/Match/Running", BOOLEAN, ON_CHANGE, .unit = NULL),
    HY_CHANNEL_ROW(hy_sim_publisher, events, 0, "/Match/Events", STRING, ALWAYS, .unit = NULL),
};
// clang-format on

// --------------------------------------------------------------------------- declaring

typedef struct {
    hy_sim_publisher *publisher;
    char prefix[HY_CHANNEL_NAME_MAX];
    bool is_complete;
} declaration;

static hy_channel declare(declaration *d, hy_channel_spec spec)
{
    hy_channel channel = 0;
    const hy_channel_row row = { .spec = spec };
    d->is_complete = hy_telemetry_declare_list(d->publisher->telemetry, d->prefix,
                                               (hy_channel_list){ &row, 1 }, 0, &channel) &&
                     d->is_complete;
    return channel;
}

static hy_channel declare_points(declaration *d, const char *name)
{
    return declare(d, (hy_channel_spec){ .name = name,
                                         .kind = HY_CHANNEL_STRUCT_ARRAY,
                                         .type = &hy_struct_translation2d });
}

// The unit of a quantity by its suffix; NULL: none that is known.
static const char *unit_of(const char *quantity)
{
    static const char *const units[][2] = {
        { "_rad_s", "rad/s" }, { "_m_s2", "m/s^2" }, { "_rad", "rad" }, { "_m", "m" }
    };
    const size_t length = strlen(quantity);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t suffix = strlen(units[i][0]);
        if (length > suffix && strcmp(quantity + length - suffix, units[i][0]) == 0) {
            return units[i][1];
        }
    }
    return NULL;
}

static void declare_readings(declaration *d, const hy_sim *sim, size_t vehicle,
                             hy_sim_robot_channels *robot)
{
    hy_world_reading readings[HY_WORLD_READINGS];
    robot->reading_count = hy_world_read_extra_sensors(hy_sim_model(sim), hy_sim_world(sim),
                                                       vehicle, readings, HY_WORLD_READINGS);
    for (size_t i = 0; i < robot->reading_count; i++) {
        char name[HY_CHANNEL_NAME_MAX];
        (void)snprintf(name, sizeof name, "/Sensors/%s/%s", readings[i].sensor, readings[i].quantity);
        robot->readings[i] = declare(d, (hy_channel_spec){ .name = name,
                                                           .kind = HY_CHANNEL_DOUBLE,
                                                           .unit = unit_of(readings[i].quantity) });
    }
}

static size_t board_of(const hy_sim *sim, size_t vehicle)
{
    size_t board = 0;
    while (board < hy_sim_boards(sim) && hy_sim_board_vehicle(sim, board) != vehicle) {
        board++;
    }
    return board < hy_sim_boards(sim) ? board : HY_SIM_BOARDS;
}

static void name_robot(declaration *d, const hy_sim *sim, size_t vehicle)
{
    if (hy_world_describe(hy_sim_model(sim)).vehicles == 1) {
        (void)snprintf(d->prefix, sizeof d->prefix, "/Robot");
    } else {
        (void)snprintf(d->prefix, sizeof d->prefix, "/Robot%zu", vehicle + 1);
    }
}

// Which rows of the list the vehicle has.
static unsigned parts_of(const hy_sim *sim, size_t vehicle, hy_sim_robot_channels *robot)
{
    const hy_match_model *const match = hy_sim_match_model(sim);
    const hy_world_tank *const tank = hy_world_tank_at(hy_sim_model(sim), vehicle);
    unsigned parts = hy_world_describe(hy_sim_model(sim)).pieces > 0 ? PIECES : 0;
    parts |= tank != NULL && tank->brownout_v > 0 ? BROWNOUT : 0;
    for (unsigned player = 1; match != NULL && player <= hy_match_players(match); player++) {
        parts |= hy_match_vehicle(match, player) == vehicle ? PLAYER : 0;
    }
    robot->board = board_of(sim, vehicle);
    if (robot->board < HY_SIM_BOARDS) {
        const hy_dialect *const dialect = hy_board_dialect(hy_sim_board_at(sim, robot->board));
        const hy_world_fittings fittings = hy_world_fittings_of(hy_sim_model(sim), vehicle);
        robot->encoders = dialect->encoders;
        robot->motors = dialect->motors;
        parts |= BOARD | (fittings.has_range ? RANGE : 0) |
                 (fittings.has_reflectance ? REFLECTANCE : 0) | (dialect->servos > 0 ? SERVOS : 0) |
                 (hy_sim_setup_of(sim).faults != NULL ? FAULTS : 0);
    }
    return parts;
}

static void declare_robot(declaration *d, const hy_sim *sim, size_t vehicle)
{
    hy_sim_robot_channels *const robot = &d->publisher->robots[vehicle];
    name_robot(d, sim, vehicle);
    const unsigned parts = parts_of(sim, vehicle, robot);
    d->is_complete = hy_telemetry_declare_list(d->publisher->telemetry, d->prefix,
                                               HY_CHANNEL_LIST(robot_rows), parts, robot) &&
                     d->is_complete;
    declare_readings(d, sim, vehicle, robot);
}

hy_status hy_sim_publisher_init(hy_sim_publisher *self, const hy_sim *sim, hy_telemetry *telemetry)
{
    *self = (hy_sim_publisher){ .telemetry = telemetry };
    declaration d = { .publisher = self, .is_complete = true };
    const hy_world_facts facts = hy_world_describe(hy_sim_model(sim));
    for (size_t vehicle = 0; vehicle < facts.vehicles; vehicle++) {
        declare_robot(&d, sim, vehicle);
    }
    d.prefix[0] = '\0';
    if (facts.pieces > 0) {
        self->pieces = declare(&d, (hy_channel_spec){ .name = "/Field/Pieces",
                                                      .kind = HY_CHANNEL_STRUCT_ARRAY,
                                                      .type = &hy_struct_translation3d,
                                                      .rate = HY_CHANNEL_ON_CHANGE });
    }
    if (hy_sim_match(sim) != NULL) {
        d.is_complete =
            hy_telemetry_declare_list(telemetry, "", HY_CHANNEL_LIST(match_rows), 0, self) &&
            d.is_complete;
        self->last_match = hy_match_describe(hy_sim_match(sim));
    }
    self->enabled = declare(&d, (hy_channel_spec){ .name = "DS:enabled",
                                                   .kind = HY_CHANNEL_BOOLEAN,
                                                   .is_file_only = true,
                                                   .rate = HY_CHANNEL_ON_CHANGE });
    return d.is_complete ? HY_OK : HY_EMEMORY;
}

static void declare_lidars(declaration *d, const hy_sim *sim, size_t vehicle)
{
    const hy_world_model *const model = hy_sim_model(sim);
    const hy_world_tank *const tank = hy_world_tank_at(model, vehicle);
    hy_sim_robot_channels *const robot = &d->publisher->robots[vehicle];
    name_robot(d, sim, vehicle);
    if (tank != NULL && tank->has_lidar) {
        robot->lidar = declare_points(d, "/Lidar");
    }
    for (size_t i = 0; i < hy_world_extra_sensors(model, vehicle); i++) {
        const hy_sensor_spec *const sensor = hy_world_extra_sensor_at(model, vehicle, i);
        if (sensor->type == HY_SENSOR_LIDAR) {
            char name[HY_CHANNEL_NAME_MAX];
            (void)snprintf(name, sizeof name, "/Sensors/%s/Points", sensor->name);
            robot->lidars[i] = declare_points(d, name);
        }
    }
}

hy_status hy_sim_publisher_add_lidar(hy_sim_publisher *self, const hy_sim *sim)
{
    declaration d = { .publisher = self, .is_complete = true };
    const hy_world_facts facts = hy_world_describe(hy_sim_model(sim));
    for (size_t vehicle = 0; vehicle < facts.vehicles; vehicle++) {
        declare_lidars(&d, sim, vehicle);
    }
    self->has_lidar = true;
    return d.is_complete ? HY_OK : HY_EMEMORY;
}

// --------------------------------------------------------------------------- publishing

static void publish_sensors(const hy_sim_publisher *self, const hy_sim *sim, size_t vehicle)
{
    const hy_sim_robot_channels *const robot = &self->robots[vehicle];
    const hy_actuators *const pins = hy_board_actuators(hy_sim_board_at(sim, robot->board));
    hy_sensors sensors;
    hy_world_read_sensors(hy_sim_model(sim), hy_sim_world(sim), vehicle, &sensors);
    hy_telemetry_put_doubles(self->telemetry, robot->encoder_counts, sensors.encoder_counts,
                             robot->encoders);
    hy_telemetry_put_doubles(self->telemetry, robot->gyro_rate, sensors.gyro_rate_rad_s, 3);
    hy_telemetry_put_doubles(self->telemetry, robot->gyro_angle, sensors.gyro_angle_rad, 3);
    hy_telemetry_put_doubles(self->telemetry, robot->acceleration, sensors.accel_m_s2, 3);
    hy_telemetry_put_double(self->telemetry, robot->range, sensors.range_m);
    hy_telemetry_put_doubles(self->telemetry, robot->reflectance, sensors.reflectance,
                             HY_PIN_REFLECTANCE);
    hy_telemetry_put_doubles(self->telemetry, robot->motor_duty, pins->motor_duty, robot->motors);
}

static void publish_readings(const hy_sim_publisher *self, const hy_sim *sim, size_t vehicle)
{
    const hy_sim_robot_channels *const robot = &self->robots[vehicle];
    hy_world_reading readings[HY_WORLD_READINGS];
    if (robot->reading_count == 0) {
        return;
    }
    (void)hy_world_read_extra_sensors(hy_sim_model(sim), hy_sim_world(sim), vehicle, readings,
                                      HY_WORLD_READINGS);
    for (size_t i = 0; i < robot->reading_count; i++) {
        hy_telemetry_put_double(self->telemetry, robot->readings[i], readings[i].value);
    }
}

// The age of the newest command, as far as looking 50 times a second tells.
static void publish_command_age(const hy_sim_publisher *self, const hy_board_counters *counts,
                                hy_sim_robot_channels *robot, uint64_t now_us)
{
    if (counts->commands != robot->seen_command_count || now_us < robot->command_us) {
        robot->seen_command_count = counts->commands;
        robot->command_us = now_us;
    }
    if (counts->commands > 0) {
        hy_telemetry_put_double(self->telemetry, robot->command_age,
                                (double)(now_us - robot->command_us) * 1e-6);
    }
}

static void publish_link(const hy_sim_publisher *self, const hy_board_counters *counts,
                         hy_sim_robot_channels *robot)
{
    const uint64_t refused =
        counts->rx_too_short + counts->rx_sequence + counts->rx_old + counts->rx_strangers;
    if (hy_telemetry_is_due(self->telemetry, robot->command_rate)) {
        // A board that was restarted counts from 0.
        const uint64_t counted =
            counts->commands >= robot->last_command_count ? robot->last_command_count : 0;
        hy_telemetry_put_double(self->telemetry, robot->command_rate,
                                (double)(counts->commands - counted) * 1e6 / HY_CHANNEL_REPEAT_US);
        robot->last_command_count = counts->commands;
    }
    hy_telemetry_put_int64(self->telemetry, robot->refused, (int64_t)refused);
    hy_telemetry_put_int64(self->telemetry, robot->commands_lost, (int64_t)counts->commands_lost);
    hy_telemetry_put_int64(self->telemetry, robot->watchdog_trips, (int64_t)counts->watchdog_trips);
}

static void publish_board(hy_sim_publisher *self, const hy_sim *sim, hy_sim_robot_channels *robot)
{
    const hy_board *const board = hy_sim_board_at(sim, robot->board);
    const uint64_t now_us = hy_sim_steps(sim) * (uint64_t)hy_sim_step_us(sim);
    hy_telemetry_put_doubles(self->telemetry, robot->servos,
                             hy_board_actuators(board)->servo_pulse_us,
                             hy_board_dialect(board)->servos);
    publish_link(self, hy_board_counts(board), robot);
    publish_command_age(self, hy_board_counts(board), robot, now_us);
    if (hy_telemetry_is_due(self->telemetry, robot->faults_to)) {
        const hy_sim_fault_counts counts = hy_sim_faults(sim, robot->board);
        hy_publish_fault_counts(self->telemetry, robot->faults_to, &counts.to_robot);
        hy_publish_fault_counts(self->telemetry, robot->faults_from, &counts.from_robot);
    }
}

static void publish_slow(hy_sim_publisher *self, const hy_sim *sim, size_t vehicle,
                         const hy_truth *truth)
{
    hy_sim_robot_channels *const robot = &self->robots[vehicle];
    const bool has_board = robot->board < HY_SIM_BOARDS;
    if (has_board) {
        publish_board(self, sim, robot);
    }
    hy_telemetry_put_boolean(self->telemetry, robot->led, truth->led);
    hy_telemetry_put_boolean(self->telemetry, robot->button, truth->button);
    hy_telemetry_put_boolean(self->telemetry, robot->touching, truth->touching);
    hy_telemetry_put_boolean(self->telemetry, robot->enabled,
                             has_board && hy_board_is_enabled(hy_sim_board_at(sim, robot->board)));
    hy_telemetry_put_boolean(self->telemetry, robot->brownout, truth->browned_out);
    hy_telemetry_put_double(self->telemetry, robot->battery, truth->battery_v);
    hy_telemetry_put_int64(self->telemetry, robot->pieces, (int64_t)truth->holds);
}

static void publish_robot(hy_sim_publisher *self, const hy_sim *sim, size_t vehicle)
{
    const hy_sim_robot_channels *const robot = &self->robots[vehicle];
    const hy_truth truth = hy_sim_truth(sim, vehicle);
    const hy_telemetry_pose2d pose = { truth.x_m, truth.y_m, truth.heading_rad };
    const hy_telemetry_chassis_speeds speeds = { truth.speed_m_s, truth.lateral_m_s,
                                                 truth.rate_z_rad_s };
    hy_telemetry_put_struct(self->telemetry, robot->pose, &pose);
    hy_telemetry_put_struct(self->telemetry, robot->speeds, &speeds);
    if (robot->board < HY_SIM_BOARDS) {
        publish_sensors(self, sim, vehicle);
    }
    publish_readings(self, sim, vehicle);
    publish_slow(self, sim, vehicle, &truth);
}

static void publish_pieces(const hy_sim_publisher *self, const hy_sim *sim)
{
    hy_telemetry_translation3d places[HY_WORLD_PIECES];
    const size_t count = hy_world_describe(hy_sim_model(sim)).pieces;
    bool is_moving = hy_telemetry_is_due(self->telemetry, self->pieces);
    for (size_t i = 0; i < count; i++) {
        const hy_piece piece = hy_world_piece(hy_sim_world(sim), i);
        places[i] = (hy_telemetry_translation3d){ piece.x_m, piece.y_m, piece.z_m };
        is_moving = is_moving || piece.vx_m_s * piece.vx_m_s + piece.vy_m_s * piece.vy_m_s +
                                         piece.vz_m_s * piece.vz_m_s >
                                     AWAKE_M_S * AWAKE_M_S;
    }
    if (is_moving) {
        hy_telemetry_put_structs(self->telemetry, self->pieces, places, count);
    }
}

static void publish_players(hy_sim_publisher *self, const hy_sim *sim)
{
    hy_match_state state;
    hy_match_read_state(hy_sim_match(sim), &state);
    for (unsigned i = 0; i < state.robot_count; i++) {
        const hy_match_robot *const at = &state.robot[i];
        const hy_sim_robot_channels *const robot =
            &self->robots[hy_match_vehicle(hy_sim_match_model(sim), i + 1)];
        const match_commands commands = { { (float)at->left_drive_rad_s, (float)at->right_drive_rad_s,
                                            (float)at->intake_center_rad_s,
                                            (float)at->intake_left_rad_s,
                                            (float)at->intake_right_rad_s, (float)at->tube_rad_s } };
        hy_telemetry_put_struct(self->telemetry, robot->commands, &commands);
        hy_telemetry_put_text(self->telemetry, robot->alliance,
                              at->side == HY_ALLIANCE_BLUE  ? "Blue"
                              : at->side == HY_ALLIANCE_RED ? "Red"
                                                            : "");
        hy_telemetry_put_text(self->telemetry, robot->team, at->team);
    }
}

static void publish_event(const hy_sim_publisher *self, const char *what, const hy_match_facts *facts)
{
    char text[80];
    (void)snprintf(text, sizeof text, "%s: blue %d, red %d, %.2f s left", what, facts->blue_score,
                   facts->red_score, (double)facts->timer_us / 1e6);
    hy_telemetry_put_text(self->telemetry, self->events, text);
}

static void publish_events(const hy_sim_publisher *self, const hy_match_facts *facts)
{
    const hy_match_facts *const last = &self->last_match;
    if (facts->timer_us > last->timer_us) { // it only falls while a match is played
        publish_event(self, "reset", facts);
        return;
    }
    if (facts->timer_runs && !last->timer_runs) {
        publish_event(self, "timer started", facts);
    }
    if (facts->blue_score != last->blue_score) {
        publish_event(self, "blue score changed", facts);
    }
    if (facts->red_score != last->red_score) {
        publish_event(self, "red score changed", facts);
    }
    if (last->timer_runs && !facts->timer_runs) {
        publish_event(self, facts->over ? "match over" : "timer stopped", facts);
    }
}

static void publish_match(hy_sim_publisher *self, const hy_sim *sim)
{
    const hy_match_facts facts = hy_match_describe(hy_sim_match(sim));
    publish_players(self, sim);
    publish_events(self, &facts);
    hy_telemetry_put_int64(self->telemetry, self->blue, facts.blue_score);
    hy_telemetry_put_int64(self->telemetry, self->red, facts.red_score);
    hy_telemetry_put_double(self->telemetry, self->time_left, (double)facts.timer_us / 1e6);
    hy_telemetry_put_boolean(self->telemetry, self->running, facts.timer_runs);
    self->last_match = facts;
}

// Where the rays of the last step ended, in the frame of the floor; rays without an echo are left out.
static void publish_echoes(const hy_sim_publisher *self, hy_channel channel,
                           hy_telemetry_pose2d lidar, const hy_world_echo *echoes, size_t count)
{
    size_t kept = 0;
    hy_point ends[HY_TELEMETRY_ARRAY_MAX / sizeof(hy_point)];
    for (size_t i = 0; i < count && kept < sizeof ends / sizeof *ends; i++) {
        const hy_sine_cosine at = hy_sin_cos(lidar.heading_rad + echoes[i].azimuth_rad);
        if (echoes[i].range_m >= 0) {
            ends[kept++] = (hy_point){ lidar.x_m + echoes[i].range_m * at.cos,
                                       lidar.y_m + echoes[i].range_m * at.sin };
        }
    }
    hy_telemetry_put_structs(self->telemetry, channel, ends, kept);
}

static void publish_lidars(const hy_sim_publisher *self, const hy_sim *sim, size_t vehicle)
{
    const hy_sim_robot_channels *const robot = &self->robots[vehicle];
    const hy_world_model *const model = hy_sim_model(sim);
    const hy_truth truth = hy_sim_truth(sim, vehicle);
    const hy_telemetry_pose2d body = { truth.x_m, truth.y_m, truth.heading_rad };
    size_t count;
    if (robot->lidar != 0) {
        const hy_world_echo *const echoes = hy_world_echoes(hy_sim_world(sim), vehicle, &count);
        publish_echoes(self, robot->lidar, body, echoes, count);
    }
    for (size_t i = 0; i < hy_world_extra_sensors(model, vehicle); i++) {
        if (robot->lidars[i] == 0) {
            continue;
        }
        const hy_sensor_spec *const sensor = hy_world_extra_sensor_at(model, vehicle, i);
        const hy_sine_cosine turn = hy_sin_cos(body.heading_rad);
        const hy_telemetry_pose2d lidar = {
            body.x_m + turn.cos * sensor->at_m.x_m - turn.sin * sensor->at_m.y_m,
            body.y_m + turn.sin * sensor->at_m.x_m + turn.cos * sensor->at_m.y_m,
            body.heading_rad + sensor->heading_rad,
        };
        const hy_world_echo *const echoes =
            hy_world_extra_sensor_echoes(model, hy_sim_world(sim), vehicle, i, &count);
        publish_echoes(self, robot->lidars[i], lidar, echoes, count);
    }
}

// Whether anything may drive: a board that is enabled, or the timer of a match.
static bool is_enabled(const hy_sim *sim)
{
    for (size_t board = 0; board < hy_sim_boards(sim); board++) {
        if (hy_board_is_enabled(hy_sim_board_at(sim, board))) {
            return true;
        }
    }
    return hy_sim_match(sim) != NULL && hy_match_describe(hy_sim_match(sim)).timer_runs;
}

void hy_sim_publish(hy_sim_publisher *self, const hy_sim *sim)
{
    const uint64_t now_us = hy_sim_steps(sim) * (uint64_t)hy_sim_step_us(sim);
    hy_telemetry_set_time(self->telemetry, now_us);
    if (!hy_telemetry_has_sinks(self->telemetry)) {
        return;
    }
    const size_t vehicles = hy_world_describe(hy_sim_model(sim)).vehicles;
    for (size_t vehicle = 0; vehicle < vehicles && self->has_lidar; vehicle++) {
        publish_lidars(self, sim, vehicle); // each step has its own points
    }
    if (now_us < self->next_us) {
        return;
    }
    self->next_us = now_us - now_us % PERIOD_US + PERIOD_US;
    for (size_t vehicle = 0; vehicle < vehicles; vehicle++) {
        publish_robot(self, sim, vehicle);
    }
    publish_pieces(self, sim);
    if (hy_sim_match(sim) != NULL) {
        publish_match(self, sim);
    }
    self->is_enabled = is_enabled(sim);
    hy_telemetry_put_boolean(self->telemetry, self->enabled, self->is_enabled);
}

bool hy_sim_publishes(hy_bytes name)
{
    static const char *const begins[] = { "/Robot",   "/Match",          "/Field",   "/Halyard",
                                          "/FMSInfo", "/DriverStation/", "/.schema", "/Phantom" };
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        const size_t size = strlen(begins[i]);
        if (name.size >= size && memcmp(name.data, begins[i], size) == 0) {
            return true;
        }
    }
    return false;
}
