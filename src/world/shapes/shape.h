/// @file shape.h
/// Polygons: of the field, of vehicles, of goals.
#ifndef HY_WORLD_SHAPE_H
#define HY_WORLD_SHAPE_H

#include "geometry.h"

/// Thinner than this is no polygon: the engine could not tell its sides apart.
#define HY_THINNEST_M 0.005

/// Whether a point lies in a convex polygon, its edges included, counter-clockwise.
bool hy_polygon_has(const hy_point *corners, size_t count, hy_vec at);

/// Whether a point lies in a simple polygon.
bool hy_polygon_around(const hy_point *corners, size_t count, hy_vec at);

/// Whether two segments cross: not if they only touch.
bool hy_segments_cross(hy_vec a0, hy_vec a1, hy_vec b0, hy_vec b1);

/// A closed line, counter-clockwise.
typedef struct {
    hy_vec corner_m[HY_WORLD_PARTS * HY_WORLD_CORNERS];
    size_t count;
} hy_outline;

/// The outer edge of what polygons cover together: what is seen of them from outside. False if they do not
/// hang together or have too many corners.
bool hy_parts_outline(const hy_world_part *parts, size_t count, hy_outline *outline);

/// Whether polygons of two kinds are of one sort.
typedef bool hy_parts_alike(hy_world_part_kind a, hy_world_part_kind b);

/// Joins polygons that `alike` tells to be of one sort into fewer, as far as they stay convex and cover no
/// more than all of their sort did. Works in place; returns how many are left. What is joined has
/// the kind of one of them.
size_t hy_parts_join(hy_world_part *parts, size_t count, hy_parts_alike *alike);

#endif
