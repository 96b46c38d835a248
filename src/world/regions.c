#include "regions.h"

#include <math.h>

hy_region hy_region_of(const hy_region_spec *spec)
{
    return (hy_region){ .shape = spec->shape,
                        .center =
                            hy_pose_make(spec->center_m.x_m, spec->center_m.y_m, spec->angle_rad),
                        .half_m = { spec->size_m.x_m / 2, spec->size_m.y_m / 2 },
                        .radius_m = spec->radius_m,
                        .grip = spec->grip,
                        .slope_rad = spec->slope_rad };
}

static bool is_in(const hy_region *region, hy_vec at_m)
{
    const hy_vec away = hy_vec_sub(at_m, region->center.at_m);
    if (region->shape == HY_REGION_DISC) {
        return hy_vec_dot(away, away) <= region->radius_m * region->radius_m;
    }
    const hy_vec ahead = { region->center.cos, region->center.sin };
    return fabs(hy_vec_dot(ahead, away)) <= region->half_m.x &&
           fabs(hy_vec_cross(ahead, away)) <= region->half_m.y;
}

double hy_world_floor_grip(const hy_world_model *model, hy_point at_m)
{
    for (size_t i = model->region_count; i-- > 0;) {
        if (is_in(&model->region[i], hy_vec_of(at_m))) {
            return model->region[i].grip;
        }
    }
    return 1;
}

void hy_regions_grip(const hy_world_model *model, const hy_vehicle_model *vehicle,
                     const hy_pose *pose, double grip[HY_VEHICLE_TYRES])
{
    for (size_t i = 0; i < vehicle->tyre_count; i++) {
        const hy_vec at_m = hy_vec_add(pose->at_m, hy_pose_turn(pose, vehicle->tyre_m[i]));
        grip[i] = hy_world_floor_grip(model, (hy_point){ at_m.x, at_m.y });
    }
}

// --------------------------------------------------------------------------- ramps

/// Narrows the part [u[0], u[1]] of a line to where it is between -half and half. False if nothing is left.
static bool clip_to(double from, double to, double half, double u[2])
{
    const double way = to - from;
    if (way == 0) {
        return fabs(from) <= half;
    }
    const double a = (-half - from) / way, b = (half - from) / way;
    u[0] = hy_max(u[0], hy_min(a, b));
    u[1] = hy_min(u[1], hy_max(a, b));
    return u[0] < u[1];
}

/// The share of the line from `rear` to `front` that lies in a box.
static double share_in(const hy_region *box, hy_vec rear, hy_vec front)
{
    const hy_vec from = hy_pose_turn_back(&box->center, hy_vec_sub(rear, box->center.at_m));
    const hy_vec to = hy_pose_turn_back(&box->center, hy_vec_sub(front, box->center.at_m));
    double u[2] = { 0, 1 };
    return clip_to(from.x, to.x, box->half_m.x, u) && clip_to(from.y, to.y, box->half_m.y, u)
               ? u[1] - u[0]
               : 0;
}

hy_vec hy_regions_slope(const hy_world_model *model, const hy_vehicle_model *vehicle,
                        const hy_pose *pose)
{
    const hy_vec rear = hy_pose_point(pose, (hy_vec){ vehicle->rear_contact_m, 0 });
    const hy_vec front = hy_pose_point(pose, (hy_vec){ vehicle->front_contact_m, 0 });
    hy_vec slope_rad = { 0, 0 };
    for (size_t i = 0; i < model->region_count; i++) {
        const hy_region *const region = &model->region[i];
        if (region->slope_rad > 0) {
            const double rise_rad = region->slope_rad * share_in(region, rear, front);
            const hy_vec uphill = { region->center.cos, region->center.sin };
            slope_rad = hy_vec_add(slope_rad, hy_vec_scale(uphill, rise_rad));
        }
    }
    return hy_pose_turn_back(pose, slope_rad);
}

hy_vec hy_slope_gravity(hy_vec slope_rad)
{
    return (hy_vec){ -HY_GRAVITY_M_S2 * hy_sin(slope_rad.x), -HY_GRAVITY_M_S2 * hy_sin(slope_rad.y) };
}

double hy_slope_load(hy_vec slope_rad)
{
    return hy_cos(slope_rad.x) * hy_cos(slope_rad.y);
}

hy_point hy_world_floor_slope(const hy_world_model *model, hy_point at_m)
{
    hy_point slope_rad = { 0, 0 };
    for (size_t i = 0; i < model->region_count; i++) {
        const hy_region *const region = &model->region[i];
        if (region->slope_rad > 0 && is_in(region, hy_vec_of(at_m))) {
            slope_rad.x_m += region->slope_rad * region->center.cos;
            slope_rad.y_m += region->slope_rad * region->center.sin;
        }
    }
    return slope_rad;
}
