// A recording is shown and played over NetworkTables while others attack both servers: those who behave get every answer, and memory
// stays bounded. Judged by counts: what came through, not when.
#include "cmocka_all.h"

#include <halyard/base.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "view_page.h"
#include "ws_client.h"
#include "ws_flood.h"

#define LIMIT_US      20000000
#define SEEKS         40
#define SUBSCRIPTIONS 10000
#define SILENT        8 // clients that never read, and as many that stop in the middle of a frame
#define PEAK_MAX_KB   64000

static const ws_options nt = { .path = "/nt/test", .protocol = "v4.1.networktables.first.wpi.edu" };
static const ws_options deaf = { .path = "/nt/deaf",
                                 .protocol = "v4.1.networktables.first.wpi.edu",
                                 .receive_room = 2048 };

typedef struct {
    program replay;
    view_page_place page;
    uint16_t nt_port;
} bench;

static void start_replay(bench *self)
{
    char port[64];
    const char *const arguments[] = {
        HALYARD_BINARY,       "replay",           HALYARD_TEST_DATA "/replay/match-two.wpilog",
        "--view=127.0.0.1:0", "--nt=127.0.0.1:0", NULL
    };
    self->replay = program_start(arguments);
    assert_true(program_await_ready(&self->replay, "nt", port, sizeof port, LIMIT_US));
    const char *const colon = strrchr(port, ':');
    assert_non_null(colon);
    self->nt_port = (uint16_t)strtoul(colon + 1, NULL, 10);
    assert_true(view_page_find(self->replay.output, &self->page));
}

// --------------------------------------------------------------------------- attackers

enum { FLOODS = 6 };

static void start_floods(const bench *self, pid_t floods[FLOODS])
{
    static const char all[] = "[{\"method\":\"subscribe\",\"params\":{\"topics\":[\"\"],\"subuid\":"
                              "1,\"options\":{\"prefix\":true}}}]";
    char token[80];
    snprintf(token, sizeof token, "token %s", self->page.token);
    const uint16_t page = self->page.port, port = self->nt_port;
    floods[0] = ws_flood_start(page, NULL, token, "replay plot 0 4350 0 1 2 3 4 5 6 7");
    floods[1] = ws_flood_start(page, NULL, token, "replay pace 0");
    floods[2] = ws_flood_start(page, NULL, "token 0", "replay seek 0"); // not its token
    floods[3] = ws_flood_start(port, &nt, all, all);
    floods[4] = ws_flood_start(port, &nt, all, "[{\"method\":");
    floods[5] = ws_flood_start(port, &deaf, all, "[]");
}

// Clients that want everything and never read, and some that stop in the middle of a frame.
static void start_silent(const bench *self, ws_client silent[2 * SILENT])
{
    static const char all[] =
        "[{\"method\":\"subscribe\",\"params\":{\"topics\":[\"\"],\"subuid\":1,"
        "\"options\":{\"prefix\":true,\"all\":true,\"periodic\":0.005}}}]";
    static const uint8_t half[] = { 0x81, 0xfe, 0x40, 0x00, 0, 0, 0, 0, '[', '{', '"' };
    for (size_t i = 0; i < SILENT; i++) {
        assert_true(ws_open(&silent[i], self->nt_port, &deaf) &&
                    ws_frame(&silent[i], 0x81, all, sizeof all - 1));
        assert_true(ws_open(&silent[SILENT + i], self->nt_port, &nt) &&
                    ws_raw(&silent[SILENT + i], half, sizeof half));
    }
}

static void too_many_subscriptions_end_the_connection(const bench *self)
{
    ws_client client;
    char text[160];
    bool ok = ws_open(&client, self->nt_port, &nt);
    assert_true(ok);
    for (int i = 0; i < SUBSCRIPTIONS && ok; i++) {
        const int size = snprintf(
            text, sizeof text,
            "[{\"method\":\"subscribe\",\"params\":{\"topics\":[\"/x/%d\"],\"subuid\":%d}}]", i, i);
        ok = ws_frame(&client, 0x81, text, (size_t)size);
    }
    assert_true(ws_await_end(&client, LIMIT_US));
    ws_close(&client);
}

// --------------------------------------------------------------------------- those who behave

