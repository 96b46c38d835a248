#include "values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base_bytes.h"
#include "sim/sim_publish.h"

// What the simulation publishes is in the states of the page already.
static bool is_programs_own(const hy_channel_info *channel)
{
    return !channel->is_file_only &&
           !hy_sim_publishes((hy_bytes){ (const uint8_t *)channel->name, strlen(channel->name) });
}

static char *add_name(program_values *self, const hy_channel_info *channel, unsigned char index)
{
    if (self->name_count == PROGRAM_VALUES_OWN) {
        return NULL;
    }
    self->channels[self->name_count] = channel->handle;
    self->members[self->name_count] = index;
    self->newest[self->name_count] = NAN;
    return self->names[self->name_count++];
}

static void add_number(program_values *self, const hy_channel_info *channel)
{
    char *const name = add_name(self, channel, 0);
    if (name != NULL) {
        (void)snprintf(name, HY_SCENE_VALUE_NAME, "%s", channel->name + (channel->name[0] == '/'));
    }
}

static void add_pose(program_values *self, const hy_channel_info *channel)
{
    for (unsigned char i = 0; i < HY_SCENE_TRUTH; i++) {
        char *const name = add_name(self, channel, i);
        if (name != NULL) {
            hy_scene_name_pose(channel->name, i, name);
        }
    }
}

static void declare(void *context, const hy_channel_info *channel, uint64_t now_us)
{
    program_values *const self = context;
    if (is_programs_own(channel)) {
        if (strcmp(channel->type, "double") == 0 || strcmp(channel->type, "boolean") == 0) {
            add_number(self, channel);
        } else if (strcmp(channel->type, "struct:Pose2d") == 0) {
            add_pose(self, channel);
        }
    }
    if (self->next.declare != NULL) {
        self->next.declare(self->next.context, channel, now_us);
    }
}

static double read_member(hy_bytes value, size_t index)
{
    if (value.size == 1) {
        return value.data[0] != 0;
    }
    return value.size < 8 * (index + 1) ? NAN : hy_load_f64_le(value.data + 8 * index);
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
    hy_scene_truth(self->start, robot, self->items);
    self->count = HY_SCENE_TRUTH;
    for (size_t i = 0; i < self->name_count; i++) {
        if (isfinite(self->newest[i])) {
            self->items[self->count++] = (hy_scene_value){ self->names[i], self->newest[i] };
        }
    }
}
