// A core between a joystick and a sim that are sockets of the test.
#include <halyard/core.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "await.h"
#include "cmocka_all.h"
#include "match_ports.h"
#include "program.h"
#include "refusal.h"

#define SECOND_US 1000000
#define LIMIT_US  (60 * SECOND_US)

typedef struct {
    hy_core core;
    hy_link joystick, sim;
    hy_icd_reader *reader;
    hy_icd_commands heard; // by the sim, last
    uint64_t commands, heartbeats;
    hy_player_mapping mapping;
    size_t points_seen, most_points_seen;
    match_ports ports;
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
    return hy_player_map(&self->mapping, &in->sticks);
}

static hy_endpoint here(const char *text)
{
    hy_endpoint out;
    assert_int_equal(hy_endpoint_parse(text, 0, &out), HY_OK);
    return out;
}

// A core of player 2, with more options than its place.
static void start_with(bench *self, hy_core_options options)
{
    memset(self, 0, sizeof *self);
    self->reader = hy_icd_reader_open();
    match_ports_take(&self->ports);
    options.player = 2;
    options.shift = self->ports.shift;
    assert_int_equal(hy_core_open(&self->core, &options, map, self), HY_OK);
    match_ports_open(&self->ports, HY_ICD_JOYSTICK, 2, &self->joystick);
    match_ports_open(&self->ports, HY_ICD_SIM_CORE, 2, &self->sim);
}

static void start(bench *self)
{
    start_with(self, (hy_core_options){ 0 });
}

static void end(bench *self)
{
    hy_link_close(&self->joystick);
    hy_link_close(&self->sim);
    hy_core_close(&self->core);
    hy_icd_reader_close(self->reader);
    match_ports_give_back(&self->ports);
}

static void hear(bench *self)
{
    hy_datagram batch[HY_LINK_BATCH];
    size_t count = hy_link_receive(&self->sim, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(batch[i].peer.port, 6010 + self->ports.shift); // originals check that
        assert_int_equal(hy_icd_read_commands(self->reader, batch[i].bytes, &self->heard), HY_OK);
        self->commands++;
    }
    count = hy_link_receive(&self->joystick, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(batch[i].peer.port, 4010 + self->ports.shift);
        assert_int_equal(batch[i].bytes.size, 2);
        assert_memory_equal(batch[i].bytes.data, "{}", 2);
        self->heartbeats++;
    }
}

static void turn(bench *self)
{
    hy_core_poll(&self->core, hy_clock_now_us());
    hear(self);
    usleep(500);
}

#define AWAIT(self, is_so) AWAIT_BY(turn, self, is_so, LIMIT_US)

static void await_commands(bench *self, uint64_t more)
{
    const uint64_t wanted = self->commands + more;
    AWAIT(self, self->commands >= wanted);
}

static void send_text(hy_link *from, const hy_endpoint *to, const char *text)
{
    const hy_bytes bytes = { (const uint8_t *)text, strlen(text) };
    assert_int_equal(hy_link_send(from, to, bytes), HY_OK);
}

static void push(bench *self, const char *text)
{
    const hy_endpoint to = match_ports_at(&self->ports, HY_ICD_CORE_JOYSTICK, 2);
    send_text(&self->joystick, &to, text);
}

static void feel(bench *self, const char *text)
{
    const hy_endpoint to = match_ports_at(&self->ports, HY_ICD_CORE_SIM, 2);
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
    AWAIT(&self, self.heard.left_drive == -50 && self.heartbeats == 1);
    assert_int_equal(self.heard.right_drive, 250);
    assert_true(self.heard.outtake);
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
    AWAIT(&self, self.heard.left_drive == 512);
    const int64_t from_us = hy_clock_now_us();
    AWAIT(&self, self.heard.left_drive == 0);
    assert_true(hy_clock_now_us() - from_us > HY_CORE_SILENCE_US / 4); // not at once, as a loss would do
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
    const hy_endpoint any = here("127.0.0.1:0"),
                      to = match_ports_at(&self.ports, HY_ICD_CORE_JOYSTICK, 2),
                      to_sim_side = match_ports_at(&self.ports, HY_ICD_CORE_SIM, 2);
    assert_int_equal(hy_link_open(&stranger, &any), HY_OK);
    send_text(&stranger, &to, "{\"leftJoystick\": [0, 512]}");
    send_text(&stranger, &to_sim_side, "{\"leftDriveEncoder\": 512}");
    const hy_core_counters *const c = &self.core.counters;
    AWAIT(&self, c->rx_malformed == sizeof rubbish / sizeof rubbish[0] && c->rx_strangers == 2);
    assert_int_equal(c->sticks, 1);
    assert_int_equal(self.heartbeats, 1);
    assert_int_equal(self.core.input.sensors.left_encoder, 0);
    hy_link_close(&stranger);
    end(&self);
}

