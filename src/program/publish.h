/// @file publish.h
/// Private: what a program over a network knows of its robots, in a log file: readings, commands, the link. Names are those of
/// sim_publish.h, so that one layout of AdvantageScope shows both.
#ifndef HALYARD_PROGRAM_PUBLISH_H
#define HALYARD_PROGRAM_PUBLISH_H

#include <halyard/program.h>
#include <halyard/robot.h>

#include "host/host_record.h"

typedef struct {
    hy_channel encoders, analogs, gyro_rate, gyro_angle, acceleration, button;
    hy_channel motors, enabled, rate, loss, age, faults_to, faults_from;
} program_robot_channels;

/// All zero: nothing is published, and everything here does nothing.
typedef struct {
    hy_host_record *record;
    hy_telemetry *telemetry; // its
    program_robot_channels robots[HY_PROGRAM_ROBOTS];
    hy_channel enabled;
} program_publisher;

/// Publishes in `record`, which has begun.
void program_publish_start(program_publisher *self, hy_host_record *record);

/// Declares the channels of robot `index` of `count`.
void program_publish_robot(program_publisher *self, size_t index, size_t count,
                           const hy_robot *robot);

/// Once a loop: the time of all that the program puts from now on; what was said, and whether it is enabled.
void program_publish_loop(program_publisher *self, int64_t now_us, bool is_enabled, const char *said);

/// Once a loop for each robot: its newest status, and `command`, which goes to it.
void program_publish(program_publisher *self, size_t index, const hy_robot *robot,
                     const hy_wire_command *command);

#endif
