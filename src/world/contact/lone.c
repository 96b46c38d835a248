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

#include <math.h>

/// As many substeps in a step as the engine makes, and its friction and distances at the small scale.
#define SUBSTEPS      2
#define FRICTION      0.3
#define SHORTEST_M    1e-6 ///< A shorter side has no direction.
#define TOUCH_M       0.001
#define PASSES        24 ///< Over all contacts, at most.
#define ENOUGH_M_S    1e-6
#define MOST_CONTACTS 24

typedef struct {
    hy_vec r_m, normal;
    double lever_m, side_m; ///< Of an impulse along the normal and along the tangent.
    double gap_m;
    double normal_kg, tangent_kg; ///< What the point resists.
    double normal_n_s, tangent_n_s;
} contact;

typedef struct {
    const hy_vehicle_model *vehicle;
    hy_pose pose;
    hy_vec center_m; ///< Of mass.
    hy_vec velocity_m_s;
    double turn_rad_s;
    hy_vec outline[HY_VEHICLE_CORNERS]; ///< From the centre of mass, counter-clockwise.
    double within_m;                    ///< Larger gaps do not matter.
    contact contacts[MOST_CONTACTS];
    size_t count;
} solver;

// --------------------------------------------------------------------------- finding contacts

static void add_contact(solver *s, hy_vec r_m, hy_vec normal, double gap_m)
{
    if (gap_m < s->within_m && s->count < MOST_CONTACTS) {
        const hy_body_model *body = &s->vehicle->body;
        const double lever_m = hy_vec_cross(r_m, normal);
        const double side_m = hy_vec_dot(r_m, normal);
        s->contacts[s->count++] = (contact){
            .r_m = r_m,
            .normal = normal,
            .lever_m = lever_m,
            .side_m = side_m,
            .gap_m = gap_m,
            .normal_kg = 1 / (body->per_kg + lever_m * lever_m * body->per_kg_m2),
            .tangent_kg = 1 / (body->per_kg + side_m * side_m * body->per_kg_m2),
        };
    }
}

/// Corners against the plane through `at`.
static void meet_plane(solver *s, hy_vec at, hy_vec normal)
{
    const double center_m = hy_vec_dot(hy_vec_sub(s->center_m, at), normal);
    for (int i = 0; i < HY_VEHICLE_CORNERS; i++) {
        add_contact(s, s->outline[i], normal, center_m + hy_vec_dot(s->outline[i], normal));
    }
}

/// The point of the vehicle's outline that is nearest to a point within it; `out` is where that lies.
static hy_vec nearest_side(const hy_vehicle_model *vehicle, hy_vec at, hy_vec *out)
{
    const hy_vec low = vehicle->low_m, high = vehicle->high_m;
    const bool is_ahead = high.x - at.x < at.x - low.x, is_left = high.y - at.y < at.y - low.y;
    const hy_vec along = { is_ahead ? high.x : low.x, at.y },
                 across = { at.x, is_left ? high.y : low.y };
    const bool is_along = fabs(along.x - at.x) < fabs(across.y - at.y);
    *out = is_along ? (hy_vec){ is_ahead ? 1 : -1, 0 } : (hy_vec){ 0, is_left ? 1 : -1 };
    return is_along ? along : across;
}

static void meet_disc(solver *s, hy_vec at, double radius_m)
{
    const hy_vec center = hy_pose_turn_back(&s->pose, hy_vec_sub(at, s->pose.at_m));
    const hy_vec low = s->vehicle->low_m, high = s->vehicle->high_m;
    hy_vec nearest = { hy_clamp(center.x, low.x, high.x, 0), hy_clamp(center.y, low.y, high.y, 0) };
    const hy_vec off = hy_vec_sub(center, nearest);
    double apart_m = sqrt(hy_vec_dot(off, off));
    hy_vec out;
    if (apart_m > 0) {
        out = hy_vec_scale(off, 1 / apart_m);
    } else {
        nearest = nearest_side(s->vehicle, center, &out);
        apart_m = hy_vec_dot(hy_vec_sub(center, nearest), out);
    }
    const hy_vec point = hy_pose_point(&s->pose, nearest);
    const hy_vec normal = hy_vec_scale(hy_pose_turn(&s->pose, out), -1);
    add_contact(s, hy_vec_sub(point, s->center_m), normal, apart_m - radius_m);
}

typedef struct {
    const hy_vec *corner;
    size_t count;
} polygon;

typedef struct {
    size_t edge;
    hy_vec normal; ///< Out of the polygon that the edge is of.
    double gap_m;
} separation;

