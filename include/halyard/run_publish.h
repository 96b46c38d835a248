/// @file run_publish.h
/// What a robot program is made of, as telemetry: its controllers, its drive, its commands and
/// where it believes to be, under the names that WPILib's classes have on a dashboard.
///
///     static void plot(hy_telemetry *telemetry, const hy_pid *steering, hy_pose2d here)
///     {
///         hy_publish_pid(telemetry, "steering", steering); // once a loop
///         hy_publish_field(telemetry, "Field", "Robot", here);
///     }
///
/// A robot program gets `telemetry` from hy_program_telemetry(). All functions put values at the
/// telemetry's time into channels /SmartDashboard/NAME/.., in the dialect of 2027
/// /Telemetry/NAME/.., which the first call declares. `name` has 1 to 150 bytes of UTF-8. NULL for
/// `telemetry`, or one without a sink, costs a comparison; otherwise O(channels) for each channel.
/// One thread at a time.
#ifndef HALYARD_RUN_PUBLISH_H
#define HALYARD_RUN_PUBLISH_H

#include <halyard/bot_commands.h>
#include <halyard/bot_control.h>
#include <halyard/bot_drive.h>
#include <halyard/bot_geometry.h>
#include <halyard/telemetry.h>

HY_API_BEGIN

/// Doubles "setpoint", "measurement", "error", "error derivative", "total error" and "output", in
/// the controller's own units.
void hy_publish_pid(hy_telemetry *telemetry, const char *name, const hy_pid *pid);

/// Doubles "Left Motor Speed" and "Right Motor Speed": the efforts of the two sides, [-1, +1].
void hy_publish_differential_drive(hy_telemetry *telemetry, const char *name,
                                   const hy_differential_drive *drive);

/// struct:SwerveModuleState[] "Measured" and "Wanted", in the order of the drive's modules, and
/// struct:ChassisSpeeds "Speeds", what the measured ones come to.
void hy_publish_swerve_drive(hy_telemetry *telemetry, const char *name,
                             const hy_swerve_drive *drive);

/// A command that has a name.
typedef struct {
    const char *name;
    const hy_command *command;
} hy_named_command;

#define HY_PUBLISH_COMMANDS 32 ///< Most of them that are published.

/// string[] "Names": those of `commands` that `scheduler` runs. Members of groups do not run by
/// themselves, so name the groups. O(commands).
void hy_publish_commands(hy_telemetry *telemetry, const char *name, const hy_scheduler *scheduler,
                         const hy_named_command *commands, size_t count);

/// A pose on a field, as WPILib's Field2d has it (double[]: metres, metres, degrees; in the dialect
/// of 2027 struct:Pose2d[] with one pose), which dashboards draw: `object` is "Robot", or "wanted",
/// or what else there is. hy_program_put_pose() puts one that AdvantageScope draws.
void hy_publish_field(hy_telemetry *telemetry, const char *name, const char *object,
                      hy_pose2d pose);

HY_API_END

#endif
