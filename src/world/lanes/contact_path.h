/// @file contact_path.h
/// Vehicles of one model, each alone at walls and obstacles, LANES at once (lanes.h): what contact/lone.c does for one, in the same
/// order. How far lanes have to go differs: one that is done keeps what it has while the others go on.
#ifndef HY_WORLD_CONTACT_PATH_H
#define HY_WORLD_CONTACT_PATH_H

#include "contact/lone.h"
#include "lanes/motion_path.h"

typedef double lane_numbers[LANES];

/// A contact of each vehicle; where one has none, zeros.
typedef struct {
    lane_numbers r_x, r_y, normal_x, normal_y, gap_m;
} point_lanes;

typedef struct {
    mask there; ///< Which vehicles have it.
    vec_lanes r_m, normal;
    lanes lever_m, side_m, least_m_s, normal_kg, tangent_kg;
    lanes normal_n_s, tangent_n_s;
} contact_lanes;

typedef struct {
    lanes turn_rad_s;
    lanes within_m;
    mask passes; ///< That each needed in this step.
    vec_lanes center_m;
    vec_lanes velocity_m_s;
    pose_lanes pose;
    vec_lanes outline[HY_VEHICLE_CORNERS];
    contact_lanes contacts[HY_CONTACTS_MAX];
    size_t most; ///< Contacts of the one that has most.
    const hy_vehicle_model *vehicle;
    size_t count[LANES]; ///< Contacts of each.
    point_lanes points[HY_CONTACTS_MAX];
} touch_lanes;

static inline mask mask_of(const int64_t each[LANES])
{
    mask where;
    memcpy(&where, each, sizeof where);
    return where;
}

/// hy_pose_turn(), and hy_pose_turn_back().
static inline vec_lanes turned(const pose_lanes *pose, lanes x, lanes y)
{
    return (vec_lanes){ pose->cos * x - pose->sin * y, pose->sin * x + pose->cos * y };
}

static inline vec_lanes turned_back(const pose_lanes *pose, lanes x, lanes y)
{
    return (vec_lanes){ pose->cos * x + pose->sin * y, pose->cos * y - pose->sin * x };
}

// --------------------------------------------------------------------------- finding contacts

static void add_points(touch_lanes *t, mask where, vec_lanes r_m, hy_vec normal, lanes gap_m)
{
    unsigned left = mask_bits(where);
    if (left == 0) {
        return;
    }
    lane_numbers r_x, r_y, gap;
    store(r_x, r_m.x);
    store(r_y, r_m.y);
    store(gap, gap_m);
    for (; left != 0; left &= left - 1) {
        const size_t i = lowest_lane(left);
        if (t->count[i] < HY_CONTACTS_MAX) {
            point_lanes *const p = &t->points[t->count[i]++];
            p->r_x[i] = r_x[i];
            p->r_y[i] = r_y[i];
            p->normal_x[i] = normal.x;
            p->normal_y[i] = normal.y;
            p->gap_m[i] = gap[i];
        }
    }
}

static void meet_walls(const hy_world_model *model, touch_lanes *t)
{
    const lanes reach_m = t->within_m + hy_contact_reach(t->vehicle);
    for (int k = 0; k < HY_WALLS; k++) {
        const hy_wall wall = hy_wall_of(model, k);
        const hy_vec n = wall.normal;
        const lanes center_m =
            (t->center_m.x - wall.at_m.x) * n.x + (t->center_m.y - wall.at_m.y) * n.y;
        if (!any(center_m <= reach_m)) {
            continue;
        }
        for (int i = 0; i < HY_VEHICLE_CORNERS; i++) {
            const vec_lanes corner = t->outline[i];
            const lanes gap_m = center_m + (corner.x * n.x + corner.y * n.y);
            add_points(t, gap_m < t->within_m, corner, n, gap_m);
        }
    }
}

/// One vehicle's contacts with an obstacle are found by themselves.
static void meet_obstacle(touch_lanes *t, size_t lane, const hy_obstacle *obstacle)
{
    const pose_lanes *const p = &t->pose;
    hy_contact_finder found;
    found.vehicle = t->vehicle;
    found.pose =
        (hy_pose){ { p->x_m[lane], p->y_m[lane] }, p->heading_rad[lane], p->cos[lane], p->sin[lane] };
    found.center_m = (hy_vec){ t->center_m.x[lane], t->center_m.y[lane] };
    for (int i = 0; i < HY_VEHICLE_CORNERS; i++) {
        found.outline[i] = (hy_vec){ t->outline[i].x[lane], t->outline[i].y[lane] };
    }
    found.within_m = t->within_m[lane];
    found.count = t->count[lane];
    hy_contacts_meet(&found, obstacle);
    for (size_t i = t->count[lane]; i < found.count; i++) {
        const hy_contact_point *const from = &found.points[i];
        point_lanes *const to = &t->points[i];
        to->r_x[lane] = from->r_m.x;
        to->r_y[lane] = from->r_m.y;
        to->normal_x[lane] = from->normal.x;
        to->normal_y[lane] = from->normal.y;
        to->gap_m[lane] = from->gap_m;
    }
    t->count[lane] = found.count;
}

