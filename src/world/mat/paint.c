// Mats that are painted: each shape covers what was there before.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shapes/geometry.h"

/// Most work of painting one mat, in cells times points of a line.
#define MOST_WORK 64e6

bool hy_mat_spec_make(hy_mat_spec *mat, size_t columns, size_t rows, double shade)
{
    free(mat->cells);
    mat->cells = malloc(columns * rows);
    if (mat->cells == NULL) {
        return false;
    }
    mat->columns = columns;
    mat->rows = rows;
    mat->work_left = MOST_WORK;
    memset(mat->cells, (int)(shade * 255 + 0.5), columns * rows);
    return true;
}

// --------------------------------------------------------------------------- painting

typedef struct {
    hy_vec low, high;
} bounds;

typedef struct {
    /// How far a point lies outside the shape, metres; negative inside.
    double (*outside)(const void *shape, hy_vec at_m);
    const void *shape;
    bounds around_m;
    double work; ///< Of one call of `outside`.
    /// Of a part of a ring, which lies in the middle of `around_m`: between these distances from there, metres.
    /// 0, 0: it is none.
    double ring_from_m, ring_to_m;
} brush;

static double cells_per_m_x(const hy_mat_spec *mat)
{
    return (double)mat->columns / mat->size_m.x_m;
}

static double cells_per_m_y(const hy_mat_spec *mat)
{
    return (double)mat->rows / mat->size_m.y_m;
}

/// Position in cells; cell (0, 0) has its middle at (0, 0).
static hy_vec cell_position(const hy_mat_spec *mat, hy_vec at_m)
{
    return (hy_vec){ (at_m.x - mat->corner_m.x_m) * cells_per_m_x(mat) - 0.5,
                     (at_m.y - mat->corner_m.y_m) * cells_per_m_y(mat) - 0.5 };
}

static size_t clamp_cell(double cell, size_t count)
{
    return (size_t)hy_clamp(cell, 0, (double)count, 0);
}

/// Cells of one row, from `first` to before `end`.
typedef struct {
    size_t row, first, end;
} cell_range;

static void paint_cells(hy_mat_spec *mat, const brush *with, cell_range cells, double shade)
{
    const double per_m_x = cells_per_m_x(mat), per_m_y = cells_per_m_y(mat);
    const double cells_per_m = hy_min(per_m_x, per_m_y);
    for (size_t column = cells.first; column < cells.end; column++) {
        const hy_vec at_m = { mat->corner_m.x_m + ((double)column + 0.5) / per_m_x,
                              mat->corner_m.y_m + ((double)cells.row + 0.5) / per_m_y };
        const double covered =
            hy_clamp(0.5 - with->outside(with->shape, at_m) * cells_per_m, 0, 1, 0);
        if (covered > 0) {
            uint8_t *cell = &mat->cells[cells.row * mat->columns + column];
            *cell = (uint8_t)(*cell + covered * (shade * 255 - *cell) + 0.5);
        }
    }
}

/// Half of what a circle around the origin covers of the horizontal line at `y`; 0 if it does not reach it.
static double half_chord(double radius, double y)
{
    return radius > fabs(y) ? sqrt(radius * radius - y * y) : 0;
}

/// Paints what a ring may cover of a row: its left and its right side, each with two cells to spare.
static void paint_ring_row(hy_mat_spec *mat, const brush *with, cell_range all, double shade)
{
    const double spare_m = 2 / hy_min(cells_per_m_x(mat), cells_per_m_y(mat));
    const hy_vec low = with->around_m.low, high = with->around_m.high;
    const hy_vec center = { (low.x + high.x) / 2, (low.y + high.y) / 2 };
    const double y_m = mat->corner_m.y_m + ((double)all.row + 0.5) / cells_per_m_y(mat) - center.y;
    const double outer = half_chord(with->ring_to_m + spare_m, y_m) + spare_m;
    const double inner = half_chord(with->ring_from_m - spare_m, y_m) - spare_m;
    const double edges_m[4] = { -outer, -hy_max(inner, 0), hy_max(inner, 0), outer };
    size_t columns[4];
    for (size_t i = 0; i < 4; i++) {
        const double at = cell_position(mat, (hy_vec){ center.x + edges_m[i], 0 }).x;
        columns[i] = clamp_cell(at, all.end);
        columns[i] = columns[i] < all.first ? all.first : columns[i];
    }
    paint_cells(mat, with, (cell_range){ all.row, columns[0], columns[1] }, shade);
    paint_cells(mat, with, (cell_range){ all.row, columns[2], columns[3] }, shade);
}

static bool paint(hy_mat_spec *mat, const brush *with, double shade)
{
    const hy_vec low = cell_position(mat, with->around_m.low);
    const hy_vec high = cell_position(mat, with->around_m.high);
    const size_t first_column = clamp_cell(floor(low.x) - 1, mat->columns);
    const size_t end_column = clamp_cell(floor(high.x) + 3, mat->columns);
    const size_t first_row = clamp_cell(floor(low.y) - 1, mat->rows);
    const size_t end_row = clamp_cell(floor(high.y) + 3, mat->rows);
    mat->work_left -=
        (double)(end_column - first_column) * (double)(end_row - first_row) * with->work;
    if (mat->work_left < 0) {
        return false;
    }
    for (size_t row = first_row; row < end_row; row++) {
        const cell_range all = { row, first_column, end_column };
        if (with->ring_to_m > 0) {
            paint_ring_row(mat, with, all, shade);
        } else {
            paint_cells(mat, with, all, shade);
        }
    }
    return true;
}

static bounds bounds_around(hy_vec center, double reach)
{
    return (bounds){ { center.x - reach, center.y - reach }, { center.x + reach, center.y + reach } };
}

typedef struct {
    const hy_point *points;
    size_t count;
    double half_width;
} polyline;

