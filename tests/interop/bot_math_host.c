// Computes with `bot` what run_bot_math.py asks for. A line of standard input is a function's name
// and its numbers; the answer is a line of numbers that keep all their bits.
#include <halyard/bot.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBERS 4096

static double numbers[NUMBERS];
static size_t count, next;

static double in(void)
{
    return next < count ? numbers[next++] : 0.0;
}

static void out(double value)
{
    printf(" %.17g", value);
}

static hy_rotation2d in_rotation(void)
{
    return hy_rotation2d_from_rad(in());
}

static hy_translation2d in_translation(void)
{
    const double x = in();
    return (hy_translation2d){ x, in() };
}

static hy_pose2d in_pose(void)
{
    const hy_translation2d place = in_translation();
    return (hy_pose2d){ place, in_rotation() };
}

static hy_twist2d in_twist(void)
{
    const hy_translation2d way = in_translation();
    return (hy_twist2d){ way.x_m, way.y_m, in() };
}

static hy_chassis_speeds in_speeds(void)
{
    const hy_twist2d twist = in_twist();
    return (hy_chassis_speeds){ twist.dx_m, twist.dy_m, twist.dtheta_rad };
}

static hy_pid_gains in_gains(void)
{
    const double p = in(), i = in();
    return (hy_pid_gains){ p, i, in() };
}

static hy_profile_state in_state(void)
{
    const double position = in();
    return (hy_profile_state){ position, in() };
}

static void out_rotation(hy_rotation2d rotation)
{
    out(rotation.cos);
    out(rotation.sin);
}

static void out_translation(hy_translation2d place)
{
    out(place.x_m);
    out(place.y_m);
}

static void out_pose(hy_pose2d pose)
{
    out_translation(pose.translation);
    out_rotation(pose.rotation);
}

static void out_twist(hy_twist2d twist)
{
    out(twist.dx_m);
    out(twist.dy_m);
    out(twist.dtheta_rad);
}

static void out_speeds(hy_chassis_speeds speeds)
{
    out_twist((hy_twist2d){ speeds.vx_m_s, speeds.vy_m_s, speeds.omega_rad_s });
}

static void out_efforts(hy_drive_efforts efforts)
{
    out(efforts.left);
    out(efforts.right);
}

// --------------------------------------------------------------------------- geometry

static void run_rotation(void)
{
    const hy_rotation2d a = in_rotation(), b = in_rotation();
    const double factor = in(), t = in();
    out_rotation(a);
    out(hy_rotation2d_rad(a));
    out(hy_rotation2d_tan(a));
    out_rotation(hy_rotation2d_plus(a, b));
    out_rotation(hy_rotation2d_minus(a, b));
    out_rotation(hy_rotation2d_inverse(a));
    out_rotation(hy_rotation2d_times(a, factor));
    out_rotation(hy_rotation2d_interpolate(a, b, t));
    const hy_translation2d vector = in_translation();
    out_rotation(hy_rotation2d_from_vector(vector.x_m, vector.y_m));
}

static void run_translation(void)
{
    const hy_translation2d a = in_translation(), b = in_translation();
    const hy_rotation2d turn = in_rotation();
    const double factor = in(), t = in();
    out_translation(hy_translation2d_from_polar(factor, turn));
    out_translation(hy_translation2d_plus(a, b));
    out_translation(hy_translation2d_minus(a, b));
    out_translation(hy_translation2d_times(a, factor));
    out(hy_translation2d_dot(a, b));
    out(hy_translation2d_cross(a, b));
    out(hy_translation2d_norm(a));
    out(hy_translation2d_distance(a, b));
    out_rotation(hy_translation2d_angle(a));
    out_translation(hy_translation2d_rotate_by(a, turn));
    out_translation(hy_translation2d_rotate_around(a, b, turn));
    out_translation(hy_translation2d_interpolate(a, b, t));
}

