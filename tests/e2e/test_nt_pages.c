// Web pages as clients of a NetworkTables server: which origins are let in, what they may do, and what the program says of those that it
// refuses.
#include "cmocka_all.h"

#include <halyard/nt.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "ws_client.h"

#define PROTOCOL "v4.1.networktables.first.wpi.edu"
#define LIMIT_US 20000000
#define LITE     "http://localhost:6768"
#define APP      "app://elastic"

// 0.5 for the tunable, then a topic that who may write gets announced, and a number that tells that both were heard.
static const char publish[] =
    "[{\"method\":\"publish\",\"params\":{\"name\":\"/gain\",\"type\":\"double\","
    "\"pubuid\":1,\"properties\":{}}}]";
static const uint8_t half[] = { 0x94, 0x01, 0x64, 0x01, 0xcb, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0 };
static const char watch[] =
    "[{\"method\":\"subscribe\",\"params\":{\"topics\":[\"/gain\"],\"subuid\":1}}]";

typedef struct {
    hy_nt *nt;
    hy_telemetry *telemetry;
    uint16_t port;
} server;

static server start(const char *const *trusted, size_t trusted_count)
{
    static const uint8_t here[] = { 127, 0, 0, 1 };
    server self;
    const hy_nt_options options = { .listen = hy_endpoint_ipv4(here, 0),
                                    .trusted = trusted,
                                    .trusted_count = trusted_count };
    const hy_channel_spec gain = { .name = "/gain", .kind = HY_CHANNEL_DOUBLE, .is_tunable = true };
    assert_int_equal(hy_nt_open(&self.nt, &options), HY_OK);
    assert_int_equal(hy_telemetry_open(&self.telemetry), HY_OK);
    assert_int_equal(hy_telemetry_attach(self.telemetry, hy_nt_sink(self.nt)), HY_OK);
    hy_telemetry_set_time(self.telemetry, 1000);
    hy_telemetry_put_double(self.telemetry, hy_telemetry_declare(self.telemetry, &gain), 0.25);
    self.port = hy_nt_address(self.nt).port;
    return self;
}

static void stop(server *self)
{
    hy_nt_close(self->nt);
    hy_telemetry_close(self->telemetry);
}

enum { REFUSED, READS, WRITES };

// What a client of that origin, which calls the server `host` (NULL: by its address), may do.
static int try_origin(const server *self, const char *origin, const char *host)
{
    ws_client client;
    hy_nt_change change;
    if (!ws_open(&client, self->port,
                 &(ws_options){
                     .path = "/nt/page", .protocol = PROTOCOL, .origin = origin, .host = host })) {
        assert_int_equal(client.status, 403);
        return REFUSED;
    }
    assert_true(ws_say(&client, publish) && ws_frame(&client, 0x82, half, sizeof half) &&
                ws_say(&client, watch));
    assert_true(ws_await(&client, "/gain", LIMIT_US));
    while (client.text[0] != (char)0x94) { // the value, which comes behind everything
        assert_true(ws_hear(&client, LIMIT_US));
    }
    ws_close(&client);
    bool has_changed = false;
    for (int i = 0; i < 100 && !has_changed; i++) { // it never waits for the server's thread
        has_changed = hy_nt_next(self->nt, &change);
        usleep(1000);
    }
    assert_true(!has_changed || change.number == 0.5);
    return has_changed ? WRITES : READS;
}

