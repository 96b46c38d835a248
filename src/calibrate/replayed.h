/// @file replayed.h
/// Private: the recording's commands given to a world whose robot has other traits, and how far what
/// it does is from what was recorded.
#ifndef HALYARD_CALIBRATE_REPLAYED_H
#define HALYARD_CALIBRATE_REPLAYED_H

#include <halyard/world.h>

#include "calibrate.h"

#define REPLAYED_RESIDUALS 3 ///< Of a status: two encoders and the gyro.

/// A robot that may be the one of the recording.
typedef struct {
    hy_robot_traits traits;
    double delay_s; ///< From the arrival of a command to the status that shows what it did.
} replayed_robot;

/// Where the robot was: counts of both wheels, and its yaw.
typedef struct {
    double at[REPLAYED_RESIDUALS];
} replayed_place;

/// What was recorded, prepared.
typedef struct {
    const hy_calibration_log *log;
    hy_world_spec *spec;
    int64_t begin_us;
    double step_s;
    size_t steps;
    double (*pins)[2];     ///< After a command: duties as the board's pins have them.
    double (*duty)[2];     ///< Of a step, on the average.
    replayed_place *place; ///< At the beginning of a step of the world, and at the end of the last.
    replayed_place *spread; ///< Standard deviations of a status.
    bool *is_lost;          ///< Status i came after a pause of the connection since it last stood.
    size_t *rest;           ///< Of a status: the newest one before it at which the robot stood.
    size_t drives;          ///< From one rest to the next.
    size_t lost;            ///< Statuses that are.
    bool has_moved, has_turned;
    unsigned simulations;
} replayed;

/// Allocates; HY_EMEMORY. In either case end it with replayed_end().
hy_status replayed_start(replayed *self, const hy_calibration_log *log);
void replayed_end(replayed *self);

/// Simulates, and writes for each status how far the robot has come since it last stood, less the
/// same of the recording, in standard deviations. False, and all is 0, if there can be no such robot.
bool replayed_residuals(replayed *self, const replayed_robot *robot, double *out);

#endif
