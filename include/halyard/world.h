/// @file world.h
/// Worlds for robots: a floor with a mat, walls and obstacles, vehicles with motors, encoders, an
/// IMU, reflectance sensors, a rangefinder or a lidar, and game pieces with goals to bring them to.
/// Knows no protocol, no rules and no clock.
///
/// Deterministic: the same model, seed and inputs give the same states, bit for bit, whatever the
/// compiler and its optimisation. SI units; x to the right (east), y up (north) on the map,
/// headings counter-clockwise from +x.
///
///     static void drive_for_a_second(const hy_world_model *model)
///     {
///         hy_world_state *state;
///         if (hy_world_open(model, 1, &state) != HY_OK) { return; }
///         hy_world_input input = { .vehicle[0].motor_duty = { 0.5, -0.5 } };
///         for (int i = 0; i < 100; i++) { hy_world_step(model, state, &input); }
///         const hy_truth truth = hy_world_truth(model, state, 0);
///         printf("at %.3f, %.3f\n", truth.x_m, truth.y_m);
///         hy_world_close(state);
///     }
///
/// ## Many worlds at a time
///
/// Many worlds of one model, with one robot in each, that take their steps together: for sweeps
/// over seeds and parameters of a controller, and for learning. Each gives, bit for bit, what
/// hy_world_step() gives a world of its own with that seed and those inputs. XRPs with nothing
/// but their wired sensors, on a floor without regions, are computed several at once in the
/// processor's vectors; all others one by one.
///
///     static double mean_distance(const hy_world_model *model, const uint64_t seeds[100])
///     {
///         hy_world_batch *batch;
///         if (hy_world_batch_open(model, seeds, 100, &batch) != HY_OK) { return -1; }
///         const hy_actuators drive = { .motor_duty = { 0.5, -0.5 } };
///         for (size_t i = 0; i < 100; i++) { hy_world_batch_set(batch, i, &drive, false); }
///         for (int step = 0; step < 1000; step++) { hy_world_batch_step(batch); }
///         double sum = 0;
///         for (size_t i = 0; i < 100; i++) { sum += hy_world_batch_pose(batch, i).x_m; }
///         hy_world_batch_close(batch);
///         return sum / 100;
///     }
#ifndef HALYARD_WORLD_H
#define HALYARD_WORLD_H

#include <halyard/base.h>
#include <halyard/world_spec.h>

HY_API_BEGIN

/// A compiled spec; never changes, may be shared between threads.
typedef struct hy_world_model hy_world_model;

/// Everything that changes, the physics engine's bodies included.
typedef struct hy_world_state hy_world_state;

/// Why a world was refused: one sentence, with file, line and column if they are known.
typedef struct {
    char text[320];
} hy_world_error;

/// Checks a spec and makes a model of it. HY_OK, or `*model` is NULL and `error` says why:
/// HY_ERANGE (a number out of range, numbers that contradict each other, a vehicle without room
/// where it starts) or HY_EMEMORY (no memory). Copies what it needs of the spec, its mat included;
/// free the model with hy_world_free(). Safe with any spec whose counts are those of its arrays.
hy_status hy_world_compile(const hy_world_spec *spec, hy_world_model **model,
                           hy_world_error *error);

/// Frees a model; NULL is harmless. Its states must be ended before.
void hy_world_free(hy_world_model *model);

/// The bytes of the spec that a model was compiled from, as hy_world_spec_write() gives them: what
/// a recording keeps of its world. The model's. O(1).
hy_bytes hy_world_spec_bytes(const hy_world_model *model);

/// Static facts of a model.
typedef struct {
    const char *name;         ///< The model's; valid as long as it is.
    int64_t step_us;          ///< One fixed step, microseconds.
    double width_m, height_m; ///< Extent of the floor; its lower left corner is (0, 0).
    size_t vehicles;
    size_t pieces, goals;
    double piece_radius_m; ///< 0 without pieces.
    double wall_height_m;  ///< Of the floor's edge, for drawing.
    bool has_mat;          ///< Else its floor is of one shade.
    const char *gltf;      ///< The path of a binary glTF file that draws the field; "": none.
} hy_world_facts;
/// `name` and `gltf` are valid as long as the model. O(1).
hy_world_facts hy_world_describe(const hy_world_model *model);

