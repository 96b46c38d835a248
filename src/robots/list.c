// The robots. One row a type; a row of another file: CMake's HALYARD_EXTRA_ROBOTS.
#include "list.h"

#include <halyard/wire.h>

static const hy_robot_variant xrp_variants[] = {
    // A DRV8411A of which the firmware drives one input: the off-phase disconnects the motor.
    { .name = "prod", .board = &hy_board_xrp, .vehicle = "xrp", .coasts = true, .pwm_hz = 1000 },
    // A DRV8835 in phase/enable mode: the off-phase shorts the motor.
    { .name = "beta", .board = &hy_board_xrp_beta, .vehicle = "xrp", .pwm_hz = 1000 },
};

static const hy_robot_wheels xrp_wheels = {
    .left_motor = 0,
    .right_motor = 1,
    .left_encoder = 0,
    .right_encoder = 1,
    .right_is_inverted = true, // it is mounted the other way round
    .m_per_count = HY_XRP_M_PER_COUNT,
    .track_m = HY_XRP_TRACK_M,
    .has_range = true,
    .range_analog = 2,
    .range_m_per_v = 4.0 / 5.0, // SPEC xrp-robot: 0..5 V for 0..4 m
};

static const hy_robot_variant teensy_variants[] = {
    { .name = "prod", .board = &hy_board_teensy, .vehicle = "swerve" },
};

const hy_robot_type robots_list[] = {
    {
        .name = "xrp",
        .title = "XRP",
        .dialect = &hy_dialect_xrp,
        .variants = xrp_variants,
        .variant_count = sizeof xrp_variants / sizeof xrp_variants[0],
        .world = "xrp-arena",
        .devices = &hy_xrp_devices,
        .wheels = &xrp_wheels,
        .test_motors = 0x03, // with equal efforts: the right motor is mounted the other way round
        .test_encoder = 0,
        .old_firmware_advice = "Its firmware is 1.0.1 or older: encoders have no rate. WPILib's "
                               "pages on the XRP say how "
                               "to update it.",
    },
    {
        .name = "teensy",
        .title = "Teensy",
        .dialect = &hy_dialect_teensy,
        .variants = teensy_variants,
        .variant_count = sizeof teensy_variants / sizeof teensy_variants[0],
        .world = "teensy-field",
        .devices = &hy_teensy_devices,
        .test_motors = 0xAA, // the modules turn, their wheels stand
        .test_encoder = 1,
    },
};

const size_t robots_list_count = sizeof robots_list / sizeof robots_list[0];
