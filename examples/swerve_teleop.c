// Drives the swerve robot, seen from the field: W A S D move it, the left and right arrows turn it. Standing, it locks its wheels.
//
//     build/halyard board teensy --view &
//     build/examples/swerve_teleop
#include <halyard/program.h>

#define SPEED_M_S  0.6
#define TURN_RAD_S 2.0
#define RISE_S     0.4 // from standing to full speed, so that the tyres hold
#define PERIOD_S   0.02

static hy_teensy robot;
static hy_swerve_drive drive;
static hy_key_pad pad;
static hy_slew_limiter ahead, left, turn;

static void start(void *context, int64_t now_us)
{
    (void)context;
    hy_teensy_swerve_drive_init(&drive, &robot, PERIOD_S);
    hy_slew_limiter_init(&ahead, 1.0 / RISE_S, -1.0 / RISE_S, 0.0, now_us);
    hy_slew_limiter_init(&left, 1.0 / RISE_S, -1.0 / RISE_S, 0.0, now_us);
    hy_slew_limiter_init(&turn, 1.0 / RISE_S, -1.0 / RISE_S, 0.0, now_us);
    hy_key_pad_release(&pad);
}

static void take_key(void *context, const hy_key_event *event, int64_t now_us)
{
    (void)context;
    hy_key_pad_feed(&pad, event, now_us);
}

static void follow_keys(void *context, int64_t now_us)
{
    (void)context;
    const hy_pad keys = hy_key_pad_read(&pad, now_us);
    const hy_chassis_speeds wanted = {
        .vx_m_s = SPEED_M_S * hy_slew_limiter_calculate(&ahead, keys.left_y, now_us),
        .vy_m_s = SPEED_M_S * hy_slew_limiter_calculate(&left, -keys.left_x, now_us),
        .omega_rad_s = TURN_RAD_S * hy_slew_limiter_calculate(&turn, -keys.right_x, now_us),
    };
    const bool stands = wanted.vx_m_s == 0.0 && wanted.vy_m_s == 0.0 && wanted.omega_rad_s == 0.0;
    if (stands) {
        hy_swerve_drive_x_lock(&drive, now_us);
    } else {
        const hy_rotation2d heading = hy_rotation2d_from_rad(robot.gyro.angle_rad[2]);
        hy_swerve_drive_field(&drive, wanted, heading, now_us);
    }
    hy_program_set_status("ahead %+.2f  left %+.2f m/s  turn %+.2f rad/s  battery %.1f V",
                          wanted.vx_m_s, wanted.vy_m_s, wanted.omega_rad_s, robot.battery_v);
}

int main(int argc, char **argv)
{
    const hy_program program = {
        .name = "swerve_teleop",
        .about = "drives a swerve robot: W A S D move it, the left and right arrows turn it",
        .robots = { { .teensy = &robot } },
        .loop = { .mode = { [HY_MODE_TELEOP] = { .init = start, .periodic = follow_keys } } },
        .key = take_key,
    };
    return hy_program_main(&program, argc, argv);
}
