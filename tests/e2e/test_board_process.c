// `halyard board` as a process, over real sockets: what a client sees, and what is true in the world.
#include <halyard/link.h>
#include <halyard/wire.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "program.h"

#define MS          INT64_C(1000)
#define PATIENCE_US (30000 * MS) // that a busy machine may take for what is instant
#define STATUS_MAX  4096

// --------------------------------------------------------------------------- a board, and its clients

typedef struct {
    program program;
    hy_endpoint endpoint;
    const hy_dialect *dialect;
    char truth[64];
    char said[8192]; ///< Everything it printed; once it has ended.
} board;

typedef struct {
    hy_link link;
    hy_endpoint robot;
    const hy_dialect *dialect;
    uint16_t seq;
    // The statuses that came.
    hy_wire_status last;
    uint8_t last_bytes[HY_WIRE_STATUS_MAX];
    size_t last_size, count;
    uint16_t seqs[STATUS_MAX];
} client;

// `options` ends with NULL.
static void start_robot(board *b, const hy_dialect *dialect, const char *const options[])
{
    b->dialect = dialect;
    static unsigned boards;
    snprintf(b->truth, sizeof b->truth, "/tmp/halyard-truth-%ld-%u.jsonl", (long)getpid(), boards++);
    const char *argv[32] = { HALYARD_BINARY, "board",   dialect->name, "--listen",
                             "127.0.0.1:0",  "--truth", b->truth,      "--json" };
    for (size_t i = 0, n = 8; options != NULL && options[i] != NULL; i++) {
        argv[n++] = options[i];
    }
    b->program = program_start(argv);
    char address[HY_ENDPOINT_TEXT_MAX];
    assert_true(program_await_ready(&b->program, "udp", address, sizeof address, PATIENCE_US));
    assert_int_equal(hy_endpoint_parse(address, 0, &b->endpoint), HY_OK);
    assert_int_not_equal(b->endpoint.port, 0);
}

// An XRP with nothing in reach.
static void start_board(board *b, const char *const options[])
{
    const char *all[16] = { "--world", "xrp-open" };
    for (size_t i = 0; options != NULL && options[i] != NULL; i++) {
        all[2 + i] = options[i];
    }
    start_robot(b, &hy_dialect_xrp, all);
}

// Ends it by a signal (0: it ends by itself); it has to say how it was.
static void end_board_by(board *b, int signal_number)
{
    if (signal_number != 0) {
        kill(b->program.pid, signal_number);
    }
    assert_int_equal(program_end(&b->program, b->said, sizeof b->said), 0);
    assert_non_null(strstr(b->said, "{\"ran_s\":"));
    unlink(b->truth);
}

static void end_board(board *b)
{
    end_board_by(b, SIGTERM);
}

// A figure of its last line.
static double said_number(const board *b, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *const at = strstr(b->said, quoted);
    if (at == NULL) {
        fail_msg("no '%s' in: %s", key, b->said);
    }
    return strtod(at + strlen(quoted), NULL);
}

static client *connect_to(const board *b)
{
    client *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->robot = b->endpoint;
    c->dialect = b->dialect;
    assert_int_equal(hy_link_open_to(&c->link, &c->robot), HY_OK);
    return c;
}

static void disconnect(client *c)
{
    hy_link_close(&c->link);
    free(c);
}

static void give(client *c, const void *bytes, size_t size)
{
    assert_int_equal(hy_link_send(&c->link, &c->robot, (hy_bytes){ bytes, size }), HY_OK);
}

static void command_motors(client *c, uint8_t control, size_t count, const float motor[])
{
    hy_wire_command command = { .seq = ++c->seq,
                                .control = control,
                                .motors = (uint8_t)((1U << count) - 1) };
    memcpy(command.motor, motor, count * sizeof *motor);
    uint8_t bytes[HY_WIRE_COMMAND_MAX];
    const size_t size = c->dialect->command_encode(&command, (hy_room){ bytes, sizeof bytes });
    give(c, bytes, size);
}

static void command(client *c, uint8_t control, float left, float right)
{
    command_motors(c, control, 2, (const float[]){ left, right });
}

