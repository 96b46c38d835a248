// From packets to devices and back: both sides have the units of the wire, so this only copies.
#include <halyard/robot_program.h>

#include <string.h>

// SPEC xrp-robot, teensy-robot: 1 while the user button is pressed; only 1 lights the LED.
#define DIO_BUTTON 0u
#define DIO_LED    1u

_Static_assert(HY_READINGS_ENCODERS == HY_WIRE_ENCODERS, "one reading an encoder");
_Static_assert(HY_READINGS_ANALOGS == HY_WIRE_ANALOGS, "one reading an analog input");

static hy_encoder_reading encoder_reading(const hy_wire_encoder *encoder)
{
    return (hy_encoder_reading){ .count = encoder->count,
                                 .period_num = encoder->period_num,
                                 .period_den = encoder->period_den,
                                 .has_period = encoder->has_period };
}

static hy_readings readings(const hy_wire_status *status)
{
    hy_readings out = {
        .encoders = status->encoders,
        .analogs = status->analogs,
        .has_gyro = status->has_gyro,
        .has_accel = status->has_accel,
        .has_button = (status->dios >> DIO_BUTTON & 1) != 0,
        .button = (status->dio_levels >> DIO_BUTTON & 1) != 0,
    };
    for (size_t i = 0; i < HY_READINGS_ENCODERS; i++) {
        out.encoder[i] = encoder_reading(&status->encoder[i]);
    }
    memcpy(out.gyro_rate_dps, status->gyro_rate_dps, sizeof out.gyro_rate_dps);
    memcpy(out.gyro_angle_deg, status->gyro_angle_deg, sizeof out.gyro_angle_deg);
    memcpy(out.accel_g, status->accel_g, sizeof out.accel_g);
    memcpy(out.analog_v, status->analog_v, sizeof out.analog_v);
    return out;
}

void hy_program_devices_init(const hy_program_robot *robot)
{
    if (robot->xrp != NULL) {
        hy_xrp_init(robot->xrp);
    } else {
        hy_teensy_init(robot->teensy);
    }
}

void hy_program_devices_update(const hy_program_robot *robot, const hy_wire_status *status,
                               int64_t now_us)
{
    const hy_readings in = readings(status);
    if (robot->xrp != NULL) {
        hy_xrp_update(robot->xrp, &in, now_us);
    } else {
        hy_teensy_update(robot->teensy, &in, now_us);
    }
}

void hy_program_devices_rebase(const hy_program_robot *robot)
{
    if (robot->xrp != NULL) {
        hy_xrp_rebase(robot->xrp);
    } else {
        hy_teensy_rebase(robot->teensy);
    }
}

void hy_program_devices_stop(const hy_program_robot *robot, int64_t now_us)
{
    hy_motor *const motors = robot->xrp != NULL ? robot->xrp->motor : robot->teensy->motor;
    const size_t count = robot->xrp != NULL ? HY_XRP_MOTORS : HY_TEENSY_MOTORS;
    for (size_t i = 0; i < count; i++) {
        hy_motor_stop(&motors[i], now_us);
    }
}

void hy_program_devices_command(const hy_program_robot *robot, hy_wire_command *command,
                                int64_t now_us)
{
    hy_outputs out;
    if (robot->xrp != NULL) {
        hy_xrp_outputs(robot->xrp, &out, now_us);
    } else {
        hy_teensy_outputs(robot->teensy, &out, now_us);
    }
    command->dios = 1u << DIO_LED;
    command->dio_levels = (uint32_t)out.led << DIO_LED;
    command->motors = out.motors;
    command->servos = out.servos;
    for (size_t i = 0; i < HY_WIRE_MOTORS; i++) {
        command->motor[i] = out.motor[i] + 0.0f; // a motor at rest is sent as 0, never as -0
    }
    memcpy(command->servo, out.servo, sizeof command->servo);
}

hy_mode hy_program_mode(const hy_program *program)
{
    static const hy_mode modes[] = { HY_MODE_TELEOP, HY_MODE_AUTONOMOUS, HY_MODE_TEST };
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        const hy_mode_calls *const calls = &program->loop.mode[modes[i]];
        if (calls->init != NULL || calls->periodic != NULL || calls->exit != NULL) {
            return modes[i];
        }
    }
    return HY_MODE_TELEOP;
}
