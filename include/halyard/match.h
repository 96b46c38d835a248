/// @file match.h
/// The four-part game: robots of two alliances, a timer, balls to collect and goals to bring them
/// to, on a field that is a world (world.h). The rules, and where they differ from the reference on
/// purpose: docs/spec/match.md.
///
/// Knows no message, no socket and no clock: everything is in SI units, and time is an argument.
/// scene.h converts to and from the messages of the interface document. Deterministic: same files,
/// options, commands and times give the same states bit for bit. Poses in here are in the field's
/// frame, origin in its middle; the world's own origin is its lower left corner.
///
///     static void play(hy_match *match, int64_t now_us)
///     {
///         const hy_match_commands ahead = { .left_drive = 0.5, .right_drive = 0.5 };
///         hy_match_command(match, 1, &ahead, now_us);
///         hy_match_step(match, now_us);
///         hy_match_state state;
///         hy_match_read_state(match, &state);
///     }
#ifndef HALYARD_MATCH_H
#define HALYARD_MATCH_H

#include <halyard/world.h>

HY_API_BEGIN

#define HY_MATCH_PLAYERS    6      ///< Most players of a match; they count from 1.
#define HY_MATCH_STEP_US    10000  ///< One step, microseconds.
#define HY_MATCH_SECONDS    135    ///< Length of a match, unless the options have another one.
#define HY_MATCH_SILENCE_US 500000 ///< A robot stops when its core has been silent for so long.
#define HY_MATCH_SWEEP_MOST 1600   ///< Most lidar points that are kept of one robot.

// --------------------------------------------------------------------------- the model

/// A field, its robots and its pieces; never changes, may be shared between threads.
typedef struct hy_match_model hy_match_model;

/// What a match is played on: a world with 1 to HY_MATCH_PLAYERS tanks, one a player in their
/// order, and a step of HY_MATCH_STEP_US. Vehicles of other kinds are extra vehicles. Readers of
/// files fill it (worldfile.h).
typedef struct {
    hy_world_spec world;
    hy_point middle; ///< Of the field in the world: the origin of poses in a match.
} hy_match_spec;

/// Frees what the spec's world holds.
void hy_match_spec_free(hy_match_spec *spec);

/// Keeps the first `players` tanks. HY_ERANGE if there are fewer, or if it is 0; `error` says so.
hy_status hy_match_spec_set_players(hy_match_spec *spec, unsigned players, hy_world_error *error);

/// Adds a vehicle with the defaults of its type at a place in the field's frame. NULL if there is
/// no such type, or no room.
hy_vehicle_spec *hy_match_spec_add_vehicle(hy_match_spec *spec, const char *type, hy_point at_m,
                                           double heading_rad);

/// Fits the tank of `player` (from 1) with a lidar of the default numbers, if it has none. False if
/// there is no such player, or no room for another sensor.
bool hy_match_spec_add_lidar(hy_match_spec *spec, unsigned player);

/// The bytes of a match's spec (docs/spec/world-spec.md), as hy_world_spec_write() and
/// hy_world_spec_read().
size_t hy_match_spec_write(const hy_match_spec *spec, hy_room room);
hy_status hy_match_spec_read(hy_bytes bytes, hy_match_spec *spec);

/// Checks a spec and makes a model of it. On failure `*model` is NULL and `error` has one sentence:
/// HY_ERANGE or HY_EMEMORY, as hy_world_compile(). Free the model with hy_match_free().
hy_status hy_match_compile(const hy_match_spec *spec, hy_match_model **model,
                           hy_world_error *error);

/// Frees a model; NULL is harmless. Its matches must be ended before.
void hy_match_free(hy_match_model *model);

/// Players of the match, 1 .. HY_MATCH_PLAYERS. O(1).
unsigned hy_match_players(const hy_match_model *model);

/// The world that it is played in: outlines, goals, names, for drawing. The model's.
const hy_world_model *hy_match_world(const hy_match_model *model);

/// The vehicle of the world that `player` (from 1) drives, or extra vehicle `index` (from 0) is.
size_t hy_match_vehicle(const hy_match_model *model, unsigned player);
size_t hy_match_extra_vehicle(const hy_match_model *model, size_t index);

/// Extra vehicles are those that are no tanks. O(1).
size_t hy_match_extra_vehicles(const hy_match_model *model);

/// The middle of the field in the world's frame: what a world pose has more than a field pose.
hy_point hy_match_middle(const hy_match_model *model);

/// All walls of the field: its edge, its obstacles and its goals, in the field's frame. Writes
/// `room` of them at most and returns how many there are. O(walls).
size_t hy_match_walls(const hy_match_model *model, hy_segment *out, size_t room);

/// The middle of an alliance's goal, in the field's frame; the field's middle if it has none.
hy_point hy_match_goal(const hy_match_model *model, hy_alliance side);

// --------------------------------------------------------------------------- a match

/// A match that is being played.
typedef struct hy_match hy_match;

typedef struct {
    uint64_t seed;        ///< Of all noise.
    double lidar_noise_m; ///< Spread of the lidars' ranges; 0: none.
    double match_s;       ///< Length of a match; 0 and less: HY_MATCH_SECONDS.
} hy_match_options;

/// Sets the field up. `*match` is NULL if it fails: HY_EMEMORY, or HY_EFULL beyond the engine's 128
/// worlds a process. End it with hy_match_close(). Several may run on one model, each in one thread
/// at a time.
hy_status hy_match_open(const hy_match_model *model, const hy_match_options *options,
                        hy_match **match);
