#include <halyard/wire.h>

// SPEC wire 6. What the stock firmware sends for a wheel that has not turned for a minute.
#define TICKS_STILL UINT32_C(0x7FFFFFFF)

hy_encoder_motion hy_wire_encoder_rate(const hy_wire_encoder *encoder, float *rate_counts_s)
{
    const uint32_t ticks = encoder->period_num >> 1;
    const bool is_forward = (encoder->period_num & 1) != 0;
    *rate_counts_s = 0;
    if (!encoder->has_period || ticks == 0 || encoder->period_den == 0) {
        return HY_ENCODER_UNKNOWN;
    }
    if (ticks == TICKS_STILL) {
        return HY_ENCODER_STILL;
    }
    const float rate = (float)encoder->period_den / (float)ticks;
    *rate_counts_s = is_forward ? rate : -rate;
    return HY_ENCODER_MOVING;
}
