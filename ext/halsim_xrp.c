// The XRP as WPILib's vendor classes know it. Takes the place of WPILib's own libhalsim_xrp.
#include <halyard/halsim.h>
#include <halyard/wire.h>

static const hy_halsim_output outputs[] = {
    { "XRPMotor:motorL", HY_WIRE_MOTOR, 0 }, { "XRPMotor:motorR", HY_WIRE_MOTOR, 1 },
    { "XRPMotor:motor3", HY_WIRE_MOTOR, 2 }, { "XRPMotor:motor4", HY_WIRE_MOTOR, 3 },
    { "XRPServo:servo1", HY_WIRE_SERVO, 0 }, { "XRPServo:servo2", HY_WIRE_SERVO, 1 },
    { "XRPServo:servo3", HY_WIRE_SERVO, 2 }, { "XRPServo:servo4", HY_WIRE_SERVO, 3 },
};

static const hy_halsim_board xrp = {
    .name = "halsim_xrp",
    .host_variable = "HALSIMXRP_HOST",
    .port_variable = "HALSIMXRP_PORT",
    .dialect = &hy_dialect_xrp,
    .outputs = outputs,
    .output_count = sizeof outputs / sizeof outputs[0],
    .servos_always = 0x03, // the beta board has two, and WPILib has always sent these
    .encoder_first_dio = 4,
};

HY_HALSIM_EXPORT int HALSIM_InitExtension(void);

int HALSIM_InitExtension(void)
{
    return hy_halsim_load(&xrp);
}
