// The client's side of a WebSocket, without a socket: the bytes it sends, and answers of servers good and bad.
#include "cmocka_all.h"

#include "../../src/web/caller.h"

#include <stdio.h>
#include <string.h>

static uint8_t message[256], queue[1024];

// RFC 6455, 1.3: the key and the answer to it.
static void start(web_caller *caller)
{
    web_caller_setup setup = { .path = "/chat",
                               .host = "x",
                               .protocol = "chat",
                               .message = { message, sizeof message },
                               .queue = { queue, sizeof queue } };
    memcpy(setup.key, "the sample nonce", sizeof setup.key);
    assert_true(web_caller_start(caller, &setup));
}

#define RIGHT "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"

static web_caller_event take(web_caller *caller, const char *text, size_t size)
{
    hy_bytes bytes = { (const uint8_t *)text, size };
    return web_caller_take(caller, &bytes);
}

static void the_request_is_that_of_the_standard(void **state)
{
    (void)state;
    static const char wanted[] =
        "GET /chat HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Protocol: chat\r\n\r\n";
    web_caller caller;
    start(&caller);
    const hy_bytes out = web_caller_output(&caller);
    assert_int_equal(out.size, sizeof wanted - 1);
    assert_memory_equal(out.data, wanted, out.size);
    web_caller_sent(&caller, 10);
    const hy_bytes rest = web_caller_output(&caller);
    assert_int_equal(rest.size, out.size - 10);
    assert_memory_equal(rest.data, wanted + 10, rest.size);
}

static void answers_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *head, *why; // NULL: it is good
    } rows[] = {
        { "HTTP/1.1 101 X\r\n" RIGHT "sec-websocket-PROTOCOL:\tchat \r\n\r\n", NULL },
        { "HTTP/1.1 101\r\nx: y\r\nsec-websocket-protocol:chat\r\n" RIGHT "\r\n", NULL },
        { "HTTP/1.1 403 Forbidden\r\n" RIGHT "Sec-WebSocket-Protocol: chat\r\n\r\n",
          "the server refuses the connection" },
        { "HTTP/1.1 101 X\r\nSec-WebSocket-Protocol: chat\r\n\r\n",
          "the server does not speak WebSocket" },
        { "HTTP/1.1 101 X\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOp=\r\n"
          "Sec-WebSocket-Protocol: chat\r\n\r\n",
          "the server does not speak WebSocket" },
        { "HTTP/1.1 101 X\r\n" RIGHT "\r\n", "the server does not speak this protocol" },
        { "HTTP/1.1 101 X\r\n" RIGHT "Sec-WebSocket-Protocol: chats\r\n\r\n",
          "the server does not speak this protocol" },
        { "HTTP/1.1 101 X\r\n" RIGHT
          "Sec-WebSocket-Protocols: chat\r\nSec-WebSocket-Protocol: \r\n\r\n",
          "the server does not speak this protocol" },
        { "HTTP/1.1 101 X\r\n" RIGHT "Sec-WebSocket-Protocol: chat\t \t\r\n\r\n", NULL },
        { "\r\n\r\n", "the server refuses the connection" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        web_caller caller;
        start(&caller);
        const size_t size = strlen(rows[i].head);
        for (size_t k = 0; k + 1 < size; k++) { // every prefix, byte by byte
            assert_int_equal(take(&caller, rows[i].head + k, 1), WEB_CALLER_NOTHING);
        }
        const web_caller_event last = take(&caller, rows[i].head + size - 1, 1);
        assert_int_equal(last, rows[i].why == NULL ? WEB_CALLER_OPENED : WEB_CALLER_CLOSED);
        if (rows[i].why != NULL) {
            assert_string_equal(caller.why, rows[i].why);
            assert_int_equal(take(&caller, "\x81\x00", 2), WEB_CALLER_NOTHING);
        }
    }
}

static void an_endless_head_ends(void **state)
{
    (void)state;
    web_caller caller;
    start(&caller);
    web_caller_event event = WEB_CALLER_NOTHING;
    size_t taken = 0;
    while (event == WEB_CALLER_NOTHING && taken < 2 * WEB_ANSWER_HEAD_MAX) {
        event = take(&caller, "x", 1);
        taken++;
    }
    assert_int_equal(event, WEB_CALLER_CLOSED);
    assert_true(taken < WEB_ANSWER_HEAD_MAX);

    static char piece[WEB_ANSWER_HEAD_MAX / 2 + 1]; // in two pieces, too
    memset(piece, 'x', sizeof piece);
    start(&caller);
    assert_int_equal(take(&caller, piece, sizeof piece), WEB_CALLER_NOTHING);
    assert_int_equal(take(&caller, piece, sizeof piece), WEB_CALLER_CLOSED);
}

static void what_has_no_room_is_not_asked_for(void **state)
{
    (void)state;
    static char path[2048];
    web_caller caller;
    web_caller_setup setup = {
        .path = path, .host = "x", .protocol = "chat", .queue = { queue, sizeof queue }
    };
    memset(path, 'p', sizeof path - 1);
    assert_false(web_caller_start(&caller, &setup)); // longer than a request may be
    path[1] = '\0';
    assert_true(web_caller_start(&caller, &setup));
    setup.queue.size = web_caller_output(&caller).size;
    assert_true(web_caller_start(&caller, &setup));
    setup.queue.size--; // a byte too few
    assert_false(web_caller_start(&caller, &setup));
}

