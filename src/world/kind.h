/// @file kind.h
/// The kinds of vehicles: a table. A new kind is a new line, its keys, its numbers and its wheels.
#ifndef HY_WORLD_KIND_H
#define HY_WORLD_KIND_H

#include "state.h"

#include <halyard/config.h>

// --------------------------------------------------------------------------- numbers of a world file

/// A gear motor as its data sheet has it, at the output shaft; docs/spec/world.md has the source of each.
typedef struct {
    double nominal_v, no_load_rad_s, start_v, stall_a, stall_n_m, gear_ratio, rotor_kg_m2,
        load_kg_m2, counts_per_turn;
} hy_motor_spec;

/// The numbers of an XRP.
typedef struct {
    double diameter_m, track_m, left_size, right_size, grip, rolling_resistance;
    double caster_ahead_m, caster_friction;
    hy_motor_spec motor;
    double left_speed, right_speed;
    hy_reflectance_model reflectance;
    hy_range_model range;
    double servo_rad_s;
} hy_xrp_spec;

/// The numbers of a robot with four steered wheels.
typedef struct {
    double wheelbase_m, track_m, diameter_m, grip, creep_m_s, rolling_resistance, patch_radius_m;
    hy_motor_spec drive, azimuth;
} hy_swerve_spec;

/// The numbers of a laser scanner.
typedef struct {
    bool fitted;
    double near_m, far_m, rays_per_s, sweeps_per_s;
} hy_lidar_spec;

/// The numbers of a competition robot.
typedef struct {
    char team[sizeof((hy_world_tank *)0)->team];
    hy_world_side side;
    hy_world_drive drive_model;
    double left_rad_s, right_rad_s, intake_rad_s[4]; ///< Center, left, right, tube.
    double wheel_radius_m, track_m, wheelbase_m, grip, rolling_resistance, scrub;
    hy_motor_spec motor; ///< Of one side, all its motors together; its no-load speed is above.
    hy_lidar_spec lidar;
    hy_world_part part[HY_WORLD_PARTS];
    size_t part_count;
} hy_tank_spec;

/// The numbers of any vehicle, and of its kind.
typedef struct {
    double start_x_m, start_y_m, start_heading_rad;
    double mass_kg, inertia_kg_m2, com_ahead_m, front_m, rear_m, width_m;
    hy_battery_model battery;
    hy_imu_model imu;
    union {
        hy_xrp_spec xrp;
        hy_swerve_spec swerve;
        hy_tank_spec tank;
    } of;
} hy_vehicle_spec;

// --------------------------------------------------------------------------- the table

typedef struct hy_vehicle_kind {
    const char *name;
    const hy_yaml_table *table; ///< Its keys.
    void (*set_defaults)(hy_vehicle_spec *spec);
    /// Fills the vehicle from what the file said; what all kinds share is filled already. Returns NULL, or
    /// a static sentence that says which numbers contradict each other.
    const char *(*build)(const hy_vehicle_spec *spec, hy_vehicle_model *vehicle);
    /// Derives what its wheels need, and `fastest_m_s`, `push_n_s` and `push_n_m_s`. Motors, body and
    /// outline are prepared.
    void (*prepare)(hy_vehicle_model *vehicle, double step_s);
    /// Advances the motion and every shaft's rate by one step. `volts` are at the motors, forward
    /// positive; the new rates go to `shaft_rad_s`.
    void (*drive)(const hy_vehicle_model *vehicle, hy_vehicle_state *state, const double *volts,
                  double *shaft_rad_s);
} hy_vehicle_kind;

extern const hy_vehicle_kind hy_vehicle_xrp;
extern const hy_vehicle_kind hy_vehicle_swerve;
extern const hy_vehicle_kind hy_vehicle_tank;

/// The kind called `name`, or NULL.
const hy_vehicle_kind *hy_vehicle_kind_find(const char *name);

