// A board and a sim that did not run for a while, as in a suspended or overloaded machine: what came meanwhile moves nothing if it is old,
// if its stop waits behind it, or if its stop found no room.
#include <halyard/icd.h>
#include <halyard/link.h>
#include <halyard/wire.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "await.h"
#include "cmocka_all.h"
#include "match_ports.h"
#include "program.h"

#define MS       INT64_C(1000)
#define LIMIT_US (60000 * MS)

// More than any system keeps for a program that does not read.
#define FLOOD 20000

// --------------------------------------------------------------------------- stopping

/// At least so long, by the clock of the links.
static void wait_us(int64_t us)
{
    for (const int64_t end_us = hy_clock_now_us() + us; hy_clock_now_us() < end_us;) {
        poll(NULL, 0, 10);
    }
}

// --------------------------------------------------------------------------- a board

typedef struct {
    program program;
    const hy_dialect *dialect;
    hy_endpoint at;
    hy_link link;
    uint16_t seq;
    hy_wire_status status;
    size_t statuses;
    match_ports ports; // of a sim
} robot;

static void give(robot *r, uint8_t control)
{
    hy_wire_command command = { .seq = ++r->seq, .control = control, .motors = 0xff };
    for (int i = 0; i < HY_WIRE_MOTORS && control == 1; i++) {
        command.motor[i] = 1.0F;
    }
    uint8_t bytes[HY_WIRE_COMMAND_MAX];
    const size_t size = r->dialect->command_encode(&command, (hy_room){ bytes, sizeof bytes });
    hy_link_send(&r->link, &r->at, (hy_bytes){ bytes, size });
}

static void look(robot *r)
{
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&r->link, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(r->dialect->status_decode(batch[i].bytes, &r->status).error,
                         HY_WIRE_WELL_FORMED);
        r->statuses++;
    }
    poll(NULL, 0, 1);
}

static void await_statuses(robot *r, size_t count)
{
    const size_t before = r->statuses;
    AWAIT_BY(look, r, r->statuses >= before + count, LIMIT_US);
}

static void meet(robot *r, const char *address)
{
    assert_int_equal(hy_endpoint_parse(address, 0, &r->at), HY_OK);
    assert_int_equal(hy_link_open_to(&r->link, &r->at), HY_OK);
    give(r, 0); // it owns the robot now
    await_statuses(r, 1);
}

static void start_board(robot *r, const hy_dialect *dialect)
{
    *r = (robot){ .dialect = dialect };
    char address[HY_ENDPOINT_TEXT_MAX];
    const char *const arguments[] = { HALYARD_BINARY, "board",  dialect->name, "--listen",
                                      "127.0.0.1:0",  "--json", NULL };
    r->program = program_start(arguments);
    assert_true(program_await_ready(&r->program, "udp", address, sizeof address, LIMIT_US));
    meet(r, address);
}

static void start_sims_board(robot *r)
{
    *r = (robot){ .dialect = &hy_dialect_xrp };
    match_ports_take(&r->ports);
    char address[HY_ENDPOINT_TEXT_MAX];
    const char *const arguments[] = {
        HALYARD_BINARY,      "sim",     "--players",       "1", "--shift",
        r->ports.shift_text, "--board", "xrp@127.0.0.1:0", NULL
    };
    r->program = program_start(arguments);
    assert_true(program_await_ready(&r->program, "udp", address, sizeof address, LIMIT_US));
    assert_true(program_await(&r->program, "ready: ", LIMIT_US));
    meet(r, address);
}

/// The wheels have not turned: an XRP counts only while it is enabled, a Teensy always.
static void expect_still(robot *r)
{
    await_statuses(r, 10); // some may have been sent before
    for (unsigned i = 0; i < r->dialect->encoders; i++) {
        assert_int_equal(r->status.encoder[i].count, 0);
    }
}

static void end_robot(robot *r, char *said, size_t size)
{
    hy_link_close(&r->link);
    kill(r->program.pid, SIGTERM);
    assert_int_equal(program_end(&r->program, said, size), 0);
    if (r->ports.shift != 0) {
        match_ports_give_back(&r->ports);
    }
}

