#include <halyard/run_tunables.h>

#include <math.h>
#include <stdio.h>

static double limit(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static hy_tunable_entry *find_entry(hy_tunables *self, hy_channel channel)
{
    for (size_t i = 0; i < self->count; i++) {
        if (self->entries[i].channel == channel) {
            return &self->entries[i];
        }
    }
    return NULL;
}

bool hy_tunable(hy_tunables *self, const char *name, double *value, double low, double high)
{
    char full[HY_CHANNEL_NAME_MAX + 1];
    *value = limit(*value, low, high);
    if (self->telemetry == NULL) {
        return false;
    }
    (void)snprintf(full, sizeof full, "/Tuning/%.200s", name);
    const hy_channel_spec spec = { .name = full,
                                   .kind = HY_CHANNEL_DOUBLE,
                                   .metadata = "{" HY_CHANNEL_TUNABLE "}",
                                   .is_input = true };
    const hy_channel channel = hy_telemetry_declare(self->telemetry, &spec);
    hy_tunable_entry *entry = find_entry(self, channel);
    if (channel == 0 || (entry == NULL && self->count == HY_TUNABLES_MAX)) {
        return false;
    }
    entry = entry != NULL ? entry : &self->entries[self->count++];
    *entry = (hy_tunable_entry){ channel, value, low, high };
    hy_telemetry_put_double(self->telemetry, channel, *value);
    return true;
}

bool hy_tunables_set(hy_tunables *self, hy_channel channel, double value)
{
    const hy_tunable_entry *const entry = find_entry(self, channel);
    if (entry == NULL) {
        return false;
    }
    if (isfinite(value)) {
        *entry->value = limit(value, entry->low, entry->high);
    }
    hy_telemetry_put_double(self->telemetry, channel, *entry->value);
    return true;
}
