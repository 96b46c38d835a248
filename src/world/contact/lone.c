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
//
// contact_path.h does the same for several vehicles at once; what is changed here must be changed there.
#include "lone.h"

#include "meet.h"

typedef struct {
    hy_contact_point at;
    double lever_m, side_m;       ///< Of an impulse along the normal and along the tangent.
    double least_m_s;             ///< Slowest that the point may be along the normal.
    double normal_kg, tangent_kg; ///< What the point resists.
    double normal_n_s, tangent_n_s;
} contact;

typedef struct {
    hy_contact_finder found; ///< Its vehicle is the one that moves.
    hy_vec velocity_m_s;
    double turn_rad_s;
    contact contacts[HY_CONTACTS_MAX];
} solver;

// --------------------------------------------------------------------------- solving

static double mass_along(const hy_body_model *body, double lever_m)
{
    return 1 / (body->per_kg + lever_m * lever_m * body->per_kg_m2);
}

static void prepare_contacts(solver *s, double per_s)
{
    const hy_body_model *body = &s->found.vehicle->body;
    for (size_t i = 0; i < s->found.count; i++) {
        const hy_contact_point *at = &s->found.points[i];
        const double lever_m = hy_vec_cross(at->r_m, at->normal);
        const double side_m = hy_vec_dot(at->r_m, at->normal);
        s->contacts[i] = (contact){
            .at = *at,
            .lever_m = lever_m,
            .side_m = side_m,
            .least_m_s = -hy_max(at->gap_m, 0) * per_s,
            .normal_kg = mass_along(body, lever_m),
            .tangent_kg = mass_along(body, side_m),
        };
    }
}

static void push_at(solver *s, hy_vec r_m, hy_vec impulse)
{
    const hy_body_model *body = &s->found.vehicle->body;
    s->velocity_m_s = hy_vec_add(s->velocity_m_s, hy_vec_scale(impulse, body->per_kg));
    s->turn_rad_s += hy_vec_cross(r_m, impulse) * body->per_kg_m2;
}

static double speed_along(const solver *s, hy_vec direction, double lever_m)
{
    return hy_vec_dot(s->velocity_m_s, direction) + s->turn_rad_s * lever_m;
}

/// One contact; returns by how much it changed the speed of its point.
static double solve_contact(solver *s, contact *c)
{
    const hy_vec normal = c->at.normal, tangent = { -normal.y, normal.x };
    const double more = (c->least_m_s - speed_along(s, normal, c->lever_m)) * c->normal_kg;
    const double normal_n_s = hy_max(c->normal_n_s + more, 0);
    const double push_n_s = normal_n_s - c->normal_n_s;
    c->normal_n_s = normal_n_s;
    push_at(s, c->at.r_m, hy_vec_scale(normal, push_n_s));

    const double most_n_s = HY_CONTACT_FRICTION * normal_n_s;
    const double wanted_n_s = c->tangent_n_s - speed_along(s, tangent, c->side_m) * c->tangent_kg;
    const double tangent_n_s = hy_clamp(wanted_n_s, -most_n_s, most_n_s, 0);
    const double rub_n_s = tangent_n_s - c->tangent_n_s;
    c->tangent_n_s = tangent_n_s;
    push_at(s, c->at.r_m, hy_vec_scale(tangent, rub_n_s));
    return hy_max(fabs(push_n_s), fabs(rub_n_s)) * s->found.vehicle->body.per_kg;
}

static void solve_velocity(solver *s, double substep_s)
{
    prepare_contacts(s, 1 / substep_s);
    double changed_m_s = INFINITY;
    for (int pass = 0; pass < HY_CONTACT_PASSES && changed_m_s > HY_CONTACT_ENOUGH_M_S; pass++) {
        changed_m_s = 0;
        for (size_t i = 0; i < s->found.count; i++) {
            changed_m_s = hy_max(changed_m_s, solve_contact(s, &s->contacts[i]));
        }
    }
}

static void move_by(hy_contact_finder *f, hy_vec way_m, double turn_rad)
{
    const hy_vec com = { f->vehicle->body.com_ahead_m, 0 };
    f->center_m = hy_vec_add(f->center_m, way_m);
    f->pose = hy_pose_make(0, 0, f->pose.heading_rad + turn_rad);
    f->pose.at_m = hy_vec_sub(f->center_m, hy_pose_turn(&f->pose, com));
}

