#include "conform_client.h"

#include <halyard/link.h>

#include <poll.h>
#include <stdio.h>

#include "cli/app.h"
#include "cli/ready_line.h"

#define WAIT_MS 100

typedef struct {
    hy_conform_client tester;
    hy_link link;
    hy_endpoint program; // who sent last
    const char *shown;   // the step that was printed last
} client_session;

static void show_next_step(client_session *self)
{
    const char *const step = hy_conform_client_next_step(&self->tester);
    if (step != self->shown) {
        fprintf(stderr, "%s\n", step);
        self->shown = step;
    }
}

static void exchange(client_session *self)
{
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&self->link, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        self->program = batch[i].peer;
        hy_conform_client_receive(&self->tester, batch[i].bytes, batch[i].at_us);
    }
    uint8_t status[HY_WIRE_STATUS_MAX];
    const int64_t now_us = hy_clock_now_us();
    size_t size;
    while ((size = hy_conform_client_send(&self->tester, now_us,
                                          (hy_room){ status, sizeof status })) > 0) {
        (void)hy_link_send(&self->link, &self->program,
                           (hy_bytes){ status, size }); // lost, as on the air
    }
}

static void wait_for_more(const client_session *self)
{
    const int64_t wait_us = hy_conform_client_due_us(&self->tester) - hy_clock_now_us();
    struct pollfd source = { .fd = (int)hy_link_descriptor(&self->link), .events = POLLIN };
    poll(&source, 1, wait_us > 0 && wait_us < WAIT_MS * 1000 ? (int)(wait_us / 1000 + 1) : WAIT_MS);
}

static bool open_link(client_session *self, const char *command, const conform_client_plan *plan)
{
    hy_endpoint local;
    char text[HY_ENDPOINT_TEXT_MAX];
    if (hy_endpoint_parse(plan->listen, HY_WIRE_PORT, &local) != HY_OK) {
        app_error(command, "--listen %s: not an address; one looks like 127.0.0.1:3540",
                  plan->listen);
        return false;
    }
    const hy_status status = hy_link_open(&self->link, &local);
    if (status != HY_OK) {
        app_error(command, "cannot listen on %s: %s", plan->listen, hy_status_text(status));
        return false;
    }
    ready_line ready = { .pairs = "" };
    ready_line_add_address(&ready, "udp", &self->link.local);
    ready_line_print(&ready, stderr);
    fprintf(stderr, "listening on %s\n", hy_endpoint_format(&self->link.local, text));
    return true;
}

bool conform_client_run(const char *command, const conform_client_plan *plan,
                        hy_conform_report *report)
{
    client_session self = { 0 };
    if (!open_link(&self, command, plan)) {
        return false;
    }
    const int64_t start_us = hy_clock_now_us();
    const int64_t end_us =
        plan->duration_s > 0.0 ? start_us + (int64_t)(plan->duration_s * 1e6) : INT64_MAX;
    hy_conform_client_start(&self.tester, plan->dialect, start_us);
    bool is_cut_short = false;
    while (!is_cut_short && !hy_conform_client_is_over(&self.tester, hy_clock_now_us())) {
        show_next_step(&self);
        wait_for_more(&self);
        exchange(&self);
        is_cut_short = plan->is_interrupted() || hy_clock_now_us() >= end_us;
    }
    hy_conform_client_finish(&self.tester, is_cut_short, hy_clock_now_us(), report);
    hy_endpoint_format(&self.program, report->address);
    hy_link_close(&self.link);
    return true;
}