// A joystick that sends from a port of the system's choosing, and listens on its own.
static void any_port_is_taken_if_told_so(void **state)
{
    (void)state;
    bench self;
    start_with(&self, (hy_core_options){ .any_port = true });
    hy_link wanderer, elsewhere;
    const hy_endpoint any = here("127.0.0.1:0"), other_host = here("127.0.0.2:0"),
                      to = match_ports_at(&self.ports, HY_ICD_CORE_JOYSTICK, 2),
                      to_sim_side = match_ports_at(&self.ports, HY_ICD_CORE_SIM, 2);
    assert_int_equal(hy_link_open(&wanderer, &any), HY_OK);
    assert_int_equal(hy_link_open(&elsewhere, &other_host), HY_OK);
    send_text(&wanderer, &to, "{\"leftJoystick\": [0, 99]}");
    AWAIT(&self, self.heard.left_drive == 99 && self.heartbeats == 1); // where a joystick listens
    send_text(&elsewhere, &to, "{\"leftJoystick\": [0, 512]}");        // another host stays one
    send_text(&wanderer, &to_sim_side, "{\"leftDriveEncoder\": 512}"); // and a sim's port a sim's
    AWAIT(&self, self.core.counters.rx_strangers == 2);
    assert_int_equal(self.core.counters.sticks, 1);
    assert_int_equal(self.core.counters.sensors, 0);
    hy_link_close(&wanderer);
    hy_link_close(&elsewhere);
    end(&self);
}

static void other_ports_are_used_as_told(void **state)
{
    (void)state;
    match_ports ports;
    match_ports_take(&ports);
    const unsigned base = 2000 + ports.shift;
    bench self = { .reader = hy_icd_reader_open() };
    const hy_core_options options = {
        .player = 2,
        .ports.first = { (uint16_t)(base + 1), (uint16_t)(base + 2), (uint16_t)(base + 3),
                         (uint16_t)(base + 4) },
    };
    assert_int_equal(hy_core_open(&self.core, &options, map, &self), HY_OK);
    assert_int_equal(self.core.joystick.port, base + 11);
    assert_int_equal(self.core.to_joystick.local.port, base + 12);
    assert_int_equal(self.core.to_sim.local.port, base + 13);
    assert_int_equal(self.core.sim.port, base + 14);
    hy_core_close(&self.core);
    hy_icd_reader_close(self.reader);
    match_ports_give_back(&ports);
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
    AWAIT(&self, self.points_seen == 3);
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
    AWAIT(&self, self.heard.left_drive == 512);
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
    assert_int_equal(hy_core_open(&other, &(hy_core_options){ .player = 2, .shift = self.ports.shift },
                                  map, &self),
                     HY_EINUSE);
    static const struct {
        hy_core_options options;
        hy_status status;
    } refused[] = {
        { { .player = 1, .listen = "192.0.2.1" }, HY_EADDRESS },
        { { .player = 1, .sim = "127.0.0.1:8001" }, HY_EADDRESS },
        { { .player = 1, .joystick = "nobody is called so" }, HY_EADDRESS },
        { { .player = 1, .joystick = "[::1]" }, HY_EADDRESS }, // from 127.0.0.1
        { { .player = 6, .ports.first = { 65500 } }, HY_ERANGE },
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_int_equal(hy_core_open(&other, &refused[i].options, map, &self), refused[i].status);
    }
    hy_core_close(&other);
    end(&self);
}

// --------------------------------------------------------------------------- the command

typedef struct {
    const char *arguments[2], *says;
    int status;
} wrong_use;

static void bot_turn(bench *self)
{
    feel(self, "{\"x\": 0, \"y\": -5, \"theta\": 1.57, \"leftEncoder\": 0, \"rightEncoder\": 0}");
    hear(self);
    usleep(5000);
}

static void driven_bot_turn(bench *self)
{
    push(self, "{\"leftJoystick\": [0, 512]}");
    bot_turn(self);
}

static void listen_turn(bench *self)
{
    hear(self);
    usleep(5000);
}

static bool drives_by_hand(const bench *self)
{
    return self->heard.left_drive == HY_ICD_FULL && self->heard.right_drive == HY_ICD_FULL;
}

static bool stands(const bench *self)
{
    return self->heard.left_drive == 0 && self->heard.right_drive == 0;
}

