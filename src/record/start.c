#include "start.h"

#include <stdlib.h>
#include <string.h>

#include "channels.h"

#define SETUP_MAX (32u << 20) // bytes; a world has at most 18 MiB

// The names of other channels, of which a log may have thousands, mostly begin otherwise.
static bool may_be_ours(hy_bytes name)
{
    return name.size > 2 && name.data[0] == '/' && (name.data[1] == 'H' || name.data[1] == 'M');
}

static void note_channel(record_start *self, const hy_wpilog_record *record)
{
    const struct {
        const char *name;
        uint32_t *entry;
    } channels[] = { { RECORD_VERSION_CHANNEL, &self->version_entry },
                     { RECORD_SETUP_CHANNEL, &self->setup_entry },
                     { RECORD_INPUT_CHANNEL, &self->input_entry },
                     { RECORD_PLAIN_CHANNEL, &self->plain_entry },
                     { RECORD_HASH_CHANNEL, &self->hash_entry } };
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++) {
        if (*channels[i].entry == 0 && hy_wpilog_text_is(record->name, channels[i].name)) {
            *channels[i].entry = record->entry;
        }
    }
}

static bool add_setup(record_start *self, hy_bytes part)
{
    uint8_t *const joined = part.size <= SETUP_MAX - self->setup_size
                                ? realloc(self->setup, self->setup_size + part.size + 1)
                                : NULL;
    if (joined == NULL) {
        return false;
    }
    if (part.size > 0) {
        memcpy(joined + self->setup_size, part.data, part.size);
    }
    self->setup = joined;
    self->setup_size += part.size;
    return true;
}

record_kind record_start_kind(const record_start *self, const hy_wpilog_record *record)
{
    if (record->kind != HY_WPILOG_VALUE) {
        return RECORD_OTHER;
    }
    return record->entry == self->input_entry   ? RECORD_INPUT
           : record->entry == self->plain_entry ? RECORD_PLAIN_INPUT
           : record->entry == self->hash_entry  ? RECORD_HASH
                                                : RECORD_OTHER;
}

record_kind record_start_take(record_start *self, const hy_wpilog_record *record)
{
    const bool is_value = record->kind == HY_WPILOG_VALUE;
    if (record->kind == HY_WPILOG_START && may_be_ours(record->name)) {
        note_channel(self, record);
    } else if (is_value && record->entry == self->version_entry) {
        hy_wpilog_copy_text(record->value, self->version, sizeof self->version);
    } else if (is_value && record->entry == self->setup_entry) {
        return add_setup(self, record->value) ? RECORD_OTHER : RECORD_SETUP_REFUSED;
    }
    return record_start_kind(self, record);
}

void record_start_free(record_start *self)
{
    free(self->setup);
    self->setup = NULL;
    self->setup_size = 0;
}
