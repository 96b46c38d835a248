// The client's side of a WebSocket over a real socket, against the real server and against ones that fail.
#include "cmocka_all.h"

#include "../../src/web/accept_key.h"
#include "web/web_client.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define TURNS       1000 // of 20 ms at most: much longer than anything here takes
#define TURN_MS     20
#define READ_MAX    16384 // SPEC web_client.h: bytes between two waits
#define MESSAGE_MAX 4096
#define LONG        20000 // bytes of a message to the server, at most

static hy_web_client_options options_to(hy_endpoint server)
{
    return (hy_web_client_options){ .server = server,
                                    .path = "/live",
                                    .protocol = "p",
                                    .message_max = MESSAGE_MAX,
                                    .queue_size = 65536 };
}

static const hy_endpoint home = { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 } };

static hy_web *start_server_with(hy_endpoint listen, size_t clients_max, bool is_open)
{
    static const hy_web_endpoint live = {
        .path = "/live", .protocol = "p", .accepts_binary = true, .allows_programs = true
    };
    hy_web *web;
    const hy_web_options options = { .listen = listen,
                                     .endpoints = &live,
                                     .endpoint_count = 1,
                                     .is_open = is_open,
                                     .clients_max = clients_max,
                                     .message_max = LONG,
                                     .queue_size = 200000 };
    assert_int_equal(hy_web_open(&web, &options), HY_OK);
    sigset_t blocked; // signals are this thread's business, as before
    assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &blocked), 0);
    assert_int_equal(sigismember(&blocked, SIGTERM), 0);
    return web;
}

static hy_web *start_server(void)
{
    return start_server_with(home, 0, false);
}

static hy_web_client *call(hy_endpoint server)
{
    hy_web_client *client;
    const hy_web_client_options options = options_to(server);
    assert_int_equal(hy_web_client_open(&client, &options), HY_OK);
    return client;
}

static hy_web_event next_of_client(hy_web_client *client)
{
    hy_web_event event;
    for (int turn = 0; turn < TURNS; turn++) {
        if (hy_web_client_next(client, &event)) {
            return event;
        }
        hy_web_client_wait(client, TURN_MS);
    }
    fail_msg("nothing happens");
    return (hy_web_event){ .what = HY_WEB_CLOSED };
}

// The client is served meanwhile.
static hy_web_event next_of_server(hy_web *web, hy_web_client *client)
{
    hy_web_event event;
    for (int turn = 0; turn < TURNS; turn++) {
        if (hy_web_next(web, &event)) {
            return event;
        }
        hy_web_client_wait(client, 0);
        struct pollfd waiting = { .fd = (int)hy_web_descriptor(web), .events = POLLIN };
        (void)poll(&waiting, 1, TURN_MS);
    }
    fail_msg("the server hears nothing");
    return (hy_web_event){ .what = HY_WEB_CLOSED };
}

static hy_bytes text_of(const char *text)
{
    return (hy_bytes){ (const uint8_t *)text, strlen(text) };
}

static void assert_message(const hy_web_event *event, const char *text, bool is_binary)
{
    assert_int_equal(event->what, HY_WEB_MESSAGE);
    assert_int_equal(event->is_binary, is_binary);
    assert_int_equal(event->bytes.size, strlen(text));
    assert_memory_equal(event->bytes.data, text, strlen(text));
}

static void assert_ended(hy_web_client *client, const char *why)
{
    hy_web_event event = next_of_client(client);
    assert_int_equal(event.what, HY_WEB_CLOSED);
    assert_string_equal(hy_web_client_why(client), why);
    assert_false(hy_web_client_next(client, &event)); // once
    assert_false(hy_web_client_send(client, text_of("too late"), false));
    hy_web_client_wait(client, 0); // harmless
}

// Connects to `web`; the server's number of the client.
static unsigned connect_client(hy_web *web, hy_web_client *client)
{
    assert_false(hy_web_client_send(client, text_of("too early"), false));
    assert_int_equal(next_of_client(client).what, HY_WEB_CONNECTED);
    struct pollfd waiting = { .fd = (int)hy_web_descriptor(web), .events = POLLIN };
    assert_int_equal(poll(&waiting, 1, TURNS * TURN_MS), 1); // the owner is woken
    const hy_web_event event = next_of_server(web, client);
    assert_int_equal(event.what, HY_WEB_CONNECTED);
    assert_string_equal(event.path, "/live");
    return event.client;
}

