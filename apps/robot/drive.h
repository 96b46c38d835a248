/// @file drive.h
/// `halyard drive` as a robot program (halyard/program.h): any type of robot by keys, by a script, or a lap by itself.
#ifndef HALYARD_APPS_DRIVE_H
#define HALYARD_APPS_DRIVE_H

#include <halyard/program.h>

#include "cli/output.h"
#include "input/input.h"
#include "script.h"
#include "terminal/map.h"
#include "terminal/screen.h"

#define DRIVE_SERVOS 4

typedef struct drive drive;

/// Decides in every turn of the run what happens next, instead of a person; see hy_program.supervise.
typedef hy_program_wish drive_plan(drive *self);

struct drive {
    // The caller sets these before drive_init().
    const hy_robot_type *type;
    char title[96];          ///< What the screen calls the robot.
    double max_effort;       ///< (0, 1].
    const char *faults_text; ///< Of the faults that are injected into the network; NULL: none.
    script script;           ///< For drive_by_script().
    drive_plan *plan;        ///< NULL: keys, or just time that passes.
    // The robot's devices: what it reported last, and what it is to do.
    hy_device_class of;
    hy_readings in;
    hy_outputs out;
    double wheel[2]; ///< Efforts commanded last: left, right, forward positive.
    map map;
    track start;
    // The run.
    hy_program_state state;
    bool has_begun;    ///< The robot has answered ...
    int64_t begin_us;  ///< ... first at this time; before, since when it is waited for.
    output output;     ///< Where a drive prints, because a robot must not wait for a reader.
    char failure[224]; ///< Why the drive has failed, one sentence; empty: it has not.
    // The script: its zero, its next line, and since when it waits for the robot to be enabled.
    int64_t script_us, waits_since_us;
    size_t line;
    bool waits;
    // The lap: how far along the oval the point lies that is driven to, and when the robot was stopped at its end.
    double carrot_m;
    int64_t stopped_us;
    hy_truth lap_start;
    // The keyboard.
    hy_key_stick stick;
    double limit; ///< Of the speed, (0, 1].
    unsigned servo_chosen;
    float servo[DRIVE_SERVOS];
    screen screen;
};

/// Fills what the caller has not set.
void drive_init(drive *self);

/// The program that drives; `self` is its context.
hy_program drive_program(drive *self);

/// Where the robot is by odometry, as seen from where it stood at the start.
typedef struct {
    double ahead_m, left_m, turned_rad;
} drive_pose;
drive_pose drive_where(const drive *self);

/// Commands the wheels, efforts [-1, +1], forward positive, of a robot that has two.
void drive_wheels(drive *self, double left, double right);

/// The same from speed and turn, [-1, +1], to the left positive; the larger wheel decides if both do not fit.
void drive_arcade(drive *self, double speed, double turn);

/// Notes why the drive failed, the first reason only. Returns HY_PROGRAM_END.
__attribute__((format(printf, 2, 3))) hy_program_wish drive_fail(drive *self, const char *format,
                                                                 ...);

/// Time since the robot answered first.
double drive_clock_s(const drive *self);

/// Shows a world on the map, and where the robot stands in it.
void drive_show_world(drive *self, const hy_sim *sim);

// Keys.
void drive_take_key(void *context, const hy_key_event *event, int64_t now_us);
void drive_by_keys(drive *self, int64_t now_us); ///< Commands what the keys say.
size_t drive_draw(void *context, hy_room room);

// Plans.
drive_plan drive_by_script, drive_a_lap, drive_wait;

/// Prints how the lap went; true if it was one, else the drive has failed.
bool drive_judge_lap(drive *self, const hy_run_outcome *at);

#endif
