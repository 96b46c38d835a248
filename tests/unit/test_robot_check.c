// A check against the board's logic in a test's own time: what it asks, what it learns, whom it disturbs.
#include "board_bench.h"
#include "cmocka_all.h"
#include "near.h"

#include "../../src/robot/check.h"

#include <halyard/faults.h>
#include <halyard/robot.h>
#include <halyard/wire.h>

#include <stdio.h>

enum { OWNER = 5000, PROBES = 5001, COMMANDS = 5002 };

#define SECOND_US 1000000
#define SAMPLES   4000

typedef struct {
    bench robot;
    hy_faults to_robot, to_client;
    hy_faults_spec air;
    hy_robot_check check;
    int64_t samples[SAMPLES];
    bool has_owner, is_dead;
    uint16_t owner_seq;
    hy_seq_gate owner_gate; // of the statuses that the owner gets
    uint64_t probes, commands, enabling;
    bool owner_was_stopped;
} stage;

static const hy_endpoint nobody; // a channel has one end each here

static void start_air(stage *s, uint64_t seed, const hy_faults_direction *to_robot,
                      const hy_faults_direction *to_client)
{
    s->air = (hy_faults_spec){ .seed = seed };
    hy_faults_init(&s->to_robot, to_robot, &s->air, 1, 0);
    hy_faults_init(&s->to_client, to_client, &s->air, 2, 0);
}

static void put(hy_faults *channel, uint16_t port, const uint8_t *data, size_t size, int64_t now_us)
{
    uint8_t labelled[HY_WIRE_STATUS_MAX + 1];
    labelled[0] = (uint8_t)(port - OWNER);
    memcpy(labelled + 1, data, size);
    hy_faults_put(channel, &nobody, (hy_bytes){ labelled, size + 1 }, now_us);
}

static void ask(stage *s)
{
    hy_robot_question question;
    while (hy_robot_check_ask(&s->check, s->robot.now_us, &question)) {
        s->probes += question.is_probe;
        s->commands += !question.is_probe;
        s->enabling += !question.is_probe && question.data[2] == HY_WIRE_CONTROL_ENABLED;
        assert_true(question.is_probe ? question.size == 1 : question.size >= HY_WIRE_HEADER_SIZE);
        put(&s->to_robot, question.is_probe ? PROBES : COMMANDS, question.data, question.size,
            s->robot.now_us);
    }
    if (!hy_robot_check_is_over(
            &s->check, s->robot.now_us)) { // else a caller would wait for nothing, or for ever
        assert_true(hy_robot_check_due_us(&s->check) > s->robot.now_us);
    }
}

static void serve(stage *s)
{
    hy_endpoint to;
    hy_bytes datagram;
    while (hy_faults_take(&s->to_robot, s->robot.now_us, &to, &datagram)) {
        bench_give(&s->robot, (uint16_t)(OWNER + datagram.data[0]), datagram.data + 1,
                   datagram.size - 1);
    }
    while (bench_take(&s->robot)) {
        if (s->is_dead) {
            continue;
        }
        const uint16_t seq = (uint16_t)(s->robot.sent[0] << 8 | s->robot.sent[1]);
        if (s->robot.sent_to.port == OWNER) {
            hy_seq_gate_accept(&s->owner_gate, seq, s->robot.now_us);
        } else {
            put(&s->to_client, s->robot.sent_to.port, s->robot.sent, s->robot.sent_size,
                s->robot.now_us);
        }
    }
    while (hy_faults_take(&s->to_client, s->robot.now_us, &to, &datagram)) {
        hy_robot_check_take(&s->check, datagram.data[0] == PROBES - OWNER,
                            (hy_bytes){ datagram.data + 1, datagram.size - 1 }, s->robot.now_us);
    }
}

static void step(stage *s)
{
    bench_wait(&s->robot, BENCH_MS);
    if (s->has_owner && s->robot.now_us % (20 * BENCH_MS) == 0) {
        bench_command(&s->robot, OWNER, ++s->owner_seq, HY_WIRE_CONTROL_ENABLED, 0.5F);
    }
    ask(s);
    serve(s);
    if (s->owner_seq > 0 && s->has_owner && bench_duty(&s->robot, 0) == 0.0) {
        s->owner_was_stopped = true;
    }
}

