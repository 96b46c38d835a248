/// @file kind.h
/// The kinds of vehicles: a table. A new kind is a new line, its fields, its numbers and its wheels.
#ifndef HY_WORLD_KIND_H
#define HY_WORLD_KIND_H

#include "state.h"

// --------------------------------------------------------------------------- the table

/// What a step is driven with.
typedef struct {
    /// What the bridges give to the motors, forward positive: hy_bridge_mean, or duty times the battery's.
    double volts[HY_VEHICLE_MOTORS];
    double share[HY_VEHICLE_MOTORS]; ///< Of the back-EMF, if the vehicle's bridge coasts.
    const double *grip;              ///< Of the floor under each tyre: hy_regions_grip().
} hy_drive_input;

typedef struct hy_vehicle_kind {
    const char *name;
    const hy_spec_table *table; ///< Its fields in the spec.
    /// `spec` is all zero but its type.
    void (*set_defaults)(hy_vehicle_spec *spec);
    /// Fills the vehicle from its spec; what all kinds share is filled already. Returns NULL, or a static
    /// sentence that says which numbers contradict each other.
    const char *(*build)(const hy_vehicle_spec *spec, hy_vehicle_model *vehicle);
    /// Derives what its wheels need, and `fastest_m_s`, `push_n_s` and `push_n_m_s`. Motors, body and
    /// outline are prepared.
    void (*prepare)(hy_vehicle_model *vehicle, double step_s);
    /// Advances the motion and every shaft's rate by one step; the new rates go to `shaft_rad_s`.
    void (*drive)(const hy_vehicle_model *vehicle, hy_vehicle_state *state,
                  const hy_drive_input *in, double *shaft_rad_s);
    // What only some kinds have; NULL of the others.
    /// Sets what of the state differs from start to start. `seed` is the vehicle's own.
    void (*start)(const hy_vehicle_model *vehicle, hy_vehicle_state *state, uint64_t seed);
    /// How far what a motor drives has turned, where that is not how far its shaft has.
    double (*turned_rad)(const hy_vehicle_model *vehicle, const hy_vehicle_state *state, int motor);
    /// Reads the switches of the vehicle's mechanics into `out`.
    void (*read_switches)(const hy_vehicle_model *vehicle, const hy_vehicle_state *state,
                          hy_sensors *out);
} hy_vehicle_kind;

extern const hy_vehicle_kind hy_vehicle_xrp;
extern const hy_vehicle_kind hy_vehicle_swerve;
extern const hy_vehicle_kind hy_vehicle_tank;

/// Of a type that there is.
const hy_vehicle_kind *hy_vehicle_kind_of(hy_vehicle_type type);

/// Whether a vehicle has no mass and no motors, and goes as it is told: a tank with an ideal drive.
static inline bool hy_vehicle_is_ideal(const hy_vehicle_model *vehicle)
{
    return vehicle->kind == &hy_vehicle_tank && vehicle->tank.facts.drive == HY_WORLD_DRIVE_IDEAL;
}

/// What hy_vehicle_build() returns if memory is used up.
#define HY_NO_MEMORY "there is not enough memory for this world"

/// Makes a vehicle of its spec. NULL, or a static sentence that says which numbers contradict each other.
const char *hy_vehicle_build(const hy_vehicle_spec *spec, hy_vehicle_model *vehicle);

/// The table of a robot's traits, as that of a list.
extern const hy_spec_table *const hy_robot_traits_tables[1];

/// The tables of all types of sensors.
extern const hy_spec_table *const hy_sensor_spec_tables[HY_SENSOR_TYPES];

// --------------------------------------------------------------------------- for the kinds

/// Fields of tables for hy_vehicle_spec.
// clang-format off
#define HY_NUMBER(section_, name_, member_, low_, high_, unit_)                             \
    { .section = section_, .name = name_, .type = HY_SPEC_NUMBER,                           \
      .offset = offsetof(hy_vehicle_spec, member_), .low = low_, .high = high_, .unit = unit_ }

/// A number of 0 or more that came with a later version of the byte form; 0 is what worlds without it have.
#define HY_NUMBER_SINCE(since_, section_, name_, member_, high_, unit_)                     \
    { .section = section_, .name = name_, .type = HY_SPEC_NUMBER, .since = since_,          \
      .offset = offsetof(hy_vehicle_spec, member_), .high = high_, .unit = unit_ }

/// The fields of a hy_motor_spec that is `member_`.
#define HY_MOTOR_FIELDS(section_, member_)                                                      \
    HY_NUMBER(section_, "nominal_v", member_.nominal_v, 1, 24, 1),                              \
    HY_NUMBER(section_, "no_load_rpm", member_.no_load_rad_s, 10, 2000, HY_RAD_S_PER_RPM),      \
    HY_NUMBER(section_, "start_v", member_.start_v, 0, 10, 1),                                  \
    HY_NUMBER(section_, "stall_a", member_.stall_a, 0.05, 20, 1),                               \
    HY_NUMBER(section_, "stall_n_m", member_.stall_n_m, 0.005, 5, 1),                           \
    HY_NUMBER(section_, "gear_ratio", member_.gear_ratio, 1, 1000, 1),                          \
    HY_NUMBER(section_, "rotor_kg_m2", member_.rotor_kg_m2, 1e-9, 1e-4, 1),                     \
    HY_NUMBER(section_, "counts_per_turn", member_.counts_per_turn, 1, 100000, 1)