static void meet_obstacles(const hy_world_model *model, touch_lanes *t)
{
    for (size_t k = 0; k < model->obstacle_count; k++) {
        const hy_obstacle *const obstacle = &model->obstacles[k];
        const lanes apart_m = t->vehicle->reach_m + obstacle->reach_m + t->within_m + HY_TOUCH_M;
        const lanes x = obstacle->middle_m.x - t->pose.x_m, y = obstacle->middle_m.y - t->pose.y_m;
        const mask is_near = mask_not(x * x + y * y > apart_m * apart_m);
        for (unsigned left = mask_bits(is_near); left != 0; left &= left - 1) {
            meet_obstacle(t, lowest_lane(left), obstacle);
        }
    }
}

/// Where a vehicle has fewer contacts than another, zeros.
static void fill_points(touch_lanes *t)
{
    t->most = 0;
    for (size_t i = 0; i < LANES; i++) {
        t->most = t->count[i] > t->most ? t->count[i] : t->most;
    }
    for (size_t i = 0; i < LANES; i++) {
        for (size_t k = t->count[i]; k < t->most; k++) {
            point_lanes *const p = &t->points[k];
            p->r_x[i] = p->r_y[i] = p->normal_x[i] = p->normal_y[i] = p->gap_m[i] = 0;
        }
    }
}

static void find_contacts(const hy_world_model *model, touch_lanes *t, lanes within_m)
{
    for (int i = 0; i < HY_VEHICLE_CORNERS; i++) {
        const hy_vec of = t->vehicle->corner_m[i];
        const vec_lanes corner = turned(&t->pose, broadcast(of.x), broadcast(of.y));
        t->outline[i] = (vec_lanes){ (t->pose.x_m + corner.x) - t->center_m.x,
                                     (t->pose.y_m + corner.y) - t->center_m.y };
    }
    t->within_m = within_m;
    memset(t->count, 0, sizeof t->count);
    meet_walls(model, t);
    meet_obstacles(model, t);
    fill_points(t);
}

// --------------------------------------------------------------------------- solving

static void prepare_contacts(touch_lanes *t, double per_s)
{
    const hy_body_model *const body = &t->vehicle->body;
    for (size_t k = 0; k < t->most; k++) {
        const point_lanes *const at = &t->points[k];
        contact_lanes *const c = &t->contacts[k];
        int64_t there[LANES];
        for (size_t i = 0; i < LANES; i++) {
            there[i] = k < t->count[i] ? -1 : 0;
        }
        c->there = mask_of(there);
        c->r_m = (vec_lanes){ load(at->r_x), load(at->r_y) };
        c->normal = (vec_lanes){ load(at->normal_x), load(at->normal_y) };
        c->lever_m = c->r_m.x * c->normal.y - c->r_m.y * c->normal.x;
        c->side_m = c->r_m.x * c->normal.x + c->r_m.y * c->normal.y;
        c->least_m_s = -lanes_max(load(at->gap_m), broadcast(0)) * per_s;
        c->normal_kg = 1.0 / (body->per_kg + c->lever_m * c->lever_m * body->per_kg_m2);
        c->tangent_kg = 1.0 / (body->per_kg + c->side_m * c->side_m * body->per_kg_m2);
        c->normal_n_s = c->tangent_n_s = broadcast(0);
    }
}

/// Velocities while a contact is solved.
typedef struct {
    lanes x, y, turn;
} speed_lanes;

static inline void push_at(const hy_body_model *body, speed_lanes *v, vec_lanes r_m, lanes x, lanes y)
{
    v->x += x * body->per_kg;
    v->y += y * body->per_kg;
    v->turn += (r_m.x * y - r_m.y * x) * body->per_kg_m2;
}

