/// @file meet_simd.h
/// Where vehicles of one model, each alone, meet what never moves, or soon may: points of contact with walls and obstacles, of LANES
/// vehicles at once (lanes.h).
#ifndef HY_WORLD_MEET_SIMD_H
#define HY_WORLD_MEET_SIMD_H

#include "lanes/motion_simd.h"
#include "model.h"

#define HY_CONTACTS_MAX 24    ///< Of one vehicle at a time.
#define HY_TOUCH_M      0.001 ///< What is nearer touches.

#define SHORTEST_M 1e-6 ///< A shorter side has no direction.

typedef double lane_numbers[LANES];

/// A point of contact of each vehicle: where it is from the centre of mass, the normal out of the solid, and the gap along that.
typedef struct {
    lane_numbers r_x, r_y, normal_x, normal_y, gap_m;
} point_lanes;

typedef struct {
    const hy_vehicle_model *vehicle;
    pose_lanes pose;
    vec_lanes center_m;                    ///< Of mass.
    vec_lanes outline[HY_VEHICLE_CORNERS]; ///< From the centre of mass, counter-clockwise.
    lanes within_m;                        ///< Larger gaps do not matter.
    lanes obstacle;      ///< The last one that is near, counted from 1; 0: none is.
    size_t count[LANES]; ///< Points of each vehicle; those behind them have no meaning.
    point_lanes points[HY_CONTACTS_MAX];
} finder_lanes;

/// A point that some may have.
typedef struct {
    mask there;
    vec_lanes r_m, normal;
    lanes gap_m;
} met_lanes;

// --------------------------------------------------------------------------- vectors

static inline vec_lanes vec_blend(mask where, vec_lanes yes, vec_lanes no)
{
    return (vec_lanes){ blend(where, yes.x, no.x), blend(where, yes.y, no.y) };
}

static inline vec_lanes vec_sub(vec_lanes a, vec_lanes b)
{
    return (vec_lanes){ a.x - b.x, a.y - b.y };
}

static inline vec_lanes vec_scale(vec_lanes a, lanes by)
{
    return (vec_lanes){ a.x * by, a.y * by };
}

