// Attacks on the web server from outside, each of which once did harm.
#include "cmocka_all.h"

#include <halyard/link.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "web/web.h"
#include "ws_client.h"

#define SECOND_US 1000000
#define LIMIT_US  (20 * SECOND_US)

#define TOKEN "0123456789abcdef0123456789abcdef"

static hy_web *start(void)
{
    static const size_t slot_sizes[] = { 100 };
    static const hy_web_endpoint endpoints[] = { { .path = "/live", .protocol = "halyard-page" } };
    static const uint8_t text[] = "a file";
    static const hy_web_file file = { "/file.txt", "text/plain", { text, sizeof text - 1 } };
    hy_web_options options = { .files = &file,
                               .file_count = 1,
                               .endpoints = endpoints,
                               .endpoint_count = 1,
                               .token = TOKEN,
                               .slot_sizes = slot_sizes,
                               .slot_count = 1 };
    assert_int_equal(hy_endpoint_parse("127.0.0.1:0", 0, &options.listen), HY_OK);
    hy_web *web;
    assert_int_equal(hy_web_open(&web, &options), HY_OK);
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
                 "GET /file.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", &size);
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
    hy_web_close(web);
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
    hy_web_close(web);
}

static void garbage_is_survived(void **state)
{
    (void)state;
    static const char *const heads[] = { "", "GET / HTTP/1.1\r\n",
                                         "GET /live HTTP/1.1\r\nUpgrade: " };
    hy_web *web = start();
    hy_random random = hy_random_seeded(9);
    for (int i = 0; i < 60; i++) {
        char bytes[3000];
        const size_t head = strlen(heads[i % 3]);
        memcpy(bytes, heads[i % 3], head);
        for (size_t k = head; k < sizeof bytes; k++) {
            bytes[k] = (char)hy_random_below(&random, 256);
        }
        size_t size;
        free(http_exchange(port_of(web), bytes, sizeof bytes, &size));
    }
    assert_serves(web);
    hy_web_close(web);
}

// --------------------------------------------------------------------------- heads

/// GET with a cookie of that many bytes; the answer, to be freed.
static char *get_with_cookie(uint16_t port, size_t cookie)
{
    static char request[40000];
    const int length =
        snprintf(request, sizeof request,
                 "GET /file.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: ");
    memset(request + length, 'c', cookie);
    snprintf(request + (size_t)length + cookie, sizeof request - (size_t)length - cookie, "\r\n\r\n");
    size_t size;
    return http_exchange(port, request, strlen(request), &size);
}

// Browsers send every server of this machine the cookies of all others, whatever their port.
static void long_heads_are_read(void **state)
{
    (void)state;
    hy_web *web = start();
    char *answer = get_with_cookie(port_of(web), 16000);
    assert_non_null(strstr(answer, "a file"));
    free(answer);
    answer = get_with_cookie(port_of(web), 17000);
    assert_int_equal(strncmp(answer, "HTTP/1.1 431 ", 13), 0);
    free(answer);
    hy_web_close(web);
}

static void every_answer_forbids_other_sites(void **state)
{
    (void)state;
    static const char *const requests[] = {
        "GET /file.txt HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "HEAD /file.txt HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "nonsense\r\n\r\n",
        "GET /live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n\r\n",
    };
    static const char *const fields[] = {
        ("\r\ncontent-security-policy: default-src 'self'; img-src 'self' data: blob:; object-src "
         "'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"),
        "\r\nx-frame-options: deny\r\n",
        "\r\nx-content-type-options: nosniff\r\n",
        "\r\nreferrer-policy: no-referrer\r\n",
    };
    hy_web *web = start();
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        size_t size;
        char *const answer = http_exchange(port_of(web), requests[i], strlen(requests[i]), &size);
        for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
            if (strstr(answer, fields[k]) == NULL) {
                fail_msg("%s lacks %s:\n%s", requests[i], fields[k], answer);
            }
        }
        free(answer);
    }
    hy_web_close(web);
}

static void a_name_in_brackets_is_no_address(void **state)
{
    (void)state;
    hy_web *web = start();
    ws_client client;
    assert_false(
        ws_open(&client, port_of(web),
                &(ws_options){ .origin = "http://[evil.example]:80", .host = "[evil.example]:80" }));
    assert_true(ws_open(&client, port_of(web),
                        &(ws_options){ .origin = "http://[::1]:80", .host = "[::1]:80" }));
    ws_close(&client);
    hy_web_close(web);
}

// --------------------------------------------------------------------------- frames

