// An XRP drives a curved way through three points, on time: a trajectory, odometry and Ramsete between them.
//
//     build/halyard board xrp --world xrp-open --view &
//     build/examples/trajectory
#include <halyard/program.h>

#define SPEED_M_S      0.15
#define PERIOD_S       0.02
#define STATES         200
#define START_TO_MOVE  0.22 // effort at which a wheel begins to turn
#define EFFORT_PER_M_S 0.7  // and what it takes for more

static hy_xrp xrp;
static hy_differential_kinematics track;
static hy_differential_odometry odometry;
static hy_trajectory_state states[STATES];
static hy_trajectory way;
static hy_ramsete ramsete;
static hy_pid wheel[2];
static int64_t start_us;

static hy_wheel_distances wheels(void)
{
    return (hy_wheel_distances){ xrp.encoder[0].distance, xrp.encoder[1].distance };
}

static void start(void *context, int64_t now_us)
{
    (void)context;
    // Where it starts is the origin, and it looks along x.
    const hy_pose2d points[] = { hy_pose2d_at(0.0, 0.0, 0.0), hy_pose2d_at(0.6, 0.3, HY_PI / 2),
                                 hy_pose2d_at(0.0, 0.6, HY_PI) };
    hy_differential_kinematics_init(&track, HY_XRP_TRACK_M);
    const hy_trajectory_config limits = { .max_velocity_m_s = SPEED_M_S,
                                          .max_acceleration_m_s2 = 0.2,
                                          .differential = &track };
    hy_trajectory_init(&way, states, STATES);
    hy_trajectory_generate(&way, points, sizeof points / sizeof points[0], &limits);
    hy_differential_odometry_start(&odometry, &track, xrp.gyro.angle_rad[2], wheels(),
                                   HY_POSE2D_ORIGIN);
    hy_ramsete_init(&ramsete, 20.0, 0.7); // a small robot has to be quicker than WPILib's 2.0
    for (int side = 0; side < 2; side++) {
        hy_pid_init(&wheel[side], (hy_pid_gains){ 1.0, 2.0, 0.0 }, PERIOD_S);
    }
    start_us = now_us;
}

// The effort that turns a wheel at `speed_m_s`: what it needs by itself, and what the encoder says is missing.
static void turn_wheel(int side, double speed_m_s, int64_t now_us)
{
    const double still = speed_m_s > 0.0 ? START_TO_MOVE : speed_m_s < 0.0 ? -START_TO_MOVE : 0.0;
    const double missing = hy_pid_calculate_to(&wheel[side], xrp.encoder[side].rate, speed_m_s);
    hy_motor_set(&xrp.motor[side], still + EFFORT_PER_M_S * speed_m_s + missing, now_us);
}

static void follow(void *context, int64_t now_us)
{
    (void)context;
    hy_differential_odometry_update(&odometry, xrp.gyro.angle_rad[2], wheels());
    const double t_s = (double)(now_us - start_us) * 1e-6;
    if (t_s > way.total_s) {
        hy_program_set_status("arrived");
        return; // a motor that nobody sets stands
    }
    const hy_trajectory_state wanted = hy_trajectory_sample(&way, t_s);
    const hy_pose2d here = odometry.odometry.pose;
    const hy_wheel_speeds speeds =
        hy_differential_to_wheels(&track, hy_ramsete_calculate(&ramsete, here, &wanted));
    turn_wheel(0, speeds.left_m_s, now_us);
    turn_wheel(1, speeds.right_m_s, now_us);
    hy_program_put_pose("odometry", here); // in the log of a run with --record
    hy_program_put_pose("wanted", wanted.pose);
    hy_publish_pid(hy_program_telemetry(), "left wheel", &wheel[0]);
    hy_publish_pid(hy_program_telemetry(), "right wheel", &wheel[1]);
    hy_program_set_status("at (%.3f, %.3f) m, should be at (%.3f, %.3f)", here.translation.x_m,
                          here.translation.y_m, wanted.pose.translation.x_m,
                          wanted.pose.translation.y_m);
}

int main(int argc, char **argv)
{
    const hy_program program = {
        .name = "trajectory",
        .about = "drives a curved way on time",
        .robots = { { .xrp = &xrp } },
        .loop = { .mode = { [HY_MODE_AUTONOMOUS] = { .init = start, .periodic = follow } } },
    };
    return hy_program_main(&program, argc, argv);
}
