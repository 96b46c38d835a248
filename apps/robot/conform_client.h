/// @file conform_client.h
/// `halyard conform client`: grades a program that drives robots.
#ifndef HALYARD_APPS_CONFORM_CLIENT_H
#define HALYARD_APPS_CONFORM_CLIENT_H

#include "robot/robot_conform_client.h"

typedef struct {
    const char *listen; ///< Where the program has to speak to.
    const hy_dialect *dialect;
    double duration_s; ///< Ends after so long, even if the program still runs; 0: when the program has ended.
    bool (*is_interrupted)(void); ///< Asked ten times a second.
    const char *const *command; ///< The program and its arguments, NULL behind them; NULL: somebody else starts it.
    const char *enable, *disable,
        *end; ///< Lines for its standard input; NULL: none, SIGTERM instead of `end`.
} conform_client_plan;

/// Plays the robot until the program has ended, and fills `report`. False with a sentence printed for `subcommand` if it cannot
/// listen, or if the program was not enabled.
bool conform_client_run(const char *subcommand, const conform_client_plan *plan,
                        hy_conform_report *report);

#endif
