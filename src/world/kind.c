#include "kind.h"
#include "load.h"

#include <string.h>

#define GRAVITY_M_S2 9.80665

// --------------------------------------------------------------------------- keys of all vehicles

#define NUMBER(...) HY_NUMBER(hy_vehicle_spec, __VA_ARGS__)
#define POINT(...)  HY_POINT(hy_vehicle_spec, __VA_ARGS__)
#define NEEDED(key_, member_)                                                           \
    {                                                                                   \
        .key = key_, .type = HY_YAML_NUMBER, .required = true,                          \
        .offset = offsetof(hy_vehicle_spec, member_), .low = 0, .high = 1000, .unit = 1 \
    }

static const hy_yaml_field start_fields[] = {
    NEEDED("x_m", start_x_m),
    NEEDED("y_m", start_y_m),
    NUMBER("heading_deg", start_heading_rad, -360, 360, HY_RAD_PER_DEG),
};
const hy_yaml_table hy_start_table = HY_YAML_TABLE("start", start_fields);

static const hy_yaml_field body_fields[] = {
    NUMBER("mass_kg", mass_kg, 0.1, 10, 1),
    NUMBER("inertia_kg_m2", inertia_kg_m2, 1e-4, 1, 1),
    NUMBER("com_ahead_m", com_ahead_m, 0, 0.2, 1),
    NUMBER("front_m", front_m, 0.02, 0.5, 1),
    NUMBER("rear_m", rear_m, 0.02, 0.5, 1),
    NUMBER("width_m", width_m, 0.02, 0.5, 1),
};
const hy_yaml_table hy_body_table = HY_YAML_TABLE("body", body_fields);

static const hy_yaml_field battery_fields[] = {
    NUMBER("volts", battery.open_v, 1, 24, 1),
    NUMBER("resistance_ohm", battery.resistance_ohm, 0, 10, 1),
    NUMBER("board_a", battery.board_a, 0, 2, 1),
};
const hy_yaml_table hy_battery_table = HY_YAML_TABLE("battery", battery_fields);

static const hy_yaml_field imu_fields[] = {
    POINT("at_m", imu.at_m, -0.5, 0.5),
    NUMBER("gyro_noise_dps", imu.gyro_noise_rad_s, 0, 100, HY_RAD_PER_DEG),
    NUMBER("gyro_bias_dps", imu.gyro_bias_rad_s, 0, 100, HY_RAD_PER_DEG),
    NUMBER("gyro_drift_dps", imu.gyro_drift_rad_s, 0, 10, HY_RAD_PER_DEG),
    NUMBER("accel_noise_g", imu.accel_noise_m_s2, 0, 1, GRAVITY_M_S2),
    NUMBER("accel_bias_g", imu.accel_bias_m_s2, 0, 1, GRAVITY_M_S2),
};
const hy_yaml_table hy_imu_table = HY_YAML_TABLE("imu", imu_fields);

bool hy_skip_kind(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    (void)yaml, (void)field, (void)node, (void)target; // it brought us here
    return true;
}

// --------------------------------------------------------------------------- what kinds share

hy_imu_model hy_imu_default(void)
{
    return (hy_imu_model){
        .gyro_noise_rad_s = 0.04 * HY_RAD_PER_DEG,
        .gyro_bias_rad_s = 0.01 * HY_RAD_PER_DEG,
        .gyro_drift_rad_s = 0.001 * HY_RAD_PER_DEG,
        .accel_noise_m_s2 = 0.001 * GRAVITY_M_S2,
        .accel_bias_m_s2 = 0.002 * GRAVITY_M_S2,
    };
}

