// The web server over real sockets: files, who is let in, what slow and rude clients get.
#include "cmocka_all.h"

#include <halyard/link.h>

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "web/web.h"
#include "ws_client.h"

#define SECOND_US 1000000
#define LIMIT_US  (20 * SECOND_US)

static const size_t slot_sizes[] = { 100, 70000 };
static const hy_web_endpoint endpoints[] = {
    { .path = "/live", .protocol = "halyard-page", .accepts_binary = true },
    { .path = "/other", .protocol = "other" }
};

static hy_endpoint endpoint_of(const char *text)
{
    hy_endpoint out;
    assert_int_equal(hy_endpoint_parse(text, 0, &out), HY_OK);
    return out;
}

static hy_web_options options_for(const char *listen)
{
    static const uint8_t picture[] = "not really a picture";
    static const hy_web_file file = { "/mat.png", "image/png", { picture, sizeof picture - 1 } };
    return (hy_web_options){ .listen = endpoint_of(listen),
                             .without_folder = "build the page first",
                             .files = &file,
                             .file_count = 1,
                             .endpoints = endpoints,
                             .endpoint_count = 2,
                             .slot_sizes = slot_sizes,
                             .slot_count = 2 };
}

static hy_web *start(void)
{
    const hy_web_options options = options_for("127.0.0.1:0");
    hy_web *web;
    assert_int_equal(hy_web_open(&web, &options), HY_OK);
    assert_int_not_equal(hy_web_address(web).port, 0);
    return web;
}

static uint16_t port_of(const hy_web *web)
{
    return hy_web_address(web).port;
}

/// Waits for the next event by the descriptor alone, as a loop would.
static hy_web_event await(hy_web *web)
{
    hy_web_event event;
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (!hy_web_next(web, &event)) {
        struct pollfd waiting = { .fd = (int)hy_web_descriptor(web), .events = POLLIN };
        assert_true(poll(&waiting, 1, 20000) == 1);
        assert_true(hy_clock_now_us() < end_us);
    }
    return event;
}

static void expect_text(const hy_web_event *event, const char *text)
{
    assert_int_equal(event->what, HY_WEB_MESSAGE);
    assert_int_equal(event->bytes.size, strlen(text));
    assert_memory_equal(event->bytes.data, text, strlen(text));
}

static hy_bytes text_of(const char *text)
{
    return (hy_bytes){ (const uint8_t *)text, strlen(text) };
}

// --------------------------------------------------------------------------- HTTP

static char *get(uint16_t port, const char *path, const char *more)
{
    char request[512];
    size_t size;
    snprintf(request, sizeof request,
             "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n%s\r\n", path, more);
    char *const answer = http_get("127.0.0.1", port, request, &size);
    assert_non_null(answer);
    return answer;
}

static void expect_answer(uint16_t port, const char *path, const char *status, const char *part)
{
    char *const answer = get(port, path, "");
    if (strncmp(answer + strlen("HTTP/1.1 "), status, 3) != 0 || strstr(answer, part) == NULL) {
        fail_msg("GET %s: wanted %s with '%s', got:\n%s", path, status, part, answer);
    }
    free(answer);
}

static void write_file(const char *folder, const char *name, const char *text, size_t repeated)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < repeated; i++) {
        fputs(text, file);
    }
    fclose(file);
}

