/// Turns a point to drive to into the speeds of a tank's two sides.
#ifndef HALYARD_PLAYER_STEERING_H
#define HALYARD_PLAYER_STEERING_H

#include <halyard/player.h>

/// A point to drive to, in the robot's axes.
typedef struct {
    double ahead_m, left_m;
    bool backward;  ///< Tube first.
    double to_go_m; ///< The speed falls in proportion to it.
    double most;    ///< Largest motor speed, [0, HY_ICD_FULL].
} hy_steering_target;

/// Takes the newest heading; the time since the one before in seconds, 0 if there is none.
double hy_steering_follow(hy_player_steering *self, double heading_rad, int64_t now_us);

/// The speeds of both sides. `time_s` is what hy_steering_follow() returned, 0 without a new state.
hy_icd_commands hy_steering_drive(hy_player_steering *self, const hy_steering_target *to,
                                  double time_s);

#endif
