#include <halyard/player.h>

#include <math.h>

#define SPEED_GAIN 160.0 // motor speed a metre
#define SPEED_MOST 190.0
#define RATE_GAIN  3.0  // rad/s a radian of heading error
#define RATE_MOST  3.0  // rad/s
#define TURN_IDEAL 21.5 // motor speed a radian a second, of a robot whose wheels do not slip
#define TURN_GAIN  20.0 // ... and a radian a second that is missing
#define TURN_SUM   80.0 // ... and a radian that is missing
#define TURN_MOST  450.0
#define UNLOAD_US  700000

// The ball of player 1 lies straight ahead of it; the goal is left of the middle behind it.
const hy_player_stage hy_player_one_ball[] = {
    { HY_PLAYER_AHEAD, 0.0, -2.15, 0.3 },     { HY_PLAYER_BACKWARD, -1.65, -5.3, 0.5 },
    { HY_PLAYER_BACKWARD, -1.7, -8.8, 1.45 }, { HY_PLAYER_UNLOAD, 0.0, 0.0, 0.0 },
    { HY_PLAYER_AHEAD, -1.5, -6.2, 0.3 },     { HY_PLAYER_REST, 0.0, 0.0, 0.0 },
};

static int limited(double value, double most)
{
    return (int)hy_clamp(value, -most, most, 0.0);
}

/// The turn that brings the measured rate to the wanted one. A robot with motors needs many times the command of an
/// ideal one, for its tyres scrub: the sum of what was missing finds out how much.
static int turn_for(hy_player_demo *self, double wanted_rad_s, double time_s)
{
    // Limited: two states that arrive at once look like a very fast turn.
    const double missing_rad_s =
        hy_clamp(wanted_rad_s - self->rate_rad_s, -2 * RATE_MOST, 2 * RATE_MOST, 0.0);
    self->turn_sum =
        hy_clamp(self->turn_sum + TURN_SUM * missing_rad_s * time_s, -TURN_MOST, TURN_MOST, 0.0);
    return limited(TURN_IDEAL * wanted_rad_s + TURN_GAIN * missing_rad_s + self->turn_sum, TURN_MOST);
}

static hy_icd_commands steer_to(hy_player_demo *self, double ahead_m, double left_m, double time_s)
{
    const hy_player_stage *const at = &self->stages[self->stage];
    const double way = at->task == HY_PLAYER_BACKWARD ? -1.0 : 1.0;
    const double error_rad = atan2(way * left_m, way * ahead_m);
    const double distance_m = hypot(ahead_m, left_m);
    const int speed = limited(way * SPEED_GAIN * (distance_m + 0.3 - at->near_m / 2.0) *
                                  fmax(0.0, cos(2.0 * error_rad)),
                              SPEED_MOST);
    const int turn =
        turn_for(self, hy_clamp(RATE_GAIN * error_rad, -RATE_MOST, RATE_MOST, 0.0), time_s);
    return (hy_icd_commands){ .left_drive = speed - turn, .right_drive = speed + turn };
}

/// The newest heading, and how fast it changes; the time since the state before, 0 without a new state.
static double follow_turn(hy_player_demo *self, double heading_rad, bool is_new, int64_t now_us)
{
    const double time_s = (double)(now_us - self->heading_us) * 1e-6;
    if (!is_new || time_s <= 0.0) {
        return 0.0;
    }
    const bool is_known = self->heading_us != 0 && time_s < 0.5;
    self->rate_rad_s = is_known ? (heading_rad - self->heading_rad) / time_s : 0.0;
    self->heading_rad = heading_rad;
    self->heading_us = now_us;
    return is_known ? time_s : 0.0;
}

static void start_next_stage(hy_player_demo *self, int64_t now_us)
{
    self->stage++;
    self->since_us = now_us;
    self->turn_sum = 0.0;
}

hy_icd_commands hy_player_demo_drive(hy_player_demo *self, const hy_icd_sensors *s, bool is_new,
                                     int64_t now_us)
{
    hy_icd_commands out = { 0 };
    if (!s->has_pose) {
        return out;
    }
    if (!self->placed) {
        self->placed = true;
        self->mirrored = s->y_m > 0.0;
    }
    const double time_s = follow_turn(self, s->theta_rad, is_new, now_us);
    const hy_player_stage *const at = &self->stages[self->stage];
    if (at->task == HY_PLAYER_AHEAD || at->task == HY_PLAYER_BACKWARD) {
        const double side = self->mirrored ? -1.0 : 1.0;
        const double dx_m = side * at->x_m - s->x_m, dy_m = side * at->y_m - s->y_m;
        const double c = cos(s->theta_rad), sn = sin(s->theta_rad);
        out = steer_to(self, c * dx_m + sn * dy_m, c * dy_m - sn * dx_m, time_s);
        out.intake_center = out.intake_left = out.intake_right = HY_ICD_FULL;
        if (hypot(dx_m, dy_m) < at->near_m) {
            start_next_stage(self, now_us);
        }
    } else if (at->task == HY_PLAYER_UNLOAD) {
        out.tube = HY_ICD_FULL;
        if (now_us - self->since_us > UNLOAD_US) {
            start_next_stage(self, now_us);
        }
    }
    return out;
}

bool hy_player_demo_is_over(const hy_player_demo *self)
{
    return self->stages[self->stage].task == HY_PLAYER_REST;
}
