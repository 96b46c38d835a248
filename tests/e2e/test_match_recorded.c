// Each of our four programs between the other three as recordings: what the originals' programs sent, byte by byte and from their
// ports, to ours as processes over real sockets; and that ours understand all of it, and answer as an original would.
#include "cmocka_all.h"

#include <halyard/core.h>
#include <halyard/icd.h>
#include <halyard/link.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yyjson.h>

#include "match_ports.h"
#include "program.h"
#include "view_page.h"
#include "ws_client.h"

#define SECOND_US 1000000
#define LIMIT_US  (60 * SECOND_US)

#define MESSAGES_MAX 32
#define WHEEL_RAD_S  87.23 // the largest speed of a wheel: 833 turns a minute

// --------------------------------------------------------------------------- recordings

typedef struct {
    yyjson_doc *line[MESSAGES_MAX];
    hy_bytes text[MESSAGES_MAX];
    size_t count;
} recording;

static void load(recording *self, const char *name)
{
    static char line[4 * HY_ICD_MESSAGE_MAX];
    char path[1024];
    *self = (recording){ .count = 0 };
    snprintf(path, sizeof path, "%s/golden/icd/%s.jsonl", HALYARD_TEST_DATA, name);
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        assert_true(self->count < MESSAGES_MAX);
        yyjson_doc *const document = yyjson_read(line, strlen(line), 0);
        yyjson_val *const raw = yyjson_obj_get(yyjson_doc_get_root(document), "raw");
        assert_true(yyjson_is_str(raw));
        self->line[self->count] = document;
        self->text[self->count++] =
            (hy_bytes){ (const uint8_t *)yyjson_get_str(raw), yyjson_get_len(raw) };
    }
    fclose(file);
    assert_true(self->count > 0);
}

static void unload(recording *self)
{
    for (size_t i = 0; i < self->count; i++) {
        yyjson_doc_free(self->line[i]);
    }
}

// --------------------------------------------------------------------------- between the ports

typedef struct {
    match_ports ports;
    hy_link a, b; // the two neighbours, as far as there are two
    hy_icd_reader *reader;
    program ours;
} bench;

static char output[16384];

static void begin(bench *self)
{
    memset(self, 0, sizeof *self);
    match_ports_take(&self->ports);
    self->reader = hy_icd_reader_open();
}

static void start(bench *self, const char *name, const char *option, const char *value,
                  const char *ready)
{
    const char *const arguments[] = { HALYARD_BINARY, name,  "--shift", self->ports.shift_text,
                                      option,         value, NULL };
    self->ours = program_start(arguments);
    assert_true(program_await(&self->ours, ready, LIMIT_US) &&
                program_await(&self->ours, "\n", LIMIT_US));
}

// Nothing that an original sent may have been dropped.
static void finish(bench *self)
{
    kill(self->ours.pid, SIGTERM);
    assert_int_equal(program_end(&self->ours, output, sizeof output), 0);
    if (strstr(output, ": ended; ") == NULL || strstr(output, "could not be used") != NULL) {
        fail_msg("%s", output);
    }
    hy_link_close(&self->a);
    hy_link_close(&self->b);
    hy_icd_reader_close(self->reader);
    match_ports_give_back(&self->ports);
}

static void send_to(bench *self, hy_link *from, hy_icd_port port, hy_bytes text)
{
    const hy_endpoint to = match_ports_at(&self->ports, port, 1);
    assert_int_equal(hy_link_send(from, &to, text), HY_OK);
}

/// The next datagram, which must come from `port`; false if none came within 20 ms.
static bool hear(bench *self, hy_link *link, hy_icd_port port, hy_datagram *out)
{
    static hy_datagram batch[HY_LINK_BATCH];
    for (int i = 0; i < 20; i++) {
        const size_t count = hy_link_receive(link, batch, HY_LINK_BATCH);
        if (count > 0) {
            *out = batch[count - 1];
            assert_int_equal(out->peer.port, hy_icd_port_of(port, 1) + self->ports.shift);
            return true;
        }
        usleep(1000);
    }
    return false;
}

// --------------------------------------------------------------------------- our core

static bool same_commands(const hy_icd_commands *a, const hy_icd_commands *b)
{
    uint8_t text[2][1024];
    const size_t size = hy_icd_write_commands(a, (hy_room){ text[0], sizeof text[0] });
    return size == hy_icd_write_commands(b, (hy_room){ text[1], sizeof text[1] }) &&
           memcmp(text[0], text[1], size) == 0;
}

