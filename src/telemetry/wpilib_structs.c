// WPILib's structs. Schemas: wpimath 2026, edu/wpi/first/math/*/struct, and 2027 for the two new names.
#include <halyard/telemetry.h>

#define FIELD_DOUBLE(c_struct, member, name)                       \
    {                                                              \
        name, HY_FIELD_DOUBLE, offsetof(c_struct, member), 0, NULL \
    }
#define FIELD_STRUCT(place, struct_type, name)          \
    {                                                   \
        name, HY_FIELD_STRUCT, place, 0, &(struct_type) \
    }
#define TYPE(name, fields, c_struct)                                         \
    {                                                                        \
        name, fields, sizeof(fields) / sizeof((fields)[0]), sizeof(c_struct) \
    }

// --------------------------------------------------------------------------- places

static const hy_struct_field translation2d_fields[] = {
    FIELD_DOUBLE(hy_point, x_m, "x"),
    FIELD_DOUBLE(hy_point, y_m, "y"),
};
const hy_struct_type hy_struct_translation2d = TYPE("Translation2d", translation2d_fields, hy_point);

static const hy_struct_field translation3d_fields[] = {
    FIELD_DOUBLE(hy_telemetry_translation3d, x_m, "x"),
    FIELD_DOUBLE(hy_telemetry_translation3d, y_m, "y"),
    FIELD_DOUBLE(hy_telemetry_translation3d, z_m, "z"),
};
const hy_struct_type hy_struct_translation3d =
    TYPE("Translation3d", translation3d_fields, hy_telemetry_translation3d);

static const hy_struct_field rotation2d_fields[] = { { "value", HY_FIELD_DOUBLE, 0, 0, NULL } };
const hy_struct_type hy_struct_rotation2d = TYPE("Rotation2d", rotation2d_fields, double);

static const hy_struct_field quaternion_fields[] = {
    FIELD_DOUBLE(hy_telemetry_rotation3d, w, "w"),
    FIELD_DOUBLE(hy_telemetry_rotation3d, x, "x"),
    FIELD_DOUBLE(hy_telemetry_rotation3d, y, "y"),
    FIELD_DOUBLE(hy_telemetry_rotation3d, z, "z"),
};
const hy_struct_type hy_struct_quaternion =
    TYPE("Quaternion", quaternion_fields, hy_telemetry_rotation3d);

static const hy_struct_field rotation3d_fields[] = { FIELD_STRUCT(0, hy_struct_quaternion, "q") };
const hy_struct_type hy_struct_rotation3d =
    TYPE("Rotation3d", rotation3d_fields, hy_telemetry_rotation3d);

static const hy_struct_field pose2d_fields[] = {
    FIELD_STRUCT(offsetof(hy_telemetry_pose2d, x_m), hy_struct_translation2d, "translation"),
    FIELD_STRUCT(offsetof(hy_telemetry_pose2d, heading_rad), hy_struct_rotation2d, "rotation"),
};
const hy_struct_type hy_struct_pose2d = TYPE("Pose2d", pose2d_fields, hy_telemetry_pose2d);
const hy_struct_type hy_struct_transform2d = TYPE("Transform2d", pose2d_fields, hy_telemetry_pose2d);

static const hy_struct_field pose3d_fields[] = {
    FIELD_STRUCT(offsetof(hy_telemetry_pose3d, translation), hy_struct_translation3d, "translation"),
    FIELD_STRUCT(offsetof(hy_telemetry_pose3d, rotation), hy_struct_rotation3d, "rotation"),
};
const hy_struct_type hy_struct_pose3d = TYPE("Pose3d", pose3d_fields, hy_telemetry_pose3d);
const hy_struct_type hy_struct_transform3d = TYPE("Transform3d", pose3d_fields, hy_telemetry_pose3d);

// --------------------------------------------------------------------------- movements

static const hy_struct_field twist2d_fields[] = {
    FIELD_DOUBLE(hy_telemetry_twist2d, dx_m, "dx"),
    FIELD_DOUBLE(hy_telemetry_twist2d, dy_m, "dy"),
    FIELD_DOUBLE(hy_telemetry_twist2d, dtheta_rad, "dtheta"),
};
const hy_struct_type hy_struct_twist2d = TYPE("Twist2d", twist2d_fields, hy_telemetry_twist2d);

