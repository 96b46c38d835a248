/// @file world.h
/// Small worlds for small robots: a floor with a mat, walls and obstacles, and vehicles with motors,
/// encoders, an IMU, reflectance sensors and a rangefinder. Knows no protocol and no clock.
///
/// Deterministic: the same model, seed and inputs give the same states, bit for bit, whatever the
/// compiler and its optimisation. SI units; x to the right (east), y up (north) on the map, headings
/// counter-clockwise from +x.
#ifndef HALYARD_WORLD_H
#define HALYARD_WORLD_H

#include <halyard/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HY_WORLD_VEHICLES 8 ///< Most vehicles of one world.

/// What a world file says; never changes after loading, may be shared between threads.
typedef struct hy_world_model hy_world_model;

/// Everything that changes, the physics engine's bodies included.
typedef struct hy_world_state hy_world_state;

/// Why a world could not be loaded: one sentence with file, line, column and what to do.
typedef struct {
    char text[320];
} hy_world_error;

/// Loads a world file (YAML, docs/spec/world.md), and the pictures that it names relative to itself.
/// On failure `*model` is NULL and `error` tells why: HY_EFILE, HY_EFORMAT, HY_ERANGE, or HY_ESYSTEM if
/// memory is used up. Allocates; free with hy_world_free(). Safe with hostile files: bounded time
/// and memory (at most 16 million cells of a mat).
hy_status hy_world_load(const char *path, hy_world_model **model, hy_world_error *error);

/// The same from memory. `name` stands for the file in messages; pictures are looked for in `folder`.
hy_status hy_world_parse(hy_bytes yaml, const char *name, const char *folder,
                         hy_world_model **model, hy_world_error *error);

/// Frees a model; NULL is harmless. Its states must be ended before.
void hy_world_free(hy_world_model *model);

/// Static facts of a model.
typedef struct {
    const char *name;         ///< The model's; valid as long as it is.
    int64_t step_us;          ///< One fixed step, microseconds.
    double width_m, height_m; ///< Extent of the floor; its lower left corner is (0, 0).
    size_t vehicles;
} hy_world_facts;
/// `name` is valid as long as the model. O(1).
hy_world_facts hy_world_describe(const hy_world_model *model);

/// What vehicle `index` is: "xrp" or "swerve", static.
const char *hy_world_vehicle_kind(const hy_world_model *model, size_t index);

/// A straight wall or edge of an obstacle, for drawing.
typedef struct {
    double x0_m, y0_m, x1_m, y1_m;
} hy_world_segment;

/// The world's edges; `*count` of them, the model's.
const hy_world_segment *hy_world_segments(const hy_world_model *model, size_t *count);

/// How dark the floor is at a point, as a reflectance sensor of no size would see it: 0 white .. 1 black.
double hy_world_darkness(const hy_world_model *model, double x_m, double y_m);

/// Starts a state at step 0. `seed` feeds the noise of all sensors. NULL if memory, or the engine's
/// number of worlds (128 a process), is used up. End it with hy_world_end(). Any number of states may
/// run on one model, each in one thread at a time.
hy_world_state *hy_world_start(const hy_world_model *model, uint64_t seed);
/// NULL is harmless.
void hy_world_end(hy_world_state *state);

/// What acts on the world during one step.
typedef struct {
    hy_actuators vehicle[HY_WORLD_VEHICLES];
    bool button[HY_WORLD_VEHICLES]; ///< Somebody holds the user button of that vehicle down.
} hy_world_input;

/// Advances by one fixed step. NaN inputs count as 0, others are clamped to their range. No allocation
/// but the engine's own growth. Costs about 0.3 us a vehicle in the open and 2 us near walls.
void hy_world_step(const hy_world_model *model, hy_world_state *state, const hy_world_input *input);

/// What vehicle `index` (below hy_world_facts.vehicles; more is a caller's bug) feels now, noise included;
/// the state's, valid until its next step. O(1).
const hy_sensors *hy_world_sensors(const hy_world_state *state, size_t index);

/// What is true of a vehicle now: for referees, maps and tests, never for control code. O(edges). The
/// range is that of this moment; the rangefinder's reading may be one of its periods old.
typedef struct {
    double x_m, y_m, heading_rad; ///< Of the vehicle's origin; the heading never wraps.
    double speed_m_s, lateral_m_s, rate_z_rad_s; ///< Forward, to the left, counter-clockwise.
    /// Turned since the start, in counts, forward positive; for motors that drive no wheel, positive
    /// with their duty. 0 for channels that the vehicle does not have.
    double wheel_counts[HY_PIN_ENCODERS];
    double reflectance[HY_PIN_REFLECTANCE], range_m; ///< Without noise.
    double battery_v;
    double motor_duty[HY_PIN_MOTORS], servo_rad[HY_PIN_SERVOS]; ///< Servo: its arm, 0 in the middle.
    bool touching; ///< In contact with a wall, an obstacle or another vehicle.
    bool led, button;
} hy_truth;

/// Computed when asked: about as dear as a step, for the range and the mat are measured anew.
hy_truth hy_world_truth(const hy_world_model *model, const hy_world_state *state, size_t index);

/// Steps taken since the start.
uint64_t hy_world_steps(const hy_world_state *state);

/// A hash over everything that is known of every vehicle, its engine body's place and speed included:
/// equal states, equal hashes. What the engine remembers of a contact shows a step later. O(vehicles).
uint64_t hy_world_hash(const hy_world_state *state);

#ifdef __cplusplus
}
#endif

#endif
