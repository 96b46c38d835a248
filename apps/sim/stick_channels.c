#include "stick_channels.h"

#include <stdio.h>

static hy_channel declare_stick(hy_telemetry *telemetry, unsigned joystick, const char *what,
                                hy_channel_kind kind)
{
    char name[80];
    (void)snprintf(name, sizeof name, "/AdvantageKit/DriverStation/Joystick%u/%s", joystick, what);
    return hy_telemetry_declare(telemetry, &(hy_channel_spec){ .name = name, .kind = kind });
}

stick_channels stick_channels_declare(hy_telemetry *telemetry, unsigned joystick)
{
    return (stick_channels){
        .button_count = declare_stick(telemetry, joystick, "ButtonCount", HY_CHANNEL_INT64),
        .buttons = declare_stick(telemetry, joystick, "ButtonValues", HY_CHANNEL_INT64),
        .axes = declare_stick(telemetry, joystick, "AxisValues", HY_CHANNEL_FLOAT_ARRAY),
        .povs = declare_stick(telemetry, joystick, "POVs", HY_CHANNEL_INT64_ARRAY),
    };
}

// Degrees clockwise from up; -1: nothing is pressed.
static int64_t pov_of(const hy_icd_sticks *sticks)
{
    static const int16_t degrees[3][3] = { { 315, 0, 45 }, { 270, -1, 90 }, { 225, 180, 135 } };
    const int right = sticks->dpad_right - sticks->dpad_left;
    const int down = sticks->dpad_down - sticks->dpad_up;
    return degrees[down + 1][right + 1];
}

static float share_of(int value)
{
    return (float)value / HY_ICD_FULL;
}

void stick_channels_put(const stick_channels *self, hy_telemetry *telemetry,
                        const hy_icd_sticks *sticks)
{
    const bool buttons[] = { sticks->a,    sticks->b,           sticks->x,
                             sticks->y,    sticks->left_bumper, sticks->right_bumper,
                             sticks->back, sticks->start,       sticks->guide };
    const size_t count = sizeof buttons / sizeof *buttons;
    int64_t pressed = 0;
    for (size_t i = 0; i < count; i++) {
        pressed |= (int64_t)buttons[i] << i;
    }
    const float axes[] = { share_of(sticks->left_x),       share_of(-sticks->left_y),
                           share_of(sticks->left_trigger), share_of(sticks->right_trigger),
                           share_of(sticks->right_x),      share_of(-sticks->right_y) };
    const int64_t pov = pov_of(sticks);
    hy_telemetry_put_int64(telemetry, self->button_count, (int64_t)count);
    hy_telemetry_put_int64(telemetry, self->buttons, pressed);
    hy_telemetry_put_floats(telemetry, self->axes, axes, sizeof axes / sizeof *axes);
    hy_telemetry_put_int64s(telemetry, self->povs, &pov, 1);
}
