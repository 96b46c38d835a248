/// @file map.h
/// A small map: where the robot has been, what its rangefinder saw, and the walls where they are known.
#ifndef HALYARD_APPS_MAP_H
#define HALYARD_APPS_MAP_H

#include <halyard/world.h>

#include "screen.h"
#include "track.h"

#define MAP_POINTS 1024

/// The newest points of a line, not closer together than a few centimetres.
typedef struct {
    hy_point points[MAP_POINTS];
    uint64_t count; ///< Ever added; the newest MAP_POINTS are kept.
} map_trail;

/// What the map shows. Zero-initialised is an empty one.
typedef struct {
    track track; ///< The robot's pose.
    map_trail driven, seen;
    double echo_m;                 ///< Range ahead of the robot; negative: nothing echoes.
    const hy_world_segment *walls; ///< Known walls, somebody else's; NULL if none are known.
    size_t wall_count;
    const hy_point *floor; ///< Known dark spots of the floor, likewise.
    size_t floor_count;
    double width_m,
        height_m; ///< Of the known floor, whose lower left corner is (0, 0); 0 if it is not known.
} map;

/// The robot is at `self->track` now and its rangefinder reads `range_m`.
void map_update(map *self, double range_m);

/// Draws into a rectangle of cells, north up, at the largest scale at which everything fits.
void map_draw(const map *self, screen *out, const screen_area *area);

#endif