static void messages_go_both_ways(void **state)
{
    (void)state;
    hy_web *const web = start_server();
    hy_web_client *const client = call(hy_web_address(web));
    const unsigned number = connect_client(web, client);
    assert_true(hy_web_client_send(client, text_of("a text"), false));
    assert_true(hy_web_client_send(client, text_of("bytes"), true));
    hy_web_event event = next_of_server(web, client);
    assert_message(&event, "a text", false);
    event = next_of_server(web, client);
    assert_message(&event, "bytes", true);
    static uint8_t longest[LONG + 1];
    assert_true(hy_web_client_send(client, (hy_bytes){ longest, LONG }, true));
    event = next_of_server(web, client);
    assert_int_equal(event.bytes.size, LONG);
    const uint64_t received = hy_web_client_received(client);
    assert_true(hy_web_send(web, number, text_of("an answer"), false));
    assert_true(hy_web_send(web, number, text_of("more bytes"), true));
    event = next_of_client(client);
    assert_message(&event, "an answer", false);
    event = next_of_client(client);
    assert_message(&event, "more bytes", true);
    assert_int_equal(hy_web_client_received(client) - received, 2 + 9 + 2 + 10);
    hy_web_client_ping(client);
    for (int turn = 0; turn < TURNS && hy_web_client_received(client) == received + 23; turn++) {
        hy_web_client_wait(client, TURN_MS);
        assert_false(hy_web_client_next(client, &event));
    }
    assert_int_equal(hy_web_client_received(client) - received, 23 + 2); // a pong
    assert_string_equal(hy_web_client_why(client), "");
    hy_web_disconnect(web, number, "enough");
    assert_ended(client, "the server closed the connection");
    hy_web_client_close(client);
    hy_web_close(web);
}

// Where the machine has IPv6, as the system says: a socket of its own can be bound to ::1.
static bool has_ipv6(void)
{
    const struct sockaddr_in6 here = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
    const int probe = socket(AF_INET6, SOCK_DGRAM, 0);
    const bool ok = probe >= 0 && bind(probe, (const struct sockaddr *)&here, sizeof here) == 0;
    close(probe);
    return ok;
}

static void servers_listen_on_ipv6(void **state)
{
    (void)state;
    static const struct {
        hy_endpoint listen, call; // without ports
    } rows[] = { { { .ip = { [15] = 1 } }, { .ip = { [15] = 1 } } },
                 { { .ip = { 0 } }, { .ip = { [15] = 1 } } },
                 { { .ip = { 0 } }, { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 } } } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && has_ipv6(); i++) {
        hy_web *const web = start_server_with(rows[i].listen, 0, false);
        const hy_endpoint at = hy_web_address(web);
        assert_memory_equal(at.ip, rows[i].listen.ip, sizeof at.ip);
        hy_endpoint to = rows[i].call;
        to.port = at.port;
        hy_web_client *const client = call(to);
        (void)connect_client(web, client);
        hy_web_client_close(client);
        hy_web_close(web);
    }
}

// Of 32 clients 16 may be strangers, of whom one address has six; where everybody is a member, none gives way.
static void members_do_not_give_way(void **state)
{
    (void)state;
    enum { CLIENTS = 7 };
    for (int is_open = 0; is_open < 2; is_open++) {
        hy_web *const web = start_server_with(home, 32, is_open != 0);
        hy_web_client *clients[CLIENTS];
        for (size_t i = 0; i < CLIENTS; i++) {
            clients[i] = call(hy_web_address(web));
            assert_int_equal(next_of_client(clients[i]).what, HY_WEB_CONNECTED);
        }
        for (size_t i = 0; i < CLIENTS; i++) {
            assert_int_equal(next_of_server(web, clients[i]).what, HY_WEB_CONNECTED);
        }
        if (is_open != 0) {
            assert_true(hy_web_client_send(clients[0], text_of("still here"), false));
            const hy_web_event event = next_of_server(web, clients[0]);
            assert_message(&event, "still here", false);
        } else {
            assert_ended(clients[0], "the server closed the connection");
        }
        for (size_t i = 0; i < CLIENTS; i++) {
            hy_web_client_close(clients[i]);
        }
        hy_web_close(web);
    }
}

