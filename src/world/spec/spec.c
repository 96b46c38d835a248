// The spec of a world: defaults, tables of fields, edits.
#include <stdlib.h>
#include <string.h>

#include "vehicles/kind.h"

#define FLOOR_MOST_M 200
#define FAR_M        400 // a wall's middle line may be the floor's diagonal
#define PART_MOST_M  1.5
#define GRAVITY_M_S2 9.80665
#define MS           1e-3

// --------------------------------------------------------------------------- types of vehicles and sensors

static const hy_vehicle_kind *const kinds[HY_VEHICLE_TYPES] = {
    [HY_VEHICLE_XRP] = &hy_vehicle_xrp,
    [HY_VEHICLE_SWERVE] = &hy_vehicle_swerve,
    [HY_VEHICLE_TANK] = &hy_vehicle_tank,
};

const hy_vehicle_kind *hy_vehicle_kind_of(hy_vehicle_type type)
{
    return kinds[type];
}

const char *hy_vehicle_type_name(hy_vehicle_type type)
{
    return kinds[type]->name;
}

bool hy_vehicle_type_find(const char *name, hy_vehicle_type *type)
{
    for (size_t i = 0; i < HY_VEHICLE_TYPES; i++) {
        if (strcmp(kinds[i]->name, name) == 0) {
            *type = (hy_vehicle_type)i;
            return true;
        }
    }
    return false;
}

const char *hy_sensor_type_name(hy_sensor_type type)
{
    static const char *const names[HY_SENSOR_TYPES] = {
        [HY_SENSOR_IMU] = "imu", [HY_SENSOR_REFLECTANCE] = "reflectance", [HY_SENSOR_RANGE] = "range", [HY_SENSOR_LIDAR] = "lidar"
    };
    return names[type];
}

// --------------------------------------------------------------------------- tables

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define SPEC_OF(type, what, fields)                  \
    {                                                \
        what, sizeof(type), fields, COUNT_OF(fields) \
    }
// clang-format off
#define ROW(T, type_, section_, name_, member_, low_, high_, unit_)                                \
    { .section = section_, .name = name_, .type = HY_SPEC_##type_, .offset = offsetof(T, member_), \
      .low = low_, .high = high_, .unit = unit_ }
#define NEEDED_ROW(T, type_, section_, name_, member_, low_, high_)                                \
    { .section = section_, .name = name_, .type = HY_SPEC_##type_, .offset = offsetof(T, member_), \
      .low = low_, .high = high_, .needed = true }
#define LIST_ROW(T, section_, name_, member_, count_, low_, high_, tables_)                        \
    { .section = section_, .name = name_, .type = HY_SPEC_LIST, .offset = offsetof(T, member_),    \
      .count_offset = offsetof(T, count_), .low = low_, .high = high_, .tables = tables_,          \
      .table_count = COUNT_OF(tables_) }
// clang-format on

static const hy_spec_field floor_point_fields[] = {
    ROW(hy_world_point, NUMBER, NULL, "x_m", x_m, 0, FLOOR_MOST_M, 1),
    ROW(hy_world_point, NUMBER, NULL, "y_m", y_m, 0, FLOOR_MOST_M, 1),
};
static const hy_spec_table floor_point_table = SPEC_OF(hy_world_point, "a point", floor_point_fields);
static const hy_spec_table *const floor_points[] = { &floor_point_table };

static const hy_spec_field part_point_fields[] = {
    ROW(hy_world_point, NUMBER, NULL, "x_m", x_m, -PART_MOST_M, PART_MOST_M, 1),
    ROW(hy_world_point, NUMBER, NULL, "y_m", y_m, -PART_MOST_M, PART_MOST_M, 1),
};
static const hy_spec_table part_point_table = SPEC_OF(hy_world_point, "a point", part_point_fields);
static const hy_spec_table *const part_points[] = { &part_point_table };

static const hy_spec_field part_fields[] = {
    ROW(hy_world_part, CHOICE, NULL, "kind", kind, 0, HY_PART_TUBE + 1, 1),
    LIST_ROW(hy_world_part, NULL, "corners_m", corners, count, 3, HY_WORLD_CORNERS, part_points),
};
const hy_spec_table hy_part_spec_table = SPEC_OF(hy_world_part, "a polygon", part_fields);

// Sensors. `wired`, `name` and `at_m` come first in each.
#define SENSOR(type_, section_, name_, member_, low_, high_, unit_) \
    ROW(hy_sensor_spec, type_, section_, name_, member_, low_, high_, unit_)
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
    SENSOR(NUMBER, NULL, "accel_noise_g", of.imu.accel_noise_m_s2, 0, 1, GRAVITY_M_S2),
    SENSOR(NUMBER, NULL, "accel_bias_g", of.imu.accel_bias_m_s2, 0, 1, GRAVITY_M_S2),
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
static const hy_spec_table imu_table = SPEC_OF(hy_sensor_spec, "imu", imu_fields);
static const hy_spec_table reflectance_table =
    SPEC_OF(hy_sensor_spec, "reflectance", reflectance_fields);
