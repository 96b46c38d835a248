#include "record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "publish.h"

static hy_channel declare(const program_record *self, const char *name, hy_channel_kind kind)
{
    const hy_channel_spec spec = { .name = name, .kind = kind, .is_file_only = true };
    return hy_telemetry_declare(self->sim.telemetry, &spec);
}

static void put_metadata(program_record *self, const hy_program *program,
                         const hy_program_options *options)
{
    char seed[24], asked[HY_RECORD_OPTIONS_MAX] = "";
    (void)snprintf(seed, sizeof seed, "%" PRIu64, options->seed);
    hy_record_add_option(asked, "robot", options->robot);
    hy_record_add_option(asked, "hardware", options->hardware);
    hy_record_add_number(asked, "pwm", options->pwm_hz);
    hy_sim_record_metadata(&self->sim, "Program", program->name);
    hy_sim_record_file_name(&self->sim, "World", options->world);
    hy_sim_record_metadata(&self->sim, "Seed", seed);
    hy_sim_record_file_name(&self->sim, "Faults", options->faults_text);
    hy_sim_record_options(&self->sim, asked);
}

// AdvantageScope's timeline.
static void put_mode(const program_record *self, hy_mode mode)
{
    hy_telemetry_put_boolean(self->sim.telemetry, declare(self, "DS:autonomous", HY_CHANNEL_BOOLEAN),
                             mode == HY_MODE_AUTONOMOUS);
    hy_telemetry_put_boolean(self->sim.telemetry, declare(self, "DS:test", HY_CHANNEL_BOOLEAN),
                             mode == HY_MODE_TEST);
}

hy_status program_record_start(program_record *self, const hy_program_options *options,
                               const hy_sim *sim, const hy_telemetry_sink *live,
                               hy_record_error *error)
{
    const hy_record_options file = {
        .path = options->record,
        .overwrite = options->overwrite,
        .waits = true,
        .live = live,
        .dialect = options->nt_dialect,
    };
    memset(self, 0, sizeof *self);
    return hy_sim_record_start(&self->sim, &file, sim, error);
}

void program_record_describe(program_record *self, const hy_program *program,
                             const hy_program_options *options)
{
    if (self->sim.telemetry == NULL) {
        return;
    }
    self->messages = declare(self, "messages", HY_CHANNEL_STRING);
    put_metadata(self, program, options);
    put_mode(self, hy_program_mode(program));
    self->sim.mode = program_publish_mode(program);
}

void program_record_step(program_record *self, const hy_sim *sim, program_note *note)
{
    hy_sim_record_step(&self->sim, sim);
    if (self->sim.telemetry == NULL) {
        return;
    }
    const char *const said = program_note_text(note);
    if (strcmp(said, self->said) != 0) {
        (void)snprintf(self->said, sizeof self->said, "%s", said);
        hy_telemetry_put_text(self->sim.telemetry, self->messages, said);
    }
}
