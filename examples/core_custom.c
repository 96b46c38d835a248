// A core of your own for the four-part simulator: while button A of the joystick is held, the robot drives ahead, keeps
// straight by its encoders, and stops two metres before whatever its lidar sees. Otherwise the sticks drive as always.
//
//     build/halyard sim &  build/examples/core_custom &  build/halyard joystick --script FILE
#include <halyard/core.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define STOP_M       2.0  // before an obstacle
#define AHEAD_RAD    0.2  // what lies within so much of straight ahead is in the way
#define TICKS        1024 // encoder ticks of a wheel's turn
#define SPEED_GAIN   250.0
#define STRAIGHT_P   0.8 // motor speed per tick that one side is behind
#define STRAIGHT_I   0.5 // the same per tick and second
#define CRUISE_SPEED 250.0

typedef struct {
    hy_core_mapping mapping;
    bool was_held;
    int left_ticks, right_ticks; // as read last
    double behind, behind_sum;   // ticks that the left side has gone less than the right one
    double ahead_m;              // nearest echo of the sweep under way
    double sweep_ahead_m;        // ... and of the last whole one
    int64_t before_us;
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
        if (i > 0 && p.azimuth_rad < lidar->points[i - 1].azimuth_rad) {
            self->sweep_ahead_m = self->ahead_m;
            self->ahead_m = INFINITY;
        }
        if (cos(p.azimuth_rad) > cos(AHEAD_RAD) && p.range_m > 0.0) {
            self->ahead_m = fmin(self->ahead_m, p.range_m);
        }
    }
}

static hy_icd_commands drive_ahead(pilot *self, double dt_s)
{
    const double ahead_m = fmin(self->ahead_m, self->sweep_ahead_m);
    const double speed = fmax(0.0, fmin(CRUISE_SPEED, SPEED_GAIN * (ahead_m - STOP_M)));
    self->behind_sum += self->behind * dt_s;
    const double turn = speed > 0.0 ? STRAIGHT_P * self->behind + STRAIGHT_I * self->behind_sum : 0.0;
    return (hy_icd_commands){ .left_drive = (int)(speed + turn), .right_drive = (int)(speed - turn) };
}

static hy_icd_commands think(void *context, const hy_core_input *in)
{
    pilot *const self = context;
    const double dt_s = (double)(in->now_us - self->before_us) * 1e-6;
    self->before_us = in->now_us;
    if (in->is_new) {
        follow_encoders(self, &in->sensors);
        follow_lidar(self, &in->sensors.lidar);
    }
    const bool is_held = in->sticks.a && in->sim_up;
    if (is_held && !self->was_held) {
        self->behind = self->behind_sum = 0.0;
    }
    self->was_held = is_held;
    hy_icd_sticks sticks = in->sticks;
    sticks.a = false; // ours, not the outtake's
    return is_held ? drive_ahead(self, dt_s) : hy_core_map(&self->mapping, &sticks);
}

int main(int argc, char **argv)
{
    pilot self = { .ahead_m = INFINITY, .sweep_ahead_m = INFINITY };
    const hy_core_options options = { .player = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1,
                                      .shift = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0 };
    const hy_status status = hy_core_run(&options, think, &self);
    if (status != HY_OK) {
        fprintf(stderr, "core_custom: %s\n", hy_status_text(status));
    }
    return status == HY_OK ? 0 : 1;
}