static const hy_spec_table range_table = SPEC_OF(hy_sensor_spec, "range", range_fields);
static const hy_spec_table lidar_table = SPEC_OF(hy_sensor_spec, "lidar", lidar_fields);
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

const hy_spec_table *hy_vehicle_spec_table(hy_vehicle_type type)
{
    return kinds[type]->table;
}

static const hy_spec_table *const vehicle_tables[HY_VEHICLE_TYPES] = {
    [HY_VEHICLE_XRP] = &hy_xrp_spec_table,
    [HY_VEHICLE_SWERVE] = &hy_swerve_spec_table,
    [HY_VEHICLE_TANK] = &hy_tank_spec_table,
};

// Obstacles.
#define OBSTACLE(T_, name_, member_, low_, high_, unit_) \
    ROW(hy_obstacle_spec, T_, NULL, name_, member_, low_, high_, unit_)
#define NEEDED_OBSTACLE(T_, name_, member_, low_, high_) \
    NEEDED_ROW(hy_obstacle_spec, T_, NULL, name_, member_, low_, high_)
#define HEIGHT_FIELD OBSTACLE(NUMBER, "height_m", height_m, 0, 10, 1)

static const hy_spec_field box_fields[] = {
    NEEDED_OBSTACLE(POINT, "center_m", center_m, 0, FLOOR_MOST_M),
    NEEDED_OBSTACLE(POINT, "size_m", size_m, 0.005, FAR_M),
    OBSTACLE(NUMBER, "angle_deg", angle_rad, -360, 360, HY_RAD_PER_DEG),
    HEIGHT_FIELD,
};
static const hy_spec_field disc_fields[] = {
    NEEDED_OBSTACLE(POINT, "center_m", center_m, 0, FLOOR_MOST_M),
    NEEDED_OBSTACLE(NUMBER, "radius_m", radius_m, 0.005, FLOOR_MOST_M),
    HEIGHT_FIELD,
};
static const hy_spec_field polygon_fields[] = {
    LIST_ROW(hy_obstacle_spec, NULL, "corners_m", corners, corner_count, 3, HY_WORLD_CORNERS,
             floor_points),
    HEIGHT_FIELD,
};
static const hy_spec_table box_table = SPEC_OF(hy_obstacle_spec, "a box", box_fields);
static const hy_spec_table disc_table = SPEC_OF(hy_obstacle_spec, "a disc", disc_fields);
static const hy_spec_table polygon_table = SPEC_OF(hy_obstacle_spec, "a polygon", polygon_fields);
static const hy_spec_table *const obstacle_tables[] = {
    [HY_OBSTACLE_BOX] = &box_table,
    [HY_OBSTACLE_DISC] = &disc_table,
    [HY_OBSTACLE_POLYGON] = &polygon_table,
};

const hy_spec_table *hy_obstacle_spec_table(hy_obstacle_shape shape)
{
    return obstacle_tables[shape];
}

// Goals, pieces, the world.
static const hy_spec_field goal_fields[] = {
    ROW(hy_world_goal, CHOICE, NULL, "alliance", side, 0, HY_WORLD_RED + 1, 1),
    LIST_ROW(hy_world_goal, NULL, "corners_m", corners, count, 3, HY_WORLD_CORNERS, floor_points),
    ROW(hy_world_goal, NUMBER, NULL, "floor_m", floor_z_m, 0, 5, 1),
    NEEDED_ROW(hy_world_goal, POINT, NULL, "outtake_m", outtake_x_m, 0, FLOOR_MOST_M),
    ROW(hy_world_goal, POINT, NULL, "outtake_m_s", outtake_vx_m_s, -10, 10, 1),
};
const hy_spec_table hy_goal_spec_table = SPEC_OF(hy_world_goal, "a goal", goal_fields);
static const hy_spec_table *const goal_tables[] = { &hy_goal_spec_table };

#define WORLD(T_, section_, name_, member_, low_, high_, unit_) \
    ROW(hy_world_spec, T_, section_, name_, member_, low_, high_, unit_)
#define NEEDED_WORLD(T_, section_, name_, member_, low_, high_) \
    NEEDED_ROW(hy_world_spec, T_, section_, name_, member_, low_, high_)