static void run(stage *s, int64_t duration_us)
{
    for (const int64_t end_us = s->robot.now_us + duration_us; s->robot.now_us < end_us;) {
        step(s);
    }
}

static stage *start(const hy_board_options *robot)
{
    static stage memory;
    memory = (stage){ .robot = bench_start(robot) };
    start_air(&memory, 1, &(hy_faults_direction){ .delay_us = 2 * BENCH_MS },
              &(hy_faults_direction){ .delay_us = 3 * BENCH_MS });
    return &memory;
}

static stage *start_stock(void)
{
    return start(&(hy_board_options){ .kind = &hy_board_xrp, .stock_bugs = true });
}

static stage *start_halyard(void)
{
    return start(&(hy_board_options){ .kind = &hy_board_xrp });
}

static void own(stage *s)
{
    s->has_owner = true;
    run(s, SECOND_US);
    assert_false(s->owner_was_stopped);
}

static void begin(stage *s, int64_t duration_us, bool is_exclusive)
{
    const hy_robot_check_options options = {
        .dialect = &hy_dialect_xrp,
        .duration_us = duration_us,
        .is_exclusive = is_exclusive,
    };
    hy_robot_check_start(&s->check, &options, (hy_robot_samples){ s->samples, SAMPLES, 0 },
                         s->robot.now_us);
}

static hy_robot_report finish(stage *s)
{
    while (!hy_robot_check_is_over(&s->check, s->robot.now_us)) {
        step(s);
    }
    return hy_robot_check_end(&s->check, s->robot.now_us);
}

static hy_robot_report look(stage *s, bool is_exclusive)
{
    begin(s, 3 * SECOND_US, is_exclusive);
    return finish(s);
}

static void end(stage *s)
{
    bench_end(&s->robot);
}

// The findings as "owned! few": an exclamation mark for trouble.
static const char *findings_of(const hy_robot_report *report)
{
    static char text[400];
    static hy_robot_finding found[HY_FINDINGS];
    const hy_endpoint address = bench_peer(3540);
    const size_t count = hy_robot_findings(report, "xrp://127.0.0.1", &address, found, HY_FINDINGS);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s%s", i > 0 ? " " : "",
                 hy_robot_finding_text(found[i].kind), found[i].is_trouble ? "!" : "");
        assert_true(found[i].text[strlen(found[i].text) - 1] == '.' ||
                    found[i].text[strlen(found[i].text) - 1] == ')' ||
                    found[i].text[strlen(found[i].text) - 1] == '?');
        assert_true(strlen(found[i].text) + 1 < sizeof found[i].text);
    }
    return text;
}

// --------------------------------------------------------------------------- the stock firmware

static void test_a_stock_robot_streams_after_one_round(void **state)
{
    (void)state;
    stage *const s = start_stock();
    const hy_robot_report report = look(s, false);
    assert_int_equal(report.manner, HY_ROBOT_STREAMS);
    assert_ptr_equal(report.dialect, &hy_dialect_xrp);
    assert_true(report.has_stream);
    assert_false(report.is_owned);
    assert_int_equal(report.duration_us, 3 * SECOND_US);
    assert_int_equal(report.statuses, 60);
    assert_int_equal(report.lost, 0);
    assert_int_equal(report.interval.count, 59);
    assert_int_equal(report.interval.least_us, 50000);
    assert_int_equal(report.interval.most_us, 50000);
    assert_near(report.interval.deviation_us, 0.0, 0.0);
    assert_near(report.rate_hz, 20.0, 1e-9);
    assert_near(report.sent_rate_hz, 20.0, 1e-9);
    assert_int_equal(report.longest_silence_us, 50000);
    assert_int_equal(report.age_us, 50000);
    assert_int_equal(report.round_trip.count, 0);
    assert_string_equal(findings_of(&report), "");
    assert_int_equal(s->probes, 3);
    assert_int_equal(s->commands, 0);
    end(s);
}

