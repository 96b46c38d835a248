// SPEC recording: the setup and the inputs of a recorded simulation.
#include <halyard/record_inputs.h>
#include <halyard/telemetry_wpilog.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channels.h"
#include "input.h"

#define SETUP_MAX (32u << 20) // bytes; a world has at most 18 MiB

struct hy_record_inputs {
    hy_wpilog_reader reader, start; // now; before the first input
    uint32_t version_entry, setup_entry, input_entry, plain_entry, hash_entry;
    bool is_version;
    uint8_t *setup;
    size_t setup_size;
    hy_sim_stored stored;
    record_input_room room;
    uint64_t number;
    char damage[200];
};

static bool is_text(hy_bytes bytes, const char *text)
{
    return bytes.size == strlen(text) && memcmp(bytes.data, text, bytes.size) == 0;
}

// --------------------------------------------------------------------------- the start

static void note_entry(hy_record_inputs *self, const hy_wpilog_record *record)
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
        if (*channels[i].entry == 0 && is_text(record->name, channels[i].name)) {
            *channels[i].entry = record->entry;
        }
    }
}

static hy_status add_setup(hy_record_inputs *self, hy_bytes part)
{
    uint8_t *const joined = part.size <= SETUP_MAX - self->setup_size
                                ? realloc(self->setup, self->setup_size + part.size + 1)
                                : NULL;
    if (joined == NULL) {
        return HY_EMEMORY;
    }
    if (part.size > 0) {
        memcpy(joined + self->setup_size, part.data, part.size);
    }
    self->setup = joined;
    self->setup_size += part.size;
    return HY_OK;
}

// Up to the first hash, which stands before the first input.
static hy_status read_start(hy_record_inputs *self, hy_world_error *error)
{
    hy_wpilog_record record;
    hy_status status = HY_OK;
    bool has_hash = false;
    while (status == HY_OK && !has_hash && hy_wpilog_next(&self->reader, &record)) {
        if (record.kind == HY_WPILOG_START) {
            note_entry(self, &record);
        } else if (record.kind != HY_WPILOG_VALUE) {
            continue;
        } else if (record.entry == self->version_entry) {
            self->is_version = is_text(record.value, hy_version());
        } else if (record.entry == self->setup_entry) {
            status = add_setup(self, record.value);
        }
        has_hash = record.kind == HY_WPILOG_VALUE && record.entry == self->hash_entry;
    }
    if (status == HY_OK && (!has_hash || self->setup == NULL)) {
        (void)snprintf(
            error->text, sizeof error->text,
            "it has no simulation: Halyard did not record it with one, or it was cut before "
            "its first input");
        return HY_EFORMAT;
    }
    if (status == HY_OK && !self->is_version) {
        (void)snprintf(error->text, sizeof error->text,
                       "another version of Halyard than %s has recorded it", hy_version());
        return HY_EFORMAT;
    }
    self->start = self->reader;
    return status;
}

hy_status hy_record_inputs_open(hy_bytes file, hy_record_inputs **out, hy_world_error *error)
{
    *out = NULL;
    hy_record_inputs *const self = calloc(1, sizeof *self);
    (void)snprintf(error->text, sizeof error->text, "%s", hy_status_text(HY_EMEMORY));
    if (self == NULL) {
        return HY_EMEMORY;
    }
    hy_status status = hy_wpilog_reader_start(&self->reader, file);
    if (status != HY_OK) {
        (void)snprintf(error->text, sizeof error->text, "it is no log file (WPILOG): %s",
                       self->reader.damage);
    } else {
        status = read_start(self, error);
    }
    if (status == HY_OK) {
        status =
            hy_sim_stored_read(&self->stored, (hy_bytes){ self->setup, self->setup_size }, error);
    }
    if (status == HY_OK) {
        *out = self;
    } else {
        hy_record_inputs_close(self);
    }
    return status;
}

void hy_record_inputs_close(hy_record_inputs *self)
{
    if (self != NULL) {
        hy_sim_stored_free(&self->stored);
        free(self->setup);
        free(self);
    }
}

const hy_sim_setup *hy_record_inputs_setup(const hy_record_inputs *self)
{
    return &self->stored.setup;
}

// --------------------------------------------------------------------------- inputs

bool hy_record_inputs_next(hy_record_inputs *self, hy_sim_input *input)
{
    hy_wpilog_record record;
    uint64_t number;
    size_t offset = self->reader.offset;
    while (self->damage[0] == '\0' && hy_wpilog_next(&self->reader, &record)) {
        const bool is_packed = record.entry == self->input_entry;
        if (record.kind == HY_WPILOG_VALUE && (is_packed || record.entry == self->plain_entry)) {
            if (record_input_read(record.value, is_packed, &self->room, input, &number) &&
                number == self->number) {
                self->number++;
                return true;
            }
            (void)snprintf(self->damage, sizeof self->damage,
                           "input %" PRIu64
                           " was lost or altered; nothing behind offset %zu is used",
                           self->number, offset);
        }
        offset = self->reader.offset;
    }
    if (self->damage[0] == '\0' && self->reader.damage != NULL) {
        (void)snprintf(self->damage, sizeof self->damage, "behind offset %zu nothing can be read: %s",
                       self->reader.offset, self->reader.damage);
    }
    return false;
}

void hy_record_inputs_rewind(hy_record_inputs *self)
{
    self->reader = self->start;
    self->number = 0;
    self->damage[0] = '\0';
}

const char *hy_record_inputs_damage(const hy_record_inputs *self)
{
    return self->damage;
}
