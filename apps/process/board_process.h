/// @file board_process.h
/// `halyard board` as a process of our own: reached over UDP like any robot, gone when we are.
#ifndef HALYARD_APPS_BOARD_PROCESS_H
#define HALYARD_APPS_BOARD_PROCESS_H

#include <halyard/robots.h>
#include <stdbool.h>
#include <stddef.h>

#include "child.h"

#define BOARD_PROCESS_LINE_MAX 1024

typedef struct {
    char url[128];                ///< "xrp://127.0.0.1:40000"
    double x_m, y_m, heading_rad; ///< The robot's true pose as told last; only with `truth`.
    double driven_m;              ///< Its true way so far.
    // Private.
    const hy_robot_type *type;
    child board;
    int truth; // what it tells of the truth comes here; -1: nothing does
    char line[BOARD_PROCESS_LINE_MAX];
    size_t line_size;
    bool is_placed;
} board_process;

/// Starts a virtual robot of `type` in its own world on a free port of this machine, and waits until it can be reached. With `truth` it
/// tells its true pose, which then has to be read often. False if it failed; a sentence went to stderr.
/// Call it before anything that must not be forked: threads, connections, the terminal.
bool board_process_start(board_process *self, const char *command, const hy_robot_type *type,
                         bool truth);

/// Reads what it has told of the truth, without waiting.
void board_process_read(board_process *self);

/// Ends it, waits for that, and reads the rest of what it told.
void board_process_end(board_process *self);

#endif
