#include "note.h"

#include <halyard/program.h>
#include <halyard/telemetry_structs.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Of the run that this thread is in: hy_program_say() has no argument for it.
static _Thread_local program_note *current;

program_note *program_note_use(program_note *note)
{
    program_note *const before = current;
    current = note;
    return before;
}

void hy_program_say(const char *format, ...)
{
    char text[PROGRAM_NOTE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (current != NULL) {
        current->has_changed = current->has_changed || strcmp(text, current->text) != 0;
        memcpy(current->text, text, sizeof text);
    }
}

// The channel of `name` in the log of the run; 0 if there is none.
static hy_channel channel_of(const char *name, hy_channel_kind kind, const hy_struct_type *type)
{
    char channel[HY_CHANNEL_NAME_MAX + 1];
    if (current == NULL || current->telemetry == NULL) {
        return 0;
    }
    (void)snprintf(channel, sizeof channel, "/SmartDashboard/%.200s", name);
    const hy_channel_spec spec = { .name = channel, .kind = kind, .type = type };
    return hy_telemetry_declare(current->telemetry, &spec);
}

void hy_program_put_number(const char *name, double value)
{
    const hy_channel channel = channel_of(name, HY_CHANNEL_DOUBLE, NULL);
    if (channel != 0) {
        hy_telemetry_put_double(current->telemetry, channel, value);
    }
}

void hy_program_put_boolean(const char *name, bool value)
{
    const hy_channel channel = channel_of(name, HY_CHANNEL_BOOLEAN, NULL);
    if (channel != 0) {
        hy_telemetry_put_boolean(current->telemetry, channel, value);
    }
}

void hy_program_put_pose(const char *name, hy_pose2d pose)
{
    const hy_channel channel = channel_of(name, HY_CHANNEL_STRUCT, &hy_struct_pose2d);
    if (channel != 0) {
        const hy_telemetry_pose2d value = { pose.translation.x_m, pose.translation.y_m,
                                            hy_rotation2d_rad(pose.rotation) };
        hy_telemetry_put_struct(current->telemetry, channel, &value);
    }
}