/// What vehicle `index` is, as in a world file (docs/spec/world.md); static.
const char *hy_world_vehicle_kind(const hy_world_model *model, size_t index);

/// The path of a binary glTF file that draws vehicle `index`, the model's; "": none. O(1).
const char *hy_world_vehicle_gltf(const hy_world_model *model, size_t index);

/// A straight wall or edge of an obstacle, for drawing.
typedef struct {
    double x0_m, y0_m, x1_m, y1_m;
} hy_world_segment;

/// The edges of all that does not move, goals left out; `*count` of them, the model's.
const hy_world_segment *hy_world_segments(const hy_world_model *model, size_t *count);

/// The floor's edge, counter-clockwise; `*count` corners, the model's. Outside of it all is wall.
const hy_point *hy_world_border(const hy_world_model *model, size_t *count);

/// Something that stands on the floor, for drawing: convex, counter-clockwise.
typedef struct {
    const hy_point *corners; ///< The model's.
    size_t count;
    double height_m;
} hy_world_solid;

/// What stands on the floor beside its edge; discs have 24 corners. `index` below
/// hy_world_solids().
size_t hy_world_solids(const hy_world_model *model);
hy_world_solid hy_world_solid_at(const hy_world_model *model, size_t index);

/// `index` below hy_world_facts.goals. The model's.
const hy_world_goal *hy_world_goal_at(const hy_world_model *model, size_t index);

/// The polygons that vehicle `index` is made of, for drawing; `*count` of them, the model's.
const hy_world_part *hy_world_parts(const hy_world_model *model, size_t index, size_t *count);

/// Where a vehicle that is no tank has its wheels and sensors, for drawing.
typedef struct {
    hy_point wheels[4]; ///< Front left, rear left, rear right, front right; or left, right.
    size_t wheel_count; ///< 4 or 2; 0 of a tank.
    double wheel_radius_m;
    double motor_forward[HY_PIN_MOTORS]; ///< The sign of the duty that drives its wheel forward.
    double
        encoder_forward[HY_PIN_ENCODERS]; ///< The sign of the counts of a wheel that goes forward.
    /// Counts of encoder 2n + 1 (hy_truth.wheel_counts) for a turn of the module of wheel n; 0: its
    /// wheels do not steer.
    double azimuth_counts_per_turn;
    bool has_range;
    hy_point range; ///< Of the rangefinder, which looks ahead.
    double range_half_rad, range_far_m;
    bool has_reflectance;
    hy_point reflectance[2]; ///< Left, right.
} hy_world_fittings;

/// How vehicle `index` (below hy_world_facts.vehicles) is built: a copy. O(1).
hy_world_fittings hy_world_fittings_of(const hy_world_model *model, size_t index);

/// What only tanks have.
typedef struct {
    char team[HY_TEAM_TEXT]; ///< "" if it has none.
    hy_alliance side;
    hy_world_drive drive;                       ///< How it moves.
    double left_drive_rad_s, right_drive_rad_s; ///< Of the wheels at full duty, without load.
    /// At full duty.
    double intake_center_rad_s, intake_left_rad_s, intake_right_rad_s, tube_rad_s;
    double wheel_radius_m, track_m, wheelbase_m;
    bool has_lidar;
    double lidar_near_m, lidar_far_m;
    unsigned lidar_rays_per_step; ///< 80 with 8000 rays a second and steps of 10 ms.
    double lidar_ray_rad;         ///< From one ray to the next.
    double brownout_v;            ///< Its outputs are off below this; 0: never.
} hy_world_tank;

/// NULL if vehicle `index` is no tank. The model's.
const hy_world_tank *hy_world_tank_at(const hy_world_model *model, size_t index);

/// How dark the floor is at a point, as a reflectance sensor of no size would see it: 0 white .. 1
/// black.
double hy_world_darkness(const hy_world_model *model, double x_m, double y_m);

