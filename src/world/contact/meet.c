#include "meet.h"

#include <assert.h>

#define SHORTEST_M 1e-6 ///< A shorter side has no direction.

static void add_point(hy_contact_finder *f, hy_vec r_m, hy_vec normal, double gap_m)
{
    if (gap_m < f->within_m && f->count < HY_CONTACTS_MAX) {
        f->points[f->count++] = (hy_contact_point){ r_m, normal, gap_m };
    }
}

/// Corners against a wall.
static void meet_wall(hy_contact_finder *f, hy_wall wall)
{
    const double center_m = hy_vec_dot(hy_vec_sub(f->center_m, wall.at_m), wall.normal);
    if (center_m > f->within_m + hy_contact_reach(f->vehicle)) {
        return;
    }
    for (int i = 0; i < HY_VEHICLE_CORNERS; i++) {
        add_point(f, f->outline[i], wall.normal, center_m + hy_vec_dot(f->outline[i], wall.normal));
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

static void meet_disc(hy_contact_finder *f, hy_vec at, double radius_m)
{
    const hy_vec center = hy_pose_turn_back(&f->pose, hy_vec_sub(at, f->pose.at_m));
    const hy_vec low = f->vehicle->low_m, high = f->vehicle->high_m;
    hy_vec nearest = { hy_clamp(center.x, low.x, high.x, 0), hy_clamp(center.y, low.y, high.y, 0) };
    const hy_vec off = hy_vec_sub(center, nearest);
    double apart_m = sqrt(hy_vec_dot(off, off));
    hy_vec out;
    if (apart_m > 0) {
        out = hy_vec_scale(off, 1 / apart_m);
    } else {
        nearest = nearest_side(f->vehicle, center, &out);
        apart_m = hy_vec_dot(hy_vec_sub(center, nearest), out);
    }
    const hy_vec point = hy_pose_point(&f->pose, nearest);
    const hy_vec normal = hy_vec_scale(hy_pose_turn(&f->pose, out), -1);
    add_point(f, hy_vec_sub(point, f->center_m), normal, apart_m - radius_m);
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

/// The side of `a` that `b` is farthest from, or one that it is `enough_m` from.
static separation farthest_side(polygon a, polygon b, double enough_m)
{
    separation best = { 0, { 0, 0 }, -INFINITY };
    for (size_t i = 0; i < a.count && best.gap_m < enough_m; i++) {
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
static void meet_side(hy_contact_finder *f, const hy_vec side[4], hy_vec normal, double sign)
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
            add_point(f, sign > 0 ? other : own, hy_vec_scale(off, sign / apart_m), apart_m);
        }
        return;
    }
    const double ends_m[] = { low_m, high_m };
    for (int i = 0; i < 2; i++) {
        const hy_vec point =
            hy_vec_add(c, hy_vec_scale(hy_vec_sub(d, c), (ends_m[i] - c_m) / (d_m - c_m)));
        const double gap_m = hy_vec_dot(hy_vec_sub(point, a), normal);
        const hy_vec on_own = hy_vec_sub(point, hy_vec_scale(normal, gap_m));
        add_point(f, sign > 0 ? point : on_own, hy_vec_scale(normal, sign), gap_m);
    }
}

/// Two convex outlines: the side that separates them most, and what of the other one's lies before it.
static void meet_polygon(hy_contact_finder *f, const hy_point *outline, size_t count)
{
    assert(count >= 3);
    hy_vec corner[HY_DISC_EDGES];
    for (size_t i = 0; i < count; i++) {
        corner[i] = hy_vec_sub(hy_vec_of(outline[i]), f->center_m);
    }
    const polygon own = { f->outline, HY_VEHICLE_CORNERS }, solid = { corner, count };
    const separation by_own = farthest_side(own, solid, f->within_m);
    if (by_own.gap_m >= f->within_m) {
        return;
    }
    const separation by_solid = farthest_side(solid, own, f->within_m);
    if (by_solid.gap_m >= f->within_m) {
        return;
    }
    // The solid's side is preferred: it does not turn.
    const bool is_own = by_own.gap_m > by_solid.gap_m + 1e-5;
    const separation by = is_own ? by_own : by_solid;
    const polygon first = is_own ? own : solid, second = is_own ? solid : own;
    const size_t facing = facing_side(second, by.normal);
    const hy_vec side[4] = { first.corner[by.edge], next_corner(first, by.edge),
                             second.corner[facing], next_corner(second, facing) };
    meet_side(f, side, by.normal, is_own ? -1 : 1);
}

void hy_contacts_meet(hy_contact_finder *f, const hy_obstacle *obstacle)
{
    if (obstacle->shape == HY_OBSTACLE_DISC) {
        meet_disc(f, obstacle->center.at_m, obstacle->radius_m);
    } else {
        meet_polygon(f, obstacle->outline, obstacle->outline_count);
    }
}

/// Whether all gaps to an obstacle are too large to matter, as the circles around both tell.
static bool is_far(const hy_contact_finder *f, const hy_obstacle *obstacle)
{
    const double apart_m = f->vehicle->reach_m + obstacle->reach_m + f->within_m + HY_TOUCH_M;
    const hy_vec off = hy_vec_sub(obstacle->middle_m, f->pose.at_m);
    return hy_vec_dot(off, off) > apart_m * apart_m;
}

void hy_contacts_find(hy_contact_finder *f, const hy_world_model *model, double within_m)
{
    for (int i = 0; i < HY_VEHICLE_CORNERS; i++) {
        const hy_vec corner = hy_pose_point(&f->pose, f->vehicle->corner_m[i]);
        f->outline[i] = hy_vec_sub(corner, f->center_m);
    }
    f->within_m = within_m;
    f->count = 0;
    for (int i = 0; i < HY_WALLS; i++) {
        meet_wall(f, hy_wall_of(model, i));
    }
    for (size_t i = 0; i < model->obstacle_count; i++) {
        if (!is_far(f, &model->obstacles[i])) {
            hy_contacts_meet(f, &model->obstacles[i]);
        }
    }
}
