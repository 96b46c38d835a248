// A check over UDP: one socket asks, another commands, because a robot must take probes for a stranger's.
#include <halyard/robot.h>

#include <stdlib.h>

#include "check.h"
#include "probe.h"
#include "system/system_sockets.h"

#define NETWORKS        32
#define RECEIVE_BATCHES 8 // a flood must not hold the caller

struct hy_robot_checkup {
    hy_robot_check check;
    hy_endpoint address;
    hy_link probes, commands;
    int64_t samples[]; // the check's
};

static bool is_near(const hy_endpoint *address)
{
    hy_robot_network networks[NETWORKS];
    const int count = hy_robot_networks(networks, NETWORKS);
    for (int i = 0; i < count; i++) {
        if (hy_robot_network_has(&networks[i], address)) {
            return true;
        }
    }
    return false;
}

hy_status hy_robot_checkup_open(hy_robot_checkup **out, const hy_endpoint *address,
                                const hy_robot_check_options *options)
{
    *out = NULL;
    const size_t room = hy_robot_check_room(options->duration_us);
    hy_robot_checkup *const self = calloc(1, sizeof *self + room * sizeof self->samples[0]);
    if (self == NULL) {
        return HY_EMEMORY;
    }
    self->address = *address;
    hy_status status = hy_link_open_to(&self->probes, address);
    if (status == HY_OK && options->is_exclusive) {
        status = hy_link_open_to(&self->commands, address);
    }
    if (status != HY_OK) {
        hy_link_close(&self->probes);
        free(self);
        return status;
    }
    hy_robot_check_start(&self->check, options, (hy_robot_samples){ self->samples, room, 0 },
                         hy_clock_now_us());
    *out = self;
    return HY_OK;
}

static void send_due(hy_robot_checkup *self, int64_t now_us)
{
    hy_robot_question question;
    while (hy_robot_check_ask(&self->check, now_us, &question)) {
        hy_link_send(question.is_probe ? &self->probes : &self->commands, &self->address,
                     (hy_bytes){ question.data, question.size }); // what is refused, the link counts
    }
}

static void receive_statuses(hy_robot_checkup *self, hy_link *link)
{
    hy_datagram batch[HY_LINK_BATCH];
    size_t count = link->is_open ? HY_LINK_BATCH : 0;
    for (int i = 0; i < RECEIVE_BATCHES && count == HY_LINK_BATCH; i++) {
        count = hy_link_receive(link, batch, HY_LINK_BATCH);
        for (size_t k = 0; k < count; k++) {
            hy_robot_check_take(&self->check, link == &self->probes, batch[k].bytes,
                                batch[k].read_us);
        }
    }
}

bool hy_robot_checkup_wait(hy_robot_checkup *self, int64_t until_us)
{
    for (;;) {
        receive_statuses(self, &self->probes);
        receive_statuses(self, &self->commands);
        const int64_t now_us = hy_clock_now_us();
        if (hy_robot_check_is_over(&self->check, now_us)) {
            return false;
        }
        send_due(self, now_us);
        if (now_us >= until_us) {
            return true;
        }
        const int64_t due_us = hy_robot_check_due_us(&self->check);
        (void)hy_wait_to_read(hy_link_descriptor(&self->probes),
                              self->commands.is_open ? hy_link_descriptor(&self->commands) : -1,
                              (due_us < until_us ? due_us : until_us) - now_us);
    }
}

double hy_robot_checkup_progress(const hy_robot_checkup *self)
{
    return hy_robot_check_progress(&self->check, hy_clock_now_us());
}

hy_robot_report hy_robot_checkup_close(hy_robot_checkup *self)
{
    hy_robot_report report = hy_robot_check_end(&self->check, hy_clock_now_us());
    report.reports = self->probes.counters.rx_errors + self->commands.counters.rx_errors;
    report.is_unreachable = self->probes.counters.tx_unreachable > 0;
    report.is_near = is_near(&self->address);
    hy_link_close(&self->probes);
    hy_link_close(&self->commands);
    free(self);
    return report;
}
