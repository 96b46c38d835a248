// The spec of a sensor: defaults, tables of fields, and the sensors of a vehicle.
#include "spec_fields.h"
#include "vehicles/kind.h"

#define MS 1e-3

const char *hy_sensor_type_name(hy_sensor_type type)
{
    static const char *const names[HY_SENSOR_TYPES] = {
        [HY_SENSOR_IMU] = "imu", [HY_SENSOR_REFLECTANCE] = "reflectance", [HY_SENSOR_RANGE] = "range", [HY_SENSOR_LIDAR] = "lidar"
    };
    return names[type];
}

// --------------------------------------------------------------------------- tables

// Sensors. `wired`, `name` and `at_m` come first in each.
#define SENSOR(type_, section_, name_, member_, low_, high_, unit_) \
    HY_SPEC_ROW(hy_sensor_spec, type_, section_, name_, member_, low_, high_, unit_)
#define ANY_SENSOR_FIELDS                                       \
    SENSOR(FLAG, NULL, "wired", wired, 0, 1, 1),                \
        SENSOR(TEXT, NULL, "name", name, 0, HY_SENSOR_TEXT, 1), \
        SENSOR(POINT, NULL, "at_m", at_m, -0.5, 0.5, 1)
#define HEADING_FIELD SENSOR(NUMBER, NULL, "heading_deg", heading_rad, -360, 360, HY_RAD_PER_DEG)

static const hy_spec_field imu_fields[] = {
    ANY_SENSOR_FIELDS,
    SENSOR(NUMBER, NULL, "gyro_noise_dps", of.imu.gyro_noise_rad_s, 0, 100, HY_RAD_PER_DEG),
    SENSOR(NUMBER, NULL, "gyro_bias_dps", of.imu.gyro_bias_rad_s, 0, 100, HY_RAD_PER_DEG),
    SENSOR(NUMBER, NULL, "gyro_drift_dps", of.imu.gyro_drift_rad_s, 0, 10, HY_RAD_PER_DEG),
    SENSOR(NUMBER, NULL, "accel_noise_g", of.imu.accel_noise_m_s2, 0, 1, HY_GRAVITY_M_S2),
    SENSOR(NUMBER, NULL, "accel_bias_g", of.imu.accel_bias_m_s2, 0, 1, HY_GRAVITY_M_S2),
};
static const hy_spec_field reflectance_fields[] = {
    ANY_SENSOR_FIELDS,
    SENSOR(NUMBER, NULL, "spot_radius_m", of.reflectance.spot_radius_m, 0, 0.02, 1),
    SENSOR(NUMBER, NULL, "noise", of.reflectance.noise, 0, 0.5, 1),
};
static const hy_spec_field range_fields[] = {
    ANY_SENSOR_FIELDS,
    HEADING_FIELD,
    SENSOR(NUMBER, NULL, "half_cone_deg", of.range.half_cone_rad, 0, 45, HY_RAD_PER_DEG),
    SENSOR(NUMBER, NULL, "near_m", of.range.near_m, 0, 1, 1),
    SENSOR(NUMBER, NULL, "far_m", of.range.far_m, 1, 20, 1),
    SENSOR(NUMBER, NULL, "noise_m", of.range.noise_m, 0, 0.5, 1),
    SENSOR(NUMBER, NULL, "period_ms", of.range.period_s, 1, 1000, MS),
};
static const hy_spec_field lidar_fields[] = {
    ANY_SENSOR_FIELDS,
    HEADING_FIELD,
    SENSOR(NUMBER, NULL, "near_m", of.lidar.near_m, 0, 10, 1),
    SENSOR(NUMBER, NULL, "far_m", of.lidar.far_m, 0.1, 200, 1),
    SENSOR(NUMBER, NULL, "rays_per_s", of.lidar.rays_per_s, 1, 20000, 1),
    SENSOR(NUMBER, NULL, "sweeps_per_s", of.lidar.sweeps_per_s, 1, 1000, 1),
    SENSOR(NUMBER, NULL, "noise_m", of.lidar.noise_m, 0, 10, 1),
};
static const hy_spec_table imu_table = HY_SPEC_TABLE(hy_sensor_spec, "imu", imu_fields);
static const hy_spec_table reflectance_table =
    HY_SPEC_TABLE(hy_sensor_spec, "reflectance", reflectance_fields);
