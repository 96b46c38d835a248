#include "record_option.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "app.h"

bool record_option_check(const char *command, const record_option *asked)
{
    if (asked->overwrite && asked->path == NULL) {
        app_error(command, "--overwrite needs --record FILE");
        return false;
    }
    if (asked->path != NULL && !asked->overwrite && access(asked->path, F_OK) == 0) {
        app_error(
            command,
            "--record %s: the file exists already; give another name, or --overwrite to replace it",
            asked->path);
        return false;
    }
    return true;
}

bool record_option_start(const char *command, const record_option *asked, hy_sim_record *record,
                         const hy_sim *sim)
{
    const hy_record_options options = { .path = asked->path,
                                        .overwrite = asked->overwrite,
                                        .waits = asked->waits };
    hy_record_error error;
    if (hy_sim_record_start(record, &options, sim, &error) != HY_OK) {
        app_error(command, "--record: %s", error.text);
        return false;
    }
    char seed[24];
    (void)snprintf(seed, sizeof seed, "%" PRIu64, asked->seed);
    hy_sim_record_metadata(record, "World", asked->world);
    hy_sim_record_metadata(record, "Seed", seed);
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
