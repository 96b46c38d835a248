#include "host_record.h"

#include <halyard/link.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "system/system.h"

static const char *const dialects[] = {
    [HY_NT_DIALECT_2026] = "2026", [HY_NT_DIALECT_2027] = "2027", NULL
};

// clang-format off
static const hy_option table[] = {
    { HY_OPTION(TEXT, hy_host_record, path), .name = "record", .value = "FILE", .writes = true, .same = "replay", .help = "write a log (WPILOG), which AdvantageScope opens" },
    { HY_OPTION(FLAG, hy_host_record, overwrite), .name = "overwrite", .needs = "record", .help = "replace FILE if it is there" },
    { HY_OPTION(CHOICE, hy_host_record, dialect), .name = "nt-dialect", .choices = dialects, .help = "the names and types of which WPILib, for --nt and --record (default 2026)" },
    { HY_OPTION(FLAG, hy_host_record, lidar), .name = "record-lidar", .needs = "record", .help = "the lidars' points, too, which make it many times as long" },
};
// clang-format on

static bool check(const char *program, void *to)
{
    const hy_host_record *const asked = to;
    const hy_file_kind there =
        asked->path != NULL ? hy_file_look(asked->path, NULL) : HY_FILE_MISSING;
    if (there == HY_FILE_MISSING) {
        return true;
    }
    if (!asked->overwrite) {
        hy_print_error(
            program,
            "--record %s: the file exists already; give another name, or --overwrite to replace it",
            asked->path);
        return false;
    }
    if (there != HY_FILE_REGULAR && there != HY_FILE_DEVICE) {
        hy_print_error(program, "--record %s: not a regular file; a log cannot be written to it",
                       asked->path);
        return false;
    }
    return true;
}

hy_option_group hy_host_record_group(hy_host_record *to, hy_host_record_extent extent)
{
    hy_option_group group = HY_OPTION_GROUP("Recording", table, to);
    group.count = extent;
    group.check = extent == HY_HOST_RECORD_NEW ? NULL : check; // who has --overwrite himself
    return group;
}

static void step(void *context, const hy_sim *sim)
{
    hy_host_record *const self = context;
    hy_sim_record_step(&self->sim, sim);
    if (!self->waits) { // in real time
        hy_record_date(&self->dates, self->sim.telemetry,
                       hy_sim_steps(sim) * (uint64_t)hy_sim_step_us(sim), self->host->due_us);
    }
}

static void end(void *context)
{
    hy_host_record *const self = context;
    hy_record_error error;
    if (hy_sim_record_close(&self->sim, &error) != HY_OK) {
        hy_print_error(self->program, "--record: %s", error.text);
        self->has_failed = true;
    }
}

static hy_channel declare(const hy_host_record *self, const char *name, hy_channel_kind kind)
{
    const hy_channel_spec spec = { .name = name, .kind = kind, .is_file_only = true };
    return hy_telemetry_declare(self->sim.telemetry, &spec);
}

static void put_metadata(hy_host_record *self, const hy_sim *sim)
{
    if (self->title != NULL) {
        hy_sim_record_metadata(&self->sim, "Program", self->title);
    }
    if (sim != NULL) {
        char seed[24];
        (void)snprintf(seed, sizeof seed, "%" PRIu64, self->seed);
        hy_sim_record_file_name(&self->sim, "World", self->world);
        hy_sim_record_metadata(&self->sim, "Seed", seed);
    }
    if (sim != NULL || self->is_robot_program) {
        hy_sim_record_file_name(&self->sim, "Faults", self->faults);
    }
    hy_sim_record_options(&self->sim, self->options);
    if (self->lidar) {
        hy_sim_record_lidar(&self->sim, sim);
    }
}

// AdvantageScope's timeline.
static void put_mode(hy_host_record *self)
{
    hy_telemetry *const to = self->sim.telemetry;
    hy_telemetry_put_boolean(to, declare(self, "DS:autonomous", HY_CHANNEL_BOOLEAN),
                             self->mode == HY_STATION_AUTONOMOUS);
    hy_telemetry_put_boolean(to, declare(self, "DS:test", HY_CHANNEL_BOOLEAN),
                             self->mode == HY_STATION_TEST);
    self->sim.mode = self->mode;
}

hy_status hy_host_record_open(hy_host_record *self, hy_host *host, const hy_sim *sim,
                              hy_record_error *error)
{
    static const hy_attachment_functions functions = { .on_step = step, .close = end };
    const hy_record_options options = { .path = self->path,
                                        .overwrite = self->overwrite,
                                        .waits = self->waits,
                                        .live = self->live,
                                        .dialect = (hy_nt_dialect)self->dialect };
    const hy_status status = hy_sim_record_open(&self->sim, &options, sim, error);
    if (self->sim.telemetry == NULL) {
        return status;
    }
    self->program = host->program;
    self->host = host;
    self->start_us = hy_clock_now_us();
    if (self->is_robot_program) {
        self->messages = declare(self, "messages", HY_CHANNEL_STRING);
    }
    put_metadata(self, sim);
    if (sim == NULL) {
        hy_host_record_time(self, self->start_us);
    }
    if (self->is_robot_program) {
        put_mode(self);
    }
    hy_host_attach(host, &functions, self);
    return HY_OK;
}

bool hy_host_record_start(hy_host_record *self, hy_host *host, hy_sim *sim)
{
    hy_record_error error;
    const hy_status status = hy_host_record_open(self, host, sim, &error);
    if (status != HY_OK) {
        hy_print_error(host->program, "--record: %s", error.text);
    } else if (sim != NULL) {
        hy_sim_watch(sim, hy_sim_record_input, &self->sim);
    }
    return status == HY_OK;
}

void hy_host_record_time(hy_host_record *self, int64_t now_us)
{
    if (self->sim.telemetry != NULL) {
        const uint64_t log_us = (uint64_t)(now_us - self->start_us);
        hy_telemetry_set_time(self->sim.telemetry, log_us);
        if (!self->waits) { // in real time
            hy_record_date(&self->dates, self->sim.telemetry, log_us, now_us);
        }
    }
}

void hy_host_record_say(hy_host_record *self, const char *text)
{
    if (self->sim.telemetry != NULL && strcmp(text, self->said) != 0) {
        (void)snprintf(self->said, sizeof self->said, "%s", text);
        hy_telemetry_put_text(self->sim.telemetry, self->messages, text);
    }
}
