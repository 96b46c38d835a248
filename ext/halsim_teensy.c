// The Teensy swerve robot: four modules of a drive and an azimuth motor, an encoder on each.
#include <halyard/halsim.h>
#include <halyard/wire.h>

static const hy_halsim_output outputs[] = {
    { "TeensyMotor:frontLeftDrive", HY_WIRE_MOTOR, 0 },
    { "TeensyMotor:frontLeftAzimuth", HY_WIRE_MOTOR, 1 },
    { "TeensyMotor:rearLeftDrive", HY_WIRE_MOTOR, 2 },
    { "TeensyMotor:rearLeftAzimuth", HY_WIRE_MOTOR, 3 },
    { "TeensyMotor:rearRightDrive", HY_WIRE_MOTOR, 4 },
    { "TeensyMotor:rearRightAzimuth", HY_WIRE_MOTOR, 5 },
    { "TeensyMotor:frontRightDrive", HY_WIRE_MOTOR, 6 },
    { "TeensyMotor:frontRightAzimuth", HY_WIRE_MOTOR, 7 },
};

static const hy_halsim_board teensy = {
    .name = "halsim_teensy",
    .host_variable = "HALSIMTEENSY_HOST",
    .port_variable = "HALSIMTEENSY_PORT",
    .dialect = &hy_dialect_teensy,
    .outputs = outputs,
    .output_count = sizeof outputs / sizeof outputs[0],
    .encoder_first_dio = 4,
};

HY_HALSIM_EXPORT int HALSIM_InitExtension(void);

int HALSIM_InitExtension(void)
{
    return hy_halsim_load(&teensy);
}