/// One contact; returns by how much it changed the speed of its point. Where `moving`, that is what becomes of its impulses. Where a
/// vehicle has no such contact, all are zeros: what zeros add to a velocity is no more than the sign of a zero, and that ends there,
/// since distances are sums that begin at +0.
static inline lanes solve_contact(const hy_body_model *body, speed_lanes *v, contact_lanes *c,
                                  mask moving)
{
    const vec_lanes n = c->normal;
    const lanes along = (v->x * n.x + v->y * n.y) + v->turn * c->lever_m;
    const lanes more = (c->least_m_s - along) * c->normal_kg;
    const lanes normal_n_s = lanes_max(c->normal_n_s + more, broadcast(0));
    const lanes push_n_s = normal_n_s - c->normal_n_s;
    push_at(body, v, c->r_m, n.x * push_n_s, n.y * push_n_s);

    const lanes most_n_s = HY_CONTACT_FRICTION * normal_n_s;
    const lanes across = (v->x * -n.y + v->y * n.x) + v->turn * c->side_m;
    const lanes wanted_n_s = c->tangent_n_s - across * c->tangent_kg;
    const lanes tangent_n_s = lanes_clamp(wanted_n_s, -most_n_s, most_n_s);
    const lanes rub_n_s = tangent_n_s - c->tangent_n_s;
    push_at(body, v, c->r_m, -n.y * rub_n_s, n.x * rub_n_s);

    c->normal_n_s = blend(moving, normal_n_s, c->normal_n_s);
    c->tangent_n_s = blend(moving, tangent_n_s, c->tangent_n_s);
    return lanes_max(lanes_abs(push_n_s), lanes_abs(rub_n_s)) * body->per_kg;
}

/// A pass over all contacts of the vehicles that have not come to rest; returns which have not now.
static inline mask solve_pass(touch_lanes *t, mask moving)
{
    speed_lanes v = { t->velocity_m_s.x, t->velocity_m_s.y, t->turn_rad_s };
    lanes changed_m_s = broadcast(0);
    for (size_t k = 0; k < t->most; k++) {
        changed_m_s =
            lanes_max(changed_m_s, solve_contact(&t->vehicle->body, &v, &t->contacts[k], moving));
    }
    t->velocity_m_s.x = blend(moving, v.x, t->velocity_m_s.x);
    t->velocity_m_s.y = blend(moving, v.y, t->velocity_m_s.y);
    t->turn_rad_s = blend(moving, v.turn, t->turn_rad_s);
    return moving & (changed_m_s > HY_CONTACT_ENOUGH_M_S);
}

/// Each of a pass's operations waits for the one before: of `parts` vectors one goes on while the other waits.
static void solve_velocities(touch_lanes *t, size_t parts)
{
    mask moving[LANES_TOGETHER];
    bool any_moves = false;
    for (size_t p = 0; p < parts; p++) {
        moving[p] = everywhere();
        any_moves = any_moves || t[p].most > 0;
    }
    for (int pass = 0; pass < HY_CONTACT_PASSES && any_moves; pass++) {
        any_moves = false;
        for (size_t p = 0; p < parts; p++) {
            t[p].passes -= moving[p];
            moving[p] = solve_pass(&t[p], moving[p]);
            any_moves = any_moves || any(moving[p]);
        }
    }
}

static mask touched_now(const touch_lanes *t)
{
    mask touched = { 0 };
    for (size_t k = 0; k < t->most; k++) {
        const contact_lanes *const c = &t->contacts[k];
        touched |= c->there & ((c->normal_n_s > 0.0) | (load(t->points[k].gap_m) < HY_TOUCH_M));
    }
    return touched;
}

// --------------------------------------------------------------------------- a step

/// What hy_lone_step() is given and answers, and what is between.
typedef struct {
    body_lanes wanted; ///< The motion: in, and out.
    mask touched;
    vec_lanes gain_m_s, way_m;
    lanes gain_rad_s, turned_rad;
    uint8_t work[LANES]; ///< How much of it each needed: below CONTACT_WORKS, for robots that need as much as each other.
} touch_step;

#define CONTACT_WORKS 64 // eight times eight

/// `motion`: where the step began.
static void start_touch(const hy_world_model *model, touch_lanes *t, touch_step *s, body_lanes motion)
{
    const vec_lanes com = turned(&t->pose, broadcast(t->vehicle->body.com_ahead_m), broadcast(0));
    t->passes = (mask){ 0 };
    t->center_m = (vec_lanes){ t->pose.x_m + com.x, t->pose.y_m + com.y };
    t->velocity_m_s = turned(&t->pose, motion.x, motion.y);
    t->turn_rad_s = motion.turn;
    pose_lanes end = { .heading_rad = t->pose.heading_rad + s->wanted.turn * model->step_s };
    lanes_sin_cos(end.heading_rad, &end.sin, &end.cos);
    const vec_lanes goal_m_s = turned(&end, s->wanted.x, s->wanted.y);
    s->gain_m_s = (vec_lanes){ (goal_m_s.x - t->velocity_m_s.x) * (1.0 / HY_CONTACT_SUBSTEPS),
                               (goal_m_s.y - t->velocity_m_s.y) * (1.0 / HY_CONTACT_SUBSTEPS) };
    s->gain_rad_s = (s->wanted.turn - t->turn_rad_s) / (double)HY_CONTACT_SUBSTEPS;
    s->touched = (mask){ 0 };
    s->way_m = (vec_lanes){ broadcast(0), broadcast(0) };
    s->turned_rad = broadcast(0);
}