static const hy_struct_field twist3d_fields[] = {
    FIELD_DOUBLE(hy_telemetry_twist3d, dx_m, "dx"),
    FIELD_DOUBLE(hy_telemetry_twist3d, dy_m, "dy"),
    FIELD_DOUBLE(hy_telemetry_twist3d, dz_m, "dz"),
    FIELD_DOUBLE(hy_telemetry_twist3d, rx_rad, "rx"),
    FIELD_DOUBLE(hy_telemetry_twist3d, ry_rad, "ry"),
    FIELD_DOUBLE(hy_telemetry_twist3d, rz_rad, "rz"),
};
const hy_struct_type hy_struct_twist3d = TYPE("Twist3d", twist3d_fields, hy_telemetry_twist3d);

static const hy_struct_field chassis_fields[] = {
    FIELD_DOUBLE(hy_telemetry_chassis_speeds, vx_m_s, "vx"),
    FIELD_DOUBLE(hy_telemetry_chassis_speeds, vy_m_s, "vy"),
    FIELD_DOUBLE(hy_telemetry_chassis_speeds, omega_rad_s, "omega"),
};
const hy_struct_type hy_struct_chassis_speeds =
    TYPE("ChassisSpeeds", chassis_fields, hy_telemetry_chassis_speeds);
const hy_struct_type hy_struct_chassis_velocities =
    TYPE("ChassisVelocities", chassis_fields, hy_telemetry_chassis_speeds);

// --------------------------------------------------------------------------- wheels

static const hy_struct_field module_state_fields[] = {
    FIELD_DOUBLE(hy_telemetry_swerve_state, speed_m_s, "speed"),
    FIELD_STRUCT(offsetof(hy_telemetry_swerve_state, angle_rad), hy_struct_rotation2d, "angle"),
};
const hy_struct_type hy_struct_swerve_module_state =
    TYPE("SwerveModuleState", module_state_fields, hy_telemetry_swerve_state);

static const hy_struct_field module_velocity_fields[] = {
    FIELD_DOUBLE(hy_telemetry_swerve_state, speed_m_s, "velocity"),
    FIELD_STRUCT(offsetof(hy_telemetry_swerve_state, angle_rad), hy_struct_rotation2d, "angle"),
};
const hy_struct_type hy_struct_swerve_module_velocity =
    TYPE("SwerveModuleVelocity", module_velocity_fields, hy_telemetry_swerve_state);

static const hy_struct_field module_position_fields[] = {
    FIELD_DOUBLE(hy_telemetry_swerve_position, distance_m, "distance"),
    FIELD_STRUCT(offsetof(hy_telemetry_swerve_position, angle_rad), hy_struct_rotation2d, "angle"),
};
const hy_struct_type hy_struct_swerve_module_position =
    TYPE("SwerveModulePosition", module_position_fields, hy_telemetry_swerve_position);

static const hy_struct_field wheel_speeds_fields[] = {
    FIELD_DOUBLE(hy_telemetry_wheel_speeds, left_m_s, "left"),
    FIELD_DOUBLE(hy_telemetry_wheel_speeds, right_m_s, "right"),
};
const hy_struct_type hy_struct_differential_drive_wheel_speeds =
    TYPE("DifferentialDriveWheelSpeeds", wheel_speeds_fields, hy_telemetry_wheel_speeds);

// --------------------------------------------------------------------------- driver station

// One number for the packed form; its name makes the schema say which bits of it are what.
static const hy_struct_field control_word_fields[] = {
    { "opModeHash:56;"
      "enum{unknown=0,autonomous=1,teleoperated=2,utility=3}uint64 robotMode:2;"
      "bool enabled:1;bool eStop:1;bool fmsAttached:1;bool dsAttached:1",
      HY_FIELD_UINT64, offsetof(hy_telemetry_control_word, bits), 0, NULL },
};
const hy_struct_type hy_struct_control_word =
    TYPE("ControlWord", control_word_fields, hy_telemetry_control_word);
