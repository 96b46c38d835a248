// The swerve robot drives an S by itself while it turns to the left by a quarter: a trajectory, odometry, and a controller between them.
//
//     build/halyard board teensy --view &
//     build/examples/swerve_auto
#include <halyard/program.h>

#define SPEED_M_S 0.5
#define PERIOD_S  0.02
#define STATES    200

static hy_teensy robot;
static hy_swerve_drive drive;
static hy_swerve_odometry odometry;
static hy_trajectory_state states[STATES];
static hy_trajectory way;
static hy_holonomic follower;
static int64_t start_us;

static void make_follower(void)
{
    hy_pid x, y;
    hy_profiled_pid theta;
    hy_pid_init(&x, (hy_pid_gains){ 2.0, 0.0, 0.0 }, PERIOD_S);
    hy_pid_init(&y, (hy_pid_gains){ 2.0, 0.0, 0.0 }, PERIOD_S);
    hy_profiled_pid_init(&theta, (hy_pid_gains){ 3.0, 0.0, 0.0 },
                         (hy_profile_constraints){ 1.5, 3.0 }, PERIOD_S);
    hy_holonomic_init(&follower, &x, &y, &theta);
}

static void start(void *context, int64_t now_us)
{
    (void)context;
    // Where it starts is the origin, and it looks along x.
    const hy_pose2d points[] = { hy_pose2d_at(0.0, 0.0, 0.0), hy_pose2d_at(1.0, 0.6, HY_PI / 2),
                                 hy_pose2d_at(1.8, 1.2, 0.0) };
    const hy_trajectory_config limits = { .max_velocity_m_s = SPEED_M_S,
                                          .max_acceleration_m_s2 = 0.6,
                                          .max_centripetal_m_s2 = 0.6 };
    hy_swerve_position wheels[HY_TEENSY_MODULES];
    hy_trajectory_init(&way, states, STATES);
    hy_trajectory_generate(&way, points, sizeof points / sizeof points[0], &limits);
    hy_teensy_swerve_drive_init(&drive, &robot, PERIOD_S);
    hy_swerve_drive_positions(&drive, wheels);
    hy_swerve_odometry_start(&odometry, &drive.config.kinematics, robot.gyro.angle_rad[2], wheels,
                             HY_POSE2D_ORIGIN);
    make_follower();
    start_us = now_us;
}

static void follow(void *context, int64_t now_us)
{
    (void)context;
    hy_swerve_position wheels[HY_TEENSY_MODULES];
    hy_swerve_drive_positions(&drive, wheels);
    hy_swerve_odometry_update(&odometry, robot.gyro.angle_rad[2], wheels);
    const double t_s = (double)(now_us - start_us) * 1e-6;
    const hy_trajectory_state wanted = hy_trajectory_sample(&way, t_s);
    const hy_rotation2d look = hy_rotation2d_from_rad(HY_PI / 2);
    if (t_s > way.total_s + 1.0) {
        hy_swerve_drive_x_lock(&drive, now_us);
        hy_program_set_status("arrived");
        return;
    }
    const hy_pose2d here = odometry.odometry.pose;
    hy_swerve_drive_robot(&drive, hy_holonomic_calculate(&follower, here, &wanted, look), now_us);
    hy_program_put_pose("odometry", here); // in the log of a run with --record
    hy_program_put_pose("wanted", wanted.pose);
    hy_publish_swerve_drive(hy_program_telemetry(), "drive", &drive);
    hy_program_set_status("at (%.3f, %.3f) m, should be at (%.3f, %.3f)", here.translation.x_m,
                          here.translation.y_m, wanted.pose.translation.x_m,
                          wanted.pose.translation.y_m);
}

int main(int argc, char **argv)
{
    const hy_program program = {
        .name = "swerve_auto",
        .about = "drives an S by itself",
        .robots = { { .teensy = &robot } },
        .loop = { .mode = { [HY_MODE_AUTONOMOUS] = { .init = start, .periodic = follow } } },
    };
    return hy_program_main(&program, argc, argv);
}
