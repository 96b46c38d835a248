#include "values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What the simulation publishes is in the states of the page already.
static bool is_programs_own(const hy_channel_info *channel)
{
    static const char *const others[] = { "/Robot",   "/Match",          "/Field",   "/Halyard",
                                          "/FMSInfo", "/DriverStation/", "/.schema", "/Phantom" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strncmp(channel->name, others[i], strlen(others[i])) == 0) {
            return false;
        }
    }
    return !channel->is_file_only;
}

static void add_name(program_values *self, const hy_channel_info *channel, const char *member,
                     unsigned char index)
{
    if (self->name_count == PROGRAM_VALUES_OWN) {
        return;
    }
    const char *const name = channel->name + (channel->name[0] == '/');
    (void)snprintf(self->names[self->name_count], PROGRAM_VALUES_NAME, "%s%s", name, member);
    self->channels[self->name_count] = channel->handle;
    self->members[self->name_count] = index;
    self->newest[self->name_count++] = NAN;
}

static void declare(void *context, const hy_channel_info *channel, uint64_t now_us)
{
    static const char *const members[] = { "/x", "/y", "/heading" };
    program_values *const self = context;
    if (is_programs_own(channel)) {
        if (strcmp(channel->type, "double") == 0 || strcmp(channel->type, "boolean") == 0) {
            add_name(self, channel, "", 0);
        }
        for (unsigned char i = 0; i < 3 && strcmp(channel->type, "struct:Pose2d") == 0; i++) {
            add_name(self, channel, members[i], i);
        }
    }
    if (self->next.declare != NULL) {
        self->next.declare(self->next.context, channel, now_us);
    }
}

static double read_member(hy_bytes value, size_t index)
{
    uint64_t bits = 0;
    double number;
    if (value.size == 1) {
        return value.data[0] != 0;
    }
    if (value.size < 8 * (index + 1)) {
        return NAN;
    }
    for (size_t i = 8; i-- > 0;) {
        bits = bits << 8 | value.data[8 * index + i];
    }
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void put(void *context, const hy_channel_info *channel, uint64_t now_us, hy_bytes value)
{
    program_values *const self = context;
    for (size_t i = 0; i < self->name_count; i++) {
        if (self->channels[i] == channel->handle) {
            self->newest[i] = read_member(value, self->members[i]);
        }
    }
    if (self->next.put != NULL) {
        self->next.put(self->next.context, channel, now_us, value);
    }
}

hy_telemetry_sink program_values_sink(program_values *self, const hy_telemetry_sink *next)
{
    self->next = next != NULL ? *next : (hy_telemetry_sink){ .context = NULL };
    return (hy_telemetry_sink){ self, declare, put };
}

void program_values_collect(program_values *self, hy_world_pose robot)
{
    const hy_world_pose *const start = &self->start;
    const double dx_m = robot.x_m - start->x_m, dy_m = robot.y_m - start->y_m;
    const double forward = cos(start->heading_rad), aside = sin(start->heading_rad);
    self->items[0] = (hy_scene_value){ "truth/x", dx_m * forward + dy_m * aside };
    self->items[1] = (hy_scene_value){ "truth/y", dy_m * forward - dx_m * aside };
    self->items[2] = (hy_scene_value){ "truth/heading", robot.heading_rad - start->heading_rad };
    self->count = 3;
    for (size_t i = 0; i < self->name_count; i++) {
        if (isfinite(self->newest[i])) {
            self->items[self->count++] = (hy_scene_value){ self->names[i], self->newest[i] };
        }
    }
}
