#include <halyard/bot_devices.h>

#include "device.h"
#include "finite.h"

static const char *_Atomic mistaken;

const char *hy_device_mistaken(void)
{
    return mistaken;
}

bool device_refuse(const char *call)
{
    mistaken = call;
    return false;
}

// --------------------------------------------------------------------------- motors

void hy_motor_init(hy_motor *self, bool inverted)
{
    *self =
        (hy_motor){ .kind = DEVICE_MOTOR, .timeout_us = HY_MOTOR_TIMEOUT_US, .inverted = inverted };
}

void hy_motor_set_timeout(hy_motor *self, int64_t timeout_us)
{
    if (!DEVICE_IS(self, DEVICE_MOTOR)) {
        return;
    }
    self->timeout_us = timeout_us;
}

void hy_motor_set(hy_motor *self, double effort, int64_t now_us)
{
    if (!DEVICE_IS(self, DEVICE_MOTOR)) {
        return;
    }
    self->asked = effort;
    self->effort = limited(finite_or_0(effort), -1.0, 1.0);
    self->is_limited = effort != self->effort; // so is what is no number
    self->is_set_once = false;
    self->sets = self->effort == 0.0 ? 0 : self->sets == 0 ? 1 : 2;
    self->set_us = now_us;
}

void hy_motor_stop(hy_motor *self, int64_t now_us)
{
    hy_motor_set(self, 0.0, now_us);
}

double hy_motor_output(hy_motor *self, int64_t now_us)
{
    const bool is_late = self->timeout_us > 0 && now_us - self->set_us > self->timeout_us;
    if (is_late && self->effort != 0.0) {
        self->effort = 0.0;
        self->timeouts++;
        self->is_set_once = self->sets == 1;
    }
    return self->inverted ? -self->effort : self->effort;
}

// --------------------------------------------------------------------------- servos

bool hy_servo_init(hy_servo *self, double range_rad)
{
    if (!is_finite(range_rad) || !(range_rad > 0.0)) {
        return false;
    }
    *self = (hy_servo){ .kind = DEVICE_SERVO, .range_rad = range_rad };
    return true;
}

bool hy_servo_set_position(hy_servo *self, double position)
{
    if (!DEVICE_IS(self, DEVICE_SERVO) || !is_finite(position)) {
        return false;
    }
    self->asked = position;
    self->position = limited(position, 0.0, 1.0);
    self->is_set = true;
    return true;
}

bool hy_servo_set_angle(hy_servo *self, double angle_rad)
{
    return DEVICE_IS(self, DEVICE_SERVO) && hy_servo_set_position(self, angle_rad / self->range_rad);
}

double hy_servo_angle_rad(const hy_servo *self)
{
    return self->position * self->range_rad;
}

// --------------------------------------------------------------------------- the LED

void hy_led_set(hy_led *self, bool on)
{
    *self = (hy_led){ .on = on };
}

void hy_led_blink(hy_led *self, int64_t period_us)
{
    *self = (hy_led){ .on = true, .period_us = period_us > 0 ? period_us : 0 };
}

bool hy_led_output(const hy_led *self, int64_t now_us)
{
    if (self->period_us <= 1) {
        return self->on;
    }
    const int64_t phase_us = now_us % self->period_us;
    return phase_us < self->period_us / 2;
}
