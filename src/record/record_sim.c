// A simulation and its log file.
#include <halyard/record_sim.h>
#include <stdio.h>
#include <string.h>

static hy_status start_telemetry(hy_sim_record *self, const hy_sim *sim)
{
    hy_status status = hy_telemetry_create(&self->telemetry);
    if (status == HY_OK) {
        status = hy_telemetry_attach(self->telemetry, hy_record_sink(self->file));
    }
    if (status == HY_OK) {
        status = hy_sim_publisher_start(&self->publisher, sim, self->telemetry);
    }
    return status;
}

hy_status hy_sim_record_start(hy_sim_record *self, const hy_record_options *options,
                              const hy_sim *sim, hy_record_error *error)
{
    memset(self, 0, sizeof *self);
    if (options->path == NULL) {
        return HY_OK;
    }
    hy_status status = hy_record_open(options, &self->file, error);
    if (status != HY_OK) {
        return status;
    }
    status = start_telemetry(self, sim);
    if (status != HY_OK) {
        hy_record_error unread;
        (void)hy_sim_record_end(self, &unread);
        (void)snprintf(error->text, sizeof error->text, "%.400s: %s", options->path,
                       hy_status_text(status));
        return status;
    }
    hy_sim_record_metadata(self, "Halyard", hy_version());
    hy_sim_publish(&self->publisher, sim);
    return HY_OK;
}

void hy_sim_record_metadata(hy_sim_record *self, const char *name, const char *text)
{
    if (self->telemetry != NULL) {
        hy_record_metadata(self->telemetry, name, text);
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
    }
}

hy_status hy_sim_record_end(hy_sim_record *self, hy_record_error *error)
{
    const hy_status status = hy_record_close(self->file, error);
    hy_telemetry_destroy(self->telemetry);
    memset(self, 0, sizeof *self);
    return status;
}
