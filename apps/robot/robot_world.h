/// @file robot_world.h
/// The world around one virtual robot.
#ifndef HALYARD_APPS_ROBOT_WORLD_H
#define HALYARD_APPS_ROBOT_WORLD_H

#include <halyard/board.h>
#include <halyard/world.h>
#include <halyard/worldfile.h>

#define ROBOT_WORLD_VEHICLE 0 ///< The robot's vehicle in it: the first one.

/// Loads the world of that name or file (hy_worldfile_find()), whose first vehicle must fit a board of `kind`. `robots` is what the robot brings into it; its
/// variant is set here. NULL with a sentence in `error` if that failed; free it with hy_world_free().
hy_world_model *robot_world_load(const char *world, const hy_board_kind *kind,
                                 hy_worldfile_robots robots, hy_world_error *error);

#endif
