// Time stepping with velocities and impulses (Stewart and Trinkle 1996; Anitescu and Potra 1997), solved by projected
// Gauss-Seidel with accumulated impulses (Catto, "Iterative Dynamics with Temporal Coherence", 2005).
//
// A contact is a point r of the vehicle, from its centre of mass, a normal n that points out of the solid, and the gap g
// along n. In a substep of h seconds the velocity v + w x r of the point must satisfy
//
//     n . (v + w x r) >= -max(g, 0) / h        and the impulse p along n     0 <= p,
//
// each of them with equality unless the other is zero, and the impulse q along the tangent |q| <= friction * p.
// The impulse that changes the velocity along a direction d by u is u / (1/m + (r x d)^2 / I).
// What turning brings into a solid by the curve of a corner's way is put right in position only, so
// that it adds no energy.
#include "lone.h"

#define LANES 1
#include "lanes/contact_simd.h"

static pose_lanes pose_lanes_of(const hy_pose *pose)
{
    return (pose_lanes){ pose->at_m.x, pose->at_m.y, pose->heading_rad, pose->cos, pose->sin };
}

static hy_pose pose_of(const pose_lanes *pose)
{
    return (hy_pose){ { pose->x_m, pose->y_m }, pose->heading_rad, pose->cos, pose->sin };
}

void hy_lone_lift_out(const hy_world_model *model, const hy_vehicle_model *vehicle, hy_pose *pose,
                      hy_vec center_m)
{
    const hy_body_model *const body = &vehicle->body;
    finder_lanes f;
    f.vehicle = vehicle;
    f.pose = pose_lanes_of(pose);
    f.center_m = (vec_lanes){ center_m.x, center_m.y };
    for (int pass = 0; pass < HY_CONTACT_PASSES; pass++) {
        find_points(model, &f, 0);
        const point_lanes *deepest = NULL;
        for (size_t i = 0; i < f.count[0]; i++) {
            if (deepest == NULL || f.points[i].gap_m[0] < deepest->gap_m[0]) {
                deepest = &f.points[i];
            }
        }
        if (deepest == NULL || deepest->gap_m[0] > -HY_CONTACT_SUNK_M) {
            break;
        }
        const vec_lanes normal = { deepest->normal_x[0], deepest->normal_y[0] };
        const double lever_m = deepest->r_x[0] * normal.y - deepest->r_y[0] * normal.x;
        const double kg_m = -deepest->gap_m[0] * mass_along(body, lever_m);
        const double heading_rad = f.pose.heading_rad + lever_m * kg_m * body->per_kg_m2;
        const hy_sine_cosine to = hy_sin_cos(heading_rad);
        f.center_m.x += normal.x * (kg_m * body->per_kg);
        f.center_m.y += normal.y * (kg_m * body->per_kg);
        take_heading(&f, heading_rad, to.sin, to.cos);
    }
    *pose = pose_of(&f.pose);
}

hy_engine_touch hy_lone_step(const hy_world_model *model, size_t index, hy_motion wanted,
                             hy_engine_body *body)
{
    const body_lanes motion = { body->motion.x, body->motion.y, body->motion.turn };
    touch_lanes t;
    touch_step s = { .wanted = { wanted.x, wanted.y, wanted.turn } };
    t.found.vehicle = &model->vehicle[index];
    t.found.pose = pose_lanes_of(&body->pose);
    touch_together(model, &t, &s, &motion, 1);
    if (!s.touched) {
        return (hy_engine_touch){ false, false };
    }
    *body = (hy_engine_body){ pose_of(&t.found.pose), { s.wanted.x, s.wanted.y, s.wanted.turn } };
    return (hy_engine_touch){ true, true };
}

double hy_lone_gap(const hy_world_model *model, size_t index, const hy_pose *pose, double most_m)
{
    finder_lanes f;
    f.vehicle = &model->vehicle[index];
    f.pose = pose_lanes_of(pose);
    f.center_m = center_of(&f);
    find_points(model, &f, most_m);
    double gap_m = most_m;
    for (size_t i = 0; i < f.count[0]; i++) {
        gap_m = hy_min(gap_m, f.points[i].gap_m[0]);
    }
    return gap_m;
}
