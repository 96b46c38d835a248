// The reference mapping: sticks to motor speeds.
#include <halyard/player.h>

static int clamped(int speed)
{
    return speed < -HY_ICD_FULL ? -HY_ICD_FULL : speed > HY_ICD_FULL ? HY_ICD_FULL : speed;
}

hy_icd_commands hy_player_map(hy_player_mapping *self, const hy_icd_sticks *sticks)
{
    if (self->back_was_down && !sticks->back) {
        self->one_handed = !self->one_handed;
    }
    self->back_was_down = sticks->back;
    const int turn = (self->one_handed ? sticks->left_x : sticks->right_x) / 2;
    return (hy_icd_commands){
        .left_drive = clamped(sticks->left_y + turn),
        .right_drive = clamped(sticks->left_y - turn),
        .intake_center = sticks->left_trigger,
        .intake_left = sticks->left_trigger,
        .intake_right = sticks->left_trigger,
        .tube = sticks->right_trigger,
        .timer_start_stop = sticks->start,
        .reset = sticks->guide,
        .outtake = sticks->a,
    };
}
