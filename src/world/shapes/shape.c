#include "shape.h"

#include <math.h>
#include <string.h>

/// What lies nearer than this is the same place.
#define SAME_M 1e-6

/// Which side of the line from `a` to `b` a point lies on: positive to the left.
static double side_of(hy_vec a, hy_vec b, hy_vec p)
{
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

static double length_of(hy_vec v)
{
    return sqrt(hy_vec_dot(v, v));
}

bool hy_segments_cross(hy_vec a0, hy_vec a1, hy_vec b0, hy_vec b1)
{
    return side_of(a0, a1, b0) * side_of(a0, a1, b1) < 0 &&
           side_of(b0, b1, a0) * side_of(b0, b1, a1) < 0;
}

// --------------------------------------------------------------------------- checking polygons

static double twice_area(const hy_point *corners, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += side_of(hy_vec_of(corners[0]), hy_vec_of(corners[i]),
                       hy_vec_of(corners[(i + 1) % count]));
    }
    return sum;
}

static void make_counter_clockwise(hy_point *corners, size_t count)
{
    if (twice_area(corners, count) < 0) {
        for (size_t i = 0; i < count / 2; i++) {
            const hy_point swapped = corners[i];
            corners[i] = corners[count - 1 - i];
            corners[count - 1 - i] = swapped;
        }
    }
}

/// How far the polygon reaches to the left of one of its sides; negative if a corner lies to its right.
static double reach_from(const hy_point *corners, size_t count, size_t side)
{
    const hy_vec a = hy_vec_of(corners[side]), b = hy_vec_of(corners[(side + 1) % count]);
    const double length = length_of(hy_vec_sub(b, a));
    double farthest = 0;
    for (size_t i = 0; i < count; i++) {
        const double off = side_of(a, b, hy_vec_of(corners[i])) / length;
        if (off < -1e-9) {
            return -1;
        }
        farthest = hy_max(farthest, off);
    }
    return farthest;
}

static const char *check_sides(const hy_point *corners, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const hy_vec side = hy_vec_sub(hy_vec_of(corners[(i + 1) % count]), hy_vec_of(corners[i]));
        if (length_of(side) < HY_THINNEST_M) {
            return "two of its corners are nearer than 0.005 m";
        }
    }
    return NULL;
}

const char *hy_polygon_convex(hy_point *corners, size_t count)
{
    const char *wrong = check_sides(corners, count);
    if (wrong != NULL) {
        return wrong;
    }
    make_counter_clockwise(corners, count);
    double turned_rad = 0;
    for (size_t i = 0; i < count; i++) {
        const double reach_m = reach_from(corners, count, i);
        if (reach_m < 0) {
            return "it is not convex";
        }
        if (reach_m < HY_THINNEST_M) {
            return "it is thinner than 0.005 m";
        }
        const hy_vec in = hy_vec_sub(hy_vec_of(corners[(i + 1) % count]), hy_vec_of(corners[i]));
        const hy_vec out =
            hy_vec_sub(hy_vec_of(corners[(i + 2) % count]), hy_vec_of(corners[(i + 1) % count]));
        turned_rad += hy_atan2(in.x * out.y - in.y * out.x, hy_vec_dot(in, out));
    }
    return turned_rad < 3 * HY_PI ? NULL : "it winds around itself";
}

const char *hy_polygon_simple(hy_point *corners, size_t count)
{
    const char *wrong = check_sides(corners, count);
    for (size_t i = 0; i < count && wrong == NULL; i++) {
        for (size_t k = i + 1; k < count && wrong == NULL; k++) {
            if (hy_segments_cross(hy_vec_of(corners[i]), hy_vec_of(corners[(i + 1) % count]),
                                  hy_vec_of(corners[k]), hy_vec_of(corners[(k + 1) % count]))) {
                wrong = "it crosses itself";
            }
        }
    }
    make_counter_clockwise(corners, count);
    return wrong != NULL || twice_area(corners, count) >= 0.01 ? wrong : "it has no inside";
}

bool hy_polygon_has(const hy_point *corners, size_t count, hy_vec at)
{
    for (size_t i = 0; i < count; i++) {
        if (side_of(hy_vec_of(corners[i]), hy_vec_of(corners[(i + 1) % count]), at) < 0) {
            return false;
        }
    }
    return true;
}

