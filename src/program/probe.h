/// @file probe.h
/// Private: whether a robot that sends us nothing answers a probe. Then it is there, and another program drives it.
#ifndef HALYARD_PROGRAM_PROBE_H
#define HALYARD_PROGRAM_PROBE_H

#include <halyard/robot.h>

/// All zero before the first call.
typedef struct {
    // Private.
    hy_link link; // a port of its own: the answer must not count as a status for the program
    hy_endpoint to;
    int64_t silent_since_us, asked_us, answered_us;
} program_probe;

/// Sends a probe (one byte, which no robot takes for a command) when `robot` has been silent for a while, and takes in answers.
/// To be called every turn; opens a socket when the first probe is due, and closes it when the robot answers the program.
void program_probe_poll(program_probe *self, const hy_robot *robot, int64_t now_us);

/// True if the robot answered a probe lately, but not the program.
bool program_probe_is_answered(const program_probe *self, int64_t now_us);

void program_probe_close(program_probe *self);

#endif
