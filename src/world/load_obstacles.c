#include "load.h"

#include <math.h>
#include <stdlib.h>

#define MOST_OBSTACLES 1000

typedef struct {
    hy_vec center_m, size_m, from_m, to_m;
    double angle_rad, radius_m, thickness_m, height_m;
    hy_world_point corner[HY_WORLD_CORNERS];
    size_t corner_count;
} obstacle_spec;

#define OBSTACLE(key_, type_, member, required_, low_, high_, unit_)                         \
    {                                                                                        \
        .key = key_, .type = type_, .required = required_,                                   \
        .offset = offsetof(obstacle_spec, member), .low = low_, .high = high_, .unit = unit_ \
    }

/// How high an obstacle is drawn; low enough that a robot of a hand's length is seen behind it.
#define HEIGHT_M     0.08
#define HEIGHT_FIELD OBSTACLE("height_m", HY_YAML_NUMBER, height_m, false, 0, 10, 1)

static const hy_yaml_field box_fields[] = {
    OBSTACLE("center_m", HY_YAML_POINT, center_m, true, 0, HY_FLOOR_MOST_M, 1),
    OBSTACLE("size_m", HY_YAML_POINT, size_m, true, 0.005, HY_FLOOR_MOST_M, 1),
    OBSTACLE("angle_deg", HY_YAML_NUMBER, angle_rad, false, -360, 360, HY_RAD_PER_DEG),
    HEIGHT_FIELD,
};
static const hy_yaml_table box_table = HY_YAML_TABLE("a box", box_fields);

static const hy_yaml_field disc_fields[] = {
    OBSTACLE("center_m", HY_YAML_POINT, center_m, true, 0, HY_FLOOR_MOST_M, 1),
    OBSTACLE("radius_m", HY_YAML_NUMBER, radius_m, true, 0.005, HY_FLOOR_MOST_M, 1),
    HEIGHT_FIELD,
};
static const hy_yaml_table disc_table = HY_YAML_TABLE("a disc", disc_fields);

static const hy_yaml_field wall_fields[] = {
    OBSTACLE("from_m", HY_YAML_POINT, from_m, true, 0, HY_FLOOR_MOST_M, 1),
    OBSTACLE("to_m", HY_YAML_POINT, to_m, true, 0, HY_FLOOR_MOST_M, 1),
    OBSTACLE("thickness_m", HY_YAML_NUMBER, thickness_m, false, 0.005, 1, 1),
    HEIGHT_FIELD,
};
static const hy_yaml_table wall_table = HY_YAML_TABLE("a wall", wall_fields);

static bool read_box(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    obstacle_spec spec = { .height_m = HEIGHT_M };
    (void)field;
    if (!hy_yaml_map(yaml, &box_table, node, &spec)) {
        return false;
    }
    *(hy_obstacle *)target = (hy_obstacle){
        .shape = HY_OBSTACLE_BOX,
        .center = hy_pose_make(spec.center_m.x, spec.center_m.y, spec.angle_rad),
        .size_m = spec.size_m,
        .height_m = spec.height_m,
    };
    return true;
}

static bool read_disc(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    obstacle_spec spec = { .height_m = HEIGHT_M };
    (void)field;
    if (!hy_yaml_map(yaml, &disc_table, node, &spec)) {
        return false;
    }
    *(hy_obstacle *)target = (hy_obstacle){
        .shape = HY_OBSTACLE_DISC,
        .center = hy_pose_make(spec.center_m.x, spec.center_m.y, 0),
        .radius_m = spec.radius_m,
        .height_m = spec.height_m,
    };
    return true;
}

/// A wall is a box along its middle line.
static bool read_wall(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    obstacle_spec spec = { .thickness_m = 0.02, .height_m = HEIGHT_M };
    (void)field;
    if (!hy_yaml_map(yaml, &wall_table, node, &spec)) {
        return false;
    }
    const hy_vec along = hy_vec_sub(spec.to_m, spec.from_m);
    const double length_m = sqrt(hy_vec_dot(along, along));
    if (length_m < 0.005) {
        return hy_yaml_fail(yaml, HY_ERANGE, node, "a wall must be at least 0.005 m long");
    }
    const hy_vec middle = hy_vec_scale(hy_vec_add(spec.from_m, spec.to_m), 0.5);
    *(hy_obstacle *)target = (hy_obstacle){
        .shape = HY_OBSTACLE_BOX,
        .center = hy_pose_make(middle.x, middle.y, hy_atan2(along.y, along.x)),
        .size_m = { length_m, spec.thickness_m },
        .height_m = spec.height_m,
    };
    return true;
}

static bool read_corners(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    obstacle_spec *spec = target;
    return hy_load_convex(yaml, field, node, spec->corner, &spec->corner_count);
}

static const hy_yaml_field polygon_fields[] = {
    { .key = "corners_m",
      .type = HY_YAML_OTHER,
      .read = read_corners,
      .required = true,
      .low = 0,
      .high = HY_FLOOR_MOST_M },
    HEIGHT_FIELD,
};
static const hy_yaml_table polygon_table = HY_YAML_TABLE("a polygon", polygon_fields);

static bool read_polygon(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    obstacle_spec spec = { .height_m = HEIGHT_M };
    (void)field;
    if (!hy_yaml_map(yaml, &polygon_table, node, &spec)) {
        return false;
    }
    hy_obstacle *obstacle = target;
    *obstacle = (hy_obstacle){
        .shape = HY_OBSTACLE_POLYGON,
        .center = hy_pose_make(0, 0, 0),
        .corner_count = spec.corner_count,
        .height_m = spec.height_m,
    };
    for (size_t i = 0; i < spec.corner_count; i++) {
        obstacle->corner_m[i] = (hy_vec){ spec.corner[i].x_m, spec.corner[i].y_m };
    }
    return true;
}

static const hy_yaml_field obstacle_fields[] = {
    { .key = "box", .type = HY_YAML_OTHER, .read = read_box },
    { .key = "disc", .type = HY_YAML_OTHER, .read = read_disc },
    { .key = "wall", .type = HY_YAML_OTHER, .read = read_wall },
    { .key = "polygon", .type = HY_YAML_OTHER, .read = read_polygon },
};
static const hy_yaml_table obstacle_table = HY_YAML_TABLE("an obstacle", obstacle_fields);

bool hy_load_obstacles(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_world_model *model = target;
    size_t count;
    if (!hy_yaml_list(yaml, field->key, node, (hy_yaml_span){ 0, MOST_OBSTACLES }, &count)) {
        return false;
    }
    model->obstacles = calloc(count + 1, sizeof *model->obstacles);
    if (model->obstacles == NULL) {
        return hy_load_no_memory(yaml, node);
    }
    for (size_t i = 0; i < count; i++) {
        hy_yaml_node *value;
        hy_yaml_node *item = hy_yaml_item(yaml, node, i);
        const hy_yaml_field *choice = hy_yaml_choice(yaml, &obstacle_table, item, &value);
        if (choice == NULL || !hy_yaml_value(yaml, choice, value, &model->obstacles[i])) {
            return false;
        }
        model->obstacle_count++;
    }
    return true;
}
