// What stands and lies on the floor of a world file: its edge, obstacles, goals, game pieces, regions of other grip.
#include "read.h"

#include <math.h>

// --------------------------------------------------------------------------- the floor's edge

bool hy_read_border(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_world_spec *spec = target;
    hy_read_points list = { spec->border, { 3, HY_WORLD_BORDER }, 0 };
    if (!hy_read_point_list(yaml, field, node, &list)) {
        return false;
    }
    spec->border_count = list.count;
    const char *wrong = hy_polygon_simple(spec->border, spec->border_count);
    return wrong == NULL || hy_yaml_fail(yaml, HY_ERANGE, node, "%s: %s", field->key, wrong);
}

// --------------------------------------------------------------------------- pieces

static bool read_pieces_at(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                           void *target)
{
    hy_pieces_spec *pieces = &((hy_world_spec *)target)->pieces;
    hy_read_points list = { pieces->at_m, { 1, HY_WORLD_PIECES }, 0 };
    if (!hy_read_point_list(yaml, field, node, &list)) {
        return false;
    }
    pieces->count = list.count;
    return true;
}

bool hy_read_pieces(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_read_keys keys = { .count = 0 };
    hy_read_add_section(&keys, &hy_world_spec_table, "pieces");
    hy_read_add(&keys, &(hy_yaml_field){ .key = "at_m",
                                         .type = HY_YAML_OTHER,
                                         .read = read_pieces_at,
                                         .required = true,
                                         .high = HY_FLOOR_MOST_M });
    return hy_read_map(yaml, field->key, &keys, node, target);
}

// --------------------------------------------------------------------------- goals

static bool read_goal_corners(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                              void *target)
{
    hy_world_goal *goal = target;
    return hy_read_convex(yaml, field, node, goal->corners, &goal->count);
}

bool hy_read_goal(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_world_spec *spec = target;
    const hy_yaml_field corners = { .key = "corners_m",
                                    .type = HY_YAML_OTHER,
                                    .read = read_goal_corners,
                                    .required = true,
                                    .high = HY_FLOOR_MOST_M };
    hy_world_goal *const goal = &spec->goal[spec->goal_count];
    hy_read_keys keys = { .count = 0 };
    (void)field;
    hy_read_add_section(&keys, &hy_goal_spec_table, NULL);
    keys.field[0].required = true; // an alliance
    hy_read_add(&keys, &corners);
    *goal = (hy_world_goal){ .floor_z_m = 0.38 };
    const bool ok = hy_read_map(yaml, "a goal", &keys, node, goal);
    spec->goal_count += ok ? 1 : 0;
    return ok;
}

// --------------------------------------------------------------------------- obstacles

static bool read_shape(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                       hy_obstacle_spec *obstacle)
{
    const hy_spec_table *table = hy_obstacle_spec_table(obstacle->shape);
    hy_read_keys keys = { .count = 0 };
    hy_read_add_section(&keys, table, NULL);
    if (field != NULL) {
        hy_read_add(&keys, field);
    }
    return hy_read_map(yaml, table->what, &keys, node, obstacle);
}

static bool read_box(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    (void)field;
    ((hy_obstacle_spec *)target)->shape = HY_OBSTACLE_BOX;
    return read_shape(yaml, NULL, node, target);
}

static bool read_disc(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    (void)field;
    ((hy_obstacle_spec *)target)->shape = HY_OBSTACLE_DISC;
    return read_shape(yaml, NULL, node, target);
}

static bool read_corners(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_obstacle_spec *obstacle = target;
    return hy_read_convex(yaml, field, node, obstacle->corners, &obstacle->corner_count);
}

static bool read_polygon(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    const hy_yaml_field corners = { .key = "corners_m",
                                    .type = HY_YAML_OTHER,
                                    .read = read_corners,
                                    .required = true,
                                    .high = HY_FLOOR_MOST_M };
    (void)field;
    ((hy_obstacle_spec *)target)->shape = HY_OBSTACLE_POLYGON;
    return read_shape(yaml, &corners, node, target);
}

typedef struct {
    hy_point from_m, to_m;
    double thickness_m, height_m;
} wall_spec;

#define WALL(key_, type_, member_, required_, low_, high_)                             \
    {                                                                                  \
        .key = key_, .type = type_, .required = required_, .low = low_, .high = high_, \
        .offset = offsetof(wall_spec, member_)                                         \
    }