static hy_vec next_corner(polygon of, size_t index)
{
    return of.corner[index + 1 < of.count ? index + 1 : 0];
}

/// The side of `a` that `b` is farthest from.
static separation farthest_side(polygon a, polygon b)
{
    separation best = { 0, { 0, 0 }, -INFINITY };
    for (size_t i = 0; i < a.count; i++) {
        const hy_vec along = hy_vec_sub(next_corner(a, i), a.corner[i]);
        const double length_m = sqrt(hy_vec_dot(along, along));
        if (length_m < SHORTEST_M) {
            continue;
        }
        const hy_vec normal = { along.y / length_m, -along.x / length_m };
        double gap_m = INFINITY;
        for (size_t k = 0; k < b.count; k++) {
            gap_m = hy_min(gap_m, hy_vec_dot(hy_vec_sub(b.corner[k], a.corner[i]), normal));
        }
        if (gap_m > best.gap_m) {
            best = (separation){ i, normal, gap_m };
        }
    }
    return best;
}

/// The side of `polygon` that faces a normal most.
static size_t facing_side(polygon of, hy_vec normal)
{
    size_t best = 0;
    double least = INFINITY;
    for (size_t i = 0; i < of.count; i++) {
        const hy_vec along = hy_vec_sub(next_corner(of, i), of.corner[i]);
        const double facing =
            (along.y * normal.x - along.x * normal.y) / sqrt(hy_vec_dot(along, along));
        if (facing < least) {
            least = facing;
            best = i;
        }
    }
    return best;
}

/// Contacts of the part of the side from `c` to `d` that lies before the side from `a` to `b`, along whose
/// `normal` gaps are measured. `sign` is -1 where that side is the vehicle's own.
static void meet_side(solver *s, const hy_vec side[4], hy_vec normal, double sign)
{
    const hy_vec a = side[0], b = side[1], c = side[2], d = side[3];
    const hy_vec tangent = { -normal.y, normal.x };
    const double long_m = hy_vec_dot(hy_vec_sub(b, a), tangent);
    const double c_m = hy_vec_dot(hy_vec_sub(c, a), tangent);
    const double d_m = hy_vec_dot(hy_vec_sub(d, a), tangent);
    const double low_m = hy_max(hy_min(c_m, d_m), 0), high_m = hy_min(hy_max(c_m, d_m), long_m);
    if (low_m >= high_m) { // a corner before a corner
        const hy_vec own = low_m > 0 ? b : a;
        const hy_vec other = (c_m < d_m) == (low_m > 0) ? c : d;
        const hy_vec off = hy_vec_sub(other, own);
        const double apart_m = sqrt(hy_vec_dot(off, off));
        if (apart_m > 0) {
            add_contact(s, sign > 0 ? other : own, hy_vec_scale(off, sign / apart_m), apart_m);
        }
        return;
    }
    const double ends_m[] = { low_m, high_m };
    for (int i = 0; i < 2; i++) {
        const hy_vec point =
            hy_vec_add(c, hy_vec_scale(hy_vec_sub(d, c), (ends_m[i] - c_m) / (d_m - c_m)));
        const double gap_m = hy_vec_dot(hy_vec_sub(point, a), normal);
        const hy_vec on_own = hy_vec_sub(point, hy_vec_scale(normal, gap_m));
        add_contact(s, sign > 0 ? point : on_own, hy_vec_scale(normal, sign), gap_m);
    }
}

/// Two convex outlines: the side that separates them most, and what of the other one's lies before it.
static void meet_polygon(solver *s, const hy_point *outline, size_t count)
{
    hy_vec corner[HY_DISC_EDGES];
    for (size_t i = 0; i < count; i++) {
        corner[i] = hy_vec_sub(hy_vec_of(outline[i]), s->center_m);
    }
    const polygon own = { s->outline, HY_VEHICLE_CORNERS }, solid = { corner, count };
    const separation by_own = farthest_side(own, solid);
    const separation by_solid = by_own.gap_m < s->within_m ? farthest_side(solid, own) : by_own;
    if (hy_max(by_own.gap_m, by_solid.gap_m) >= s->within_m) {
        return;
    }
    // The solid's side is preferred: it does not turn.
    const bool is_own = by_own.gap_m > by_solid.gap_m + 1e-5;
    const separation by = is_own ? by_own : by_solid;
    const polygon first = is_own ? own : solid, second = is_own ? solid : own;
    const size_t facing = facing_side(second, by.normal);
    const hy_vec side[4] = { first.corner[by.edge], next_corner(first, by.edge),
                             second.corner[facing], next_corner(second, facing) };
    meet_side(s, side, by.normal, is_own ? -1 : 1);
}

