#include "track.h"

#include <math.h>

#define COUNTS_JUMP 2000 // over a wheel turn every 50 ms is ten times an XRP's speed: a restart
#define GYRO_Z      2

void track_start(track *self, const hy_robot_wheels *wheels, double x_m, double y_m,
                 double heading_rad)
{
    *self = (track){ .wheels = wheels, .x_m = x_m, .y_m = y_m, .heading_rad = heading_rad };
}

static void set_zero(track *self, const hy_readings *readings)
{
    self->started = true;
    self->count[0] = readings->encoder[self->wheels->left_encoder].count;
    self->count[1] = readings->encoder[self->wheels->right_encoder].count;
    self->gyro_deg = (double)readings->gyro_angle_deg[GYRO_Z];
}

// Right across the wrap of the 32-bit counter.
static int32_t counts_since(const track *self, const hy_readings *readings, int wheel)
{
    const unsigned encoder = wheel == 0 ? self->wheels->left_encoder : self->wheels->right_encoder;
    return (int32_t)((uint32_t)readings->encoder[encoder].count - (uint32_t)self->count[wheel]);
}

static double turned_rad(const track *self, const hy_readings *readings, double left_m,
                         double right_m)
{
    const double angle_deg = (double)readings->gyro_angle_deg[GYRO_Z];
    if (!readings->has_gyro || !isfinite(angle_deg)) {
        return (right_m - left_m) / self->wheels->track_m;
    }
    return hy_wrap_angle(hy_rad_from_deg(angle_deg - self->gyro_deg));
}

void track_update(track *self, const hy_readings *readings)
{
    if (self->wheels == NULL) {
        return;
    }
    const unsigned needed = 1u << self->wheels->left_encoder | 1u << self->wheels->right_encoder;
    if ((readings->encoders & needed) != needed) {
        return;
    }
    const int32_t left = self->started ? counts_since(self, readings, 0) : 0;
    const int32_t right = self->started ? counts_since(self, readings, 1) : 0;
    const bool is_jump =
        left > COUNTS_JUMP || left < -COUNTS_JUMP || right > COUNTS_JUMP || right < -COUNTS_JUMP;
    if (!self->started || is_jump) {
        set_zero(self, readings);
        return;
    }
    const double left_m = left * self->wheels->m_per_count;
    const double right_m = right * self->wheels->m_per_count;
    const double way_m = (left_m + right_m) / 2.0;
    const double turn_rad = turned_rad(self, readings, left_m, right_m);
    const double along_rad = self->heading_rad + turn_rad / 2.0; // the chord of the arc
    self->x_m += way_m * cos(along_rad);
    self->y_m += way_m * sin(along_rad);
    self->heading_rad += turn_rad;
    self->distance_m += fabs(way_m);
    self->left_m += left_m;
    self->right_m += right_m;
    set_zero(self, readings);
}

void track_resync(track *self)
{
    self->started = false;
}