/// The friction of a hy_motor_spec's shaft that stands.
#define HY_BREAKAWAY_FIELD(section_, motor_)                                                    \
    HY_NUMBER_SINCE(2, section_, "breakaway", motor_.breakaway, 5, 1)
/// The fields of a hy_bridge_spec.
#define HY_BRIDGE_FIELDS(member_, since_)                                                       \
    { .section = "bridge", .name = "decay", .type = HY_SPEC_CHOICE, .since = since_,            \
      .offset = offsetof(hy_vehicle_spec, member_.decay), .high = HY_DECAY_COAST + 1 },         \
    HY_NUMBER_SINCE(since_, "bridge", "pwm_hz", member_.pwm_hz, 100000, 1),                     \
    HY_NUMBER_SINCE(since_, "bridge", "inductance_h", member_.inductance_h, 0.1, 1)

/// The fields of every vehicle; they come first in its table. Small robots have a body of those measures.
#define HY_START_FIELDS                                                                         \
    { .section = "start", .name = "x_m", .type = HY_SPEC_NUMBER, .needed = true,                \
      .offset = offsetof(hy_vehicle_spec, start_x_m), .high = 1000 },                           \
    { .section = "start", .name = "y_m", .type = HY_SPEC_NUMBER, .needed = true,                \
      .offset = offsetof(hy_vehicle_spec, start_y_m), .high = 1000 },                           \
    HY_NUMBER("start", "heading_deg", start_heading_rad, -360, 360, HY_RAD_PER_DEG)
#define HY_BODY_FIELDS                                                                          \
    HY_NUMBER("body", "mass_kg", mass_kg, 0.1, 10, 1),                                          \
    HY_NUMBER("body", "inertia_kg_m2", inertia_kg_m2, 1e-4, 1, 1),                              \
    HY_NUMBER("body", "com_ahead_m", com_ahead_m, 0, 0.2, 1),                                   \
    HY_NUMBER("body", "front_m", front_m, 0.02, 0.5, 1),                                        \
    HY_NUMBER("body", "rear_m", rear_m, 0.02, 0.5, 1),                                          \
    HY_NUMBER("body", "width_m", width_m, 0.02, 0.5, 1)
#define HY_BATTERY_FIELDS                                                                       \
    HY_NUMBER("battery", "volts", battery.open_v, 1, 24, 1),                                    \
    HY_NUMBER("battery", "resistance_ohm", battery.resistance_ohm, 0, 10, 1),                   \
    HY_NUMBER("battery", "board_a", battery.board_a, 0, 2, 1)
#define HY_SENSORS_FIELD                                                                        \
    { .name = "sensors", .type = HY_SPEC_LIST, .offset = offsetof(hy_vehicle_spec, sensor),     \
      .count_offset = offsetof(hy_vehicle_spec, sensor_count), .high = HY_WORLD_SENSORS,        \
      .tables = hy_sensor_spec_tables, .table_count = HY_SENSOR_TYPES }
#define HY_TRAITS_FIELD(since_)                                                                 \
    { .name = "robot", .type = HY_SPEC_LIST, .offset = offsetof(hy_vehicle_spec, traits),       \
      .count_offset = offsetof(hy_vehicle_spec, traits_count), .high = 1, .since = since_,      \
      .tables = hy_robot_traits_tables, .table_count = 1 }
#define HY_VEHICLE_TABLE(name_, fields_)                                                        \
    { "a vehicle of kind " name_, sizeof(hy_vehicle_spec), fields_,                             \
      sizeof(fields_) / sizeof((fields_)[0]) }
// clang-format on

/// What sets one robot apart from its type: first into its spec, and of an XRP into what the kind has built from it.
void hy_traits_apply_to_spec(const hy_robot_traits *traits, hy_vehicle_spec *vehicle);
void hy_traits_apply_to_model(const hy_robot_traits *traits, hy_vehicle_model *vehicle);

extern const hy_spec_table hy_xrp_spec_table, hy_swerve_spec_table, hy_tank_spec_table;

/// Adds a wired sensor of that type to the defaults of a vehicle.
hy_sensor_spec *hy_vehicle_spec_wire(hy_vehicle_spec *spec, hy_sensor_type type, hy_point at_m);

/// The speed of a wheel's rim on that motor without load.
static inline double hy_motor_fastest_m_s(const hy_vehicle_model *vehicle, int motor, double radius_m)
{
    return radius_m * vehicle->battery.open_v / vehicle->motor[motor].emf_v_s;
}

#endif