// Sends an original's sticks until the sim that we are hears what the original core makes of them.
static void await_mapped(bench *self, hy_bytes sticks_text, hy_player_mapping *mapping)
{
    hy_icd_sticks sticks;
    assert_int_equal(hy_icd_read_sticks(self->reader, sticks_text, &sticks), HY_OK);
    const hy_icd_commands wanted = hy_player_map(mapping, &sticks);
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    hy_icd_commands commands = { 0 };
    hy_datagram datagram;
    do {
        if (hy_clock_now_us() >= end_us) {
            fail_msg("never mapped: %.*s", (int)sticks_text.size, (const char *)sticks_text.data);
        }
        send_to(self, &self->a, HY_ICD_CORE_JOYSTICK, sticks_text);
        if (hear(self, &self->b, HY_ICD_CORE_SIM, &datagram)) {
            assert_int_equal(hy_icd_read_commands(self->reader, datagram.bytes, &commands), HY_OK);
        }
    } while (!same_commands(&commands, &wanted));
    assert_true(hear(self, &self->a, HY_ICD_CORE_JOYSTICK, &datagram)); // its heartbeat
}

static void our_core_between_their_joystick_and_their_sim(void **state)
{
    (void)state;
    static const char *const forms[][2] = { { "joystick_to_core", "sim_to_core" },
                                            { "later_joystick_to_core", "later_sim_to_core" } };
    for (size_t f = 0; f < 2; f++) {
        bench b;
        recording sticks, sensors;
        hy_player_mapping mapping = { 0 };
        load(&sticks, forms[f][0]);
        load(&sensors, forms[f][1]);
        begin(&b);
        match_ports_open(&b.ports, HY_ICD_JOYSTICK, 1, &b.a);
        match_ports_open(&b.ports, HY_ICD_SIM_CORE, 1, &b.b);
        start(&b, "core", NULL, NULL, "ready: player 1");
        for (size_t i = 0; i < sticks.count; i++) {
            send_to(&b, &b.b, HY_ICD_CORE_SIM, sensors.text[i % sensors.count]);
            await_mapped(&b, sticks.text[i], &mapping);
        }
        assert_true(program_await(&b.ours, "sim connected", LIMIT_US));
        finish(&b);
        unload(&sticks);
        unload(&sensors);
    }
}

// --------------------------------------------------------------------------- our sim

static double wheel_rad_s(int command)
{
    return command / 512.0 * WHEEL_RAD_S;
}

// Sends an original's commands until the view that we are sees the motors obey.
static void await_obeyed(bench *self, hy_bytes text, const hy_icd_commands *wanted)
{
    static hy_icd_match seen;
    hy_datagram datagram;
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    const hy_icd_vehicle *const robot = &seen.vehicle[0];
    seen = (hy_icd_match){ .vehicle[0].left_drive_rad_s = 1e9 };
    while (!(fabs(robot->left_drive_rad_s - wheel_rad_s(wanted->left_drive)) < 0.05 &&
             fabs(robot->right_drive_rad_s - wheel_rad_s(wanted->right_drive)) < 0.05 &&
             (robot->tube_rad_s > 0.0) == (wanted->tube > 0) &&
             (robot->intake_center_rad_s > 0.0) == (wanted->intake_center > 0))) {
        if (hy_clock_now_us() >= end_us) {
            fail_msg("never obeyed: %.*s", (int)text.size, (const char *)text.data);
        }
        send_to(self, &self->a, HY_ICD_SIM_CORE, text);
        if (hear(self, &self->b, HY_ICD_SIM_VIEW, &datagram)) {
            assert_int_equal(hy_icd_read_match(self->reader, datagram.bytes, &seen), HY_OK);
        }
    }
}

static void our_sim_between_their_core_and_their_view(void **state)
{
    (void)state;
    static const char *const forms[][3] = { { "core_to_sim", "simview_to_sim", "document" },
                                            { "later_core_to_sim", "later_simview_to_sim", "later" } };
    for (size_t f = 0; f < 2; f++) {
        bench b;
        recording commands, heartbeats;
        load(&commands, forms[f][0]);
        load(&heartbeats, forms[f][1]);
        begin(&b);
        match_ports_open(&b.ports, HY_ICD_CORE_SIM, 1, &b.a);
        match_ports_open(&b.ports, HY_ICD_VIEW, 1, &b.b);
        start(&b, "sim", "--icd", forms[f][2], "ready: ");
        for (size_t i = 0; i < commands.count; i++) {
            hy_icd_commands wanted;
            assert_int_equal(hy_icd_read_commands(b.reader, commands.text[i], &wanted), HY_OK);
            send_to(&b, &b.b, HY_ICD_SIM_VIEW, heartbeats.text[0]);
            await_obeyed(&b, commands.text[i], &wanted);
        }
        hy_datagram datagram;
        hy_icd_sensors sensors;
        assert_true(hear(&b, &b.a, HY_ICD_SIM_CORE, &datagram));
        assert_int_equal(hy_icd_read_sensors(b.reader, datagram.bytes, &sensors), HY_OK);
        assert_true(sensors.has_pose);
        finish(&b);
        unload(&commands);
        unload(&heartbeats);
    }
}

