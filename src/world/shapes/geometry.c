#include "geometry.h"

#define LANES 1
#include "shapes/cone_simd.h"

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

double hy_nearest_in_cone(const hy_cone *cone, double reach_m, const hy_world_segment *edges,
                          size_t count)
{
    const cone_lanes one = { cone->from_m.x, cone->from_m.y, cone->right.x,
                             cone->right.y,  cone->left.x,   cone->left.y };
    return nearest_in_cone(&one, reach_m, edges, count);
}