static void test_a_stock_robot_with_an_owner_is_left_alone(void **state)
{
    (void)state;
    // At every phase of the owner's 20 ms to the robot's 50 ms.
    unsigned seen = 0;
    for (int64_t phase_us = 0; phase_us < 100000; phase_us += 5000) {
        stage *const s = start_stock();
        own(s);
        run(s, phase_us);
        const uint64_t lost = s->owner_gate.lost;
        const hy_robot_report report = look(s, true); // exclusive or not: not to this robot
        assert_false(s->owner_was_stopped);
        assert_int_equal(s->commands, 0);
        assert_true(s->probes <= 18);
        assert_true(s->owner_gate.lost - lost <= 6); // one a round
        seen += report.is_owned;
        assert_true(report.manner == HY_ROBOT_BORROWED || report.manner == HY_ROBOT_SILENT);
        assert_int_equal(report.is_owned, report.manner == HY_ROBOT_BORROWED);
        assert_string_equal(findings_of(&report),
                            report.manner == HY_ROBOT_BORROWED ? "owned!" : "silent!");
        end(s);
    }
    assert_true(seen >= 10); // of 20: whether a status is due in such a moment is a matter of luck
}

// Its 20 ms and the robot's 50 ms decide whether asking again brings a status, so not every time.
static void test_an_owner_that_comes_back_is_noticed(void **state)
{
    (void)state;
    unsigned seen = 0;
    for (int64_t phase_us = 0; phase_us < 100000; phase_us += 9000) {
        stage *const s = start_stock();
        begin(s, 5 * SECOND_US, false);
        run(s, SECOND_US + phase_us);
        s->has_owner = true;
        const hy_robot_report report = finish(s);
        assert_false(s->owner_was_stopped);
        assert_int_equal(report.manner, HY_ROBOT_STREAMS);
        assert_true(report.asked_again >= 1 && report.asked_again <= 4);
        assert_true(strstr(findings_of(&report), "silences!") != NULL);
        assert_int_equal(report.is_owned, strstr(findings_of(&report), "owned!") != NULL);
        assert_int_equal(s->commands, 0);
        seen += report.is_owned;
        end(s);
    }
    assert_true(seen >= 3);
}

static void test_what_gets_lost_is_counted_by_the_numbers(void **state)
{
    (void)state;
    stage *const s = start_stock();
    begin(s, 60 * SECOND_US, false);
    run(s, SECOND_US); // until it streams
    s->to_client.direction.loss = 0.18;
    const hy_faults_counters before = s->to_client.counters;
    const hy_robot_report report = finish(s);
    const uint64_t lost = s->to_client.counters.lost - before.lost;
    assert_true(lost > 100);
    assert_true(report.lost <= lost && report.lost + 5 > lost); // but for the last ones in a row
    assert_near(report.loss, (double)report.lost / (double)(report.lost + report.statuses), 1e-12);
    assert_near(report.loss, 0.18, 0.03);
    assert_near(report.sent_rate_hz, 20.0, 1e-9);
    assert_near(report.rate_hz, 20.0 * (1.0 - report.loss), 0.1);
    assert_int_equal(report.interval.most_us, 50000); // a gap is loss, not jitter
    assert_string_equal(findings_of(&report),
                        report.longest_silence_us >= 250000 ? "silences! loss!" : "loss!");
    end(s);
}

static void test_jitter_is_no_loss(void **state)
{
    (void)state;
    stage *const s = start_stock();
    s->to_client.direction.jitter_us = 150 * BENCH_MS;
    const hy_robot_report report = look(s, false);
    assert_int_equal(report.manner, HY_ROBOT_STREAMS);
    assert_int_equal(report.lost, 0);
    assert_true(report.interval.deviation_us > 20000.0);
    assert_true(report.interval.p95_us > 100000);
    assert_true(strstr(findings_of(&report), "jitter!") != NULL);
    end(s);
}

