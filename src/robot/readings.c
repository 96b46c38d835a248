// What a robot says of itself, in SI units.
#include <math.h>

#include "robot_state.h"

static bool is_reported(uint32_t channels, unsigned channel)
{
    return channel < 32 && (channels >> channel & 1u) != 0;
}

double hy_robot_encoder_counts(const hy_robot *self, unsigned encoder)
{
    return is_reported(self->status.encoders, encoder) ? (double)self->status.encoder[encoder].count
                                                       : (double)NAN;
}

double hy_robot_encoder_rate(const hy_robot *self, unsigned encoder)
{
    float rate_counts_s;
    if (!is_reported(self->status.encoders, encoder) ||
        hy_wire_encoder_rate(&self->status.encoder[encoder], &rate_counts_s) == HY_ENCODER_UNKNOWN) {
        return (double)NAN;
    }
    return (double)rate_counts_s;
}

double hy_robot_analog_v(const hy_robot *self, unsigned analog)
{
    const bool is_there =
        is_reported(self->status.analogs, analog) && self->status.analog_v[analog] >= 0.0f;
    return is_there ? (double)self->status.analog_v[analog] : (double)NAN;
}

bool hy_robot_dio(const hy_robot *self, unsigned dio)
{
    return is_reported(self->status.dios & self->status.dio_levels, dio);
}

// Three values in the wire's unit, times `scale`; NaN if they are not reported.
static void convert(const float values[3], bool is_there, double scale, double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = is_there ? (double)values[i] * scale : (double)NAN;
    }
}

bool hy_robot_gyro(const hy_robot *self, double rate_rad_s[3], double angle_rad[3])
{
    const bool is_there = self->status.has_gyro;
    convert(self->status.gyro_rate_dps, is_there, hy_rad_from_deg(1.0), rate_rad_s);
    convert(self->status.gyro_angle_deg, is_there, hy_rad_from_deg(1.0), angle_rad);
    return is_there;
}

bool hy_robot_accel(const hy_robot *self, double accel_m_s2[3])
{
    convert(self->status.accel_g, self->status.has_accel, HY_GRAVITY_M_S2, accel_m_s2);
    return self->status.has_accel;
}

const hy_wire_status *hy_robot_get_status(const hy_robot *self)
{
    return &self->status;
}

int64_t hy_robot_get_status_us(const hy_robot *self)
{
    return self->status_us;
}

const hy_dialect *hy_robot_get_dialect(const hy_robot *self)
{
    return self->dialect;
}

hy_endpoint hy_robot_get_address(const hy_robot *self)
{
    return self->address;
}

hy_robot_counters hy_robot_get_counters(const hy_robot *self)
{
    hy_robot_counters counters = self->counters;
    counters.lost = self->peer.gate.lost;
    counters.restarts = self->peer.restarts;
    return counters;
}
