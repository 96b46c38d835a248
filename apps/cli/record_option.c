#include "record_option.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "app.h"

const char *const record_option_dialects[] = {
    [HY_NT_DIALECT_2026] = "2026", [HY_NT_DIALECT_2027] = "2027", NULL
};

bool record_option_check(const char *command, const record_option *asked)
{
    if ((asked->overwrite || asked->lidar) && asked->path == NULL) {
        app_error(command, "%s needs --record FILE",
                  asked->overwrite ? "--overwrite" : "--record-lidar");
        return false;
    }
    struct stat there;
    if (asked->path == NULL || stat(asked->path, &there) != 0) {
        return true;
    }
    if (!asked->overwrite) {
        app_error(
            command,
            "--record %s: the file exists already; give another name, or --overwrite to replace it",
            asked->path);
        return false;
    }
    if (!S_ISREG(there.st_mode) && !S_ISCHR(there.st_mode)) {
        app_error(command, "--record %s: not a regular file; a log cannot be written to it",
                  asked->path);
        return false;
    }
    return true;
}

bool record_option_start(const char *command, const record_option *asked, hy_sim_record *record,
                         hy_sim *sim)
{
    const hy_record_options options = { .path = asked->path,
                                        .overwrite = asked->overwrite,
                                        .waits = asked->waits,
                                        .live = asked->live,
                                        .dialect = (hy_nt_dialect)asked->dialect };
    hy_record_error error;
    if (hy_sim_record_start(record, &options, sim, &error) != HY_OK) {
        app_error(command, "--record: %s", error.text);
        return false;
    }
    hy_sim_watch(sim, hy_sim_record_input, record);
    char seed[24];
    (void)snprintf(seed, sizeof seed, "%" PRIu64, asked->seed);
    hy_sim_record_file_name(record, "World", asked->world);
    hy_sim_record_metadata(record, "Seed", seed);
    hy_sim_record_file_name(record, "Faults", asked->faults);
    hy_sim_record_options(record, asked->options);
    if (asked->lidar) {
        hy_sim_record_lidar(record, sim);
    }
    if (!asked->waits && record->telemetry != NULL) { // in real time
        hy_record_date(record->telemetry);
    }
    return true;
}

bool record_option_end(const char *command, hy_sim_record *record)
{
    hy_record_error error;
    if (hy_sim_record_end(record, &error) == HY_OK) {
        return true;
    }
    app_error(command, "--record: %s", error.text);
    return false;
}