bool hy_polygon_around(const hy_point *corners, size_t count, hy_vec at)
{
    bool inside = false; // as often as a ray to the right crosses the edge
    for (size_t i = 0; i < count; i++) {
        const hy_vec a = hy_vec_of(corners[i]), b = hy_vec_of(corners[(i + 1) % count]);
        if ((a.y > at.y) != (b.y > at.y)) {
            const bool to_the_right = (side_of(a, b, at) > 0) == (b.y > a.y);
            inside = inside != to_the_right;
        }
    }
    return inside;
}

// --------------------------------------------------------------------------- joining polygons

/// A polygon on the way: cutting a convex one by lines adds a corner each time.
#define CUT_CORNERS (HY_WORLD_CORNERS * 4)

typedef struct {
    hy_vec corner_m[CUT_CORNERS];
    size_t count;
} cut;

/// What of a convex polygon lies to the left of a line, or to its right.
static cut cut_by(const cut *from, hy_vec a, hy_vec b, bool left)
{
    cut out = { .count = 0 };
    const double sign = left ? 1 : -1;
    for (size_t i = 0; i < from->count; i++) {
        const hy_vec here = from->corner_m[i], next = from->corner_m[(i + 1) % from->count];
        const double at_here = sign * side_of(a, b, here), at_next = sign * side_of(a, b, next);
        if (at_here >= 0 && out.count < CUT_CORNERS) {
            out.corner_m[out.count++] = here;
        }
        if ((at_here > 0 && at_next < 0) || (at_here < 0 && at_next > 0)) {
            const hy_vec on =
                hy_vec_add(here, hy_vec_scale(hy_vec_sub(next, here), at_here / (at_here - at_next)));
            out.corner_m[out.count < CUT_CORNERS ? out.count++ : CUT_CORNERS - 1] = on;
        }
    }
    return out;
}

static double area_of(const cut *polygon)
{
    double twice = 0;
    for (size_t i = 2; i < polygon->count; i++) {
        twice += side_of(polygon->corner_m[0], polygon->corner_m[i - 1], polygon->corner_m[i]);
    }
    return twice / 2;
}

/// Cuts that joining may take in all: shapes that need more stay as they are.
#define MOST_CUTS 20000

/// Polygons of one sort.
typedef struct {
    const hy_world_part *part[HY_WORLD_PARTS];
    size_t count;
    int *cuts_left;
} sort_of_parts;

/// What of `polygon` none of the polygons from `first` on covers, square metres. Each one cuts off what it
/// has, and leaves at most as many pieces as it has sides to those that follow.
static double uncovered(const cut *polygon, const sort_of_parts *by, size_t first)
{
    if (area_of(polygon) < 1e-9) {
        return 0;
    }
    if (first == by->count || *by->cuts_left <= 0) {
        return area_of(polygon);
    }
    *by->cuts_left -= (int)by->part[first]->count;
    const hy_world_part *part = by->part[first];
    double area = 0;
    cut rest = *polygon;
    for (size_t i = 0; i < part->count && area < 1e-8; i++) {
        const hy_vec a = hy_vec_of(part->corners[i]),
                     b = hy_vec_of(part->corners[(i + 1) % part->count]);
        const cut outside = cut_by(&rest, a, b, false);
        area += uncovered(&outside, by, first + 1);
        rest = cut_by(&rest, a, b, true);
    }
    return area;
}

/// The convex hull of two polygons. False if it has too many corners.
static bool hull_of(const hy_world_part *a, const hy_world_part *b, hy_world_part *hull)
{
    hy_vec all[2 * HY_WORLD_CORNERS];
    const size_t count = a->count + b->count;
    if (count == 0) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        all[i] = hy_vec_of(i < a->count ? a->corners[i] : b->corners[i - a->count]);
    }
    size_t lowest = 0; // a corner for sure: the hull is wrapped around from there
    for (size_t i = 1; i < count; i++) {
        const bool lower =
            all[i].y < all[lowest].y || (all[i].y == all[lowest].y && all[i].x > all[lowest].x);
        lowest = lower ? i : lowest;
    }
    hull->count = 0;
    hull->kind = a->kind;
    size_t at = lowest;
    do {
        if (hull->count == HY_WORLD_CORNERS) {
            return false;
        }
        hull->corners[hull->count++] = (hy_point){ all[at].x, all[at].y };
        size_t next = (at + 1) % count;
        for (size_t i = 0; i < count; i++) {
            const double side = side_of(all[at], all[next], all[i]);
            const bool farther =
                length_of(hy_vec_sub(all[i], all[at])) > length_of(hy_vec_sub(all[next], all[at]));
            if (side < -1e-12 || (side <= 1e-12 && farther)) {
                next = i;
            }
        }
        at = next;
    } while (length_of(hy_vec_sub(all[at], all[lowest])) > SAME_M);
    return hy_polygon_convex(hull->corners, hull->count) == NULL;
}

