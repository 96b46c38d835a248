// One robot of a run over a network: its link, its devices, and whether it is there at all.
#ifndef HALYARD_PROGRAM_NET_ROBOT_H
#define HALYARD_PROGRAM_NET_ROBOT_H

#include <halyard/program.h>
#include <halyard/robot.h>

#include "probe.h"

// All zero: not open.
typedef struct {
    hy_robot *link;
    const char *url;
    // Private.
    const hy_program_robot *robot;
    char url_here[32]; // on this computer
    uint64_t statuses_seen, restarts_seen;
    program_probe probe;
} program_net_robot;

// Connects to `wanted` (NULL: its own address, or this computer's), through the faults of the options. -1, or the exit status with which
// `program` ends, after a sentence.
int program_net_robot_open(program_net_robot *self, const hy_program *program,
                           const hy_program_robot *robot, const hy_program_options *options,
                           const char *wanted);
void program_net_robot_close(program_net_robot *self);

// How its link does.
hy_program_link program_net_robot_describe(const program_net_robot *self, int64_t now_us);

// What came since the last turn goes into the devices, in the order in which it came.
void program_net_robot_update(program_net_robot *self);

// What the devices say now is sent from now on, and is `command`; a robot that is not enabled is told to stand.
void program_net_robot_command(program_net_robot *self, bool is_enabled, int64_t now_us,
                               hy_wire_command *command);

// Sends and receives what is due. A probe tells whether a silent robot is there: without faults, which silence it, but not its answer.
void program_net_robot_poll(program_net_robot *self, bool probes, int64_t now_us);

#endif
