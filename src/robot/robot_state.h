/// @file robot_state.h
/// What a connection to a robot is made of.
#ifndef HALYARD_ROBOT_ROBOT_STATE_H
#define HALYARD_ROBOT_ROBOT_STATE_H

#include <halyard/robot.h>

#define HY_ROBOT_WINDOW    64      ///< Statuses over which rate and loss are measured, at most ...
#define HY_ROBOT_WINDOW_US 2000000 ///< ... and not older than this.

/// How far a robot is when the program is to be suspended.
typedef enum {
    HY_ROBOT_RUNS,
    HY_ROBOT_STOPS,
    HY_ROBOT_HAS_STOPPED,
} hy_robot_suspension;

struct hy_robot {
    const hy_dialect *dialect;
    hy_wire_status status;
    int64_t status_us;
    hy_robot_counters counters;
    hy_endpoint address;
    hy_link link;
    hy_peer peer; ///< Its gate counts what was lost on the way here; its `restarts` those of the robot.
    int64_t send_due_us, polled_us, address_since_us, opened_us;
    bool emergency_stopped;
    bool is_missed; ///< That nobody answers was said.
    hy_endpoint addresses[HY_ROBOT_ADDRESSES];
    size_t address_count, address_index;
    struct {
        int64_t at_us;
        uint64_t lost;
    } window[HY_ROBOT_WINDOW];
    struct hy_robot *next_open;
    hy_robot_suspension suspension;
    struct hy_robot_air *air; ///< NULL without faults.
};

#endif