static inline lanes vec_dot(vec_lanes a, vec_lanes b)
{
    return a.x * b.x + a.y * b.y;
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

// --------------------------------------------------------------------------- walls

#define FLOOR_WALLS 4

/// An edge of the floor.
typedef struct {
    hy_vec at_m, normal;
} floor_wall;

static inline floor_wall wall_of(const hy_world_model *model, int index)
{
    const hy_vec end_m = { model->width_m, model->height_m };
    switch (index) {
    case 0: return (floor_wall){ { 0, 0 }, { 1, 0 } };
    case 1: return (floor_wall){ { 0, 0 }, { 0, 1 } };
    case 2: return (floor_wall){ end_m, { -1, 0 } };
    default: return (floor_wall){ end_m, { 0, -1 } };
    }
}

/// The smallest and the largest that corners have along each axis.
typedef struct {
    vec_lanes low, high;
} extent_lanes;

static inline extent_lanes extent_of(const finder_lanes *f)
{
    extent_lanes e = { f->outline[0], f->outline[0] };
    for (int i = 1; i < HY_VEHICLE_CORNERS; i++) {
        const vec_lanes corner = f->outline[i];
        e.low = (vec_lanes){ lanes_min(corner.x, e.low.x), lanes_min(corner.y, e.low.y) };
        e.high = (vec_lanes){ lanes_max(corner.x, e.high.x), lanes_max(corner.y, e.high.y) };
    }
    return e;
}

static inline lanes center_to_wall(const finder_lanes *f, const floor_wall *wall)
{
    const hy_vec n = wall->normal;
    return (f->center_m.x - wall->at_m.x) * n.x + (f->center_m.y - wall->at_m.y) * n.y;
}

/// The gap between a wall and the corner that is nearest to it: that corner's own, since a normal is along an axis, and a sum
/// of which one term is smaller is not larger.
static inline lanes nearest_gap(const extent_lanes *extent, lanes center_m, hy_vec normal)
{
    const lanes x = lanes_min(extent->low.x * normal.x, extent->high.x * normal.x);
    const lanes y = lanes_min(extent->low.y * normal.y, extent->high.y * normal.y);
    return center_m + (x + y);
}

// --------------------------------------------------------------------------- discs

/// The points of vehicles' outlines that are nearest to points within them; `out` is where those lie.
static inline vec_lanes nearest_side(const hy_vehicle_model *vehicle, vec_lanes at, vec_lanes *out)
{
    const hy_vec low = vehicle->low_m, high = vehicle->high_m;
    const mask is_ahead = high.x - at.x < at.x - low.x, is_left = high.y - at.y < at.y - low.y;
    const lanes along = blend(is_ahead, broadcast(high.x), broadcast(low.x));
    const lanes across = blend(is_left, broadcast(high.y), broadcast(low.y));
    const mask is_along = lanes_abs(along - at.x) < lanes_abs(across - at.y);
    const lanes ahead = blend(is_ahead, broadcast(1), broadcast(-1));
    const lanes left = blend(is_left, broadcast(1), broadcast(-1));
    *out = vec_blend(is_along, (vec_lanes){ ahead, broadcast(0) }, (vec_lanes){ broadcast(0), left });
    return vec_blend(is_along, (vec_lanes){ along, at.y }, (vec_lanes){ at.x, across });
}

static inline void meet_disc(const finder_lanes *f, hy_vec at, double radius_m, met_lanes *met)
{
    const pose_lanes *const pose = &f->pose;
    const vec_lanes center = turned_back(pose, at.x - pose->x_m, at.y - pose->y_m);
    const hy_vec low = f->vehicle->low_m, high = f->vehicle->high_m;
    vec_lanes nearest = { lanes_clamp(center.x, broadcast(low.x), broadcast(high.x)),
                          lanes_clamp(center.y, broadcast(low.y), broadcast(high.y)) };
    const vec_lanes off = vec_sub(center, nearest);
    lanes apart_m = lanes_sqrt(vec_dot(off, off));
    vec_lanes out = vec_scale(off, 1.0 / apart_m);
    const mask is_within = mask_not(apart_m > 0.0);
    if (any(is_within)) {
        vec_lanes within_out;
        const vec_lanes side = nearest_side(f->vehicle, center, &within_out);
        nearest = vec_blend(is_within, side, nearest);
        out = vec_blend(is_within, within_out, out);
        apart_m = blend(is_within, vec_dot(vec_sub(center, nearest), out), apart_m);
    }
    const vec_lanes point = turned(pose, nearest.x, nearest.y);
    met->r_m =
        (vec_lanes){ (pose->x_m + point.x) - f->center_m.x, (pose->y_m + point.y) - f->center_m.y };
    met->normal = vec_scale(turned(pose, out.x, out.y), broadcast(-1));
    met->gap_m = apart_m - radius_m;
}

// --------------------------------------------------------------------------- convex outlines

typedef struct {
    const vec_lanes *corner;
    size_t count;
} polygon_lanes;

/// From `a` to `b`, counter-clockwise.
typedef struct {
    vec_lanes a, b;
} outline_side;

typedef struct {
    outline_side side;
    vec_lanes normal; ///< Out of the polygon that the side is of.
    lanes gap_m;
} separation_lanes;

static inline outline_side outline_side_of(polygon_lanes of, size_t index)
{
    return (outline_side){ of.corner[index], of.corner[index + 1 < of.count ? index + 1 : 0] };
}

static inline outline_side outline_side_blend(mask where, outline_side yes, outline_side no)
{
    return (outline_side){ vec_blend(where, yes.a, no.a), vec_blend(where, yes.b, no.b) };
}

/// The side of `a` that `b` is farthest from, or, for all of `near`, one that it is `enough_m` from.
static inline separation_lanes farthest_side(polygon_lanes a, polygon_lanes b, mask near,
                                             lanes enough_m)
{
    separation_lanes best = { .gap_m = broadcast(-INFINITY) };
    for (size_t i = 0; i < a.count && any(near & (best.gap_m < enough_m)); i++) {
        const outline_side side = outline_side_of(a, i);
        const vec_lanes along = vec_sub(side.b, side.a);
        const lanes length_m = lanes_sqrt(vec_dot(along, along));
        const vec_lanes normal = { along.y / length_m, -along.x / length_m };
        lanes gap_m = broadcast(INFINITY);
        for (size_t k = 0; k < b.count; k++) {
            gap_m = lanes_min(gap_m, vec_dot(vec_sub(b.corner[k], side.a), normal));
        }
        const mask is_better = (gap_m > best.gap_m) & mask_not(length_m < SHORTEST_M);
        if (any(is_better)) {
            best.side = outline_side_blend(is_better, side, best.side);
            best.normal = vec_blend(is_better, normal, best.normal);
            best.gap_m = blend(is_better, gap_m, best.gap_m);
        }
    }
    return best;
}

/// The side of a polygon that faces a normal most.
static inline outline_side facing_side(polygon_lanes of, vec_lanes normal)
{
    outline_side best = outline_side_of(of, 0);
    lanes least = broadcast(INFINITY);
    for (size_t i = 0; i < of.count; i++) {
        const outline_side side = outline_side_of(of, i);
        const vec_lanes along = vec_sub(side.b, side.a);
        const lanes facing =
            (along.y * normal.x - along.x * normal.y) / lanes_sqrt(vec_dot(along, along));
        const mask is_less = facing < least;
        if (any(is_less)) {
            least = blend(is_less, facing, least);
            best = outline_side_blend(is_less, side, best);
        }
    }
    return best;
}

/// The part of one side that lies before another one: where its ends are along that.
typedef struct {
    outline_side of;
    lanes from_m, to_m;  ///< Of all of it.
    lanes low_m, high_m; ///< Of the part.
} overlap_lanes;

/// Two corners, none of which is before the other one's side.
static inline void meet_corners(const separation_lanes *by, const overlap_lanes *part, mask is_own,
                                met_lanes *met)
{
    const mask is_behind = part->low_m > 0.0;
    const mask is_turned = part->from_m < part->to_m;
    const mask is_first = (is_turned & is_behind) | mask_not(is_turned | is_behind);
    const vec_lanes own = vec_blend(is_behind, by->side.b, by->side.a);
    const vec_lanes other = vec_blend(is_first, part->of.a, part->of.b);
    const vec_lanes off = vec_sub(other, own);
    const lanes apart_m = lanes_sqrt(vec_dot(off, off));
    const lanes sign = blend(is_own, broadcast(-1), broadcast(1));
    met->there = apart_m > 0.0;
    met->r_m = vec_blend(is_own, own, other);
    met->normal = vec_scale(off, sign / apart_m);
    met->gap_m = apart_m;
}

/// An end of the part.
static inline void meet_end(const separation_lanes *by, const overlap_lanes *part, lanes end_m,
                            mask is_own, met_lanes *met)
{
    const outline_side of = part->of;
    const vec_lanes way =
        vec_scale(vec_sub(of.b, of.a), (end_m - part->from_m) / (part->to_m - part->from_m));
    const vec_lanes point = { of.a.x + way.x, of.a.y + way.y };
    const lanes gap_m = vec_dot(vec_sub(point, by->side.a), by->normal);
    const vec_lanes on_own = vec_sub(point, vec_scale(by->normal, gap_m));
    met->r_m = vec_blend(is_own, on_own, point);
    met->normal = vec_scale(by->normal, blend(is_own, broadcast(-1), broadcast(1)));
    met->gap_m = gap_m;
}

/// Points of the part of `other` that lies before the side of `by`, which is the vehicle's own where `is_own`.
static inline void meet_side(const separation_lanes *by, outline_side other, mask is_own, mask near,
                             met_lanes met[2])
{
    const vec_lanes tangent = { -by->normal.y, by->normal.x };
    const lanes long_m = vec_dot(vec_sub(by->side.b, by->side.a), tangent);
    overlap_lanes part = { .of = other,
                           .from_m = vec_dot(vec_sub(other.a, by->side.a), tangent),
                           .to_m = vec_dot(vec_sub(other.b, by->side.a), tangent) };
    part.low_m = lanes_max(lanes_min(part.from_m, part.to_m), broadcast(0));
    part.high_m = lanes_min(lanes_max(part.from_m, part.to_m), long_m);
    const mask at_corner = part.low_m >= part.high_m;
    if (any(near & mask_not(at_corner))) {
        meet_end(by, &part, part.low_m, is_own, &met[0]);
        meet_end(by, &part, part.high_m, is_own, &met[1]);
    } else {
        met[0] = met[1] = (met_lanes){ .gap_m = broadcast(0) };
    }
    met[0].there = met[1].there = near & mask_not(at_corner);
    if (any(near & at_corner)) {
        met_lanes corner;
        meet_corners(by, &part, is_own, &corner);
        met[0].there = near & (corner.there | mask_not(at_corner));
        met[0].r_m = vec_blend(at_corner, corner.r_m, met[0].r_m);
        met[0].normal = vec_blend(at_corner, corner.normal, met[0].normal);
        met[0].gap_m = blend(at_corner, corner.gap_m, met[0].gap_m);
    }
}

/// Two convex outlines: the side that separates them most, and what of the other one's lies before it. Returns whether any meet.
static inline bool meet_polygon(const finder_lanes *f, const hy_obstacle *obstacle, mask near,
                                met_lanes met[2])
{
    vec_lanes corner[HY_DISC_EDGES];
    for (size_t i = 0; i < obstacle->outline_count; i++) {
        const hy_point at = obstacle->outline[i];
        corner[i] = (vec_lanes){ at.x_m - f->center_m.x, at.y_m - f->center_m.y };
    }
    const polygon_lanes own = { f->outline, HY_VEHICLE_CORNERS },
                        solid = { corner, obstacle->outline_count };
    const separation_lanes by_own = farthest_side(own, solid, near, f->within_m);
    near = near & mask_not(by_own.gap_m >= f->within_m);
    if (!any(near)) {
        return false;
    }
    const separation_lanes by_solid = farthest_side(solid, own, near, f->within_m);
    near = near & mask_not(by_solid.gap_m >= f->within_m);
    if (!any(near)) {
        return false;
    }
    // The solid's side is preferred: it does not turn.
    const mask is_own = by_own.gap_m > by_solid.gap_m + 1e-5;
    separation_lanes by = by_solid;
    outline_side other = { { broadcast(0), broadcast(0) }, { broadcast(0), broadcast(0) } };
    if (any(near & mask_not(is_own))) {
        other = facing_side(own, by_solid.normal);
    }
    if (any(near & is_own)) {
        by.side = outline_side_blend(is_own, by_own.side, by.side);
        by.normal = vec_blend(is_own, by_own.normal, by.normal);
        other = outline_side_blend(is_own, facing_side(solid, by_own.normal), other);
    }
    meet_side(&by, other, is_own, near, met);
    return true;
}

/// Where an obstacle is so near that a gap to it may matter, as the circles around both tell.
static inline mask is_near_obstacle(const finder_lanes *f, const hy_obstacle *obstacle)
{
    const lanes apart_m = f->vehicle->reach_m + obstacle->reach_m + f->within_m + HY_TOUCH_M;
    const lanes x = obstacle->middle_m.x - f->pose.x_m, y = obstacle->middle_m.y - f->pose.y_m;
    return mask_not(x * x + y * y > apart_m * apart_m);
}

/// The points of an obstacle where `near`. Returns how many: of them is each where it is `there`.
static inline size_t meet_obstacle(const finder_lanes *f, const hy_obstacle *obstacle, mask near,
                                   met_lanes met[2])
{
    if (obstacle->shape == HY_OBSTACLE_DISC) {
        meet_disc(f, obstacle->center.at_m, obstacle->radius_m, &met[0]);
        met[0].there = near & (met[0].gap_m < f->within_m);
        return 1;
    }
    if (!meet_polygon(f, obstacle, near, met)) {
        return 0;
    }
    met[0].there = met[0].there & (met[0].gap_m < f->within_m);
    met[1].there = met[1].there & (met[1].gap_m < f->within_m);
    return 2;
}

// --------------------------------------------------------------------------- all of it

static inline void add_points(finder_lanes *f, const met_lanes *met)
{
    unsigned left = mask_bits(met->there);
    if (left == 0) {
        return;
    }
    point_lanes p;
    store(p.r_x, met->r_m.x);
    store(p.r_y, met->r_m.y);
    store(p.normal_x, met->normal.x);
    store(p.normal_y, met->normal.y);
    store(p.gap_m, met->gap_m);
    for (; left != 0; left &= left - 1) {
        const size_t i = lowest_lane(left);
        if (f->count[i] < HY_CONTACTS_MAX) {
            point_lanes *const to = &f->points[f->count[i]++];
            to->r_x[i] = p.r_x[i];
            to->r_y[i] = p.r_y[i];
            to->normal_x[i] = p.normal_x[i];
            to->normal_y[i] = p.normal_y[i];
            to->gap_m[i] = p.gap_m[i];
        }
    }
}

/// Where the centre of mass is.
static inline vec_lanes center_of(const finder_lanes *f)
{
    const vec_lanes com = turned(&f->pose, broadcast(f->vehicle->body.com_ahead_m), broadcast(0));
    return (vec_lanes){ f->pose.x_m + com.x, f->pose.y_m + com.y };
}

static inline void find_outline(finder_lanes *f)
{
    for (int i = 0; i < HY_VEHICLE_CORNERS; i++) {
        const hy_vec of = f->vehicle->corner_m[i];
        const vec_lanes corner = turned(&f->pose, broadcast(of.x), broadcast(of.y));
        f->outline[i] = (vec_lanes){ (f->pose.x_m + corner.x) - f->center_m.x,
                                     (f->pose.y_m + corner.y) - f->center_m.y };
    }
}

static inline void add_walls(const hy_world_model *model, finder_lanes *f)
{
    const extent_lanes extent = extent_of(f);
    for (int k = 0; k < FLOOR_WALLS; k++) {
        const floor_wall wall = wall_of(model, k);
        const hy_vec n = wall.normal;
        const lanes center_m = center_to_wall(f, &wall);
        if (!any(nearest_gap(&extent, center_m, n) < f->within_m)) {
            continue;
        }
        for (int i = 0; i < HY_VEHICLE_CORNERS; i++) {
            const vec_lanes corner = f->outline[i];
            const lanes gap_m = center_m + (corner.x * n.x + corner.y * n.y);
            add_points(f,
                       &(met_lanes){
                           gap_m < f->within_m, corner, { broadcast(n.x), broadcast(n.y) }, gap_m });
        }
    }
}

/// Lists the points that are nearer than `within_m` to a wall or an obstacle; `vehicle`, `pose` and `center_m` are the caller's.
/// O(obstacles).
static inline void find_points(const hy_world_model *model, finder_lanes *f, lanes within_m)
{
    find_outline(f);
    f->within_m = within_m;
    f->obstacle = broadcast(0);
    memset(f->count, 0, sizeof f->count);
    add_walls(model, f);
    for (size_t k = 0; k < model->obstacle_count; k++) {
        const hy_obstacle *const obstacle = &model->obstacles[k];
        met_lanes met[2];
        const mask near = is_near_obstacle(f, obstacle);
        if (!any(near)) {
            continue;
        }
        f->obstacle = blend(near, broadcast((double)(k + 1)), f->obstacle);
        const size_t count = meet_obstacle(f, obstacle, near, met);
        for (size_t i = 0; i < count; i++) {
            add_points(f, &met[i]);
        }
    }
}

/// Where, of `some`, any of those points would be `depth_m` deep or more: for all of which one is, and also for some of which only a
/// point is that is one too many to be listed.
static inline mask may_be_deep(const hy_world_model *model, finder_lanes *f, mask some,
                               double depth_m)
{
    find_outline(f);
    f->within_m = broadcast(0);
    mask is_deep = { 0 };
    const extent_lanes extent = extent_of(f);
    for (int k = 0; k < FLOOR_WALLS; k++) {
        const floor_wall wall = wall_of(model, k);
        const lanes center_m = center_to_wall(f, &wall);
        is_deep = is_deep | (nearest_gap(&extent, center_m, wall.normal) <= -depth_m);
    }
    for (size_t k = 0; k < model->obstacle_count; k++) {
        const hy_obstacle *const obstacle = &model->obstacles[k];
        met_lanes met[2];
        const mask near = some & is_near_obstacle(f, obstacle);
        const size_t count = any(near) ? meet_obstacle(f, obstacle, near, met) : 0;
        for (size_t i = 0; i < count; i++) {
            is_deep = is_deep | (met[i].there & (met[i].gap_m <= -depth_m));
        }
    }
    return some & is_deep;
}

#endif