/// How well tyres grip the floor at a point, as a share of their grip on the rest of the floor: 1
/// but in the world's regions. O(regions).
double hy_world_floor_grip(const hy_world_model *model, hy_point at_m);

/// By how much the floor rises at a point towards +x and +y, radians: (0, 0) but on ramps.
/// O(regions).
hy_point hy_world_floor_slope(const hy_world_model *model, hy_point at_m);

/// Makes a state at step 0. `seed` feeds the noise of all sensors. `*state` is NULL if it fails:
/// HY_EMEMORY, or HY_EFULL beyond the engine's 128 worlds a process. End it with hy_world_close().
/// Any number of states may run on one model, each in one thread at a time.
hy_status hy_world_open(const hy_world_model *model, uint64_t seed, hy_world_state **state);
/// Makes `state` what hy_world_open() gives for this `seed`, bit for bit. Allocates nothing, but
/// the engine's memory is freed and taken anew. Costs as much as hy_world_open(). `model` is the
/// one that it was opened with.
void hy_world_restart(const hy_world_model *model, hy_world_state *state, uint64_t seed);
/// NULL is harmless.
void hy_world_close(hy_world_state *state);

/// What acts on the world during one step.
typedef struct {
    hy_actuators vehicle[HY_WORLD_VEHICLES];
    bool button[HY_WORLD_VEHICLES]; ///< Somebody holds the user button of that vehicle down.
} hy_world_input;

/// Advances by one fixed step. NaN inputs count as 0, others are clamped to their range. No
/// allocation but the engine's own growth. Costs about 0.3 us a vehicle in the open and 2 us near
/// walls.
void hy_world_step(const hy_world_model *model, hy_world_state *state, const hy_world_input *input);

/// Puts all vehicles where they started, at rest, and all pieces where they lay. Encoders, steps,
/// noise and lidars go on as they were: a reset carries robots, it does not reboot them. Only a
/// gyro whose calibration was spoiled is calibrated again.
void hy_world_reset(const hy_world_model *model, hy_world_state *state);

/// The same for one vehicle. False, and nothing happens, if something else is in its place.
bool hy_world_reset_vehicle(const hy_world_model *model, hy_world_state *state, size_t index);

/// Copies what the sensors of vehicle `index` (below hy_world_facts.vehicles; more is a caller's
/// bug) read after the last step, noise included, into `out`. O(1), about 200 bytes.
void hy_world_read_sensors(const hy_world_model *model, const hy_world_state *state, size_t index,
                           hy_sensors *out);

/// The same in two parts, because looking at the mat costs several times as much as the rest:
/// hy_world_read_sensors_without_reflectance() leaves `out->reflectance` without meaning,
/// hy_world_read_floor() reads it alone. Both are of the last step, whenever they are called.
void hy_world_read_sensors_without_reflectance(const hy_world_model *model,
                                               const hy_world_state *state, size_t index,
                                               hy_sensors *out);
/// The reflectance of vehicle `index`.
void hy_world_read_floor(const hy_world_model *model, const hy_world_state *state, size_t index,
                         double reflectance[HY_PIN_REFLECTANCE]);

/// What is true of a vehicle now: for referees, maps and tests, never for control code. O(edges).
/// The range is that of this moment; the rangefinder's reading may be one of its periods old.
typedef struct {
    double x_m, y_m, heading_rad; ///< Of the vehicle's origin; the heading never wraps.
    double speed_m_s, lateral_m_s, rate_z_rad_s; ///< Forward, to the left, counter-clockwise.
    /// Turned since the start, in counts, forward positive; for motors that drive no wheel,
    /// positive with their duty. 0 for channels that the vehicle does not have. Of a module with
    /// play this is where the wheel points, which its encoder, on the motor, does not see.
    double wheel_counts[HY_PIN_ENCODERS];
    double reflectance[HY_PIN_REFLECTANCE], range_m; ///< Without noise.
    double battery_v;
    /// Servo: its arm, 0 in the middle.
    double motor_duty[HY_PIN_MOTORS], servo_rad[HY_PIN_SERVOS];
    bool touching; ///< In contact with a wall, an obstacle, a piece or another vehicle.
    bool led, button;
    bool touching_field; ///< In contact with a wall, an obstacle or a goal.
    bool browned_out;    ///< The battery's voltage fell too low: the motors are switched off.
    size_t holds;        ///< Pieces in its intakes and its tube.
} hy_truth;