static void run_pose(void)
{
    const hy_pose2d a = in_pose(), b = in_pose();
    const hy_transform2d way = { b.translation, b.rotation };
    const double factor = in(), t = in();
    const hy_transform2d between = hy_transform2d_between(a, b);
    out_pose((hy_pose2d){ between.translation, between.rotation });
    const hy_transform2d back = hy_transform2d_inverse(way);
    out_pose((hy_pose2d){ back.translation, back.rotation });
    const hy_transform2d sum = hy_transform2d_plus(way, between);
    out_pose((hy_pose2d){ sum.translation, sum.rotation });
    const hy_transform2d multiple = hy_transform2d_times(way, factor);
    out_pose((hy_pose2d){ multiple.translation, multiple.rotation });
    out_pose(hy_pose2d_transform_by(a, way));
    out_pose(hy_pose2d_relative_to(a, b));
    out_pose(hy_pose2d_rotate_by(a, b.rotation));
    out_pose(hy_pose2d_rotate_around(a, b.translation, b.rotation));
    out_twist(hy_pose2d_log(a, b));
    out_pose(hy_pose2d_interpolate(a, b, t));
}

static void run_exp(void)
{
    const hy_pose2d pose = in_pose();
    out_pose(hy_pose2d_exp(pose, in_twist()));
}

static void run_nearest(void)
{
    hy_pose2d poses[8];
    const hy_pose2d pose = in_pose();
    for (size_t i = 0; i < 8; i++) {
        poses[i] = in_pose();
    }
    out((double)hy_pose2d_nearest(pose, poses, 8));
}

// --------------------------------------------------------------------------- kinematics

static void run_chassis(void)
{
    const hy_chassis_speeds a = in_speeds(), b = in_speeds();
    const hy_rotation2d heading = in_rotation();
    const double dt_s = in();
    out_speeds(hy_chassis_speeds_plus(a, b));
    out_speeds(hy_chassis_speeds_times(a, dt_s));
    out_speeds(hy_chassis_speeds_from_field(a, heading));
    out_speeds(hy_chassis_speeds_to_field(a, heading));
    out_twist(hy_chassis_speeds_twist(a, dt_s));
    out_speeds(hy_chassis_speeds_discretize(a, dt_s));
}

static void run_differential(void)
{
    hy_differential_kinematics kinematics;
    hy_differential_kinematics_init(&kinematics, in());
    const hy_translation2d pair = in_translation();
    const hy_chassis_speeds speeds = in_speeds();
    const double max_m_s = in();
    out_speeds(hy_differential_to_chassis(&kinematics, (hy_wheel_speeds){ pair.x_m, pair.y_m }));
    const hy_wheel_speeds wheels = hy_differential_to_wheels(&kinematics, speeds);
    out(wheels.left_m_s);
    out(wheels.right_m_s);
    out_twist(hy_differential_twist(&kinematics, (hy_wheel_distances){ pair.x_m, pair.y_m }));
    const hy_wheel_speeds slower = hy_wheel_speeds_desaturate(wheels, max_m_s);
    out(slower.left_m_s);
    out(slower.right_m_s);
}

static void out_states(const hy_swerve_state *states, size_t modules)
{
    for (size_t i = 0; i < modules; i++) {
        out(states[i].speed_m_s);
        out_rotation(states[i].angle);
    }
}

static size_t in_swerve(hy_swerve_kinematics *kinematics)
{
    hy_translation2d places[HY_SWERVE_MODULES];
    const size_t modules = (size_t)in();
    for (size_t i = 0; i < modules && i < HY_SWERVE_MODULES; i++) {
        places[i] = in_translation();
    }
    hy_swerve_kinematics_init(kinematics, places, modules);
    return kinematics->count;
}

