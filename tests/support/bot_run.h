/// @file bot_run.h
/// Two short drives with the whole robot library, everything that it computes as one hash: PCs and
/// microcontrollers must agree to the last bit. An XRP follows a line; a swerve robot follows a
/// trajectory. Their bodies are a few lines of arithmetic here, not the world: what is wanted is
/// not truth but the same numbers everywhere.
#ifndef HALYARD_TESTS_BOT_RUN_H
#define HALYARD_TESTS_BOT_RUN_H

#include <halyard/bot.h>

// The hashes of two lengths: a microcontroller without a floating point unit takes the short one.
#define BOT_RUN_LONG_STEPS  5000
#define BOT_RUN_LONG        UINT64_C(0x2c0fe87a8b2b8476)
#define BOT_RUN_SHORT_STEPS 150
#define BOT_RUN_SHORT       UINT64_C(0xe6603ec56a0dbb97)

#define BOT_RUN_PERIOD_US 20000
#define BOT_RUN_PERIOD_S  0.02

static inline void bot_run_hash_pose(hy_hash *hash, hy_pose2d pose)
{
    hy_hash_f64(hash, pose.translation.x_m);
    hy_hash_f64(hash, pose.translation.y_m);
    hy_hash_f64(hash, pose.rotation.cos);
    hy_hash_f64(hash, pose.rotation.sin);
}

static inline void bot_run_hash_outputs(hy_hash *hash, const hy_outputs *out)
{
    for (size_t i = 0; i < 8; i++) {
        hy_hash_f64(hash, (double)out->motor[i]);
    }
    hy_hash_u64(hash, out->led ? 1 : 0);
}

// --------------------------------------------------------------------------- an XRP on a line

/// A body that reaches the speed it is told to within a few periods, and a robot program for it.
typedef struct {
    hy_xrp xrp;
    hy_differential_odometry odometry;
    hy_differential_drive drive;
    hy_pid steering;
    hy_slew_limiter slew;
    hy_linear_filter filter;
    double filter_memory[HY_LINEAR_FILTER_MEMORY(1, 1)];
    hy_random random;
    double x_m, y_m, heading_rad, speed_m_s[2], way_m[2];
} bot_run_xrp;

static inline void bot_run_xrp_start(bot_run_xrp *self)
{
    hy_differential_kinematics kinematics;
    hy_xrp_init(&self->xrp);
    hy_differential_kinematics_init(&kinematics, HY_XRP_TRACK_M);
    hy_differential_odometry_start(&self->odometry, &kinematics, 0.0,
                                   (hy_wheel_distances){ 0.0, 0.0 },
                                   hy_pose2d_at(0.5, 0.0, HY_PI / 2));
    hy_differential_drive_init(&self->drive, &self->xrp.motor[0], &self->xrp.motor[1]);
    hy_pid_init(&self->steering, (hy_pid_gains){ 0.8, 0.3, 0.05 }, BOT_RUN_PERIOD_S);
    hy_pid_set_output_range(&self->steering, -0.6, 0.6, true);
    hy_slew_limiter_init(&self->slew, 1.0, -2.0, 0.0, 0);
    hy_linear_filter_single_pole(&self->filter, 0.05, BOT_RUN_PERIOD_S, self->filter_memory,
                                 HY_LINEAR_FILTER_MEMORY(1, 1));
    hy_led_blink(&self->xrp.led, 500000);
    self->random = hy_random_seeded(11);
    self->x_m = 0.5;
    self->y_m = self->speed_m_s[0] = self->speed_m_s[1] = self->way_m[0] = self->way_m[1] = 0.0;
    self->heading_rad = HY_PI / 2;
}

