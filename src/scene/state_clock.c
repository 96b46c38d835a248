#include "state_clock.h"

#include <math.h>

#define SHARE     0.05    // of a difference that is corrected at once
#define ANEW_US   50000.0 // a simulator that paused, or another one
#define LOST_MOST 20.0    // steps whose states may have been lost

double hy_state_clock_receive(hy_state_clock *self, int64_t arrived_us, int64_t step_us)
{
    const double steps = fmax(1.0, round(((double)arrived_us - self->state_us) / (double)step_us));
    const double expected_us = self->state_us + steps * (double)step_us;
    const double late_us = (double)arrived_us - expected_us;
    if (!self->is_running || steps > LOST_MOST || fabs(late_us) > ANEW_US) {
        *self = (hy_state_clock){ .is_running = true,
                                  .state_us = fmax((double)arrived_us, self->state_us) };
    } else {
        self->state_us = expected_us + SHARE * late_us;
    }
    return self->state_us;
}
