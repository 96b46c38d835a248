#include "host_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

static const char *const dialects[] = {
    [HY_NT_DIALECT_2026] = "2026", [HY_NT_DIALECT_2027] = "2027", NULL
};

// clang-format off
static const hy_option table[] = {
    { HY_OPTION(TEXT, hy_host_record, path), .name = "record", .value = "FILE", .help = "write a log (WPILOG), which AdvantageScope opens" },
    { HY_OPTION(FLAG, hy_host_record, overwrite), .name = "overwrite", .needs = "record", .help = "replace FILE if it is there" },
    { HY_OPTION(CHOICE, hy_host_record, dialect), .name = "nt-dialect", .choices = dialects, .help = "the names and types of which WPILib, for --nt and --record (default 2026)" },
    { HY_OPTION(FLAG, hy_host_record, lidar), .name = "record-lidar", .needs = "record", .help = "the lidars' points, too, which make it many times as long" },
};
// clang-format on

hy_option_group hy_host_record_group(hy_host_record *to, hy_host_record_extent extent)
{
    hy_option_group group = HY_OPTION_GROUP("Recording", table, to);
    group.count = extent;
    return group;
}

bool hy_host_record_check(const char *program, const hy_host_record *asked)
{
    struct stat there;
    if (asked->path == NULL || stat(asked->path, &there) != 0) {
        return true;
    }
    if (!asked->overwrite) {
        hy_print_error(
            program,
            "--record %s: the file exists already; give another name, or --overwrite to replace it",
            asked->path);
        return false;
    }
    if (!S_ISREG(there.st_mode) && !S_ISCHR(there.st_mode)) {
        hy_print_error(program, "--record %s: not a regular file; a log cannot be written to it",
                       asked->path);
        return false;
    }
    return true;
}

static void step(void *context, const hy_sim *sim)
{
    hy_host_record *const self = context;
    hy_sim_record_step(&self->sim, sim);
}

static void end(void *context)
{
    hy_host_record *const self = context;
    hy_record_error error;
    if (hy_sim_record_end(&self->sim, &error) != HY_OK) {
        hy_print_error(self->program, "--record: %s", error.text);
        self->has_failed = true;
    }
}

static void put_metadata(hy_host_record *self, hy_sim *sim)
{
    char seed[24];
    (void)snprintf(seed, sizeof seed, "%" PRIu64, self->seed);
    hy_sim_record_file_name(&self->sim, "World", self->world);
    hy_sim_record_metadata(&self->sim, "Seed", seed);
    hy_sim_record_file_name(&self->sim, "Faults", self->faults);
    hy_sim_record_options(&self->sim, self->options);
    if (self->lidar) {
        hy_sim_record_lidar(&self->sim, sim);
    }
    if (!self->waits && self->sim.telemetry != NULL) { // in real time
        hy_record_date(self->sim.telemetry);
    }
}

bool hy_host_record_start(hy_host_record *self, hy_host *host, hy_sim *sim)
{
    static const hy_attachment_functions functions = { .on_step = step, .close = end };
    const hy_record_options options = { .path = self->path,
                                        .overwrite = self->overwrite,
                                        .waits = self->waits,
                                        .live = self->live,
                                        .dialect = (hy_nt_dialect)self->dialect };
    hy_record_error error;
    self->program = host->program;
    if (hy_sim_record_start(&self->sim, &options, sim, &error) != HY_OK) {
        hy_print_error(self->program, "--record: %s", error.text);
        return false;
    }
    hy_sim_watch(sim, hy_sim_record_input, &self->sim);
    put_metadata(self, sim);
    hy_host_attach(host, &functions, self);
    return true;
}
