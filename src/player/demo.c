#include <halyard/player.h>

#include <math.h>

#include "steering.h"

#define SPEED_MOST 190.0
#define UNLOAD_US  700000

// The ball of player 1 lies straight ahead of it; the goal is left of the middle behind it.
const hy_player_stage hy_player_one_ball[] = {
    { HY_PLAYER_AHEAD, 0.0, -2.15, 0.3 },     { HY_PLAYER_BACKWARD, -1.65, -5.3, 0.5 },
    { HY_PLAYER_BACKWARD, -1.7, -8.8, 1.45 }, { HY_PLAYER_UNLOAD, 0.0, 0.0, 0.0 },
    { HY_PLAYER_AHEAD, -1.5, -6.2, 0.3 },     { HY_PLAYER_REST, 0.0, 0.0, 0.0 },
};

static hy_icd_commands steer_to(hy_player_demo *self, double ahead_m, double left_m, double time_s)
{
    const hy_player_stage *const at = &self->stages[self->stage];
    const hy_steering_target to = { .ahead_m = ahead_m,
                                    .left_m = left_m,
                                    .backward = at->task == HY_PLAYER_BACKWARD,
                                    .to_go_m = hypot(ahead_m, left_m) + 0.3 - at->near_m / 2.0,
                                    .most = SPEED_MOST };
    return hy_steering_drive(&self->steering, &to, time_s);
}

static void start_next_stage(hy_player_demo *self, int64_t now_us)
{
    self->stage++;
    self->since_us = now_us;
    self->steering.turn_sum = 0.0;
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
    const double time_s = is_new ? hy_steering_follow(&self->steering, s->theta_rad, now_us) : 0.0;
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
