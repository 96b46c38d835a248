/// @file mat.h
/// How dark the floor is: a raster of one byte a cell, painted from shapes or read from a picture.
#ifndef HY_WORLD_MAT_H
#define HY_WORLD_MAT_H

#include "geometry.h"

/// Most cells of a mat: 16 MiB.
#define HY_MAT_CELLS ((size_t)16 << 20)

/// Most work of painting one mat, in cells times points of a line.
#define HY_MAT_PAINT 64e6

typedef struct {
    uint8_t *cells; ///< Rows from the lower left corner; 0 white .. 255 black. NULL: no mat.
    size_t columns, rows;
    hy_vec corner_m; ///< Lower left corner on the floor.
    double cells_per_m_x, cells_per_m_y;
    double floor_shade; ///< Where no mat lies.
    double paint_left;  ///< Work that painting may still do; see HY_MAT_PAINT.
} hy_mat;

/// Makes a mat of `columns` by `rows` cells, all of one shade. False if memory is used up.
bool hy_mat_allocate(hy_mat *mat, size_t columns, size_t rows, double shade);
void hy_mat_free(hy_mat *mat);

/// Darkness at a point, interpolated between the cells around it.
double hy_mat_darkness(const hy_mat *mat, hy_vec at_m);

/// Darkness averaged over a round spot.
double hy_mat_spot(const hy_mat *mat, hy_vec at_m, double radius_m);

// Painting: `shade` covers what was there; edges are smoothed over one cell. Points are on the
// floor, in metres. O(cells around the shape); false, and nothing painted, if that is more work than
// is left.
bool hy_mat_paint_line(hy_mat *mat, const hy_vec *points_m, size_t count, double width_m,
                       double shade);
typedef struct {
    hy_vec center_m;
    double radius_m, width_m; ///< Of the line's middle, and across.
    double from_rad, to_rad;  ///< Counter-clockwise from `from_rad` to `to_rad`.
} hy_mat_arc;
bool hy_mat_paint_arc(hy_mat *mat, const hy_mat_arc *arc, double shade);
bool hy_mat_paint_disc(hy_mat *mat, hy_vec center_m, double radius_m, double shade);
bool hy_mat_paint_box(hy_mat *mat, const hy_pose *center, hy_vec size_m, double shade);

#endif