static void take(client *c)
{
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&c->link, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        const hy_wire_report report = c->dialect->status_decode(batch[i].bytes, &c->last);
        assert_int_equal(report.error, HY_WIRE_WELL_FORMED);
        c->last_size = batch[i].bytes.size;
        memcpy(c->last_bytes, batch[i].bytes.data, c->last_size);
        assert_true(c->count < STATUS_MAX);
        c->seqs[c->count++] = c->last.seq;
    }
}

// Lets `duration_ms` pass; what arrives is taken as it comes.
static void listen_for(client *c, int64_t duration_ms)
{
    const int64_t until_us = hy_clock_now_us() + duration_ms * MS;
    for (int64_t now_us = hy_clock_now_us(); now_us < until_us; now_us = hy_clock_now_us()) {
        struct pollfd p = { .fd = (int)hy_link_descriptor(&c->link), .events = POLLIN };
        poll(&p, 1, (int)((until_us - now_us) / MS) + 1);
        take(c);
    }
}

// Listens until `count` more statuses have come.
static void listen_until(client *c, size_t count)
{
    const size_t enough = c->count + count;
    const int64_t end_us = hy_clock_now_us() + PATIENCE_US;
    while (c->count < enough) {
        assert_true(hy_clock_now_us() < end_us);
        listen_for(c, 5);
    }
}

// Commands every 20 ms, and listens.
static void drive(client *c, float left, float right, int64_t duration_ms)
{
    const int64_t until_us = hy_clock_now_us() + duration_ms * MS;
    while (hy_clock_now_us() < until_us) {
        command(c, 1, left, right);
        listen_for(c, 20);
    }
}

// --------------------------------------------------------------------------- the truth

typedef struct {
    char line[2048];
} truth;

// The last whole line of the truth file; waits for the first one.
static truth read_truth(const board *b)
{
    truth t = { "" };
    const int64_t end_us = hy_clock_now_us() + PATIENCE_US;
    while (t.line[0] == '\0') {
        assert_true(hy_clock_now_us() < end_us);
        FILE *f = fopen(b->truth, "r");
        assert_non_null(f);
        char line[sizeof t.line];
        while (fgets(line, sizeof line, f) != NULL) {
            if (strchr(line, '\n') != NULL) {
                memcpy(t.line, line, sizeof t.line);
            }
        }
        fclose(f);
    }
    assert_int_equal(t.line[0], '{');
    return t;
}

// The number, or the `index`th of a list, that is called `key`.
static double number(const truth *t, const char *key, int index)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(t->line, quoted);
    if (at == NULL) {
        fail_msg("no %s in %s", quoted, t->line);
    }
    at += strlen(quoted);
    at += *at == '[' ? 1 : 0;
    for (; index > 0; index--) {
        at = strchr(at, ',') + 1;
    }
    return strtod(at, NULL);
}

static bool flag(const truth *t, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":true", key);
    return strstr(t->line, quoted) != NULL;
}

typedef bool truth_says(const truth *t);

// Waits, listening, until the world is so.
static truth await_truth(const board *b, client *c, truth_says *is_so)
{
    const int64_t end_us = hy_clock_now_us() + PATIENCE_US;
    for (truth t = read_truth(b);; t = read_truth(b)) {
        if (is_so(&t)) {
            return t;
        }
        if (hy_clock_now_us() >= end_us) {
            fail_msg("it never came to that; at last: %s", t.line);
        }
        listen_for(c, 10);
    }
}

// The first line that is so, not before `from_s`: its time in the world.
static double first_time_s(const board *b, double from_s, truth_says *is_so)
{
    truth t;
    double found_s = -1.0;
    FILE *f = fopen(b->truth, "r");
    assert_non_null(f);
    while (found_s < 0.0 && fgets(t.line, sizeof t.line, f) != NULL) {
        const double t_s = strchr(t.line, '\n') != NULL ? number(&t, "t_s", 0) : -1.0;
        found_s = t_s >= from_s && is_so(&t) ? t_s : -1.0;
    }
    fclose(f);
    assert_true(found_s >= 0.0);
    return found_s;
}

static bool has_duty(const truth *t, double duty)
{
    return fabs(number(t, "duty", 0) - duty) < 1e-3;
}

static bool is_stopped(const truth *t)
{
    return !flag(t, "enabled") && has_duty(t, 0.0);
}

// --------------------------------------------------------------------------- tests

