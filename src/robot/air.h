/// @file air.h
/// Private: faults on purpose between a robot and its link.
#ifndef HALYARD_ROBOT_AIR_H
#define HALYARD_ROBOT_AIR_H

#include <halyard/faults.h>
#include <halyard/link.h>

typedef struct hy_robot_air {
    hy_faults_spec spec;
    hy_faults to_robot, from_robot;
} hy_robot_air;

/// Sends what is due by now.
void robot_air_flush(hy_robot_air *self, hy_link *link, int64_t now_us);

/// When something that is held back is due; INT64_MAX if nothing is. `self` may be NULL.
int64_t robot_air_due_us(const hy_robot_air *self);

#endif