static void run_swerve(void)
{
    hy_swerve_kinematics kinematics = { 0 };
    const size_t modules = in_swerve(&kinematics);
    hy_swerve_state states[HY_SWERVE_MODULES], measured[HY_SWERVE_MODULES];
    hy_swerve_position distances[HY_SWERVE_MODULES];
    const hy_chassis_speeds speeds = in_speeds();
    const hy_translation2d centre = in_translation();
    const double max_m_s = in();
    const double max_chassis_m_s = in();
    const hy_swerve_limits limits = { max_m_s, max_chassis_m_s, in() };
    for (size_t i = 0; i < modules; i++) {
        measured[i].speed_m_s = in();
        measured[i].angle = in_rotation();
        states[i].angle = HY_ROTATION2D_NONE;
        distances[i] = (hy_swerve_position){ measured[i].speed_m_s, measured[i].angle };
    }
    hy_swerve_to_modules(&kinematics, speeds, centre, states);
    out_states(states, modules);
    out_speeds(hy_swerve_to_chassis(&kinematics, measured));
    out_twist(hy_swerve_twist(&kinematics, distances));
    for (size_t i = 0; i < modules; i++) {
        const hy_swerve_state better = hy_swerve_optimize(states[i], measured[i].angle);
        out_states(&better, 1);
        const hy_swerve_state slower = hy_swerve_cosine_scale(states[i], measured[i].angle);
        out_states(&slower, 1);
    }
    hy_swerve_state other[HY_SWERVE_MODULES];
    memcpy(other, states, sizeof other);
    hy_swerve_desaturate(states, modules, max_m_s);
    out_states(states, modules);
    hy_swerve_desaturate_chassis(other, modules, speeds, &limits);
    out_states(other, modules);
}

static void run_differential_odometry(void)
{
    hy_differential_kinematics kinematics;
    hy_differential_odometry self;
    hy_differential_kinematics_init(&kinematics, 0.155);
    const hy_pose2d start = in_pose();
    const double gyro = in();
    const hy_translation2d first = in_translation();
    hy_differential_odometry_start(&self, &kinematics, gyro,
                                   (hy_wheel_distances){ first.x_m, first.y_m }, start);
    for (size_t steps = (size_t)in(); steps > 0; steps--) {
        const double angle = in();
        const hy_translation2d pair = in_translation();
        hy_differential_odometry_update(&self, angle, (hy_wheel_distances){ pair.x_m, pair.y_m });
        out_pose(self.odometry.pose);
    }
}

static void in_positions(hy_swerve_position *positions, size_t modules)
{
    for (size_t i = 0; i < modules; i++) {
        positions[i].distance_m = in();
        positions[i].angle = in_rotation();
    }
}

static void run_swerve_odometry(void)
{
    hy_swerve_kinematics kinematics = { 0 };
    hy_swerve_odometry self;
    hy_swerve_position positions[HY_SWERVE_MODULES];
    const size_t modules = in_swerve(&kinematics);
    const hy_pose2d start = in_pose();
    const double gyro = in();
    in_positions(positions, modules);
    hy_swerve_odometry_start(&self, &kinematics, gyro, positions, start);
    for (size_t steps = (size_t)in(); steps > 0; steps--) {
        const double angle = in();
        in_positions(positions, modules);
        hy_swerve_odometry_update(&self, angle, positions);
        out_pose(self.odometry.pose);
    }
}

/// Poses, places and directions are put right between readings.
static void run_odometry_reset(void)
{
    hy_differential_kinematics kinematics;
    hy_differential_odometry self;
    hy_differential_kinematics_init(&kinematics, 0.155);
    const hy_pose2d start = in_pose();
    hy_differential_odometry_start(&self, &kinematics, in(), (hy_wheel_distances){ 0.0, 0.0 }, start);
    for (size_t steps = (size_t)in(); steps > 0; steps--) {
        const double kind = in();
        const hy_pose2d pose = in_pose();
        if (kind == 0.0) {
            hy_odometry_set_pose(&self.odometry, pose);
        } else if (kind == 1.0) {
            hy_odometry_set_translation(&self.odometry, pose.translation);
        } else if (kind == 2.0) {
            hy_odometry_set_rotation(&self.odometry, pose.rotation);
        }
        const double angle = in();
        const hy_translation2d pair = in_translation();
        hy_differential_odometry_update(&self, angle, (hy_wheel_distances){ pair.x_m, pair.y_m });
        out_pose(self.odometry.pose);
    }
}

