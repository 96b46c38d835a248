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

static bool paint(hy_mat_spec *mat, const brush *with, double shade)
{
    const hy_vec low = cell_position(mat, with->around_m.low);
    const hy_vec high = cell_position(mat, with->around_m.high);
    const size_t first_column = clamp_cell(floor(low.x) - 1, mat->columns);
    const size_t end_column = clamp_cell(floor(high.x) + 3, mat->columns);
    const size_t first_row = clamp_cell(floor(low.y) - 1, mat->rows);
    const size_t end_row = clamp_cell(floor(high.y) + 3, mat->rows);
    const double per_m_x = cells_per_m_x(mat), per_m_y = cells_per_m_y(mat);
    const double cells_per_m = hy_min(per_m_x, per_m_y);
    mat->work_left -=
        (double)(end_column - first_column) * (double)(end_row - first_row) * with->work;
    if (mat->work_left < 0) {
        return false;
    }
    for (size_t row = first_row; row < end_row; row++) {
        for (size_t column = first_column; column < end_column; column++) {
            const hy_vec at_m = { mat->corner_m.x_m + ((double)column + 0.5) / per_m_x,
                                  mat->corner_m.y_m + ((double)row + 0.5) / per_m_y };
            const double covered =
                hy_clamp(0.5 - with->outside(with->shape, at_m) * cells_per_m, 0, 1, 0);
            if (covered > 0) {
                uint8_t *cell = &mat->cells[row * mat->columns + column];
                *cell = (uint8_t)(*cell + covered * (shade * 255 - *cell) + 0.5);
            }
        }
    }
    return true;
}

static bounds bounds_around(hy_vec center, double reach)
{
    return (bounds){ { center.x - reach, center.y - reach }, { center.x + reach, center.y + reach } };
}

static hy_vec vec_of(hy_world_point p)
{
    return (hy_vec){ p.x_m, p.y_m };
}

typedef struct {
    const hy_world_point *points;
    size_t count;
    double half_width;
} polyline;

static double outside_polyline(const void *shape, hy_vec at_m)
{
    const polyline *line = shape;
    double nearest = hy_distance_squared(at_m, vec_of(line->points[0]), vec_of(line->points[0]));
    for (size_t i = 1; i < line->count; i++) {
        nearest = hy_min(nearest, hy_distance_squared(at_m, vec_of(line->points[i - 1]),
                                                      vec_of(line->points[i])));
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
        bounds around = bounds_around(vec_of(line.points[0]), line.half_width);
        for (size_t i = 1; i < line.count; i++) {
            const bounds next = bounds_around(vec_of(line.points[i]), line.half_width);
            around.low.x = hy_min(around.low.x, next.low.x);
            around.low.y = hy_min(around.low.y, next.low.y);
            around.high.x = hy_max(around.high.x, next.high.x);
            around.high.y = hy_max(around.high.y, next.high.y);
        }
        const brush with = { outside_polyline, &line, around, (double)line.count };
        if (!paint(mat, &with, shade)) {
            return false;
        }
    }
    return true;
}

static double outside_arc(const void *shape, hy_vec at_m)
{
    const hy_mat_arc *arc = shape;
    const hy_vec out = hy_vec_sub(at_m, vec_of(arc->center_m));
    const double beyond = hy_atan2(out.y, out.x) - arc->from_rad;
    const double angle = beyond - floor(beyond / (2 * HY_PI)) * (2 * HY_PI);
    const double half_width = arc->width_m / 2;
    if (angle <= arc->to_rad - arc->from_rad) {
        return fabs(sqrt(hy_vec_dot(out, out)) - arc->radius_m) - half_width;
    }
    // Beyond its ends an arc is rounded, as a line is.
    double nearest = INFINITY;
    for (int end = 0; end < 2; end++) {
        const hy_pose tip = hy_pose_make(0, 0, end == 0 ? arc->from_rad : arc->to_rad);
        const hy_vec off = { out.x - arc->radius_m * tip.cos, out.y - arc->radius_m * tip.sin };
        nearest = hy_min(nearest, hy_vec_dot(off, off));
    }
    return sqrt(nearest) - half_width;
}

bool hy_mat_spec_arc(hy_mat_spec *mat, const hy_mat_arc *arc, double shade)
{
    const double reach = arc->radius_m + arc->width_m / 2;
    const brush with = { outside_arc, arc, bounds_around(vec_of(arc->center_m), reach), 4 };
    return paint(mat, &with, shade);
}

bool hy_mat_spec_disc(hy_mat_spec *mat, hy_world_point center_m, double radius_m, double shade)
{
    const polyline point = { &center_m, 1, radius_m };
    const brush with = { outside_polyline, &point, bounds_around(vec_of(center_m), radius_m), 1 };
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
                             hy_vec_scale(vec_of(of->size_m), 0.5) };
    const double reach = sqrt(hy_vec_dot(box.half, box.half));
    const brush with = { outside_box, &box, bounds_around(box.center.at_m, reach), 1 };
    return paint(mat, &with, shade);
}
