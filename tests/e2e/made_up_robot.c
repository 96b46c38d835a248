// A robot that nobody has: what has to be written to add one, and no line more (halyard/robots.h). It rolls on an XRP's body,
// its motors are the other way round, and its packets are its own.
#include <halyard/board.h>
#include <halyard/robots.h>

#include "codec.h"

// --------------------------------------------------------------------------- its dialect

// clang-format off
#define BLOCKS(X)           \
    X(motor,   0x41, 2)     \
    X(servo,   0,    0)     \
    X(dio,     0x43, 8)     \
    X(analog,  0x44, 1)     \
    X(gyro,    0x45, 1)     \
    X(accel,   0,    0)     \
    X(encoder, 0x47, 2)
// clang-format on

enum { BLOCKS(LAYOUT_ENUM) };

static const layout rover = { BLOCKS(LAYOUT_FIELD) };

static const char *const motor_names[channels_motor] = { "Right", "Left" };
static const char *const dio_names[channels_dio] = { NULL };
static const char *const analog_names[channels_analog] = { "Sonar" };
static const char *const encoder_names[channels_encoder] = { "Left Wheel", "Right Wheel" };

hy_wire_report hy_rover_command_decode(hy_bytes datagram, hy_wire_command *out);
hy_wire_report hy_rover_status_decode(hy_bytes datagram, hy_wire_status *out);
size_t hy_rover_command_encode(const hy_wire_command *command, hy_room room);
size_t hy_rover_status_encode(const hy_wire_status *status, hy_room room);

static const hy_dialect rover_dialect = {
    .name = "rover",
    .tag = {
        [HY_WIRE_MOTOR] = tag_motor,
        [HY_WIRE_DIO] = tag_dio,
        [HY_WIRE_ANALOG] = tag_analog,
        [HY_WIRE_GYRO] = tag_gyro,
        [HY_WIRE_ENCODER] = tag_encoder,
    },
    .motors = channels_motor,
    .dios = channels_dio,
    .analogs = channels_analog,
    .encoders = channels_encoder,
    .motor_names = motor_names,
    .dio_names = dio_names,
    .analog_names = analog_names,
    .encoder_names = encoder_names,
    .command_decode = hy_rover_command_decode,
    .status_decode = hy_rover_status_decode,
    .command_encode = hy_rover_command_encode,
    .status_encode = hy_rover_status_encode,
};

DIALECT_CODECS(rover)

hy_wire_report hy_rover_status_decode(hy_bytes datagram, hy_wire_status *out)
{
    return status_decode(&rover, datagram, out);
}

// --------------------------------------------------------------------------- its board

typedef struct {
    double turn_rate_rad_s, turned_rad, range_m;
} rover_state;

static void move(hy_board *self, const hy_wire_value *v)
{
    double *const duty = hy_board_outputs(self)->motor_duty;
    const double effort = hy_clamp((double)v->value, -1.0, 1.0, 0.0);
    if (v->kind == HY_WIRE_MOTOR && v->id == 0) {
        duty[1] = -effort; // the body's right motor goes forward with a negative duty
    } else if (v->kind == HY_WIRE_MOTOR && v->id == 1) {
        duty[0] = effort;
    }
}

static void sense(hy_board *self, const hy_sensors *sensors, int64_t now_us)
{
    (void)now_us;
    *(rover_state *)hy_board_own(self) =
        (rover_state){ sensors->gyro_rate_rad_s[2], sensors->gyro_angle_rad[2], sensors->range_m };
}

static void report(const hy_board *self, hy_wire_status *status)
{
    const rover_state *const own = hy_board_own_const(self);
    status->has_gyro = true;
    status->gyro_rate_dps[2] = (float)hy_deg_from_rad(own->turn_rate_rad_s);
    status->gyro_angle_deg[2] = (float)hy_deg_from_rad(own->turned_rad);
    status->analogs = 1;
    status->analog_v[0] = (float)own->range_m;
}

static const hy_board_kind rover_board = {
    .dialect = &rover_dialect,
    .status_period_us = 25000,
    .encoder_hz = 1000000,
    .turned_encoders = 1U << 0,
    .button_dio = 2,
    .led_dio = 5,
    .state_size = sizeof(rover_state),
    .move = move,
    .sense = sense,
    .report = report,
};

// --------------------------------------------------------------------------- its row

static const hy_robot_variant rover_variants[] = {
    { .name = "prod", .board = &rover_board, .vehicle = "xrp" },
};

static const hy_robot_wheels rover_wheels = {
    .left_motor = 1,
    .right_motor = 0,
    .left_encoder = 0,
    .right_encoder = 1,
    .m_per_count = HY_XRP_M_PER_COUNT,
    .track_m = HY_XRP_TRACK_M,
    .has_range = true,
    .range_analog = 0,
    .range_m_per_v = 1.0,
};

const hy_robot_type hy_extra_robots[] = {
    {
        .name = "rover",
        .title = "Rover",
        .dialect = &rover_dialect,
        .variants = rover_variants,
        .variant_count = 1,
        .world = "xrp-arena",
        .wheels = &rover_wheels,
    },
};

const size_t hy_extra_robot_count = 1;
