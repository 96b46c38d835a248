#include "fields.h"

#include "text/text_decimal.h"

#define MOST HY_DECIMAL_MOST
#define FULL HY_ICD_FULL

// A key and what is said of a wrong value. `of` says whose key it is: "" or " of a vehicle".
#define NAMED(text, of, what) \
    .key = text, .key_size = sizeof(text) - 1, .why = text of " is not " what
#define FIELD(T, member, text, of, what, ...)                             \
    {                                                                     \
        NAMED(text, of, what), .offset = offsetof(T, member), __VA_ARGS__ \
    }
#define INT(T, member, text, of, least, most) \
    FIELD(T, member, text, of, "a number", .kind = HY_JSON_INT, .low = least, .high = most)
#define FLAG(T, member, text) FIELD(T, member, text, "", "0 or 1", .kind = HY_JSON_FLAG, .high = 1)
#define BOOL(T, member, text, of) \
    FIELD(T, member, text, of, "true or false", .kind = HY_JSON_BOOL, .high = 1)
#define LIMITED(T, member, text, of, least, most) \
    FIELD(T, member, text, of, "a number", .kind = HY_JSON_REAL, .low = least, .high = most)
#define REAL(T, member, text, of) LIMITED(T, member, text, of, -MOST, MOST)
#define REAL_IN(T, member, text, of, form)                                                   \
    FIELD(T, member, text, of, "a number", .kind = HY_JSON_REAL, .low = -MOST, .high = MOST, \
          .when = form)
#define TEXT(T, member, text, of)                            \
    FIELD(T, member, text, of, "text", .kind = HY_JSON_TEXT, \
          .count = sizeof(((const T *)NULL)->member))
#define GROUP(text, members)                                                      \
    {                                                                             \
        NAMED(text, "", "an object"), .kind = HY_JSON_GROUP, .record = &(members) \
    }
#define RECORDS(T, array, number, text, members)                                                  \
    FIELD(T, array, text, "", "a list of objects", .kind = HY_JSON_RECORDS, .record = &(members), \
          .count = sizeof(((const T *)NULL)->array) / sizeof(((const T *)NULL)->array[0]),        \
          .stride = sizeof(((const T *)NULL)->array[0]), .count_offset = offsetof(T, number))
#define RECORD(fields)                               \
    {                                                \
        fields, sizeof(fields) / sizeof((fields)[0]) \
    }

// A list on the wire is members side by side in the struct.
#define SIDE_BY_SIDE(T, type, first, last, count)                                        \
    _Static_assert(offsetof(T, last) - offsetof(T, first) == ((count)-1) * sizeof(type), \
                   "members of a list stand side by side")
SIDE_BY_SIDE(hy_icd_sticks, int, left_x, left_y, 2);
SIDE_BY_SIDE(hy_icd_sticks, int, right_x, right_y, 2);
SIDE_BY_SIDE(hy_icd_sticks, bool, dpad_up, dpad_right, 4);
SIDE_BY_SIDE(hy_icd_piece, double, x_m, z_m, 3);
// Enumerations are read and written as ints.
_Static_assert(sizeof(hy_icd_ingestion) == sizeof(int), "an enum is as wide as an int");
_Static_assert(HY_ICD_TEAM_SIZE <= HY_JSON_TEXT_MAX, "a team's name fits");
_Static_assert(HY_ICD_PLAYERS <= HY_JSON_GAPS_MAX, "every vehicle may have a lidar");
_Static_assert(sizeof(hy_alliance) == sizeof(int), "an enum is as wide as an int");

// --------------------------------------------------------------------------- joystick -> core

#define STICK(T, member, text)                                                           \
    FIELD(T, member, text, "", "a list of two numbers", .kind = HY_JSON_INT, .count = 2, \
          .low = -FULL, .high = FULL)

