/// @file load.h
/// The sections of a world file. Each reader's target is the hy_world_model.
#ifndef HY_WORLD_LOAD_H
#define HY_WORLD_LOAD_H

#include "model.h"
#include "schema.h"

#define HY_RAD_PER_DEG (HY_PI / 180)

/// Longest side of a floor, metres.
#define HY_FLOOR_MOST_M 200

hy_yaml_reader hy_load_mat, hy_load_obstacles, hy_load_vehicles;

#endif
