#include "regions.h"

#include <math.h>

hy_region hy_region_of(const hy_region_spec *spec)
{
    return (hy_region){ .shape = spec->shape,
                        .center =
                            hy_pose_make(spec->center_m.x_m, spec->center_m.y_m, spec->angle_rad),
                        .half_m = { spec->size_m.x_m / 2, spec->size_m.y_m / 2 },
                        .radius_m = spec->radius_m,
                        .grip = spec->grip };
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
