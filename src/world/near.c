#include "near.h"

#include <math.h>

/// At most the gap between a vehicle's outline and an edge: the widest that one of the directions
/// along their sides shows (separating axes).
static double gap_to_edge(const hy_vehicle_model *vehicle, const hy_pose *pose,
                          const hy_world_segment *edge)
{
    const hy_vec a =
        hy_pose_turn_back(pose, (hy_vec){ edge->x0_m - pose->at_m.x, edge->y0_m - pose->at_m.y });
    const hy_vec b =
        hy_pose_turn_back(pose, (hy_vec){ edge->x1_m - pose->at_m.x, edge->y1_m - pose->at_m.y });
    const double ahead = hy_min(a.x, b.x) - vehicle->high_m.x;
    const double behind = vehicle->low_m.x - hy_max(a.x, b.x);
    const double left = hy_min(a.y, b.y) - vehicle->high_m.y;
    const double right = vehicle->low_m.y - hy_max(a.y, b.y);
    double gap = hy_max(hy_max(ahead, behind), hy_max(left, right));
    const hy_vec along = hy_vec_sub(b, a);
    const double length = sqrt(hy_vec_dot(along, along));
    double low = INFINITY;
    double high = -INFINITY;
    for (int i = 0; i < HY_VEHICLE_CORNERS; i++) {
        const hy_vec to = hy_vec_sub(vehicle->corner_m[i], a);
        const double side = along.x * to.y - along.y * to.x;
        low = hy_min(low, side);
        high = hy_max(high, side);
    }
    const double beside = hy_max(low, -high);
    if (beside > gap * length) {
        gap = beside / length;
    }
    return gap;
}

double hy_gap_to_edges(const hy_world_model *model, size_t index, const hy_pose *pose)
{
    double nearest_m = INFINITY;
    for (size_t i = 0; i < model->edge_count; i++) {
        nearest_m = hy_min(nearest_m, gap_to_edge(&model->vehicle[index], pose, &model->edges[i]));
    }
    return nearest_m;
}