// Never more than one status a turn, by the program's own words. It may miss turns while the machine has other things
// to do; test_board_xrp has them to the microsecond.
static void check_statuses(const hy_dialect *dialect, double period_s, size_t size)
{
    enum { STATUSES = 40 };
    board b;
    start_robot(&b, dialect, NULL);
    client *c = connect_to(&b);
    listen_for(c, 200);
    assert_int_equal(c->count, 0); // nothing before the first datagram
    command(c, 0, 0, 0);
    listen_until(c, 1);
    const truth first = read_truth(&b);
    listen_until(c, STATUSES);
    const truth last = read_truth(&b);
    assert_true(number(&last, "t_s", 0) - number(&first, "t_s", 0) < 3.0 * STATUSES * period_s);
    assert_int_equal(c->last_size, size);
    for (size_t i = 1; i < c->count; i++) {
        assert_int_equal(c->seqs[i], c->seqs[i - 1] + 1);
    }
    disconnect(c);
    end_board(&b);
    const double turns = said_number(&b, "ran_s") / period_s;
    if (said_number(&b, "statuses") > turns + 2.0) {
        fail_msg("more than a status a turn: %s", b.said);
    }
}

static void test_an_xrp_speaks_every_50_ms(void **state)
{
    (void)state;
    check_statuses(&hy_dialect_xrp, 0.050, 128);
}

static void test_a_teensy_speaks_every_20_ms(void **state)
{
    (void)state;
    check_statuses(&hy_dialect_teensy, 0.020, 160);
}

// Commands motor 0 and 1 until encoder 0 has counted so far.
static void drive_to(client *c, float left, float right, int32_t count)
{
    const int64_t end_us = hy_clock_now_us() + PATIENCE_US;
    while (c->last.encoder[0].count < count) {
        assert_true(hy_clock_now_us() < end_us);
        drive(c, left, right, 20);
    }
}

// Commands an effort of 0 until the wheels have come to rest: several statuses say the same.
static void roll_out(client *c)
{
    for (int alike = 0; alike < 5;) {
        const int32_t before = c->last.encoder[0].count;
        const size_t seen = c->count;
        const int64_t end_us = hy_clock_now_us() + PATIENCE_US;
        while (c->count == seen) {
            assert_true(hy_clock_now_us() < end_us);
            drive(c, 0.0F, 0.0F, 20);
        }
        alike = c->last.encoder[0].count == before ? alike + 1 : 0;
    }
}

static bool drives_at_half(const truth *t)
{
    return flag(t, "enabled") && has_duty(t, 127 / 255.0);
}

static void test_motors_move_the_robot(void **state)
{
    (void)state;
    board b;
    start_board(&b, NULL);
    client *c = connect_to(&b);
    listen_for(c, 50);
    const truth before = read_truth(&b);
    drive_to(c, 0.5F, -0.5F, 200); // the right motor is mirrored
    roll_out(c);
    const truth after = read_truth(&b);
    (void)first_time_s(&b, 0.0, drives_at_half);
    const double forward_m = (number(&after, "x_m", 0) - number(&before, "x_m", 0)) *
                                 cos(number(&before, "heading_rad", 0)) +
                             (number(&after, "y_m", 0) - number(&before, "y_m", 0)) *
                                 sin(number(&before, "heading_rad", 0));
    assert_true(fabs(number(&after, "heading_rad", 0) - number(&before, "heading_rad", 0)) < 0.1);
    // Both encoders count up, at 0.3222 mm a count.
    for (int i = 0; i < 2; i++) {
        const double counted_m = c->last.encoder[i].count * 0.0003222;
        assert_true(counted_m > 0.06 && fabs(counted_m - forward_m) < 0.01);
    }
    disconnect(c);
    end_board(&b);
}

static bool drives_at_three_quarters(const truth *t)
{
    return has_duty(t, 191 / 255.0);
}

static void test_silence_stops_the_robot(void **state)
{
    (void)state;
    board b;
    start_board(&b, NULL);
    client *c = connect_to(&b);
    drive(c, 1.0F, -1.0F, 300);
    command(c, 1, 0.75F, -0.75F); // the last one
    await_truth(&b, c, is_stopped);
    const double obeyed_s = first_time_s(&b, 0.0, drives_at_three_quarters);
    const double stopped_s = first_time_s(&b, obeyed_s, is_stopped);
    if (stopped_s - obeyed_s < 0.45 || stopped_s - obeyed_s > 1.0) { // 500 ms, of the world's time
        fail_msg("it drove on for %.3f s", stopped_s - obeyed_s);
    }
    listen_until(c, 5); // the statuses go on
    disconnect(c);
    end_board(&b);
    assert_true(said_number(&b, "watchdog_trips") >= 1.0);
}

