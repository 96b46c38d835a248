/// @file contact_simd.h
/// Contacts of vehicles of one model with walls and obstacles, each vehicle alone in its world, LANES at once (lanes.h).
/// contact/lone.c does the same for one vehicle and derives the equations. Lanes need different numbers of passes: one that has
/// converged keeps its result while the others are computed further.
#ifndef HY_WORLD_CONTACT_SIMD_H
#define HY_WORLD_CONTACT_SIMD_H

#include "contact/lone.h"
#include "contact/meet_simd.h"

typedef struct {
    mask there; ///< Lanes whose vehicle has this contact.
    vec_lanes r_m, normal;
    lanes lever_m, side_m, least_m_s, normal_kg, tangent_kg;
    lanes normal_n_s, tangent_n_s;
} contact_lanes;

typedef struct {
    lanes turn_rad_s;
    vec_lanes velocity_m_s;
    lanes passes; ///< Passes that each lane needed in this step.
    size_t most;  ///< The largest number of contacts of a lane.
    finder_lanes found;
    contact_lanes contacts[HY_CONTACTS_MAX];
} touch_lanes;

// --------------------------------------------------------------------------- finding contacts

/// A lane whose vehicle has fewer contacts than another has zeros in the rest.
static void fill_points(touch_lanes *t)
{
    finder_lanes *const f = &t->found;
    t->most = 0;
    for (size_t i = 0; i < LANES; i++) {
        t->most = f->count[i] > t->most ? f->count[i] : t->most;
    }
    for (size_t i = 0; i < LANES; i++) {
        for (size_t k = f->count[i]; k < t->most; k++) {
            point_lanes *const p = &f->points[k];
            p->r_x[i] = p->r_y[i] = p->normal_x[i] = p->normal_y[i] = p->gap_m[i] = 0;
        }
    }
}

// --------------------------------------------------------------------------- solving

static inline lanes mass_along(const hy_body_model *body, lanes lever_m)
{
    return 1.0 / (body->per_kg + lever_m * lever_m * body->per_kg_m2);
}