/// Whether all gaps to an obstacle are too large to matter, as the circles around both tell.
static bool is_far(const solver *s, const hy_obstacle *obstacle)
{
    const double apart_m = s->vehicle->reach_m + obstacle->reach_m + s->within_m + TOUCH_M;
    const hy_vec off = hy_vec_sub(obstacle->middle_m, s->pose.at_m);
    return hy_vec_dot(off, off) > apart_m * apart_m;
}

static void find_contacts(solver *s, const hy_world_model *model, double within_m)
{
    for (int i = 0; i < HY_VEHICLE_CORNERS; i++) {
        const hy_vec corner = hy_pose_point(&s->pose, s->vehicle->corner_m[i]);
        s->outline[i] = hy_vec_sub(corner, s->center_m);
    }
    s->within_m = within_m;
    s->count = 0;
    meet_plane(s, (hy_vec){ 0, 0 }, (hy_vec){ 1, 0 });
    meet_plane(s, (hy_vec){ 0, 0 }, (hy_vec){ 0, 1 });
    meet_plane(s, (hy_vec){ model->width_m, model->height_m }, (hy_vec){ -1, 0 });
    meet_plane(s, (hy_vec){ model->width_m, model->height_m }, (hy_vec){ 0, -1 });
    for (size_t i = 0; i < model->obstacle_count; i++) {
        const hy_obstacle *obstacle = &model->obstacles[i];
        if (is_far(s, obstacle)) {
            continue;
        }
        if (obstacle->shape == HY_OBSTACLE_DISC) {
            meet_disc(s, obstacle->center.at_m, obstacle->radius_m);
        } else {
            meet_polygon(s, obstacle->outline, obstacle->outline_count);
        }
    }
}

// --------------------------------------------------------------------------- solving

static void push_at(solver *s, const contact *c, hy_vec impulse)
{
    const hy_body_model *body = &s->vehicle->body;
    s->velocity_m_s = hy_vec_add(s->velocity_m_s, hy_vec_scale(impulse, body->per_kg));
    s->turn_rad_s += hy_vec_cross(c->r_m, impulse) * body->per_kg_m2;
}

static double speed_along(const solver *s, hy_vec direction, double lever_m)
{
    return hy_vec_dot(s->velocity_m_s, direction) + s->turn_rad_s * lever_m;
}

/// One contact; returns by how much it changed the speed of its point.
static double solve_contact(solver *s, contact *c, double per_s)
{
    const double least_m_s = -hy_max(c->gap_m, 0) * per_s;
    const double more = (least_m_s - speed_along(s, c->normal, c->lever_m)) * c->normal_kg;
    const double normal_n_s = hy_max(c->normal_n_s + more, 0);
    const double push_n_s = normal_n_s - c->normal_n_s;
    c->normal_n_s = normal_n_s;
    push_at(s, c, hy_vec_scale(c->normal, push_n_s));

    const hy_vec tangent = { -c->normal.y, c->normal.x };
    const double most_n_s = FRICTION * normal_n_s;
    const double wanted_n_s = c->tangent_n_s - speed_along(s, tangent, c->side_m) * c->tangent_kg;
    const double tangent_n_s = hy_clamp(wanted_n_s, -most_n_s, most_n_s, 0);
    const double rub_n_s = tangent_n_s - c->tangent_n_s;
    c->tangent_n_s = tangent_n_s;
    push_at(s, c, hy_vec_scale(tangent, rub_n_s));
    return hy_max(fabs(push_n_s), fabs(rub_n_s)) * s->vehicle->body.per_kg;
}

static void solve_velocity(solver *s, double substep_s)
{
    double changed_m_s = INFINITY;
    for (int pass = 0; pass < PASSES && changed_m_s > ENOUGH_M_S; pass++) {
        changed_m_s = 0;
        for (size_t i = 0; i < s->count; i++) {
            changed_m_s = hy_max(changed_m_s, solve_contact(s, &s->contacts[i], 1 / substep_s));
        }
    }
}

static void move_by(solver *s, hy_vec way_m, double turn_rad)
{
    const hy_vec com = { s->vehicle->body.com_ahead_m, 0 };
    s->center_m = hy_vec_add(s->center_m, way_m);
    s->pose = hy_pose_make(0, 0, s->pose.heading_rad + turn_rad);
    s->pose.at_m = hy_vec_sub(s->center_m, hy_pose_turn(&s->pose, com));
}