static void test_disable_stops_at_once(void **state)
{
    (void)state;
    board b;
    start_board(&b, NULL);
    client *c = connect_to(&b);
    drive(c, 1.0F, -1.0F, 300);
    command(c, 0, 1.0F, -1.0F);
    await_truth(&b, c, is_stopped);
    disconnect(c);
    end_board(&b);
    assert_true(said_number(&b, "watchdog_trips") < 1.0); // it was not that
}

static void test_a_stranger_changes_nothing_and_a_probe_gets_one_answer(void **state)
{
    (void)state;
    board b;
    start_board(&b, NULL);
    client *owner = connect_to(&b);
    client *stranger = connect_to(&b);
    drive(owner, 0.5F, -0.5F, 200);
    for (int i = 0; i < 10; i++) {
        stranger->seq = (uint16_t)(i % 2 == 0 ? 65534 : 1000 + i);
        command(stranger, (uint8_t)(i % 2), -1.0F, 1.0F);
        drive(owner, 0.5F, -0.5F, 40);
    }
    const truth t = read_truth(&b);
    assert_true(flag(&t, "enabled"));
    assert_true(fabs(number(&t, "duty", 0) - 127 / 255.0) < 1e-5);
    take(stranger);
    assert_int_equal(stranger->count, 0);

    give(stranger, "?", 1);
    const int64_t end_us = hy_clock_now_us() + PATIENCE_US;
    while (stranger->count == 0 && hy_clock_now_us() < end_us) {
        drive(owner, 0.5F, -0.5F, 20);
        take(stranger);
    }
    drive(owner, 0.5F, -0.5F, 300);
    take(stranger);
    assert_int_equal(stranger->count, 1);
    assert_int_equal(stranger->last_size, 128);
    for (size_t i = 1; i < owner->count; i++) {
        assert_int_equal(owner->seqs[i], owner->seqs[i - 1] + 1); // and the owner misses nothing
    }
    disconnect(owner);
    disconnect(stranger);
    end_board(&b);
    assert_true(said_number(&b, "from_strangers") == 10.0);
    assert_true(said_number(&b, "probes_answered") == 1.0);
}

static bool shows_what_was_commanded(const truth *t)
{
    return flag(t, "led") && flag(t, "button") && fabs(number(t, "servo_us", 0) - 500.0) < 1e-6 &&
           fabs(number(t, "servo_us", 1) - 1500.0) < 1e-6;
}

static void test_led_button_servo_and_old_encoders(void **state)
{
    (void)state;
    board b;
    const char *const options[] = { "--encoder", "short", "--press=0:1e6", NULL };
    start_board(&b, options);
    client *c = connect_to(&b);
    //                           LED                servo 1 at 0
    static const uint8_t bytes[] = { 0, 1, 1, 3, 0x14, 1, 1, 6, 0x13, 4, 0, 0, 0, 0 };
    give(c, bytes, sizeof bytes);
    await_truth(&b, c, shows_what_was_commanded);
    listen_until(c, 2);
    assert_int_equal(c->last_size, 96);
    assert_int_equal(c->last.dio_levels, 1);
    disconnect(c);
    end_board(&b);
}

static void test_stock_defects(void **state)
{
    (void)state;
    board b;
    const char *const options[] = { "--bugs", "stock", "--hardware", "beta", NULL };
    start_board(&b, options);
    client *first = connect_to(&b);
    client *thief = connect_to(&b);
    first->seq = 65535; // the next one is 0
    command(first, 1, 1.0F, -1.0F);
    listen_until(first, 2); // it is answered ...
    const truth t = read_truth(&b);
    assert_false(flag(&t, "enabled")); // ... but 0 is never taken
    assert_int_equal(first->last.encoder[0].period_den, 8312500);
    give(thief, "x", 1);
    listen_until(thief, 4);
    disconnect(first);
    disconnect(thief);
    end_board(&b);
}

// --------------------------------------------------------------------------- a Teensy

#define AZIMUTH_COUNTS_TURN 3591.84
#define M_PER_DRIVE_COUNT   (3.14159265358979 * 0.060 / 979.68)

