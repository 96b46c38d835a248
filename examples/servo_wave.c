// Servo 1 waves: from one end to the other and back in four seconds.
//
//     build/halyard board xrp --view &
//     build/examples/servo_wave
#include <halyard/program.h>

#define PERIOD_S 4.0
#define REACH    0.9 // share of the way to each end: servos hum at their ends

static hy_xrp xrp;
static int64_t start_us;

static void start(void *context, int64_t now_us)
{
    (void)context;
    start_us = now_us;
}

static void wave(void *context, int64_t now_us)
{
    (void)context;
    const double t_s = (double)(now_us - start_us) * 1e-6;
    const double middle = HY_PI / 2;
    hy_servo_set_angle(&xrp.servo[0], middle + middle * REACH * hy_sin(2.0 * HY_PI * t_s / PERIOD_S));
    hy_program_set_status("servo at %.0f degrees", hy_servo_angle_rad(&xrp.servo[0]) * 180.0 / HY_PI);
}

int main(int argc, char **argv)
{
    const hy_program program = {
        .name = "servo_wave",
        .about = "waves with servo 1",
        .robots = { { .xrp = &xrp } },
        .loop = { .mode = { [HY_MODE_TELEOP] = { .init = start, .periodic = wave } } },
    };
    return hy_program_main(&program, argc, argv);
}
