/// @file ending.h
/// Every way out of a program stops its robots.
#ifndef HALYARD_ROBOT_ENDING_H
#define HALYARD_ROBOT_ENDING_H

#include "robot_state.h"

/// From now on the end of the program stops `robot` first. HY_ESYSTEM if the system takes no exit handler.
hy_status hy_ending_add(hy_robot *robot);

/// Lets the stop of a disabled robot run out, at most about 100 ms, and forgets the robot. With the last one the
/// signals are the system's again.
void hy_ending_remove(hy_robot *robot);

/// Once SIGTSTP has asked for it: stops `self`, and suspends the process when all robots have stopped, which takes
/// more than one call. Then it returns when the process goes on.
void hy_ending_suspend(hy_robot *self, int64_t now_us);

#endif
