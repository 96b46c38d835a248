/// @file track.h
/// Where a differential robot is, by its encoders and its gyro: dead reckoning for the map and the lap.
#ifndef HALYARD_APPS_TRACK_H
#define HALYARD_APPS_TRACK_H

#include <halyard/robots.h>

typedef struct {
    double x_m, y_m, heading_rad; ///< The heading never wraps.
    double distance_m;            ///< Driven, both directions positive.
    double left_m, right_m;       ///< Each wheel's way, forward positive.
    // Private.
    const hy_robot_wheels *wheels;
    bool started;
    int32_t count[2];
    double gyro_deg;
} track;

/// Begins at a pose; the first status afterwards only sets the zero of the sensors. `wheels` must outlive it; NULL: nothing
/// is known of them, and the pose stays.
void track_start(track *self, const hy_robot_wheels *wheels, double x_m, double y_m,
                 double heading_rad);

/// Moves on by a new status. A jump that no robot can make (it restarted) sets the zeros again.
void track_update(track *self, const hy_readings *readings);

/// The robot started again: the next status only sets the zero of the sensors.
void track_resync(track *self);

#endif