/// Makes `match` what hy_match_open() gives with these options, bit for bit; see
/// hy_world_restart().
void hy_match_restart(hy_match *match, const hy_match_options *options);
void hy_match_close(hy_match *match); ///< NULL is harmless.

/// What a player wants. Motors are shares of full speed in [-1, +1], forward and inward positive.
typedef struct {
    double left_drive, right_drive;
    double intake_center, intake_left, intake_right, tube;
    bool timer_start_stop, reset, outtake;
} hy_match_commands;

/// The commands of `player` (1 .. players; another is ignored) from now on. They hold until the
/// next call, for HY_MATCH_SILENCE_US at most. Motor shares are clamped to [-1, +1]; NaN counts as
/// 0. O(1).
void hy_match_command(hy_match *match, unsigned player, const hy_match_commands *commands,
                      int64_t now_us);

/// Whether `player` was commanded within HY_MATCH_SILENCE_US.
bool hy_match_has_commands(const hy_match *match, unsigned player, int64_t now_us);

/// What the electronics of an extra vehicle do to its body, until they do something else; `index`
/// as in hy_match_extra_vehicle(). What they measure is hy_world_read_sensors() of its vehicle.
/// `button`: somebody holds its user button down.
void hy_match_actuate(hy_match *match, size_t index, const hy_actuators *actuators, bool button);

/// Plays one step of HY_MATCH_STEP_US. `now_us` is only compared with the times of commands. No
/// allocation but the engine's own growth.
void hy_match_step(hy_match *match, int64_t now_us);

/// Puts everything where it started, as a player's reset does, and the timer to its beginning.
void hy_match_reset(hy_match *match);

/// Puts one vehicle of the world where it started; see hy_world_reset_vehicle().
bool hy_match_reset_vehicle(hy_match *match, size_t vehicle);

/// Calibrates the gyro of a vehicle of the world; see hy_world_calibrate_gyro().
void hy_match_calibrate_gyro(hy_match *match, size_t vehicle, bool is_moved);

/// Switches the board of a vehicle of the world off and on; see hy_world_power_up().
void hy_match_power_up(hy_match *match, size_t vehicle);

/// Spread of the lidars' ranges from now on; see hy_world_set_lidar_noise().
void hy_match_set_lidar_noise(hy_match *match, double noise_m);

/// Puts a piece somewhere else, as a referee's hand does: field's frame; see
/// hy_world_place_piece().
void hy_match_place_piece(hy_match *match, size_t index, const hy_piece *piece);

// --------------------------------------------------------------------------- what it looks like

/// What a player's robot measures.
typedef struct {
    double left_encoder_counts,
        right_encoder_counts;     ///< As in hy_sensors: whole counts are edges; never wrap.
    double x_m, y_m, heading_rad; ///< The heading never wraps.
    size_t ingested;              ///< Pieces in its tube and its center intake.
    hy_lidar_points lidar;        ///< Of the last step; the match's, valid until its next step.
} hy_match_sensors;

/// What `player`'s robot measures now. O(pieces).
void hy_match_read_sensors(const hy_match *match, unsigned player, hy_match_sensors *out);

/// A player's robot as everybody sees it. Speeds as commanded: the share times the speed at full
/// duty.
typedef struct {
    const char *team; ///< The model's, "" if the file has none.
    hy_alliance side;
    double x_m, y_m, heading_rad; ///< The heading never wraps.
    double intake_center_rad_s, intake_left_rad_s, intake_right_rad_s, tube_rad_s;
    double left_drive_rad_s, right_drive_rad_s;
    hy_lidar_points lidar; ///< Of the last step; the match's, valid until its next step.
} hy_match_robot;

typedef struct {
    double x_m, y_m, z_m; ///< Its centre; z counts from where it is when it lies on the floor.
    hy_piece_place place;
    hy_alliance goal_side; ///< Whose goal it is in; HY_ALLIANCE_NONE elsewhere.
} hy_match_piece;

typedef struct {
    int blue_score, red_score;
    bool timer_runs;
    int64_t timer_us;  ///< Left.
    bool in_collision; ///< Any robot touches a wall, an obstacle or a goal.
    size_t robot_count;
    hy_match_robot robot[HY_MATCH_PLAYERS]; ///< In the order of the players.
    size_t piece_count;
    hy_match_piece piece[HY_WORLD_PIECES];
} hy_match_state;

/// The match as everybody sees it. O(robots and pieces).
void hy_match_read_state(const hy_match *match, hy_match_state *out);

/// Lidar points of `player` since the start; 0 without a lidar. For those who send them in their
/// own rhythm.
uint64_t hy_match_points(const hy_match *match, unsigned player);

/// The last `most` points (at most HY_MATCH_SWEEP_MOST and as many as there were), oldest first;
/// the match's, valid until its next step. 800 of them are a sweep. O(1).
hy_lidar_points hy_match_lidar(const hy_match *match, unsigned player, size_t most);

/// Scores, timer, rules: what happened, for status lines and tests.
typedef struct {
    int blue_score, red_score;
    int64_t timer_us; ///< Left.
    bool timer_runs;
    bool over; ///< The timer is at zero: all robots stand until a reset.
    uint64_t steps;
} hy_match_facts;
hy_match_facts hy_match_describe(const hy_match *match);

/// The world as it is: truth of robots, extra vehicles and pieces. The match's.
const hy_world_state *hy_match_world_state(const hy_match *match);

/// A hash over everything that changes: equal states, equal hashes. Motor shares enter as whole
/// 512ths, the steps of the interface document; what is between them shows in the world a step
/// later.
uint64_t hy_match_hash(const hy_match *match);

HY_API_END

#endif
