// `halyard sim --lidar sweep`: in the document's form every message has whole turns of the lidars, so that the original view,
// which draws what it got last, shows them steadily.
#include <halyard/icd.h>

#include <math.h>
#include <signal.h>

#include "await.h"
#include "cmocka_all.h"
#include "match_ports.h"
#include "program.h"

#define LIMIT_US 60000000
#define MESSAGES 100

typedef struct {
    match_ports ports;
    hy_icd_reader *reader;
    program sim;
    hy_link view, core;
    unsigned views, sensors; ///< Messages since the first with points.
    size_t wanted;           ///< Points of each lidar to the view.
} bench;

/// All around: no gap is wider than half as much again as it should be.
static void check_turn(const hy_icd_lidar *lidar, size_t count)
{
    assert_int_equal(lidar->count, count);
    const double apart_rad = 2 * HY_PI / (double)count;
    for (size_t i = 0; i < count; i++) {
        const double from = lidar->points[i].azimuth_rad;
        double to = lidar->points[(i + 1) % count].azimuth_rad;
        to += to < from ? 2 * HY_PI : 0;
        assert_true(fabs(to - from - apart_rad) < 0.5 * apart_rad);
    }
}

static void take_view(bench *self, const hy_datagram *datagram)
{
    hy_icd_match match;
    assert_int_equal(hy_icd_read_match(self->reader, datagram->bytes, &match), HY_OK);
    if (self->views == 0 && match.vehicle[0].lidar.count == 0) {
        return; // the first turn is not complete
    }
    for (size_t i = 0; i < match.vehicle_count; i++) {
        check_turn(&match.vehicle[i].lidar, self->wanted);
    }
    self->views++;
}

static void take_sensors(bench *self, const hy_datagram *datagram)
{
    hy_icd_sensors sensors;
    assert_int_equal(hy_icd_read_sensors(self->reader, datagram->bytes, &sensors), HY_OK);
    if (self->sensors > 0 || sensors.lidar.count > 0) {
        check_turn(&sensors.lidar, 800);
        self->sensors++;
    }
}

static void receive(bench *self)
{
    hy_datagram batch[HY_LINK_BATCH];
    size_t count = hy_link_receive(&self->view, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        take_view(self, &batch[i]);
    }
    count = hy_link_receive(&self->core, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        take_sensors(self, &batch[i]);
    }
}

static void check_sweeps(const char *players, size_t wanted)
{
    static bench self;
    self = (bench){ .wanted = wanted, .reader = hy_icd_reader_open() };
    match_ports_take(&self.ports);
    match_ports_open(&self.ports, HY_ICD_VIEW, 1, &self.view);
    match_ports_open(&self.ports, HY_ICD_CORE_SIM, 1, &self.core);
    const char *const arguments[] = {
        HALYARD_BINARY, "sim",     "--players",           players, "--lidar",
        "sweep",        "--shift", self.ports.shift_text, NULL
    };
    self.sim = program_start(arguments);
    AWAIT_BY(receive, &self, self.views >= MESSAGES && self.sensors >= MESSAGES, LIMIT_US);
    kill(self.sim.pid, SIGTERM);
    assert_int_equal(program_end(&self.sim, NULL, 0), 0);
    hy_link_close(&self.view);
    hy_link_close(&self.core);
    hy_icd_reader_close(self.reader);
    match_ports_give_back(&self.ports);
}

static void every_message_has_a_whole_turn(void **state)
{
    (void)state;
    check_sweeps("1", 800);
}

static void two_turns_share_a_message(void **state)
{
    (void)state;
    check_sweeps("2", 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_has_a_whole_turn),
        cmocka_unit_test(two_turns_share_a_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
