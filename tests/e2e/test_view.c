// `halyard view` between a sim, a core and pages that are all made here, over real sockets.
#include "cmocka_all.h"

#include <halyard/icd.h>
#include <halyard/link.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "match_ports.h"
#include "program.h"
#include "view_page.h"
#include "ws_client.h"

#define SECOND_US 1000000
#define LIMIT_US  (20 * SECOND_US)
#define TOKEN     "00112233445566778899aabbccddeeff"

/// A view under test, and what it speaks to: the sims and cores of two players.
typedef struct {
    match_ports ports;
    unsigned shift;
    program view;
    view_page_place place;
    hy_link sim[2], core[2];
    const char *views, *view_count; ///< A second option and its value; NULL: none.
    bool is_core_busy;              // it hears sticks, and answers none
} bench;

static hy_endpoint endpoint_of(hy_icd_port port, unsigned player, unsigned shift)
{
    char text[HY_ENDPOINT_TEXT_MAX];
    hy_endpoint out;
    snprintf(text, sizeof text, "127.0.0.1:%u", hy_icd_port_of(port, player) + shift);
    assert_int_equal(hy_endpoint_parse(text, 0, &out), HY_OK);
    return out;
}

static void open_ports(bench *self)
{
    for (unsigned i = 0; i < 2; i++) {
        match_ports_open(&self->ports, HY_ICD_SIM_VIEW, i + 1, &self->sim[i]);
        match_ports_open(&self->ports, HY_ICD_CORE_JOYSTICK, i + 1, &self->core[i]);
    }
}

static void close_ports(bench *self)
{
    for (unsigned i = 0; i < 2; i++) {
        hy_link_close(&self->sim[i]);
        hy_link_close(&self->core[i]);
    }
    match_ports_give_back(&self->ports);
}

static void start_view(bench *self, const char *more, const char *value)
{
    char shift[16];
    snprintf(shift, sizeof shift, "%u", self->shift);
    const char *const arguments[] = {
        HALYARD_BINARY, "view", "--json", "--listen", "127.0.0.1:0", "--shift",        shift,
        "--duration",   "300",  more,     value,      self->views,   self->view_count, NULL
    };
    self->view = program_start(arguments);
    assert_true(program_await(&self->view, "open http://", LIMIT_US) &&
                program_await(&self->view, "\n", LIMIT_US));
    assert_true(view_page_find(self->view.output, &self->place));
}

static bench *start(const char *more, const char *value)
{
    bench *const self = calloc(1, sizeof *self);
    match_ports_take(&self->ports);
    self->shift = self->ports.shift;
    open_ports(self);
    start_view(self, more, value);
    return self;
}

static void end(bench *self)
{
    kill(self->view.pid, SIGTERM);
    assert_int_equal(program_end(&self->view, NULL, 0), 0);
    close_ports(self);
    free(self);
}

// --------------------------------------------------------------------------- the sim

static void send_to_view(bench *self, hy_link *from, unsigned player, const void *bytes, size_t size)
{
    const hy_endpoint to = endpoint_of(HY_ICD_VIEW, player, self->shift);
    hy_link_send(from, &to, (hy_bytes){ bytes, size });
}

static hy_icd_match example(int blue)
{
    hy_icd_match match = {
        .blue_score = blue, .timer_s = 134.5, .timer_runs = true, .vehicle_count = 2, .piece_count = 1
    };
    snprintf(match.vehicle[0].team, sizeof match.vehicle[0].team, "3260");
    snprintf(match.vehicle[1].team, sizeof match.vehicle[1].team, "1234");
    match.vehicle[1].alliance = HY_ALLIANCE_RED;
    match.vehicle[0].x_m = 1.25;
    match.vehicle[0].theta_rad = -142.0;
    match.piece[0] = (hy_icd_piece){ .x_m = 0.5, .ingestion = HY_ICD_TUBE };
    return match;
}

