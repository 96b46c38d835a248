
#include <string.h>

#include "view.h"

#define BUCKETS   5
#define BUCKET_US 200000 // five of them are the second over which a rate is counted
#define PATIENCE_US \
    500000 // no answer after so long is none: the sim is away, or the motors may not obey
#define LATENCIES (sizeof((hy_view_meter *)0)->latency_ms / sizeof(double))

// --------------------------------------------------------------------------- arrivals

/// Moves on to the bucket of `now_us`.
static void turn(hy_view_meter *self, int64_t now_us)
{
    if (now_us - self->bucket_us >= (BUCKETS + 1) * BUCKET_US) { // nothing in there counts any more
        memset(self->bucket, 0, sizeof self->bucket);
        self->bucket_us = now_us;
    }
    while (now_us - self->bucket_us >= BUCKET_US) {
        self->bucket_us += BUCKET_US;
        self->newest = (self->newest + 1) % BUCKETS;
        self->bucket[self->newest] = 0;
    }
}

void hy_view_meter_arrived(hy_view_meter *self, int64_t now_us)
{
    turn(self, now_us);
    self->bucket[self->newest]++;
    self->last_us = now_us;
}

double hy_view_meter_rate_hz(hy_view_meter *self, int64_t now_us)
{
    if (self->last_us == 0) {
        return -1.0;
    }
    turn(self, now_us);
    unsigned sum = 0;
    for (size_t i = 0; i < BUCKETS; i++) {
        sum += self->bucket[i];
    }
    const int64_t span_us = (BUCKETS - 1) * BUCKET_US + (now_us - self->bucket_us);
    return sum * 1e6 / (double)span_us;
}

double hy_view_meter_age_ms(const hy_view_meter *self, int64_t now_us)
{
    return self->last_us == 0 ? -1.0 : (double)(now_us - self->last_us) * 1e-3;
}

// --------------------------------------------------------------------------- latency

static bool moves_motors(const hy_icd_sticks *a, const hy_icd_sticks *b)
{
    return a->left_y != b->left_y || a->right_x != b->right_x ||
           a->left_trigger != b->left_trigger || a->right_trigger != b->right_trigger;
}

static void motors_of(const hy_icd_vehicle *seen, double out[3])
{
    out[0] = seen->left_drive_rad_s;
    out[1] = seen->right_drive_rad_s;
    out[2] = seen->tube_rad_s + seen->intake_center_rad_s; // only whether it changes matters
}

void hy_view_meter_sticks(hy_view_meter *self, const hy_icd_sticks *sticks,
                          const hy_icd_vehicle *seen, int64_t now_us)
{
    const bool is_move = self->has_sticks && moves_motors(sticks, &self->sticks);
    self->sticks = *sticks;
    self->has_sticks = true;
    if (is_move && self->moved_us == 0) {
        self->moved_us = now_us;
        motors_of(seen, self->moved_from);
    }
}

void hy_view_meter_seen(hy_view_meter *self, const hy_icd_vehicle *seen, int64_t now_us)
{
    if (self->moved_us == 0) {
        return;
    }
    double motors[3];
    motors_of(seen, motors);
    const double *const from = self->moved_from;
    if (motors[0] != from[0] || motors[1] != from[1] || motors[2] != from[2]) {
        self->latency_ms[self->latencies++ % LATENCIES] = (double)(now_us - self->moved_us) * 1e-3;
        self->moved_us = 0;
    } else if (now_us - self->moved_us > PATIENCE_US) {
        self->moved_us = 0;
    }
}

double hy_view_meter_latency_ms(const hy_view_meter *self)
{
    const size_t count = self->latencies < LATENCIES ? self->latencies : LATENCIES;
    for (size_t i = 0; i < count; i++) { // the median is the one that as many are below as above
        size_t below = 0, equal = 0;
        for (size_t j = 0; j < count; j++) {
            below += self->latency_ms[j] < self->latency_ms[i] ? 1 : 0;
            equal += self->latency_ms[j] == self->latency_ms[i] ? 1 : 0;
        }
        if (below <= count / 2 && below + equal > count / 2) {
            return self->latency_ms[i];
        }
    }
    return -1.0;
}
