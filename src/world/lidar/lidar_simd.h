/// @file lidar_simd.h
/// One fan of rays, written once for vectors of any width: a file that includes this defines LANES,
/// the doubles in a vector, and is compiled for a processor that has such vectors.
///
/// All happens in axes with the scanner at the origin and the middle of the fan along x. A segment or
/// disc tells which neighbouring rays may hit it and is tried on these only. What is kept for a ray is
/// the reciprocal of its range: along a segment's line that is linear in the direction, so a try needs
/// no division, and the nearest hit is the largest number.
///
/// Every operation is on one lane, and rounds as IEEE 754 says, so that the width changes no bit. A
/// wider vector tries a segment on more rays beside its span; these miss it, since a span is never too
/// narrow.
#ifndef HY_WORLD_LIDAR_SIMD_H
#define HY_WORLD_LIDAR_SIMD_H

#include "lanes/lanes.h"
#include "lidar.h"

/// The fan keeps within this of x; a vertex beyond it counts as just outside the fan.
#define TANGENT_MAX 0.6 // 31 degrees
/// What azimuth() may be wrong by there: 7e-5 and roundings.
#define AZIMUTH_ERROR_RAD 1e-4
/// Twice the area between the scanner and a segment; the square of the tangent from the scanner to a
/// disc. What has less goes through the scanner, or ends there, and is not seen.
#define TINY_M2 1e-200

// --------------------------------------------------------------------------- lanes

/// A list of the lanes that are worth a closer look, by number.
typedef struct {
    size_t number[HY_LIDAR_SEGMENTS + HY_LIDAR_SPARE];
    size_t count;
} list;

/// Appends the lanes that are set, the first of which has number `first`; `end` is one past the last
/// that there is. Without a branch, since nobody could foresee it.
static inline void list_add(list *l, mask where, size_t first, size_t end)
{
    int64_t set[LANES];
    memcpy(set, &where, sizeof set);
    for (size_t i = 0; i < LANES; i++) {
        l->number[l->count] = first + i;
        l->count += (size_t)(set[i] & 1) & (size_t)(first + i < end);
    }
}

/// LANES numbers of a list.
typedef struct {
    size_t number[LANES];
} numbers;

/// The numbers from `at` on; behind the end of the list, the last one again.
static inline numbers list_take(const list *l, size_t at)
{
    numbers n;
    for (size_t i = 0; i < LANES; i++) {
        n.number[i] = l->number[at + i < l->count ? at + i : l->count - 1];
    }
    return n;
}

static inline lanes pick(const double *from, numbers n)
{
    lanes v = { 0 };
    for (size_t i = 0; i < LANES; i++) {
        v[i] = from[n.number[i]];
    }
    return v;
}

// --------------------------------------------------------------------------- the fan

/// A scan through the eyes of its fan.
typedef struct {
    hy_pose axes;      ///< The fan's: x along its middle.
    const double *cos; ///< Of the rays in these axes.
    const double *sin;
    double first_rad, per_rad;  ///< Azimuth of the first ray there, and rays in a radian.
    size_t count;               ///< Rays, [1, HY_LIDAR_FAN].
    double far_m, inverse_near; ///< 1/m
    /// Reciprocal of what each ray hits first, 1/m; 0: nothing yet. Apart from this, so that compilers see
    /// that a store there changes nothing here.
    double *inverse;
} view;

/// Points, one a lane.
typedef struct {
    lanes x, y;
} points;

/// Numbers of the rays that may meet what lies between two points, seen from the scanner.
typedef struct {
    lanes first, last;
} spans;

/// The angle of a point that is in front of the scanner, as good as AZIMUTH_ERROR_RAD if it is less than
/// TANGENT_MAX away from x, else that of such a point on the same side. The polynomial meets the
/// arctangent, divided by its argument, where Chebyshev says.
static inline lanes azimuth(points p)
{
    const lanes highest = broadcast(TANGENT_MAX), slope = p.y / p.x;
    const lanes below = blend((mask)(slope < highest), slope, highest);
    const lanes tangent = blend((mask)(below > -highest), below, -highest);
    const lanes square = tangent * tangent;
    return tangent * (0.999857 + square * (-0.326079 + square * 0.141536));
}

