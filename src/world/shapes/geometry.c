#include "geometry.h"

#include <math.h>

double hy_distance_squared(hy_vec p, hy_vec a, hy_vec b)
{
    const hy_vec along = hy_vec_sub(b, a);
    const hy_vec to_p = hy_vec_sub(p, a);
    const double length_squared = hy_vec_dot(along, along);
    const double share = length_squared > 0 ? hy_vec_dot(to_p, along) / length_squared : 0;
    const hy_vec nearest = hy_vec_scale(along, hy_clamp(share, 0, 1, 0));
    const hy_vec off = hy_vec_sub(to_p, nearest);
    return hy_vec_dot(off, off);
}

void hy_outline_edges(const hy_pose *pose, const hy_vec *corners, size_t count, hy_world_segment *out)
{
    hy_vec last = hy_pose_point(pose, corners[count - 1]);
    for (size_t i = 0; i < count; i++) {
        const hy_vec next = hy_pose_point(pose, corners[i]);
        out[i] = (hy_world_segment){ last.x, last.y, next.x, next.y };
        last = next;
    }
}

/// Narrows the part [u[0], u[1]] of a segment to where a linear function, `at0` at its start and `at1`
/// at its end, is not negative. False if nothing is left.
static bool clip_segment(double at0, double at1, double u[2])
{
    if (at0 < 0 && at1 < 0) {
        return false;
    }
    if (at0 < 0) {
        u[0] = hy_max(u[0], at0 / (at0 - at1));
    } else if (at1 < 0) {
        u[1] = hy_min(u[1], at0 / (at0 - at1));
    }
    return u[0] <= u[1];
}

double hy_nearest_in_cone(const hy_cone *cone, double reach_m, const hy_world_segment *edges,
                          size_t count)
{
    double nearest_squared = reach_m * reach_m;
    for (size_t i = 0; i < count; i++) {
        const hy_vec start = hy_vec_sub((hy_vec){ edges[i].x0_m, edges[i].y0_m }, cone->from_m);
        const hy_vec end = hy_vec_sub((hy_vec){ edges[i].x1_m, edges[i].y1_m }, cone->from_m);
        double inside[2] = { 0, 1 };
        if (!clip_segment(hy_vec_cross(cone->right, start), hy_vec_cross(cone->right, end), inside) ||
            !clip_segment(hy_vec_cross(start, cone->left), hy_vec_cross(end, cone->left), inside)) {
            continue;
        }
        const hy_vec along = hy_vec_sub(end, start);
        const double length_squared = hy_vec_dot(along, along);
        const double foot = length_squared > 0 ? -hy_vec_dot(start, along) / length_squared : 0;
        const double u = hy_clamp(foot, inside[0], inside[1], inside[0]);
        const hy_vec point = hy_vec_add(start, hy_vec_scale(along, u));
        nearest_squared = hy_min(nearest_squared, hy_vec_dot(point, point));
    }
    return sqrt(nearest_squared);
}
