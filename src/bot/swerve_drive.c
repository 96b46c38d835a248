#include <halyard/bot.h>

#include "finite.h"

// --------------------------------------------------------------------------- starting

bool hy_swerve_drive_init(hy_swerve_drive *self, const hy_swerve_config *config,
                          const hy_swerve_module *modules)
{
    hy_pid drive, steer;
    if (!is_finite(config->max_m_s) || !(config->max_m_s > 0.0) || !is_finite(config->lag_s) ||
        config->lag_s < 0.0 || !hy_pid_init(&drive, config->drive, config->period_s) ||
        !hy_pid_init(&steer, config->steer, config->period_s)) {
        return false;
    }
    hy_pid_set_feed_forward(&drive, 1.0 / config->max_m_s);
    hy_pid_set_output_range(&drive, -1.0, 1.0, true);
    hy_pid_set_output_range(&steer, -1.0, 1.0, true);
    hy_pid_set_continuous(&steer, -HY_PI, HY_PI);
    *self = (hy_swerve_drive){ .config = *config };
    for (size_t i = 0; i < config->kinematics.count; i++) {
        self->module[i] = modules[i];
        self->drive[i] = drive;
        self->steer[i] = steer;
        self->wanted[i] = (hy_swerve_state){ 0.0, HY_ROTATION2D_NONE };
    }
    return true;
}

// --------------------------------------------------------------------------- what the modules do

static hy_rotation2d azimuth(const hy_swerve_module *module)
{
    return hy_rotation2d_from_rad(module->steer_encoder->distance);
}

void hy_swerve_drive_positions(const hy_swerve_drive *self, hy_swerve_position *positions)
{
    for (size_t i = 0; i < self->config.kinematics.count; i++) {
        const hy_swerve_module *const module = &self->module[i];
        positions[i] = (hy_swerve_position){ module->drive_encoder->distance, azimuth(module) };
    }
}

void hy_swerve_drive_states(const hy_swerve_drive *self, hy_swerve_state *states)
{
    for (size_t i = 0; i < self->config.kinematics.count; i++) {
        const hy_swerve_module *const module = &self->module[i];
        states[i] = (hy_swerve_state){ module->drive_encoder->rate, azimuth(module) };
    }
}

/// Steers towards the wanted state and rolls as fast as the module's direction allows meanwhile.
static void move_module(hy_swerve_drive *self, size_t i, int64_t now_us)
{
    const hy_swerve_module *const module = &self->module[i];
    const hy_rotation2d now = azimuth(module);
    const hy_swerve_state wanted = hy_swerve_cosine_scale(self->wanted[i], now);
    const double steer = hy_pid_calculate_to(&self->steer[i], hy_rotation2d_rad(now),
                                             hy_rotation2d_rad(wanted.angle));
    const double drive =
        hy_pid_calculate_to(&self->drive[i], module->drive_encoder->rate, wanted.speed_m_s);
    hy_motor_set(module->steer, steer, now_us);
    hy_motor_set(module->drive, drive, now_us);
}

static void move_modules(hy_swerve_drive *self, const hy_swerve_state *states, int64_t now_us)
{
    for (size_t i = 0; i < self->config.kinematics.count; i++) {
        self->wanted[i] = hy_swerve_optimize(states[i], azimuth(&self->module[i]));
        move_module(self, i, now_us);
    }
}

// --------------------------------------------------------------------------- what is asked of them

void hy_swerve_drive_robot(hy_swerve_drive *self, hy_chassis_speeds speeds, int64_t now_us)
{
    if (!is_finite(speeds.vx_m_s) || !is_finite(speeds.vy_m_s) || !is_finite(speeds.omega_rad_s)) {
        hy_swerve_drive_stop(self, now_us);
        return;
    }
    hy_swerve_state states[HY_SWERVE_MODULES];
    for (size_t i = 0; i < self->config.kinematics.count; i++) {
        states[i] = self->wanted[i]; // a module that has to stand keeps its angle
    }
    const hy_chassis_speeds held = hy_chassis_speeds_discretize(speeds, self->config.period_s);
    hy_swerve_to_modules(&self->config.kinematics, held, (hy_translation2d){ 0.0, 0.0 }, states);
    hy_swerve_desaturate(states, self->config.kinematics.count, self->config.max_m_s);
    move_modules(self, states, now_us);
}