/// Old commands; a stop behind 100 new ones; a stop that finds no room behind many.
static void go_through_it(robot *r)
{
    program_stop(&r->program);
    for (int i = 0; i < 20; i++) {
        give(r, 1);
    }
    wait_us(600 * MS);
    kill(r->program.pid, SIGCONT);
    expect_still(r);

    give(r, 0);
    await_statuses(r, 1);
    program_stop(&r->program);
    for (int i = 0; i < 100; i++) {
        give(r, 1);
    }
    give(r, 0);
    kill(r->program.pid, SIGCONT);
    expect_still(r);

    give(r, 0);
    await_statuses(r, 1);
    program_stop(&r->program);
    for (int i = 0; i < FLOOD; i++) {
        give(r, 1);
    }
    give(r, 0);
    kill(r->program.pid, SIGCONT);
    expect_still(r);

    for (int i = 0; r->status.encoder[0].count == 0 && i < 10000; i++) { // and it would have moved
        give(r, 1);
        look(r);
    }
    assert_int_not_equal(r->status.encoder[0].count, 0);
}

static void nothing_old_moves_a_board(void **state)
{
    (void)state;
    static const hy_dialect *const dialects[] = { &hy_dialect_xrp, &hy_dialect_teensy };
    for (size_t i = 0; i < 2; i++) {
        robot r;
        char said[4096];
        start_board(&r, dialects[i]);
        go_through_it(&r);
        end_robot(&r, said, sizeof said);
        assert_non_null(strstr(said, "\"read_too_late\":"));
        assert_null(strstr(said, "\"read_too_late\":0,"));
    }
}

static void nothing_old_moves_a_board_of_a_sim(void **state)
{
    (void)state;
    robot r;
    start_sims_board(&r);
    go_through_it(&r);
    end_robot(&r, NULL, 0);
}

// --------------------------------------------------------------------------- a player of a sim

typedef struct {
    program sim;
    match_ports ports;
    hy_link core;
    hy_endpoint at;
    hy_icd_reader *reader;
    hy_icd_sensors sensors;
    uint64_t messages, moves; ///< The second: of them, those with another place than the one before.
} player;

static void command(player *p, int drive)
{
    const hy_icd_commands commands = { .left_drive = drive, .right_drive = drive };
    uint8_t text[1024];
    const size_t size = hy_icd_write_commands(&commands, (hy_room){ text, sizeof text });
    hy_link_send(&p->core, &p->at, (hy_bytes){ text, size });
}

static void sense(player *p)
{
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&p->core, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        const hy_icd_sensors before = p->sensors;
        assert_int_equal(hy_icd_read_sensors(p->reader, batch[i].bytes, &p->sensors), HY_OK);
        p->messages++;
        p->moves += p->sensors.x_m != before.x_m || p->sensors.y_m != before.y_m;
    }
    poll(NULL, 0, 1);
}

static void await_sensors(player *p, uint64_t count)
{
    const uint64_t before = p->messages;
    AWAIT_BY(sense, p, p->messages >= before + count, LIMIT_US);
}

static void start_player(player *p)
{
    *p = (player){ .reader = hy_icd_reader_open() };
    match_ports_take(&p->ports);
    p->at = match_ports_at(&p->ports, HY_ICD_SIM_CORE, 1);
    match_ports_open(&p->ports, HY_ICD_CORE_SIM, 1, &p->core);
    const char *const arguments[] = { HALYARD_BINARY, "sim",   "--players", "1",
                                      "--drive",      "ideal", "--shift",   p->ports.shift_text,
                                      "--json",       NULL };
    p->sim = program_start(arguments);
    assert_true(program_await(&p->sim, "ready: 1 players\n", LIMIT_US));
    await_sensors(p, 1);
}

static void end_player(player *p, char *said, size_t size)
{
    kill(p->sim.pid, SIGTERM);
    assert_int_equal(program_end(&p->sim, said, size), 0);
    hy_link_close(&p->core);
    match_ports_give_back(&p->ports);
    hy_icd_reader_close(p->reader);
}

static void expect_player_still(player *p, const hy_icd_sensors *before)
{
    await_sensors(p, 100);
    assert_true(p->sensors.x_m == before->x_m && p->sensors.y_m == before->y_m);
}