// For one turn of 20 ms, turns all modules to `turns` by their encoders and drives all wheels with `effort`.
static void swerve(client *c, double turns, float effort)
{
    float motor[8];
    for (int module = 0; module < 4; module++) {
        const double at = c->last.encoder[2 * module + 1].count / AZIMUTH_COUNTS_TURN;
        motor[2 * module] = effort;
        motor[2 * module + 1] = (float)fmax(-1.0, fmin(1.0, 15.0 * (turns - at)));
    }
    command_motors(c, 1, 8, motor);
    listen_for(c, 20);
}

// The same until nothing turns any more: 20 statuses on end say the same.
static void swerve_to_rest(client *c, double turns)
{
    const int64_t end_us = hy_clock_now_us() + PATIENCE_US;
    for (int alike = 0; alike < 20;) {
        assert_true(hy_clock_now_us() < end_us);
        const hy_wire_status before = c->last;
        swerve(c, turns, 0.0F);
        const bool is_news = c->last.seq != before.seq;
        bool is_other = false;
        for (int i = 0; i < 8; i++) {
            is_other = is_other || c->last.encoder[i].count != before.encoder[i].count;
        }
        alike = is_other ? 0 : alike + is_news;
    }
}

static void swerve_far(client *c, double turns, float effort, int32_t counts)
{
    const int32_t enough = c->last.encoder[0].count + counts;
    const int64_t end_us = hy_clock_now_us() + PATIENCE_US;
    while (c->last.encoder[0].count < enough) {
        assert_true(hy_clock_now_us() < end_us);
        swerve(c, turns, effort);
    }
}

static void test_a_teensy_drives_sideways(void **state)
{
    (void)state;
    board b;
    start_robot(&b, &hy_dialect_teensy, NULL); // teensy-field is its world
    client *c = connect_to(&b);
    swerve_to_rest(c, 0.25);
    const truth before = read_truth(&b);
    const hy_wire_status from = c->last;
    swerve_far(c, 0.25, 0.4F, 1200);
    swerve_to_rest(c, 0.25);
    const truth after = read_truth(&b);
    const double left_m = number(&after, "y_m", 0) - number(&before, "y_m", 0);
    assert_true(left_m > 0.2);
    assert_true(fabs(number(&after, "x_m", 0) - number(&before, "x_m", 0)) < 0.03 + 0.05 * left_m);
    assert_true(fabs(number(&after, "heading_rad", 0)) < 0.02);
    assert_true(fabs((double)c->last.gyro_angle_deg[2]) < 1.5);
    for (int module = 0; module < 4; module++) {
        const int32_t counts = c->last.encoder[2 * module].count - from.encoder[2 * module].count;
        assert_true(fabs(counts * M_PER_DRIVE_COUNT - left_m) < 0.03);
        assert_true(fabs(c->last.encoder[2 * module + 1].count - AZIMUTH_COUNTS_TURN / 4) < 60.0);
    }
    assert_true(fabs(4.0 * (double)c->last.analog_v[0] - number(&after, "battery_v", 0)) < 0.05);
    disconnect(c);
    end_board(&b);
}

static bool is_driven(const truth *t)
{
    return has_duty(t, 0.3);
}

static void test_silence_stops_a_teensy(void **state)
{
    (void)state;
    board b;
    start_robot(&b, &hy_dialect_teensy, NULL);
    client *c = connect_to(&b);
    for (int i = 0; i < 10; i++) {
        swerve(c, 0.0, 0.3F);
    }
    await_truth(&b, c, is_stopped);
    (void)first_time_s(&b, 0.0, is_driven);
    const truth t = read_truth(&b);
    for (int motor = 0; motor < 8; motor++) {
        assert_true(fabs(number(&t, "duty", motor)) < 1e-9);
    }
    disconnect(c);
    end_board(&b);
    assert_true(said_number(&b, "watchdog_trips") >= 1.0);
}