static void send_match(bench *self, hy_link *from, unsigned player, const hy_icd_match *match)
{
    static uint8_t text[HY_ICD_MESSAGE_MAX];
    size_t points = 0, sent = 0;
    for (size_t i = 0; i < match->vehicle_count; i++) {
        points += match->vehicle[i].lidar.count;
    }
    do {
        const size_t size =
            hy_icd_write_match(match, HY_ICD_DOCUMENT, &sent, (hy_room){ text, sizeof text });
        assert_true(size > 0);
        send_to_view(self, from, player, text, size);
    } while (sent < points);
}

/// Plays the sim until the page hears `part`.
static void play_until(bench *self, ws_client *page, const hy_icd_match *match, const char *part)
{
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    do {
        send_match(self, &self->sim[0], 1, match);
        if (ws_await(page, part, 10000)) {
            return;
        }
    } while (hy_clock_now_us() < end_us);
    fail_msg("the page never heard %s; last: %s", part, page->text);
}

static void a_match_is_shown(void **state)
{
    (void)state;
    bench *const b = start(NULL, NULL);
    ws_client page;
    assert_true(view_page_open(&page, &b->place));
    assert_non_null(strstr(page.text, "\"kind\":\"match\""));
    assert_non_null(strstr(page.text, "\"title\":\"Field 2020\""));
    const hy_icd_match match = example(7);
    play_until(b, &page, &match, "\"name\":\"1234\",\"alliance\":\"Red\",\"player\":2");
    play_until(b, &page, &match, "\"type\":\"state\"");
    assert_non_null(strstr(
        page.text,
        "\"match\":{\"blue\":7,\"red\":0,\"runs\":true,\"timer\":134.5,\"collision\":false}"));
    assert_non_null(strstr(page.text, "\"at\":[1.25,0,-142]"));
    assert_non_null(strstr(page.text, "\"pieces\":[[0.5,0,0,4]]"));
    play_until(b, &page, &match,
               "\"player\":1,\"owner\":\"nobody\",\"core\":null,\"sim\":true,\"rate_hz\":");
    assert_non_null(strstr(page.text, "\"loss\":null"));
    // The sim is told that somebody looks, from the port that it sends to.
    hy_datagram batch[HY_LINK_BATCH];
    assert_true(hy_link_receive(&b->sim[0], batch, HY_LINK_BATCH) > 0);
    assert_int_equal(batch[0].peer.port, hy_icd_port_of(HY_ICD_VIEW, 1) + b->shift);
    assert_int_equal(batch[0].bytes.size, 2);
    assert_memory_equal(batch[0].bytes.data, "{}", 2);
    assert_true(ws_await(&page, "\"sim\":false", LIMIT_US)); // and its silence is seen
    ws_close(&page);
    end(b);
}

static void lidar_of_several_messages_is_one(void **state)
{
    (void)state;
    static hy_icd_lidar_point points[2][700]; // 1400 as objects: more than one datagram carries
    bench *const b = start(NULL, NULL);
    ws_client page;
    assert_true(view_page_open(&page, &b->place));
    hy_icd_match match = example(0);
    play_until(b, &page, &match, "\"type\":\"state\"");
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < 700; j++) {
            points[i][j] =
                (hy_icd_lidar_point){ .azimuth_rad = (double)j / 200.0, .range_m = 1.0 + (double)i };
        }
        match.vehicle[i].lidar = (hy_icd_lidar){ points[i], 700 };
    }
    send_match(b, &b->sim[0], 1, &match);
    size_t heard[2] = { 0, 0 };
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (heard[0] < 700 || heard[1] < 700) {
        assert_true(hy_clock_now_us() < end_us);
        assert_true(ws_await(&page, "\"type\":\"state\"", LIMIT_US));
        const char *robot = strstr(page.text, "\"at\":");
        for (size_t i = 0; i < 2; i++) {
            const char *const next = i == 0 ? strstr(robot + 1, "\"at\":") : robot + strlen(robot);
            const char *at = strstr(robot, "\"lidar\":[");
            if (at != NULL && at < next) {
                const char *const close = strchr(at, ']');
                size_t commas = 0;
                for (; at < close; at++) {
                    commas += *at == ',';
                }
                heard[i] += (commas + 1) / 2;
            }
            robot = next;
        }
        const hy_icd_match more = example(0);
        send_match(b, &b->sim[0], 1, &more); // has what is left shown
    }
    assert_int_equal(heard[0], 700);
    assert_int_equal(heard[1], 700);
    ws_close(&page);
    end(b);
}