// --------------------------------------------------------------------------- our view

// Whether the page's state has the scores, and the first robot where the match has it.
static bool shows(const char *text, const hy_icd_match *match)
{
    char score[64];
    double x_m, y_m;
    snprintf(score, sizeof score, "\"blue\":%d,\"red\":%d", match->blue_score, match->red_score);
    const char *const at = strstr(text, "\"at\":[");
    return strstr(text, score) != NULL && at != NULL &&
           sscanf(at, "\"at\":[%lf,%lf", &x_m, &y_m) == 2 &&
           fabs(x_m - match->vehicle[0].x_m) < 0.002 && fabs(y_m - match->vehicle[0].y_m) < 0.002;
}

static void our_view_beside_their_sim(void **state)
{
    (void)state;
    static const char *const forms[] = { "sim_to_simview", "later_sim_to_simview" };
    static hy_icd_match match;
    for (size_t f = 0; f < 2; f++) {
        bench b;
        recording matches;
        view_page_place place;
        ws_client page;
        load(&matches, forms[f]);
        begin(&b);
        match_ports_open(&b.ports, HY_ICD_SIM_VIEW, 1, &b.a);
        start(&b, "view", "--listen", "127.0.0.1:0", "open http://");
        assert_true(view_page_find(b.ours.output, &place));
        assert_true(view_page_open(&page, &place));
        for (size_t i = 0; i < matches.count; i++) {
            assert_int_equal(hy_icd_read_match(b.reader, matches.text[i], &match), HY_OK);
            const int64_t end_us = hy_clock_now_us() + LIMIT_US;
            do {
                assert_true(hy_clock_now_us() < end_us);
                send_to(&b, &b.a, HY_ICD_VIEW, matches.text[i]);
            } while (!ws_await(&page, "\"type\":\"state\"", 20000) || !shows(page.text, &match));
        }
        hy_datagram datagram;
        assert_true(hear(&b, &b.a, HY_ICD_VIEW, &datagram)); // its heartbeat
        assert_int_equal(hy_icd_read_heartbeat(b.reader, datagram.bytes), HY_OK);
        ws_close(&page);
        finish(&b);
        unload(&matches);
    }
}

// --------------------------------------------------------------------------- our joystick

static void our_joystick_before_their_core(void **state)
{
    (void)state;
    static const char *const forms[] = { "core_to_joystick", "later_core_to_joystick" };
    char script[64];
    snprintf(script, sizeof script, "/tmp/halyard-recorded-%d", (int)getpid());
    FILE *const file = fopen(script, "w");
    assert_non_null(file);
    assert_true(fputs("0 left_y=149 right_x=-2 left_trigger=512\n+3000 quit\n", file) >= 0);
    fclose(file);
    for (size_t f = 0; f < 2; f++) {
        bench b;
        recording heartbeats;
        hy_datagram datagram;
        hy_icd_sticks sticks = { 0 };
        load(&heartbeats, forms[f]);
        begin(&b);
        match_ports_open(&b.ports, HY_ICD_CORE_JOYSTICK, 1, &b.a);
        start(&b, "joystick", "--script", script, "ready: player 1");
        const int64_t end_us = hy_clock_now_us() + LIMIT_US;
        while (!program_await(&b.ours, "\nconnected\n", 1000)) {
            assert_true(hy_clock_now_us() < end_us);
            if (hear(&b, &b.a, HY_ICD_JOYSTICK, &datagram)) {
                assert_int_equal(hy_icd_read_sticks(b.reader, datagram.bytes, &sticks), HY_OK);
                send_to(&b, &b.a, HY_ICD_JOYSTICK, heartbeats.text[0]);
            }
        }
        assert_true(sticks.left_y == 149 && sticks.right_x == -2 && sticks.left_trigger == 512);
        finish(&b);
        unload(&heartbeats);
    }
    unlink(script);
}

int main(void)
{
    unsetenv("HALYARD_TOKEN");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(our_core_between_their_joystick_and_their_sim),
        cmocka_unit_test(our_sim_between_their_core_and_their_view),
        cmocka_unit_test(our_view_beside_their_sim),
        cmocka_unit_test(our_joystick_before_their_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
