// A recording run again: SPEC recording.
#include <halyard/replay.h>
#include <halyard/telemetry.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base_bytes.h"
#include "input.h"
#include "sim/sim_setup.h"
#include "start.h"

#define HASH_NUMBERS 3 // inputs, steps, hash

typedef struct {
    hy_replay_report *report;
    hy_wpilog_reader reader;
    record_start start;
    hy_sim_stored stored;
    hy_sim *sim;
    record_input_room room;
    bool is_over;
} replay;

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static void
finish(replay *self, hy_replay_result result, const char *format, ...)
{
    hy_replay_report *const report = self->report;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(report->text, sizeof report->text, format, arguments);
    va_end(arguments);
    report->result = result;
    self->is_over = true;
}

// --------------------------------------------------------------------------- the start

static void start_sim(replay *self)
{
    hy_world_error error = { "" };
    if (strcmp(self->start.version, hy_version()) != 0) {
        finish(self, HY_REPLAY_IMPOSSIBLE,
               "it was recorded by version %s of Halyard, and this is version %s; only the same "
               "version can verify it",
               self->start.version[0] != '\0' ? self->start.version : "(unknown)", hy_version());
    } else if (self->start.setup == NULL) {
        finish(self, HY_REPLAY_IMPOSSIBLE, "it has no setup in front of its first hash");
    } else if (hy_sim_stored_read(&self->stored,
                                  (hy_bytes){ self->start.setup, self->start.setup_size },
                                  &error) != HY_OK ||
               hy_sim_open(&self->stored.setup, &self->sim, &error) != HY_OK) {
        finish(self, HY_REPLAY_IMPOSSIBLE, "its setup cannot be used: %s", error.text);
    }
}

// --------------------------------------------------------------------------- inputs and hashes

// The step that an input belongs to, from 1: the one that it makes, or the next.
static uint64_t step_of_input(const replay *self)
{
    return hy_sim_steps(self->sim) + 1;
}

static void report_lost(replay *self, size_t offset)
{
    self->report->is_partial = true;
    self->report->offset = offset;
    self->is_over = true;
}

static void report_damaged(replay *self, size_t offset)
{
    self->report->differing_step = step_of_input(self);
    self->report->offset = offset;
    finish(self, HY_REPLAY_DIFFERS,
           "input %" PRIu64 ", of step %" PRIu64 " at offset %zu, was altered",
           self->report->inputs, step_of_input(self), offset);
}

static void take_input(replay *self, hy_bytes value, bool is_packed, size_t offset)
{
    hy_sim_input input;
    uint64_t number;
    if (self->sim == NULL) {
        finish(self, HY_REPLAY_IMPOSSIBLE,
               "an input stands in front of its first hash, at offset %zu", offset);
        return;
    }
    if (!record_input_read(value, is_packed, &self->room, &input, &number)) {
        report_damaged(self, offset);
    } else if (number != self->report->inputs) {
        report_lost(self, offset);
    } else {
        for (hy_sim_datagram unread; hy_sim_next_datagram(self->sim, &unread);) {
        }
        hy_sim_step(self->sim, &input);
        self->report->inputs++;
    }
}

static void take_hash(replay *self, hy_bytes value, size_t offset)
{
    hy_replay_report *const report = self->report;
    if (value.size != HASH_NUMBERS * 8) {
        finish(self, HY_REPLAY_IMPOSSIBLE, "the hash at offset %zu has %zu bytes", offset,
               value.size);
        return;
    }
    if (self->sim == NULL) {
        start_sim(self);
    }
    if (self->is_over) {
        return;
    }
    if (hy_load_le(value.data, 8) != report->inputs) {
        report_lost(self, offset);
        return;
    }
    const uint64_t steps = hy_sim_steps(self->sim), hash = hy_sim_state_hash(self->sim);
    if (hy_load_le(value.data + 8, 8) != steps || hy_load_le(value.data + 16, 8) != hash) {
        report->differing_step = steps;
        report->offset = offset;
        finish(self, HY_REPLAY_DIFFERS,
               "it differs at step %" PRIu64 " (%.3f s): hash %016" PRIx64 " instead of %016" PRIx64
               "; it was equal up to step %" PRIu64,
               steps, hy_sim_simulated_s(self->sim), hash, hy_load_le(value.data + 16, 8),
               report->steps);
        return;
    }
    report->hashes++;
    report->steps = steps;
    report->simulated_s = hy_sim_simulated_s(self->sim);
}

static void take_record(replay *self, const hy_wpilog_record *record, size_t offset)
{
    const size_t setup_size = self->start.setup_size;
    switch (record_start_take(&self->start, record)) {
    case RECORD_INPUT: take_input(self, record->value, true, offset); break;
    case RECORD_PLAIN_INPUT: take_input(self, record->value, false, offset); break;
    case RECORD_HASH: take_hash(self, record->value, offset); break;
    case RECORD_SETUP_REFUSED: finish(self, HY_REPLAY_IMPOSSIBLE, "its setup is too large"); break;
    case RECORD_OTHER:
        if (self->sim != NULL && self->start.setup_size > setup_size) {
            finish(self, HY_REPLAY_IMPOSSIBLE, "a part of its setup comes too late");
        }
        break;
    }
}

// --------------------------------------------------------------------------- the whole

// What there is to say when no record has ended it.
static void sum_up(replay *self)
{
    hy_replay_report *const report = self->report;
    char damage[300], lost[200] = "";
    hy_wpilog_describe_damage(&self->reader, damage, sizeof damage);
    const char *const join = damage[0] != '\0' ? "; " : "";
    if (self->reader.damage != NULL) {
        report->is_partial = true;
        report->offset = self->reader.offset;
    } else if (report->is_partial) {
        (void)snprintf(lost, sizeof lost,
                       "; input %" PRIu64 " was lost while it was recorded, so nothing behind "
                       "offset %zu can be verified",
                       report->inputs, report->offset);
    }
    if (self->sim == NULL) {
        finish(self, HY_REPLAY_IMPOSSIBLE,
               "it has no hashes: Halyard did not record it, or it was cut before the first%s%s%s",
               join, damage, lost);
        return;
    }
    if (report->hashes == 0) {
        finish(self, HY_REPLAY_IMPOSSIBLE, "none of its hashes can be compared%s%s%s", join, damage,
               lost);
        return;
    }
    finish(self, HY_REPLAY_EQUAL, "%" PRIu64 " hashes agree, up to step %" PRIu64 " (%.3f s)%s%s%s",
           report->hashes, report->steps, report->simulated_s, join, damage, lost);
}

static void verify(replay *self, hy_bytes file)
{
    if (hy_wpilog_reader_init(&self->reader, file) != HY_OK) {
        finish(self, HY_REPLAY_IMPOSSIBLE, "it is no log file (WPILOG): %s", self->reader.damage);
        return;
    }
    hy_wpilog_record record;
    while (!self->is_over && hy_wpilog_next(&self->reader, &record)) {
        take_record(self, &record, self->reader.begin);
    }
    if (self->report->text[0] == '\0') {
        sum_up(self);
    }
}

void hy_replay_verify(hy_bytes file, hy_replay_report *report)
{
    *report = (hy_replay_report){ .result = HY_REPLAY_IMPOSSIBLE };
    replay *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        (void)snprintf(report->text, sizeof report->text, "%s", hy_status_text(HY_EMEMORY));
        return;
    }
    self->report = report;
    verify(self, file);
    hy_sim_close(self->sim);
    hy_sim_stored_free(&self->stored);
    record_start_free(&self->start);
    free(self);
}
