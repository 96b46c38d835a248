/// @file board_processes.h
/// `halyard board --count N` of more robots than one process has room for.
#ifndef HALYARD_APPS_BOARD_PROCESSES_H
#define HALYARD_APPS_BOARD_PROCESSES_H

#include "board_robots.h"
#include "cli/app.h"

#define BOARD_MANY_MAX    1000
#define BOARD_PROCESS_MAX 125 ///< Robots of one process, each with a world of the engine's 128.

/// The whole command, for the processes.
typedef struct {
    app_run *run;
    int argc;
    char **argv;
} board_command;

/// Runs them in processes of that command until a signal or the end of their time. False with a sentence on stderr if something was
/// refused.
bool board_processes_run(const board_options *options, const board_command *command);

#endif
