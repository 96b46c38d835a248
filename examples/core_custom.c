// A core of your own for the four-part simulator: while button A of the joystick is held, the robot drives ahead. One PID keeps
// it straight by its encoders, another one stops it two metres before whatever its lidar sees. Otherwise the sticks drive as always.
//
//     build/halyard sim &  build/examples/core_custom &  build/halyard joystick --script FILE
#include <halyard/core.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define STOP_M       2.0  // before an obstacle
#define AHEAD_RAD    0.2  // what lies within so much of straight ahead is in the way
#define TICKS        1024 // encoder ticks of a wheel's turn
#define CRUISE_SPEED 250.0

typedef struct {
    double p, i, d; // per unit of error, per unit and second, per unit a second
    double sum, before;
    bool has_before;
} pid;

typedef struct {
    hy_player_mapping mapping;
    bool was_held;
    int left_ticks, right_ticks; // as read last
    double behind;               // ticks that the left side has gone less than the right one
    pid straight, distance;      // motor speed for ticks, motor speed for metres
    double speed, turn;          // as they said last
    int64_t turn_us, speed_us;   // when
    double azimuth_rad;          // of the newest lidar point
    double ahead_m;              // nearest echo of the sweep under way
    double sweep_ahead_m;        // ... and of the last whole one
    bool has_sweep;              // it has just become whole
} pilot;

// Encoders wrap from 1023 to 0: the shorter way around is what the wheel did.
static int ticks_since(int before, int now)
{
    return (now - before + TICKS + TICKS / 2) % TICKS - TICKS / 2;
}

static void follow_encoders(pilot *self, const hy_icd_sensors *sensors)
{
    const int left = ticks_since(self->left_ticks, sensors->left_encoder);
    const int right = ticks_since(self->right_ticks, sensors->right_encoder);
    self->behind += right - left;
    self->left_ticks = sensors->left_encoder;
    self->right_ticks = sensors->right_encoder;
}

// Points come as they are measured; the azimuth falls back to 0 when a sweep is whole.
static void follow_lidar(pilot *self, const hy_icd_lidar *lidar)
{
    for (size_t i = 0; i < lidar->count; i++) {
        const hy_icd_lidar_point p = lidar->points[i];
        if (p.azimuth_rad < self->azimuth_rad) {
            self->sweep_ahead_m = self->ahead_m;
            self->ahead_m = INFINITY;
            self->has_sweep = true;
        }
        self->azimuth_rad = p.azimuth_rad;
        if (cos(p.azimuth_rad) > cos(AHEAD_RAD) && p.range_m > 0.0) {
            self->ahead_m = fmin(self->ahead_m, p.range_m);
        }
    }
}

static double limited(double value, double most)
{
    return fmax(-most, fmin(most, value));
}

// What the controller does about `error`, at most `most`. Its integral rests while it is at its limit, or it would overshoot.
static double pid_step(pid *self, double error, double dt_s, double most)
{
    const double rate = self->has_before && dt_s > 0.0 ? (error - self->before) / dt_s : 0.0;
    const double out = self->p * error + self->i * self->sum + self->d * rate;
    self->before = error;
    self->has_before = true;
    self->sum += fabs(out) < most ? error * dt_s : 0.0;
    return limited(out, most);
}

static void pid_begin(pid *self)
{
    self->sum = 0.0;
    self->has_before = false;
}

static void begin(pilot *self, int64_t now_us)
{
    pid_begin(&self->straight);
    pid_begin(&self->distance);
    self->behind = self->speed = self->turn = 0.0;
    self->turn_us = self->speed_us = now_us;
}

// Each controller runs when there is something new to control by: the encoders with every message, the lidar once a sweep.
static void drive_ahead(pilot *self, const hy_core_input *in)
{
    if (in->is_new) {
        const double dt_s = (double)(in->now_us - self->turn_us) * 1e-6;
        self->turn = pid_step(&self->straight, self->behind, dt_s, CRUISE_SPEED / 2.0);
        self->turn_us = in->now_us;
    }
    if (self->has_sweep) {
        const double dt_s = (double)(in->now_us - self->speed_us) * 1e-6;
        const double left_m = fmin(self->sweep_ahead_m, 3.0 * STOP_M) - STOP_M;
        self->speed = pid_step(&self->distance, left_m, dt_s, CRUISE_SPEED);
        self->speed_us = in->now_us;
    }
}

static hy_icd_commands think(void *context, const hy_core_input *in)
{
    pilot *const self = context;
    if (in->is_new) {
        follow_encoders(self, &in->sensors);
        follow_lidar(self, &in->sensors.lidar);
    }
    const bool is_held = in->sticks.a && in->sim_up;
    if (is_held && !self->was_held) {
        begin(self, in->now_us);
    }
    self->was_held = is_held;
    hy_icd_sticks sticks = in->sticks;
    sticks.a = false; // ours, not the outtake's
    hy_icd_commands commands = hy_player_map(&self->mapping, &sticks);
    if (is_held) {
        drive_ahead(self, in);
        commands.left_drive = (int)(self->speed + self->turn);
        commands.right_drive = (int)(self->speed - self->turn);
    }
    self->has_sweep = false;
    return commands;
}

int main(int argc, char **argv)
{
    pilot self = { .ahead_m = INFINITY,
                   .sweep_ahead_m = INFINITY,
                   .straight = { .p = 0.8, .i = 0.5, .d = 0.02 },
                   .distance = { .p = 150.0, .i = 20.0, .d = 40.0 } };
    const hy_core_options options = { .player = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1,
                                      .shift = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0 };
    const hy_status status = hy_core_run(&options, think, &self);
    if (status != HY_OK) {
        fprintf(stderr, "core_custom: %s\n", hy_status_text(status));
    }
    return status == HY_OK ? 0 : 1;
}