// --------------------------------------------------------------------------- control

static void run_tools(void)
{
    const double value = in(), deadband = in(), max = in(), low = in(), high = in();
    out(hy_apply_deadband(value, deadband, max));
    out(hy_input_modulus(value, low, high));
    out(hy_square_input(value));
}

static void in_pid_settings(hy_pid *pid)
{
    hy_pid_set_i_zone(pid, in());
    const double min = in();
    hy_pid_set_integrator_range(pid, min, in());
    const double low = in(), high = in();
    if (low < high) {
        hy_pid_set_continuous(pid, low, high);
    }
    const double tolerance = in();
    hy_pid_set_tolerance(pid, tolerance, in());
}

static void run_pid(void)
{
    hy_pid pid;
    const hy_pid_gains gains = in_gains();
    hy_pid_init(&pid, gains, in());
    in_pid_settings(&pid);
    for (size_t steps = (size_t)in(); steps > 0; steps--) {
        const double measurement = in();
        out(hy_pid_calculate_to(&pid, measurement, in()));
        out(pid.error);
        out(pid.error_derivative);
        out(pid.total_error);
        out(hy_pid_at_setpoint(&pid));
    }
    hy_pid_set_setpoint(&pid, in());
    out(pid.error);
    out(pid.error_derivative);
    hy_pid_reset(&pid);
    out(hy_pid_calculate(&pid, in()));
}

static void run_trapezoid(void)
{
    const double max_velocity = in();
    const hy_profile_constraints constraints = { max_velocity, in() };
    const hy_profile_state from = in_state(), to = in_state();
    hy_trapezoid_profile profile;
    hy_trapezoid_profile_plan(&profile, constraints, from, to);
    out(profile.total_s);
    while (next < count) {
        const hy_profile_state state = hy_trapezoid_profile_at(&profile, in());
        out(state.position);
        out(state.velocity);
    }
}

static void run_profiled_pid(void)
{
    hy_profiled_pid self;
    const hy_pid_gains gains = in_gains();
    const double period_s = in(), max_velocity = in();
    hy_profiled_pid_init(&self, gains, (hy_profile_constraints){ max_velocity, in() }, period_s);
    in_pid_settings(&self.pid);
    hy_profiled_pid_reset(&self, in_state());
    hy_profiled_pid_set_goal(&self, in_state());
    while (next < count) {
        out(hy_profiled_pid_calculate(&self, in()));
        out(self.setpoint.position);
        out(self.setpoint.velocity);
        out(hy_profiled_pid_at_goal(&self));
    }
}

static void run_feedforward(void)
{
    hy_motor_feedforward self;
    const double ks = in(), kv = in(), ka = in();
    hy_motor_feedforward_init(&self, ks, kv, ka, in());
    const double velocity = in(), after = in(), acceleration = in(), volts = in();
    out(hy_motor_feedforward_at(&self, velocity));
    out(hy_motor_feedforward_accelerating(&self, velocity, acceleration));
    out(hy_motor_feedforward_between(&self, velocity, after));
    out(hy_motor_feedforward_max_velocity(&self, volts, acceleration));
    out(hy_motor_feedforward_min_velocity(&self, volts, acceleration));
    out(hy_motor_feedforward_max_acceleration(&self, volts, velocity));
    out(hy_motor_feedforward_min_acceleration(&self, volts, velocity));
}

static void run_bang_bang(void)
{
    hy_bang_bang self;
    hy_bang_bang_init(&self, in());
    const double measurement = in();
    out(hy_bang_bang_calculate(&self, measurement, in()));
    out(hy_bang_bang_at_setpoint(&self));
}

