/// @file load.h
/// The sections of a world file. Each reader's target is the hy_world_model.
#ifndef HY_WORLD_LOAD_H
#define HY_WORLD_LOAD_H

#include "model.h"

#include <halyard/config.h>

#define HY_RAD_PER_DEG (HY_PI / 180)

/// Longest side of a floor, metres.
#define HY_FLOOR_MOST_M 200

/// Tells that there is no memory; always returns false.
bool hy_load_no_memory(hy_yaml *yaml, const hy_yaml_node *node);

/// What the caller changes about the file.
const hy_world_changes *hy_load_changes(const hy_yaml *yaml);

/// Reads 3 to HY_WORLD_CORNERS corners of a convex polygon into `corners`, counter-clockwise; the
/// field's key and range are used.
bool hy_load_convex(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                    hy_world_point *corners, size_t *count);

/// An alliance by its name. False if it is none.
bool hy_load_side(const char *text, hy_world_side *side);

hy_yaml_reader hy_load_mat, hy_load_obstacles, hy_load_vehicles;
hy_yaml_reader hy_load_border, hy_load_pieces, hy_load_goals;

#endif
