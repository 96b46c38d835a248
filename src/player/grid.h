/// The field as a grid: how far each cell is from the walls, where something else stands, and the
/// cheapest path of a robot from its position to every cell.
#ifndef HALYARD_PLAYER_GRID_H
#define HALYARD_PLAYER_GRID_H

#include <halyard/player.h>

/// Half of a robot's width and a little more: nearer to a wall its middle never plans to be.
#define HY_GRID_CLEAR_M 0.52

#define HY_GRID_BUCKETS 32

/// One square of the field.
typedef struct {
    float clear_m;   // from its middle to the nearest wall
    float cost_m;    // of the cheapest path to it: its length, more where it is narrow
    int64_t busy_us; // when something that is no wall and no ball was seen there, or near it
    uint16_t from;   // the cell before it on that path
    uint16_t before, behind; // in its bucket while it waits
    uint16_t walls[3];       // the nearest ones
} hy_grid_cell;

typedef struct {
    hy_point corner; // lower left
    int columns, rows;
    hy_segment *walls;
    hy_grid_cell *cells;
    unsigned waiting, bucket; // how many cells wait, and the first of their buckets, counted from 0
    uint16_t buckets[HY_GRID_BUCKETS]; // the first cell that waits in each
    int64_t planned_us;                // of hy_grid_plan()
    hy_point reached_to;               // the point that was asked for last since then ...
    uint16_t reached;                  // ... and the cell in which the path to it ends
} hy_grid;

/// The distance between two points, metres.
double hy_grid_distance(hy_point a, hy_point b);

/// Its square.
static inline double hy_grid_square(hy_point a, hy_point b)
{
    const double dx = b.x_m - a.x_m, dy = b.y_m - a.y_m;
    return dx * dx + dy * dy;
}

/// Lays a grid over the walls. HY_ERANGE: none, too many, or not finite; HY_EMEMORY. End it with
/// hy_grid_free().
hy_status hy_grid_init(hy_grid *self, const hy_segment *walls, size_t count);
void hy_grid_free(hy_grid *self); // harmless on a zero-initialised one

/// Distance from a point to the nearest of the three walls that are nearest to its cell's middle, metres; 0
/// outside of the grid. O(1).
double hy_grid_clear(const hy_grid *self, hy_point at);

/// Whether that is at least `clear_m`, mostly without computing it.
bool hy_grid_is_clear(const hy_grid *self, hy_point at, double clear_m);

/// Something stands at a point.
void hy_grid_mark(hy_grid *self, hy_point at, int64_t now_us);

/// Whether something stood within 0.6 m of a point in the last half second.
bool hy_grid_is_busy(const hy_grid *self, hy_point at, int64_t now_us);

/// From now on the cheapest paths begin at `from`. They are found as far as the functions below need them: O(cells) for all together.
void hy_grid_plan(hy_grid *self, hy_point from, int64_t now_us);

/// Cost of the cheapest path to a point, metres, if it is at most `most_m`; else anything that is more. INFINITY if there is none.
double hy_grid_cost(hy_grid *self, hy_point to, double most_m);

/// The point to steer to on the path from `here`, where hy_grid_plan() began, to `to`: the farthest one that a straight line
/// reaches with enough clearance, at most `most_m` away.
hy_point hy_grid_next(hy_grid *self, hy_point here, hy_point to, double most_m);

/// A point that is farther from the walls than `at`, if that is too near to one: moved by `most_m` at most. O(1).
hy_point hy_grid_off_wall(const hy_grid *self, hy_point at, double most_m);

#endif