// What a Teensy sends is what `halyard dump` reads.
static void test_dump_reads_a_teensy(void **state)
{
    (void)state;
    board b;
    start_robot(&b, &hy_dialect_teensy, NULL);
    client *c = connect_to(&b);
    command(c, 0, 0, 0);
    listen_until(c, 1);
    char hex[2 * HY_WIRE_STATUS_MAX + 1] = "";
    for (size_t i = 0; i < c->last_size; i++) {
        snprintf(hex + 2 * i, 3, "%02x", c->last_bytes[i]);
    }
    const char *const argv[] = { HALYARD_BINARY, "dump",  "--dialect", "teensy",
                                 "--json",       "--hex", hex,         NULL };
    char line[4096];
    program p = program_start(argv);
    assert_int_equal(program_end(&p, line, sizeof line), 0);
    assert_non_null(strstr(line, "{\"at\":3,\"kind\":\"encoder\",\"id\":0,\"count\":0,"));
    assert_non_null(strstr(line, "{\"at\":108,\"kind\":\"encoder\",\"id\":7,"));
    assert_non_null(strstr(line, "\"period_den\":24000000"));
    assert_non_null(strstr(line, "{\"at\":127,\"kind\":\"gyro\","));
    assert_non_null(strstr(line, "{\"at\":153,\"kind\":\"analog\",\"id\":0,"));
    assert_non_null(strstr(line, "\"error\":null}"));
    disconnect(c);
    end_board(&b);
}

// --------------------------------------------------------------------------- starting and ending

static void test_both_signals_end_it_cleanly(void **state)
{
    (void)state;
    const int signals[] = { SIGINT, SIGTERM };
    for (size_t i = 0; i < 2; i++) {
        board b;
        start_board(&b, NULL);
        end_board_by(&b, signals[i]);
        assert_memory_equal(b.said, "halyard: ready udp=127.0.0.1:", 29);
        const char *const sentence = strchr(b.said, '\n') + 1;
        assert_memory_equal(sentence, "listening on 127.0.0.1:", 23);
        const char *const last = strchr(sentence, '\n') + 1;
        assert_ptr_equal(strchr(last, '\n'), last + strlen(last) - 1); // and one line more
    }
}

// People get a sentence, --json has the figures.
static void test_it_ends_with_a_sentence_or_with_figures(void **state)
{
    (void)state;
    const char *argv[] = { HALYARD_BINARY, "board", "xrp", "--listen", "127.0.0.1:0", NULL, NULL };
    for (int with_json = 0; with_json < 2; with_json++) {
        char udp[64], said[4096];
        argv[5] = with_json ? "--json" : NULL;
        program p = program_start(argv);
        assert_true(program_await_ready(&p, "udp", udp, sizeof udp, PATIENCE_US));
        kill(p.pid, SIGINT);
        assert_int_equal(program_end(&p, said, sizeof said), 0);
        assert_int_equal(strstr(said, "\n{\"ran_s\":") != NULL, with_json);
        assert_int_equal(strstr(said, " s and obeyed 0 commands\n") != NULL, !with_json);
        assert_int_equal(strstr(said, "statuses") != NULL, with_json);
    }
}