static bool may_join(const hy_world_part *a, const hy_world_part *b, const sort_of_parts *sort,
                     hy_world_part *hull)
{
    if (!hull_of(a, b, hull)) {
        return false;
    }
    cut polygon = { .count = hull->count };
    for (size_t i = 0; i < hull->count; i++) {
        polygon.corner_m[i] = hy_vec_of(hull->corners[i]);
    }
    return uncovered(&polygon, sort, 0) < 1e-8;
}

/// Joins a polygon with one of those behind it. False if there is none.
static bool join_one(hy_world_part *parts, size_t count, size_t of, hy_parts_alike *alike,
                     const sort_of_parts *sort)
{
    for (size_t k = of + 1; k < count; k++) {
        hy_world_part hull;
        if (alike(parts[of].kind, parts[k].kind) && may_join(&parts[of], &parts[k], sort, &hull)) {
            parts[of] = hull;
            parts[k] = parts[count - 1];
            return true;
        }
    }
    return false;
}

size_t hy_parts_join(hy_world_part *parts, size_t count, hy_parts_alike *alike)
{
    hy_world_part all[HY_WORLD_PARTS];
    const size_t all_count = count;
    int cuts_left = MOST_CUTS;
    memcpy(all, parts, count * sizeof parts[0]);
    for (size_t i = 0; i < count;) {
        sort_of_parts sort = { .count = 0, .cuts_left = &cuts_left };
        for (size_t k = 0; k < all_count; k++) {
            if (alike(all[k].kind, parts[i].kind)) {
                sort.part[sort.count++] = &all[k];
            }
        }
        if (join_one(parts, count, i, alike, &sort)) {
            count--;
            i = 0; // what did not fit before may fit now
        } else {
            i++;
        }
    }
    return count;
}

// --------------------------------------------------------------------------- what is seen from outside

#define MOST_PIECES (2 * HY_WORLD_PARTS * HY_WORLD_CORNERS)

#define JOIN_M 1e-4

typedef struct {
    hy_vec from, to;
    bool used;
} edge_piece;

typedef struct {
    edge_piece piece[MOST_PIECES];
    size_t count;
    bool full;
} edge_pieces;

/// The part of an edge, as shares of its length, that a polygon covers. Polygons that share a side, and lie
/// on the same side of it, must not hide it from each other: the `later` one does not cover it.
static bool covered_by(const hy_world_part *part, hy_vec a, hy_vec b, bool later, double span[2])
{
    const double length = length_of(hy_vec_sub(b, a));
    span[0] = 0;
    span[1] = 1;
    for (size_t i = 0; i < part->count; i++) {
        const hy_vec c = hy_vec_of(part->corners[i]);
        const hy_vec d = hy_vec_of(part->corners[(i + 1) % part->count]);
        const hy_vec along = hy_vec_sub(d, c);
        const double per_m = 1 / length_of(along);
        double at_a = side_of(c, d, a) * per_m;
        double at_b = side_of(c, d, b) * per_m;
        const bool shared =
            fabs(at_a) < SAME_M && fabs(at_b) < SAME_M && hy_vec_dot(along, hy_vec_sub(b, a)) > 0;
        at_a += shared && later ? -SAME_M : SAME_M;
        at_b += shared && later ? -SAME_M : SAME_M;
        if (at_a < 0 && at_b < 0) {
            return false;
        }
        if (at_a < 0) {
            span[0] = hy_max(span[0], at_a / (at_a - at_b));
        } else if (at_b < 0) {
            span[1] = hy_min(span[1], at_a / (at_a - at_b));
        }
    }
    return (span[1] - span[0]) * length > SAME_M;
}

