/// @file app.h
/// What the subcommands of `halyard` share: their entry points, exit statuses and one way to complain.
#ifndef HALYARD_APPS_APP_H
#define HALYARD_APPS_APP_H

#include "options/options.h"

enum {
    APP_OK = 0,     ///< Done.
    APP_FAILED = 1, ///< The machine, the network or a file refused; one sentence on stderr says what.
    APP_USAGE = 2, ///< The command line is wrong; one sentence on stderr says where.
};

/// A subcommand. `argv[0]` is its own name; returns the exit status.
typedef int app_run(int argc, char **argv);

app_run app_board;
app_run app_calibrate;
app_run app_conform;
app_run app_core;
app_run app_doctor;
app_run app_drive;
app_run app_dump;
app_run app_extension;
app_run app_joystick;
app_run app_play;
app_run app_replay;
app_run app_sim;
app_run app_view;
app_run app_xrp;

/// The exit status of a subcommand whose command line asked for help, or was wrong.
static inline int app_status(hy_options_result parsed)
{
    return parsed == HY_OPTIONS_HELP ? APP_OK : APP_USAGE;
}

#endif