static void nothing_old_moves_a_player(void **state)
{
    (void)state;
    player p;
    char said[4096];
    start_player(&p);
    const hy_icd_sensors before = p.sensors;
    program_stop(&p.sim);
    for (int i = 0; i < 20; i++) {
        command(&p, HY_ICD_FULL);
    }
    wait_us(600 * MS);
    kill(p.sim.pid, SIGCONT);
    expect_player_still(&p, &before);

    program_stop(&p.sim);
    for (int i = 0; i < 100; i++) {
        command(&p, HY_ICD_FULL);
    }
    command(&p, 0);
    kill(p.sim.pid, SIGCONT);
    expect_player_still(&p, &before);

    program_stop(&p.sim);
    for (int i = 0; i < FLOOD; i++) {
        command(&p, HY_ICD_FULL);
    }
    command(&p, 0);
    kill(p.sim.pid, SIGCONT);
    expect_player_still(&p, &before);

    for (int i = 0; p.sensors.x_m == before.x_m && p.sensors.y_m == before.y_m && i < 10000; i++) {
        command(&p, HY_ICD_FULL); // and it would have moved
        sense(&p);
    }
    assert_true(p.sensors.x_m != before.x_m || p.sensors.y_m != before.y_m);
    end_player(&p, said, sizeof said);
    assert_non_null(strstr(said, "\"read_too_late\":"));
    assert_null(strstr(said, "\"read_too_late\":0,"));
}

// A command counts from its arrival: what waited for 400 ms is obeyed for 100 ms, not for 500 ms. One message is 10 ms.
static void a_players_command_runs_out_from_its_arrival(void **state)
{
    (void)state;
    player p;
    start_player(&p);
    program_stop(&p.sim);
    command(&p, HY_ICD_FULL);
    wait_us(400 * MS);
    const uint64_t before = p.moves;
    kill(p.sim.pid, SIGCONT);
    await_sensors(&p, 100);
    assert_in_range(p.moves - before, 0, 12);
    end_player(&p, NULL, 0);
}

// --------------------------------------------------------------------------- a core

typedef struct {
    program core;
    match_ports ports;
    hy_link joystick, sim;
    hy_endpoint at;
    hy_icd_reader *reader;
    hy_icd_commands commands;
    uint64_t messages, driving;
} core_bench;

static void push(core_bench *c, int y)
{
    const hy_icd_sticks sticks = { .left_y = y, .right_y = y };
    uint8_t text[1024];
    const size_t size = hy_icd_write_sticks(&sticks, (hy_room){ text, sizeof text });
    hy_link_send(&c->joystick, &c->at, (hy_bytes){ text, size });
}

static void note_commands(core_bench *c)
{
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&c->sim, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(hy_icd_read_commands(c->reader, batch[i].bytes, &c->commands), HY_OK);
        c->messages++;
        c->driving += c->commands.left_drive != 0 || c->commands.right_drive != 0;
    }
    poll(NULL, 0, 1);
}

static void await_commands(core_bench *c, uint64_t count)
{
    const uint64_t before = c->messages;
    AWAIT_BY(note_commands, c, c->messages >= before + count, LIMIT_US);
}

static void no_old_stick_moves_a_robot(void **state)
{
    (void)state;
    core_bench c = { .reader = hy_icd_reader_open() };
    match_ports_take(&c.ports);
    c.at = match_ports_at(&c.ports, HY_ICD_CORE_JOYSTICK, 1);
    match_ports_open(&c.ports, HY_ICD_JOYSTICK, 1, &c.joystick);
    match_ports_open(&c.ports, HY_ICD_SIM_CORE, 1, &c.sim);
    const char *const arguments[] = { HALYARD_BINARY,     "core", "--player", "1", "--shift",
                                      c.ports.shift_text, NULL };
    c.core = program_start(arguments);
    await_commands(&c, 1);
    program_stop(&c.core);
    for (int i = 0; i < 20; i++) {
        push(&c, HY_ICD_FULL);
    }
    wait_us(600 * MS);
    kill(c.core.pid, SIGCONT);
    await_commands(&c, 50);
    assert_int_equal(c.driving, 0);
    for (int i = 0; c.driving == 0 && i < 10000; i++) { // and it would have driven
        push(&c, HY_ICD_FULL);
        note_commands(&c);
    }
    assert_int_not_equal(c.driving, 0);
    kill(c.core.pid, SIGTERM);
    assert_int_equal(program_end(&c.core, NULL, 0), 0);
    hy_link_close(&c.joystick);
    hy_link_close(&c.sim);
    match_ports_give_back(&c.ports);
    hy_icd_reader_close(c.reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_old_moves_a_board),
        cmocka_unit_test(nothing_old_moves_a_board_of_a_sim),
        cmocka_unit_test(nothing_old_moves_a_player),
        cmocka_unit_test(a_players_command_runs_out_from_its_arrival),
        cmocka_unit_test(no_old_stick_moves_a_robot),
    };
    return cmocka_run_group_tests_name("stopped programs", tests, NULL, NULL);
}
