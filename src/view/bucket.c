#include "bucket.h"

#define MESSAGE 1000000 // of the level

static int64_t rate_of(unsigned seats)
{
    return VIEW_BUCKET_RATE + (int64_t)seats * VIEW_BUCKET_SEAT_RATE;
}

void view_bucket_start(view_bucket *self, int64_t now_us)
{
    *self = (view_bucket){ .level = rate_of(0) * VIEW_BUCKET_BURST_US, .filled_us = now_us };
}

static void fill(view_bucket *self, int64_t rate, int64_t now_us)
{
    const int64_t passed_us = now_us - self->filled_us;
    const int64_t counted_us = passed_us < VIEW_BUCKET_BURST_US ? passed_us : VIEW_BUCKET_BURST_US;
    const int64_t most = rate * VIEW_BUCKET_BURST_US;
    self->level += rate * counted_us;
    self->level = self->level < most ? self->level : most;
    self->filled_us = now_us;
}

view_bucket_verdict view_bucket_take(view_bucket *self, unsigned seats, int64_t now_us)
{
    fill(self, rate_of(seats), now_us);
    if (self->is_over && now_us - self->last_over_us > VIEW_BUCKET_CALM_US) {
        self->is_over = false;
    }
    if (self->level >= MESSAGE) {
        self->level -= MESSAGE;
        return VIEW_BUCKET_PASSES;
    }
    if (!self->is_over) {
        self->is_over = true;
        self->over_since_us = now_us;
    }
    self->last_over_us = now_us;
    return now_us - self->over_since_us > VIEW_BUCKET_OVER_US ? VIEW_BUCKET_TOO_LONG
                                                              : VIEW_BUCKET_OVER;
}