static void open_caller(web_caller *caller)
{
    static const char answer[] = "HTTP/1.1 101 X\r\n" RIGHT "Sec-WebSocket-Protocol: chat\r\n\r\n";
    start(caller);
    const size_t request_size = web_caller_output(caller).size;
    assert_false(web_caller_send(caller, (hy_bytes){ message, 1 }, true)); // not before the answer
    web_caller_ping(caller);
    assert_int_equal(take(caller, "", 0), WEB_CALLER_NOTHING);
    assert_int_equal(web_caller_output(caller).size, request_size);
    web_caller_sent(caller, web_caller_output(caller).size);
    assert_int_equal(take(caller, answer, sizeof answer - 1), WEB_CALLER_OPENED);
}

static void frames_behind_the_answer_are_not_lost(void **state)
{
    (void)state;
    static const char bytes[] =
        "HTTP/1.1 101 X\r\n" RIGHT "Sec-WebSocket-Protocol: chat\r\n\r\n\x81\x02hi";
    web_caller caller;
    start(&caller);
    hy_bytes left = { (const uint8_t *)bytes, sizeof bytes - 1 };
    assert_int_equal(web_caller_take(&caller, &left), WEB_CALLER_OPENED);
    assert_int_equal(left.size, 4);
    assert_int_equal(web_caller_take(&caller, &left), WEB_CALLER_MESSAGE);
    assert_int_equal(left.size, 0);
    assert_memory_equal(caller.frames.message, "hi", 2);
}

static void frames_go_out_with_a_mask(void **state)
{
    (void)state;
    static const struct {
        size_t size, head;
    } rows[] = { { 0, 6 }, { 5, 6 }, { 125, 6 }, { 126, 8 }, { 256, 8 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        web_caller caller;
        open_caller(&caller);
        uint8_t bytes[256], back[256];
        memset(bytes, 0x5a, sizeof bytes);
        assert_true(web_caller_send(&caller, (hy_bytes){ bytes, rows[i].size }, i % 2 == 0));
        hy_bytes out = web_caller_output(&caller);
        assert_int_equal(out.size, rows[i].size + rows[i].head);
        web_frames server = { .accepts_binary = true, .message = back, .message_max = sizeof back };
        assert_int_equal(web_frames_take(&server, &out), WEB_FRAME_MESSAGE); // as a server reads it
        assert_int_equal(server.message_size, rows[i].size);
        assert_int_equal(server.is_binary, i % 2 == 0);
        assert_memory_equal(server.message, bytes, rows[i].size);
    }
    web_caller caller;
    open_caller(&caller);
    static const uint8_t too_long[sizeof queue + 1];
    assert_false(web_caller_send(&caller, (hy_bytes){ too_long, sizeof too_long }, true));
    size_t count = 0;
    while (web_caller_send(&caller, (hy_bytes){ message, 100 }, true)) { // until the queue is full
        count++;
    }
    assert_int_equal(count, (sizeof queue - 14) / 106);
    web_caller_sent(&caller, 106);
    assert_true(web_caller_send(&caller, (hy_bytes){ message, 100 }, true));
}

static void servers_frames_have_no_mask(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        web_caller_event event;
    } rows[] = {
        { "\x81\x02hi", 4, WEB_CALLER_MESSAGE },
        { "\x82\x00", 2, WEB_CALLER_MESSAGE },
        { "\x01\x01h\x80\x01i", 6, WEB_CALLER_MESSAGE },        // in two frames
        { "\x8a\x00", 2, WEB_CALLER_NOTHING },                  // a pong
        { "\x88\x02\x03\xe8", 4, WEB_CALLER_CLOSED },           // the server closes
        { "\x81\x82\x00\x00\x00\x00hi", 8, WEB_CALLER_CLOSED }, // with a mask
        { "\x82\x7e\x01\x01", 4, WEB_CALLER_CLOSED },           // longer than is accepted
        { "\x82\x7f\xff\xff\xff\xff\xff\xff\xff\xff", 10, WEB_CALLER_CLOSED },
        { "\x81\x01\xff", 3, WEB_CALLER_CLOSED }, // no UTF-8
        { "\x83\x00", 2, WEB_CALLER_CLOSED },     // an unknown kind
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        web_caller caller;
        open_caller(&caller);
        assert_int_equal(take(&caller, rows[i].bytes, rows[i].size), rows[i].event);
    }
}

static void pings_are_answered(void **state)
{
    (void)state;
    web_caller caller;
    uint8_t back[16];
    open_caller(&caller);
    assert_int_equal(take(&caller,
                          "\x89\x03"
                          "abc",
                          5),
                     WEB_CALLER_NOTHING);
    hy_bytes out = web_caller_output(&caller);
    web_frames server = { .message = back, .message_max = sizeof back };
    assert_int_equal(web_frames_take(&server, &out), WEB_FRAME_PONG);
    assert_int_equal(server.control_size, 3);
    assert_memory_equal(server.control, "abc", 3);
    web_caller_ping(&caller);
    assert_int_equal(web_caller_output(&caller).size, 9 + 6);
    for (size_t i = 0; i < 1000; i++) { // a flood that is not read: the queue stays what it is
        assert_int_equal(take(&caller,
                              "\x89\x03"
                              "abc",
                              5),
                         WEB_CALLER_NOTHING);
    }
    assert_true(web_caller_output(&caller).size <= sizeof queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_request_is_that_of_the_standard),
        cmocka_unit_test(answers_are_checked),
        cmocka_unit_test(an_endless_head_ends),
        cmocka_unit_test(what_has_no_room_is_not_asked_for),
        cmocka_unit_test(frames_behind_the_answer_are_not_lost),
        cmocka_unit_test(frames_go_out_with_a_mask),
        cmocka_unit_test(servers_frames_have_no_mask),
        cmocka_unit_test(pings_are_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