/// The body moves for one period, and its sensors are read: the line is a circle of half a metre.
static inline void bot_run_xrp_move(bot_run_xrp *self, const hy_outputs *out, hy_readings *in)
{
    *in = (hy_readings){ .encoders = 3, .analogs = 7, .has_gyro = true, .has_button = true };
    for (size_t i = 0; i < 2; i++) {
        const double wanted = (i == 0 ? 0.28 : -0.28) * (double)out->motor[i];
        self->speed_m_s[i] += 0.2 * (wanted - self->speed_m_s[i]);
        self->way_m[i] += self->speed_m_s[i] * BOT_RUN_PERIOD_S;
        in->encoder[i].count = (int32_t)(self->way_m[i] / HY_XRP_M_PER_COUNT);
    }
    const double turn = (self->speed_m_s[1] - self->speed_m_s[0]) / HY_XRP_TRACK_M;
    const double forward = 0.5 * (self->speed_m_s[0] + self->speed_m_s[1]) * BOT_RUN_PERIOD_S;
    self->heading_rad += turn * BOT_RUN_PERIOD_S;
    self->x_m += forward * hy_cos(self->heading_rad);
    self->y_m += forward * hy_sin(self->heading_rad);
    const double noise = 0.01 * hy_random_normal(&self->random);
    const double ahead_x = self->x_m + 0.07 * hy_cos(self->heading_rad);
    const double ahead_y = self->y_m + 0.07 * hy_sin(self->heading_rad);
    const double beside = hy_hypot(ahead_x, ahead_y) - 0.5 + noise * 0.1;
    in->analog_v[0] = (float)hy_clamp(2.5 - 100.0 * beside, 0.0, 5.0, 0.0);
    in->analog_v[1] = (float)hy_clamp(2.5 + 100.0 * beside, 0.0, 5.0, 0.0);
    in->analog_v[2] = (float)hy_clamp(1.0 + self->x_m, 0.0, 5.0, 0.0);
    in->gyro_rate_dps[2] = (float)hy_deg_from_rad(turn + noise);
    const double shown_deg = hy_deg_from_rad(self->heading_rad) + 90.0;
    in->gyro_angle_deg[2] = (float)hy_input_modulus(shown_deg, 0.0, 360.0);
}

static inline void bot_run_xrp_step(bot_run_xrp *self, hy_outputs *out, int64_t now_us, hy_hash *hash)
{
    hy_readings in;
    bot_run_xrp_move(self, out, &in);
    hy_xrp_update(&self->xrp, &in, now_us);
    const hy_wheel_distances wheels = { self->xrp.encoder[0].distance,
                                        self->xrp.encoder[1].distance };
    hy_differential_odometry_update(&self->odometry, self->xrp.gyro.angle_rad[2], wheels);
    const double seen = self->xrp.reflectance.right - self->xrp.reflectance.left;
    const double beside = hy_linear_filter_calculate(&self->filter, seen);
    const double turn = -hy_pid_calculate_to(&self->steering, beside, 0.0);
    const double speed = hy_slew_limiter_calculate(&self->slew, 0.6, now_us);
    hy_differential_drive_curvature(&self->drive, speed, turn, false, now_us);
    hy_xrp_outputs(&self->xrp, out, now_us);
    bot_run_hash_outputs(hash, out);
    bot_run_hash_pose(hash, self->odometry.odometry.pose);
    hy_hash_f64(hash, self->xrp.encoder[0].rate);
    hy_hash_f64(hash, self->xrp.rangefinder.range_m);
}

// --------------------------------------------------------------------------- a swerve on a trajectory

#define BOT_RUN_STATES 64

typedef struct {
    hy_teensy robot;
    hy_swerve_drive drive;
    hy_swerve_odometry odometry;
    hy_holonomic follower;
    hy_trajectory trajectory;
    hy_trajectory_state memory[BOT_RUN_STATES];
    hy_motor_feedforward feedforward;
    double count[8];
    double heading_rad;
} bot_run_swerve;