static void keep_piece(edge_pieces *pieces, hy_vec a, hy_vec b, double from, double to)
{
    const hy_vec along = hy_vec_sub(b, a);
    if ((to - from) * length_of(along) < 10 * SAME_M) {
        return;
    }
    if (pieces->count == MOST_PIECES) {
        pieces->full = true;
        return;
    }
    pieces->piece[pieces->count++] = (edge_piece){ hy_vec_add(a, hy_vec_scale(along, from)),
                                                   hy_vec_add(a, hy_vec_scale(along, to)), false };
}

/// Polygons, and one of them.
typedef struct {
    const hy_world_part *part;
    size_t count, of;
} one_of_parts;

/// Keeps what no other polygon covers of an edge of one.
static void keep_uncovered(const one_of_parts *parts, hy_vec a, hy_vec b, edge_pieces *pieces)
{
    double from = 0;
    for (bool moved = true; moved && from < 1;) { // from one gap to the next
        moved = false;
        double next = 1;
        for (size_t i = 0; i < parts->count; i++) {
            double span[2];
            if (i == parts->of || !covered_by(&parts->part[i], a, b, i > parts->of, span)) {
                continue;
            }
            if (span[0] <= from + 1e-12 && span[1] > from) {
                from = span[1];
                moved = true;
            } else if (span[0] > from) {
                next = hy_min(next, span[0]);
            }
        }
        if (!moved && from < 1) {
            keep_piece(pieces, a, b, from, next);
            moved = next < 1;
            from = next;
        }
    }
}

static edge_piece *follow_edge(edge_pieces *pieces, hy_vec end)
{
    for (size_t i = 0; i < pieces->count; i++) {
        edge_piece *piece = &pieces->piece[i];
        if (!piece->used && length_of(hy_vec_sub(piece->from, end)) < JOIN_M) {
            piece->used = true;
            return piece;
        }
    }
    return NULL;
}

/// One closed line of the pieces that are left. False if it does not close.
static bool close_line(edge_pieces *pieces, edge_piece *first, hy_outline *line)
{
    line->count = 0;
    first->used = true;
    for (edge_piece *piece = first; piece != NULL; piece = follow_edge(pieces, piece->to)) {
        if (line->count == sizeof line->corner_m / sizeof line->corner_m[0]) {
            return false;
        }
        line->corner_m[line->count++] = piece->from;
        if (length_of(hy_vec_sub(piece->to, first->from)) < JOIN_M) {
            return line->count >= 3;
        }
    }
    return false;
}

/// Drops corners on straight lines; returns twice the area.
static double simplify(hy_outline *line)
{
    double area = 0;
    size_t kept = 0;
    const hy_outline all = *line;
    for (size_t i = 0; i < all.count; i++) {
        const hy_vec before = all.corner_m[(i + all.count - 1) % all.count];
        const hy_vec here = all.corner_m[i];
        const hy_vec after = all.corner_m[(i + 1) % all.count];
        area += side_of(all.corner_m[0], here, after);
        if (fabs(side_of(before, here, after)) > JOIN_M * length_of(hy_vec_sub(after, before)) * 0.1) {
            line->corner_m[kept++] = here;
        }
    }
    line->count = kept;
    return area;
}

bool hy_parts_outline(const hy_world_part *parts, size_t count, hy_outline *outline)
{
    edge_pieces pieces = { .count = 0 };
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < parts[i].count; k++) {
            const one_of_parts one = { parts, count, i };
            keep_uncovered(&one, hy_vec_of(parts[i].corners[k]),
                           hy_vec_of(parts[i].corners[(k + 1) % parts[i].count]), &pieces);
        }
    }
    int outer = 0;
    for (size_t i = 0; i < pieces.count; i++) {
        if (pieces.piece[i].used) {
            continue;
        }
        hy_outline line;
        if (!close_line(&pieces, &pieces.piece[i], &line)) {
            return false;
        }
        if (simplify(&line) > 0) { // holes go round the other way
            *outline = line;
            outer++;
        }
    }
    return outer == 1 && !pieces.full && outline->count >= 3;
}
