/// @file cone_simd.h
/// The nearest point in a cone, of LANES cones at once: lanes.h.
#ifndef HY_WORLD_CONE_SIMD_H
#define HY_WORLD_CONE_SIMD_H

#include "lanes/lanes.h"
#include "shapes/geometry.h"

/// hy_cone, of each lane.
typedef struct {
    lanes x, y, right_x, right_y, left_x, left_y;
} cone_lanes;

/// Narrows the part [low, high] of a segment to where a linear function, `at0` at its start and `at1`
/// at its end, is not negative. Returns where nothing is left.
static inline mask clip_segment(lanes at0, lanes at1, lanes *low, lanes *high)
{
    const mask begins_out = at0 < 0.0, ends_out = at1 < 0.0;
    const mask is_out = begins_out & ends_out;
    if (any((begins_out | ends_out) & mask_not(is_out))) {
        const lanes cut = at0 / (at0 - at1);
        *low = blend(begins_out, lanes_max(*low, cut), *low);
        *high = blend(ends_out & mask_not(begins_out), lanes_min(*high, cut), *high);
    }
    return is_out | mask_not(*low <= *high);
}

/// The square of the distance to the nearest point of an edge in the cone, or `nearest` if that is less.
static inline lanes nearer_edge(const cone_lanes *cone, const hy_world_segment *edge, lanes nearest)
{
    const lanes start_x = edge->x0_m - cone->x, start_y = edge->y0_m - cone->y;
    const lanes end_x = edge->x1_m - cone->x, end_y = edge->y1_m - cone->y;
    lanes low = broadcast(0), high = broadcast(1);
    const mask right_of = clip_segment(cone->right_x * start_y - cone->right_y * start_x,
                                       cone->right_x * end_y - cone->right_y * end_x, &low, &high);
    if (!any(mask_not(right_of))) {
        return nearest;
    }
    const mask left_of = clip_segment(start_x * cone->left_y - start_y * cone->left_x,
                                      end_x * cone->left_y - end_y * cone->left_x, &low, &high);
    const mask is_out = right_of | left_of;
    if (!any(mask_not(is_out))) {
        return nearest;
    }
    const lanes along_x = end_x - start_x, along_y = end_y - start_y;
    const lanes length_squared = along_x * along_x + along_y * along_y;
    const lanes foot = blend(length_squared > 0.0,
                             -(start_x * along_x + start_y * along_y) / length_squared, broadcast(0));
    const lanes u = lanes_clamp(foot, low, high);
    const lanes x = start_x + along_x * u, y = start_y + along_y * u;
    return blend(is_out, nearest, lanes_min(nearest, x * x + y * y));
}

static inline lanes nearer_edges(const cone_lanes *cone, const hy_world_segment *edges,
                                 size_t count, lanes nearest)
{
    for (size_t i = 0; i < count; i++) {
        nearest = nearer_edge(cone, &edges[i], nearest);
    }
    return nearest;
}

/// hy_nearest_in_cone().
static inline lanes nearest_in_cone(const cone_lanes *cone, lanes reach_m,
                                    const hy_world_segment *edges, size_t count)
{
    return lanes_sqrt(nearer_edges(cone, edges, count, reach_m * reach_m));
}

/// Where a part of a circle may be in the cone: a micrometre is more than rounding can add.
static inline mask may_have_circle(const cone_lanes *cone, hy_vec middle_m, double radius_m)
{
    const lanes x = middle_m.x - cone->x, y = middle_m.y - cone->y;
    const double least_m = -radius_m - 1e-6;
    return (cone->right_x * y - cone->right_y * x >= least_m) &
           (x * cone->left_y - y * cone->left_x >= least_m);
}

#endif
