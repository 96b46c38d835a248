#include "laps.h"

#include <math.h>

// A lap is at least so many times as long as half of the line: turning around on the line is none.
#define LAP_LEAST 4.0

void lap_counter_start(lap_counter *self, const hy_phantoms_living *at, double half_m)
{
    *self = (lap_counter){ .start = { at->x_m, at->y_m },
                           .cos = cos(at->heading_rad),
                           .sin = sin(at->heading_rad),
                           .half_m = half_m,
                           .x_m = at->x_m,
                           .y_m = at->y_m,
                           .t_s = at->t_s,
                           .crossed_s = at->t_s };
}

static double ahead_of_start(const lap_counter *self, double x_m, double y_m)
{
    return (x_m - self->start.x_m) * self->cos + (y_m - self->start.y_m) * self->sin;
}

void lap_counter_move(lap_counter *self, const hy_phantoms_living *now)
{
    const double before_m = ahead_of_start(self, self->x_m, self->y_m);
    const double after_m = ahead_of_start(self, now->x_m, now->y_m);
    const double aside_m =
        (now->y_m - self->start.y_m) * self->cos - (now->x_m - self->start.x_m) * self->sin;
    const double moved_m = hypot(now->x_m - self->x_m, now->y_m - self->y_m);
    const bool crosses = before_m < 0.0 && after_m >= 0.0 && fabs(aside_m) < self->half_m;
    if (crosses && self->driven_m - self->crossed_m > LAP_LEAST * self->half_m) {
        const double share = before_m / (before_m - after_m);
        const double crossed_s = self->t_s + share * (now->t_s - self->t_s);
        if (self->count < HY_PHANTOMS_LAPS) {
            self->laps_s[self->count++] = crossed_s - self->crossed_s;
        }
        self->crossed_s = crossed_s;
        self->crossed_m = self->driven_m + share * moved_m;
    }
    self->driven_m += moved_m;
    self->x_m = now->x_m;
    self->y_m = now->y_m;
    self->t_s = now->t_s;
}