static inline bool bot_run_swerve_start(bot_run_swerve *self, hy_hash *hash)
{
    const hy_pose2d waypoints[3] = { hy_pose2d_at(0.0, 0.0, 0.0), hy_pose2d_at(0.8, 0.4, 0.9),
                                     hy_pose2d_at(0.9, 1.2, 2.0) };
    const hy_trajectory_config config = { .max_velocity_m_s = 0.8,
                                          .max_acceleration_m_s2 = 1.5,
                                          .max_centripetal_m_s2 = 1.0 };
    const hy_swerve_position still[4] = {
        { 0.0, { 1, 0 } }, { 0.0, { 1, 0 } }, { 0.0, { 1, 0 } }, { 0.0, { 1, 0 } }
    };
    hy_pid along;
    hy_profiled_pid turn;
    hy_teensy_init(&self->robot);
    hy_pid_init(&along, (hy_pid_gains){ 2.0, 0.0, 0.0 }, BOT_RUN_PERIOD_S);
    hy_profiled_pid_init(&turn, (hy_pid_gains){ 3.0, 0.0, 0.0 },
                         (hy_profile_constraints){ 3.0, 6.0 }, BOT_RUN_PERIOD_S);
    hy_holonomic_init(&self->follower, &along, &along, &turn);
    hy_motor_feedforward_init(&self->feedforward, 0.4, 10.0, 0.7, BOT_RUN_PERIOD_S);
    hy_trajectory_init(&self->trajectory, self->memory, BOT_RUN_STATES);
    const bool good = hy_teensy_swerve_drive_init(&self->drive, &self->robot, BOT_RUN_PERIOD_S) &&
                      hy_swerve_odometry_start(&self->odometry, &self->drive.config.kinematics, 0.0,
                                               still, HY_POSE2D_ORIGIN) &&
                      hy_trajectory_generate(&self->trajectory, waypoints, 3, &config) >= HY_OK;
    for (size_t i = 0; i < self->trajectory.count; i++) {
        hy_hash_f64(hash, self->trajectory.states[i].t_s);
        hy_hash_f64(hash, self->trajectory.states[i].curvature_rad_m);
        bot_run_hash_pose(hash, self->trajectory.states[i].pose);
    }
    for (size_t i = 0; i < 8; i++) {
        self->count[i] = 0.0;
    }
    self->heading_rad = 0.0;
    return good;
}

static inline void bot_run_swerve_step(bot_run_swerve *self, hy_outputs *out, int64_t now_us,
                                       hy_hash *hash)
{
    hy_readings in = { .encoders = 0xFF, .has_gyro = true };
    hy_swerve_position positions[4];
    hy_swerve_state states[4];
    for (size_t i = 0; i < 8; i++) {
        const double top = i % 2 == 0 ? 6123.0 : 4489.0; // counts a second at full effort
        self->count[i] += top * (double)out->motor[i] * BOT_RUN_PERIOD_S;
        in.encoder[i].count = (int32_t)self->count[i];
    }
    in.gyro_angle_deg[2] = (float)hy_deg_from_rad(self->heading_rad);
    hy_teensy_update(&self->robot, &in, now_us);
    hy_swerve_drive_positions(&self->drive, positions);
    hy_swerve_drive_states(&self->drive, states);
    self->heading_rad +=
        hy_swerve_to_chassis(&self->drive.config.kinematics, states).omega_rad_s * BOT_RUN_PERIOD_S;
    hy_swerve_odometry_update(&self->odometry, self->robot.gyro.angle_rad[2], positions);
    const double t_s = (double)now_us * 1e-6;
    const hy_trajectory_state wanted = hy_trajectory_sample(&self->trajectory, t_s);
    const hy_chassis_speeds speeds = hy_holonomic_calculate(
        &self->follower, self->odometry.odometry.pose, &wanted, hy_rotation2d_from_rad(1.2));
    if (t_s < self->trajectory.total_s + 1.0) {
        hy_swerve_drive_robot(&self->drive, speeds, now_us);
    } else {
        hy_swerve_drive_x_lock(&self->drive, now_us);
    }
    hy_teensy_outputs(&self->robot, out, now_us);
    bot_run_hash_outputs(hash, out);
    bot_run_hash_pose(hash, self->odometry.odometry.pose);
    hy_hash_f64(
        hash, hy_motor_feedforward_between(&self->feedforward, states[0].speed_m_s, speeds.vx_m_s));
}

/// Memory for both, one after the other: a microcontroller has not much.
typedef union {
    bot_run_xrp xrp;
    bot_run_swerve swerve;
} bot_run_room;

/// The hash of `steps` steps of each; 0 if something could not even start.
static inline uint64_t bot_run(bot_run_room *room, unsigned steps)
{
    hy_hash hash = hy_hash_start();
    hy_outputs out = { 0 };
    bot_run_xrp_start(&room->xrp);
    for (unsigned i = 0; i < steps; i++) {
        bot_run_xrp_step(&room->xrp, &out, (int64_t)i * BOT_RUN_PERIOD_US, &hash);
    }
    out = (hy_outputs){ 0 };
    if (!bot_run_swerve_start(&room->swerve, &hash)) {
        return 0;
    }
    for (unsigned i = 0; i < steps; i++) {
        bot_run_swerve_step(&room->swerve, &out, (int64_t)i * BOT_RUN_PERIOD_US, &hash);
    }
    return hash.value;
}

#endif
