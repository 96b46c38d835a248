// A core between a joystick and a sim that are sockets of the test.
#include <halyard/core.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"

#define SECOND_US 1000000

typedef struct {
    hy_core core;
    hy_link joystick, sim;
    hy_icd_reader *reader;
    hy_icd_commands heard; // by the sim, last
    uint64_t commands, heartbeats;
    hy_core_mapping mapping;
    size_t points_seen, most_points_seen;
    unsigned shift;
} bench;

static void assert_still(const hy_icd_commands *c)
{
    assert_false(c->left_drive || c->right_drive || c->intake_center || c->intake_left ||
                 c->intake_right || c->tube || c->timer_start_stop || c->reset || c->outtake);
}

static hy_icd_commands map(void *context, const hy_core_input *in)
{
    bench *const self = context;
    self->points_seen += in->sensors.lidar.count;
    if (in->sensors.lidar.count > self->most_points_seen) {
        self->most_points_seen = in->sensors.lidar.count;
    }
    return hy_core_map(&self->mapping, &in->sticks);
}

static hy_endpoint here(unsigned port)
{
    char text[32];
    hy_endpoint out;
    snprintf(text, sizeof text, "127.0.0.1:%u", port);
    assert_int_equal(hy_endpoint_parse(text, 0, &out), HY_OK);
    return out;
}

static bool open_at(bench *self, unsigned shift)
{
    const hy_core_options options = { .player = 2, .shift = shift };
    const hy_endpoint joystick = here(2010 + shift), sim = here(8010 + shift);
    if (hy_core_open(&self->core, &options, map, self) != HY_OK) {
        return false;
    }
    if (hy_link_open(&self->joystick, &joystick) == HY_OK && hy_link_open(&self->sim, &sim) == HY_OK) {
        return true;
    }
    hy_link_close(&self->joystick);
    hy_core_close(&self->core);
    return false;
}

static void start(bench *self)
{
    memset(self, 0, sizeof *self);
    self->reader = hy_icd_reader_new();
    unsigned shift = 20000 + (unsigned)getpid() % 10000;
    while (!open_at(self, shift)) { // somebody else has a port
        shift += 100;
        assert_true(shift < 50000);
    }
    self->shift = shift;
}

static void end(bench *self)
{
    hy_link_close(&self->joystick);
    hy_link_close(&self->sim);
    hy_core_close(&self->core);
    hy_icd_reader_free(self->reader);
}

static void hear(bench *self)
{
    hy_datagram batch[HY_LINK_BATCH];
    size_t count = hy_link_receive(&self->sim, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(batch[i].peer.port, 6010 + self->shift); // originals check that
        assert_int_equal(hy_icd_read_commands(self->reader, batch[i].bytes, &self->heard), HY_OK);
        self->commands++;
    }
    count = hy_link_receive(&self->joystick, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(batch[i].peer.port, 4010 + self->shift);
        assert_int_equal(batch[i].bytes.size, 2);
        assert_memory_equal(batch[i].bytes.data, "{}", 2);
        self->heartbeats++;
    }
}

static void run(bench *self, int64_t duration_us)
{
    const int64_t end_us = hy_clock_now_us() + duration_us;
    while (hy_clock_now_us() < end_us) {
        hy_core_poll(&self->core, hy_clock_now_us());
        hear(self);
        usleep(1000);
    }
}

// Until the sim heard so many more commands.
static void await_commands(bench *self, uint64_t more)
{
    const uint64_t wanted = self->commands + more;
    const int64_t end_us = hy_clock_now_us() + 10 * SECOND_US;
    while (self->commands < wanted && hy_clock_now_us() < end_us) {
        run(self, 1000);
    }
    assert_true(self->commands >= wanted);
}

static void send_text(hy_link *from, const hy_endpoint *to, const char *text)
{
    const hy_bytes bytes = { (const uint8_t *)text, strlen(text) };
    assert_int_equal(hy_link_send(from, to, bytes), HY_OK);
}

static void push(bench *self, const char *text)
{
    const hy_endpoint to = here(4010 + self->shift);
    send_text(&self->joystick, &to, text);
}

static void feel(bench *self, const char *text)
{
    const hy_endpoint to = here(6010 + self->shift);
    send_text(&self->sim, &to, text);
}

static void sticks_become_commands_and_are_answered(void **state)
{
    (void)state;
    bench self;
    start(&self);
    await_commands(&self, 3);
    assert_still(&self.heard); // nobody touches the joystick
    push(&self, "{\"leftJoystick\": [0, 100], \"rightJoystick\": [-301, 0], \"a\": 1}");
    run(&self, SECOND_US / 10);
    assert_int_equal(self.heard.left_drive, -50);
    assert_int_equal(self.heard.right_drive, 250);
    assert_true(self.heard.outtake);
    assert_int_equal(self.heartbeats, 1);
    assert_true(self.core.input.joystick_up);
    end(&self);
}