static void test_a_robot_that_falls_silent(void **state)
{
    (void)state;
    stage *const s = start_stock();
    begin(s, 3 * SECOND_US, false);
    run(s, SECOND_US);
    s->is_dead = true;
    const hy_robot_report report = finish(s);
    assert_true(report.age_us > 2 * SECOND_US);
    assert_int_equal(report.longest_silence_us, report.age_us);
    assert_false(report.is_owned);
    assert_int_equal(report.asked_again, 4);
    assert_string_equal(findings_of(&report), "silences! few");
    end(s);
}

static void test_a_robot_that_starts_again(void **state)
{
    (void)state;
    stage *const s = start_stock();
    begin(s, 6 * SECOND_US, false);
    run(s, 2 * SECOND_US);
    s->is_dead = true;
    run(s, SECOND_US);
    bench_end(&s->robot);
    const int64_t now_us = s->robot.now_us;
    s->robot = bench_start(&(hy_board_options){ .kind = &hy_board_xrp, .stock_bugs = true });
    bench_wait(&s->robot, now_us);
    s->is_dead = false;
    const hy_robot_report report = finish(s);
    assert_int_equal(report.restarts, 1);
    assert_true(strstr(findings_of(&report), "restart!") != NULL);
    end(s);
}

static void test_an_exclusive_look_at_a_stock_robot(void **state)
{
    (void)state;
    stage *const s = start_stock();
    const hy_robot_report report = look(s, true);
    assert_true(report.is_commanded);
    assert_true(s->commands >= 149 && s->commands <= 151);
    assert_int_equal(s->enabling, 0);
    assert_int_equal(s->probes, 3);
    assert_int_equal(report.lost, 0);
    assert_near(report.rate_hz, 20.0, 1e-9);
    assert_string_equal(findings_of(&report), "");
    end(s);
}

static void test_the_stream_is_what_comes_to_the_commands(void **state)
{
    (void)state;
    stage *const s = start_stock();
    begin(s, 2 * SECOND_US, true);
    run(s, SECOND_US);
    assert_true(s->commands > 0);
    uint8_t late[HY_WIRE_STATUS_MAX];
    memcpy(late, s->robot.sent, s->robot.sent_size);
    late[0] ^= 0x10; // a number far ahead, at the socket that only asked
    hy_robot_check_take(&s->check, true, (hy_bytes){ late, s->robot.sent_size }, s->robot.now_us);
    const hy_robot_report report = finish(s);
    assert_int_equal(report.lost, 0);
    assert_near(report.rate_hz, 20.0, 1e-9);
    end(s);
}

static void test_old_firmware_is_told(void **state)
{
    (void)state;
    stage *const s = start(&(hy_board_options){
        .kind = &hy_board_xrp, .encoder_format = HY_ENCODER_SHORT, .stock_bugs = true });
    const hy_robot_report report = look(s, false);
    assert_false(report.has_periods);
    assert_string_equal(findings_of(&report), "firmware");
    end(s);
}

// --------------------------------------------------------------------------- Halyard's boards

static void test_a_board_answers_and_round_trips_are_exact(void **state)
{
    (void)state;
    stage *const s = start_halyard();
    const hy_robot_report report = look(s, false);
    assert_int_equal(report.manner, HY_ROBOT_ANSWERS);
    assert_false(report.has_stream);
    assert_false(report.is_owned);
    assert_true(report.foreign_rate_hz == 0.0);
    assert_int_equal(report.probes, 57); // every 50 ms from 150 ms on
    assert_int_equal(report.answers, 57);
    assert_int_equal(report.round_trip.least_us, 5000);
    assert_int_equal(report.round_trip.most_us, 5000);
    assert_int_equal(hy_board_counts(s->robot.board)->commands, 0);
    assert_int_equal(s->commands, 0);
    assert_string_equal(findings_of(&report), "no-stream");
    end(s);
}

