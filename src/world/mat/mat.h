/// @file mat.h
/// How dark the floor of a model is: a raster of one byte a cell.
#ifndef HY_WORLD_MAT_H
#define HY_WORLD_MAT_H

#include "shapes/geometry.h"

typedef struct {
    uint8_t *cells; ///< Rows from the lower left corner; 0 white .. 255 black. NULL: no mat.
    size_t columns, rows;
    hy_vec corner_m; ///< Lower left corner on the floor.
    double cells_per_m_x, cells_per_m_y;
    double floor_shade; ///< Where no mat lies.
} hy_mat;

void hy_mat_free(hy_mat *mat);

/// Darkness at a point, interpolated between the cells around it.
double hy_mat_darkness(const hy_mat *mat, hy_vec at_m);

/// Darkness averaged over a round spot.
double hy_mat_spot(const hy_mat *mat, hy_vec at_m, double radius_m);

#endif