// Pressed and let go before the core looks: both reach the sim.
static void no_edge_is_lost_in_a_batch(void **state)
{
    (void)state;
    bench self;
    start(&self);
    await_commands(&self, 1);
    const uint64_t before = self.core.counters.commands;
    push(&self, "{\"start\": 1}");
    push(&self, "{\"start\": 0}");
    usleep(20000);
    hy_core_poll(&self.core, hy_clock_now_us());
    assert_true(self.core.counters.commands >= before + 2);
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&self.sim, batch, HY_LINK_BATCH);
    bool was_down = false;
    for (size_t i = 0; i < count; i++) {
        hy_icd_commands commands;
        assert_int_equal(hy_icd_read_commands(self.reader, batch[i].bytes, &commands), HY_OK);
        was_down = was_down || commands.timer_start_stop;
    }
    assert_true(was_down);
    end(&self);
}

static void a_silent_joystick_stops_the_robot(void **state)
{
    (void)state;
    bench self;
    start(&self);
    push(&self, "{\"leftJoystick\": [0, 512]}");
    run(&self, SECOND_US / 10);
    assert_int_equal(self.heard.left_drive, 512);
    run(&self, HY_CORE_SILENCE_US);
    assert_int_equal(self.heard.left_drive, 0);
    assert_int_equal(self.core.counters.joystick_silences, 1);
    assert_false(self.core.input.joystick_up);
    end(&self);
}

static void what_is_wrong_is_counted_and_dropped(void **state)
{
    (void)state;
    bench self;
    start(&self);
    push(&self, "{\"leftJoystick\": [0, 77]}");
    static const char *const rubbish[] = {
        "", "{", "nonsense", "[]", "{\"leftJoystick\": \"up\"}", "{\"leftJoystick\": [1]}"
    };
    for (size_t i = 0; i < sizeof rubbish / sizeof rubbish[0]; i++) {
        push(&self, rubbish[i]);
    }
    hy_link stranger;
    const hy_endpoint any = here(0), to = here(4010 + self.shift),
                      to_sim_side = here(6010 + self.shift);
    assert_int_equal(hy_link_open(&stranger, &any), HY_OK);
    send_text(&stranger, &to, "{\"leftJoystick\": [0, 512]}");
    send_text(&stranger, &to_sim_side, "{\"leftDriveEncoder\": 512}");
    run(&self, SECOND_US / 10);
    assert_int_equal(self.heard.left_drive, 77);
    assert_int_equal(self.core.counters.rx_malformed, sizeof rubbish / sizeof rubbish[0]);
    assert_int_equal(self.core.counters.rx_strangers, 2);
    assert_int_equal(self.core.input.sensors.left_encoder, 0);
    hy_link_close(&stranger);
    end(&self);
}

static void every_lidar_point_reaches_the_program_once(void **state)
{
    (void)state;
    bench self;
    start(&self);
    static const char *const messages[] = {
        "{\"leftDriveEncoder\": 5, \"lidarSweep\": [{\"azimuth\": 0.1, \"range\": 1.0}]}",
        "{\"leftDriveEncoder\": 6, \"lidarPoints\": [[0.2, 0.0, 2.0], [0.3, 0.0, -1.0]]}",
        "{\"leftDriveEncoder\": 7, \"lidarSweep\": []}",
    };
    for (size_t i = 0; i < 3; i++) {
        feel(&self, messages[i]);
    }
    run(&self, SECOND_US / 10);
    assert_int_equal(self.points_seen, 3);
    assert_int_equal(self.core.input.sensors.left_encoder, 7);
    assert_int_equal(self.core.counters.sensors, 3);
    assert_true(self.core.input.sim_up);
    end(&self);
}

static void closing_stops_the_robot_first(void **state)
{
    (void)state;
    bench self;
    start(&self);
    push(&self, "{\"leftJoystick\": [0, 512], \"leftTrigger\": 512}");
    run(&self, SECOND_US / 10);
    assert_int_equal(self.heard.left_drive, 512);
    const uint64_t before = self.commands;
    hy_core_close(&self.core);
    hear(&self);
    assert_true(self.commands >= before + 5); // repeated: some may get lost
    assert_still(&self.heard);
    end(&self);
}

static void what_cannot_be_opened_is_refused(void **state)
{
    (void)state;
    bench self;
    start(&self);
    hy_core other;
    assert_int_equal(hy_core_open(&other, &(hy_core_options){ .player = 0 }, map, &self), HY_ERANGE);
    assert_int_equal(hy_core_open(&other, &(hy_core_options){ .player = 7 }, map, &self), HY_ERANGE);
    assert_int_equal(
        hy_core_open(&other, &(hy_core_options){ .player = 1, .shift = 65000 }, map, &self),
        HY_ERANGE);
    assert_int_equal(
        hy_core_open(&other, &(hy_core_options){ .player = 2, .shift = self.shift }, map, &self),
        HY_EINUSE);
    hy_core_close(&other);
    end(&self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sticks_become_commands_and_are_answered),
        cmocka_unit_test(no_edge_is_lost_in_a_batch),
        cmocka_unit_test(a_silent_joystick_stops_the_robot),
        cmocka_unit_test(what_is_wrong_is_counted_and_dropped),
        cmocka_unit_test(every_lidar_point_reaches_the_program_once),
        cmocka_unit_test(closing_stops_the_robot_first),
        cmocka_unit_test(what_cannot_be_opened_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