static void test_a_boards_owner_loses_nothing_and_is_seen(void **state)
{
    (void)state;
    stage *const s = start_halyard();
    own(s);
    const uint64_t accepted = s->owner_gate.accepted;
    const hy_robot_report report = look(s, false);
    assert_int_equal(report.manner, HY_ROBOT_ANSWERS);
    assert_true(report.is_owned);
    assert_near(report.foreign_rate_hz, 20.0, 0.5);
    assert_false(s->owner_was_stopped);
    assert_int_equal(s->owner_gate.lost, 0);
    assert_true(s->owner_gate.accepted - accepted >= 60);
    assert_true(strstr(findings_of(&report), "owned!") != NULL);
    end(s);
}

static void test_an_exclusive_look_at_a_free_board_brings_its_stream(void **state)
{
    (void)state;
    stage *const s = start_halyard();
    const hy_robot_report report = look(s, true);
    assert_int_equal(report.manner, HY_ROBOT_ANSWERS);
    assert_true(report.has_stream);
    assert_false(report.is_owned);
    assert_int_equal(s->enabling, 0);
    assert_false(hy_board_is_enabled(s->robot.board));
    assert_near(report.rate_hz, 20.0, 1e-9);
    assert_int_equal(report.lost, 0);
    assert_int_equal(report.late, 0);
    assert_int_equal(report.round_trip.least_us, 5000);
    assert_int_equal(report.round_trip.most_us, 5000);
    assert_true(report.answers >= 14);
    assert_string_equal(findings_of(&report), "");
    end(s);
}

static void test_an_exclusive_look_cannot_take_a_board_from_its_owner(void **state)
{
    (void)state;
    stage *const s = start_halyard();
    own(s);
    const hy_robot_report report = look(s, true);
    assert_true(report.is_owned);
    assert_int_equal(report.statuses, 0);
    assert_false(s->owner_was_stopped);
    assert_int_equal(s->owner_gate.lost, 0);
    assert_true(strstr(findings_of(&report), "owned!") == findings_of(&report));
    end(s);
}

static void test_an_owner_that_left_is_no_owner(void **state)
{
    (void)state;
    stage *const s = start_halyard();
    own(s);
    s->has_owner = false; // its statuses go on to where it was
    run(s, SECOND_US);
    const hy_robot_report report = look(s, true);
    assert_false(report.is_owned);
    assert_near(report.rate_hz, 20.0, 1e-9);
    assert_string_equal(findings_of(&report), "");
    end(s);
}

static void test_questions_that_get_lost_are_counted(void **state)
{
    (void)state;
    stage *const s = start_halyard();
    begin(s, 30 * SECOND_US, false);
    run(s, SECOND_US);
    s->to_robot.direction.loss = 0.2;
    const hy_robot_report report = finish(s);
    assert_int_equal(report.manner, HY_ROBOT_ANSWERS);
    assert_near((double)report.answers / (double)report.probes, 0.8, 0.06);
    assert_int_equal(report.round_trip.most_us, 5000);
    assert_string_equal(findings_of(&report), "unanswered! no-stream");
    end(s);
}

static void test_a_slow_network_is_told(void **state)
{
    (void)state;
    for (int64_t one_way_ms = 60; one_way_ms <= 100; one_way_ms += 20) {
        stage *const s = start_halyard();
        s->to_robot.direction.delay_us = s->to_client.direction.delay_us = one_way_ms * BENCH_MS;
        const hy_robot_report report = look(s, false);
        assert_int_equal(report.manner, HY_ROBOT_ANSWERS);
        assert_int_equal(report.round_trip.median_us, 2 * one_way_ms * BENCH_MS);
        assert_true(strstr(findings_of(&report), "delay!") != NULL);
        end(s);
    }
}

static void test_a_late_answer_is_not_the_next_ones(void **state)
{
    (void)state;
    stage *const s = start_halyard();
    begin(s, 10 * SECOND_US, false);
    run(s, SECOND_US);
    s->to_client.direction.delay_us = 300 * BENCH_MS; // longer than is waited for
    const uint64_t before = s->check.report.answers;
    const hy_robot_report report = finish(s);
    assert_true(report.answers <= before + 1);
    assert_true(report.round_trip.least_us >= 5000);
    assert_true(report.probes > before + 15);
    end(s);
}

