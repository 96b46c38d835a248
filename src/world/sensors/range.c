#include "range.h"

#define LANES 1
#include "sonar_simd.h"

hy_vec hy_direction(double angle_rad)
{
    const hy_sine_cosine turned = hy_sin_cos(angle_rad);
    return (hy_vec){ turned.cos, turned.sin };
}

double hy_range_from(const hy_world_model *model, const hy_world_state *state, size_t index,
                     const hy_range_use *use)
{
    const hy_range_spec *range = use->range;
    const hy_pose *pose = &state->vehicle[index].pose;
    const double ahead_rad = pose->heading_rad + use->heading_rad;
    const hy_cone cone = { hy_pose_point(pose, use->at_m),
                           hy_direction(ahead_rad - range->half_cone_rad),
                           hy_direction(ahead_rad + range->half_cone_rad) };
    const cone_lanes one = { cone.from_m.x, cone.from_m.y, cone.right.x,
                             cone.right.y,  cone.left.x,   cone.left.y };
    double nearest_m = nearest_edge_in_cone(model, &one, range->far_m);
    for (size_t other = 0; other < state->vehicle_count; other++) {
        if (other == index) {
            continue;
        }
        hy_world_segment outline[HY_VEHICLE_CORNERS];
        hy_outline_edges(&state->vehicle[other].pose, model->vehicle[other].corner_m,
                         HY_VEHICLE_CORNERS, outline);
        nearest_m = hy_nearest_in_cone(&cone, nearest_m, outline, HY_VEHICLE_CORNERS);
    }
    return hy_max(nearest_m, range->near_m);
}

double hy_range_measured(const hy_range_spec *range, double true_m, hy_random *random)
{
    // Without an echo the sensor gives up at its largest range: there is nothing to be noisy.
    const double error_m =
        true_m < range->far_m && range->noise_m > 0 ? range->noise_m * hy_random_normal(random) : 0;
    return hy_clamp(true_m + error_m, range->near_m, range->far_m, 0);
}
