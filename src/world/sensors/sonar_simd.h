/// @file sonar_simd.h
/// What sonars hear of edges: LANES of them at once (lanes.h). docs/spec/robot.md has the figures.
#ifndef HY_WORLD_SONAR_SIMD_H
#define HY_WORLD_SONAR_SIMD_H

#include "lanes/motion_simd.h"
#include "model.h"
#include "shapes/cone_simd.h"
#include "sonar.h"

#define THIN_M       0.05 // what is narrower gives a weak echo ...
#define THIN_REACH_M 1.7  // ... which is not heard from farther

/// The cone of each vehicle's range sensor.
static inline cone_lanes cone_of(const hy_range_model *range, const pose_lanes *pose)
{
    const hy_vec at_m = range->at_m;
    cone_lanes cone = { .x = pose->x_m + (pose->cos * at_m.x - pose->sin * at_m.y),
                        .y = pose->y_m + (pose->sin * at_m.x + pose->cos * at_m.y) };
    lanes_sin_cos(pose->heading_rad - range->of.half_cone_rad, &cone.right_y, &cone.right_x);
    lanes_sin_cos(pose->heading_rad + range->of.half_cone_rad, &cone.left_y, &cone.left_x);
    return cone;
}

/// The nearest point of walls and obstacles in a cone, at most `reach_m` away. O(edges).
static inline lanes nearest_edge_in_cone(const hy_world_model *model, const cone_lanes *cone,
                                         lanes reach_m)
{
    const hy_world_segment *edges = model->edges;
    lanes nearest = nearer_edges(cone, edges, model->border_count, reach_m * reach_m);
    edges += model->border_count;
    for (size_t k = 0; k < model->obstacle_count; k++) {
        const hy_obstacle *const obstacle = &model->obstacles[k];
        if (any(may_have_circle(cone, obstacle->middle_m, obstacle->reach_m))) {
            nearest = nearer_edges(cone, edges, obstacle->outline_count, nearest);
        }
        edges += obstacle->outline_count;
    }
    return lanes_sqrt(nearest);
}

/// The cosine of the largest angle between the beam and a smooth wall's normal at which its echo comes back. SPEC robot, "The rangefinder".
static inline lanes least_cosine(lanes distance_m)
{
    static const struct {
        double distance_m, cosine;
    } points[] = {
        { 1, 0.7071 },    // 45 degrees
        { 1.25, 0.9135 }, // 24
        { 3, 0.9659 },    // 15
        { 4, 0.9781 },    // 12
    };
    const size_t count = sizeof points / sizeof points[0];
    lanes from_m = broadcast(points[0].distance_m), to_m = broadcast(points[1].distance_m);
    lanes low = broadcast(points[0].cosine), high = broadcast(points[1].cosine);
    for (size_t i = 1; i + 1 < count; i++) {
        const mask is_beyond = distance_m > points[i].distance_m;
        from_m = blend(is_beyond, broadcast(points[i].distance_m), from_m);
        to_m = blend(is_beyond, broadcast(points[i + 1].distance_m), to_m);
        low = blend(is_beyond, broadcast(points[i].cosine), low);
        high = blend(is_beyond, broadcast(points[i + 1].cosine), high);
    }
    const lanes at = lanes_clamp((distance_m - from_m) / (to_m - from_m), broadcast(0), broadcast(1));
    return low + at * (high - low);
}

typedef struct {
    cone_lanes cone;
    lanes ahead_x, ahead_y;
    double echoes; ///< Factor of all distances.
} hearing_lanes;

static inline hearing_lanes hearing_of(const hy_vehicle_model *vehicle, const pose_lanes *pose)
{
    return (hearing_lanes){ cone_of(&vehicle->range, pose), pose->cos, pose->sin,
                            vehicle->sonar.echoes };
}

/// The distance of an edge of something `width_m` across where its echo is heard and it is nearer than `nearest_m`, else that.
static inline lanes nearer_echo(const hearing_lanes *self, lanes nearest_m,
                                const hy_world_segment *edge, double width_m)
{
    const lanes distance_m = lanes_sqrt(nearer_edge(&self->cone, edge, nearest_m * nearest_m));
    const mask is_nearer = distance_m < nearest_m;
    if (!any(is_nearer)) {
        return nearest_m;
    }
    const double along_x = edge->x1_m - edge->x0_m, along_y = edge->y1_m - edge->y0_m;
    const double length_m = sqrt(along_x * along_x + along_y * along_y);
    const lanes cosine = lanes_abs(self->ahead_x * along_y - self->ahead_y * along_x) / length_m;
    const lanes as_if_m = distance_m / self->echoes;
    mask is_lost = cosine < least_cosine(as_if_m);
    if (width_m < THIN_M) {
        is_lost = is_lost | (as_if_m > THIN_REACH_M);
    }
    return blend(is_nearer & mask_not(is_lost), distance_m, nearest_m);
}

/// Of `count` edges from the one at `from` on.
static inline lanes nearer_echo_of(const hy_world_model *model, const hearing_lanes *self,
                                   size_t from, size_t count, lanes nearest_m)
{
    for (size_t i = from; i < from + count; i++) {
        nearest_m = nearer_echo(self, nearest_m, &model->edges[i], model->edge_width_m[i]);
    }
    return nearest_m;
}

/// The nearest echo of walls and obstacles, if one is nearer than `nearest_m`. O(edges).
static inline lanes nearest_echo_at_edges(const hy_world_model *model, const hearing_lanes *self,
                                          lanes nearest_m)
{
    size_t from = model->border_count;
    nearest_m = nearer_echo_of(model, self, 0, from, nearest_m);
    for (size_t k = 0; k < model->obstacle_count; k++) {
        const hy_obstacle *const obstacle = &model->obstacles[k];
        if (any(may_have_circle(&self->cone, obstacle->middle_m, obstacle->reach_m))) {
            nearest_m = nearer_echo_of(model, self, from, obstacle->outline_count, nearest_m);
        }
        from += obstacle->outline_count;
    }
    return nearest_m;
}

#endif