static void pages_that_are_not_named_are_refused(void **state)
{
    (void)state;
    server self = start(NULL, 0);
    char own[64], local[64];
    (void)snprintf(own, sizeof own, "http://127.0.0.1:%u", self.port);
    (void)snprintf(local, sizeof local, "http://localhost:%u", self.port);
    const struct {
        const char *origin, *host;
        int may;
    } rows[] = {
        { "", NULL, WRITES },
        { "", "robot.local:5810", WRITES }, // programs may call it as they like
        { "file://", NULL, WRITES },
        { own, NULL, WRITES },
        { local, local + 7, WRITES },
        { "http://evil.local", "evil.local", REFUSED },
        { "http://evil", "evil", REFUSED },
        { "http://evil.localhost", "evil.localhost", REFUSED },
        { "http://evil.example", "evil.example", REFUSED },
        { "http://evil.example", NULL, REFUSED },
        { local, NULL, REFUSED }, // another place for a browser
        { "null", NULL, REFUSED },
        { LITE, NULL, READS },
        { LITE, local + 7, READS },
        { "https://localhost:6768", NULL, REFUSED },
        { "http://127.0.0.1:6768", NULL, REFUSED },
        { "http://localhost:67680", NULL, REFUSED },
        { APP, NULL, REFUSED },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int may = try_origin(&self, rows[i].origin, rows[i].host);
        if (may != rows[i].may) {
            fail_msg("%s at %s: %d", rows[i].origin, rows[i].host != NULL ? rows[i].host : "", may);
        }
    }
    stop(&self);
}

static void pages_that_are_named_are_let_in(void **state)
{
    (void)state;
    const char *const trusted[] = { APP, LITE, "robot.local" };
    server self = start(trusted, 3);
    assert_int_equal(try_origin(&self, APP, NULL), WRITES);
    assert_int_equal(try_origin(&self, LITE, NULL), WRITES);
    assert_int_equal(try_origin(&self, "http://robot.local:5810", "robot.local:5810"), WRITES);
    assert_int_equal(try_origin(&self, "http://evil.local:5810", "evil.local:5810"), REFUSED);
    assert_int_equal(try_origin(&self, "app://other", NULL), REFUSED);
    stop(&self);
}

// --------------------------------------------------------------------------- what is said

static size_t count_lines(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
        count++;
    }
    return count;
}

// Each origin is named once, 16 at most; what a terminal would obey is not printed, nor is a shell's command offered to be copied.
static void refused_pages_are_told_once(void **state)
{
    (void)state;
    char address[64], origin[64];
    static char output[65536];
    program self = program_start((const char *const[]){ HALYARD_BINARY, "board", "xrp", "--listen",
                                                        "127.0.0.1:0", "--nt=127.0.0.1:0",
                                                        "--nt-allow-origin", APP, NULL });
    assert_true(program_await_ready(&self, "nt", address, sizeof address, LIMIT_US));
    const uint16_t port = (uint16_t)atoi(strrchr(address, ':') + 1);
    ws_client client;
    const char *const origins[] = { "http://localhost:5173", "null", "http://x;ls \x9b" };
    for (int i = 0; i < 9; i++) {
        assert_false(ws_open(
            &client, port,
            &(ws_options){ .path = "/nt/page", .protocol = PROTOCOL, .origin = origins[i % 3] }));
        usleep(50000);
    }
    static const char last[] = "NetworkTables refused the web page http://page-99:1;";
    for (int i = 0; i < 100; i++) {
        (void)snprintf(origin, sizeof origin, "http://page-%d:1", i);
        (void)ws_open(&client, port,
                      &(ws_options){ .path = "/nt/page", .protocol = PROTOCOL, .origin = origin });
    }
    assert_true(ws_open(&client, port,
                        &(ws_options){ .path = "/nt/page", .protocol = PROTOCOL, .origin = APP }));
    ws_close(&client);
    usleep(200000);
    kill(self.pid, SIGINT);
    (void)program_end(&self, output, sizeof output);
    assert_int_equal(
        count_lines(output, "NetworkTables refused the web page http://localhost:5173; if "
                            "you trust it, --nt-allow-origin http://localhost:5173 lets it in"),
        1);
    assert_int_equal(
        count_lines(output, "NetworkTables refused a web page that calls its origin 'null'"), 1);
    const size_t said = count_lines(output, "NetworkTables refused ");
    assert_true(said >= 3 && said <= 16);
    assert_int_equal(count_lines(output, "calls its origin 'http://x;ls ?'"), 1);
    assert_null(strchr(output, '\x9b'));
    assert_null(strstr(output, last));
}