// Also the world's own robot, and a file's, whose name has blanks.
static void test_its_first_line_names_its_robot(void **state)
{
    (void)state;
    char path[] = "/tmp/halyard-robot-XXXXXX";
    const int file = mkstemp(path);
    static const char robot[] = "name: \"my own XRP\"\nmotors: { left_strength: 1.03 }\n";
    assert_int_equal(write(file, robot, sizeof robot - 1), sizeof robot - 1);
    close(file);
    const struct {
        const char *option, *value, *name;
    } cases[] = {
        { "--robot", "ideal", " robot=ideal\n" },
        { "--robot", "typical", " robot=typical\n" },
        { "--robot", "7", " robot=robot_7\n" },
        { "--robot", path, " robot=my_own_XRP\n" },
        { "--world", "xrp-arena", " robot=typical\n" },
        { "--world", "xrp-line", " robot=ideal\n" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        board b;
        const char *const options[] = { cases[i].option, cases[i].value, NULL };
        start_board(&b, options);
        end_board_by(&b, SIGTERM);
        const char *const found = strstr(b.said, cases[i].name);
        if (found == NULL || found > strchr(b.said, '\n')) {
            fail_msg("%s %s: no '%s' in: %s", cases[i].option, cases[i].value, cases[i].name, b.said);
        }
    }
    unlink(path);
}

// A swerve robot is one of many too.
static void test_a_swerve_robot_has_a_name(void **state)
{
    (void)state;
    board b;
    const char *const options[] = { "--robot", "typical", NULL };
    start_robot(&b, &hy_dialect_teensy, options);
    end_board_by(&b, SIGTERM);
    assert_non_null(strstr(b.said, " robot=typical\n"));
}

static void test_duration_ends_it(void **state)
{
    (void)state;
    board b;
    const char *const options[] = { "--duration", "0.3", NULL };
    start_board(&b, options);
    assert_int_equal(program_end(&b.program, NULL, 0), 0);
    const truth t = read_truth(&b);
    assert_true(number(&t, "t_s", 0) > 0.2 && number(&t, "t_s", 0) < 10.0);
    unlink(b.truth);
}

// All the time that it says it left out.
static double left_out_s(const board *b)
{
    static const char words[] = "host stalled; skipped ";
    double sum_s = 0.0;
    for (const char *at = b->said; (at = strstr(at, words)) != NULL;) {
        at += strlen(words);
        sum_s += strtod(at, NULL);
    }
    return sum_s;
}

// A machine that slept: the world does not race through what it missed, and goes on at once.
static void test_lost_time_is_left_out(void **state)
{
    (void)state;
    board b;
    start_board(&b, NULL);
    client *c = connect_to(&b);
    command(c, 0, 0, 0);
    listen_until(c, 4);
    program_stop(&b.program);
    usleep(1000 * 1000);
    kill(b.program.pid, SIGCONT);
    listen_until(c, 10);
    disconnect(c);
    const truth t = read_truth(&b);
    const double behind_s = number(&t, "t_s", 0) - number(&t, "simulated_s", 0);
    end_board(&b);
    assert_true(behind_s > 0.9 && behind_s < left_out_s(&b) + 0.002);
    const double awake_s = said_number(&b, "ran_s") - left_out_s(&b);
    assert_true(left_out_s(&b) > 0.9);
    assert_true(said_number(&b, "statuses") < awake_s / 0.050 + 2.0); // no burst
}

static void test_a_world_is_found_by_name(void **state)
{
    (void)state;
    const char *const argv[] = { HALYARD_BINARY, "board",   "xrp",  "--listen",
                                 "127.0.0.1:0",  "--world", "mine", NULL };
    char folder[] = "/tmp/halyard-worlds-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char from[512], to[64];
    snprintf(from, sizeof from, "%s/../worlds/xrp-open.yaml", HALYARD_TEST_DATA);
    snprintf(to, sizeof to, "%s/mine.yaml", folder);
    assert_int_equal(symlink(from, to), 0);
    setenv("HALYARD_WORLDS", folder, 1);
    char line[128];
    program p = program_start(argv);
    assert_true(program_await_ready(&p, "udp", line, sizeof line, PATIENCE_US));
    kill(p.pid, SIGINT);
    assert_int_equal(program_end(&p, NULL, 0), 0);
    const char *const misspelt[] = { HALYARD_BINARY, "board", "xrp", "--world", "mien", NULL };
    p = program_start(misspelt);
    char said[1024];
    assert_int_equal(program_end(&p, said, sizeof said), 1);
    assert_non_null(strstr(said, "did you mean 'mine'?"));
    assert_non_null(strstr(said, ": mine, field2020, "));
    unsetenv("HALYARD_WORLDS");
    unlink(to);
    rmdir(folder);
}

int main(void)
{
    program_go_first();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_xrp_speaks_every_50_ms),
        cmocka_unit_test(test_a_teensy_speaks_every_20_ms),
        cmocka_unit_test(test_motors_move_the_robot),
        cmocka_unit_test(test_silence_stops_the_robot),
        cmocka_unit_test(test_disable_stops_at_once),
        cmocka_unit_test(test_a_stranger_changes_nothing_and_a_probe_gets_one_answer),
        cmocka_unit_test(test_led_button_servo_and_old_encoders),
        cmocka_unit_test(test_stock_defects),
        cmocka_unit_test(test_a_teensy_drives_sideways),
        cmocka_unit_test(test_silence_stops_a_teensy),
        cmocka_unit_test(test_dump_reads_a_teensy),
        cmocka_unit_test(test_both_signals_end_it_cleanly),
        cmocka_unit_test(test_it_ends_with_a_sentence_or_with_figures),
        cmocka_unit_test(test_its_first_line_names_its_robot),
        cmocka_unit_test(test_a_swerve_robot_has_a_name),
        cmocka_unit_test(test_duration_ends_it),
        cmocka_unit_test(test_lost_time_is_left_out),
        cmocka_unit_test(test_a_world_is_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
