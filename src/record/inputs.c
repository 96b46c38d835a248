// SPEC recording: the setup and the inputs of a recorded simulation.
#include <halyard/telemetry.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "record_inputs.h"
#include "start.h"

struct hy_record_inputs {
    hy_wpilog_reader reader, before_inputs; // now; where it begins again
    record_start start;
    hy_sim_stored stored;
    record_input_room room;
    uint64_t number;
    char damage[300];
};

// --------------------------------------------------------------------------- the start

// Up to the first hash, which stands before the first input.
static hy_status read_start(hy_record_inputs *self, hy_world_error *error)
{
    hy_wpilog_record record;
    record_kind kind = RECORD_OTHER;
    while (kind != RECORD_HASH && kind != RECORD_SETUP_REFUSED &&
           hy_wpilog_next(&self->reader, &record)) {
        kind = record_start_take(&self->start, &record);
    }
    self->before_inputs = self->reader;
    if (kind == RECORD_SETUP_REFUSED) {
        return HY_EMEMORY;
    }
    if (kind != RECORD_HASH || self->start.setup == NULL) {
        (void)snprintf(
            error->text, sizeof error->text,
            "it has no simulation: Halyard did not record it with one, or it was cut before "
            "its first input");
        return HY_EFORMAT;
    }
    if (strcmp(self->start.version, hy_version()) != 0) {
        (void)snprintf(error->text, sizeof error->text,
                       "it was recorded by version %s of Halyard, and this is version %s; only the "
                       "same version can run it again",
                       self->start.version[0] != '\0' ? self->start.version : "(unknown)",
                       hy_version());
        return HY_EFORMAT;
    }
    const hy_bytes setup = { self->start.setup, self->start.setup_size };
    return hy_sim_stored_read(&self->stored, setup, error);
}

hy_status hy_record_inputs_open(hy_bytes file, hy_record_inputs **out, hy_world_error *error)
{
    *out = NULL;
    hy_record_inputs *const self = calloc(1, sizeof *self);
    (void)snprintf(error->text, sizeof error->text, "%s", hy_status_text(HY_EMEMORY));
    if (self == NULL) {
        return HY_EMEMORY;
    }
    hy_status status = hy_wpilog_reader_init(&self->reader, file);
    if (status != HY_OK) {
        (void)snprintf(error->text, sizeof error->text, "it is no log file (WPILOG): %s",
                       self->reader.damage);
    } else {
        status = read_start(self, error);
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
        record_start_free(&self->start);
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
    while (self->damage[0] == '\0' && hy_wpilog_next(&self->reader, &record)) {
        const record_kind kind = record_start_kind(&self->start, &record);
        if (kind == RECORD_INPUT || kind == RECORD_PLAIN_INPUT) {
            if (record_input_read(record.value, kind == RECORD_INPUT, &self->room, input, &number) &&
                number == self->number) {
                self->number++;
                return true;
            }
            (void)snprintf(self->damage, sizeof self->damage,
                           "input %" PRIu64
                           " was lost or altered; nothing behind offset %zu is used",
                           self->number, self->reader.begin);
        }
    }
    if (self->damage[0] == '\0') {
        hy_wpilog_describe_damage(&self->reader, self->damage, sizeof self->damage);
    }
    return false;
}

void hy_record_inputs_rewind(hy_record_inputs *self)
{
    self->reader = self->before_inputs;
    self->number = 0;
    self->damage[0] = '\0';
}

const char *hy_record_inputs_damage(const hy_record_inputs *self)
{
    return self->damage;
}