static void a_joystick_takes_the_seat_of_a_bot(void **state)
{
    (void)state;
    bench self = { .reader = hy_icd_reader_open() };
    match_ports_take(&self.ports);
    match_ports_open(&self.ports, HY_ICD_JOYSTICK, 2, &self.joystick);
    match_ports_open(&self.ports, HY_ICD_SIM_CORE, 2, &self.sim);
    char shift[16], ready[16];
    (void)snprintf(shift, sizeof shift, "%u", self.ports.shift);
    program core = program_start((const char *const[]){ HALYARD_BINARY, "core", "--player", "2",
                                                        "--shift", shift, "--bot", "hard", NULL });
    assert_true(program_await_ready(&core, "player", ready, sizeof ready, LIMIT_US));
    AWAIT_BY(bot_turn, &self, !stands(&self) && self.heard.intake_center == HY_ICD_FULL, LIMIT_US);
    assert_false(drives_by_hand(&self));
    AWAIT_BY(driven_bot_turn, &self, drives_by_hand(&self), LIMIT_US);
    AWAIT_BY(bot_turn, &self, !drives_by_hand(&self) && !stands(&self), LIMIT_US);
    AWAIT_BY(listen_turn, &self, stands(&self), LIMIT_US); // the sim is gone
    kill(core.pid, SIGTERM);
    usleep(30000); // it repeats its stop for 100 ms
    kill(core.pid, SIGTERM);
    assert_int_equal(program_end(&core, NULL, 0), 0);
    hy_link_close(&self.joystick);
    hy_link_close(&self.sim);
    hy_icd_reader_close(self.reader);
    match_ports_give_back(&self.ports);
}

static const wrong_use wrong[] = {
    { { "--bot", "clever" }, "--bot", 2 },
    { { "--player", "0" }, "--player must be between 1 and 6", 2 },
    { { "--player", "9" }, "--player must be between 1 and 6", 2 },
    { { "--player", "one" }, "--player needs a whole number", 2 },
    { { "--player", "0x1" }, "--player needs a whole number", 2 },
    { { "--player", "+1" }, "--player needs a whole number", 2 },
    { { "--player", "" }, "--player needs a whole number", 2 },
    { { "--player" }, "--player needs a value", 2 },
    { { "--PLAYER", "1" }, "unknown option '--PLAYER'", 2 },
    { { "--shift", "65535" }, "give at most 49485", 2 },
    { { "--shift", "-1" }, "--shift needs a whole number", 2 },
    { { "--shift", "1e3" }, "--shift needs a whole number", 2 },
    { { "--ports", "a,b,c,d,e,f" }, "as in 2000,4000,6000,8000,10000,12000", 2 },
    { { "--ports", "2000,4000,6000,8000,10000," }, "as in 2000,4000,6000,8000,10000,12000", 2 },
    { { "--ports", "2000;4000;6000;8000;10000;12000" }, "as in 2000,4000,6000,8000,10000,12000", 2 },
    { { "--ports", "2000,4000,6000,8000,10000,99999999999999999999" }, "as in 2000,4000", 2 },
    { { "--ports", "2000,4000,6000,8000,10000,14050" }, "also 14000 for the status", 2 },
    { { "--ports", "2000,4000,6000,8000,10000,65490" }, "player 6 would have port 65540", 2 },
    { { "--joystick", "" }, "'': the address is not understood", 1 },
    { { "--joystick", "256.0.0.1" }, "'256.0.0.1': the address is not understood", 1 },
    { { "--joystick", "127.0.0.1:1" }, "'127.0.0.1:1' has a port", 1 },
    { { "--joystick", "127.0.0.1:99999" }, "the address is not understood", 1 },
    { { "--sim", "::1" }, "IPv6 in brackets", 1 },
    { { "--sim", "[::1]" }, "one is IPv4, the other IPv6", 1 },
    { { "--sim", "over there" }, "'over there': the address is not understood", 1 },
    { { "--sim" }, "--sim needs a value", 2 },
    { { "--listen", "192.0.2.1" }, "192.0.2.1: it is not an address of this machine", 1 },
    { { "--listen", "127.0.0.1:4001" }, "'127.0.0.1:4001' has a port", 1 },
    { { "--listen", "[::1]" }, "one is IPv4, the other IPv6", 1 },
    { { "--demo=1" }, "--demo takes no value", 2 },
    { { "--any-port", "2000" }, "unexpected argument '2000'", 2 },
    { { "play" }, "unexpected argument 'play'", 2 },
};

static void one_sentence_for_what_is_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        check_refusal(ARGUMENTS("core", wrong[i].arguments[0], wrong[i].arguments[1]),
                      wrong[i].status, wrong[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sticks_become_commands_and_are_answered),
        cmocka_unit_test(no_edge_is_lost_in_a_batch),
        cmocka_unit_test(a_silent_joystick_stops_the_robot),
        cmocka_unit_test(what_is_wrong_is_counted_and_dropped),
        cmocka_unit_test(any_port_is_taken_if_told_so),
        cmocka_unit_test(other_ports_are_used_as_told),
        cmocka_unit_test(every_lidar_point_reaches_the_program_once),
        cmocka_unit_test(closing_stops_the_robot_first),
        cmocka_unit_test(what_cannot_be_opened_is_refused),
        cmocka_unit_test(a_joystick_takes_the_seat_of_a_bot),
        cmocka_unit_test(one_sentence_for_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