static const hy_json_field sticks_fields[] = {
    STICK(hy_icd_sticks, left_x, "leftJoystick"),
    STICK(hy_icd_sticks, right_x, "rightJoystick"),
    FIELD(hy_icd_sticks, dpad_up, "dpad", "", "a list of four numbers", .kind = HY_JSON_FLAG,
          .count = 4, .high = 1),
    INT(hy_icd_sticks, left_trigger, "leftTrigger", "", 0, FULL),
    INT(hy_icd_sticks, right_trigger, "rightTrigger", "", 0, FULL),
    FLAG(hy_icd_sticks, left_bumper, "leftBumper"),
    FLAG(hy_icd_sticks, right_bumper, "rightBumper"),
    FLAG(hy_icd_sticks, a, "a"),
    FLAG(hy_icd_sticks, b, "b"),
    FLAG(hy_icd_sticks, x, "x"),
    FLAG(hy_icd_sticks, y, "y"),
    FLAG(hy_icd_sticks, back, "back"),
    FLAG(hy_icd_sticks, start, "start"),
    FLAG(hy_icd_sticks, guide, "guide"),
};
const hy_json_record hy_icd_sticks_record = RECORD(sticks_fields);

// --------------------------------------------------------------------------- core -> sim

static const hy_json_field commands_fields[] = {
    INT(hy_icd_commands, left_drive, "leftDriveMotorSpeed", "", -FULL, FULL),
    INT(hy_icd_commands, right_drive, "rightDriveMotorSpeed", "", -FULL, FULL),
    INT(hy_icd_commands, intake_center, "intakeCenterMotorSpeed", "", -FULL, FULL),
    INT(hy_icd_commands, intake_left, "intakeLeftMotorSpeed", "", -FULL, FULL),
    INT(hy_icd_commands, intake_right, "intakeRightMotorSpeed", "", -FULL, FULL),
    INT(hy_icd_commands, tube, "tubeMotorSpeed", "", -FULL, FULL),
    FLAG(hy_icd_commands, timer_start_stop, "timerStartStop"),
    FLAG(hy_icd_commands, reset, "reset"),
    FLAG(hy_icd_commands, outtake, "outtake"),
};
const hy_json_record hy_icd_commands_record = RECORD(commands_fields);

// --------------------------------------------------------------------------- lidar

#define LIDAR(T)                                                                            \
    FIELD(T, lidar, "lidarSweep", "", "a list of points", .kind = HY_JSON_POINT_OBJECTS,    \
          .when = HY_ICD_WITH_DOCUMENT),                                                    \
        FIELD(T, lidar, "lidarPoints", "", "a list of points", .kind = HY_JSON_POINT_LISTS, \
              .when = HY_ICD_WITH_LATER)

// --------------------------------------------------------------------------- sim -> core

static const hy_json_field sensors_fields[] = {
    REAL_IN(hy_icd_sensors, x_m, "x", "", HY_ICD_WITH_POSE),
    REAL_IN(hy_icd_sensors, y_m, "y", "", HY_ICD_WITH_POSE),
    REAL_IN(hy_icd_sensors, theta_rad, "theta", "", HY_ICD_WITH_POSE),
    INT(hy_icd_sensors, left_encoder, "leftDriveEncoder", "", 0, 1024),
    INT(hy_icd_sensors, right_encoder, "rightDriveEncoder", "", 0, 1024),
    FIELD(hy_icd_sensors, ingested, "numIngestedBalls", "", "a number", .kind = HY_JSON_INT,
          .high = MOST, .when = HY_ICD_WITH_LATER),
    LIDAR(hy_icd_sensors),
};
const hy_json_record hy_icd_sensors_record = RECORD(sensors_fields);

// --------------------------------------------------------------------------- sim -> view

#define VEHICLE(member, text) REAL(hy_icd_vehicle, member, text, " of a vehicle")

static const char *const alliances[] = { "Blue", "Red" };

static const hy_json_field vehicle_fields[] = {
    TEXT(hy_icd_vehicle, team, "team", " of a vehicle"),
    FIELD(hy_icd_vehicle, alliance, "alliance", " of a vehicle", "text", .kind = HY_JSON_NAME,
          .low = HY_ALLIANCE_BLUE, .names = alliances,
          .count = sizeof alliances / sizeof alliances[0]),
    VEHICLE(x_m, "x"),
    VEHICLE(y_m, "y"),
    VEHICLE(theta_rad, "theta"),
    VEHICLE(intake_center_rad_s, "intakeCenterMotorSpeed"),
    VEHICLE(intake_left_rad_s, "intakeLeftMotorSpeed"),
    VEHICLE(intake_right_rad_s, "intakeRightMotorSpeed"),
    VEHICLE(tube_rad_s, "tubeMotorSpeed"),
    VEHICLE(left_drive_rad_s, "leftDriveMotorSpeed"),
    VEHICLE(right_drive_rad_s, "rightDriveMotorSpeed"),
    LIDAR(hy_icd_vehicle),
};
static const hy_json_record vehicle_record = RECORD(vehicle_fields);