static void run_filter(void)
{
    static double room[256];
    hy_linear_filter self;
    const size_t until_reset = (size_t)in();
    const int kind = (int)in();
    const double a = in(), b = in();
    if (kind == 0) {
        hy_linear_filter_single_pole(&self, a, b, room, 256);
    } else if (kind == 1) {
        hy_linear_filter_high_pass(&self, a, b, room, 256);
    } else if (kind == 2) {
        hy_linear_filter_moving_average(&self, (size_t)a, room, 256);
    } else {
        const hy_filter_gains gains = { numbers + next, numbers + next + (size_t)a, (size_t)a,
                                        (size_t)b };
        hy_linear_filter_init(&self, gains, room, 256);
        next += (size_t)a + (size_t)b;
    }
    for (size_t i = 0; next < count; i++) {
        if (i == until_reset) {
            hy_linear_filter_reset(&self);
        }
        out(hy_linear_filter_calculate(&self, in()));
    }
}

static void run_median(void)
{
    static double room[256];
    hy_median_filter self;
    const size_t until_reset = (size_t)in();
    hy_median_filter_init(&self, (size_t)in(), room, 256);
    for (size_t i = 0; next < count; i++) {
        if (i == until_reset) {
            hy_median_filter_reset(&self);
        }
        out(hy_median_filter_calculate(&self, in()));
    }
}

static void run_slew(void)
{
    hy_slew_limiter self;
    const size_t until_reset = (size_t)in();
    const double rise = in(), fall = in();
    hy_slew_limiter_init(&self, rise, fall, in(), 0);
    const double afresh = in();
    int64_t now_us = 0;
    for (size_t i = 0; next < count; i++) {
        if (i == until_reset) {
            hy_slew_limiter_reset(&self, afresh, now_us);
        }
        now_us += (int64_t)in();
        out(hy_slew_limiter_calculate(&self, in(), now_us));
    }
}

static void run_debounce(void)
{
    hy_debouncer self;
    const int64_t time_us = (int64_t)in();
    hy_debouncer_init(&self, time_us, (hy_debounce_kind)in(), 0);
    int64_t now_us = 0;
    while (next < count) {
        now_us += (int64_t)in();
        out(hy_debouncer_calculate(&self, in() != 0.0, now_us));
    }
}

static void run_drive(void)
{
    const double a = in(), b = in();
    for (int flag = 0; flag < 2; flag++) {
        out_efforts(hy_arcade_efforts(a, b, flag));
        out_efforts(hy_curvature_efforts(a, b, flag));
        out_efforts(hy_tank_efforts(a, b, flag));
    }
}

static void out_motors(hy_motor *motors)
{
    out(hy_motor_output(&motors[0], 0));
    out(hy_motor_output(&motors[1], 0));
}

/// Sticks behind a deadband, efforts in front of a limit.
static void run_drive_whole(void)
{
    hy_motor motors[2];
    hy_differential_drive self;
    hy_motor_init(&motors[0], false);
    hy_motor_init(&motors[1], false);
    hy_differential_drive_init(&self, &motors[0], &motors[1]);
    const double a = in(), b = in(), deadband = in(), max_output = in();
    if (deadband >= 0.0) { // else WPILib's defaults, which are ours
        hy_differential_drive_set_deadband(&self, deadband);
        hy_differential_drive_set_max_output(&self, max_output);
    }
    for (int flag = 0; flag < 2; flag++) {
        hy_differential_drive_arcade(&self, a, b, flag, 0);
        out_motors(motors);
        hy_differential_drive_curvature(&self, a, b, flag, 0);
        out_motors(motors);
        hy_differential_drive_tank(&self, a, b, flag, 0);
        out_motors(motors);
    }
}

// --------------------------------------------------------------------------- trajectories

static hy_spline_end in_spline_end(void)
{
    hy_spline_end end = { .x_m = in() };
    end.dx_m = in();
    end.ddx_m = in();
    end.y_m = in();
    end.dy_m = in();
    end.ddy_m = in();
    return end;
}

