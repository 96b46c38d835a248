#include "run_record.h"

#include <halyard/link.h>

#include <stdio.h>
#include <string.h>

#include "cli/app.h"

// --------------------------------------------------------------------------- the file

bool run_record_start(run_record *self, const char *command, const hy_host_record *asked,
                      int64_t now_us)
{
    *self = (run_record){ .start_us = now_us };
    if (asked->path == NULL) {
        return true;
    }
    const hy_record_options options = { .path = asked->path, .overwrite = asked->overwrite };
    hy_record_error error;
    if (hy_record_open(&options, &self->file, &error) != HY_OK) {
        hy_print_error(command, "--record: %s", error.text);
        return false;
    }
    if (hy_telemetry_create(&self->telemetry) != HY_OK) {
        hy_print_error(command, "there is not enough memory");
        (void)run_record_end(self, command);
        return false;
    }
    (void)hy_telemetry_attach(self->telemetry, hy_record_sink(self->file)); // its first
    hy_record_metadata(self->telemetry, "Halyard", hy_version());
    hy_record_metadata(self->telemetry, "Program", command);
    hy_record_date(self->telemetry);
    return true;
}

void run_record_time(const run_record *self, int64_t now_us)
{
    if (self->telemetry != NULL) {
        hy_telemetry_set_time(self->telemetry, (uint64_t)(now_us - self->start_us));
    }
}

bool run_record_end(run_record *self, const char *command)
{
    hy_record_error error;
    const hy_status status = hy_record_close(self->file, &error);
    if (status != HY_OK) {
        hy_print_error(command, "--record: %s", error.text);
    }
    hy_telemetry_destroy(self->telemetry);
    *self = (run_record){ .file = NULL };
    return status == HY_OK;
}

// --------------------------------------------------------------------------- sticks

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