#define PIECE(member, text) \
    REAL_IN(hy_icd_piece, member, text, " of a game piece", HY_ICD_WITH_DOCUMENT)

static const hy_json_field piece_fields[] = {
    PIECE(x_m, "x"),
    PIECE(y_m, "y"),
    PIECE(z_m, "z"),
    FIELD(hy_icd_piece, x_m, "position", " of a game piece", "a list of three numbers",
          .kind = HY_JSON_REAL, .count = 3, .low = -MOST, .high = MOST, .when = HY_ICD_WITH_LATER),
    FIELD(hy_icd_piece, ingestion, "ingestionState", " of a game piece", "a number",
          .kind = HY_JSON_CHOICE, .high = HY_ICD_RED_GOAL),
};
static const hy_json_record piece_record = RECORD(piece_fields);

static const hy_json_field arena_fields[] = {
    BOOL(hy_icd_match, in_collision, "inCollision", ""),
};
static const hy_json_record arena_record = RECORD(arena_fields);

static const hy_json_field match_fields[] = {
    INT(hy_icd_match, blue_score, "blueScore", "", -MOST, MOST),
    INT(hy_icd_match, red_score, "redScore", "", -MOST, MOST),
    BOOL(hy_icd_match, timer_runs, "isTimerRunning", ""),
    REAL(hy_icd_match, timer_s, "timer", ""),
    GROUP("field", arena_record),
    RECORDS(hy_icd_match, vehicle, vehicle_count, "vehicles", vehicle_record),
    RECORDS(hy_icd_match, piece, piece_count, "gamePieces", piece_record),
};
const hy_json_record hy_icd_match_record = RECORD(match_fields);

// --------------------------------------------------------------------------- status

static const hy_json_field player_fields[] = {
    BOOL(hy_icd_player, connected, "connected", " of a player"),
    LIMITED(hy_icd_player, rate_hz, "rateHz", " of a player", 0, MOST),
    LIMITED(hy_icd_player, age_ms, "ageMs", " of a player", 0, MOST),
    LIMITED(hy_icd_player, latency_ms, "latencyMs", " of a player", 0, MOST),
    LIMITED(hy_icd_player, battery_v, "batteryV", " of a player", 0, MOST),
    BOOL(hy_icd_player, browned_out, "brownedOut", " of a player"),
};
static const hy_json_record player_record = RECORD(player_fields);

static const hy_json_field robot_fields[] = {
    TEXT(hy_icd_robot, kind, "kind", " of a robot"),
    TEXT(hy_icd_robot, name, "name", " of a robot"),
    REAL(hy_icd_robot, x_m, "x", " of a robot"),
    REAL(hy_icd_robot, y_m, "y", " of a robot"),
    REAL(hy_icd_robot, theta_rad, "theta", " of a robot"),
    BOOL(hy_icd_robot, enabled, "enabled", " of a robot"),
    LIMITED(hy_icd_robot, battery_v, "batteryV", " of a robot", 0, MOST),
};
static const hy_json_record robot_record = RECORD(robot_fields);

static const hy_json_field sim_fields[] = {
    LIMITED(hy_icd_status, speed, "speed", " of sim", 0, MOST),
    LIMITED(hy_icd_status, step_us, "stepUs", " of sim", 0, MOST),
    INT(hy_icd_status, dropped, "dropped", " of sim", 0, MOST),
};
static const hy_json_record sim_record = RECORD(sim_fields);

static const hy_json_field status_fields[] = {
    { NAMED("status", "", "1"), .kind = HY_JSON_VERSION },
    RECORDS(hy_icd_status, player, player_count, "players", player_record),
    RECORDS(hy_icd_status, robot, robot_count, "robots", robot_record),
    GROUP("sim", sim_record),
};
const hy_json_record hy_icd_status_record = RECORD(status_fields);

// --------------------------------------------------------------------------- used sticks

static const hy_json_field used_sticks_fields[] = {
    { NAMED("usedSticks", "", "1"), .kind = HY_JSON_VERSION },
    GROUP("sticks", hy_icd_sticks_record),
};
const hy_json_record hy_icd_used_sticks_record = RECORD(used_sticks_fields);