// Of what the sender and a stranger sent; the system may have lost some of so much.
static void expect_useless(const char *output)
{
    const char *const figures = strstr(output, "\"malformed\":");
    unsigned malformed = 0, strangers = 0;
    assert_non_null(figures);
    assert_int_equal(
        sscanf(figures, "\"malformed\":%u,\"from_strangers\":%u", &malformed, &strangers), 2);
    assert_true(malformed >= 10 && strangers >= 20);
}

static void only_the_sim_is_believed(void **state)
{
    (void)state;
    bench *const b = start(NULL, NULL);
    ws_client page;
    hy_link stranger;
    const hy_endpoint any = endpoint_of(HY_ICD_SIM_VIEW, 6, b->shift);
    assert_int_equal(hy_link_open(&stranger, &any), HY_OK);
    assert_true(view_page_open(&page, &b->place));
    const hy_icd_match right = example(1), wrong = example(9);
    static uint8_t garbage[60000];
    hy_random random = hy_random_seeded(2);
    for (size_t i = 0; i < sizeof garbage; i++) {
        garbage[i] = (uint8_t)hy_random_below(&random, 256);
    }
    for (unsigned i = 0; i < 50; i++) {
        send_match(b, &stranger, 1, &wrong);
        send_to_view(b, &b->sim[0], 1, garbage, i * 1000);
        send_to_view(b, &b->sim[0], 1, "{\"blueScore\":\"many\"}", 20);
        send_to_view(b, &b->sim[0], 1, "{\"vehicles\":[{\"x\":1e999}]}", 26);
    }
    play_until(b, &page, &right, "\"blue\":1");
    for (int i = 0; i < 20; i++) {
        send_match(b, &stranger, 1, &wrong);
        send_match(b, &b->sim[0], 1, &right);
        assert_true(ws_await(&page, "\"type\":\"state\"", LIMIT_US));
        assert_non_null(strstr(page.text, "\"blue\":1,"));
    }
    ws_close(&page);
    hy_link_close(&stranger);
    kill(b->view.pid, SIGTERM);
    char output[4096];
    assert_int_equal(program_end(&b->view, output, sizeof output), 0);
    expect_useless(output);
    close_ports(b);
    free(b);
}

static void a_lossy_network_is_survived(void **state)
{
    (void)state;
    bench *const b = start(NULL, NULL);
    ws_client page;
    assert_true(view_page_open(&page, &b->place));
    hy_random random = hy_random_seeded(4);
    int shown = 0, newest = -1;
    for (int i = 0; i < 300; i++) {
        const hy_icd_match match = example(i);
        if (hy_random_unit(&random) >= 0.3) {
            send_match(b, &b->sim[0], 1, &match);
        }
        while (ws_hear(&page, 5000)) {
            const char *const blue = strstr(page.text, "\"blue\":");
            if (blue != NULL) {
                const int score = atoi(blue + strlen("\"blue\":"));
                assert_true(score >= newest); // never an older state behind a newer one
                newest = score;
                shown++;
            }
        }
    }
    print_message("of 300 states, a third lost, %d were shown\n", shown);
    assert_true(shown > 30);
    const hy_icd_match last = example(1000);
    play_until(b, &page, &last, "\"blue\":1000");
    ws_close(&page);
    end(b);
}

// --------------------------------------------------------------------------- the status

static hy_icd_status example_status(double x_m)
{
    hy_icd_status status = { .player_count = 2, .robot_count = 3 };
    status.player[0] =
        (hy_icd_player){ .connected = true, .rate_hz = 99.5, .age_ms = 4, .latency_ms = 0.5 };
    status.robot[0] =
        (hy_icd_robot){ .kind = "xrp", .name = "Ada", .x_m = x_m, .theta_rad = 7, .enabled = true };
    status.robot[1] = (hy_icd_robot){ .kind = "boat", .name = "none has a picture of it" };
    status.robot[2] = (hy_icd_robot){ .kind = "swerve", .name = "Bob", .y_m = -2.25 };
    return status;
}