/// Points of the cubic and of the quintic spline between the same two ends.
static void run_spline(void)
{
    const hy_spline_end start = in_spline_end(), end = in_spline_end();
    const hy_spline cubic = hy_spline_cubic(&start, &end), quintic = hy_spline_quintic(&start, &end);
    while (next < count) {
        const double t = in();
        hy_spline_point point = { 0 };
        hy_spline_at(&cubic, t, &point);
        out_pose(point.pose);
        out(point.curvature_rad_m);
        hy_spline_at(&quintic, t, &point);
        out_pose(point.pose);
        out(point.curvature_rad_m);
    }
}

#define STATES 6000

static hy_trajectory_state memory[STATES];
static hy_differential_kinematics differential;
static hy_swerve_kinematics swerve;

static hy_trajectory_config in_config(void)
{
    hy_trajectory_config config = { .max_velocity_m_s = in() };
    config.max_acceleration_m_s2 = in();
    config.start_velocity_m_s = in();
    config.end_velocity_m_s = in();
    config.reversed = in() != 0.0;
    config.max_centripetal_m_s2 = in();
    if (hy_differential_kinematics_init(&differential, in())) {
        config.differential = &differential;
    }
    const double arm = in();
    const hy_translation2d places[4] = { { arm, arm }, { -arm, arm }, { -arm, -arm }, { arm, -arm } };
    if (hy_swerve_kinematics_init(&swerve, places, 4)) {
        config.swerve = &swerve;
    }
    return config;
}

static void out_state(const hy_trajectory_state *state)
{
    out(state->t_s);
    out(state->velocity_m_s);
    out(state->acceleration_m_s2);
    out_pose(state->pose);
    out(state->curvature_rad_m);
}

/// The number of states, all of them, and then samples at the times that are left in the line.
static void out_trajectory(hy_trajectory *self)
{
    out((double)self->count);
    for (size_t i = 0; i < self->count; i++) {
        out_state(&self->states[i]);
    }
    while (next < count) {
        const hy_trajectory_state state = hy_trajectory_sample(self, in() * self->total_s);
        out_state(&state);
    }
}

static void run_trajectory(void)
{
    hy_pose2d waypoints[16];
    hy_trajectory self;
    const hy_trajectory_config config = in_config();
    const size_t points = (size_t)in();
    for (size_t i = 0; i < points; i++) {
        waypoints[i] = in_pose();
    }
    hy_trajectory_init(&self, memory, STATES);
    hy_trajectory_generate(&self, waypoints, points, &config);
    out_trajectory(&self);
}

static void run_trajectory_cubic(void)
{
    hy_translation2d interior[16];
    hy_trajectory self;
    const hy_trajectory_config config = in_config();
    hy_cubic_path path = { .start = in_pose(), .interior = interior };
    path.end = in_pose();
    path.interior_count = (size_t)in();
    for (size_t i = 0; i < path.interior_count; i++) {
        interior[i] = in_translation();
    }
    hy_trajectory_init(&self, memory, STATES);
    hy_trajectory_generate_cubic(&self, &path, &config);
    out_trajectory(&self);
}

static hy_spline_end in_end(void)
{
    hy_spline_end end;
    end.x_m = in();
    end.dx_m = in();
    end.ddx_m = in();
    end.y_m = in();
    end.dy_m = in();
    end.ddy_m = in();
    return end;
}

static void run_trajectory_quintic(void)
{
    hy_spline_end ends[16];
    hy_trajectory self;
    const hy_trajectory_config config = in_config();
    const size_t points = (size_t)in();
    for (size_t i = 0; i < points; i++) {
        ends[i] = in_end();
    }
    hy_trajectory_init(&self, memory, STATES);
    hy_trajectory_generate_quintic(&self, ends, points, &config);
    out_trajectory(&self);
}

static void run_trajectory_moved(void)
{
    static hy_trajectory_state more[2 * STATES];
    hy_trajectory self, other;
    const hy_trajectory_config config = in_config();
    hy_pose2d waypoints[2];
    waypoints[0] = in_pose();
    waypoints[1] = in_pose();
    const hy_pose2d way = in_pose(), origin = in_pose();
    hy_trajectory_init(&self, memory, STATES);
    hy_trajectory_generate(&self, waypoints, 2, &config);
    hy_trajectory_init(&other, more, 2 * STATES);
    hy_trajectory_append(&other, &self);
    hy_trajectory_transform_by(&other, (hy_transform2d){ way.translation, way.rotation });
    hy_trajectory_append(&other, &self);
    hy_trajectory_relative_to(&other, origin);
    out_trajectory(&other);
}

