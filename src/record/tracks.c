#include "tracks.h"

#include <math.h>
#include <stdlib.h>

#include "base/base_bytes.h"

bool track_append(track *self, hy_bytes file, const hy_wpilog_record *record)
{
    if (self->count == self->room) {
        const size_t room = self->room * 2 + 256;
        track_value *const values = realloc(self->values, room * sizeof *values);
        if (values == NULL) {
            return false;
        }
        self->values = values;
        self->room = room;
    }
    const uint64_t last_us = self->count > 0 ? self->values[self->count - 1].at_us : 0;
    self->values[self->count++] = (track_value){
        .at_us = record->at_us > last_us ? record->at_us : last_us, // else it cannot be searched
        .offset = (uint64_t)(record->value.data - file.data),
        .size = (uint32_t)record->value.size,
    };
    return true;
}

hy_bytes track_at(hy_bytes file, const track *of, uint64_t at_us)
{
    size_t low = 0, high = of->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (of->values[middle].at_us <= at_us) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) {
        return (hy_bytes){ NULL, 0 };
    }
    const track_value *const found = &of->values[low - 1];
    return (hy_bytes){ file.data + found->offset, found->size };
}

size_t track_doubles(hy_bytes value, double *out, size_t most)
{
    const size_t count = value.size / 8 < most ? value.size / 8 : most;
    for (size_t i = 0; i < count; i++) {
        out[i] = hy_load_f64_le(value.data + 8 * i);
    }
    return count;
}

bool track_pose(hy_bytes value, hy_world_pose *out)
{
    double pose[3];
    if (value.size != sizeof pose || track_doubles(value, pose, 3) != 3) {
        return false;
    }
    *out = (hy_world_pose){ .x_m = pose[0], .y_m = pose[1], .heading_rad = pose[2] };
    return isfinite(pose[0]) && isfinite(pose[1]) && isfinite(pose[2]);
}

void track_flag(hy_bytes value, bool *out)
{
    *out = value.size > 0 ? value.data[0] != 0 : *out;
}

void track_int(hy_bytes value, int *out)
{
    if (value.size == 8) {
        const int64_t number = (int64_t)hy_load_le(value.data, 8);
        *out = number > INT32_MAX ? INT32_MAX : number < INT32_MIN ? INT32_MIN : (int)number;
    }
}
