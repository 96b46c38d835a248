#include "device.h"
#include "finite.h"

// What the stock firmware sends for a wheel that has not turned for a minute.
#define TICKS_STILL UINT32_C(0x7FFFFFFF)

#define COUNTS_MAX 0x1p52 // as far as doubles have every whole number

bool hy_encoder_init(hy_encoder *self, double distance_per_count)
{
    if (!is_finite(distance_per_count) || distance_per_count == 0.0) {
        return false;
    }
    *self = (hy_encoder){ .kind = DEVICE_ENCODER, .distance_per_count = distance_per_count };
    return true;
}

void hy_encoder_set_absolute(hy_encoder *self, bool absolute)
{
    if (!DEVICE_IS(self, DEVICE_ENCODER)) {
        return;
    }
    self->absolute = absolute;
}

/// Counts a second as the firmware's period has them; 0 if it has none, or says that the wheel
/// stands.
static double rate_of_period(const hy_encoder_reading *reading)
{
    const uint32_t ticks = reading->period_num >> 1;
    if (!reading->has_period || ticks == 0 || ticks == TICKS_STILL || reading->period_den == 0) {
        return 0.0;
    }
    const double rate = (double)reading->period_den / (double)ticks;
    return (reading->period_num & 1) != 0 ? rate : -rate;
}

/// Statuses that come closer together than this were sent further apart, and waited for each other in the network: the time between
/// them says nothing of the wheel.
#define TOGETHER_S 0.0005

/// Counts a second, `moved` of which came in the last `elapsed_s`.
static double rate_now(const hy_encoder *self, const hy_encoder_reading *reading, int32_t moved,
                       double elapsed_s, double still_s)
{
    const double told = rate_of_period(reading);
    const double before = self->rate / self->distance_per_count;
    if (moved != 0) {
        // Until eight counts after a reversal, the firmware tells the period and direction from
        // before it.
        if (told * (double)moved > 0.0) {
            return told;
        }
        if (elapsed_s > TOGETHER_S) {
            return (double)moved / elapsed_s;
        }
        return before * (double)moved > 0.0 ? before : 0.0;
    }
    if (still_s >= HY_ENCODER_STILL_US * 1e-6) {
        return 0.0;
    }
    // No count for so long: whatever was told, the wheel is not faster than that.
    const double last = reading->has_period ? told : before;
    return still_s > 0.0 ? limited(last, -1.0 / still_s, 1.0 / still_s) : last;
}

static void begin_count(hy_encoder *self, int32_t count, int64_t now_us)
{
    self->has_count = true;
    self->count = count;
    self->counts = self->absolute ? count : self->counts;
    self->distance = (double)self->counts * self->distance_per_count;
    self->changed_us = now_us - HY_ENCODER_STILL_US;
    self->updated_us = now_us;
}

void hy_encoder_update(hy_encoder *self, const hy_encoder_reading *reading, int64_t now_us)
{
    if (self->distance_per_count == 0.0) {
        return;
    }
    self->readings++;
    if (!self->has_count) {
        begin_count(self, reading->count, now_us);
        return;
    }
    const int32_t moved = (int32_t)((uint32_t)reading->count - (uint32_t)self->count);
    const double elapsed_s = (double)(now_us - self->updated_us) * 1e-6;
    const double still_s = (double)(now_us - self->changed_us) * 1e-6;
    self->rate = rate_now(self, reading, moved, elapsed_s, still_s) * self->distance_per_count;
    self->counts += moved;
    self->distance = (double)self->counts * self->distance_per_count;
    self->count = reading->count;
    self->updated_us = now_us;
    self->changed_us = moved != 0 ? now_us : self->changed_us;
}

void hy_encoder_reset(hy_encoder *self)
{
    if (!DEVICE_IS(self, DEVICE_ENCODER)) {
        return;
    }
    self->counts = 0;
    self->distance = 0.0;
}

bool hy_encoder_set_position(hy_encoder *self, double distance)
{
    const double counts = distance / self->distance_per_count;
    if (!DEVICE_IS(self, DEVICE_ENCODER) || !is_finite(counts) || counts < -COUNTS_MAX ||
        counts > COUNTS_MAX) {
        return false;
    }
    self->counts = (int64_t)(counts < 0.0 ? counts - 0.5 : counts + 0.5);
    self->distance = (double)self->counts * self->distance_per_count;
    self->absolute = false;
    return true;
}

void hy_encoder_rebase(hy_encoder *self)
{
    self->has_count = false;
    self->rate = 0.0;
}
