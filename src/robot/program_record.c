#include "program_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static hy_channel declare(const program_record *self, const char *name, hy_channel_kind kind)
{
    return hy_telemetry_declare(
        self->telemetry, &(hy_channel_spec){ .name = name, .kind = kind, .is_file_only = true });
}

static void put_metadata(const program_record *self, const char *name, const char *text)
{
    hy_telemetry_put_text(self->telemetry, declare(self, name, HY_CHANNEL_STRING), text);
}

// What changes the run, and nothing else: equal runs give equal files.
static void put_all_metadata(const program_record *self, const hy_program *program,
                             const hy_program_options *options)
{
    char seed[24];
    (void)snprintf(seed, sizeof seed, "%" PRIu64, options->seed);
    put_metadata(self, "/Metadata/Program", program->name);
    put_metadata(self, "/Metadata/World", options->world != NULL ? options->world : "");
    put_metadata(self, "/Metadata/Seed", seed);
    put_metadata(self, "/Metadata/Faults", options->faults_text != NULL ? options->faults_text : "");
    put_metadata(self, "/Metadata/Halyard", hy_version());
}

// AdvantageScope's timeline.
static void put_mode(const program_record *self, hy_mode mode)
{
    hy_telemetry_put_boolean(self->telemetry, declare(self, "DS:autonomous", HY_CHANNEL_BOOLEAN),
                             mode == HY_MODE_AUTONOMOUS);
    hy_telemetry_put_boolean(self->telemetry, declare(self, "DS:test", HY_CHANNEL_BOOLEAN),
                             mode == HY_MODE_TEST);
}

hy_status program_record_start(program_record *self, const hy_program *program,
                               const hy_program_options *options, const hy_sim *sim,
                               hy_record_error *error)
{
    *self = (program_record){ .file = NULL };
    if (options->record == NULL) {
        return HY_OK;
    }
    const hy_record_options file = { .path = options->record,
                                     .overwrite = options->overwrite,
                                     .waits = true };
    hy_status status = hy_record_open(&file, &self->file, error);
    if (status != HY_OK) {
        return status;
    }
    status = hy_telemetry_create(&self->telemetry);
    status =
        status == HY_OK ? hy_telemetry_attach(self->telemetry, hy_record_sink(self->file)) : status;
    status =
        status == HY_OK ? hy_sim_publisher_start(&self->publisher, sim, self->telemetry) : status;
    if (status != HY_OK) {
        (void)snprintf(error->text, sizeof error->text, "%s: %s", options->record,
                       hy_status_text(status));
        hy_record_error second;
        (void)program_record_end(self, &second);
        return status;
    }
    self->messages = declare(self, "messages", HY_CHANNEL_STRING);
    put_all_metadata(self, program, options);
    put_mode(self, hy_program_mode(program));
    hy_sim_publish(&self->publisher, sim);
    return HY_OK;
}

void program_record_step(program_record *self, const hy_sim *sim, const char *said)
{
    if (self->file == NULL) {
        return;
    }
    hy_sim_publish(&self->publisher, sim);
    if (strcmp(said, self->said) != 0) {
        (void)snprintf(self->said, sizeof self->said, "%s", said);
        hy_telemetry_put_text(self->telemetry, self->messages, said);
    }
}

hy_status program_record_end(program_record *self, hy_record_error *error)
{
    const hy_status status = hy_record_close(self->file, error);
    hy_telemetry_destroy(self->telemetry);
    *self = (program_record){ .file = NULL };
    return status;
}
