// The spec of a world: defaults, tables of fields, edits. Sensors have theirs in sensor_spec.c, vehicles theirs.
#include <stdlib.h>
#include <string.h>

#include "spec_fields.h"
#include "vehicles/kind.h"

#define FLOOR_MOST_M 200
#define FAR_M        400 // a wall's middle line may be the floor's diagonal
#define MS           1e-3

// --------------------------------------------------------------------------- types of vehicles

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

// --------------------------------------------------------------------------- tables

static const hy_spec_field floor_point_fields[] = {
    HY_SPEC_ROW(hy_point, NUMBER, NULL, "x_m", x_m, 0, FLOOR_MOST_M, 1),
    HY_SPEC_ROW(hy_point, NUMBER, NULL, "y_m", y_m, 0, FLOOR_MOST_M, 1),
};
static const hy_spec_table floor_point_table = HY_SPEC_TABLE(hy_point, "a point", floor_point_fields);
static const hy_spec_table *const floor_points[] = { &floor_point_table };

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
    HY_SPEC_ROW(hy_obstacle_spec, T_, NULL, name_, member_, low_, high_, unit_)
#define NEEDED_OBSTACLE(T_, name_, member_, low_, high_) \
    HY_SPEC_NEEDED_ROW(hy_obstacle_spec, T_, NULL, name_, member_, low_, high_)
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
    HY_SPEC_LIST_ROW(hy_obstacle_spec, NULL, "corners_m", corners, corner_count, 3,
                     HY_WORLD_CORNERS, floor_points),
    HEIGHT_FIELD,
};
static const hy_spec_table box_table = HY_SPEC_TABLE(hy_obstacle_spec, "a box", box_fields);
static const hy_spec_table disc_table = HY_SPEC_TABLE(hy_obstacle_spec, "a disc", disc_fields);
static const hy_spec_table polygon_table =
    HY_SPEC_TABLE(hy_obstacle_spec, "a polygon", polygon_fields);
static const hy_spec_table *const obstacle_tables[] = {
    [HY_OBSTACLE_BOX] = &box_table,
    [HY_OBSTACLE_DISC] = &disc_table,
    [HY_OBSTACLE_POLYGON] = &polygon_table,
};

const hy_spec_table *hy_obstacle_spec_table(hy_obstacle_shape shape)
{
    return obstacle_tables[shape];
}

// Regions of the floor.
#define REGION(T_, name_, member_, low_, high_, unit_) \
    HY_SPEC_ROW(hy_region_spec, T_, NULL, name_, member_, low_, high_, unit_)
#define NEEDED_REGION(T_, name_, member_, low_, high_) \
    HY_SPEC_NEEDED_ROW(hy_region_spec, T_, NULL, name_, member_, low_, high_)

static const hy_spec_field box_region_fields[] = {
    NEEDED_REGION(POINT, "center_m", center_m, 0, FLOOR_MOST_M),
    NEEDED_REGION(POINT, "size_m", size_m, 0.005, FAR_M),
    REGION(NUMBER, "angle_deg", angle_rad, -360, 360, HY_RAD_PER_DEG),
    REGION(NUMBER, "grip", grip, 0.05, 2, 1),
    REGION(NUMBER, "slope_deg", slope_rad, 0, 20, HY_RAD_PER_DEG),
};
static const hy_spec_field disc_region_fields[] = {
    NEEDED_REGION(POINT, "center_m", center_m, 0, FLOOR_MOST_M),
    NEEDED_REGION(NUMBER, "radius_m", radius_m, 0.005, FLOOR_MOST_M),
    REGION(NUMBER, "grip", grip, 0.05, 2, 1),
};
static const hy_spec_table box_region_table =
    HY_SPEC_TABLE(hy_region_spec, "a box", box_region_fields);
static const hy_spec_table disc_region_table =
    HY_SPEC_TABLE(hy_region_spec, "a disc", disc_region_fields);
static const hy_spec_table *const region_tables[] = {
    [HY_REGION_BOX] = &box_region_table,
    [HY_REGION_DISC] = &disc_region_table,
};