static const hy_spec_table range_table = HY_SPEC_TABLE(hy_sensor_spec, "range", range_fields);
static const hy_spec_table lidar_table = HY_SPEC_TABLE(hy_sensor_spec, "lidar", lidar_fields);
const hy_spec_table *const hy_sensor_spec_tables[HY_SENSOR_TYPES] = {
    [HY_SENSOR_IMU] = &imu_table,
    [HY_SENSOR_REFLECTANCE] = &reflectance_table,
    [HY_SENSOR_RANGE] = &range_table,
    [HY_SENSOR_LIDAR] = &lidar_table,
};

const hy_spec_table *hy_sensor_spec_table(hy_sensor_type type)
{
    return hy_sensor_spec_tables[type];
}

// --------------------------------------------------------------------------- defaults

void hy_sensor_spec_init(hy_sensor_spec *sensor, hy_sensor_type type)
{
    *sensor = (hy_sensor_spec){ .type = type };
    switch (type) {
    case HY_SENSOR_IMU: // that of both robots' boards
        sensor->of.imu = (hy_imu_spec){
            .gyro_noise_rad_s = 0.04 * HY_RAD_PER_DEG,
            .gyro_bias_rad_s = 0.01 * HY_RAD_PER_DEG,
            .gyro_drift_rad_s = 0.001 * HY_RAD_PER_DEG,
            .accel_noise_m_s2 = 0.001 * HY_GRAVITY_M_S2,
            .accel_bias_m_s2 = 0.002 * HY_GRAVITY_M_S2,
        };
        break;
    case HY_SENSOR_REFLECTANCE:
        sensor->of.reflectance = (hy_reflectance_spec){ .spot_radius_m = 0.003, .noise = 0.005 };
        break;
    case HY_SENSOR_RANGE:
        sensor->of.range = (hy_range_spec){ .half_cone_rad = 15 * HY_RAD_PER_DEG,
                                            .near_m = 0.02,
                                            .far_m = 4.0,
                                            .noise_m = 0.002,
                                            .period_s = 0.050 };
        break;
    case HY_SENSOR_LIDAR:
        sensor->of.lidar =
            (hy_lidar_spec){ .near_m = 0.75, .far_m = 12, .rays_per_s = 8000, .sweeps_per_s = 10 };
        break;
    case HY_SENSOR_TYPES: break;
    }
}

// --------------------------------------------------------------------------- the sensors of a vehicle

hy_sensor_spec *hy_vehicle_spec_wired(hy_vehicle_spec *vehicle, hy_sensor_type type, size_t number)
{
    for (size_t i = 0; i < vehicle->sensor_count; i++) {
        if (vehicle->sensor[i].wired && vehicle->sensor[i].type == type && number-- == 0) {
            return &vehicle->sensor[i];
        }
    }
    return NULL;
}

hy_sensor_spec *hy_vehicle_spec_add_sensor(hy_vehicle_spec *vehicle, hy_sensor_type type)
{
    if (vehicle->sensor_count >= HY_WORLD_SENSORS) {
        return NULL;
    }
    hy_sensor_spec *sensor = &vehicle->sensor[vehicle->sensor_count++];
    hy_sensor_spec_init(sensor, type);
    return sensor;
}

hy_sensor_spec *hy_vehicle_spec_wire(hy_vehicle_spec *spec, hy_sensor_type type, hy_point at_m)
{
    hy_sensor_spec *sensor = hy_vehicle_spec_add_sensor(spec, type);
    sensor->wired = true;
    sensor->at_m = at_m;
    return sensor;
}