static void test_a_question_under_way_at_the_end_is_not_lost(void **state)
{
    (void)state;
    stage *const s = start_halyard();
    s->to_robot.direction.delay_us = 60 * BENCH_MS;
    begin(s, 10 * SECOND_US, false);
    run(s, SECOND_US);
    while (s->check.probed_us == INT64_MIN) { // until one is under way
        step(s);
    }
    const hy_robot_report report = hy_robot_check_end(&s->check, s->robot.now_us);
    assert_true(report.answers > 3);
    assert_int_equal(report.probes, report.answers);
    end(s);
}

static void test_the_manner_is_found_through_a_bad_network(void **state)
{
    (void)state;
    unsigned right[2] = { 0 };
    for (uint64_t seed = 0; seed < 50; seed++) {
        for (int kind = 0; kind < 2; kind++) {
            stage *const s = kind == 0 ? start_stock() : start_halyard();
            static const hy_faults_direction bad = {
                .loss = 0.2, .duplicate = 0.05, .delay_us = 2 * BENCH_MS, .jitter_us = 10 * BENCH_MS
            };
            start_air(s, seed, &bad, &bad);
            const hy_robot_report report = look(s, false);
            right[kind] += report.manner == (kind == 0 ? HY_ROBOT_STREAMS : HY_ROBOT_ANSWERS);
            end(s);
        }
    }
    assert_true(right[0] >= 48);
    assert_true(right[1] >= 48);
}

static void test_a_swerve_robot_under_an_xrps_url(void **state)
{
    (void)state;
    stage *const s = start(&(hy_board_options){ .kind = &hy_board_teensy });
    const hy_robot_report report = look(s, true);
    assert_ptr_equal(report.dialect, &hy_dialect_teensy);
    assert_near(report.rate_hz, 50.0, 1e-9);
    assert_string_equal(findings_of(&report), "dialect!");
    end(s);
}

// --------------------------------------------------------------------------- others

static void test_nobody_is_asked_six_times_and_given_up(void **state)
{
    (void)state;
    stage *const s = start_halyard();
    s->to_robot.direction.loss = 1.0;
    const int64_t start_us = s->robot.now_us;
    const hy_robot_report report = look(s, true);
    assert_int_equal(report.manner, HY_ROBOT_SILENT);
    assert_null(report.dialect);
    assert_int_equal(s->probes, 18);
    assert_int_equal(s->commands, 0);
    assert_int_equal(s->robot.now_us - start_us, 1848000);
    assert_int_equal(report.age_us, INT64_MAX);
    assert_string_equal(findings_of(&report), "silent!");
    end(s);
}

static void test_garbage_is_no_robot(void **state)
{
    (void)state;
    static const char *const garbage[] = {
        "",
        "?",
        "ab",
        "abc",
        "hello, who are you?",
        "\x01\x02\x01\x06\x12\x00\x3f\x80\x01\x01",
        "\x00\x01\x00\xff\x18\x01",
        "\x00\x01\x00\x02\x77\x01",
    };
    hy_robot_check check;
    const hy_robot_check_options options = { .dialect = &hy_dialect_xrp, .duration_us = SECOND_US };
    hy_robot_check_start(&check, &options, (hy_robot_samples){ 0 }, 0);
    hy_robot_question question;
    for (size_t i = 0; i < sizeof garbage / sizeof garbage[0]; i++) {
        while (hy_robot_check_ask(&check, (int64_t)i * 200000, &question)) {
        }
        hy_robot_check_take(&check, true,
                            (hy_bytes){ (const uint8_t *)garbage[i], strlen(garbage[i]) },
                            (int64_t)i * 200000 + 1);
    }
    const hy_robot_report report = hy_robot_check_end(&check, 1848000);
    assert_int_equal(report.manner, HY_ROBOT_STRANGE);
    assert_int_equal(report.others, sizeof garbage / sizeof garbage[0]);
    assert_string_equal(findings_of(&report), "strange!");
}

