// An XRP in a match: the real sim, whose world has robots of the interface document, driven by a core, and an XRP, driven
// by a robot program over its own protocol.
#include "cmocka_all.h"

#include <halyard/core.h>
#include <halyard/robot.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "await.h"
#include "match_ports.h"
#include "program.h"

#define SECOND_US 1000000
#define LIMIT_US  (60 * SECOND_US)

// A metre to the left of player 1, and looking at its side: that is nearer than the wall behind it.
#define PLACE      "-1,-5.004,0"
#define RANGE_PIN  2
#define NEAR_M     0.8
#define FAR_M      3.5
#define M_PER_VOLT (4.0 / 5.0)
#define M_PER_TICK (0.060 * 3.14159265358979 / 585.0)

typedef struct {
    match_ports ports;
    unsigned shift;
    program sim;
    hy_core core;
    hy_icd_commands commands; // of player 1's core
    hy_robot *xrp;
    hy_link view, status;
    hy_icd_reader *reader;
    hy_icd_match match; // as the view got it last
    hy_icd_status told; // the same of the status
    uint64_t matches, statuses;
} bench;

static hy_icd_commands think(void *context, const hy_core_input *in)
{
    (void)in;
    return ((bench *)context)->commands;
}

// --------------------------------------------------------------------------- life

static void close_ports(bench *self)
{
    hy_core_close(&self->core);
    hy_link_close(&self->view);
    hy_link_close(&self->status);
    match_ports_give_back(&self->ports);
}

static void open_ports(bench *self)
{
    match_ports_take(&self->ports);
    self->shift = self->ports.shift;
    const hy_core_options options = { .player = 1, .shift = self->shift };
    assert_int_equal(hy_core_open(&self->core, &options, think, self), HY_OK);
    match_ports_open(&self->ports, HY_ICD_VIEW, 1, &self->view);
    match_ports_open(&self->ports, HY_ICD_VIEW_STATUS, 1, &self->status);
}

static void start_sim(bench *self)
{
    char shift[16], url[64];
    unsigned port = 0;
    snprintf(shift, sizeof shift, "%u", self->shift);
    const char *const arguments[] = {
        HALYARD_BINARY,           "sim", "--players", "2", "--shift", shift, "--board",
        "xrp@127.0.0.1:0," PLACE, NULL
    };
    self->sim = program_start(arguments);
    assert_true(program_await(&self->sim, "ready: 2 players\n", LIMIT_US));
    const char *const line = strstr(self->sim.output, "xrp listening on ");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "xrp listening on 127.0.0.1:%u", &port), 1);
    assert_true(port != 0);
    snprintf(url, sizeof url, "xrp://127.0.0.1:%u", port);
    assert_int_equal(hy_robot_open(&self->xrp, url), HY_OK);
}

static void start(bench *self)
{
    memset(self, 0, sizeof *self);
    self->reader = hy_icd_reader_open();
    open_ports(self);
    start_sim(self);
}

static void end(bench *self)
{
    hy_robot_close(self->xrp);
    kill(self->sim.pid, SIGTERM);
    assert_int_equal(program_end(&self->sim, NULL, 0), 0);
    close_ports(self);
    hy_icd_reader_close(self->reader);
}

// --------------------------------------------------------------------------- time

static void look(bench *self)
{
    hy_datagram batch[HY_LINK_BATCH];
    size_t count = hy_link_receive(&self->view, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(batch[i].peer.port, HY_ICD_SIM_VIEW + self->shift);
        assert_int_equal(hy_icd_read_match(self->reader, batch[i].bytes, &self->match), HY_OK);
        assert_int_equal(self->match.vehicle_count, 2); // the XRP never is one
        self->matches++;
    }
    count = hy_link_receive(&self->status, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(batch[i].peer.port, HY_ICD_SIM_VIEW + self->shift);
        assert_int_equal(hy_icd_read_status(self->reader, batch[i].bytes, &self->told), HY_OK);
        assert_int_equal(self->told.player_count, 2);
        assert_int_equal(self->told.robot_count, 1);
        self->statuses++;
    }
}

static void turn(bench *self)
{
    const int64_t now_us = hy_clock_now_us();
    hy_core_poll(&self->core, now_us);
    hy_robot_poll(self->xrp, now_us);
    look(self);
    usleep(500);
}

