#include <halyard/bot_control.h>
#include <halyard/bot_devices.h>

#include "finite.h"

#define ADC_FULL_V 5.0

static bool are_finite(const float v[3])
{
    return is_finite((double)v[0]) && is_finite((double)v[1]) && is_finite((double)v[2]);
}

// --------------------------------------------------------------------------- gyro

void hy_gyro_update(hy_gyro *self, const float rate_dps[3], const float angle_deg[3])
{
    if (!are_finite(rate_dps) || !are_finite(angle_deg)) {
        self->refused++;
        return;
    }
    self->readings++;
    for (int axis = 0; axis < 3; axis++) {
        const double now_deg = (double)angle_deg[axis];
        const double moved_deg = self->has_angle ? now_deg - self->last_deg[axis] : 0.0;
        self->angle_rad[axis] += hy_rad_from_deg(hy_input_modulus(moved_deg, -180.0, 180.0));
        self->rate_rad_s[axis] = hy_rad_from_deg((double)rate_dps[axis]);
        self->last_deg[axis] = now_deg;
    }
    self->has_angle = true;
}

void hy_gyro_reset(hy_gyro *self)
{
    for (int axis = 0; axis < 3; axis++) {
        self->angle_rad[axis] = 0.0;
    }
}

void hy_gyro_rebase(hy_gyro *self)
{
    self->has_angle = false;
}

// --------------------------------------------------------------------------- accelerometer

void hy_accelerometer_update(hy_accelerometer *self, const float accel_g[3])
{
    if (!are_finite(accel_g)) {
        self->refused++;
        return;
    }
    self->readings++;
    for (int axis = 0; axis < 3; axis++) {
        self->accel_m_s2[axis] = (double)accel_g[axis] * HY_GRAVITY_M_S2;
    }
}

// --------------------------------------------------------------------------- floor and distance

void hy_reflectance_update(hy_reflectance *self, float left_v, float right_v)
{
    const double left = (double)left_v, right = (double)right_v;
    if (!is_finite(left) || !is_finite(right)) {
        self->refused++;
        return;
    }
    self->is_ready = left >= 0.0 && right >= 0.0;
    self->left_v = limited(left, 0.0, ADC_FULL_V);
    self->right_v = limited(right, 0.0, ADC_FULL_V);
    self->left = self->left_v / ADC_FULL_V;
    self->right = self->right_v / ADC_FULL_V;
}

void hy_rangefinder_update(hy_rangefinder *self, float volts)
{
    const double v = (double)volts;
    if (!is_finite(v)) {
        self->refused++;
        return;
    }
    self->is_ready = v > 0.0;
    self->range_m = limited(v / ADC_FULL_V, 0.0, 1.0) * HY_RANGEFINDER_MAX_M;
    self->is_saturated = self->range_m >= HY_RANGEFINDER_MAX_M;
}

// --------------------------------------------------------------------------- buttons

void hy_button_update(hy_button *self, bool is_down)
{
    if (is_down && !self->is_down) {
        self->presses++;
    }
    if (!is_down && self->is_down) {
        self->releases++;
    }
    self->is_down = is_down;
}

static bool is_new(uint32_t edges, uint32_t *seen)
{
    const bool any = edges != *seen;
    *seen = edges;
    return any;
}

bool hy_button_was_pressed(hy_button *self)
{
    return is_new(self->presses, &self->presses_seen);
}

bool hy_button_was_released(hy_button *self)
{
    return is_new(self->releases, &self->releases_seen);
}