// Each jump brings the page its moment and its plot, and the dashboard the newest value.
static void both_get_every_answer(const bench *self)
{
    static const char pose[] =
        "[{\"method\":\"subscribe\",\"params\":{\"topics\":[\"/Robot1/Truth/Pose\"],\"subuid\":1,"
        "\"options\":{\"all\":true,\"periodic\":0.005}}}]";
    ws_client page, dashboard;
    assert_true(view_page_open(&page, &self->page));
    assert_true(ws_say(&page, "replay pace 0"));
    assert_true(ws_open(&dashboard, self->nt_port, &nt));
    assert_true(ws_frame(&dashboard, 0x81, pose, sizeof pose - 1));
    assert_true(ws_await(&dashboard, "announce", LIMIT_US));
    for (int i = 0; i < SEEKS; i++) {
        char text[64], part[64];
        const int to_ms = i % 2 == 0 ? 3000 + i : 1000 + i;
        snprintf(text, sizeof text, "replay seek %d", to_ms);
        snprintf(part, sizeof part, "\"at\":%g,", to_ms * 1e-3);
        while (ws_hear(&dashboard, 0)) { // what the moment before brought
        }
        assert_true(ws_say(&page, text));
        assert_true(ws_await(&page, part, LIMIT_US));
        assert_true(ws_hear(&dashboard, LIMIT_US));
        snprintf(text, sizeof text, "replay plot 0 %d 0", 4000 + i);
        snprintf(part, sizeof part, "\"type\":\"plot\",\"from\":0,\"to\":%g,", (4000 + i) * 1e-3);
        assert_true(ws_say(&page, text));
        assert_true(ws_await(&page, part, LIMIT_US));
    }
    ws_close(&page);
    ws_close(&dashboard);
}

static long peak_kb(pid_t pid)
{
    char path[64], line[256];
    long kb = -1;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *const file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        (void)sscanf(line, "VmHWM: %ld", &kb);
    }
    if (file != NULL) {
        fclose(file);
    }
    return kb;
}

static void attackers_keep_nobody_from_a_recording(void **state)
{
    (void)state;
    static char output[8192];
    static ws_client silent[2 * SILENT];
    pid_t floods[FLOODS];
    bench b;
    start_replay(&b);
    start_silent(&b, silent);
    start_floods(&b, floods);
    too_many_subscriptions_end_the_connection(&b);
    usleep(300000); // until they are at it
    both_get_every_answer(&b);
    const unsigned sent = ws_floods_sent();
    const long peak = peak_kb(b.replay.pid);
    ws_floods_end(floods, FLOODS);
    for (size_t i = 0; i < 2 * SILENT; i++) {
        ws_close(&silent[i]);
    }
    kill(b.replay.pid, SIGTERM);
    assert_int_equal(program_end(&b.replay, output, sizeof output), 0);
    print_message("%u times 16 kB of floods; at most %ld kB of memory\n", sent, peak);
    assert_true(sent > 20); // they did what they could
    const char *const sanitizer = getenv("HALYARD_SANITIZE");
    assert_true(peak > 0 || access("/proc/self/status", R_OK) != 0);
    assert_true(peak < PEAK_MAX_KB || (sanitizer != NULL && sanitizer[0] != '\0'));
}

static double newest_moment(ws_client *page, double before_s, int64_t limit_us)
{
    double at_s = before_s;
    while (ws_hear(page, limit_us)) {
        const char *const at = strstr(page->text, "\"replay\":{\"at\":");
        at_s = at != NULL ? strtod(at + strlen("\"replay\":{\"at\":"), NULL) : at_s;
        if (at != NULL && limit_us > 0) {
            break;
        }
    }
    return at_s;
}

// A laptop that slept, a debugger: it goes on where it was, by a second at most, so that no value is left out.
static void a_stopped_replay_goes_on_where_it_was(void **state)
{
    (void)state;
    static char output[8192];
    ws_client page;
    bench b;
    start_replay(&b);
    assert_true(view_page_open(&page, &b.page));
    double before_s = 0;
    while (before_s < 0.1) {
        before_s = newest_moment(&page, before_s, LIMIT_US);
        assert_true(page.socket >= 0);
    }
    program_stop(&b.replay);
    usleep(1500000);
    before_s = newest_moment(&page, before_s, 0);
    kill(b.replay.pid, SIGCONT);
    const double after_s = newest_moment(&page, -1, LIMIT_US);
    print_message("at %.3f s when it was stopped, then at %.3f s\n", before_s, after_s);
    assert_true(after_s > before_s && after_s <= before_s + 1.05);
    ws_close(&page);
    kill(b.replay.pid, SIGTERM);
    assert_int_equal(program_end(&b.replay, output, sizeof output), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attackers_keep_nobody_from_a_recording),
        cmocka_unit_test(a_stopped_replay_goes_on_where_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