static void send_status(bench *self, hy_link *from, unsigned player, const hy_icd_status *status)
{
    uint8_t text[8192];
    const hy_endpoint to = endpoint_of(HY_ICD_VIEW_STATUS, player, self->shift);
    const size_t size = hy_icd_write_status(status, (hy_room){ text, sizeof text });
    assert_true(size > 0);
    hy_link_send(from, &to, (hy_bytes){ text, size });
}

/// Plays a sim with a status, `own` from its own port and `other` (may be NULL) from a stranger's, until the page hears `part`.
static void play_statuses_until(bench *self, ws_client *page, const hy_icd_status *own,
                                const hy_icd_status *other, const char *part)
{
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    const hy_icd_match match = example(0);
    do {
        send_match(self, &self->sim[0], 1, &match);
        if (other != NULL) {
            send_status(self, &self->core[0], 1, other);
        }
        if (own != NULL) {
            send_status(self, &self->sim[0], 1, own);
        }
        if (ws_await(page, part, 10000)) {
            return;
        }
    } while (hy_clock_now_us() < end_us);
    fail_msg("the page never heard %s; last: %s", part, page->text);
}

static const char unknown_core[] = "\"heard\":null,\"core_rate_hz\":null,\"core_age_ms\":null,"
                                   "\"core_latency_ms\":null}";

static void a_status_is_shown_and_forgotten(void **state)
{
    (void)state;
    bench *const b = start("--players", "2");
    ws_client page;
    assert_true(view_page_open(&page, &b->place));
    assert_null(strstr(page.text, "\"kind\":\"xrp\"")); // nobody has told of one
    const hy_icd_match match = example(0);
    play_until(b, &page, &match, unknown_core); // as with a sim that is not ours
    const hy_icd_status status = example_status(1.5);
    play_statuses_until(b, &page, &status, NULL, "\"type\":\"hello\"");
    const char *const xrp =
        strstr(page.text, "\"kind\":\"xrp\",\"name\":\"Ada\",\"alliance\":null,\"player\":0");
    assert_non_null(xrp);
    assert_non_null(strstr(xrp, "\"range_cone\":[0.1,"));
    assert_non_null(strstr(xrp, "\"kind\":\"swerve\",\"name\":\"Bob\""));
    assert_null(strstr(page.text, "boat"));
    play_statuses_until(b, &page, &status, NULL, "\"at\":[1.5,0,7],\"enabled\":true}");
    assert_non_null(strstr(page.text, "{\"at\":[0,-2.25,0],\"enabled\":false}],\"pieces\""));
    const hy_icd_status moved = example_status(1.75);
    play_statuses_until(b, &page, &moved, NULL, "\"at\":[1.75,0,7],\"enabled\":true}");
    play_statuses_until(b, &page, &moved, NULL,
                        "\"heard\":true,\"core_rate_hz\":99.5,\"core_age_ms\":4,"
                        "\"core_latency_ms\":0.5}");
    assert_non_null(strstr(page.text, "\"heard\":false,\"core_rate_hz\":0,\"core_age_ms\":null"));
    // Silence: first what is not known any more, then who is not there.
    play_until(b, &page, &match, "{\"at\":[1.75,0,7]},");
    play_until(b, &page, &match, unknown_core);
    play_until(b, &page, &match, "\"type\":\"hello\"");
    assert_null(strstr(page.text, "\"kind\":\"xrp\""));
    play_until(b, &page, &match, "\"type\":\"state\"");
    assert_null(strstr(page.text, "1.75"));
    // The other player's view is told the same; either will do.
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    do {
        assert_true(hy_clock_now_us() < end_us);
        send_match(b, &b->sim[1], 2, &match);
        send_status(b, &b->sim[1], 2, &status);
    } while (!ws_await(&page, "\"at\":[1.5,0,7],\"enabled\":true}", 10000));
    ws_close(&page);
    end(b);
}