static void test_cut_statuses_are_told(void **state)
{
    (void)state;
    stage *const s = start_stock();
    begin(s, 3 * SECOND_US, false);
    run(s, SECOND_US);
    uint8_t cut[HY_WIRE_STATUS_MAX];
    memcpy(cut, s->robot.sent, s->robot.sent_size);
    hy_robot_check_take(&s->check, true, (hy_bytes){ cut, s->robot.sent_size - 3 }, s->robot.now_us);
    const hy_robot_report report = finish(s);
    assert_int_equal(report.malformed, 1);
    assert_int_equal(report.late, 1); // its number had come already
    assert_string_equal(findings_of(&report), "damage!");
    end(s);
}

static void test_a_check_without_room_for_samples_still_counts(void **state)
{
    (void)state;
    for (size_t room = 0; room < 4; room++) {
        stage *const s = start_stock();
        begin(s, 3 * SECOND_US, false);
        s->check.intervals.room = room;
        const hy_robot_report report = finish(s);
        assert_int_equal(report.statuses, 60);
        assert_int_equal(report.interval.count, room);
        end(s);
    }
    const hy_robot_check_options none = { .dialect = &hy_dialect_xrp, .duration_us = SECOND_US };
    hy_robot_check check;
    hy_robot_check_start(&check, &none, (hy_robot_samples){ 0 }, 0);
    assert_int_equal(hy_robot_check_end(&check, 1).manner, HY_ROBOT_SILENT);
}

static void test_an_end_before_its_time(void **state)
{
    (void)state;
    stage *const s = start_stock();
    begin(s, 60 * SECOND_US, false);
    run(s, 2 * SECOND_US);
    assert_near(hy_robot_check_progress(&s->check, s->robot.now_us), 0.03, 0.005);
    const hy_robot_report report = hy_robot_check_end(&s->check, s->robot.now_us);
    assert_near((double)report.duration_us, 1.8e6, 0.1e6);
    assert_near(report.rate_hz, 20.0, 1e-9);
    assert_true(hy_robot_check_is_over(&s->check, s->robot.now_us));
    assert_near(hy_robot_check_progress(&s->check, s->robot.now_us), 1.0, 0.0);
    hy_robot_question question;
    assert_false(hy_robot_check_ask(&s->check, s->robot.now_us + SECOND_US, &question));
    end(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stock_robot_streams_after_one_round),
        cmocka_unit_test(test_a_stock_robot_with_an_owner_is_left_alone),
        cmocka_unit_test(test_an_owner_that_comes_back_is_noticed),
        cmocka_unit_test(test_what_gets_lost_is_counted_by_the_numbers),
        cmocka_unit_test(test_jitter_is_no_loss),
        cmocka_unit_test(test_a_robot_that_falls_silent),
        cmocka_unit_test(test_a_robot_that_starts_again),
        cmocka_unit_test(test_an_exclusive_look_at_a_stock_robot),
        cmocka_unit_test(test_the_stream_is_what_comes_to_the_commands),
        cmocka_unit_test(test_old_firmware_is_told),
        cmocka_unit_test(test_a_board_answers_and_round_trips_are_exact),
        cmocka_unit_test(test_a_boards_owner_loses_nothing_and_is_seen),
        cmocka_unit_test(test_an_exclusive_look_at_a_free_board_brings_its_stream),
        cmocka_unit_test(test_an_exclusive_look_cannot_take_a_board_from_its_owner),
        cmocka_unit_test(test_an_owner_that_left_is_no_owner),
        cmocka_unit_test(test_questions_that_get_lost_are_counted),
        cmocka_unit_test(test_a_slow_network_is_told),
        cmocka_unit_test(test_a_late_answer_is_not_the_next_ones),
        cmocka_unit_test(test_a_question_under_way_at_the_end_is_not_lost),
        cmocka_unit_test(test_the_manner_is_found_through_a_bad_network),
        cmocka_unit_test(test_a_swerve_robot_under_an_xrps_url),
        cmocka_unit_test(test_nobody_is_asked_six_times_and_given_up),
        cmocka_unit_test(test_garbage_is_no_robot),
        cmocka_unit_test(test_cut_statuses_are_told),
        cmocka_unit_test(test_a_check_without_room_for_samples_still_counts),
        cmocka_unit_test(test_an_end_before_its_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