/// Puts a vehicle out of what it sank into, by the shortest move that its mass and inertia allow.
static void lift_out(solver *s, const hy_world_model *model)
{
    for (int pass = 0; pass < PASSES; pass++) {
        find_contacts(s, model, 0);
        const contact *deepest = NULL;
        for (size_t i = 0; i < s->count; i++) {
            if (deepest == NULL || s->contacts[i].gap_m < deepest->gap_m) {
                deepest = &s->contacts[i];
            }
        }
        if (deepest == NULL || deepest->gap_m > -1e-7) {
            return;
        }
        const double kg_m = -deepest->gap_m * deepest->normal_kg;
        const double turn = hy_vec_cross(deepest->r_m, deepest->normal) * kg_m;
        move_by(s, hy_vec_scale(deepest->normal, kg_m * s->vehicle->body.per_kg),
                turn * s->vehicle->body.per_kg_m2);
    }
}

// --------------------------------------------------------------------------- a step

static bool is_touched(const solver *s)
{
    for (size_t i = 0; i < s->count; i++) {
        if (s->contacts[i].normal_n_s > 0 || s->contacts[i].gap_m < TOUCH_M) {
            return true;
        }
    }
    return false;
}

/// Leaves what find_contacts() fills as it is: clearing so much would be a tenth of a step.
static void start_solver(solver *s, const hy_world_model *model, size_t index,
                         const hy_engine_body *body)
{
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    s->vehicle = vehicle;
    s->pose = body->pose;
    s->center_m = hy_pose_point(&body->pose, (hy_vec){ vehicle->body.com_ahead_m, 0 });
    s->velocity_m_s = hy_pose_turn(&body->pose, (hy_vec){ body->motion.x, body->motion.y });
    s->turn_rad_s = body->motion.turn;
}

hy_engine_touch hy_lone_step(const hy_world_model *model, size_t index, hy_motion wanted,
                             hy_engine_body *body)
{
    solver s;
    start_solver(&s, model, index, body);
    const double substep_s = model->step_s / SUBSTEPS;
    const hy_pose end = hy_pose_make(0, 0, body->pose.heading_rad + wanted.turn * model->step_s);
    const hy_vec goal_m_s = hy_pose_turn(&end, (hy_vec){ wanted.x, wanted.y });
    const hy_vec gain_m_s = hy_vec_scale(hy_vec_sub(goal_m_s, s.velocity_m_s), 1.0 / SUBSTEPS);
    const double gain_rad_s = (wanted.turn - s.turn_rad_s) / SUBSTEPS;
    bool touched = false;
    hy_vec way_m = { 0, 0 };
    double turned_rad = 0;
    for (int i = 0; i < SUBSTEPS; i++) {
        s.velocity_m_s = hy_vec_add(s.velocity_m_s, gain_m_s);
        s.turn_rad_s += gain_rad_s;
        const double fastest_m_s = fabs(s.velocity_m_s.x) + fabs(s.velocity_m_s.y) +
                                   fabs(s.turn_rad_s) * s.vehicle->reach_m;
        find_contacts(&s, model, TOUCH_M + fastest_m_s * substep_s);
        solve_velocity(&s, substep_s);
        touched = touched || is_touched(&s);
        const hy_vec moved_m = hy_vec_scale(s.velocity_m_s, substep_s);
        way_m = hy_vec_add(way_m, moved_m);
        turned_rad += s.turn_rad_s * substep_s;
        move_by(&s, moved_m, s.turn_rad_s * substep_s);
    }
    if (!touched) {
        return (hy_engine_touch){ false, false };
    }
    lift_out(&s, model);
    const hy_vec mean_m_s = hy_pose_turn_back(&s.pose, hy_vec_scale(way_m, 1 / model->step_s));
    *body = (hy_engine_body){ s.pose, { mean_m_s.x, mean_m_s.y, turned_rad / model->step_s } };
    return (hy_engine_touch){ true, true };
}

double hy_lone_gap(const hy_world_model *model, size_t index, const hy_pose *pose, double most_m)
{
    const hy_engine_body body = { *pose, { 0, 0, 0 } };
    solver s;
    start_solver(&s, model, index, &body);
    find_contacts(&s, model, most_m);
    double gap_m = most_m;
    for (size_t i = 0; i < s.count; i++) {
        gap_m = hy_min(gap_m, s.contacts[i].gap_m);
    }
    return gap_m;
}