// What an option is followed by must be of its form.
static void options_are_checked(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        { "--nt-allow-origin", "null" },        { "--nt-allow-origin", "localhost:5173" },
        { "--nt-allow-origin", "http://x/a" },  { "--allow-host", "http://x" },
        { "--allow-host", "robot.local:5810" },
    };
    char example[512], output[4096];
    const int folder = (int)(strrchr(HALYARD_BINARY, '/') - HALYARD_BINARY);
    (void)snprintf(example, sizeof example, "%.*s/examples/line_follow", folder, HALYARD_BINARY);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char expected[128];
        (void)snprintf(expected, sizeof expected, "%s needs %s, up to 16 times in all, not '%s'",
                       wrong[i][0], i < 3 ? "SCHEME://HOST[:PORT]" : "NAME", wrong[i][1]);
        for (int k = 0; k < 2; k++) {
            program self = program_start(
                k == 0 ? (const char *const[]){ HALYARD_BINARY, "board", "xrp", wrong[i][0],
                                                wrong[i][1], NULL }
                       : (const char *const[]){ example, wrong[i][0], wrong[i][1], NULL });
            assert_true(program_await(&self, NULL, LIMIT_US));
            assert_int_equal(program_end(&self, output, sizeof output), 2);
            if (strstr(output, expected) == NULL) {
                fail_msg("%s", output);
            }
        }
    }
}

// The page of a program, too, has only the names that its options give it: for its files and for its WebSocket.
static void a_page_has_the_names_that_it_is_given(void **state)
{
    (void)state;
    char example[512], page[128];
    const int folder = (int)(strrchr(HALYARD_BINARY, '/') - HALYARD_BINARY);
    (void)snprintf(example, sizeof example, "%.*s/examples/line_follow", folder, HALYARD_BINARY);
    for (int k = 0; k < 2; k++) {
        program self = program_start(
            k == 0
                ? (const char *const[]){ HALYARD_BINARY, "board", "xrp", "--listen", "127.0.0.1:0",
                                         "--view=127.0.0.1:0", "--allow-host", "robot.local", NULL }
                : (const char *const[]){ example, "--sim", "xrp-line", "--no-nt",
                                         "--view=127.0.0.1:0", "--allow-host", "robot.local", NULL });
        assert_true(program_await_ready(&self, "page", page, sizeof page, LIMIT_US));
        const uint16_t port = (uint16_t)atoi(strrchr(page, ':') + 1);
        static const char *const hosts[] = { "robot.local", "127.0.0.1", "localhost", "evil.local",
                                             "evil" };
        for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
            char request[128], origin[64];
            ws_client client;
            size_t size;
            (void)snprintf(request, sizeof request,
                           "GET /mat.png HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n",
                           hosts[i]);
            (void)snprintf(origin, sizeof origin, "http://%s", hosts[i]);
            char *const answer = http_get("127.0.0.1", port, request, &size);
            assert_non_null(answer);
            assert_int_equal(strncmp(answer, "HTTP/1.1 403", 12) == 0, i >= 3);
            assert_int_equal(strstr(answer, "--allow-host") != NULL, i >= 3);
            free(answer);
            assert_int_equal(
                ws_open(&client, port, &(ws_options){ .origin = origin, .host = hosts[i] }), i < 3);
            ws_close(&client);
        }
        kill(self.pid, SIGTERM);
        (void)program_end(&self, NULL, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(pages_that_are_not_named_are_refused),
                                        cmocka_unit_test(pages_that_are_named_are_let_in),
                                        cmocka_unit_test(refused_pages_are_told_once),
                                        cmocka_unit_test(options_are_checked),
                                        cmocka_unit_test(a_page_has_the_names_that_it_is_given) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
