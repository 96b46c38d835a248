// Whatever comes in, only numbers in range go out: readings, sticks, speeds and settings of random bits, among which NaN,
// infinities and numbers of every size are frequent.
#include "bot_checks.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS 40000

static double wild(hy_random *random)
{
    const double tame = 4.0 * hy_random_unit(random) - 2.0;
    double any;
    const uint64_t bits = hy_random_bits(random);
    memcpy(&any, &bits, sizeof any);
    switch (hy_random_below(random, 8)) {
    case 0: return bot_not_finite[hy_random_below(random, 3)];
    case 1: return any;
    case 2: return tame * 1e300;
    default: return tame;
    }
}

static float wild_float(hy_random *random)
{
    float any;
    const uint32_t bits = (uint32_t)hy_random_bits(random);
    memcpy(&any, &bits, sizeof any);
    return hy_random_below(random, 3) == 0 ? any : (float)(4.0 * hy_random_unit(random));
}

static hy_readings wild_readings(hy_random *random)
{
    hy_readings in = { .encoders = (uint8_t)hy_random_bits(random),
                       .analogs = (uint8_t)hy_random_bits(random),
                       .has_gyro = true,
                       .has_accel = true,
                       .has_button = true,
                       .button = hy_random_below(random, 2) == 0 };
    for (size_t i = 0; i < 8; i++) {
        const uint64_t bits = hy_random_bits(random);
        in.encoder[i] = (hy_encoder_reading){ (int32_t)bits, (uint32_t)(bits >> 32),
                                              (uint32_t)hy_random_bits(random),
                                              hy_random_below(random, 2) == 0 };
        in.analog_v[i] = wild_float(random);
    }
    for (size_t i = 0; i < 3; i++) {
        in.gyro_rate_dps[i] = wild_float(random);
        in.gyro_angle_deg[i] = wild_float(random);
        in.accel_g[i] = wild_float(random);
    }
    return in;
}

static void expect_good(const hy_outputs *out)
{
    for (size_t i = 0; i < 8; i++) {
        assert_true(out->motor[i] >= -1.0F && out->motor[i] <= 1.0F);
    }
    for (size_t i = 0; i < 4; i++) {
        assert_true(out->servo[i] >= 0.0F && out->servo[i] <= 1.0F);
    }
}

static void an_xrp_survives_everything(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(21);
    hy_xrp xrp;
    hy_differential_kinematics kinematics = { HY_XRP_TRACK_M };
    hy_differential_odometry odometry;
    hy_differential_drive drive;
    hy_pid pid;
    hy_profiled_pid profiled;
    hy_xrp_init(&xrp);
    hy_pid_init(&pid, (hy_pid_gains){ 1, 1, 1 }, 0.02);
    hy_profiled_pid_init(&profiled, (hy_pid_gains){ 1, 1, 1 }, (hy_profile_constraints){ 1, 1 },
                         0.02);
    hy_differential_drive_init(&drive, &xrp.motor[0], &xrp.motor[1]);
    hy_differential_odometry_start(&odometry, &kinematics, 0, (hy_wheel_distances){ 0, 0 },
                                   HY_POSE2D_ORIGIN);
    for (int64_t i = 0; i < ROUNDS; i++) {
        const hy_readings in = wild_readings(&random);
        const int64_t now_us = i * (int64_t)hy_random_below(&random, 30000);
        hy_outputs out;
        hy_xrp_update(&xrp, &in, now_us);
        hy_differential_odometry_update(
            &odometry, wild(&random), (hy_wheel_distances){ wild(&random), xrp.encoder[1].distance });
        assert_true(hy_pose2d_is_finite(&odometry.odometry.pose));
        const double a = hy_pid_calculate_to(&pid, wild(&random), wild(&random));
        hy_profiled_pid_set_goal(&profiled, (hy_profile_state){ wild(&random), wild(&random) });
        const double b = hy_profiled_pid_calculate(&profiled, wild(&random));
        assert_true(isfinite(a) && isfinite(b) && isfinite(xrp.encoder[0].rate));
        assert_true(isfinite(xrp.gyro.angle_rad[2]) && isfinite(xrp.rangefinder.range_m));
        switch (hy_random_below(&random, 3)) {
        case 0: hy_differential_drive_arcade(&drive, wild(&random), a, true, now_us); break;
        case 1: hy_differential_drive_curvature(&drive, b, wild(&random), true, now_us); break;
        default:
            hy_differential_drive_tank(&drive, wild(&random), wild(&random), false, now_us);
            break;
        }
        hy_motor_set(&xrp.motor[2], wild(&random), now_us);
        hy_servo_set_angle(&xrp.servo[0], wild(&random));
        hy_servo_set_position(&xrp.servo[3], wild(&random));
        hy_xrp_outputs(&xrp, &out, now_us);
        expect_good(&out);
    }
}

static void a_swerve_survives_everything(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(22);
    hy_teensy robot;
    hy_swerve_drive drive;
    hy_teensy_init(&robot);
    assert_true(hy_teensy_swerve_drive_init(&drive, &robot, 0.02));
    for (int64_t i = 0; i < ROUNDS; i++) {
        const hy_readings in = wild_readings(&random);
        const int64_t now_us = i * 20000;
        const hy_chassis_speeds speeds = { wild(&random), wild(&random), wild(&random) };
        const hy_rotation2d heading = { wild(&random), wild(&random) };
        hy_outputs out;
        hy_teensy_update(&robot, &in, now_us);
        switch (hy_random_below(&random, 4)) {
        case 0: hy_swerve_drive_robot(&drive, speeds, now_us); break;
        case 1: hy_swerve_drive_field(&drive, speeds, heading, now_us); break;
        case 2: hy_swerve_drive_x_lock(&drive, now_us); break;
        default: hy_swerve_drive_stop(&drive, now_us); break;
        }
        hy_teensy_outputs(&robot, &out, now_us);
        expect_good(&out);
    }
}

static void trajectories_of_nonsense_end_and_stay_finite(void **state)
{
    (void)state;
    static hy_trajectory_state memory[300];
    hy_random random = hy_random_seeded(23);
    hy_trajectory self;
    int made = 0;
    for (int i = 0; i < 300; i++) {
        hy_pose2d poses[3];
        for (size_t k = 0; k < 3; k++) {
            poses[k] = hy_pose2d_at(wild(&random), wild(&random), wild(&random));
        }
        const hy_trajectory_config config = { .max_velocity_m_s = fabs(wild(&random)),
                                              .max_acceleration_m_s2 = fabs(wild(&random)),
                                              .reversed = (i & 1) != 0 };
        hy_trajectory_init(&self, memory, 300);
        if (hy_trajectory_generate(&self, poses, 3, &config) < HY_OK) {
            assert_int_equal(self.count, 0);
            continue;
        }
        made++;
        for (size_t k = 0; k < self.count; k++) {
            assert_true(hy_pose2d_is_finite(&self.states[k].pose) && isfinite(self.states[k].t_s));
        }
        const hy_trajectory_state somewhere = hy_trajectory_sample(&self, wild(&random));
        assert_true(isfinite(somewhere.velocity_m_s));
    }
    assert_true(made > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_xrp_survives_everything),
        cmocka_unit_test(a_swerve_survives_everything),
        cmocka_unit_test(trajectories_of_nonsense_end_and_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