static void a_stop_is_seen_by_the_server(void **state)
{
    (void)state;
    hy_web *const web = start_server();
    hy_web_client *const client = call(hy_web_address(web)), *const other = call(hy_web_address(web));
    (void)connect_client(web, client);
    (void)connect_client(web, other);
    hy_web_client_close(client);
    assert_int_equal(next_of_server(web, other).what, HY_WEB_CLOSED);
    hy_web_client_close(other);
    hy_web_client_close(NULL);
    hy_web_close(web);
}

// A flood is read at a bounded rate, and whole.
static void a_turn_reads_16_kib_at_most(void **state)
{
    (void)state;
    enum { MESSAGES = 40 };
    static uint8_t bytes[MESSAGE_MAX];
    hy_web *const web = start_server();
    hy_web_client *const client = call(hy_web_address(web));
    const unsigned number = connect_client(web, client);
    for (int i = 0; i < MESSAGES; i++) {
        bytes[0] = (uint8_t)i;
        assert_true(hy_web_send(web, number, (hy_bytes){ bytes, sizeof bytes }, true));
    }
    int heard = 0;
    for (int turn = 0; turn < TURNS && heard < MESSAGES; turn++) {
        const uint64_t before = hy_web_client_received(client);
        hy_web_client_wait(client, TURN_MS);
        for (hy_web_event event; hy_web_client_next(client, &event); heard++) {
            assert_int_equal(event.bytes.size, sizeof bytes);
            assert_int_equal(event.bytes.data[0], heard);
        }
        assert_in_range(hy_web_client_received(client) - before, 0, READ_MAX);
    }
    assert_int_equal(heard, MESSAGES);
    hy_web_client_close(client);
    hy_web_close(web);
}

// --------------------------------------------------------------------------- servers that do not behave

// A listening socket; where it is.
static int listen_at(hy_endpoint *at)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof address;
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (const struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    *at = home;
    at->port = ntohs(address.sin_port);
    return listener;
}

static void nobody_is_there(void **state)
{
    (void)state;
    hy_endpoint at;
    close(listen_at(&at));
    hy_web_client *const client = call(at);
    assert_ended(client, "no server is there");
    hy_web_client_close(client);
}

static void servers_hang_up(void **state)
{
    (void)state;
    static const struct {
        const char *answer, *why;
    } rows[] = {
        { "", "the connection was lost" },
        { "HTTP/1.1 101 Switching", "the connection was lost" },
        { "HTTP/1.1 404 Not Found\r\n\r\n", "the server refuses the connection" },
        { "nonsense\r\n\r\n", "the server refuses the connection" },
    };
    hy_endpoint at;
    const int listener = listen_at(&at);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char path[] = "/live";
        hy_web_client_options options = options_to(at);
        options.path = path;
        hy_web_client *client;
        assert_int_equal(hy_web_client_open(&client, &options), HY_OK);
        path[1] = 'x'; // it has a copy
        hy_web_client_wait(client, TURN_MS);
        const int server = accept(listener, NULL, NULL);
        assert_true(server >= 0);
        char request[1024] = "";
        hy_web_client_wait(client, 0);
        assert_true(recv(server, request, sizeof request - 1, 0) > 0);
        assert_memory_equal(request, "GET /live HTTP/1.1\r\nHost: robot\r\n", 33);
        assert_non_null(strstr(request, "\r\nSec-WebSocket-Protocol: p\r\n"));
        assert_int_equal(send(server, rows[i].answer, strlen(rows[i].answer), 0),
                         strlen(rows[i].answer));
        close(server);
        assert_ended(client, rows[i].why);
        hy_web_client_close(client);
    }
    close(listener);
}