static void meet(const hy_world_model *model, touch_lanes *t, const touch_step *s, double substep_s)
{
    t->velocity_m_s.x += s->gain_m_s.x;
    t->velocity_m_s.y += s->gain_m_s.y;
    t->turn_rad_s += s->gain_rad_s;
    const lanes fastest_m_s = lanes_abs(t->velocity_m_s.x) + lanes_abs(t->velocity_m_s.y) +
                              lanes_abs(t->turn_rad_s) * t->vehicle->reach_m;
    find_contacts(model, t, HY_TOUCH_M + fastest_m_s * substep_s);
    prepare_contacts(t, 1 / substep_s);
}

static void note_work(const touch_lanes *t, touch_step *s)
{
    for (size_t i = 0; i < LANES; i++) {
        const size_t contacts = t->count[i] < 7 ? t->count[i] : 7;
        const size_t passes =
            (size_t)t->passes[i] * 8 / (HY_CONTACT_SUBSTEPS * HY_CONTACT_PASSES + 1);
        s->work[i] = (uint8_t)(contacts * 8 + passes);
    }
}

static void move_on(touch_lanes *t, touch_step *s, double substep_s)
{
    s->touched |= touched_now(t);
    const vec_lanes moved_m = { t->velocity_m_s.x * substep_s, t->velocity_m_s.y * substep_s };
    const lanes turn_rad = t->turn_rad_s * substep_s;
    s->way_m.x += moved_m.x;
    s->way_m.y += moved_m.y;
    s->turned_rad += turn_rad;
    t->center_m.x += moved_m.x;
    t->center_m.y += moved_m.y;
    t->pose.heading_rad += turn_rad;
    lanes_sin_cos(t->pose.heading_rad, &t->pose.sin, &t->pose.cos);
    const vec_lanes com = turned(&t->pose, broadcast(t->vehicle->body.com_ahead_m), broadcast(0));
    t->pose.x_m = t->center_m.x - com.x;
    t->pose.y_m = t->center_m.y - com.y;
}

/// Few sink into anything: they are lifted out one by one.
static void lift_out(const hy_world_model *model, touch_lanes *t, mask touched)
{
    find_contacts(model, t, broadcast(0));
    mask sunk = { 0 };
    for (size_t k = 0; k < t->most; k++) {
        sunk |= load(t->points[k].gap_m) <= -HY_CONTACT_SUNK_M;
    }
    sunk &= touched;
    for (size_t i = 0; any(sunk) && i < LANES; i++) {
        if (sunk[i] != 0) {
            pose_lanes *const p = &t->pose;
            hy_contact_finder f;
            f.vehicle = t->vehicle;
            f.pose = (hy_pose){ { p->x_m[i], p->y_m[i] }, p->heading_rad[i], p->cos[i], p->sin[i] };
            f.center_m = (hy_vec){ t->center_m.x[i], t->center_m.y[i] };
            hy_lone_lift_out(model, &f);
            p->x_m[i] = f.pose.at_m.x;
            p->y_m[i] = f.pose.at_m.y;
            p->heading_rad[i] = f.pose.heading_rad;
            p->cos[i] = f.pose.cos;
            p->sin[i] = f.pose.sin;
        }
    }
}

static void end_touch(const hy_world_model *model, touch_lanes *t, touch_step *s)
{
    if (!any(s->touched)) {
        return;
    }
    lift_out(model, t, s->touched);
    const double per_s = 1 / model->step_s;
    const vec_lanes mean_m_s = turned_back(&t->pose, s->way_m.x * per_s, s->way_m.y * per_s);
    s->wanted = (body_lanes){ mean_m_s.x, mean_m_s.y, s->turned_rad / model->step_s };
}

/// hy_lone_step() of LANES vehicles, `parts` times: their poses are in `t`, and, where they touched, afterwards what those became.
static void touch_together(const hy_world_model *model, touch_lanes *t, touch_step *s,
                           const body_lanes *motion, size_t parts)
{
    const double substep_s = model->step_s / HY_CONTACT_SUBSTEPS;
    for (size_t p = 0; p < parts; p++) {
        start_touch(model, &t[p], &s[p], motion[p]);
    }
    for (int i = 0; i < HY_CONTACT_SUBSTEPS; i++) {
        for (size_t p = 0; p < parts; p++) {
            meet(model, &t[p], &s[p], substep_s);
        }
        solve_velocities(t, parts);
        for (size_t p = 0; p < parts; p++) {
            move_on(&t[p], &s[p], substep_s);
        }
    }
    for (size_t p = 0; p < parts; p++) {
        note_work(&t[p], &s[p]);
        end_touch(model, &t[p], &s[p]);
    }
}

#endif