/// Rays between `right` and `left`, which is less than half a turn to the left of it and of which the fan
/// has something. What is behind the scanner counts as anywhere, what is no number too: a span
/// may be too wide, never too narrow.
static inline spans spans_of(const view *v, points right, points left)
{
    const lanes lowest = { 0 }, highest = broadcast((double)(v->count - 1));
    const lanes first = (azimuth(right) - (v->first_rad + AZIMUTH_ERROR_RAD)) * v->per_rad;
    const lanes last = (azimuth(left) - (v->first_rad - AZIMUTH_ERROR_RAD)) * v->per_rad;
    const mask from = (mask)(right.x > 0.0) & (mask)(first > lowest) & (mask)(first <= highest);
    const mask to = (mask)(left.x > 0.0) & (mask)(last < highest) & (mask)(last >= lowest);
    return (spans){ blend(from, first, lowest), blend(to, last, highest) };
}

/// Keeps what is nearer than what a ray has hit so far, where `hit`.
static inline void keep_nearest(double *inverse, lanes candidate, mask hit)
{
    const lanes known = load(inverse);
    store(inverse, blend(hit & (mask)(candidate > known), candidate, known));
}

// --------------------------------------------------------------------------- segments

/// Segments of all bodies in the axes of the fan, seen from their front: the scanner has the right end
/// on its right.
typedef struct {
    double right_x[HY_LIDAR_SEGMENTS + HY_LIDAR_SPARE], right_y[HY_LIDAR_SEGMENTS + HY_LIDAR_SPARE];
    double left_x[HY_LIDAR_SEGMENTS + HY_LIDAR_SPARE], left_y[HY_LIDAR_SEGMENTS + HY_LIDAR_SPARE];
    size_t count;
    list near; ///< Those that are not known to be out of sight.
} segments;

/// From the axes of a body to those of the fan.
static inline points seen(const hy_pose *pose, const double *x, const double *y)
{
    const lanes px = load(x), py = load(y);
    return (points){ pose->cos * px - pose->sin * py + pose->at_m.x,
                     pose->sin * px + pose->cos * py + pose->at_m.y };
}

/// Whether two points are on the same side out of the fan, or both behind the scanner. On the sides
/// with the very products of try_segment(), so that the outermost rays lose nothing.
static inline mask beside(const view *v, points a, points b)
{
    const size_t end = v->count - 1;
    const mask right =
        (mask)(v->cos[0] * a.y < v->sin[0] * a.x) & (mask)(v->cos[0] * b.y < v->sin[0] * b.x);
    const mask left = (mask)(v->cos[end] * a.y > v->sin[end] * a.x) &
                      (mask)(v->cos[end] * b.y > v->sin[end] * b.x);
    return right | left | ((mask)(a.x < 0.0) & (mask)(b.x < 0.0));
}

/// Brings a body's segments into the axes of the fan and notes which are worth more.
static inline void see_body(const view *v, const hy_lidar_shapes *shapes, const hy_lidar_body *body,
                            const hy_pose *here, segments *s)
{
    const size_t end = s->count + body->count;
    for (size_t from = body->first; s->count < end; from += LANES, s->count += LANES) {
        const points left = seen(here, shapes->x0 + from, shapes->y0 + from);
        const points right = seen(here, shapes->x1 + from, shapes->y1 + from);
        const lanes area = right.x * left.y - right.y * left.x;
        store(s->right_x + s->count, right.x);
        store(s->right_y + s->count, right.y);
        store(s->left_x + s->count, left.x);
        store(s->left_y + s->count, left.y);
        list_add(&s->near, (mask)(area > TINY_M2) & ~beside(v, left, right), s->count, end);
    }
    s->count = end;
}

/// Segments to try, one a lane. The reciprocal of a range along a segment's line is
/// inverse . direction.
typedef struct {
    double right_x[LANES], right_y[LANES], left_x[LANES], left_y[LANES];
    double inverse_x[LANES], inverse_y[LANES];
    double first[LANES], last[LANES];
} segment_tries;

static inline void try_segment(const view *v, const segment_tries *s, size_t i)
{
    const lanes right_x = broadcast(s->right_x[i]), right_y = broadcast(s->right_y[i]);
    const lanes left_x = broadcast(s->left_x[i]), left_y = broadcast(s->left_y[i]);
    const lanes inverse_x = broadcast(s->inverse_x[i]), inverse_y = broadcast(s->inverse_y[i]);
    const lanes most = broadcast(v->inverse_near);
    const size_t end = (size_t)s->last[i] + 1;
    for (size_t ray = (size_t)s->first[i] & ~(size_t)(LANES - 1); ray < end; ray += LANES) {
        const lanes c = load(v->cos + ray), d = load(v->sin + ray);
        // Neighbours share a corner, and its bits: no ray slips between them.
        const mask between = (mask)(c * right_y <= d * right_x) & (mask)(c * left_y >= d * left_x);
        const lanes inverse = c * inverse_x + d * inverse_y;
        keep_nearest(v->inverse + ray, inverse, between & (mask)(inverse <= most));
    }
}

