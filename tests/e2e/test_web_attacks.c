// Attacks on the web server from outside, each of which once did harm.
#include "cmocka_all.h"

#include <halyard/link.h>
#include <halyard/web.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ws_client.h"

#define SECOND_US 1000000
#define LIMIT_US  (20 * SECOND_US)

static hy_web *start(void)
{
    static const size_t slot_sizes[] = { 100 };
    static const hy_web_endpoint endpoints[] = { { "/live", "halyard-page" } };
    static const uint8_t text[] = "a file";
    static const hy_web_file file = { "/file.txt", "text/plain", { text, sizeof text - 1 } };
    hy_web_options options = { .files = &file,
                               .file_count = 1,
                               .endpoints = endpoints,
                               .endpoint_count = 1,
                               .slot_sizes = slot_sizes,
                               .slot_count = 1 };
    assert_int_equal(hy_endpoint_parse("127.0.0.1:0", 0, &options.listen), HY_OK);
    hy_web *web;
    assert_int_equal(hy_web_start(&web, &options), HY_OK);
    return web;
}

static uint16_t port_of(const hy_web *web)
{
    return hy_web_address(web).port;
}

static void assert_serves(const hy_web *web)
{
    size_t size;
    char *const answer =
        http_get("127.0.0.1", port_of(web),
                 "GET /file.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", &size);
    assert_non_null(answer);
    assert_non_null(strstr(answer, "a file"));
    free(answer);
}

// --------------------------------------------------------------------------- upgrades

// RFC 7540, 3.5 and 6: the client's preface, an empty SETTINGS frame, and one byte of DATA on stream 1, which the upgrade opened.
static const char http2[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
                            "\0\0\0\4\0\0\0\0\0"
                            "\0\0\1\0\0\0\0\0\1x";

/// Asks for an upgrade and speaks HTTP/2 without waiting for the answer; the answer, to be freed.
static char *ask_upgrade(uint16_t port, const char *upgrade, bool has_settings)
{
    char request[1024];
    const int length =
        snprintf(request, sizeof request,
                 "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                 "Upgrade: %s\r\n%s\r\n",
                 upgrade, has_settings ? "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n" : "");
    memcpy(request + length, http2, sizeof http2 - 1);
    size_t size;
    return http_exchange(port, request, (size_t)length + sizeof http2 - 1, &size);
}

static void only_websockets_are_upgraded_to(void **state)
{
    (void)state;
    static const char *const upgrades[] = {
        "h2c",
        "H2C",
        "h2C",
        "h2",
        "h2c, websocket",
        "websocket, h2c",
        " h2c ",
        "TLS/1.0",
        "HTTP/2.0",
        "websocketh2c",
        "x",
        "\"h2c\"",
        "h2c\r\nUpgrade: websocket",
        "websocket\r\nUpgrade: h2c",
    };
    hy_web *web = start();
    for (size_t i = 0; i < sizeof upgrades / sizeof upgrades[0]; i++) {
        for (int has_settings = 0; has_settings < 2; has_settings++) {
            char *const answer = ask_upgrade(port_of(web), upgrades[i], has_settings != 0);
            assert_non_null(answer);
            if (strstr(answer, " 101 ") != NULL) {
                fail_msg("upgraded to '%s':\n%s", upgrades[i], answer);
            }
            free(answer);
            assert_serves(web);
        }
    }
    hy_web_stop(web);
}

static void http2_without_asking_is_refused(void **state)
{
    (void)state;
    hy_web *web = start();
    size_t size;
    char *const answer = http_exchange(port_of(web), http2, sizeof http2 - 1, &size);
    assert_non_null(answer);
    assert_true(size == 0 || strncmp(answer + strlen("HTTP/1.x"), " 4", 2) == 0);
    free(answer);
    assert_serves(web);
    hy_web_stop(web);
}

static void garbage_is_survived(void **state)
{
    (void)state;
    static const char *const heads[] = { "", "GET / HTTP/1.1\r\n",
                                         "GET /live HTTP/1.1\r\nUpgrade: " };
    hy_web *web = start();
    hy_chance chance = hy_chance_seeded(9);
    for (int i = 0; i < 60; i++) {
        char bytes[3000];
        const size_t head = strlen(heads[i % 3]);
        memcpy(bytes, heads[i % 3], head);
        for (size_t k = head; k < sizeof bytes; k++) {
            bytes[k] = (char)hy_chance_below(&chance, 256);
        }
        size_t size;
        free(http_exchange(port_of(web), bytes, sizeof bytes, &size));
    }
    assert_serves(web);
    hy_web_stop(web);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_websockets_are_upgraded_to),
        cmocka_unit_test(http2_without_asking_is_refused),
        cmocka_unit_test(garbage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
