/// @file exchange.h
/// The datagrams between a program and its robot.
#ifndef HALYARD_ROBOT_EXCHANGE_H
#define HALYARD_ROBOT_EXCHANGE_H

#include "robot_state.h"

/// Speaks to the address `index` from now on, or to the first one behind it that the system can speak to.
hy_status hy_robot_use_address(hy_robot *self, size_t index, int64_t now_us);

/// hy_robot_poll() without what SIGTSTP asks for.
void hy_robot_exchange(hy_robot *self, int64_t now_us);

#endif