/// Tries the next LANES segments of the list from `at` on.
static inline void try_segments(const view *v, const segments *s, size_t at)
{
    const numbers which = list_take(&s->near, at);
    const points right = { pick(s->right_x, which), pick(s->right_y, which) };
    const points left = { pick(s->left_x, which), pick(s->left_y, which) };
    const points along = { left.x - right.x, left.y - right.y };
    const lanes inverse_area = 1.0 / (right.x * left.y - right.y * left.x);
    const spans span = spans_of(v, right, left);
    segment_tries t;
    store(t.right_x, right.x);
    store(t.right_y, right.y);
    store(t.left_x, left.x);
    store(t.left_y, left.y);
    store(t.inverse_x, along.y * inverse_area);
    store(t.inverse_y, -along.x * inverse_area);
    store(t.first, span.first);
    store(t.last, span.last);
    for (size_t i = 0; i < LANES && at + i < s->near.count; i++) {
        try_segment(v, &t, i);
    }
}

// --------------------------------------------------------------------------- bodies

/// Where a body is, in the axes of the fan.
static inline hy_pose pose_seen(const hy_pose *axes, const hy_pose *pose)
{
    return (hy_pose){ .at_m = hy_pose_turn_back(axes, hy_vec_sub(pose->at_m, axes->at_m)),
                      .cos = axes->cos * pose->cos + axes->sin * pose->sin,
                      .sin = axes->cos * pose->sin - axes->sin * pose->cos };
}

/// Whether a circle lies outside the fan, or beyond its reach.
static inline bool is_out(const view *v, hy_vec centre, double radius)
{
    const size_t last = v->count - 1;
    const double reach = v->far_m + radius;
    return centre.x < -radius || v->cos[0] * centre.y - v->sin[0] * centre.x < -radius ||
           v->cos[last] * centre.y - v->sin[last] * centre.x > radius ||
           hy_vec_dot(centre, centre) > reach * reach;
}

static inline void try_bodies(const view *v, const hy_lidar_shapes *shapes,
                              const hy_lidar_scene *scene, size_t excluded)
{
    segments s;
    s.count = s.near.count = 0;
    for (size_t i = 0; i < shapes->bodies; i++) {
        if (scene->there[i] && i != excluded) {
            const hy_pose here = pose_seen(&v->axes, &scene->pose[i]);
            if (!is_out(v, here.at_m, shapes->body[i].radius_m)) {
                see_body(v, shapes, &shapes->body[i], &here, &s);
            }
        }
    }
    for (size_t i = 0; i < s.near.count; i += LANES) {
        try_segments(v, &s, i);
    }
}

// --------------------------------------------------------------------------- discs

/// Discs in the axes of the fan.
typedef struct {
    double x[HY_LIDAR_DISCS + HY_LIDAR_SPARE], y[HY_LIDAR_DISCS + HY_LIDAR_SPARE];
    list near; ///< Those that are not known to be out of sight.
} discs;

/// Square roots of what is not negative, of the rest 0.
static inline lanes sqrt_or_zero(lanes square)
{
    return lanes_sqrt(blend((mask)(square > 0.0), square, (lanes){ 0 }));
}

/// is_out(), one circle a lane.
static inline mask are_out(const view *v, points centre, lanes radius)
{
    const size_t last = v->count - 1;
    const lanes reach = v->far_m + radius;
    const mask right = (mask)(v->cos[0] * centre.y - v->sin[0] * centre.x < -radius);
    const mask left = (mask)(v->cos[last] * centre.y - v->sin[last] * centre.x > radius);
    const mask far = (mask)(centre.x * centre.x + centre.y * centre.y > reach * reach);
    return right | left | far | (mask)(centre.x < -radius);
}

static inline void see_discs(const view *v, const hy_lidar_scene *scene, discs *s)
{
    const hy_pose origin = { .cos = 1 };
    const hy_pose here = pose_seen(&v->axes, &origin);
    for (size_t i = 0; i < scene->discs; i += LANES) {
        const points centre = seen(&here, scene->x + i, scene->y + i);
        const lanes radius = load(scene->radius + i);
        const lanes power = centre.x * centre.x + centre.y * centre.y - radius * radius;
        store(s->x + i, centre.x);
        store(s->y + i, centre.y);
        list_add(&s->near, (mask)(power > TINY_M2) & ~are_out(v, centre, radius), i, scene->discs);
    }
}

/// Discs to try, one a lane. The reciprocals of the ranges where a ray enters and leaves one have the
/// product `inverse_power`.
typedef struct {
    double x[LANES], y[LANES], radius_squared[LANES], inverse_power[LANES];
    double first[LANES], last[LANES];
} disc_tries;