static void broken_frames_end_with_their_code(void **state)
{
    (void)state;
    // Masks are 0: the payload stands as it is.
    static const struct {
        const char *bytes;
        size_t size;
        int code;
        const char *what;
    } frames[] = {
        { "\x81\x02hi", 4, 1002, "no mask" },
        { "\x82\x82\0\0\0\0hi", 8, 1003, "binary" },
        { "\x81\x82\0\0\0\0\xc3\x28", 8, 1007, "a cut sequence of UTF-8" },
        { "\x81\x82\0\0\0\0\xc0\xaf", 8, 1007, "UTF-8 that is longer than needed" },
        { "\x81\x83\0\0\0\0\xed\xa0\x80", 9, 1007, "a surrogate" },
        { "\x01\x81\0\0\0\0\xc3\x80\x81\0\0\0\0\x28", 14, 1007, "the same in two frames" },
        { "\xc1\x82\0\0\0\0hi", 8, 1002, "a reserved bit" },
        { "\x83\x82\0\0\0\0hi", 8, 1002, "an unknown kind of frame" },
        { "\x09\x80\0\0\0\0", 6, 1002, "a ping in pieces" },
        { "\x89\xfe\0\x7e\0\0\0\0", 8, 1002, "a ping of 126 bytes" },
        { "\x80\x82\0\0\0\0hi", 8, 1002, "the end of nothing" },
        { "\x01\x82\0\0\0\0hi\x81\x82\0\0\0\0hi", 16, 1002, "a message in another" },
        { "\x81\xfe\0\x02\0\0\0\0hi", 10, 1002, "a longer length than needed" },
        { "\x81\xff\x80\0\0\0\0\0\0\0\0\0\0\0", 14, 1002, "a negative length" },
        { "\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", 14, 1009, "the longest length" },
        { "\x88\x81\0\0\0\0x", 7, 1002, "half a close code" },
        { "\x88\x82\0\0\0\0\x03\xed", 8, 1002, "a close code that is never sent" },
        { "\x88\x82\0\0\0\0\x03\xe8", 8, 1000, "a close" },
    };
    hy_web *web = start();
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        ws_client client;
        assert_true(ws_open(&client, port_of(web), NULL));
        assert_true(ws_raw(&client, frames[i].bytes, frames[i].size));
        if (!ws_await_end(&client, LIMIT_US) || client.close_code != frames[i].code) {
            fail_msg("%s: %d", frames[i].what, client.close_code);
        }
        ws_close(&client);
        hy_web_event event;
        while (hy_web_next(web, &event)) {
            assert_int_not_equal(event.what, HY_WEB_MESSAGE);
        }
    }
    hy_web_close(web);
}

static hy_web_event await(hy_web *web)
{
    hy_web_event event;
    while (!hy_web_next(web, &event)) {
        struct pollfd waiting = { .fd = (int)hy_web_descriptor(web), .events = POLLIN };
        assert_int_equal(poll(&waiting, 1, 20000), 1);
    }
    return event;
}

static void a_message_has_4096_bytes_at_most(void **state)
{
    (void)state;
    static char text[HY_WEB_MESSAGE_MAX + 2];
    hy_web *web = start();
    ws_client client;
    memset(text, 'x', HY_WEB_MESSAGE_MAX);
    assert_true(ws_open(&client, port_of(web), NULL));
    assert_int_equal(await(web).what, HY_WEB_CONNECTED);
    assert_true(ws_say(&client, text));
    const hy_web_event event = await(web);
    assert_int_equal(event.what, HY_WEB_MESSAGE);
    assert_int_equal(event.bytes.size, HY_WEB_MESSAGE_MAX);
    text[HY_WEB_MESSAGE_MAX] = 'x';
    assert_int_equal(strlen(text), 4097);
    assert_true(ws_say(&client, text));
    assert_true(ws_await_end(&client, LIMIT_US));
    assert_int_equal(client.close_code, 1009);
    ws_close(&client);
    assert_int_equal(await(web).what, HY_WEB_CLOSED);
    assert_int_equal(hy_web_count(web).rx_too_long, 1);
    hy_web_close(web);
}

static void pings_are_answered_however_many(void **state)
{
    (void)state;
    hy_web *web = start();
    ws_client client;
    assert_true(ws_open(&client, port_of(web), NULL));
    assert_int_equal(await(web).what, HY_WEB_CONNECTED);
    for (int i = 0; i < 20000; i++) {
        assert_true(ws_raw(&client, "\x89\x80\0\0\0\0", 6));
    }
    assert_true(ws_say(&client, "still here"));
    assert_int_equal(await(web).what, HY_WEB_MESSAGE);
    ws_close(&client);
    hy_web_close(web);
}

// --------------------------------------------------------------------------- crowds

/// Connects and says something that is no whole request.
static int connect_slowly(uint16_t port)
{
    const int socket_ = http_begin("127.0.0.1", port, "GET / HTTP/1.1\r\nHo");
    assert_true(socket_ >= 0);
    return socket_;
}

