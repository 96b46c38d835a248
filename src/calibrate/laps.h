/// @file laps.h
/// Private: how far robots come apart that drive the same lap without feedback.
#ifndef HALYARD_CALIBRATE_LAPS_H
#define HALYARD_CALIBRATE_LAPS_H

#include <halyard/world.h>

#include "calibrate.h"

/// Drives each lap with the robot `middle` and with the `count` robots `others`, and sums up the squares of how far each of
/// those is from it: what the middle one is off if each way in which it may differ is one of them. HY_ERANGE: there can
/// be no such robot; HY_EMEMORY. Sets the traits of the one vehicle of `spec`.
hy_status laps_compare(hy_world_spec *spec, const hy_robot_traits *middle,
                       const hy_robot_traits *others, size_t count,
                       hy_calibration_lap laps[HY_CALIBRATION_LAPS]);

#endif
