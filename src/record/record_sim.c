// A simulation and its log file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base_bytes.h"
#include "channels.h"
#include "pack.h"
#include "record_sim.h"
#include "sim/sim_setup.h"

#define INPUT_MAX RECORD_INPUT_MAX

// --------------------------------------------------------------------------- what a replay needs

static hy_channel declare(const hy_sim_record *self, const char *name, hy_channel_kind kind)
{
    const hy_channel_spec spec = { .name = name, .kind = kind, .is_file_only = true, .is_input = true };
    return hy_telemetry_declare(self->telemetry, &spec);
}

// In parts, so that a large world does not have to fit into what waits for the disk.
static hy_status put_setup(const hy_sim_record *self)
{
    const hy_channel channel = declare(self, RECORD_SETUP_CHANNEL, HY_CHANNEL_RAW);
    const hy_sim_setup setup = hy_sim_setup_of(self->sim);
    const size_t size = hy_sim_setup_write(&setup, (hy_room){ NULL, 0 });
    uint8_t *const bytes = malloc(size + 1);
    if (bytes == NULL) {
        return HY_EMEMORY;
    }
    (void)hy_sim_setup_write(&setup, (hy_room){ bytes, size });
    for (size_t at = 0; at < size; at += RECORD_SETUP_PART) {
        const size_t left = size - at;
        const size_t part = left < RECORD_SETUP_PART ? left : RECORD_SETUP_PART;
        hy_telemetry_put_bytes(self->telemetry, channel, (hy_bytes){ bytes + at, part });
        hy_record_flush(self->file);
    }
    free(bytes);
    return HY_OK;
}

static void put_hash(hy_sim_record *self)
{
    const uint64_t hash = hy_sim_state_hash(self->sim);
    int64_t values[3] = { (int64_t)self->inputs, (int64_t)hy_sim_steps(self->sim) };
    memcpy(&values[2], &hash, sizeof hash);
    hy_telemetry_put_int64s(self->telemetry, self->hash, values, 3);
    self->hashed = self->inputs;
    self->next_hash_us += HY_SIM_RECORD_HASH_US;
}

static uint64_t simulated_us(const hy_sim *sim)
{
    return hy_sim_steps(sim) * (uint64_t)hy_sim_step_us(sim);
}

void hy_sim_record_input(void *record, const hy_sim *sim, const hy_sim_input *input)
{
    hy_sim_record *const self = record;
    if (self->sim != sim) {
        return;
    }
    const size_t size = hy_sim_input_write(
        input, (hy_room){ self->bytes + RECORD_INPUT_HEAD, INPUT_MAX - RECORD_INPUT_HEAD });
    hy_telemetry_set_time(self->telemetry, simulated_us(sim));
    if (size > 0) {
        const hy_bytes bytes = { self->bytes + RECORD_INPUT_HEAD, size };
        hy_store_le(self->bytes, self->inputs, 8);
        hy_store_le(self->bytes + 8, record_input_check(self->inputs, bytes), 4);
        const hy_bytes whole = { self->bytes, RECORD_INPUT_HEAD + size };
        uint8_t *const packed = self->bytes + INPUT_MAX;
        hy_telemetry_put_bytes(self->telemetry, self->input,
                               (hy_bytes){ packed, record_pack(whole, packed) });
    }
    self->inputs++;
    if (simulated_us(sim) >= self->next_hash_us) {
        put_hash(self);
    }
}

void hy_sim_record_finish(hy_sim_record *self)
{
    if (self->sim != NULL && self->hashed != self->inputs) {
        put_hash(self);
    }
    self->sim = NULL;
}

static hy_status start_inputs(hy_sim_record *self, const hy_sim *sim)
{
    self->bytes = malloc(INPUT_MAX + RECORD_PACKED_MAX(INPUT_MAX));
    if (self->bytes == NULL) {
        return HY_EMEMORY;
    }
    self->sim = sim;
    self->input = declare(self, RECORD_INPUT_CHANNEL, HY_CHANNEL_RAW);
    self->hash = declare(self, RECORD_HASH_CHANNEL, HY_CHANNEL_INT64_ARRAY);
    const hy_status status = put_setup(self);
    if (status == HY_OK) {
        put_hash(self);
    }
    return status;
}

// --------------------------------------------------------------------------- start and end

static hy_status start_telemetry(hy_sim_record *self, const hy_record_options *options,
                                 const hy_sim *sim)
{
    hy_status status = hy_telemetry_open(&self->telemetry);
    if (status == HY_OK && self->file != NULL) {
        status = hy_telemetry_attach(self->telemetry, hy_record_sink(self->file));
    }
    if (status == HY_OK && options->live != NULL) {
        status = hy_telemetry_attach(self->telemetry, *options->live);
    }
    if (status == HY_OK) {
        hy_record_dialect(self->telemetry, options->dialect);
        status = sim != NULL ? hy_sim_publisher_init(&self->publisher, sim, self->telemetry) : HY_OK;
    }
    if (status == HY_OK && self->file != NULL) {
        hy_sim_record_metadata(self, "Halyard", hy_version());
        status = sim != NULL ? start_inputs(self, sim) : HY_OK;
    }
    return status;
}

hy_status hy_sim_record_open(hy_sim_record *self, const hy_record_options *options,
                             const hy_sim *sim, hy_record_error *error)
{
    memset(self, 0, sizeof *self);
    if (options->path == NULL && options->live == NULL) {
        return HY_OK;
    }
    hy_status status = options->path != NULL ? hy_record_open(options, &self->file, error) : HY_OK;
    if (status != HY_OK) {
        return status;
    }
    status = start_telemetry(self, options, sim);
    if (status != HY_OK) {
        hy_record_error unread;
        (void)hy_sim_record_close(self, &unread);
        (void)snprintf(error->text, sizeof error->text, "%.400s: %s",
                       options->path != NULL ? options->path : "telemetry", hy_status_text(status));
        return status;
    }
    if (sim != NULL) {
        hy_sim_publish(&self->publisher, sim);
    }
    return HY_OK;
}

void hy_sim_record_metadata(hy_sim_record *self, const char *name, const char *text)
{
    if (self->telemetry != NULL) {
        hy_record_metadata(self->telemetry, name, text);
    }
}

void hy_sim_record_file_name(hy_sim_record *self, const char *name, const char *path)
{
    if (self->telemetry != NULL) {
        hy_record_file_name(self->telemetry, name, path);
    }
}

void hy_sim_record_options(hy_sim_record *self, const char *text)
{
    if (text[0] != '\0') {
        hy_sim_record_metadata(self, "Options", text);
    }
}

void hy_sim_record_lidar(hy_sim_record *self, const hy_sim *sim)
{
    if (self->telemetry != NULL) {
        (void)hy_sim_publisher_add_lidar(&self->publisher, sim);
    }
}

void hy_sim_record_step(hy_sim_record *self, const hy_sim *sim)
{
    if (self->telemetry != NULL) {
        hy_sim_publish(&self->publisher, sim);
        hy_record_station(self->telemetry, self->publisher.is_enabled, self->mode);
    }
}

hy_status hy_sim_record_close(hy_sim_record *self, hy_record_error *error)
{
    hy_sim_record_finish(self);
    const hy_status status = hy_record_close(self->file, error);
    hy_telemetry_close(self->telemetry);
    free(self->bytes);
    memset(self, 0, sizeof *self);
    return status;
}