static void slow_connections_keep_nobody_out(void **state)
{
    (void)state;
    hy_web *web = start();
    ws_client member; // the oldest of all, and yet it stays
    assert_true(ws_open(&member, port_of(web), NULL));
    assert_true(hy_web_admit(web, await(web).client, true));
    int slow[300];
    for (size_t i = 0; i < 300; i++) {
        slow[i] = connect_slowly(port_of(web));
    }
    assert_serves(web);
    ws_client client;
    assert_true(ws_open(&client, port_of(web), NULL));
    assert_true(ws_say(&client, "hello"));
    assert_int_equal(await(web).what, HY_WEB_CONNECTED);
    assert_int_equal(await(web).what, HY_WEB_MESSAGE);
    assert_true(ws_say(&member, "still here"));
    assert_int_equal(await(web).what, HY_WEB_MESSAGE);
    assert_true(hy_web_count(web).evicted >
                0); // 140 at least, if this took less than the 2 s after which the slow are sent away
    for (size_t i = 0; i < 300; i++) { // whoever was not evicted is sent away for being slow
        char byte;
        while (recv(slow[i], &byte, 1, 0) > 0) {
        }
        close(slow[i]);
    }
    ws_close(&member);
    ws_close(&client);
    hy_web_close(web);
}

static void strangers_keep_no_member_out(void **state)
{
    (void)state;
    enum { STRANGERS = 150 };
    hy_web *web = start();
    ws_client member, second, strangers[STRANGERS];
    assert_true(ws_open(&member, port_of(web), NULL));
    const unsigned first = await(web).client;
    assert_true(hy_web_admit(web, first, true));
    hy_web_event event;
    for (size_t i = 0; i < STRANGERS; i++) {
        assert_true(ws_open(&strangers[i], port_of(web), NULL));
        while (hy_web_next(web, &event)) { // the owner does its part
            assert_true(event.client != first);
        }
    }
    assert_true(ws_open(&second, port_of(web), NULL));
    assert_true(ws_say(&second, "token"));
    do {
        event = await(web);
    } while (event.what != HY_WEB_MESSAGE);
    assert_true(hy_web_admit(web, event.client, true));
    assert_true(ws_say(&member, "still here"));
    do {
        event = await(web);
        assert_true(event.what != HY_WEB_CLOSED || event.client != first);
    } while (event.what != HY_WEB_MESSAGE);
    assert_int_equal(event.client, first);
    assert_true(hy_web_count(web).evicted >= STRANGERS - 118);
    for (size_t i = 0; i < STRANGERS; i++) {
        ws_close(&strangers[i]);
    }
    ws_close(&member);
    ws_close(&second);
    hy_web_close(web);
}

// Strangers who have to go have their places until the owner knows. Meanwhile they and those who come for them take none of a member's.
static void strangers_take_no_members_place_from_a_busy_owner(void **state)
{
    (void)state;
    enum { STRANGERS = 300, MEMBERS = 16 };
    const ws_options with_token = { .protocol = "halyard-page, token." TOKEN };
    hy_web *web = start();
    static ws_client members[MEMBERS], strangers[STRANGERS];
    for (size_t i = 0; i < STRANGERS; i++) {
        assert_true(ws_open(&strangers[i], port_of(web), NULL));
    }
    for (size_t i = 0; i < MEMBERS; i++) {
        assert_true(ws_open(&members[i], port_of(web), &with_token));
        assert_true(ws_say(&members[i], "here"));
    }
    hy_web_event event;
    for (size_t said = 0; said < MEMBERS; said += event.what == HY_WEB_MESSAGE) {
        event = await(web); // a member who was refused says nothing here
    }
    for (size_t i = 0; i < MEMBERS; i++) {
        ws_close(&members[i]);
    }
    for (size_t i = 0; i < STRANGERS; i++) {
        ws_close(&strangers[i]);
    }
    hy_web_close(web);
}

// No socket stays open behind a server that has stopped, however many there were.
static void a_stop_hangs_up_on_everybody(void **state)
{
    (void)state;
    enum { CLIENTS = 5 };
    hy_web *web = start();
    ws_client clients[CLIENTS];
    for (size_t i = 0; i < CLIENTS; i++) {
        assert_true(ws_open(&clients[i], port_of(web), NULL));
    }
    hy_web_close(web);
    for (size_t i = 0; i < CLIENTS; i++) {
        struct pollfd hung_up = { .fd = clients[i].socket, .events = POLLIN };
        char byte;
        ssize_t size = 1;
        while (size > 0) { // a closing frame, and then the end
            assert_int_equal(poll(&hung_up, 1, LIMIT_US / 1000), 1);
            size = recv(clients[i].socket, &byte, 1, 0);
        }
        ws_close(&clients[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_websockets_are_upgraded_to),
        cmocka_unit_test(http2_without_asking_is_refused),
        cmocka_unit_test(garbage_is_survived),
        cmocka_unit_test(long_heads_are_read),
        cmocka_unit_test(every_answer_forbids_other_sites),
        cmocka_unit_test(a_name_in_brackets_is_no_address),
        cmocka_unit_test(broken_frames_end_with_their_code),
        cmocka_unit_test(a_message_has_4096_bytes_at_most),
        cmocka_unit_test(pings_are_answered_however_many),
        cmocka_unit_test(slow_connections_keep_nobody_out),
        cmocka_unit_test(strangers_keep_no_member_out),
        cmocka_unit_test(strangers_take_no_members_place_from_a_busy_owner),
        cmocka_unit_test(a_stop_hangs_up_on_everybody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