static void only_the_sims_status_is_believed(void **state)
{
    (void)state;
    bench *const b = start(NULL, NULL);
    ws_client page;
    assert_true(view_page_open(&page, &b->place));
    const hy_icd_status right = example_status(1.0), wrong = example_status(9.0);
    play_statuses_until(b, &page, NULL, &wrong, unknown_core);
    for (int i = 0; i < 20; i++) {
        play_statuses_until(b, &page, NULL, &wrong, "\"type\":\"state\"");
        assert_null(strstr(page.text, "\"at\":[9,"));
    }
    const hy_endpoint to = endpoint_of(HY_ICD_VIEW_STATUS, 1, b->shift);
    static const char *const broken[] = { "", "{", "{}", "{\"status\":2}",
                                          "{\"status\":1,\"robots\":7}" };
    play_statuses_until(b, &page, &right, &wrong, "\"at\":[1,0,7],\"enabled\":true}");
    for (size_t i = 0; i < 20; i++) {
        const char *const text = broken[i % (sizeof broken / sizeof broken[0])];
        hy_link_send(&b->sim[0], &to, (hy_bytes){ (const uint8_t *)text, strlen(text) });
        play_statuses_until(b, &page, &right, &wrong, "\"type\":\"state\"");
        assert_non_null(strstr(page.text, "\"at\":[1,0,7],\"enabled\":true}"));
    }
    ws_close(&page);
    kill(b->view.pid, SIGTERM);
    char output[4096];
    assert_int_equal(program_end(&b->view, output, sizeof output), 0);
    expect_useless(output);
    close_ports(b);
    free(b);
}

static void without_its_port_it_does_without_a_status(void **state)
{
    (void)state;
    bench *const b = start(NULL, NULL);
    kill(b->view.pid, SIGTERM);
    assert_int_equal(program_end(&b->view, NULL, 0), 0);
    hy_link other;
    const hy_endpoint taken = endpoint_of(HY_ICD_VIEW_STATUS, 1, b->shift);
    assert_int_equal(hy_link_open(&other, &taken), HY_OK);
    start_view(b, NULL, NULL);
    assert_non_null(strstr(b->view.output, "does not show the sim's status"));
    ws_client page;
    assert_true(view_page_open(&page, &b->place));
    const hy_icd_status status = example_status(1.0);
    play_statuses_until(b, &page, &status, NULL, unknown_core);
    play_statuses_until(b, &page, &status, NULL, "\"type\":\"state\"");
    assert_null(strstr(page.text, "enabled"));
    ws_close(&page);
    hy_link_close(&other);
    end(b);
}

// --------------------------------------------------------------------------- driving

static void expect_player(ws_client *page, const char *owner)
{
    char part[64];
    snprintf(part, sizeof part, "\"player\":1,\"owner\":\"%s\"", owner);
    if (!ws_await(page, part, LIMIT_US)) {
        fail_msg("never heard of owner %s; last: %s", owner, page->text);
    }
}

/// The newest sticks that came to a core within `limit_us`, which answers each; false if none did.
static bool hear_sticks(bench *self, unsigned player, hy_icd_sticks *out, int64_t limit_us)
{
    static hy_icd_reader *reader;
    if (reader == NULL) {
        reader = hy_icd_reader_open();
    }
    const int64_t end_us = hy_clock_now_us() + limit_us;
    hy_link *const core = &self->core[player - 1];
    do {
        hy_datagram batch[HY_LINK_BATCH];
        const size_t count = hy_link_receive(core, batch, HY_LINK_BATCH);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(batch[i].peer.port,
                             hy_icd_port_of(HY_ICD_JOYSTICK, player) + self->shift);
            assert_int_equal(hy_icd_read_sticks(reader, batch[i].bytes, out), HY_OK);
            if (!self->is_core_busy) {
                hy_link_send(core, &batch[i].peer, (hy_bytes){ (const uint8_t *)"{}", 2 });
            }
        }
        if (count > 0) {
            return true;
        }
        usleep(1000);
    } while (hy_clock_now_us() < end_us);
    return false;
}