static double outside_polyline(const void *shape, hy_vec at_m)
{
    const polyline *line = shape;
    double nearest =
        hy_distance_squared(at_m, hy_vec_of(line->points[0]), hy_vec_of(line->points[0]));
    for (size_t i = 1; i < line->count; i++) {
        nearest = hy_min(nearest, hy_distance_squared(at_m, hy_vec_of(line->points[i - 1]),
                                                      hy_vec_of(line->points[i])));
    }
    return sqrt(nearest) - line->half_width;
}

/// Points a stroke is painted with at a time: keeps painting linear in the length of a line.
#define STROKE_POINTS 8

bool hy_mat_spec_line(hy_mat_spec *mat, const hy_mat_line *of, double shade)
{
    for (size_t first = 0; first + 1 < of->count || first == 0; first += STROKE_POINTS - 1) {
        const size_t left = of->count - first;
        const polyline line = { of->points + first, left < STROKE_POINTS ? left : STROKE_POINTS,
                                of->width_m / 2 };
        bounds around = bounds_around(hy_vec_of(line.points[0]), line.half_width);
        for (size_t i = 1; i < line.count; i++) {
            const bounds next = bounds_around(hy_vec_of(line.points[i]), line.half_width);
            around.low.x = hy_min(around.low.x, next.low.x);
            around.low.y = hy_min(around.low.y, next.low.y);
            around.high.x = hy_max(around.high.x, next.high.x);
            around.high.y = hy_max(around.high.y, next.high.y);
        }
        const brush with = { .outside = outside_polyline,
                             .shape = &line,
                             .around_m = around,
                             .work = (double)line.count };
        if (!paint(mat, &with, shade)) {
            return false;
        }
    }
    return true;
}

typedef struct {
    const hy_mat_arc *of;
    hy_vec start, end; ///< Directions from the center to its ends.
} arc_shape;

/// Whether the direction of `out`, `distance` long, is between those to the arc's ends. Cross products tell; where one of them is
/// too near 0 to be sure of its sign, the angle itself does.
static bool is_between_ends(const arc_shape *arc, hy_vec out, double distance)
{
    const double span_rad = arc->of->to_rad - arc->of->from_rad;
    const double past_start = hy_vec_cross(arc->start, out), before_end = hy_vec_cross(out, arc->end);
    if (hy_min(fabs(past_start), fabs(before_end)) <= 1e-9 * distance) {
        const double beyond = hy_atan2(out.y, out.x) - arc->of->from_rad;
        return beyond - floor(beyond / (2 * HY_PI)) * (2 * HY_PI) <= span_rad;
    }
    return span_rad < 0        ? false
           : span_rad <= HY_PI ? past_start > 0 && before_end > 0
                               : span_rad >= 2 * HY_PI || past_start > 0 || before_end > 0;
}

static double outside_arc(const void *shape, hy_vec at_m)
{
    const arc_shape *const arc = shape;
    const hy_vec out = hy_vec_sub(at_m, hy_vec_of(arc->of->center_m));
    const double distance = sqrt(hy_vec_dot(out, out)), radius = arc->of->radius_m;
    const double half_width = arc->of->width_m / 2;
    if (is_between_ends(arc, out, distance)) {
        return fabs(distance - radius) - half_width;
    }
    // Beyond its ends an arc is rounded, as a line is.
    const hy_vec off_start = { out.x - radius * arc->start.x, out.y - radius * arc->start.y };
    const hy_vec off_end = { out.x - radius * arc->end.x, out.y - radius * arc->end.y };
    return sqrt(hy_min(hy_vec_dot(off_start, off_start), hy_vec_dot(off_end, off_end))) - half_width;
}

bool hy_mat_spec_arc(hy_mat_spec *mat, const hy_mat_arc *arc, double shade)
{
    const double half_width = arc->width_m / 2;
    const double reach = arc->radius_m + half_width;
    const arc_shape shape = { arc,
                              { hy_cos(arc->from_rad), hy_sin(arc->from_rad) },
                              { hy_cos(arc->to_rad), hy_sin(arc->to_rad) } };
    const brush with = { .outside = outside_arc,
                         .shape = &shape,
                         .around_m = bounds_around(hy_vec_of(arc->center_m), reach),
                         .work = 4,
                         .ring_from_m = arc->radius_m - half_width,
                         .ring_to_m = reach };
    return paint(mat, &with, shade);
}

bool hy_mat_spec_disc(hy_mat_spec *mat, hy_point center_m, double radius_m, double shade)
{
    const polyline point = { &center_m, 1, radius_m };
    const brush with = { .outside = outside_polyline,
                         .shape = &point,
                         .around_m = bounds_around(hy_vec_of(center_m), radius_m),
                         .work = 1 };
    return paint(mat, &with, shade);
}

typedef struct {
    hy_pose center;
    hy_vec half;
} turned_box;

static double outside_box(const void *shape, hy_vec at_m)
{
    const turned_box *box = shape;
    const hy_vec at = hy_pose_turn_back(&box->center, hy_vec_sub(at_m, box->center.at_m));
    return hy_max(fabs(at.x) - box->half.x, fabs(at.y) - box->half.y);
}

bool hy_mat_spec_box(hy_mat_spec *mat, const hy_mat_box *of, double shade)
{
    const turned_box box = { hy_pose_make(of->center_m.x_m, of->center_m.y_m, of->angle_rad),
                             hy_vec_scale(hy_vec_of(of->size_m), 0.5) };
    const double reach = sqrt(hy_vec_dot(box.half, box.half));
    const brush with = { .outside = outside_box,
                         .shape = &box,
                         .around_m = bounds_around(box.center.at_m, reach),
                         .work = 1 };
    return paint(mat, &with, shade);
}