/// The share of `speeds` that is left when the fastest module is as slow as it has to be.
static double share_left(const hy_swerve_drive *self, hy_chassis_speeds speeds)
{
    hy_swerve_state states[HY_SWERVE_MODULES];
    hy_swerve_to_modules(&self->config.kinematics, speeds, (hy_translation2d){ 0.0, 0.0 }, states);
    double fastest = self->config.max_m_s;
    for (size_t i = 0; i < self->config.kinematics.count; i++) {
        fastest = larger(fastest, states[i].speed_m_s);
    }
    return self->config.max_m_s / fastest;
}

void hy_swerve_drive_field(hy_swerve_drive *self, hy_chassis_speeds speeds, hy_rotation2d heading,
                           int64_t now_us)
{
    // Seen from a robot that turns with the rate w, a direction of the field turns with -w, and
    // modules that follow it T late point where it was: wT off the line. So they are told where it
    // will be in T.
    const hy_chassis_speeds seen = hy_chassis_speeds_from_field(speeds, heading);
    const double turn_rad = speeds.omega_rad_s * share_left(self, seen) * self->config.lag_s;
    hy_swerve_drive_robot(self, hy_chassis_speeds_from_field(seen, hy_rotation2d_from_rad(turn_rad)),
                          now_us);
}

void hy_swerve_drive_x_lock(hy_swerve_drive *self, int64_t now_us)
{
    hy_swerve_state states[HY_SWERVE_MODULES];
    for (size_t i = 0; i < self->config.kinematics.count; i++) {
        states[i] =
            (hy_swerve_state){ 0.0, hy_translation2d_angle(self->config.kinematics.module[i]) };
    }
    move_modules(self, states, now_us);
}

void hy_swerve_drive_stop(hy_swerve_drive *self, int64_t now_us)
{
    for (size_t i = 0; i < self->config.kinematics.count; i++) {
        hy_motor_stop(self->module[i].drive, now_us);
        hy_motor_stop(self->module[i].steer, now_us);
        hy_pid_reset(&self->drive[i]);
        hy_pid_reset(&self->steer[i]);
    }
}

// --------------------------------------------------------------------------- the robot with a Teensy

// Steering with p = 2.5 follows a direction that turns at w by w / (2.5 * 7.9 rad/s) = w * 51 ms, and
// friction adds 1 to 2 degrees at any rate. In worlds/teensy-field.yaml's robot both together are
// nearest to 67 ms: 0.2 to 0.6 m/s while it turns at 0.5 to 3 rad/s are less than 2 degrees off.
#define TEENSY_LAG_S 0.067

bool hy_teensy_swerve_drive_init(hy_swerve_drive *self, hy_teensy *robot, double period_s)
{
    const double arm = HY_TEENSY_MODULE_M;
    const hy_translation2d places[HY_TEENSY_MODULES] = {
        { arm, arm }, { -arm, arm }, { -arm, -arm }, { arm, -arm }
    };
    hy_swerve_config config = {
        .max_m_s = HY_TEENSY_MAX_M_S,
        .period_s = period_s,
        .lag_s = TEENSY_LAG_S,
        .drive = { 0.6, 2.0, 0.0 },
        .steer = { 2.5, 0.0, 0.03 },
    };
    hy_swerve_kinematics_init(&config.kinematics, places, HY_TEENSY_MODULES);
    hy_swerve_module modules[HY_TEENSY_MODULES];
    for (size_t i = 0; i < HY_TEENSY_MODULES; i++) {
        modules[i] = (hy_swerve_module){
            .drive = &robot->motor[2 * i],
            .steer = &robot->motor[2 * i + 1],
            .drive_encoder = &robot->encoder[2 * i],
            .steer_encoder = &robot->encoder[2 * i + 1],
        };
    }
    return hy_swerve_drive_init(self, &config, modules);
}