/// Waits until a core hears the left stick at `left_y`, while the page repeats `say` (unless it is NULL).
static void await_stick(bench *self, ws_client *page, unsigned player, const char *say, int left_y)
{
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    hy_icd_sticks sticks = { .left_y = -9999 };
    while (hy_clock_now_us() < end_us) {
        if (say != NULL) {
            assert_true(ws_say(page, say));
        }
        if (hear_sticks(self, player, &sticks, 20000) && sticks.left_y == left_y) {
            return;
        }
    }
    fail_msg("no core heard the stick at %d; last %d", left_y, sticks.left_y);
}

static const char forward[] =
    "sticks 1 {\"leftJoystick\":[0,512],\"rightJoystick\":[0,0],\"start\":1}";

static void a_page_drives(void **state)
{
    (void)state;
    bench *const b = start(NULL, NULL);
    ws_client page, other;
    hy_icd_sticks sticks;
    assert_true(view_page_open(&page, &b->place));
    assert_false(
        hear_sticks(b, 1, &sticks, 300000)); // nobody drives: the port is free for other joysticks
    assert_true(ws_say(&page, "own 1"));
    expect_player(&page, "you");
    await_stick(b, &page, 1, forward, 512);
    assert_true(hear_sticks(b, 1, &sticks, LIMIT_US));
    assert_true(sticks.start);
    // While it is held, and answered, it is sent a hundred times a second.
    const int64_t from_us = hy_clock_now_us();
    for (int count = 0; count < 100;) {
        assert_true(hy_clock_now_us() < from_us + LIMIT_US);
        assert_true(ws_say(&page, forward));
        count += hear_sticks(b, 1, &sticks, 15000);
    }
    const double rate_hz = 100.0 * 1e6 / (double)(hy_clock_now_us() - from_us);
    print_message("%.0f joystick messages a second\n", rate_hz);
    assert_true(rate_hz < 250.0); // a busy machine makes it less
    assert_true(ws_await(&page, "\"core\":true", LIMIT_US));
    await_stick(b, &page, 1, NULL, 0); // silence
    // Another page may look on, but not take over.
    assert_true(view_page_open(&other, &b->place));
    expect_player(&other, "other");
    assert_true(ws_say(&other, "own 1"));
    assert_true(ws_await(&other, "player 1 is driven by another page", LIMIT_US));
    await_stick(b, &page, 1, forward, 512);
    assert_true(ws_say(&other, "sticks 1 {\"leftJoystick\":[0,-512]}"));
    await_stick(b, &page, 1, forward, 512);
    ws_close(&page); // who leaves lets go
    await_stick(b, NULL, 1, NULL, 0);
    expect_player(&other, "nobody");
    while (hear_sticks(b, 1, &sticks, 500000)) {
        assert_int_equal(sticks.left_y, 0);
    }
    assert_true(ws_say(&other, "own 1"));
    expect_player(&other, "you");
    await_stick(b, &other, 1, forward, 512);
    assert_true(ws_say(&other, "release 1"));
    await_stick(b, NULL, 1, NULL, 0);
    ws_close(&other);
    end(b);
}

static void another_joystick_is_respected(void **state)
{
    (void)state;
    bench *const b = start(NULL, NULL);
    ws_client page;
    hy_link joystick;
    const hy_endpoint taken = endpoint_of(HY_ICD_JOYSTICK, 1, b->shift);
    assert_int_equal(hy_link_open(&joystick, &taken), HY_OK);
    assert_true(view_page_open(&page, &b->place));
    assert_true(ws_say(&page, "own 1"));
    assert_true(ws_await(&page, "driven by another program", LIMIT_US));
    expect_player(&page, "nobody");
    hy_link_close(&joystick);
    assert_true(ws_say(&page, "own 1"));
    await_stick(b, &page, 1, forward, 512);
    ws_close(&page);
    end(b);
}

