#include "load.h"
#include "shape.h"

#include <string.h>

// --------------------------------------------------------------------------- polygons

/// A list of points, and how many it may have.
typedef struct {
    hy_world_point *at;
    hy_yaml_span span;
    size_t count;
} point_list;

static bool read_points(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                        point_list *list)
{
    if (!hy_yaml_list(yaml, field->key, node, list->span, &list->count)) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        double point[2];
        if (!hy_yaml_point(yaml, field, hy_yaml_item(yaml, node, i), point)) {
            return false;
        }
        list->at[i] = (hy_world_point){ point[0], point[1] };
    }
    return true;
}

bool hy_load_convex(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                    hy_world_point *corners, size_t *count)
{
    point_list list = { corners, { 3, HY_WORLD_CORNERS }, 0 };
    if (!read_points(yaml, field, node, &list)) {
        return false;
    }
    *count = list.count;
    const char *wrong = hy_polygon_convex(corners, *count);
    return wrong == NULL || hy_yaml_fail(yaml, HY_ERANGE, node, "%s: %s", field->key, wrong);
}

bool hy_load_side(const char *text, hy_world_side *side)
{
    if (strcmp(text, "blue") == 0 || strcmp(text, "red") == 0) {
        *side = text[0] == 'b' ? HY_WORLD_BLUE : HY_WORLD_RED;
        return true;
    }
    return false;
}

// --------------------------------------------------------------------------- the floor's edge

bool hy_load_border(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_world_model *model = target;
    point_list list = { model->border, { 3, HY_BORDER_MOST }, 0 };
    if (!read_points(yaml, field, node, &list)) {
        return false;
    }
    model->border_count = list.count;
    const char *wrong = hy_polygon_simple(model->border, model->border_count);
    return wrong == NULL || hy_yaml_fail(yaml, HY_ERANGE, node, "%s: %s", field->key, wrong);
}

// --------------------------------------------------------------------------- pieces

#define PIECES(key_, member_, low_, high_)                                                 \
    {                                                                                      \
        .key = key_, .type = HY_YAML_NUMBER, .offset = offsetof(hy_pieces_model, member_), \
        .low = low_, .high = high_                                                         \
    }

static bool read_pieces_at(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                           void *target)
{
    hy_pieces_model *pieces = target;
    hy_world_point at[HY_WORLD_PIECES];
    point_list list = { at, { 1, HY_WORLD_PIECES }, 0 };
    if (!read_points(yaml, field, node, &list)) {
        return false;
    }
    pieces->count = list.count;
    for (size_t i = 0; i < pieces->count; i++) {
        pieces->at_m[i] = (hy_vec){ at[i].x_m, at[i].y_m };
    }
    return true;
}

static const hy_yaml_field piece_fields[] = {
    PIECES("radius_m", radius_m, 0.01, 0.5),
    PIECES("mass_kg", mass_kg, 0.001, 10),
    PIECES("friction", friction, 0, 2),
    PIECES("bounce", restitution, 0, 0.9),
    PIECES("rolling_m_s2", rolling_m_s2, 0.01, 20),
    { .key = "at_m",
      .type = HY_YAML_OTHER,
      .read = read_pieces_at,
      .required = true,
      .low = 0,
      .high = HY_FLOOR_MOST_M },
};
static const hy_yaml_table piece_table = HY_YAML_TABLE("pieces", piece_fields);

bool hy_load_pieces(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_pieces_model *pieces = &((hy_world_model *)target)->pieces;
    (void)field;
    return hy_yaml_map(yaml, &piece_table, node, pieces);
}

// --------------------------------------------------------------------------- goals

static bool read_goal_side(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                           void *target)
{
    const char *text = hy_yaml_text(yaml, field->key, node);
    if (text == NULL) {
        return false;
    }
    return hy_load_side(text, &((hy_world_goal *)target)->side) ||
           hy_yaml_fail(yaml, HY_EFORMAT, node, "alliance is blue or red");
}

static bool read_goal_corners(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                              void *target)
{
    hy_world_goal *goal = target;
    return hy_load_convex(yaml, field, node, goal->corners, &goal->count);
}

static const hy_yaml_field goal_fields[] = {
    { .key = "alliance", .type = HY_YAML_OTHER, .read = read_goal_side, .required = true },
    { .key = "corners_m",
      .type = HY_YAML_OTHER,
      .read = read_goal_corners,
      .required = true,
      .low = 0,
      .high = HY_FLOOR_MOST_M },
    { .key = "floor_m",
      .type = HY_YAML_NUMBER,
      .low = 0,
      .high = 5,
      .offset = offsetof(hy_world_goal, floor_z_m) },
    { .key = "outtake_m",
      .type = HY_YAML_POINT,
      .required = true,
      .low = 0,
      .high = HY_FLOOR_MOST_M,
      .offset = offsetof(hy_world_goal, outtake_x_m) },
    { .key = "outtake_m_s",
      .type = HY_YAML_POINT,
      .low = -10,
      .high = 10,
      .offset = offsetof(hy_world_goal, outtake_vx_m_s) },
};
static const hy_yaml_table goal_table = HY_YAML_TABLE("a goal", goal_fields);

bool hy_load_goals(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_world_model *model = target;
    size_t count;
    if (!hy_yaml_list(yaml, field->key, node, (hy_yaml_span){ 1, HY_WORLD_GOALS }, &count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        model->goal[i] = (hy_world_goal){ .floor_z_m = 0.38 };
        if (!hy_yaml_map(yaml, &goal_table, hy_yaml_item(yaml, node, i), &model->goal[i])) {
            return false;
        }
        model->goal_count++;
    }
    return true;
}