static const hy_yaml_field wall_fields[] = {
    WALL("from_m", HY_YAML_POINT, from_m, true, 0, HY_FLOOR_MOST_M),
    WALL("to_m", HY_YAML_POINT, to_m, true, 0, HY_FLOOR_MOST_M),
    WALL("thickness_m", HY_YAML_NUMBER, thickness_m, false, 0.005, 1),
    WALL("height_m", HY_YAML_NUMBER, height_m, false, 0, 10),
};
static const hy_yaml_table wall_table = HY_YAML_TABLE("a wall", wall_fields);

/// A wall is a box along its middle line.
static bool read_wall(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_obstacle_spec *obstacle = target;
    wall_spec wall = { .thickness_m = 0.02, .height_m = obstacle->height_m };
    (void)field;
    if (!hy_yaml_map(yaml, &wall_table, node, &wall)) {
        return false;
    }
    const double x_m = wall.to_m.x_m - wall.from_m.x_m, y_m = wall.to_m.y_m - wall.from_m.y_m;
    const double length_m = sqrt(x_m * x_m + y_m * y_m);
    if (length_m < 0.005) {
        return hy_yaml_fail(yaml, HY_ERANGE, node, "a wall must be at least 0.005 m long");
    }
    obstacle->center_m = (hy_point){ (wall.from_m.x_m + wall.to_m.x_m) * 0.5,
                                     (wall.from_m.y_m + wall.to_m.y_m) * 0.5 };
    obstacle->size_m = (hy_point){ length_m, wall.thickness_m };
    obstacle->angle_rad = hy_atan2(y_m, x_m);
    obstacle->height_m = wall.height_m;
    return true;
}

static const hy_yaml_field obstacle_fields[] = {
    { .key = "box", .type = HY_YAML_OTHER, .read = read_box },
    { .key = "disc", .type = HY_YAML_OTHER, .read = read_disc },
    { .key = "wall", .type = HY_YAML_OTHER, .read = read_wall },
    { .key = "polygon", .type = HY_YAML_OTHER, .read = read_polygon },
};
static const hy_yaml_table obstacle_table = HY_YAML_TABLE("an obstacle", obstacle_fields);

bool hy_read_obstacle(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_yaml_node *value;
    const hy_yaml_field *const choice = hy_yaml_choice(yaml, &obstacle_table, node, &value);
    (void)field;
    if (choice == NULL) {
        return false;
    }
    hy_obstacle_spec *const obstacle = hy_world_spec_add_obstacle(target, HY_OBSTACLE_BOX);
    return obstacle != NULL ? hy_yaml_value(yaml, choice, value, obstacle)
                            : hy_read_no_memory(yaml, node);
}

// --------------------------------------------------------------------------- regions

static bool read_region(hy_yaml *yaml, hy_region_shape shape, hy_yaml_node *node, void *target)
{
    hy_region_spec *const region = target;
    const hy_spec_table *const table = hy_region_spec_table(shape);
    hy_read_keys keys = { .count = 0 };
    region->shape = shape;
    hy_read_add_section(&keys, table, NULL);
    return hy_read_map(yaml, table->what, &keys, node, region);
}

static bool read_region_box(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                            void *target)
{
    (void)field;
    return read_region(yaml, HY_REGION_BOX, node, target);
}

static bool read_region_disc(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                             void *target)
{
    (void)field;
    return read_region(yaml, HY_REGION_DISC, node, target);
}

static const hy_yaml_field region_fields[] = {
    { .key = "box", .type = HY_YAML_OTHER, .read = read_region_box },
    { .key = "disc", .type = HY_YAML_OTHER, .read = read_region_disc },
};
static const hy_yaml_table region_table = HY_YAML_TABLE("a region", region_fields);

bool hy_read_region(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_world_spec *const spec = target;
    hy_region_spec *const region = &spec->region[spec->region_count];
    hy_yaml_node *value;
    const hy_yaml_field *const choice = hy_yaml_choice(yaml, &region_table, node, &value);
    (void)field;
    region->grip = 1;
    const bool ok = choice != NULL && hy_yaml_value(yaml, choice, value, region);
    spec->region_count += ok ? 1 : 0;
    return ok;
}