static void a_page_is_served(void **state)
{
    (void)state;
    char folder[] = "/tmp/halyard-web-XXXXXX", below[64], command[128];
    assert_non_null(mkdtemp(folder));
    snprintf(below, sizeof below, "%s/assets", folder);
    mkdir(below, 0700);
    write_file(folder, "index.html", "<!doctype html><title>x</title>", 1);
    write_file(folder, ".secret", "no", 1);
    write_file(below, "a-1234.js", "0123456789abcdef", 20000); // 320 kB: many writes
    write_file(below, "a-1234.css", "", 1);
    hy_web_options options = options_for("127.0.0.1:0");
    options.folder = folder;
    hy_web *web;
    assert_int_equal(hy_web_open(&web, &options), HY_OK);
    const uint16_t port = port_of(web);
    expect_answer(port, "/", "200", "<title>x</title>");
    expect_answer(port, "/", "200", "content-type: text/html; charset=utf-8");
    expect_answer(port, "/", "200", "content-security-policy: default-src 'self'");
    expect_answer(port, "/", "200", "x-content-type-options: nosniff");
    expect_answer(port, "/", "200", "cache-control: no-cache");
    expect_answer(port, "/?x=1", "200", "<title>x</title>");
    expect_answer(port, "/assets/a-1234.js", "200", "text/javascript");
    expect_answer(port, "/assets/a-1234.js", "200", "immutable");
    expect_answer(port, "/assets/a-1234.css", "200", "content-length: 0");
    expect_answer(port, "/mat.png", "200", "not really a picture");
    expect_answer(port, "/mat.png", "200", "content-type: image/png");
    expect_answer(port, "/.secret", "404", "no such file");
    expect_answer(port, "/../etc/passwd", "404", "");
    expect_answer(port, "/%2e%2e/%2e%2e/etc/passwd", "404", "");
    expect_answer(port, "/assets", "404", "no such file");
    char *answer = get(port, "/assets/a-1234.js", "");
    assert_int_equal(strlen(strstr(answer, "\r\n\r\n") + 4), 320000);
    // The same file again is known by its tag.
    char tag[128], *const etag = strstr(answer, "etag: ");
    assert_non_null(etag);
    snprintf(tag, sizeof tag, "If-None-Match: %.18s\r\n", etag + strlen("etag: "));
    free(answer);
    answer = get(port, "/assets/a-1234.js", tag);
    assert_int_equal(strncmp(answer, "HTTP/1.1 304", 12), 0);
    free(answer);
    hy_web_close(web);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void without_a_page_it_says_so(void **state)
{
    (void)state;
    hy_web *web = start();
    expect_answer(port_of(web), "/", "503", "build the page first");
    expect_answer(port_of(web), "/index.html", "404", "");
    size_t size;
    char *answer = http_get(
        "127.0.0.1", port_of(web),
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc",
        &size);
    assert_int_equal(strncmp(answer, "HTTP/1.1 405", 12), 0);
    free(answer);
    answer =
        http_get("127.0.0.1", port_of(web),
                 "HEAD /mat.png HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", &size);
    assert_non_null(strstr(answer, "content-length: 20"));
    assert_null(strstr(answer, "picture"));
    free(answer);
    hy_web_close(web);
    hy_web_options options = options_for("127.0.0.1:0");
    options.folder = "/nowhere";
    assert_int_equal(hy_web_open(&web, &options), HY_EFILE);
    assert_null(web);
}

static void only_its_own_address_answers(void **state)
{
    (void)state;
    hy_web *web = start();
    hy_web *second;
    size_t size;
    char *answer = http_get("127.0.0.2", port_of(web), "GET / HTTP/1.0\r\n\r\n", &size);
    assert_null(
        answer); // on Linux all of 127/8 is this machine: a server on every interface would answer
    char text[64];
    snprintf(text, sizeof text, "127.0.0.1:%u", port_of(web));
    hy_web_options options = options_for(text);
    assert_int_equal(hy_web_open(&second, &options), HY_EINUSE);
    options = options_for("192.0.2.1:0");
    assert_int_equal(hy_web_open(&second, &options), HY_EADDRESS);
    hy_web_close(web);
    options = options_for("0.0.0.0:0");
    assert_int_equal(hy_web_open(&web, &options), HY_OK);
    answer = http_get("127.0.0.2", port_of(web), "GET / HTTP/1.0\r\n\r\n", &size);
    assert_non_null(answer);
    free(answer);
    hy_web_close(web);
}

// --------------------------------------------------------------------------- WebSockets

static void they_talk(void **state)
{
    (void)state;
    hy_web *web = start();
    ws_client client;
    assert_true(ws_open(&client, port_of(web), NULL));
    hy_web_event event = await(web);
    assert_int_equal(event.what, HY_WEB_CONNECTED);
    const unsigned number = event.client;
    assert_true(ws_say(&client, "hello"));
    event = await(web);
    expect_text(&event, "hello");
    assert_int_equal(event.client, number);
    assert_false(event.is_binary);
    assert_true(ws_frame(&client, 0x01, "in ", 3)); // a message in three frames
    assert_true(ws_frame(&client, 0x00, "", 0));
    assert_true(ws_frame(&client, 0x80, "pieces", 6));
    event = await(web);
    expect_text(&event, "in pieces");
    assert_true(ws_frame(&client, 0x82, "\0\1", 2));
    event = await(web);
    assert_true(event.is_binary);
    assert_int_equal(event.bytes.size, 2);
    assert_int_equal(hy_web_show_one(web, number, 1, text_of("second")), HY_OK);
    hy_web_audience everybody;
    memset(everybody.has, true, sizeof everybody.has);
    assert_int_equal(hy_web_show(web, &everybody, 0, text_of("first")), HY_OK);
    assert_true(ws_await(&client, "first", LIMIT_US));
    char big[70001];
    memset(big, 'x', 70000);
    big[70000] = '\0';
    assert_int_equal(hy_web_show_one(web, number, 1, text_of(big)), HY_OK);
    assert_true(ws_await(&client, "xxxx", LIMIT_US));
    assert_int_equal(client.size, 70000);
    const hy_web_counters count = hy_web_count(web);
    assert_int_equal(count.tx_texts + count.tx_replaced, 3);
    assert_int_equal(count.rx_messages, 3);
    assert_int_equal(hy_web_show_one(web, number, 0, text_of(big)), HY_ERANGE);
    hy_web_disconnect(web, number, "enough");
    assert_true(ws_await_end(&client, LIMIT_US));
    assert_int_equal(client.close_code, 1008);
    event = await(web);
    assert_int_equal(event.what, HY_WEB_CLOSED);
    assert_int_equal(hy_web_show_one(web, number, 0, text_of("gone")), HY_OK);
    ws_close(&client);
    hy_web_close(web);
}

static void expect_refused(uint16_t port, const ws_options *options, const char *what)
{
    ws_client client;
    if (ws_open(&client, port, options)) {
        fail_msg("let in: %s", what);
    }
    if (client.status != 0 && client.status != 403) {
        fail_msg("%s: %d", what, client.status);
    }
}

static void strangers_are_refused(void **state)
{
    (void)state;
    hy_web *web = start();
    const uint16_t port = port_of(web);
    char there[64], evil[64];
    snprintf(there, sizeof there, "http://127.0.0.1:%u", (unsigned)port + 1);
    snprintf(evil, sizeof evil, "http://evil.example:%u", port);
    expect_refused(port, &(ws_options){ .origin = "http://evil.example" }, "another site");
    expect_refused(port, &(ws_options){ .origin = there }, "another port");
    expect_refused(port, &(ws_options){ .origin = "null" }, "a file");
    expect_refused(port, &(ws_options){ .origin = "" }, "no origin");
    expect_refused(port, &(ws_options){ .origin = evil, .host = evil + 7 },
                   "a name of a stranger's that leads here");
    expect_refused(port, &(ws_options){ .path = "/dead" }, "another path");
    expect_refused(port, &(ws_options){ .path = "/other" }, "the other endpoint's path");
    expect_refused(port, &(ws_options){ .protocol = "what" }, "an unknown sub-protocol");
    expect_refused(port, &(ws_options){ .protocol = "listener" }, "a name of the server's own");
    expect_refused(port, &(ws_options){ .protocol = "http" }, "another of these");
    expect_refused(port, &(ws_options){ .protocol = "" }, "no sub-protocol");
    hy_web_event event;
    assert_false(hy_web_next(web, &event));
    char local[64], local_host[64];
    snprintf(local, sizeof local, "http://localhost:%u", port);
    snprintf(local_host, sizeof local_host, "localhost:%u", port);
    ws_client client;
    assert_true(ws_open(&client, port, &(ws_options){ .origin = local, .host = local_host }));
    ws_close(&client);
    assert_true(ws_open(&client, port, &(ws_options){ .path = "/other", .protocol = "other" }));
    event = await(web);
    ws_close(&client);
    hy_web_close(web);
}

/// Connects, and is admitted; false if there is no place.
static bool enter(hy_web *web, ws_client *client, bool is_member)
{
    assert_true(ws_open(client, port_of(web), NULL));
    const hy_web_event event = await(web);
    assert_int_equal(event.what, HY_WEB_CONNECTED);
    return hy_web_admit(web, event.client, is_member);
}

static void there_is_an_end_to_members(void **state)
{
    (void)state;
    hy_web *web = start();
    ws_client clients[HY_WEB_MEMBERS], more;
    for (size_t i = 0; i < HY_WEB_MEMBERS; i++) {
        assert_true(enter(web, &clients[i], true));
    }
    assert_false(enter(web, &more, true));
    ws_close(&more);
    assert_int_equal(await(web).what, HY_WEB_CLOSED);
    ws_close(&clients[3]);
    const hy_web_event event = await(web);
    assert_int_equal(event.what, HY_WEB_CLOSED);
    assert_true(enter(web, &more, true));
    assert_true(ws_say(&more, "I have the place now"));
    const hy_web_event said = await(web);
    expect_text(&said, "I have the place now");
    hy_web_close(web); // with all of them connected
    ws_close(&more);
    for (size_t i = 0; i < HY_WEB_MEMBERS; i++) {
        if (i != 3) {
            ws_close(&clients[i]);
        }
    }
}

static void there_is_an_end_to_visitors(void **state)
{
    (void)state;
    hy_web *web = start();
    ws_client clients[HY_WEB_CLIENTS];
    size_t admitted = 0;
    while (admitted < HY_WEB_CLIENTS && enter(web, &clients[admitted], false)) {
        admitted++;
    }
    assert_int_equal(admitted, 116); // of 236, from one address
    ws_client member;
    assert_true(enter(web, &member, true));
    ws_close(&member);
    for (size_t i = 0; i <= admitted; i++) {
        ws_close(&clients[i]);
    }
    hy_web_close(web);
}

static void rude_clients_harm_nobody(void **state)
{
    (void)state;
    hy_web *web = start();
    ws_client polite, rude;
    static char garbage[1 << 20];
    hy_random random = hy_random_seeded(1);
    for (size_t i = 0; i < sizeof garbage; i++) {
        garbage[i] = (char)hy_random_below(&random, 256);
    }
    assert_true(ws_open(&polite, port_of(web), NULL));
    assert_int_equal(await(web).what, HY_WEB_CONNECTED);
    for (int way = 0; way < 4; way++) {
        assert_true(ws_open(&rude, port_of(web), NULL));
        assert_int_equal(await(web).what, HY_WEB_CONNECTED);
        switch (way) {
        case 0: ws_frame(&rude, 0x82, garbage, sizeof garbage); break; // a megabyte in one frame
        case 1: ws_raw(&rude, garbage, sizeof garbage); break;         // no frames at all
        case 2:
            for (int i = 0; i < 300 && ws_frame(&rude, i == 0 ? 0x02 : 0x00, garbage, 100); i++) {
            } // one without an end
            break;
        default:
            ws_raw(&rude, "\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 10);
            break; // as long as can be said
        }
        assert_true(ws_await_end(&rude, LIMIT_US));
        hy_web_event event;
        do {
            event = await(web);
            assert_true(event.bytes.size <= HY_WEB_MESSAGE_MAX);
        } while (event.what != HY_WEB_CLOSED);
        ws_close(&rude);
    }
    assert_true(hy_web_count(web).rx_too_long >= 2);
    assert_true(ws_say(&polite, "still there"));
    const hy_web_event event = await(web);
    expect_text(&event, "still there");
    ws_close(&polite);
    hy_web_close(web);
}

/// Who says more than its owner takes in is held back: it waits, and nobody else does.
static void a_flood_is_held_back(void **state)
{
    (void)state;
    hy_web *web = start();
    ws_client loud, quiet;
    assert_true(ws_open(&loud, port_of(web), NULL));
    assert_int_equal(await(web).what, HY_WEB_CONNECTED);
    assert_true(ws_open(&quiet, port_of(web), NULL));
    assert_int_equal(await(web).what, HY_WEB_CONNECTED);
    static char text[4001];
    memset(text, 'y', 4000);
    const pid_t child = fork(); // for it is kept waiting
    if (child == 0) {
        for (int i = 0; i < 400 && ws_say(&loud, text); i++) {
        }
        _exit(0);
    }
    while (hy_web_count(web).rx_messages < 4) { // of 16 kB that wait for the owner
        usleep(1000);
    }
    usleep(100000);
    assert_int_equal(hy_web_count(web).rx_messages, 4);
    assert_true(ws_say(&quiet, "me too"));
    int from_loud = 0;
    bool heard = false;
    while (!heard || from_loud < 400) {
        const hy_web_event event = await(web);
        assert_int_equal(event.what, HY_WEB_MESSAGE);
        heard = heard || event.bytes.size == 6;
        from_loud += event.bytes.size == 4000;
        assert_true(heard || from_loud <= 8);
    }
    waitpid(child, NULL, 0);
    ws_close(&loud);
    ws_close(&quiet);
    hy_web_close(web);
}

static void a_slow_client_gets_the_newest(void **state)
{
    (void)state;
    hy_web *web = start();
    ws_client slow, quick;
    hy_web_audience everybody;
    memset(everybody.has, true, sizeof everybody.has);
    assert_true(ws_open(&slow, port_of(web), &(ws_options){ .receive_room = 4096 }));
    assert_int_equal(await(web).what, HY_WEB_CONNECTED);
    assert_true(ws_open(&quick, port_of(web), NULL));
    assert_int_equal(await(web).what, HY_WEB_CONNECTED);
    static char text[60001];
    memset(text, 'z', 60000);
    const int last = 400;
    for (int i = 0; i <= last; i++) {
        char number[16];
        snprintf(number, sizeof number, "#%07d", i);
        memcpy(text, number, 8);
        assert_int_equal(hy_web_show(web, &everybody, 1, text_of(text)), HY_OK);
        assert_true(ws_await(&quick, number, LIMIT_US)); // is not kept waiting by the other
    }
    int heard = 0;
    do {
        assert_true(ws_hear(&slow, LIMIT_US));
        heard++;
    } while (atoi(slow.text + 1) != last);
    print_message("the slow client heard %d of %d texts\n", heard, last + 1);
    assert_true(heard <= 8);
    assert_true(hy_web_count(web).tx_replaced >= 390);
    ws_close(&slow);
    ws_close(&quick);
    hy_web_close(web);
}

static void sigpipe_is_left_alone(void **state)
{
    (void)state;
    struct sigaction now;
    hy_web *web = start();
    sigaction(SIGPIPE, NULL, &now);
    assert_true(now.sa_handler == SIG_DFL);
    ws_client client;
    for (int i = 0; i < 20; i++) { // texts to a client that has just gone
        assert_true(ws_open(&client, port_of(web), NULL));
        const unsigned number = await(web).client;
        ws_close(&client);
        hy_web_show_one(web, number, 1, text_of("are you there?"));
        while (await(web).what != HY_WEB_CLOSED) {
        }
    }
    hy_web_close(web);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_is_served),
        cmocka_unit_test(without_a_page_it_says_so),
        cmocka_unit_test(only_its_own_address_answers),
        cmocka_unit_test(they_talk),
        cmocka_unit_test(strangers_are_refused),
        cmocka_unit_test(there_is_an_end_to_members),
        cmocka_unit_test(there_is_an_end_to_visitors),
        cmocka_unit_test(rude_clients_harm_nobody),
        cmocka_unit_test(a_flood_is_held_back),
        cmocka_unit_test(a_slow_client_gets_the_newest),
        cmocka_unit_test(sigpipe_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
