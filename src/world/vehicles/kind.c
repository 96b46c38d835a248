#include "kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------------------- sensors

static void build_lidar(const hy_sensor_spec *sensor, hy_lidar_model *lidar)
{
    const hy_lidar_spec *of = &sensor->of.lidar;
    *lidar = (hy_lidar_model){
        .fitted = true,
        .near_m = of->near_m,
        .far_m = of->far_m,
        .ray_rad = 2 * HY_PI * of->sweeps_per_s / of->rays_per_s,
        .rays_per_s = (uint64_t)of->rays_per_s,
        .sweeps_per_s = (uint64_t)of->sweeps_per_s,
        .noise_m = of->noise_m,
    };
}

static const char *check_sensor(const hy_sensor_spec *sensor)
{
    const hy_lidar_spec *lidar = &sensor->of.lidar;
    if (sensor->type == HY_SENSOR_RANGE && sensor->of.range.near_m >= sensor->of.range.far_m) {
        return "rangefinder: near_m must be less than far_m";
    }
    if (sensor->type != HY_SENSOR_LIDAR) {
        return NULL;
    }
    if (lidar->near_m >= lidar->far_m) {
        return "lidar: near_m must be less than far_m";
    }
    if (lidar->rays_per_s != floor(lidar->rays_per_s) ||
        lidar->sweeps_per_s != floor(lidar->sweeps_per_s)) {
        return "lidar: rays_per_s and sweeps_per_s must be whole numbers";
    }
    return lidar->rays_per_s < 8 * lidar->sweeps_per_s ? "lidar: a sweep must have at least 8 rays"
                                                       : NULL;
}

static const char *build_wired(const hy_sensor_spec *sensor, hy_vehicle_model *vehicle)
{
    const hy_vec at_m = hy_vec_of(sensor->at_m);
    hy_reflectance_model *floor = &vehicle->reflectance;
    bool too_many = false;
    switch (sensor->type) {
    case HY_SENSOR_IMU:
        too_many = vehicle->imu.fitted;
        vehicle->imu = (hy_imu_model){ true, at_m, sensor->of.imu, .gyro_scale = 1 };
        break;
    case HY_SENSOR_REFLECTANCE:
        too_many = floor->count == HY_PIN_REFLECTANCE;
        if (!too_many) {
            floor->at_m[floor->count] = at_m;
            floor->contrast[floor->count] = 1;
            floor->of[floor->count++] = sensor->of.reflectance;
        }
        break;
    case HY_SENSOR_RANGE:
        too_many = vehicle->range.fitted;
        vehicle->range = (hy_range_model){ .fitted = true, .at_m = at_m, .of = sensor->of.range };
        break;
    case HY_SENSOR_LIDAR:
        too_many = vehicle->lidar.fitted;
        build_lidar(sensor, &vehicle->lidar);
        break;
    case HY_SENSOR_TYPES: break;
    }
    return too_many ? "sensors: at most one IMU, two reflectance sensors, one range sensor and one "
                      "lidar are wired"
                    : NULL;
}

/// Readings are told apart by names.
static const char *check_name(const hy_sensor_spec *sensor, const hy_vehicle_model *vehicle)
{
    if (sensor->name[0] == '\0') {
        return "sensors: one that is not wired needs a name";
    }
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    if (strspn(sensor->name, letters) != strlen(sensor->name)) {
        return "sensors: a name has letters, digits, '_' and '-' only";
    }
    for (size_t i = 0; i < vehicle->extra_count; i++) {
        if (strcmp(vehicle->extra[i].spec.name, sensor->name) == 0) {
            return "sensors: two have the same name";
        }
    }
    return NULL;
}

static const char *build_extra(const hy_sensor_spec *sensor, hy_vehicle_model *vehicle)
{
    const char *wrong = check_name(sensor, vehicle);
    if (wrong != NULL) {
        return wrong;
    }
    hy_extra_sensor *extra = &vehicle->extra[vehicle->extra_count++];
    extra->spec = *sensor;
    extra->at = hy_pose_make(sensor->at_m.x_m, sensor->at_m.y_m, sensor->heading_rad);
    if (sensor->type != HY_SENSOR_LIDAR) {
        return NULL;
    }
    extra->lidar = malloc(sizeof *extra->lidar);
    if (extra->lidar == NULL) {
        return HY_NO_MEMORY;
    }
    build_lidar(sensor, extra->lidar);
    return NULL;
}

static const char *build_sensors(const hy_vehicle_spec *spec, hy_vehicle_model *vehicle)
{
    const char *wrong = NULL;
    for (size_t i = 0; i < spec->sensor_count && wrong == NULL; i++) {
        const hy_sensor_spec *sensor = &spec->sensor[i];
        wrong = check_sensor(sensor);
        if (wrong == NULL) {
            wrong = sensor->wired ? build_wired(sensor, vehicle) : build_extra(sensor, vehicle);
        }
    }
    return wrong;
}

// --------------------------------------------------------------------------- building

static const char *build_vehicle(const hy_vehicle_spec *spec, hy_vehicle_model *vehicle)
{
    const double side_m = spec->width_m / 2;
    const double front_m = spec->front_m, rear_m = spec->rear_m;
    *vehicle = (hy_vehicle_model){
        .kind = hy_vehicle_kind_of(spec->type),
        .start = hy_pose_make(spec->start_x_m, spec->start_y_m, spec->start_heading_rad),
        .body = { .mass_kg = spec->mass_kg,
                  .inertia_kg_m2 = spec->inertia_kg_m2,
                  .com_ahead_m = spec->com_ahead_m },
        .battery = spec->battery,
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
        .imu = { .gyro_scale = 1 },
    };
    const char *wrong = vehicle->kind->build(spec, vehicle);
    return wrong != NULL ? wrong : build_sensors(spec, vehicle);
}

const char *hy_vehicle_build(const hy_vehicle_spec *spec, hy_vehicle_model *vehicle)
{
    const char *wrong;
    if (spec->traits_count == 0) {
        wrong = build_vehicle(spec, vehicle);
        hy_robot_traits_ideal(&vehicle->traits);
    } else {
        hy_vehicle_spec one = *spec;
        hy_traits_apply_to_spec(&spec->traits, &one);
        wrong = build_vehicle(&one, vehicle);
        vehicle->traits = spec->traits;
    }
    if (wrong == NULL && spec->traits_count > 0 &&
        spec->type == HY_VEHICLE_XRP) { // a swerve's are all in its spec
        hy_traits_apply_to_model(&spec->traits, vehicle);
    }
    vehicle->has_traits = hy_vehicle_type_has_traits(spec->type);
    return wrong;
}
