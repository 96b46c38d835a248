#include <halyard/run.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// --------------------------------------------------------------------------- numbers

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

static hy_tunable_entry *find_name(hy_tunables *self, const char *name)
{
    for (size_t i = 0; i < self->count; i++) {
        if (strcmp(self->entries[i].name, name) == 0) {
            return &self->entries[i];
        }
    }
    return NULL;
}

static hy_channel declare_tunable(hy_telemetry *telemetry, const char *name)
{
    char full[HY_CHANNEL_NAME_MAX + 1];
    (void)snprintf(full, sizeof full, "/Tuning/%.200s", name);
    const hy_channel_spec spec = {
        .name = full, .kind = HY_CHANNEL_DOUBLE, .is_tunable = true, .is_input = true
    };
    return hy_telemetry_declare(telemetry, &spec);
}

bool hy_tunable(hy_tunables *self, const char *name, double *value, double low, double high)
{
    *value = limit(*value, low, high);
    const hy_channel channel = self->telemetry != NULL ? declare_tunable(self->telemetry, name) : 0;
    hy_tunable_entry *entry = find_name(self, name);
    if ((self->telemetry != NULL && channel == 0) ||
        (entry == NULL && self->count == HY_TUNABLES_MAX)) {
        return false;
    }
    entry = entry != NULL ? entry : &self->entries[self->count++];
    *entry = (hy_tunable_entry){ channel, name, value, low, high, *value };
    self->changes++;
    if (channel != 0) {
        hy_telemetry_put_double(self->telemetry, channel, *value);
    }
    return channel != 0;
}

bool hy_tunables_set(hy_tunables *self, hy_channel channel, double value)
{
    const hy_tunable_entry *const entry = find_entry(self, channel);
    if (channel == 0 || entry == NULL) {
        return false;
    }
    if (isfinite(value)) {
        *entry->value = limit(value, entry->low, entry->high);
        self->changes++;
    }
    hy_telemetry_put_double(self->telemetry, channel, *entry->value);
    return true;
}

// --------------------------------------------------------------------------- choosers

static hy_channel declare_key(hy_tunables *self, const char *name, const char *key,
                              hy_channel_spec spec)
{
    char full[HY_CHANNEL_NAME_MAX + 1];
    (void)snprintf(full, sizeof full, "%s/%.200s/%s", hy_telemetry_names(self->telemetry)->choosers,
                   name, key);
    spec.name = full;
    return hy_telemetry_declare(self->telemetry, &spec);
}

static void put_key(hy_tunables *self, const char *name, const char *key, const char *text)
{
    const hy_channel channel =
        declare_key(self, name, key, (hy_channel_spec){ .kind = HY_CHANNEL_STRING });
    hy_telemetry_put_text(self->telemetry, channel, text);
}

static void put_choice(hy_tunables *self, const hy_chooser_entry *entry)
{
    const char *const text = entry->options[*entry->chosen];
    hy_telemetry_put_text(self->telemetry, entry->selected, text);
    hy_telemetry_put_text(self->telemetry, entry->active, text);
}

static hy_chooser_entry *find_chooser(hy_tunables *self, hy_channel selected)
{
    for (size_t i = 0; i < self->chooser_count; i++) {
        if (self->choosers[i].selected == selected) {
            return &self->choosers[i];
        }
    }
    return NULL;
}

// What dashboards read to draw the widget.
static void put_widget(hy_tunables *self, const char *name, const hy_chooser_entry *entry)
{
    const hy_channel instance =
        declare_key(self, name, ".instance", (hy_channel_spec){ .kind = HY_CHANNEL_INT64 });
    const hy_channel options =
        declare_key(self, name, "options", (hy_channel_spec){ .kind = HY_CHANNEL_STRING_ARRAY });
    put_key(self, name, ".type", "String Chooser");
    put_key(self, name, ".name", name);
    hy_telemetry_put_int64(self->telemetry, instance, 0);
    hy_telemetry_put_texts(self->telemetry, options, entry->options, entry->count);
    put_key(self, name, "default", entry->options[*entry->chosen]);
}

bool hy_chooser(hy_tunables *self, const char *name, const char *const *options, size_t count,
                size_t *chosen)
{
    if (self->telemetry == NULL || *chosen >= count) {
        return false;
    }
    const hy_channel_spec input = { .kind = HY_CHANNEL_STRING, .is_tunable = true, .is_input = true };
    const hy_channel selected = declare_key(self, name, "selected", input);
    const hy_channel active =
        declare_key(self, name, "active", (hy_channel_spec){ .kind = HY_CHANNEL_STRING });
    hy_chooser_entry *entry = find_chooser(self, selected);
    if (selected == 0 || active == 0 || (entry == NULL && self->chooser_count == HY_CHOOSERS_MAX)) {
        return false;
    }
    entry = entry != NULL ? entry : &self->choosers[self->chooser_count++];
    *entry = (hy_chooser_entry){
        .selected = selected, .active = active, .options = options, .count = count
    };
    entry->name = name;
    entry->chosen = chosen;
    entry->start = *chosen;
    self->changes++;
    put_widget(self, name, entry);
    put_choice(self, entry);
    return true;
}

bool hy_tunables_choose(hy_tunables *self, hy_channel channel, const char *text)
{
    const hy_chooser_entry *const entry = find_chooser(self, channel);
    if (entry == NULL) {
        return false;
    }
    for (size_t i = 0; i < entry->count; i++) {
        if (strcmp(entry->options[i], text) == 0) {
            *entry->chosen = i;
            self->changes++;
            break;
        }
    }
    put_choice(self, entry);
    return true;
}
