#include "conform_client.h"

#include <halyard/link.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/app.h"
#include "cli/network_notice.h"
#include "conform_driver.h"
#include "host/host_ready.h"
#include "system/system.h"
#include "system/system_signals.h"
#include "system/system_sockets.h"
#include "text/text_plain.h"

#define WAIT_MS    100
#define STEP_US    300000   // between two requests to a program that was started here
#define ENABLE_US  3000000  // in which a program enables, before it is ended
#define PATIENT_US 20000000 // a program that does not do what it has to for so long is killed
#define DRIVE_US   500000   // from being enabled to a signal
#define END_US     3000000  // in which a signal has to end it

typedef struct {
    hy_conform_client tester;
    hy_link link;
    hy_endpoint program; // who sent last
    hy_conform_client_stage stage;
    int64_t stage_us, step_us; // when the stage began, when the program was asked last
    int64_t end_us;            // of --duration
    unsigned steps;            // what it has been asked to do so far
    const conform_client_plan *plan;
    conform_driver driver;
    bool has_ended, is_cut_short;
} client_session;

static void note_stage(client_session *self, int64_t now_us)
{
    const hy_conform_client_stage stage = hy_conform_client_stage_of(&self->tester);
    if (stage != self->stage || self->stage_us == 0) {
        self->stage = stage;
        self->stage_us = now_us;
        hy_print(stderr, "%s\n", hy_conform_client_next_step(stage));
    }
}

static bool has_to_end(const client_session *self, int64_t now_us)
{
    return self->plan->is_interrupted() || now_us >= self->end_us;
}

static void take_command(void *context, const hy_datagram *datagram)
{
    client_session *const self = context;
    self->program = datagram->peer;
    hy_conform_client_receive(&self->tester, datagram->bytes, datagram->at_us);
}

static void exchange(client_session *self)
{
    (void)hy_link_receive_waiting(&self->link, take_command, self);
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
    const bool is_soon = wait_us > 0 && wait_us < WAIT_MS * 1000;
    (void)hy_wait_to_read(hy_link_descriptor(&self->link), -1, is_soon ? wait_us : WAIT_MS * 1000);
}

// --------------------------------------------------------------------------- a program that was started here

// Also takes what it sent last.
static bool has_ended(client_session *self)
{
    int status = 0;
    conform_driver_show(&self->driver);
    if (!hy_child_has_ended(&self->driver.process, &status)) {
        return false;
    }
    hy_conform_client_program_ended(&self->tester, status);
    exchange(self); // what it sent last
    return true;
}

static void ask_to_end(client_session *self)
{
    if (self->plan->end != NULL) {
        conform_driver_tell(&self->driver, self->plan->end);
    } else {
        hy_child_stop(&self->driver.process);
    }
}

enum { ENABLE, DISABLE, ENABLE_TO_DRIVE, ENABLE_AGAIN, ENABLE_LAST, END };

/// Whether the program has had its time to do the last step.
static bool is_next_due(const client_session *self, int64_t now_us)
{
    const int64_t since_us =
        now_us - (self->stage_us > self->step_us ? self->stage_us : self->step_us);
    const bool waits = self->steps == END && self->plan->enable != NULL &&
                       !hy_conform_client_is_enabled(&self->tester) && since_us < ENABLE_US;
    return since_us >= STEP_US && !waits;
}

static void take_step(client_session *self, int64_t now_us)
{
    switch (self->steps) {
    case END: ask_to_end(self); break;
    case DISABLE: conform_driver_tell(&self->driver, self->plan->disable); break;
    case ENABLE_AGAIN:
        if (self->stage == HY_CONFORM_CLIENT_AWAITS_ENABLE_AGAIN && self->plan->enable != NULL) {
            conform_driver_tell(&self->driver, self->plan->enable);
            hy_conform_client_told_to_enable(&self->tester, now_us);
        }
        break;
    default: conform_driver_tell(&self->driver, self->plan->enable); break;
    }
}

// Enable, disable, enable; enable after the restart if it has disabled; behind the damaged statuses enable again, end.
static void ask_next(client_session *self, int64_t now_us)
{
    static const hy_conform_client_stage wanted[] = {
        HY_CONFORM_CLIENT_AWAITS_ENABLE, HY_CONFORM_CLIENT_DRIVES,
        HY_CONFORM_CLIENT_DRIVES,        HY_CONFORM_CLIENT_AWAITS_ENABLE_AGAIN,
        HY_CONFORM_CLIENT_AWAITS_END,    HY_CONFORM_CLIENT_AWAITS_END
    };
    if (self->steps > END || self->stage < wanted[self->steps] || !is_next_due(self, now_us)) {
        return;
    }
    take_step(self, now_us);
    self->steps++;
    self->step_us = now_us;
}

static void follow_program(client_session *self, int64_t now_us)
{
    self->has_ended = has_ended(self);
    if (self->has_ended) {
        return;
    }
    ask_next(self, now_us);
    self->is_cut_short = self->is_cut_short || now_us - self->stage_us >= PATIENT_US;
}

static bool start_program(client_session *self, const char *subcommand)
{
    hy_signals_ignore_broken_pipes(); // a program that ends early does not end this one
    if (!conform_driver_start(&self->driver, self->plan->command, self->link.local.port)) {
        hy_print_error(subcommand, "%s: cannot be started (%s)", self->plan->command[0],
                       strerror(errno));
        return false;
    }
    return true;
}

// --------------------------------------------------------------------------- started again, and ended by a signal

