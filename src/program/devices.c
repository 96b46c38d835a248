// From packets to devices and back: both sides have the units of the wire, so this only copies.
#include <halyard/program.h>

#include <string.h>

#include "note.h"

_Static_assert(HY_READINGS_ENCODERS == HY_WIRE_ENCODERS, "one reading an encoder");
_Static_assert(HY_READINGS_ANALOGS == HY_WIRE_ANALOGS, "one reading an analog input");

static hy_encoder_reading encoder_reading(const hy_wire_encoder *encoder)
{
    return (hy_encoder_reading){ .count = encoder->count,
                                 .period_num = encoder->period_num,
                                 .period_den = encoder->period_den,
                                 .has_period = encoder->has_period };
}

static hy_readings readings(const hy_wire_status *status, unsigned button_dio)
{
    const uint32_t digitals = status->dios & ~(UINT32_C(1) << button_dio);
    hy_readings out = {
        .encoders = status->encoders,
        .analogs = status->analogs,
        .has_gyro = status->has_gyro,
        .has_accel = status->has_accel,
        .has_button = (status->dios >> button_dio & 1) != 0,
        .button = (status->dio_levels >> button_dio & 1) != 0,
        .digitals = digitals,
        .digital_levels = status->dio_levels & digitals,
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

// A robot's devices, and what can be done with them.
typedef struct {
    const hy_device_class *of;
    void *devices;
} robot_devices;

static robot_devices devices_of(const hy_program_robot *robot)
{
    if (robot->devices != NULL) {
        return (robot_devices){ robot->of != NULL ? robot->of : robot->type->devices,
                                robot->devices };
    }
    return robot->xrp != NULL ? (robot_devices){ &hy_xrp_devices, robot->xrp }
                              : (robot_devices){ &hy_teensy_devices, robot->teensy };
}

const hy_device_class *hy_program_device_class(const hy_program_robot *robot)
{
    const robot_devices its = devices_of(robot);
    return its.devices != NULL ? its.of : NULL;
}

const hy_robot_type *hy_program_robot_type(const hy_program_robot *robot)
{
    const hy_device_class *const of = hy_program_device_class(robot);
    return of == NULL || robot->type != NULL ? robot->type : hy_robot_type_of_devices(of);
}

void hy_program_devices_init(const hy_program_robot *robot)
{
    const robot_devices its = devices_of(robot);
    its.of->init(its.devices);
}

void hy_program_devices_update(const hy_program_robot *robot, const hy_wire_status *status,
                               int64_t now_us)
{
    const robot_devices its = devices_of(robot);
    const hy_readings in = readings(status, its.of->button_dio);
    its.of->update(its.devices, &in, now_us);
}

void hy_program_devices_rebase(const hy_program_robot *robot)
{
    const robot_devices its = devices_of(robot);
    its.of->rebase(its.devices);
}

void hy_program_devices_stop(const hy_program_robot *robot, int64_t now_us)
{
    const robot_devices its = devices_of(robot);
    its.of->stop(its.devices, now_us);
}

void hy_program_devices_command(const hy_program_robot *robot, hy_wire_command *command,
                                int64_t now_us)
{
    const robot_devices its = devices_of(robot);
    hy_outputs out = { 0 };
    its.of->outputs(its.devices, &out, now_us);
    program_note_outputs(&out);
    command->dios = 1u << its.of->led_dio;
    command->dio_levels = (uint32_t)out.led << its.of->led_dio;
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