/// Computed when asked; costs about as much as a step, because range and mat are measured again.
hy_truth hy_world_truth(const hy_world_model *model, const hy_world_state *state, size_t index);

/// Where a vehicle is: the part of its truth that costs nothing. O(1).
typedef struct {
    double x_m, y_m, heading_rad;
    bool touching;
} hy_world_pose;

/// The pose of vehicle `index` (below hy_world_facts.vehicles) after the last step. O(1).
hy_world_pose hy_world_pose_of(const hy_world_state *state, size_t index);

/// The battery of a vehicle.
typedef struct {
    bool is_simulated; ///< False: an ideal drive takes no current, and the rest is 0.
    double volts;      ///< At its terminals, under the present load.
    bool browned_out;  ///< As of hy_truth.
} hy_world_battery;

/// The battery of vehicle `index` after the last step. O(1).
hy_world_battery hy_world_battery_of(const hy_world_model *model, const hy_world_state *state,
                                     size_t index);

/// Whether any tank touches a wall, an obstacle or a goal.
bool hy_world_field_is_touched(const hy_world_state *state);

/// Where a piece is. A centre decides.
typedef enum {
    HY_PIECE_FREE,
    HY_PIECE_INTAKE_CENTER,
    HY_PIECE_INTAKE_LEFT,
    HY_PIECE_INTAKE_RIGHT,
    HY_PIECE_TUBE,
    HY_PIECE_GOAL,
} hy_piece_place;

typedef struct {
    double x_m, y_m, z_m; ///< Its centre; z counts from where it is when it lies on the floor.
    double vx_m_s, vy_m_s, vz_m_s;
    hy_piece_place place;
    size_t of; ///< The vehicle that has it, or the goal that it is in; 0 if free.
} hy_piece;

/// Piece `index`, below hy_world_facts.pieces. O(1).
hy_piece hy_world_piece(const hy_world_state *state, size_t index);

/// Puts a piece somewhere else, free: `piece->place` and `of` are not read, for they follow from
/// where it is after the next step. NaN counts as 0.
void hy_world_place_piece(const hy_world_model *model, hy_world_state *state, size_t index,
                          const hy_piece *piece);

/// An echo of a lidar, in the axes of its vehicle.
typedef struct {
    double azimuth_rad; ///< [0, 2 pi], 0 ahead, counter-clockwise.
    double range_m;     ///< -1: nothing within reach.
} hy_world_echo;

/// What vehicle `index`'s lidar measured in the last step, at its end; `*count` of them, 0 without
/// a lidar. The state's, valid until its next step.
const hy_world_echo *hy_world_echoes(const hy_world_state *state, size_t index, size_t *count);

/// Most such numbers of one vehicle: nine of an IMU.
#define HY_WORLD_READINGS (9 * HY_WORLD_SENSORS)

/// One number that a sensor reads which is not wired.
typedef struct {
    const char *sensor;   ///< Its name, the model's.
    const char *quantity; ///< "reflectance", "range_m", "gyro_rate_z_rad_s", ...; static.
    double value;         ///< Noise included.
    double truth;         ///< Without noise, of this moment; of an IMU the value.
} hy_world_reading;

/// What sets vehicle `index` apart from its type, ideal included; the model's. NULL for types that
/// cannot have traits. O(1).
const hy_robot_traits *hy_world_traits(const hy_world_model *model, size_t index);

/// The sensors of vehicle `index` that are not wired, and what the spec says of each; the model's.
/// O(1).
size_t hy_world_extra_sensors(const hy_world_model *model, size_t index);
const hy_sensor_spec *hy_world_extra_sensor_at(const hy_world_model *model, size_t index,
                                               size_t sensor);

/// Writes the first `most` numbers that these sensors read after the last step, in the order of the
/// spec, and returns how many there are. `out` may be NULL if `most` is 0. A lidar has echoes
/// instead. O(edges) a range sensor.
size_t hy_world_read_extra_sensors(const hy_world_model *model, const hy_world_state *state,
                                   size_t index, hy_world_reading *out, size_t most);

