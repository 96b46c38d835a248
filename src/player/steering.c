#include "steering.h"

#include <math.h>

#define SPEED_GAIN 160.0 // motor speed a metre
#define RATE_GAIN  3.0   // rad/s a radian of heading error
#define RATE_MOST  3.0   // rad/s
#define TURN_IDEAL 21.5  // motor speed a radian a second, of a robot whose wheels do not slip
#define TURN_GAIN  20.0  // ... and a radian a second that is missing
#define TURN_SUM   80.0  // ... and a radian that is missing
#define TURN_MOST  450.0

static int limited(double value, double most)
{
    return (int)hy_clamp(value, -most, most, 0.0);
}

/// The turn that brings the measured rate to the wanted one. A robot with motors needs many times the command of an
/// ideal one, for its tyres scrub: the sum of what was missing finds out how much.
static int turn_for(hy_player_steering *self, double wanted_rad_s, double time_s)
{
    // Limited: two states that arrive at once look like a very fast turn.
    const double missing_rad_s =
        hy_clamp(wanted_rad_s - self->rate_rad_s, -2 * RATE_MOST, 2 * RATE_MOST, 0.0);
    self->turn_sum =
        hy_clamp(self->turn_sum + TURN_SUM * missing_rad_s * time_s, -TURN_MOST, TURN_MOST, 0.0);
    return limited(TURN_IDEAL * wanted_rad_s + TURN_GAIN * missing_rad_s + self->turn_sum, TURN_MOST);
}

double hy_steering_follow(hy_player_steering *self, double heading_rad, int64_t now_us)
{
    const double time_s = (double)(now_us - self->heading_us) * 1e-6;
    if (time_s <= 0.0) {
        return 0.0;
    }
    const bool is_known = self->heading_us != 0 && time_s < 0.5;
    self->rate_rad_s = is_known ? (heading_rad - self->heading_rad) / time_s : 0.0;
    self->heading_rad = heading_rad;
    self->heading_us = now_us;
    return is_known ? time_s : 0.0;
}

hy_icd_commands hy_steering_drive(hy_player_steering *self, const hy_steering_target *to,
                                  double time_s)
{
    const double direction = to->backward ? -1.0 : 1.0;
    const double error_rad = atan2(direction * to->left_m, direction * to->ahead_m);
    const int speed =
        limited(direction * SPEED_GAIN * to->to_go_m * fmax(0.0, cos(2.0 * error_rad)), to->most);
    const int turn =
        turn_for(self, hy_clamp(RATE_GAIN * error_rad, -RATE_MOST, RATE_MOST, 0.0), time_s);
    return (hy_icd_commands){ .left_drive = speed - turn, .right_drive = speed + turn };
}