static void the_end_lets_go(void **state)
{
    (void)state;
    bench *const b = start(NULL, NULL);
    ws_client page;
    hy_icd_sticks sticks = { .left_y = -1 };
    assert_true(view_page_open(&page, &b->place));
    assert_true(ws_say(&page, "own 1"));
    await_stick(b, &page, 1, forward, 512);
    b->is_core_busy = true; // so that the view waits 100 ms before it tries again
    for (int unanswered = 0; unanswered < 5; unanswered++) {
        assert_true(ws_say(&page, forward));
        assert_true(hear_sticks(b, 1, &sticks, LIMIT_US));
    }
    kill(b->view.pid, SIGTERM);
    assert_int_equal(program_end(&b->view, NULL, 0), 0);
    while (hear_sticks(b, 1, &sticks, 100000)) {
    }
    assert_int_equal(sticks.left_y, 0);
    assert_false(sticks.start);
    ws_close(&page);
    close_ports(b);
    free(b);
}

static void several_players_on_one_page(void **state)
{
    (void)state;
    bench *const b = start("--players", "2");
    ws_client page;
    assert_true(view_page_open(&page, &b->place));
    assert_true(ws_say(&page, "own 1"));
    assert_true(ws_say(&page, "own 2"));
    assert_true(ws_say(&page, "own 3"));
    assert_true(ws_await(&page, "there is no player 3 to drive here", LIMIT_US));
    await_stick(b, &page, 2, "sticks 2 {\"leftJoystick\":[0,-512]}", -512);
    await_stick(b, &page, 1, forward, 512);
    // The sim tells both views the same; either will do.
    const hy_icd_match match = example(3);
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    do {
        assert_true(hy_clock_now_us() < end_us);
        send_match(b, &b->sim[1], 2, &match);
    } while (!ws_await(&page, "\"blue\":3", 10000));
    play_until(b, &page, &match, "\"player\":2,\"owner\":\"you\"");
    ws_close(&page);
    end(b);
}

// The sim sends to the first player's port alone: the second player's link is up all the same, and its port stays free.
static void one_port_tells_of_all_players(void **state)
{
    (void)state;
    bench *const b = calloc(1, sizeof *b);
    match_ports_take(&b->ports);
    b->shift = b->ports.shift;
    b->views = "--views";
    b->view_count = "1";
    open_ports(b);
    start_view(b, "--players", "2");
    ws_client page;
    assert_true(view_page_open(&page, &b->place));
    const hy_icd_match match = example(3);
    play_until(b, &page, &match, "\"player\":2,\"owner\":\"nobody\",\"core\":null,\"sim\":true");
    hy_link another;
    const hy_endpoint second = endpoint_of(HY_ICD_VIEW, 2, b->shift);
    assert_int_equal(hy_link_open(&another, &second), HY_OK);
    hy_link_close(&another);
    hy_datagram batch[HY_LINK_BATCH];
    assert_true(hy_link_receive(&b->sim[0], batch, HY_LINK_BATCH) > 0);
    assert_int_equal(hy_link_receive(&b->sim[1], batch, HY_LINK_BATCH), 0); // no heartbeat either
    assert_true(
        ws_await(&page, "\"player\":2,\"owner\":\"nobody\",\"core\":null,\"sim\":false", LIMIT_US));
    ws_close(&page);
    end(b);
}

// --------------------------------------------------------------------------- who may

static void tokens_and_origins_are_checked(void **state)
{
    (void)state;
    bench *const b = start(NULL, NULL);
    ws_client page;
    assert_false(ws_open(&page, b->place.port, &(ws_options){ .origin = "http://evil.example" }));
    assert_true(ws_open(&page, b->place.port, NULL));
    assert_true(ws_say(&page, "token " TOKEN));
    assert_true(ws_await_end(&page, LIMIT_US));
    assert_int_equal(page.close_code, 1008);
    ws_close(&page);
    assert_true(ws_open(&page, b->place.port, NULL)); // who says nothing is told nothing
    assert_false(ws_hear(&page, 500000));
    assert_true(page.socket >= 0);
    ws_close(&page);
    size_t size;
    assert_null(http_get("127.0.0.2", b->place.port, "GET / HTTP/1.0\r\n\r\n", &size));
    end(b);
}