// What sockets do not take at once waits in the client's queue, and goes out whole once the server reads.
static void what_waits_is_sent_later(void **state)
{
    (void)state;
    enum { FRAME = MESSAGE_MAX + 8 };
    static uint8_t bytes[MESSAGE_MAX], frames[16 * FRAME];
    char request[1024] = "", key[WEB_KEY_SIZE + 1] = "", accept_key[WEB_ACCEPT_SIZE], answer[256];
    hy_endpoint at;
    const int listener = listen_at(&at);
    hy_web_client *const client = call(at);
    hy_web_client_wait(client, TURN_MS);
    const int server = accept(listener, NULL, NULL);
    assert_true(recv(server, request, sizeof request - 1, 0) > 0);
    memcpy(key, strstr(request, "Key: ") + 5, WEB_KEY_SIZE);
    web_accept_key(key, accept_key);
    snprintf(answer, sizeof answer,
             "HTTP/1.1 101 x\r\nSec-WebSocket-Accept: %s\r\nSec-WebSocket-Protocol: p\r\n\r\n",
             accept_key);
    assert_int_equal(send(server, answer, strlen(answer), 0), strlen(answer));
    assert_int_equal(next_of_client(client).what, HY_WEB_CONNECTED);
    size_t sent = 0, received = 0;
    while (hy_web_client_send(client, (hy_bytes){ bytes, sizeof bytes },
                              true)) { // until the sockets and the queue are full
        sent++;
        hy_web_client_wait(client, 0);
    }
    assert_true(sent > 16);
    while (received < sent * FRAME) {
        const ssize_t size = recv(server, frames, sizeof frames, 0);
        assert_true(size > 0);
        received += (size_t)size;
        hy_web_client_wait(client, 0);
    }
    assert_int_equal(received, sent * FRAME);
    close(server);
    close(listener);
    assert_ended(client, "the connection was lost");
    hy_web_client_close(client);
}

static void a_queue_that_is_too_small_is_refused(void **state)
{
    (void)state;
    hy_web_client_options options = options_to(home);
    options.queue_size = 100; // less than a request
    hy_web_client *client = (hy_web_client *)&options;
    assert_int_equal(hy_web_client_open(&client, &options), HY_ERANGE);
    assert_null(client);
}

// A start that fails closes no descriptor of somebody else's.
static void a_server_that_cannot_start_closes_nothing(void **state)
{
    (void)state;
    hy_web *web;
    const int before = dup(0);
    hy_web_options options = { .listen = home, .folder = "/nowhere" };
    assert_true(before > 0);
    assert_int_equal(hy_web_open(&web, &options), HY_EFILE);
    options =
        (hy_web_options){ .listen = { .ip = { HY_IPV4_PREFIX, 192, 0, 2, 1 } } }; // RFC 5737: nobody's
    assert_int_equal(hy_web_open(&web, &options), HY_EADDRESS);
    assert_null(web);
    const int after = dup(0);
    assert_int_equal(after, before + 1);
    close(before);
    close(after);
}

// A program may have closed its standard input: the next socket is descriptor 0.
static void descriptor_0_is_a_socket_like_any_other(void **state)
{
    (void)state;
    hy_web *const web = start_server();
    const int input = dup(0);
    close(0);
    hy_web_client *const client = call(hy_web_address(web));
    assert_true(fcntl(0, F_GETFD) >= 0);
    (void)connect_client(web, client);
    hy_web_client_close(client);
    assert_true(fcntl(0, F_GETFD) < 0);
    assert_int_equal(dup2(input, 0), 0);
    close(input);
    hy_web_close(web);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_go_both_ways),
        cmocka_unit_test(servers_listen_on_ipv6),
        cmocka_unit_test(members_do_not_give_way),
        cmocka_unit_test(a_stop_is_seen_by_the_server),
        cmocka_unit_test(a_turn_reads_16_kib_at_most),
        cmocka_unit_test(nobody_is_there),
        cmocka_unit_test(servers_hang_up),
        cmocka_unit_test(what_waits_is_sent_later),
        cmocka_unit_test(a_server_that_cannot_start_closes_nothing),
        cmocka_unit_test(descriptor_0_is_a_socket_like_any_other),
        cmocka_unit_test(a_queue_that_is_too_small_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
