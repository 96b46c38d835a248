/// @file virtual_robot.h
/// A virtual robot: a world, the board of the robot in it, and the wires between the two. Owns no socket
/// and no clock; `halyard board`, `play` and the benches give it the time.
#ifndef HALYARD_APPS_VIRTUAL_ROBOT_H
#define HALYARD_APPS_VIRTUAL_ROBOT_H

#include <halyard/board.h>
#include <halyard/world.h>

typedef struct {
    // Read-only for the caller.
    hy_world_model *model;
    hy_world_state *world;
    hy_board *board; ///< The caller hands it datagrams and asks it for statuses; NULL before the start.
    hy_world_facts facts;
    // Private.
    hy_board_options board_options;
    void *board_memory;
    hy_world_input input;
    int64_t now_us; // where the world is
} virtual_robot;

typedef struct {
    const char *world; ///< A world's name, or a file: what has a '/' or ends in ".yaml".
    uint64_t seed;
    hy_board_options board;
} virtual_robot_options;

/// Loads the world and gets all memory. False with a sentence in `error` if that failed; nothing is left to
/// be closed then.
bool virtual_robot_open(virtual_robot *self, const virtual_robot_options *options,
                        hy_world_error *error);

/// Powers the robot up at `now_us`. Once, before everything below.
void virtual_robot_start(virtual_robot *self, int64_t now_us);

void virtual_robot_close(virtual_robot *self);

/// When the next step of the world ends.
int64_t virtual_robot_due_us(const virtual_robot *self);

/// One step: outputs of the board into the world, what the world makes of them back to the board.
void virtual_robot_step(virtual_robot *self, bool button);

/// Leaves out time in which the world was not stepped, so that the next step ends after `now_us`. Whole steps; returns
/// how much that was.
int64_t virtual_robot_skip_to(virtual_robot *self, int64_t now_us);

hy_truth virtual_robot_truth(const virtual_robot *self);

#endif