static void prepare_contacts(touch_lanes *t, double per_s)
{
    const hy_body_model *const body = &t->found.vehicle->body;
    lane_numbers counts;
    for (size_t i = 0; i < LANES; i++) {
        counts[i] = (double)t->found.count[i];
    }
    for (size_t k = 0; k < t->most; k++) {
        const point_lanes *const at = &t->found.points[k];
        contact_lanes *const c = &t->contacts[k];
        c->there = (double)k < load(counts);
        c->r_m = (vec_lanes){ load(at->r_x), load(at->r_y) };
        c->normal = (vec_lanes){ load(at->normal_x), load(at->normal_y) };
        c->lever_m = c->r_m.x * c->normal.y - c->r_m.y * c->normal.x;
        c->side_m = c->r_m.x * c->normal.x + c->r_m.y * c->normal.y;
        c->least_m_s = -lanes_max(load(at->gap_m), broadcast(0)) * per_s;
        c->normal_kg = mass_along(body, c->lever_m);
        c->tangent_kg = mass_along(body, c->side_m);
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

/// Solves one contact; returns by how much it changed the speed of its point. Only lanes of `moving` keep the new impulses. A vehicle
/// that has no such contact has zeros there: adding them can change only the sign of a zero velocity, and no result depends on that,
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

/// One pass over all contacts of the vehicles that have not converged: `moving`, which is updated. Each operation depends on the one
/// before, so `parts` independent vectors are computed in turns, to use the processor while one of them waits.
static inline void solve_pass(touch_lanes *t, mask *moving, size_t parts)
{
    speed_lanes v[LANES_TOGETHER];
    lanes changed_m_s[LANES_TOGETHER];
    size_t count[LANES_TOGETHER], most = 0;
    for (size_t p = 0; p < parts; p++) {
        v[p] = (speed_lanes){ t[p].velocity_m_s.x, t[p].velocity_m_s.y, t[p].turn_rad_s };
        changed_m_s[p] = broadcast(0);
        count[p] = any(moving[p]) ? t[p].most : 0;
        most = count[p] > most ? count[p] : most;
    }
    for (size_t k = 0; k < most; k++) {
        for (size_t p = 0; p < parts; p++) {
            if (k < count[p]) {
                const hy_body_model *const body = &t[p].found.vehicle->body;
                const lanes more_m_s = solve_contact(body, &v[p], &t[p].contacts[k], moving[p]);
                changed_m_s[p] = lanes_max(changed_m_s[p], more_m_s);
            }
        }
    }
    for (size_t p = 0; p < parts; p++) {
        t[p].velocity_m_s.x = blend(moving[p], v[p].x, t[p].velocity_m_s.x);
        t[p].velocity_m_s.y = blend(moving[p], v[p].y, t[p].velocity_m_s.y);
        t[p].turn_rad_s = blend(moving[p], v[p].turn, t[p].turn_rad_s);
        t[p].passes += blend(moving[p], broadcast(1), broadcast(0));
        moving[p] = moving[p] & (changed_m_s[p] > HY_CONTACT_ENOUGH_M_S);
    }
}

static void solve_velocities(touch_lanes *t, size_t parts)
{
    mask moving[LANES_TOGETHER];
    bool any_moves = false;
    for (size_t p = 0; p < parts; p++) {
        moving[p] = everywhere();
        any_moves = any_moves || t[p].most > 0;
    }
    for (int pass = 0; pass < HY_CONTACT_PASSES && any_moves; pass++) {
        solve_pass(t, moving, parts);
        any_moves = false;
        for (size_t p = 0; p < parts; p++) {
            any_moves = any_moves || any(moving[p]);
        }
    }
}

static mask touched_now(const touch_lanes *t)
{
    mask touched = { 0 };
    for (size_t k = 0; k < t->most; k++) {
        const contact_lanes *const c = &t->contacts[k];
        touched |= c->there & ((c->normal_n_s > 0.0) | (load(t->found.points[k].gap_m) < HY_TOUCH_M));
    }
    return touched;
}

// --------------------------------------------------------------------------- a step

/// Input, output and intermediate values of a step.
typedef struct {
    body_lanes wanted; ///< Input: the motion without contacts. Output: the motion with them.
    mask touched;
    vec_lanes gain_m_s, way_m;
    lanes gain_rad_s, turned_rad;
    /// The work of each lane: a number below CONTACT_KINDS, equal for lanes with equally many points at the same obstacle; and passes.
    uint8_t kind[LANES], passes[LANES];
} touch_step;

#define CONTACT_KINDS 32 // four times eight

/// `motion`: at the beginning of the step; `end`: sine and cosine of the heading at its end.
static void start_touch(touch_lanes *t, touch_step *s, body_lanes motion, const pose_lanes *end)
{
    t->passes = broadcast(0);
    t->found.center_m = center_of(&t->found);
    t->velocity_m_s = turned(&t->found.pose, motion.x, motion.y);
    t->turn_rad_s = motion.turn;
    const vec_lanes goal_m_s = turned(end, s->wanted.x, s->wanted.y);
    s->gain_m_s = (vec_lanes){ (goal_m_s.x - t->velocity_m_s.x) * (1.0 / HY_CONTACT_SUBSTEPS),
                               (goal_m_s.y - t->velocity_m_s.y) * (1.0 / HY_CONTACT_SUBSTEPS) };
    s->gain_rad_s = (s->wanted.turn - t->turn_rad_s) / (double)HY_CONTACT_SUBSTEPS;
    s->touched = (mask){ 0 };
    s->way_m = (vec_lanes){ broadcast(0), broadcast(0) };
    s->turned_rad = broadcast(0);
}

static void start_together(const hy_world_model *model, touch_lanes *t, touch_step *s,
                           const body_lanes *motion, size_t parts)
{
    lanes heading_rad[LANES_TOGETHER] = { broadcast(0) };
    lanes sine[LANES_TOGETHER], cosine[LANES_TOGETHER];
    for (size_t p = 0; p < parts; p++) {
        heading_rad[p] = t[p].found.pose.heading_rad + s[p].wanted.turn * model->step_s;
    }
    lanes_sin_cos_many(heading_rad, parts, sine, cosine);
    for (size_t p = 0; p < parts; p++) {
        const pose_lanes end = { .sin = sine[p], .cos = cosine[p] };
        start_touch(&t[p], &s[p], motion[p], &end);
    }
}

static void meet(const hy_world_model *model, touch_lanes *t, const touch_step *s, double substep_s)
{
    t->velocity_m_s.x += s->gain_m_s.x;
    t->velocity_m_s.y += s->gain_m_s.y;
    t->turn_rad_s += s->gain_rad_s;
    const lanes fastest_m_s = lanes_abs(t->velocity_m_s.x) + lanes_abs(t->velocity_m_s.y) +
                              lanes_abs(t->turn_rad_s) * t->found.vehicle->reach_m;
    find_points(model, &t->found, HY_TOUCH_M + fastest_m_s * substep_s);
    fill_points(t);
    prepare_contacts(t, 1 / substep_s);
}

static void note_work(const touch_lanes *t, touch_step *s)
{
    lane_numbers passes, obstacle;
    store(passes, t->passes);
    store(obstacle, t->found.obstacle);
    for (size_t i = 0; i < LANES; i++) {
        const size_t which = obstacle[i] > 0 ? 1 + (size_t)obstacle[i] % 3 : 0;
        const size_t contacts = t->found.count[i] < 7 ? t->found.count[i] : 7;
        s->kind[i] = (uint8_t)(which * 8 + contacts);
        s->passes[i] = (uint8_t)passes[i];
    }
}

/// The position of the origin after a turn.
static inline void take_heading(finder_lanes *f, lanes heading_rad, lanes sine, lanes cosine)
{
    f->pose.heading_rad = heading_rad;
    f->pose.sin = sine;
    f->pose.cos = cosine;
    const vec_lanes com = turned(&f->pose, broadcast(f->vehicle->body.com_ahead_m), broadcast(0));
    f->pose.x_m = f->center_m.x - com.x;
    f->pose.y_m = f->center_m.y - com.y;
}

/// Returns the heading at the end of the step.
static lanes move_on(touch_lanes *t, touch_step *s, double substep_s)
{
    s->touched |= touched_now(t);
    const vec_lanes moved_m = { t->velocity_m_s.x * substep_s, t->velocity_m_s.y * substep_s };
    const lanes turn_rad = t->turn_rad_s * substep_s;
    s->way_m.x += moved_m.x;
    s->way_m.y += moved_m.y;
    s->turned_rad += turn_rad;
    t->found.center_m.x += moved_m.x;
    t->found.center_m.y += moved_m.y;
    return t->found.pose.heading_rad + turn_rad;
}

static void move_together(touch_lanes *t, touch_step *s, double substep_s, size_t parts)
{
    lanes heading_rad[LANES_TOGETHER] = { broadcast(0) };
    lanes sine[LANES_TOGETHER], cosine[LANES_TOGETHER];
    for (size_t p = 0; p < parts; p++) {
        heading_rad[p] = move_on(&t[p], &s[p], substep_s);
    }
    lanes_sin_cos_many(heading_rad, parts, sine, cosine);
    for (size_t p = 0; p < parts; p++) {
        take_heading(&t[p].found, heading_rad[p], sine[p], cosine[p]);
    }
}

/// Few vehicles penetrate an obstacle: they are moved out one at a time.
static void lift_out(const hy_world_model *model, touch_lanes *t, mask touched)
{
    pose_lanes *const p = &t->found.pose;
    unsigned left = mask_bits(may_be_deep(model, &t->found, touched, HY_CONTACT_SUNK_M));
    for (; left != 0; left &= left - 1) {
        const size_t i = lowest_lane(left);
        const hy_vec center_m = { lane_of(t->found.center_m.x, i), lane_of(t->found.center_m.y, i) };
        hy_pose pose = { { lane_of(p->x_m, i), lane_of(p->y_m, i) },
                         lane_of(p->heading_rad, i),
                         lane_of(p->cos, i),
                         lane_of(p->sin, i) };
        hy_lone_lift_out(model, t->found.vehicle, &pose, center_m);
        set_lane(&p->x_m, i, pose.at_m.x);
        set_lane(&p->y_m, i, pose.at_m.y);
        set_lane(&p->heading_rad, i, pose.heading_rad);
        set_lane(&p->cos, i, pose.cos);
        set_lane(&p->sin, i, pose.sin);
    }
}

static void end_touch(const hy_world_model *model, touch_lanes *t, touch_step *s)
{
    if (!any(s->touched)) {
        return;
    }
    lift_out(model, t, s->touched);
    const double per_s = 1 / model->step_s;
    const vec_lanes mean_m_s = turned_back(&t->found.pose, s->way_m.x * per_s, s->way_m.y * per_s);
    s->wanted = (body_lanes){ mean_m_s.x, mean_m_s.y, s->turned_rad / model->step_s };
}

/// A step of LANES vehicles, `parts` times. `t` has their poses; those of vehicles that touched something are updated.
static void touch_together(const hy_world_model *model, touch_lanes *t, touch_step *s,
                           const body_lanes *motion, size_t parts)
{
    const double substep_s = model->step_s / HY_CONTACT_SUBSTEPS;
    start_together(model, t, s, motion, parts);
    for (int i = 0; i < HY_CONTACT_SUBSTEPS; i++) {
        for (size_t p = 0; p < parts; p++) {
            meet(model, &t[p], &s[p], substep_s);
        }
        solve_velocities(t, parts);
        move_together(t, s, substep_s, parts);
    }
    for (size_t p = 0; p < parts; p++) {
        note_work(&t[p], &s[p]);
        end_touch(model, &t[p], &s[p]);
    }
}

#endif