/// What sensor `sensor` of these measured in the last step if it is a lidar, as hy_world_echoes(),
/// with azimuths in its own axes. The state's, valid until its next step.
const hy_world_echo *hy_world_extra_sensor_echoes(const hy_world_model *model,
                                                  const hy_world_state *state, size_t index,
                                                  size_t sensor, size_t *count);

/// Calibrates the gyro of a vehicle's board as at power-up. `is_moved`: somebody pushes the robot
/// meanwhile, so the gyro takes a part of that turn for its zero, and errs by a constant rate of 1
/// to 5 degrees a second, drawn anew, to either side (SPEC robot, The gyro's calibration). False:
/// the robot stands, and the error of a push is gone. Without effect on a vehicle that has no IMU,
/// and on sensors that its board does not have. O(1).
void hy_world_calibrate_gyro(const hy_world_model *model, hy_world_state *state, size_t index,
                             bool is_moved);

/// The board of a vehicle is switched off and on: its IMU is calibrated again, as at the start, so
/// that what is left of its biases is drawn anew, and its angles are 0. What else a power-up
/// changes is the board's. Without effect on a vehicle that has no IMU. O(1).
void hy_world_power_up(const hy_world_model *model, hy_world_state *state, size_t index);

/// Spread of the ranges of wired lidars from now on, metres; 0, as at the start, is no noise.
void hy_world_set_lidar_noise(hy_world_state *state, double noise_m);

/// Steps taken since the start.
uint64_t hy_world_steps(const hy_world_state *state);

/// A hash over everything that is known of every vehicle, its engine body's place and speed
/// included: equal states, equal hashes. What the engine remembers of a contact shows a step later.
/// O(vehicles and pieces).
uint64_t hy_world_hash(const hy_world_state *state);

// --------------------------------------------------------------------------- many worlds at a time

/// Worlds that take their steps together; to be used by one thread at a time.
typedef struct hy_world_batch hy_world_batch;

/// Most worlds of one batch.
#define HY_WORLD_BATCH_MAX 1000000

/// Starts `count` worlds (1 to HY_WORLD_BATCH_MAX) at step 0, all motors off; `seeds[i]` feeds
/// the noise of world i. HY_OK, or `*batch` is NULL: HY_ERANGE (`count`; a model with more than
/// one vehicle, with game pieces, lidars or other sensors that are not wired, or with a floor
/// whose edge is no rectangle), HY_EMEMORY, or HY_EFULL (hy_world_open()). Needs about 1.5 kB a
/// world. The model must outlive the batch. O(count).
hy_status hy_world_batch_open(const hy_world_model *model, const uint64_t *seeds, size_t count,
                              hy_world_batch **batch);
/// NULL is harmless.
void hy_world_batch_close(hy_world_batch *self);

/// Sets what acts on world `index` (below the batch's count; more is a caller's bug) from the
/// next step on, until it is set again. NaN counts as 0, the rest is clamped to its range.
/// `button`: somebody holds the user button down. O(1).
void hy_world_batch_set(hy_world_batch *self, size_t index, const hy_actuators *actuators,
                        bool button);

/// Advances every world by one fixed step. Allocates nothing.
void hy_world_batch_step(hy_world_batch *self);

/// Where the vehicle of world `index` is. O(1).
hy_world_pose hy_world_batch_pose(const hy_world_batch *self, size_t index);

/// World `index` as it is now, for all functions that read a state: sensors, truth, hash. The
/// batch's; valid until the next call with this batch. Copies about 1 kB.
const hy_world_state *hy_world_batch_look(hy_world_batch *self, size_t index);

/// Starts world `index` anew with that seed, motors off. Costs as much as a start.
void hy_world_batch_restart(hy_world_batch *self, size_t index, uint64_t seed);

/// How the steps are computed, for people: "avx512", "avx2", "sse2", "portable", or "one by
/// one". Static.
const char *hy_world_batch_path(const hy_world_batch *self);

HY_API_END

#endif