// Enables the program, and sends the signal when it has driven for a while.
static void drive_until_signal(client_session *self, hy_conform_client_end end)
{
    const int64_t start_us = hy_clock_now_us();
    int64_t enabled_us = 0, signal_us = 0;
    bool is_asked = false;
    for (int64_t now_us = start_us; !has_ended(self) && !has_to_end(self, now_us);
         now_us = hy_clock_now_us()) {
        const hy_conform_client_stage stage = hy_conform_client_stage_of(&self->tester);
        if (stage == HY_CONFORM_CLIENT_AWAITS_ENABLE && !is_asked && now_us - start_us >= STEP_US) {
            conform_driver_tell(&self->driver, self->plan->enable);
            is_asked = true;
        } else if (stage >= HY_CONFORM_CLIENT_DRIVES && enabled_us == 0) {
            enabled_us = now_us;
        } else if (enabled_us > 0 && signal_us == 0 && now_us - enabled_us >= DRIVE_US) {
            (end == HY_CONFORM_CLIENT_SIGINT ? hy_child_interrupt
                                             : hy_child_stop)(&self->driver.process);
            signal_us = now_us;
        }
        if (signal_us > 0 ? now_us - signal_us >= END_US : now_us - start_us >= PATIENT_US) {
            return;
        }
        wait_for_more(self);
        exchange(self);
    }
}

static void test_signals(const client_session *first, const char *subcommand,
                         hy_conform_report *report)
{
    for (unsigned end = 0; end < HY_CONFORM_CLIENT_ENDS; end++) {
        client_session again = { .plan = first->plan, .link = first->link, .end_us = first->end_us };
        bool is_run = first->has_ended && !has_to_end(first, hy_clock_now_us()) &&
                      start_program(&again, subcommand);
        if (is_run) {
            hy_print(stderr, "the program is started again, and ended by %s\n",
                     end == HY_CONFORM_CLIENT_SIGTERM ? "SIGTERM" : "SIGINT");
            hy_conform_client_init(&again.tester, first->plan->dialect, hy_clock_now_us());
            drive_until_signal(&again, (hy_conform_client_end)end);
            is_run = !has_to_end(first, hy_clock_now_us()); // half a run says nothing
        }
        hy_conform_client_add_end(is_run ? &again.tester : NULL, (hy_conform_client_end)end, report);
        conform_driver_close(&again.driver);
    }
}

// --------------------------------------------------------------------------- a run

static bool open_link(client_session *self, const char *command, const conform_client_plan *plan)
{
    hy_endpoint local;
    char text[HY_ENDPOINT_TEXT_MAX];
    if (hy_endpoint_parse(plan->listen, HY_WIRE_PORT, &local) != HY_OK) {
        hy_print_error(command, "--listen %s: not an address; one looks like 127.0.0.1:3540",
                       plan->listen);
        return false;
    }
    const hy_status status = hy_link_open(&self->link, &local);
    if (status != HY_OK) {
        char owner[HY_PORT_OWNER_MAX];
        hy_print_error(command, "cannot listen on %s: %s%s", plan->listen, hy_status_text(status),
                       hy_port_owner(status, local.port, false, owner));
        return false;
    }
    hy_ready_line ready = { .pairs = "" };
    hy_ready_line_add_address(&ready, "udp", &self->link.local);
    hy_ready_line_print(&ready, stderr);
    const hy_endpoint usable = hy_endpoint_local(&self->link.local);
    hy_print(stderr, "listening on %s\n", hy_endpoint_format(&usable, text));
    network_notice_on(stderr, &self->link.local, "can send it what the program under test did not");
    return true;
}

static bool is_over(const client_session *self, int64_t now_us)
{
    return self->has_ended || self->is_cut_short ||
           (self->plan->command == NULL && hy_conform_client_is_over(&self->tester, now_us));
}

static void run_test(client_session *self)
{
    const conform_client_plan *const plan = self->plan;
    const int64_t start_us = hy_clock_now_us();
    self->end_us = plan->duration_s > 0.0 ? start_us + (int64_t)(plan->duration_s * 1e6) : INT64_MAX;
    hy_conform_client_init(&self->tester, plan->dialect, start_us);
    for (int64_t now_us = start_us; !is_over(self, now_us); now_us = hy_clock_now_us()) {
        note_stage(self, now_us);
        wait_for_more(self);
        exchange(self);
        self->is_cut_short = has_to_end(self, now_us);
        if (plan->command != NULL) {
            follow_program(self, now_us);
        }
    }
}

bool conform_client_run(const char *subcommand, const conform_client_plan *plan,
                        hy_conform_report *report)
{
    client_session self = { .plan = plan };
    if (!open_link(&self, subcommand, plan)) {
        return false;
    }
    bool is_graded = false;
    char text[HY_ENDPOINT_TEXT_MAX];
    const hy_endpoint usable = hy_endpoint_local(&self.link.local);
    if (plan->command == NULL || start_program(&self, subcommand)) {
        run_test(&self);
        hy_conform_client_finish(&self.tester, self.is_cut_short, hy_clock_now_us(), report);
        hy_endpoint_format(&self.program, report->address);
        is_graded = hy_conform_client_stage_of(&self.tester) >= HY_CONFORM_CLIENT_DRIVES;
        if (is_graded) {
            conform_driver_close(&self.driver);
            test_signals(&self, subcommand, report);
        }
        if (!is_graded) {
            hy_print_error(subcommand,
                           report->count > 0 ? "the program was not enabled"
                                             : "no program has sent a command to %s",
                           hy_endpoint_format(&usable, text));
        }
    }
    conform_driver_close(&self.driver);
    hy_link_close(&self.link);
    return is_graded;
}