const hy_spec_table *hy_region_spec_table(hy_region_shape shape)
{
    return region_tables[shape];
}

// Goals, pieces, the world.
static const hy_spec_field goal_fields[] = {
    HY_SPEC_ROW(hy_world_goal, CHOICE, NULL, "alliance", side, 0, HY_ALLIANCE_RED + 1, 1),
    HY_SPEC_LIST_ROW(hy_world_goal, NULL, "corners_m", corners, count, 3, HY_WORLD_CORNERS,
                     floor_points),
    HY_SPEC_ROW(hy_world_goal, NUMBER, NULL, "floor_m", floor_z_m, 0, 5, 1),
    HY_SPEC_NEEDED_ROW(hy_world_goal, POINT, NULL, "outtake_m", outtake_x_m, 0, FLOOR_MOST_M),
    HY_SPEC_ROW(hy_world_goal, POINT, NULL, "outtake_m_s", outtake_vx_m_s, -10, 10, 1),
};
const hy_spec_table hy_goal_spec_table = HY_SPEC_TABLE(hy_world_goal, "a goal", goal_fields);
static const hy_spec_table *const goal_tables[] = { &hy_goal_spec_table };

#define WORLD(T_, section_, name_, member_, low_, high_, unit_) \
    HY_SPEC_ROW(hy_world_spec, T_, section_, name_, member_, low_, high_, unit_)
#define NEEDED_WORLD(T_, section_, name_, member_, low_, high_) \
    HY_SPEC_NEEDED_ROW(hy_world_spec, T_, section_, name_, member_, low_, high_)

static const hy_spec_field world_fields[] = {
    NEEDED_WORLD(TEXT, NULL, "name", name, 1, HY_WORLD_TEXT),
    WORLD(NUMBER, NULL, "step_ms", step_s, 1, 20, MS),
    NEEDED_WORLD(NUMBER, "floor", "width_m", width_m, 0.2, FLOOR_MOST_M),
    NEEDED_WORLD(NUMBER, "floor", "height_m", height_m, 0.2, FLOOR_MOST_M),
    HY_SPEC_LIST_ROW(hy_world_spec, "floor", "edge_m", border, border_count, 0, HY_WORLD_BORDER,
                     floor_points),
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
      .table_count = HY_SPEC_COUNT(obstacle_tables) },
    HY_SPEC_LIST_ROW(hy_world_spec, NULL, "vehicles", vehicle, vehicle_count, 1, HY_WORLD_VEHICLES,
                     vehicle_tables),
    HY_SPEC_LIST_ROW(hy_world_spec, NULL, "goals", goal, goal_count, 0, HY_WORLD_GOALS, goal_tables),
    WORLD(NUMBER, "pieces", "radius_m", pieces.radius_m, 0.01, 0.5, 1),
    WORLD(NUMBER, "pieces", "mass_kg", pieces.mass_kg, 0.001, 10, 1),
    WORLD(NUMBER, "pieces", "friction", pieces.friction, 0, 2, 1),
    WORLD(NUMBER, "pieces", "bounce", pieces.restitution, 0, 0.9, 1),
    WORLD(NUMBER, "pieces", "rolling_m_s2", pieces.rolling_m_s2, 0.01, 20, 1),
    HY_SPEC_LIST_ROW(hy_world_spec, "pieces", "at_m", pieces.at_m, pieces.count, 0, HY_WORLD_PIECES,
                     floor_points),
    { .name = "regions",
      .type = HY_SPEC_LIST,
      .offset = offsetof(hy_world_spec, region),
      .count_offset = offsetof(hy_world_spec, region_count),
      .high = HY_WORLD_REGIONS,
      .since = 5,
      .tables = region_tables,
      .table_count = HY_SPEC_COUNT(region_tables) },
};
const hy_spec_table hy_world_spec_table = HY_SPEC_TABLE(hy_world_spec, "a world", world_fields);

// --------------------------------------------------------------------------- defaults

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