#define AWAIT(self, is_so) AWAIT_BY(turn, self, is_so, LIMIT_US)

/// Lets two more statuses come: what the second tells is newer than this call.
static void await_news(bench *self)
{
    const uint64_t before = self->statuses;
    AWAIT(self, self->statuses >= before + 2);
}

static double range_m(const bench *self)
{
    return hy_robot_analog_v(self->xrp, RANGE_PIN) * M_PER_VOLT;
}

static double driven_m(const bench *self)
{
    return hy_robot_encoder_counts(self->xrp, 0) * M_PER_TICK;
}

// --------------------------------------------------------------------------- tests

/// Whether the XRP is enabled and told to drive. Where this machine kept one of the two waiting too long it has stopped, as it should,
/// and is enabled again.
static bool drives(bench *self)
{
    if (!hy_robot_is_enabled(self->xrp) && hy_robot_enable(self->xrp)) {
        hy_robot_set_efforts(self->xrp, 0.5, 0.5);
    }
    return hy_robot_is_enabled(self->xrp);
}

static void an_xrp_and_a_vehicle_share_a_world(void **state)
{
    (void)state;
    bench b;
    start(&b);
    AWAIT(&b, b.matches > 0 && b.statuses > 0 && hy_robot_is_up(b.xrp, hy_clock_now_us()));
    const hy_icd_robot *const xrp = &b.told.robot[0];
    assert_string_equal(xrp->kind, "xrp");
    assert_true(fabs(xrp->x_m + 1.0) < 0.001 && fabs(xrp->y_m + 5.004) < 0.001);
    assert_false(xrp->enabled);
    assert_true(b.told.step_us > 0.0);
    AWAIT(&b, range_m(&b) > 0.1 && range_m(&b) < NEAR_M); // it sees player 1's side

    // The core hears and drives: player 1 is off, which the XRP sees, too.
    AWAIT(&b, b.told.player[0].connected && b.told.player[0].rate_hz > 10.0);
    assert_false(b.told.player[1].connected);
    const double start_y_m = b.match.vehicle[0].y_m;
    b.commands = (hy_icd_commands){ .left_drive = 150, .right_drive = 150 };
    AWAIT(&b, b.match.vehicle[0].y_m > start_y_m + 1.2);
    b.commands = (hy_icd_commands){ .left_drive = 0 };
    AWAIT(&b, range_m(&b) > FAR_M);
    assert_true(fabs(xrp->x_m + 1.0) < 0.001);

    // Its own program drives the XRP, which the status tells as the wheels do.
    for (double way_m = 0.1; way_m < 0.6; way_m += 0.1) {
        AWAIT(&b, drives(&b) && driven_m(&b) > way_m);
        // A busy machine: what is missed is caught up with, and no turn of a wheel is lost.
        program_stop(&b.sim);
        usleep(150000);
        kill(b.sim.pid, SIGCONT);
    }
    AWAIT(&b, drives(&b) && xrp->enabled);
    hy_robot_set_efforts(b.xrp, 0.0, 0.0);
    double last_m;
    do { // nothing brakes it: it rolls to a stop, which a disabled XRP would not count
        last_m = driven_m(&b);
        await_news(&b);
        await_news(&b);
    } while (driven_m(&b) != last_m);
    hy_robot_disable(b.xrp);
    AWAIT(&b, !xrp->enabled);
    print_message("the XRP's wheels say %.3f m, the status %.3f m\n", driven_m(&b), xrp->x_m + 1.0);
    assert_true(fabs(xrp->x_m + 1.0 - driven_m(&b)) < 0.04);
    assert_true(fabs(xrp->y_m + 5.004) < 0.1);
    end(&b);
}

static void a_core_that_falls_silent_is_told(void **state)
{
    (void)state;
    bench b;
    start(&b);
    AWAIT(&b, b.told.player[0].connected);
    hy_link_close(&b.core.to_sim); // says no more, not even a stop
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (b.told.player[0].connected) {
        assert_true(hy_clock_now_us() < end_us);
        look(&b);
        usleep(500);
    }
    assert_true(b.told.player[0].age_ms >= 500.0);
    end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_xrp_and_a_vehicle_share_a_world),
        cmocka_unit_test(a_core_that_falls_silent_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
