/// @file robot_option.h
/// `--robot ideal|typical|SEED|FILE`: what sets a virtual robot apart from its type.
#ifndef HALYARD_APPS_ROBOT_OPTION_H
#define HALYARD_APPS_ROBOT_OPTION_H

#include <halyard/world_traits.h>
#include <stddef.h>

typedef struct {
    const char *text;       ///< What stands behind the option; NULL: the world's file decides.
    hy_robot_traits traits; ///< If there is a text.
} robot_option;

/// The option, for the table of a subcommand.
#define ROBOT_OPTION(option_, whose)                                                           \
    {                                                                                          \
        .name = "robot", .value = "ideal|typical|SEED|FILE", .text = &(option_)->text,         \
        .help = "which robot of all that are built alike" whose                                \
                ": without differences, one with ordinary ones (unequal motors and wheels, a " \
                "used battery, sensors that read a little wrong), the one of that number, or " \
                "that of a robot file, docs/spec/robot.md (default: the one that the world's " \
                "file names, else ideal)"                                                      \
    }

/// Reads the robot that was chosen. False with a sentence printed for `command`.
bool robot_option_read(const char *command, robot_option *self);

/// Whether there are robots that could be the chosen one; false with a sentence printed for `command` if one was chosen and
/// no --board adds it.
bool robot_option_has_board(const char *command, const robot_option *self, size_t boards);

/// The chosen robot; NULL if none was.
const hy_robot_traits *robot_option_traits(const robot_option *self);

#endif
