/// @file track.h
/// Where a differential robot is, by its encoders and its gyro: dead reckoning for the map and the lap.
#ifndef HALYARD_APPS_TRACK_H
#define HALYARD_APPS_TRACK_H

#include <halyard/wire.h>

#define TRACK_COUNTS_PER_M (585.0 / (HY_PI * 0.060)) ///< XRP: 585 counts a turn, 60 mm wheels.
#define TRACK_WIDTH_M      0.155                     ///< XRP: between the wheels.

typedef struct {
    double x_m, y_m, heading_rad; ///< The heading never wraps.
    double distance_m;            ///< Driven, both directions positive.
    double left_m, right_m;       ///< Each wheel's way, forward positive.
    // Private.
    bool started;
    int32_t count[2];
    double gyro_deg;
} track;

/// Begins at a pose; the first status afterwards only sets the zero of the sensors.
void track_start(track *self, double x_m, double y_m, double heading_rad);

/// Moves on by a new status. A jump that no robot can make (it restarted) sets the zeros again.
void track_update(track *self, const hy_wire_status *status);

/// The robot started again: the next status only sets the zero of the sensors.
void track_resync(track *self);

#endif