static const hy_spec_field world_fields[] = {
    NEEDED_WORLD(TEXT, NULL, "name", name, 1, HY_WORLD_TEXT),
    WORLD(NUMBER, NULL, "step_ms", step_s, 1, 20, MS),
    NEEDED_WORLD(NUMBER, "floor", "width_m", width_m, 0.2, FLOOR_MOST_M),
    NEEDED_WORLD(NUMBER, "floor", "height_m", height_m, 0.2, FLOOR_MOST_M),
    LIST_ROW(hy_world_spec, "floor", "edge_m", border, border_count, 0, HY_WORLD_BORDER, floor_points),
    WORLD(NUMBER, "floor", "wall_m", wall_height_m, 0, 10, 1),
    WORLD(NUMBER, "floor", "shade", floor_shade, 0, 1, 1),
    WORLD(MAT, NULL, "mat", mat, 0, 0, 1),
    { .name = "obstacles",
      .type = HY_SPEC_LIST,
      .offset = offsetof(hy_world_spec, obstacles),
      .count_offset = offsetof(hy_world_spec, obstacle_count),
      .high = HY_WORLD_OBSTACLES,
      .is_pointer = true,
      .tables = obstacle_tables,
      .table_count = COUNT_OF(obstacle_tables) },
    LIST_ROW(hy_world_spec, NULL, "vehicles", vehicle, vehicle_count, 1, HY_WORLD_VEHICLES,
             vehicle_tables),
    LIST_ROW(hy_world_spec, NULL, "goals", goal, goal_count, 0, HY_WORLD_GOALS, goal_tables),
    WORLD(NUMBER, "pieces", "radius_m", pieces.radius_m, 0.01, 0.5, 1),
    WORLD(NUMBER, "pieces", "mass_kg", pieces.mass_kg, 0.001, 10, 1),
    WORLD(NUMBER, "pieces", "friction", pieces.friction, 0, 2, 1),
    WORLD(NUMBER, "pieces", "bounce", pieces.restitution, 0, 0.9, 1),
    WORLD(NUMBER, "pieces", "rolling_m_s2", pieces.rolling_m_s2, 0.01, 20, 1),
    LIST_ROW(hy_world_spec, "pieces", "at_m", pieces.at_m, pieces.count, 0, HY_WORLD_PIECES,
             floor_points),
};
const hy_spec_table hy_world_spec_table = SPEC_OF(hy_world_spec, "a world", world_fields);

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
            .accel_noise_m_s2 = 0.001 * GRAVITY_M_S2,
            .accel_bias_m_s2 = 0.002 * GRAVITY_M_S2,
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

void hy_vehicle_spec_init(hy_vehicle_spec *vehicle, hy_vehicle_type type)
{
    memset(vehicle, 0, sizeof *vehicle);
    vehicle->type = type;
    kinds[type]->set_defaults(vehicle);
}

void hy_world_spec_init(hy_world_spec *spec)
{
    memset(spec, 0, sizeof *spec);
    spec->step_s = 0.010;
    spec->wall_height_m = 0.08;
    spec->pieces = (hy_pieces_spec){
        .radius_m = 0.0889, .mass_kg = 0.142, .friction = 0.3, .restitution = 0.5, .rolling_m_s2 = 0.6
    };
}

void hy_world_spec_free(hy_world_spec *spec)
{
    free(spec->mat.cells);
    free(spec->obstacles);
    hy_world_spec_init(spec);
}

// --------------------------------------------------------------------------- edits

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

hy_vehicle_spec *hy_world_spec_add_vehicle(hy_world_spec *spec, const char *type)
{
    hy_vehicle_type found;
    if (spec->vehicle_count >= HY_WORLD_VEHICLES || !hy_vehicle_type_find(type, &found)) {
        return NULL;
    }
    hy_vehicle_spec *vehicle = &spec->vehicle[spec->vehicle_count++];
    hy_vehicle_spec_init(vehicle, found);
    return vehicle;
}

hy_obstacle_spec *hy_world_spec_add_obstacle(hy_world_spec *spec, hy_obstacle_shape shape)
{
    if (spec->obstacle_count >= HY_WORLD_OBSTACLES) {
        return NULL;
    }
    const size_t count = spec->obstacle_count + 1;
    hy_obstacle_spec *obstacles = realloc(spec->obstacles, count * sizeof *obstacles);
    if (obstacles == NULL) {
        return NULL;
    }
    // Low enough that a robot of a hand's length is seen behind it.
    obstacles[count - 1] = (hy_obstacle_spec){ .shape = shape, .height_m = 0.08 };
    spec->obstacles = obstacles;
    spec->obstacle_count = count;
    return &obstacles[count - 1];
}

size_t hy_world_spec_tanks(const hy_world_spec *spec)
{
    size_t tanks = 0;
    for (size_t i = 0; i < spec->vehicle_count; i++) {
        tanks += spec->vehicle[i].type == HY_VEHICLE_TANK;
    }
    return tanks;
}

void hy_world_spec_keep_tanks(hy_world_spec *spec, size_t most)
{
    size_t kept = 0, tanks = 0;
    for (size_t i = 0; i < spec->vehicle_count; i++) {
        tanks += spec->vehicle[i].type == HY_VEHICLE_TANK;
        if (spec->vehicle[i].type != HY_VEHICLE_TANK || tanks <= most) {
            memmove(&spec->vehicle[kept++], &spec->vehicle[i], sizeof spec->vehicle[0]);
        }
    }
    spec->vehicle_count = kept;
}

void hy_world_spec_set_drive(hy_world_spec *spec, hy_world_drive drive)
{
    for (size_t i = 0; i < spec->vehicle_count; i++) {
        if (spec->vehicle[i].type == HY_VEHICLE_TANK) {
            spec->vehicle[i].of.tank.drive = drive;
        }
    }
}