/// Whether a vehicle has no mass and no motors, and goes as it is told: a tank with an ideal drive.
static inline bool hy_vehicle_is_ideal(const hy_vehicle_model *vehicle)
{
    return vehicle->kind == &hy_vehicle_tank && vehicle->tank.facts.drive == HY_WORLD_DRIVE_IDEAL;
}

/// Reads a vehicle of `kind` from its map.
bool hy_vehicle_load(hy_yaml *yaml, const hy_vehicle_kind *kind, hy_yaml_node *node,
                     hy_vehicle_model *vehicle);

/// Makes a vehicle of its kind's defaults. NULL, or a static sentence that says what is wrong.
const char *hy_vehicle_make(const hy_world_guest *guest, const hy_world_changes *changes,
                            hy_vehicle_model *vehicle);

// --------------------------------------------------------------------------- for the kinds

#define HY_RAD_PER_DEG   (HY_PI / 180)
#define HY_RAD_S_PER_RPM (2 * HY_PI / 60)

/// Fields of tables for a `struct_`, which may be a part of hy_vehicle_spec.
// clang-format off
#define HY_NUMBER(struct_, key_, member_, low_, high_, unit_)                               \
    { .key = key_, .type = HY_YAML_NUMBER, .offset = offsetof(struct_, member_),            \
      .low = low_, .high = high_, .unit = unit_ }
#define HY_POINT(struct_, key_, member_, low_, high_)                                       \
    { .key = key_, .type = HY_YAML_POINT, .offset = offsetof(struct_, member_),             \
      .low = low_, .high = high_ }
#define HY_MAP(key_, offset_, table_)                                                       \
    { .key = key_, .type = HY_YAML_MAP, .offset = offset_, .table = &(table_) }

/// The keys of a hy_motor_spec that is `member_` of `struct_`.
#define HY_MOTOR_FIELDS(struct_, member_)                                                   \
    HY_NUMBER(struct_, "nominal_v", member_.nominal_v, 1, 24, 1),                           \
    HY_NUMBER(struct_, "no_load_rpm", member_.no_load_rad_s, 10, 2000, HY_RAD_S_PER_RPM),   \
    HY_NUMBER(struct_, "start_v", member_.start_v, 0, 10, 1),                               \
    HY_NUMBER(struct_, "stall_a", member_.stall_a, 0.05, 20, 1),                            \
    HY_NUMBER(struct_, "stall_n_m", member_.stall_n_m, 0.005, 5, 1),                        \
    HY_NUMBER(struct_, "gear_ratio", member_.gear_ratio, 1, 1000, 1),                       \
    HY_NUMBER(struct_, "rotor_kg_m2", member_.rotor_kg_m2, 1e-9, 1e-4, 1),                  \
    HY_NUMBER(struct_, "counts_per_turn", member_.counts_per_turn, 1, 100000, 1)

/// The keys that every vehicle has; they go first into its table.
#define HY_VEHICLE_FIELDS                                                                   \
    { .key = "kind", .type = HY_YAML_OTHER, .read = hy_skip_kind, .required = true },       \
    { .key = "start", .type = HY_YAML_MAP, .table = &hy_start_table, .required = true },    \
    HY_MAP("body", 0, hy_body_table),                                                       \
    HY_MAP("battery", 0, hy_battery_table),                                                 \
    HY_MAP("imu", 0, hy_imu_table)
// clang-format on

extern const hy_yaml_table hy_start_table, hy_body_table, hy_battery_table, hy_imu_table;
hy_yaml_reader hy_skip_kind;

/// The IMU of both robots' boards, at the middle.
hy_imu_model hy_imu_default(void);

/// The motor's constants from its data sheet. `speed` is the share of the no-load speed that it really
/// has, `drag_n_m` the dry friction of what it turns.
hy_motor_model hy_motor_of(const hy_motor_spec *spec, double speed, double drag_n_m);

/// The speed of a wheel's rim on that motor without load.
double hy_motor_fastest_m_s(const hy_vehicle_model *vehicle, int motor, double radius_m);

#endif
