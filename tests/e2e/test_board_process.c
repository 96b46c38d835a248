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
#include "process.h"

#define MS         INT64_C(1000)
#define PATIENCE   10000 // ms that a busy machine may take for what is instant
#define STATUS_MAX 512

// --------------------------------------------------------------------------- a board, and its clients

typedef struct {
    process process;
    hy_endpoint endpoint;
    const hy_dialect *dialect;
    char truth[64];
} board;

typedef struct {
    hy_link link;
    hy_endpoint robot;
    const hy_dialect *dialect;
    uint16_t seq;
    // The statuses that came, and when.
    hy_wire_status last;
    uint8_t last_bytes[HY_WIRE_STATUS_MAX];
    size_t last_size, count;
    uint16_t seqs[STATUS_MAX];
    int64_t times_us[STATUS_MAX];
} client;

// `options` ends with NULL.
static void start_robot(board *b, const hy_dialect *dialect, const char *const options[])
{
    b->dialect = dialect;
    snprintf(b->truth, sizeof b->truth, "/tmp/halyard-truth-%ld.jsonl", (long)getpid());
    const char *argv[32] = { HALYARD_BINARY, "board",   dialect->name, "--listen",
                             "127.0.0.1:0",  "--truth", b->truth };
    for (size_t i = 0, n = 7; options != NULL && options[i] != NULL; i++) {
        argv[n++] = options[i];
    }
    process_start(&b->process, argv);
    char line[128];
    assert_true(process_read_line(&b->process, line, sizeof line, PATIENCE));
    assert_memory_equal(line, "listening on ", 13);
    assert_int_equal(hy_endpoint_parse(line + 13, 0, &b->endpoint), HY_OK);
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

static void end_board(board *b)
{
    assert_int_equal(process_end(&b->process, SIGTERM, PATIENCE), 0);
    assert_non_null(strstr(b->process.errors, "halyard board: ran "));
    unlink(b->truth);
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
        c->seqs[c->count] = c->last.seq;
        c->times_us[c->count++] = batch[i].at_us;
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

// The last whole line of the truth file.
static truth read_truth(const board *b)
{
    truth t = { "" };
    FILE *f = fopen(b->truth, "r");
    assert_non_null(f);
    char line[sizeof t.line];
    while (fgets(line, sizeof line, f) != NULL) {
        if (strchr(line, '\n') != NULL) {
            memcpy(t.line, line, sizeof t.line);
        }
    }
    fclose(f);
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

// --------------------------------------------------------------------------- tests

static int compare_times(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static void check_statuses(const hy_dialect *dialect, int64_t period_ms, size_t size)
{
    board b;
    start_robot(&b, dialect, NULL);
    client *c = connect_to(&b);
    listen_for(c, 200);
    assert_int_equal(c->count, 0); // nothing before the first datagram
    command(c, 0, 0, 0);
    listen_for(c, 3000);
    const size_t turns = (size_t)(3000 / period_ms);
    assert_in_range(c->count, turns * 9 / 10,
                    turns + 1); // a stalled machine may miss a turn, never send one too many
    assert_int_equal(c->last_size, size);
    int64_t between_us[STATUS_MAX];
    for (size_t i = 1; i < c->count; i++) {
        assert_int_equal(c->seqs[i], c->seqs[i - 1] + 1);
        between_us[i - 1] = c->times_us[i] - c->times_us[i - 1];
    }
    qsort(between_us, c->count - 1, sizeof between_us[0], compare_times);
    assert_in_range(between_us[(c->count - 1) / 2], (period_ms - 1) * MS, (period_ms + 1) * MS);
    disconnect(c);
    end_board(&b);
}

static void test_an_xrp_speaks_every_50_ms(void **state)
{
    (void)state;
    check_statuses(&hy_dialect_xrp, 50, 128);
}

static void test_a_teensy_speaks_every_20_ms(void **state)
{
    (void)state;
    check_statuses(&hy_dialect_teensy, 20, 160);
}

static void test_motors_move_the_robot(void **state)
{
    (void)state;
    board b;
    start_board(&b, NULL);
    client *c = connect_to(&b);
    listen_for(c, 50);
    const truth before = read_truth(&b);
    drive(c, 0.5F, -0.5F, 1000); // the right motor is mirrored
    const truth after = read_truth(&b);
    const double forward_m = (number(&after, "x_m", 0) - number(&before, "x_m", 0)) *
                                 cos(number(&before, "heading_rad", 0)) +
                             (number(&after, "y_m", 0) - number(&before, "y_m", 0)) *
                                 sin(number(&before, "heading_rad", 0));
    assert_true(forward_m > 0.05 && forward_m < 0.3);
    assert_true(fabs(number(&after, "heading_rad", 0) - number(&before, "heading_rad", 0)) < 0.1);
    assert_true(flag(&after, "enabled"));
    assert_true(fabs(number(&after, "duty", 0) - 127 / 255.0) < 1e-5);
    assert_true(fabs(number(&after, "duty", 1) + 127 / 255.0) < 1e-5);
    // Both encoders count up, at 0.3222 mm a count.
    assert_true(c->last.encoder[0].count > 100 && c->last.encoder[1].count > 100);
    assert_true(fabs(c->last.encoder[0].count * 0.0003222 - forward_m) < 0.03);
    disconnect(c);
    end_board(&b);
}

static void test_silence_stops_the_robot(void **state)
{
    (void)state;
    board b;
    start_board(&b, NULL);
    client *c = connect_to(&b);
    drive(c, 1.0F, -1.0F, 300);
    listen_for(c, 300);
    truth t = read_truth(&b);
    assert_true(flag(&t, "enabled")); // it drives on for 500 ms ...
    assert_true(number(&t, "duty", 0) > 0.99);
    listen_for(c, 400);
    t = read_truth(&b);
    assert_false(flag(&t, "enabled")); // ... and no longer
    assert_true(fabs(number(&t, "duty", 0)) < 1e-9);
    const size_t before = c->count;
    listen_for(c, 500);
    assert_true(c->count > before); // the statuses go on
    disconnect(c);
    end_board(&b);
    assert_non_null(strstr(b.process.errors, "1 watchdog trips"));
}

static void test_disable_stops_at_once(void **state)
{
    (void)state;
    board b;
    start_board(&b, NULL);
    client *c = connect_to(&b);
    drive(c, 1.0F, -1.0F, 300);
    command(c, 0, 1.0F, -1.0F);
    listen_for(c, 100);
    const truth t = read_truth(&b);
    assert_false(flag(&t, "enabled"));
    assert_true(fabs(number(&t, "duty", 0)) < 1e-9);
    disconnect(c);
    end_board(&b);
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
    drive(owner, 0.5F, -0.5F, 500);
    take(stranger);
    assert_int_equal(stranger->count, 1);
    assert_int_equal(stranger->last_size, 128);
    for (size_t i = 1; i < owner->count; i++) {
        assert_int_equal(owner->seqs[i], owner->seqs[i - 1] + 1); // and the owner misses nothing
    }
    disconnect(owner);
    disconnect(stranger);
    end_board(&b);
    assert_non_null(strstr(b.process.errors, "10 from strangers"));
    assert_non_null(strstr(b.process.errors, "1 probes answered"));
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
    listen_for(c, 200);
    const truth t = read_truth(&b);
    assert_true(flag(&t, "led"));
    assert_true(flag(&t, "button"));
    assert_true(fabs(number(&t, "servo_us", 0) - 500.0) < 1e-6);
    assert_true(fabs(number(&t, "servo_us", 1) - 1500.0) < 1e-6);
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
    listen_for(first, 200);
    truth t = read_truth(&b);
    assert_false(flag(&t, "enabled")); // 0 is never taken
    assert_true(first->count >= 2);    // but answered
    assert_int_equal(first->last.encoder[0].period_den, 8312500);
    give(thief, "x", 1);
    listen_for(thief, 300);
    assert_true(thief->count >= 4);
    disconnect(first);
    disconnect(thief);
    end_board(&b);
}

// --------------------------------------------------------------------------- a Teensy

#define AZIMUTH_COUNTS_TURN 3591.84
#define M_PER_DRIVE_COUNT   (3.14159265358979 * 0.060 / 979.68)

// Turns all modules to `turns` by their encoders, drives all wheels with `effort`.
static void swerve(client *c, double turns, float effort, int64_t duration_ms)
{
    const int64_t until_us = hy_clock_now_us() + duration_ms * MS;
    while (hy_clock_now_us() < until_us) {
        float motor[8];
        for (int module = 0; module < 4; module++) {
            const double at = c->last.encoder[2 * module + 1].count / AZIMUTH_COUNTS_TURN;
            motor[2 * module] = effort;
            motor[2 * module + 1] = (float)fmax(-1.0, fmin(1.0, 25.0 * (turns - at)));
        }
        command_motors(c, 1, 8, motor);
        listen_for(c, 20);
    }
}

static void test_a_teensy_drives_sideways(void **state)
{
    (void)state;
    board b;
    start_robot(&b, &hy_dialect_teensy, NULL); // teensy-field is its world
    client *c = connect_to(&b);
    swerve(c, 0.25, 0.0F, 800);
    const truth before = read_truth(&b);
    const hy_wire_status from = c->last;
    swerve(c, 0.25, 0.4F, 1000);
    swerve(c, 0.25, 0.0F, 500);
    const truth after = read_truth(&b);
    const double left_m = number(&after, "y_m", 0) - number(&before, "y_m", 0);
    assert_true(left_m > 0.2 && left_m < 0.6);
    assert_true(fabs(number(&after, "x_m", 0) - number(&before, "x_m", 0)) < 0.03);
    assert_true(fabs(number(&after, "heading_rad", 0)) < 0.02);
    assert_true(fabs((double)c->last.gyro_angle_deg[2]) < 1.5);
    for (int module = 0; module < 4; module++) {
        const int32_t counts = c->last.encoder[2 * module].count - from.encoder[2 * module].count;
        assert_true(fabs(counts * M_PER_DRIVE_COUNT - left_m) < 0.03);
        assert_true(fabs(c->last.encoder[2 * module + 1].count - AZIMUTH_COUNTS_TURN / 4) < 30.0);
    }
    assert_true(fabs(4.0 * (double)c->last.analog_v[0] - number(&after, "battery_v", 0)) < 0.05);
    disconnect(c);
    end_board(&b);
}

static void test_silence_stops_a_teensy(void **state)
{
    (void)state;
    board b;
    start_robot(&b, &hy_dialect_teensy, NULL);
    client *c = connect_to(&b);
    swerve(c, 0.0, 0.3F, 200);
    truth t = read_truth(&b);
    for (int motor = 0; motor < 8; motor += 2) {
        assert_true(fabs(number(&t, "duty", motor) - 0.3) < 1e-3);
    }
    listen_for(c, 700);
    t = read_truth(&b);
    assert_false(flag(&t, "enabled"));
    for (int motor = 0; motor < 8; motor++) {
        assert_true(fabs(number(&t, "duty", motor)) < 1e-9);
    }
    disconnect(c);
    end_board(&b);
    assert_non_null(strstr(b.process.errors, "1 watchdog trips"));
}

// What a Teensy sends is what `halyard dump` reads.
static void test_dump_reads_a_teensy(void **state)
{
    (void)state;
    board b;
    start_robot(&b, &hy_dialect_teensy, NULL);
    client *c = connect_to(&b);
    swerve(c, 0.0, 0.0F, 200);
    char hex[2 * HY_WIRE_STATUS_MAX + 1] = "";
    for (size_t i = 0; i < c->last_size; i++) {
        snprintf(hex + 2 * i, 3, "%02x", c->last_bytes[i]);
    }
    const char *const argv[] = { HALYARD_BINARY, "dump",  "--dialect", "teensy",
                                 "--json",       "--hex", hex,         NULL };
    process p;
    process_start(&p, argv);
    char line[2048];
    assert_true(process_read_line(&p, line, sizeof line, PATIENCE));
    assert_int_equal(process_end(&p, 0, PATIENCE), 0);
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
        assert_int_equal(process_end(&b.process, signals[i], PATIENCE), 0);
        const char *end = strchr(b.process.errors, '\n');
        assert_non_null(end);
        assert_int_equal(end[1], '\0'); // one line
        unlink(b.truth);
    }
}

static void test_duration_ends_it(void **state)
{
    (void)state;
    board b;
    const char *const options[] = { "--duration", "0.3", NULL };
    start_board(&b, options);
    assert_int_equal(process_end(&b.process, 0, PATIENCE), 0);
    const truth t = read_truth(&b);
    assert_true(number(&t, "t_s", 0) > 0.25 && number(&t, "t_s", 0) < 0.5);
    unlink(b.truth);
}

// A machine that slept: the world does not race through what it missed, and goes on at once.
static void test_lost_time_is_left_out(void **state)
{
    (void)state;
    board b;
    start_board(&b, NULL);
    client *c = connect_to(&b);
    command(c, 0, 0, 0);
    listen_for(c, 200);
    kill(b.process.pid, SIGSTOP);
    usleep(1000 * 1000);
    kill(b.process.pid, SIGCONT);
    const size_t before = c->count;
    listen_for(c, 1000);
    assert_in_range(c->count - before, 16, 22); // no burst
    disconnect(c);
    assert_int_equal(process_end(&b.process, SIGTERM, PATIENCE), 0);
    assert_non_null(strstr(b.process.errors, "s of the world's time were left out"));
    unlink(b.truth);
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
    process p;
    process_start(&p, argv);
    char line[128];
    assert_true(process_read_line(&p, line, sizeof line, PATIENCE));
    assert_int_equal(process_end(&p, SIGINT, PATIENCE), 0);
    unsetenv("HALYARD_WORLDS");
    unlink(to);
    rmdir(folder);
}

static void check_refusal(const char *const arguments[], int exit_status, const char *sentence)
{
    const char *argv[16] = { HALYARD_BINARY };
    for (size_t i = 0; arguments[i] != NULL; i++) {
        argv[i + 1] = arguments[i];
    }
    process p;
    process_start(&p, argv);
    const int status = process_end(&p, 0, PATIENCE);
    if (status != exit_status || strstr(p.errors, sentence) == NULL ||
        strchr(p.errors, '\n') != p.errors + strlen(p.errors) - 1) {
        fail_msg("%s %s ...: exit status %d, stderr: %s", arguments[0], arguments[1], status,
                 p.errors);
    }
}

#define ARGUMENTS(...)    \
    (const char *const[]) \
    {                     \
        __VA_ARGS__, NULL \
    }

static void test_wrong_command_lines(void **state)
{
    (void)state;
    check_refusal(ARGUMENTS("bord"), 2, "there is no subcommand 'bord'");
    check_refusal(ARGUMENTS("board"), 2, "is missing");
    check_refusal(ARGUMENTS("board", "teensi"), 2, "must be 'xrp' or 'teensy', not 'teensi'");
    check_refusal(ARGUMENTS("board", "teensy", "--bugs", "stock"), 2,
                  "no stock firmware for a teensy");
    check_refusal(ARGUMENTS("board", "teensy", "--hardware", "beta"), 2, "leave it out for a teensy");
    check_refusal(ARGUMENTS("board", "xrp", "extra"), 2, "'extra' is one argument too many");
    check_refusal(ARGUMENTS("board", "xrp", "--liste", "x"), 2, "there is no option '--liste'");
    check_refusal(ARGUMENTS("board", "xrp", "-l"), 2, "there is no option '-l'");
    check_refusal(ARGUMENTS("board", "xrp", "--bugs", "some"), 2,
                  "--bugs must be 'none' or 'stock', not 'some'");
    check_refusal(ARGUMENTS("board", "xrp", "--seed", "-1"), 2, "--seed needs a whole number");
    check_refusal(ARGUMENTS("board", "xrp", "--seed"), 2, "--seed needs a value");
    check_refusal(ARGUMENTS("board", "xrp", "--duration", "soon"), 2,
                  "--duration needs a number, not 'soon'");
    check_refusal(ARGUMENTS("board", "xrp", "--duration=0"), 2,
                  "--duration must be between 0.001 and");
    check_refusal(ARGUMENTS("board", "xrp", "--press", "3"), 2, "--press needs two times");
    check_refusal(ARGUMENTS("board", "xrp", "--press", "3:2"), 2, "--press needs two times");
}

static void test_what_the_machine_refuses(void **state)
{
    (void)state;
    check_refusal(ARGUMENTS("board", "xrp", "--listen", "nosuchhost.invalid:1"), 1,
                  "the host name is not known");
    check_refusal(ARGUMENTS("board", "xrp", "--listen", "127.0.0.1:99999"), 1,
                  "--listen 127.0.0.1:99999: ");
    check_refusal(ARGUMENTS("board", "xrp", "--listen", "192.0.2.1:0"), 1,
                  "not an address of this machine");
    check_refusal(ARGUMENTS("board", "xrp", "--listen", "127.0.0.1:0", "--world", "nowhere"), 1,
                  "there is no world called 'nowhere'");
    check_refusal(ARGUMENTS("board", "xrp", "--listen", "127.0.0.1:0", "--world", "./none.yaml"), 1,
                  "./none.yaml: ");
    check_refusal(ARGUMENTS("board", "teensy", "--listen", "127.0.0.1:0", "--world", "xrp-open"), 1,
                  "is of kind xrp; a board of kind teensy needs kind swerve");
    check_refusal(ARGUMENTS("board", "xrp", "--listen", "127.0.0.1:0", "--world", "teensy-field"),
                  1, "is of kind swerve; a board of kind xrp needs kind xrp");
    check_refusal(ARGUMENTS("board", "xrp", "--listen", "127.0.0.1:0", "--world", "/dev/null"), 1,
                  "/dev/null");
    check_refusal(ARGUMENTS("board", "xrp", "--listen", "127.0.0.1:0", "--truth", "/nowhere/t.jsonl"),
                  1, "--truth /nowhere/t.jsonl: cannot be written");
}

static void test_a_port_in_use(void **state)
{
    (void)state;
    board b;
    start_board(&b, NULL);
    char text[HY_ENDPOINT_TEXT_MAX];
    check_refusal(ARGUMENTS("board", "xrp", "--listen", hy_endpoint_format(&b.endpoint, text)), 1,
                  "in use by another program; choose another address or port with --listen");
    end_board(&b);
}

static void test_help_and_version(void **state)
{
    (void)state;
    const char *const lines[][4] = {
        { HALYARD_BINARY, "--help", NULL },
        { HALYARD_BINARY, "--version", NULL },
        { HALYARD_BINARY, "board", "--help", NULL },
    };
    const char *const starts[] = { "Usage: halyard SUBCOMMAND", "halyard 0.",
                                   "Usage: halyard board" };
    for (size_t i = 0; i < 3; i++) {
        process p;
        process_start(&p, lines[i]);
        char line[256];
        assert_true(process_read_line(&p, line, sizeof line, PATIENCE));
        assert_memory_equal(line, starts[i], strlen(starts[i]));
        assert_int_equal(process_end(&p, 0, PATIENCE), 0);
        assert_string_equal(p.errors, "");
    }
}

int main(void)
{
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
        cmocka_unit_test(test_duration_ends_it),
        cmocka_unit_test(test_lost_time_is_left_out),
        cmocka_unit_test(test_a_world_is_found_by_name),
        cmocka_unit_test(test_wrong_command_lines),
        cmocka_unit_test(test_what_the_machine_refuses),
        cmocka_unit_test(test_a_port_in_use),
        cmocka_unit_test(test_help_and_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
