#include <halyard/player.h>

#include <math.h>

#define SPEED_GAIN 160.0 // motor speed a metre
#define SPEED_MOST 190.0
#define TURN_GAIN  1100.0 // motor speed a radian
#define TURN_BRAKE 130.0  // ... and a radian a second
#define TURN_MOST  450.0
#define UNLOAD_US  700000

// The ball of player 1 lies straight ahead of it; the goal is left of the middle behind it.
const hy_player_stage hy_player_one_ball[] = {
    { HY_PLAYER_AHEAD, 0.0, -2.4, 0.3 },      { HY_PLAYER_BACKWARD, -1.65, -5.3, 0.5 },
    { HY_PLAYER_BACKWARD, -1.7, -8.8, 1.45 }, { HY_PLAYER_UNLOAD, 0.0, 0.0, 0.0 },
    { HY_PLAYER_AHEAD, -1.5, -6.2, 0.3 },     { HY_PLAYER_REST, 0.0, 0.0, 0.0 },
};

static int limited(double value, double most)
{
    return (int)hy_clamp(value, -most, most, 0.0);
}

static hy_icd_commands steer(const hy_player_stage *at, double ahead_m, double left_m,
                             double rate_rad_s)
{
    const double way = at->task == HY_PLAYER_BACKWARD ? -1.0 : 1.0;
    const double error_rad = atan2(way * left_m, way * ahead_m);
    const double distance_m = hypot(ahead_m, left_m);
    const int speed = limited(way * SPEED_GAIN * (distance_m + 0.3 - at->near_m / 2.0) *
                                  fmax(0.0, cos(2.0 * error_rad)),
                              SPEED_MOST);
    const int turn = limited(TURN_GAIN * error_rad - TURN_BRAKE * rate_rad_s, TURN_MOST);
    return (hy_icd_commands){ .left_drive = speed - turn, .right_drive = speed + turn };
}

static void follow_turn(hy_player_demo *self, double heading_rad, int64_t now_us)
{
    if (heading_rad != self->heading_rad) { // a new state
        self->rate_rad_s =
            (heading_rad - self->heading_rad) * 1e6 / (double)(now_us - self->heading_us + 1);
        self->heading_rad = heading_rad;
        self->heading_us = now_us;
    }
}

static void start_next_stage(hy_player_demo *self, int64_t now_us)
{
    self->stage++;
    self->since_us = now_us;
}

hy_icd_commands hy_player_demo_drive(hy_player_demo *self, const hy_icd_sensors *s, int64_t now_us)
{
    hy_icd_commands out = { 0 };
    if (!s->has_pose) {
        return out;
    }
    if (!self->placed) {
        self->placed = true;
        self->mirrored = s->y_m > 0.0;
    }
    follow_turn(self, s->theta_rad, now_us);
    const hy_player_stage *const at = &self->stages[self->stage];
    if (at->task == HY_PLAYER_AHEAD || at->task == HY_PLAYER_BACKWARD) {
        const double side = self->mirrored ? -1.0 : 1.0;
        const double dx_m = side * at->x_m - s->x_m, dy_m = side * at->y_m - s->y_m;
        const double c = cos(s->theta_rad), sn = sin(s->theta_rad);
        out = steer(at, c * dx_m + sn * dy_m, c * dy_m - sn * dx_m, self->rate_rad_s);
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