hy_motor_model hy_motor_of(const hy_motor_spec *spec, double speed, double drag_n_m)
{
    // The data sheet gives two points of the motor's line from no load to stall.
    hy_motor_model motor = { .resistance_ohm = spec->nominal_v / spec->stall_a };
    const double working_v = spec->nominal_v - spec->start_v;
    motor.emf_v_s = working_v / (spec->no_load_rad_s * speed);
    motor.torque_n_m_a = spec->stall_n_m * motor.resistance_ohm / working_v;
    motor.coulomb_n_m = motor.torque_n_m_a * spec->start_v / motor.resistance_ohm + drag_n_m;
    motor.inertia_kg_m2 = spec->rotor_kg_m2 * spec->gear_ratio * spec->gear_ratio + spec->load_kg_m2;
    motor.counts_per_rad = spec->counts_per_turn / (2 * HY_PI);
    motor.forward = 1;
    return motor;
}

double hy_motor_fastest_m_s(const hy_vehicle_model *vehicle, int motor, double radius_m)
{
    return radius_m * vehicle->battery.open_v / vehicle->motor[motor].emf_v_s;
}

// --------------------------------------------------------------------------- loading

const hy_vehicle_kind *hy_vehicle_kind_find(const char *name)
{
    static const hy_vehicle_kind *const kinds[] = { &hy_vehicle_xrp, &hy_vehicle_swerve,
                                                    &hy_vehicle_tank };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i]->name, name) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}

/// What all kinds share; the kind does the rest.
static const char *build(const hy_vehicle_kind *kind, const hy_vehicle_spec *spec,
                         hy_vehicle_model *vehicle)
{
    const double side_m = spec->width_m / 2;
    const double front_m = spec->front_m, rear_m = spec->rear_m;
    *vehicle = (hy_vehicle_model){
        .kind = kind,
        .start = hy_pose_make(spec->start_x_m, spec->start_y_m, spec->start_heading_rad),
        .body = { .mass_kg = spec->mass_kg,
                  .inertia_kg_m2 = spec->inertia_kg_m2,
                  .com_ahead_m = spec->com_ahead_m },
        .battery = spec->battery,
        .imu = spec->imu,
        .corner_m = { { front_m, -side_m },
                      { front_m, side_m },
                      { -rear_m, side_m },
                      { -rear_m, -side_m } },
        .part = { { .kind = HY_PART_BODY,
                    .corners = { { front_m, -side_m },
                                 { front_m, side_m },
                                 { -rear_m, side_m },
                                 { -rear_m, -side_m } },
                    .count = HY_VEHICLE_CORNERS } },
        .part_count = 1,
    };
    return kind->build(spec, vehicle);
}

bool hy_vehicle_load(hy_yaml *yaml, const hy_vehicle_kind *kind, hy_yaml_node *node,
                     hy_vehicle_model *vehicle)
{
    hy_vehicle_spec spec;
    kind->set_defaults(&spec);
    if (!hy_yaml_map(yaml, kind->table, node, &spec)) {
        return false;
    }
    const hy_world_changes *changes = hy_load_changes(yaml);
    if (kind == &hy_vehicle_tank && changes->drive != HY_WORLD_DRIVE_AS_FILED) {
        spec.of.tank.drive_model = changes->drive;
    }
    const char *wrong = build(kind, &spec, vehicle); // static, or NULL
    return wrong == NULL || hy_yaml_fail(yaml, HY_ERANGE, node, "%s", wrong);
}

const char *hy_vehicle_make(const hy_world_guest *guest, const hy_world_changes *changes,
                            hy_vehicle_model *vehicle)
{
    const hy_vehicle_kind *kind = hy_vehicle_kind_find(guest->kind);
    if (kind == NULL) {
        return "there is no such kind of vehicle; kinds: xrp, swerve, tank";
    }
    hy_vehicle_spec spec;
    kind->set_defaults(&spec);
    if (!(guest->heading_rad >= -100 && guest->heading_rad <= 100)) {
        return "its heading must lie within 100 rad";
    }
    spec.start_x_m = guest->x_m;
    spec.start_y_m = guest->y_m;
    spec.start_heading_rad = guest->heading_rad;
    if (kind == &hy_vehicle_tank && changes->drive != HY_WORLD_DRIVE_AS_FILED) {
        spec.of.tank.drive_model = changes->drive;
    }
    // cppcheck-suppress returnDanglingLifetime // what comes back is static, or NULL
    return build(kind, &spec, vehicle);
}
