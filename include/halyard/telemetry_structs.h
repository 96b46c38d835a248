/// @file telemetry_structs.h
/// The structs of WPILib that viewers draw: poses on fields, swerve states in the swerve tab.
/// Names, members and their order are WPILib's (schemas of wpimath 2026); the members of the C
/// structs here say their units.
///
///     static void put_pose(hy_telemetry *telemetry)
///     {
///         const hy_channel_spec spec = {
///             .name = "/Robot/Pose", .kind = HY_CHANNEL_STRUCT, .type = &hy_struct_pose2d
///         };
///         const hy_channel pose = hy_telemetry_declare(telemetry, &spec); // once
///         hy_telemetry_put_struct(telemetry, pose, &(hy_telemetry_pose2d){ 1.0, 2.0, 0.5 });
///     }
#ifndef HALYARD_TELEMETRY_STRUCTS_H
#define HALYARD_TELEMETRY_STRUCTS_H

#include <halyard/telemetry.h>

HY_API_BEGIN

/// Translation3d.
typedef struct {
    double x_m, y_m, z_m;
} hy_telemetry_translation3d;

/// Quaternion, and Rotation3d, which holds one. (1, 0, 0, 0) is no rotation.
typedef struct {
    double w, x, y, z;
} hy_telemetry_rotation3d;

/// Pose2d, Transform2d.
typedef struct {
    double x_m, y_m, heading_rad;
} hy_telemetry_pose2d;

/// Pose3d, Transform3d.
typedef struct {
    hy_telemetry_translation3d translation;
    hy_telemetry_rotation3d rotation;
} hy_telemetry_pose3d;

/// Twist2d: a movement along an arc.
typedef struct {
    double dx_m, dy_m, dtheta_rad;
} hy_telemetry_twist2d;

/// Twist3d.
typedef struct {
    double dx_m, dy_m, dz_m, rx_rad, ry_rad, rz_rad;
} hy_telemetry_twist3d;

/// ChassisSpeeds, and ChassisVelocities, its name from WPILib 2027 on: x forward, y left.
typedef struct {
    double vx_m_s, vy_m_s, omega_rad_s;
} hy_telemetry_chassis_speeds;

/// SwerveModuleState, and SwerveModuleVelocity, its name from WPILib 2027 on.
typedef struct {
    double speed_m_s, angle_rad;
} hy_telemetry_swerve_state;

/// SwerveModulePosition.
typedef struct {
    double distance_m, angle_rad;
} hy_telemetry_swerve_position;

/// DifferentialDriveWheelSpeeds.
typedef struct {
    double left_m_s, right_m_s;
} hy_telemetry_wheel_speeds;

/// ControlWord, of WPILib 2027: bits of one number, from the lowest one on as its schema says.
typedef struct {
    uint64_t bits;
} hy_telemetry_control_word;

extern const hy_struct_type hy_struct_control_word;           ///< hy_telemetry_control_word
extern const hy_struct_type hy_struct_translation2d;          ///< hy_point
extern const hy_struct_type hy_struct_translation3d;          ///< hy_telemetry_translation3d
extern const hy_struct_type hy_struct_rotation2d;             ///< a double, radians
extern const hy_struct_type hy_struct_quaternion;             ///< hy_telemetry_rotation3d
extern const hy_struct_type hy_struct_rotation3d;             ///< hy_telemetry_rotation3d
extern const hy_struct_type hy_struct_pose2d;                 ///< hy_telemetry_pose2d
extern const hy_struct_type hy_struct_transform2d;            ///< hy_telemetry_pose2d
extern const hy_struct_type hy_struct_pose3d;                 ///< hy_telemetry_pose3d
extern const hy_struct_type hy_struct_transform3d;            ///< hy_telemetry_pose3d
extern const hy_struct_type hy_struct_twist2d;                ///< hy_telemetry_twist2d
extern const hy_struct_type hy_struct_twist3d;                ///< hy_telemetry_twist3d
extern const hy_struct_type hy_struct_chassis_speeds;         ///< hy_telemetry_chassis_speeds
extern const hy_struct_type hy_struct_chassis_velocities;     ///< hy_telemetry_chassis_speeds
extern const hy_struct_type hy_struct_swerve_module_state;    ///< hy_telemetry_swerve_state
extern const hy_struct_type hy_struct_swerve_module_velocity; ///< hy_telemetry_swerve_state
extern const hy_struct_type hy_struct_swerve_module_position; ///< hy_telemetry_swerve_position
extern const hy_struct_type
    hy_struct_differential_drive_wheel_speeds; ///< hy_telemetry_wheel_speeds

HY_API_END

#endif
