#include "net_robot.h"

#include <stdio.h>

#include "options/options.h"

static int refuse(const hy_program *program, const char *url, hy_status status)
{
    hy_print_error(program->name, "cannot connect to %s: %s%s", url, hy_status_text(status),
                   status == HY_ENAME
                       ? "; check its spelling, or give its number, as in xrp://192.168.42.1"
                       : "");
    return status == HY_EADDRESS ? 2 : 1;
}

int program_net_robot_open(program_net_robot *self, const hy_program *program,
                           const hy_program_robot *robot, const hy_program_options *options,
                           const char *wanted)
{
    self->robot = robot;
    snprintf(self->url_here, sizeof self->url_here, "%s://127.0.0.1",
             hy_program_robot_type(robot)->name);
    self->url = wanted != NULL ? wanted : robot->url != NULL ? robot->url : self->url_here;
    const hy_status status = hy_robot_open(&self->link, self->url);
    if (status != HY_OK) {
        return refuse(program, self->url, status);
    }
    hy_program_devices_init(robot);
    hy_faults_error error;
    if (options->faults != NULL && hy_robot_set_faults(self->link, options->faults, &error) != HY_OK) {
        hy_print_error(program->name, "--faults: %s", error.text);
        return 1;
    }
    return -1;
}

void program_net_robot_close(program_net_robot *self)
{
    hy_robot_close(self->link);
    program_probe_close(&self->probe);
}

hy_program_link program_net_robot_describe(const program_net_robot *self, int64_t now_us)
{
    const hy_robot_figures figures = hy_robot_measure(self->link, now_us);
    const hy_robot_counters counters = hy_robot_get_counters(self->link);
    return (hy_program_link){ .address = self->url,
                              .is_up = hy_robot_is_up(self->link, now_us),
                              .is_taken = program_probe_is_answered(&self->probe, now_us),
                              .rate_hz = figures.rate_hz,
                              .loss = figures.loss,
                              .loss_total = figures.loss_total,
                              .age_us = figures.age_us,
                              .commands = counters.commands,
                              .statuses = counters.statuses };
}

void program_net_robot_update(program_net_robot *self)
{
    const hy_robot_counters counters = hy_robot_get_counters(self->link);
    if (counters.statuses == self->statuses_seen) {
        return;
    }
    self->statuses_seen = counters.statuses;
    if (counters.restarts != self->restarts_seen) {
        self->restarts_seen = counters.restarts;
        hy_program_devices_rebase(self->robot);
    }
    hy_program_devices_update(self->robot, hy_robot_get_status(self->link),
                              hy_robot_get_status_us(self->link));
}

void program_net_robot_command(program_net_robot *self, bool is_enabled, int64_t now_us,
                               hy_wire_command *command)
{
    if (!is_enabled) { // whatever the program sets: enabling moves nothing by itself
        hy_program_devices_stop(self->robot, now_us);
    }
    *command = (hy_wire_command){ .seq = 0 };
    hy_program_devices_command(self->robot, command, now_us);
    hy_robot_set_command(self->link, command);
}

void program_net_robot_poll(program_net_robot *self, bool probes, int64_t now_us)
{
    hy_robot_poll(self->link, now_us);
    if (probes) {
        program_probe_poll(&self->probe, self->link, now_us);
    }
}