static hy_trajectory_state in_wanted(void)
{
    hy_trajectory_state wanted = { .pose = in_pose() };
    wanted.velocity_m_s = in();
    wanted.curvature_rad_m = in();
    return wanted;
}

static void run_ramsete(void)
{
    hy_ramsete self;
    const double b = in();
    hy_ramsete_init(&self, b, in());
    self.tolerance.x_m = in();
    self.tolerance.y_m = in();
    self.tolerance.angle_rad = in();
    const hy_pose2d pose = in_pose();
    const hy_trajectory_state wanted = in_wanted();
    out_speeds(hy_ramsete_calculate(&self, pose, &wanted));
    out(hy_ramsete_at_reference(&self));
}

static void run_holonomic(void)
{
    hy_holonomic self;
    hy_pid x, y;
    hy_profiled_pid theta;
    hy_pid_init(&x, in_gains(), 0.02);
    hy_pid_init(&y, in_gains(), 0.02);
    const hy_pid_gains gains = in_gains();
    const hy_profile_state limits = in_state();
    hy_profiled_pid_init(&theta, gains,
                         (hy_profile_constraints){ limits.position, limits.velocity }, 0.02);
    hy_holonomic_init(&self, &x, &y, &theta);
    self.tolerance.x_m = in();
    self.tolerance.y_m = in();
    self.tolerance.angle_rad = in();
    while (next < count) {
        const hy_pose2d pose = in_pose();
        const hy_trajectory_state wanted = in_wanted();
        out_speeds(hy_holonomic_calculate(&self, pose, &wanted, in_rotation()));
        out(hy_holonomic_at_reference(&self));
    }
}

// --------------------------------------------------------------------------- the lines

static const struct {
    const char *name;
    void (*run)(void);
} functions[] = {
    { "rotation", run_rotation },
    { "translation", run_translation },
    { "pose", run_pose },
    { "exp", run_exp },
    { "nearest", run_nearest },
    { "chassis", run_chassis },
    { "differential", run_differential },
    { "swerve", run_swerve },
    { "differential_odometry", run_differential_odometry },
    { "swerve_odometry", run_swerve_odometry },
    { "odometry_reset", run_odometry_reset },
    { "tools", run_tools },
    { "pid", run_pid },
    { "trapezoid", run_trapezoid },
    { "profiled_pid", run_profiled_pid },
    { "feedforward", run_feedforward },
    { "bang_bang", run_bang_bang },
    { "filter", run_filter },
    { "median", run_median },
    { "slew", run_slew },
    { "debounce", run_debounce },
    { "drive", run_drive },
    { "drive_whole", run_drive_whole },
    { "spline", run_spline },
    { "trajectory", run_trajectory },
    { "trajectory_cubic", run_trajectory_cubic },
    { "trajectory_quintic", run_trajectory_quintic },
    { "trajectory_moved", run_trajectory_moved },
    { "ramsete", run_ramsete },
    { "holonomic", run_holonomic },
};

static void answer(char *line)
{
    char *at = line + strcspn(line, " ");
    const size_t length = (size_t)(at - line);
    count = 0;
    next = 0;
    for (char *end; count < NUMBERS; at = end) {
        const double number = strtod(at, &end);
        if (end == at) {
            break;
        }
        numbers[count++] = number;
    }
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (strlen(functions[i].name) == length && memcmp(functions[i].name, line, length) == 0) {
            functions[i].run();
        }
    }
    putchar('\n');
}

int main(void)
{
    static char line[NUMBERS * 26];
    while (fgets(line, sizeof line, stdin) != NULL) {
        answer(line);
    }
    return EXIT_SUCCESS;
}
