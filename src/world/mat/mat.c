#include "mat.h"

#include <stdlib.h>

void hy_mat_free(hy_mat *mat)
{
    free(mat->cells);
    *mat = (hy_mat){ 0 };
}

// --------------------------------------------------------------------------- reading

/// Position in cells; cell (0, 0) has its middle at (0, 0).
static hy_vec cell_position(const hy_mat *mat, hy_vec at_m)
{
    return (hy_vec){ (at_m.x - mat->corner_m.x) * mat->cells_per_m_x - 0.5,
                     (at_m.y - mat->corner_m.y) * mat->cells_per_m_y - 0.5 };
}

/// Left neighbour and share of the right one, with the outermost half cell stretched.
static size_t neighbour(double position, size_t count, double *share)
{
    if (position <= 0) {
        *share = 0;
        return 0;
    }
    if (position >= (double)(count - 1)) {
        *share = 0;
        return count - 1;
    }
    const size_t left = (size_t)position;
    *share = position - (double)left;
    return left;
}

double hy_mat_darkness(const hy_mat *mat, hy_vec at_m)
{
    if (mat->cells == NULL) {
        return mat->floor_shade;
    }
    const hy_vec at = cell_position(mat, at_m);
    // Written so that NaN is off the mat too.
    if (!(at.x >= -0.5 && at.x <= (double)mat->columns - 0.5 && at.y >= -0.5 &&
          at.y <= (double)mat->rows - 0.5)) {
        return mat->floor_shade;
    }
    double right, up;
    const size_t column = neighbour(at.x, mat->columns, &right);
    const size_t row = neighbour(at.y, mat->rows, &up);
    const uint8_t *below = mat->cells + row * mat->columns + column;
    const uint8_t *above = up > 0 ? below + mat->columns : below;
    const size_t next = right > 0 ? 1 : 0;
    const double lower = below[0] + right * ((double)below[next] - below[0]);
    const double upper = above[0] + right * ((double)above[next] - above[0]);
    return (lower + up * (upper - lower)) * (1.0 / 255);
}

double hy_mat_spot(const hy_mat *mat, hy_vec at_m, double radius_m)
{
    if (mat->cells == NULL) {
        return mat->floor_shade;
    }
    // The middle and a hexagon at two thirds of the radius, equal weights: about the mean of a disc
    // that is brightest in the middle.
    static const hy_vec hexagon[] = {
        { 2.0 / 3, 0 },  { 1.0 / 3, 0.57735026918962576 },   { -1.0 / 3, 0.57735026918962576 },
        { -2.0 / 3, 0 }, { -1.0 / 3, -0.57735026918962576 }, { 1.0 / 3, -0.57735026918962576 }
    };
    double sum = hy_mat_darkness(mat, at_m);
    for (size_t i = 0; i < 6; i++) {
        sum += hy_mat_darkness(mat, hy_vec_add(at_m, hy_vec_scale(hexagon[i], radius_m)));
    }
    return sum * (1.0 / 7);
}