static inline void try_disc(const view *v, const disc_tries *s, size_t i)
{
    const lanes x = broadcast(s->x[i]), y = broadcast(s->y[i]), most = broadcast(v->inverse_near);
    const size_t end = (size_t)s->last[i] + 1;
    for (size_t ray = (size_t)s->first[i] & ~(size_t)(LANES - 1); ray < end; ray += LANES) {
        const lanes c = load(v->cos + ray), d = load(v->sin + ray);
        const lanes aside = c * y - d * x, ahead = c * x + d * y;
        const lanes half_chord_squared = s->radius_squared[i] - aside * aside;
        const lanes inverse = (ahead + sqrt_or_zero(half_chord_squared)) * s->inverse_power[i];
        const mask met = (mask)(half_chord_squared >= 0.0) & (mask)(ahead > 0.0);
        keep_nearest(v->inverse + ray, inverse, met & (mask)(inverse <= most));
    }
}

/// Tries the next LANES discs of the list from `at` on.
static inline void try_discs(const view *v, const hy_lidar_scene *scene, const discs *s, size_t at)
{
    const numbers which = list_take(&s->near, at);
    const points centre = { pick(s->x, which), pick(s->y, which) };
    const lanes radius = pick(scene->radius, which);
    const lanes radius_squared = radius * radius;
    const lanes inverse_power = 1.0 / (centre.x * centre.x + centre.y * centre.y - radius_squared);
    const lanes tangent = radius * sqrt_or_zero(inverse_power); // of half the angle that it covers
    const points right = { centre.x + tangent * centre.y, centre.y - tangent * centre.x };
    const points left = { centre.x - tangent * centre.y, centre.y + tangent * centre.x };
    const spans span = spans_of(v, right, left);
    disc_tries t;
    store(t.x, centre.x);
    store(t.y, centre.y);
    store(t.radius_squared, radius_squared);
    store(t.inverse_power, inverse_power);
    store(t.first, span.first);
    store(t.last, span.last);
    for (size_t i = 0; i < LANES && at + i < s->near.count; i++) {
        try_disc(v, &t, i);
    }
}

static inline void try_all_discs(const view *v, const hy_lidar_scene *scene)
{
    discs s;
    s.near.count = 0;
    see_discs(v, scene, &s);
    for (size_t i = 0; i < s.near.count; i += LANES) {
        try_discs(v, scene, &s, i);
    }
}

// --------------------------------------------------------------------------- all of it

static inline view look(const hy_lidar_fan *fan, const hy_lidar_scan *scan, double *inverse)
{
    const hy_sine_cosine middle = hy_sin_cos(scan->first_rad - fan->first_rad);
    return (view){
        .axes = { .at_m = scan->from.at_m,
                  .cos = scan->from.cos * middle.cos - scan->from.sin * middle.sin,
                  .sin = scan->from.sin * middle.cos + scan->from.cos * middle.sin },
        .cos = fan->cos,
        .sin = fan->sin,
        .first_rad = fan->first_rad,
        .per_rad = 1 / fan->step_rad,
        .count = scan->count,
        .far_m = scan->far_m,
        .inverse_near = scan->near_m > 0 ? 1 / scan->near_m : (double)INFINITY,
        .inverse = inverse,
    };
}

static inline void write_ranges(double *inverses, const hy_lidar_scan *scan, double *ranges_m)
{
    const lanes near_m = broadcast(scan->near_m), far_m = broadcast(scan->far_m);
    for (size_t ray = 0; ray < scan->count; ray += LANES) {
        const lanes inverse = load(inverses + ray);
        const lanes range_m = 1.0 / inverse; // a rounding may carry it past either end
        const mask hit = (mask)(inverse > 0.0) & (mask)(range_m <= far_m);
        const lanes kept = blend((mask)(range_m < near_m), near_m, range_m);
        store(inverses + ray, blend(hit, kept, broadcast(-1)));
    }
    memcpy(ranges_m, inverses, scan->count * sizeof ranges_m[0]);
}

static void cast(const hy_lidar_shapes *shapes, const hy_lidar_scene *scene,
                 const hy_lidar_fan *fan, const hy_lidar_scan *scan, double *ranges_m)
{
    double inverse[HY_LIDAR_FAN + HY_LIDAR_SPARE] = { 0 };
    const view v = look(fan, scan, inverse);
    try_bodies(&v, shapes, scene, scan->excluded);
    try_all_discs(&v, scene);
    write_ranges(inverse, scan, ranges_m);
}

#endif