static void watchers_only_look(void **state)
{
    (void)state;
    bench *const b = start("--watchers", NULL);
    ws_client page;
    hy_icd_sticks sticks;
    assert_true(ws_open(&page, b->place.port, NULL));
    assert_true(ws_say(&page, "token"));
    assert_true(ws_await(&page, "\"may_command\":false", LIMIT_US));
    const hy_icd_match match = example(5);
    play_until(b, &page, &match, "\"blue\":5");
    assert_true(ws_say(&page, "own 1"));
    assert_true(ws_await(&page, "this page may only look", LIMIT_US));
    assert_true(ws_say(&page, forward));
    assert_false(hear_sticks(b, 1, &sticks, 300000));
    ws_close(&page);
    end(b);
}

static void a_restart_is_found_again(void **state)
{
    (void)state;
    setenv("HALYARD_TOKEN", TOKEN, 1);
    bench *const b = start(NULL, NULL);
    ws_client page;
    assert_string_equal(b->place.token, TOKEN);
    assert_true(view_page_open(&page, &b->place));
    kill(b->view.pid, SIGKILL);
    assert_int_equal(program_end(&b->view, NULL, 0), -SIGKILL);
    assert_true(ws_await_end(&page, LIMIT_US));
    ws_close(&page);
    start_view(b, NULL, NULL);
    assert_true(view_page_open(&page, &b->place));
    assert_non_null(strstr(page.text, "\"may_command\":true"));
    assert_true(ws_say(&page, "own 1"));
    await_stick(b, &page, 1, forward, 512);
    ws_close(&page);
    end(b);
    unsetenv("HALYARD_TOKEN");
}

static void a_malformed_token_is_refused(void **state)
{
    (void)state;
    static const char *const commands[][4] = { { HALYARD_BINARY, "view", NULL },
                                               { HALYARD_BINARY, "play", NULL },
                                               { HALYARD_BINARY, "board", "xrp", "--view" } };
    static const char *const tokens[] = { "", "0", TOKEN "0", "00112233445566778899AABBCCDDEEFF" };
    for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; i++) {
        setenv("HALYARD_TOKEN", tokens[i], 1);
        for (size_t k = 0; k < sizeof commands / sizeof commands[0]; k++) {
            const char *const arguments[] = { commands[k][0], commands[k][1], commands[k][2],
                                              commands[k][3], NULL };
            static char output[4096];
            program refused = program_start(arguments);
            assert_int_equal(program_end(&refused, output, sizeof output), 2);
            assert_non_null(strstr(output, "HALYARD_TOKEN"));
            assert_true(tokens[i][0] == '\0' || strstr(output, tokens[i]) == NULL ||
                        strlen(tokens[i]) < 2); // it might be nearly right
        }
    }
    unsetenv("HALYARD_TOKEN");
}

int main(void)
{
    unsetenv("HALYARD_TOKEN");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_match_is_shown),
        cmocka_unit_test(lidar_of_several_messages_is_one),
        cmocka_unit_test(only_the_sim_is_believed),
        cmocka_unit_test(a_lossy_network_is_survived),
        cmocka_unit_test(a_status_is_shown_and_forgotten),
        cmocka_unit_test(only_the_sims_status_is_believed),
        cmocka_unit_test(without_its_port_it_does_without_a_status),
        cmocka_unit_test(a_page_drives),
        cmocka_unit_test(another_joystick_is_respected),
        cmocka_unit_test(the_end_lets_go),
        cmocka_unit_test(several_players_on_one_page),
        cmocka_unit_test(one_port_tells_of_all_players),
        cmocka_unit_test(tokens_and_origins_are_checked),
        cmocka_unit_test(watchers_only_look),
        cmocka_unit_test(a_restart_is_found_again),
        cmocka_unit_test(a_malformed_token_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
