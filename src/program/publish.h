/// @file publish.h
/// Private: what a program over a network knows of its robots, in a log file: readings, commands, the link. Names are those of
/// sim_publish.h, so that one layout of AdvantageScope shows both.
#ifndef HALYARD_PROGRAM_PUBLISH_H
#define HALYARD_PROGRAM_PUBLISH_H

#include <halyard/program_run.h>
#include <halyard/record.h>
#include <halyard/robot.h>

typedef struct {
    hy_channel encoders, analogs, gyro_rate, gyro_angle, acceleration, button;
    hy_channel motors, enabled, rate, loss, age, faults_to, faults_from;
} program_robot_channels;

/// All zero: nothing is recorded, and program_publish() does nothing.
typedef struct {
    hy_record *file;
    hy_telemetry *telemetry;
    program_robot_channels robots[HY_PROGRAM_ROBOTS];
    hy_channel messages, enabled;
    hy_station_mode mode;
    int64_t start_us;
    char said[80]; // last
} program_publisher;

typedef struct {
    const hy_program *program;
    const hy_program_options *options;
    const hy_telemetry_sink *live; ///< That gets the same as the file; NULL: none.
    int64_t now_us;                ///< Time 0 of the file.
} program_publish_setup;

/// What enabling `program` means, as a driver station calls it.
hy_station_mode program_publish_mode(const hy_program *program);

/// Begins the file that the options name, and `live`; without both nothing is published. HY_OK, or a sentence in `error`.
hy_status program_publish_start(program_publisher *self, const program_publish_setup *setup,
                                hy_record_error *error);

/// Declares the channels of robot `index` of `count`.
void program_publish_robot(program_publisher *self, size_t index, size_t count,
                           const hy_robot *robot);

/// Once a loop: the time of all that the program puts from now on; what was said, and whether it is enabled.
void program_publish_loop(program_publisher *self, int64_t now_us, bool is_enabled, const char *said);

/// Once a loop for each robot: its newest status, and `command`, which goes to it.
void program_publish(program_publisher *self, size_t index, const hy_robot *robot,
                     const hy_wire_command *command);

/// Closes the file; HY_EFILE with a sentence if it is not complete.
hy_status program_publish_end(program_publisher *self, hy_record_error *error);

#endif