void hy_lone_lift_out(const hy_world_model *model, hy_contact_finder *f)
{
    const hy_body_model *body = &f->vehicle->body;
    for (int pass = 0; pass < HY_CONTACT_PASSES; pass++) {
        hy_contacts_find(f, model, 0);
        const hy_contact_point *deepest = NULL;
        for (size_t i = 0; i < f->count; i++) {
            if (deepest == NULL || f->points[i].gap_m < deepest->gap_m) {
                deepest = &f->points[i];
            }
        }
        if (deepest == NULL || deepest->gap_m > -HY_CONTACT_SUNK_M) {
            return;
        }
        const double lever_m = hy_vec_cross(deepest->r_m, deepest->normal);
        const double kg_m = -deepest->gap_m * mass_along(body, lever_m);
        move_by(f, hy_vec_scale(deepest->normal, kg_m * body->per_kg),
                lever_m * kg_m * body->per_kg_m2);
    }
}

// --------------------------------------------------------------------------- a step

static bool is_touched(const solver *s)
{
    for (size_t i = 0; i < s->found.count; i++) {
        if (s->contacts[i].normal_n_s > 0 || s->contacts[i].at.gap_m < HY_TOUCH_M) {
            return true;
        }
    }
    return false;
}

/// Leaves what hy_contacts_find() fills as it is: clearing so much would be a tenth of a step.
static void start_finder(hy_contact_finder *f, const hy_vehicle_model *vehicle, const hy_pose *pose)
{
    f->vehicle = vehicle;
    f->pose = *pose;
    f->center_m = hy_pose_point(pose, (hy_vec){ vehicle->body.com_ahead_m, 0 });
}

hy_engine_touch hy_lone_step(const hy_world_model *model, size_t index, hy_motion wanted,
                             hy_engine_body *body)
{
    solver s;
    start_finder(&s.found, &model->vehicle[index], &body->pose);
    s.velocity_m_s = hy_pose_turn(&body->pose, (hy_vec){ body->motion.x, body->motion.y });
    s.turn_rad_s = body->motion.turn;
    const double substep_s = model->step_s / HY_CONTACT_SUBSTEPS;
    const hy_pose end = hy_pose_make(0, 0, body->pose.heading_rad + wanted.turn * model->step_s);
    const hy_vec goal_m_s = hy_pose_turn(&end, (hy_vec){ wanted.x, wanted.y });
    const hy_vec gain_m_s =
        hy_vec_scale(hy_vec_sub(goal_m_s, s.velocity_m_s), 1.0 / HY_CONTACT_SUBSTEPS);
    const double gain_rad_s = (wanted.turn - s.turn_rad_s) / HY_CONTACT_SUBSTEPS;
    bool touched = false;
    hy_vec way_m = { 0, 0 };
    double turned_rad = 0;
    for (int i = 0; i < HY_CONTACT_SUBSTEPS; i++) {
        s.velocity_m_s = hy_vec_add(s.velocity_m_s, gain_m_s);
        s.turn_rad_s += gain_rad_s;
        const double fastest_m_s = fabs(s.velocity_m_s.x) + fabs(s.velocity_m_s.y) +
                                   fabs(s.turn_rad_s) * s.found.vehicle->reach_m;
        hy_contacts_find(&s.found, model, HY_TOUCH_M + fastest_m_s * substep_s);
        solve_velocity(&s, substep_s);
        touched = touched || is_touched(&s);
        const hy_vec moved_m = hy_vec_scale(s.velocity_m_s, substep_s);
        way_m = hy_vec_add(way_m, moved_m);
        turned_rad += s.turn_rad_s * substep_s;
        move_by(&s.found, moved_m, s.turn_rad_s * substep_s);
    }
    if (!touched) {
        return (hy_engine_touch){ false, false };
    }
    hy_lone_lift_out(model, &s.found);
    const hy_pose *const to = &s.found.pose;
    const hy_vec mean_m_s = hy_pose_turn_back(to, hy_vec_scale(way_m, 1 / model->step_s));
    *body = (hy_engine_body){ *to, { mean_m_s.x, mean_m_s.y, turned_rad / model->step_s } };
    return (hy_engine_touch){ true, true };
}

double hy_lone_gap(const hy_world_model *model, size_t index, const hy_pose *pose, double most_m)
{
    hy_contact_finder found;
    start_finder(&found, &model->vehicle[index], pose);
    hy_contacts_find(&found, model, most_m);
    double gap_m = most_m;
    for (size_t i = 0; i < found.count; i++) {
        gap_m = hy_min(gap_m, found.points[i].gap_m);
    }
    return gap_m;
}
