/// @file run_line.h
/// The dark line on a world's floor, as a grid of distances: what a line follower is judged by.
#ifndef HALYARD_RUN_RUN_LINE_H
#define HALYARD_RUN_RUN_LINE_H

#include <halyard/world.h>

typedef struct {
    bool is_there;                 ///< Something on the floor is dark.
    double middle_x_m, middle_y_m; ///< Mean of all that is dark.
    // Private.
    double cell_m;
    unsigned columns, rows;
    float *distance_m; // NULL if nothing is dark
} run_line;

/// Looks at the floor. False if memory is used up. Allocates; free it with run_line_free(). Costs a few milliseconds.
bool run_line_find(run_line *self, const hy_world_model *model);
void run_line_free(run_line *self);

/// How far a point is from the nearest dark cell, to within a cell; 0 on the line. Requires `is_there`. O(1).
double run_line_distance_m(const run_line *self, double x_m, double y_m);

#endif
