/// @file session.h
/// A robot and what was learnt of it on the way: what the keyboard, a script and a lap share.
#ifndef HALYARD_APPS_SESSION_H
#define HALYARD_APPS_SESSION_H

#include <halyard/robot.h>
#include <halyard/robots.h>

#include "cli/output.h"
#include "terminal/map.h"

typedef struct {
    hy_robot *robot;
    map map;
    double wheel[2]; ///< Efforts commanded last: left, right, forward positive.
    output output;   ///< Where a drive prints, because a robot must not wait for a reader.
    char failure[192]; ///< Why the drive failed, one sentence for session_close() to print; empty: it did not.
    // Private.
    const hy_robot_wheels *wheels; // NULL: it has none to drive it by
    track start;
    const char *command;
    uint64_t statuses_seen, restarts_seen;
} session;

/// A pose as people think of one: as seen from where the robot stood at the start.
typedef struct {
    double ahead_m, left_m, turned_rad;
} session_pose;

/// Connects; on failure a sentence went to stderr, as `halyard COMMAND: ...`, and the exit status is returned.
int session_open(session *self, const char *command, const char *url);

/// Injects faults from now on. False, and the drive has failed with a sentence, if this robot may not have them.
bool session_inject(session *self, const hy_faults_spec *faults);

/// Says that `url` is no robot's; returns the exit status.
int session_refuse_url(const char *command, const char *url);

/// Says where on the map the robot starts; without it that is the middle, looking up.
void session_place(session *self, double x_m, double y_m, double heading_rad);

/// Where it is now by odometry.
session_pose session_where(const session *self);

/// Call it after hy_robot_poll() and hy_robot_wait(): takes in a new status, if there is one.
void session_update(session *self);

/// The range ahead in metres as the newest status has it; negative if it has none.
double session_range_m(const session *self);

/// Commands the wheels, efforts [-1, +1], forward positive, of a robot that has two.
void session_drive(session *self, double left, double right);

/// The same from speed and turn, [-1, +1], to the left positive; the larger wheel decides if both do not fit.
void session_arcade(session *self, double speed, double turn);

/// Notes why the drive failed, the first reason only. Returns false.
__attribute__((format(printf, 2, 3))) bool session_fail(session *self, const char *format, ...);

/// Stops the robot, then closes and prints: one line about the session to stdout; to stderr why it failed, and what stdout did
/// not take. Returns the exit status.
int session_close(session *self);

#endif
