// How long the web server waits for clients, to the microsecond: this program has its own clock, which stands still unless a test moves it.
#include "cmocka_all.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "web/web.h"

#define SECOND_US   INT64_C(1000000)
#define LIMIT_MS    20000 // of real time: much more than anything here takes
#define FILE_SIZE   1000000
#define CREDIT_MAX  65536
#define MESSAGE_MAX 4000

// --------------------------------------------------------------------------- the clock

static atomic_llong clock_now_us = 1000 * SECOND_US;

int clock_gettime(clockid_t clock, struct timespec *now) // NOLINT: as the system declares it
{
    (void)clock;
    const int64_t us = atomic_load(&clock_now_us);
    *now = (struct timespec){ .tv_sec = (time_t)(us / SECOND_US),
                              .tv_nsec = (long)(us % SECOND_US) * 1000 };
    return 0;
}

static void advance(int64_t us)
{
    atomic_fetch_add(&clock_now_us, us);
}

// --------------------------------------------------------------------------- accept()

static atomic_bool accept_fails;
static atomic_int refused; // how often it failed for lack of descriptors

// glibc declares it with a union of pointers in place of the address, which gcc accepts for this definition but remarks on.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

int accept(int listener, struct sockaddr *address, socklen_t *size) // NOLINT: as the system declares it
{
    if (atomic_load(&accept_fails)) {
        atomic_fetch_add(&refused, 1);
        errno = EMFILE;
        return -1;
    }
    return (int)syscall(SYS_accept, listener, address, size);
}

#pragma GCC diagnostic pop

// Who says nothing is accepted at once, as by a system that cannot wait for it to speak.
int setsockopt(int socket_, int level, int name, const void *value, socklen_t size) // NOLINT: the same
{
#if defined TCP_DEFER_ACCEPT
    if (level == IPPROTO_TCP && name == TCP_DEFER_ACCEPT) {
        errno = ENOPROTOOPT;
        return -1;
    }
#endif
    return (int)syscall(SYS_setsockopt, socket_, level, name, value, size);
}

// --------------------------------------------------------------------------- the server and its clients

static uint16_t port;

static hy_web *start(void)
{
    static const hy_web_endpoint live = { .path = "/live", .protocol = "p", .allows_programs = true };
    static uint8_t bytes[FILE_SIZE];
    static const hy_web_file files[] = { { "/small", "text/plain", { bytes, 1 } },
                                         { "/large", "text/plain", { bytes, FILE_SIZE } } };
    const hy_web_options options = { .listen = { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 } },
                                     .files = files,
                                     .file_count = 2,
                                     .endpoints = &live,
                                     .endpoint_count = 1,
                                     .message_max = MESSAGE_MAX };
    hy_web *web;
    assert_int_equal(hy_web_open(&web, &options), HY_OK);
    port = hy_web_address(web).port;
    return web;
}

static int connect_and_say(const char *text)
{
    const struct sockaddr_in to = { .sin_family = AF_INET,
                                    .sin_port = htons(port),
                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    const int client = socket(AF_INET, SOCK_STREAM, 0), room = 65536; // less than the large file needs
    assert_int_equal(setsockopt(client, SOL_SOCKET, SO_RCVBUF, &room, sizeof room), 0);
    assert_int_equal(connect(client, (const struct sockaddr *)&to, sizeof to), 0);
    assert_int_equal(send(client, text, strlen(text), MSG_NOSIGNAL), strlen(text));
    return client;
}

// What comes next, at most `most` bytes; 0: the server has ended the connection.
static size_t hear(int client, void *bytes, size_t most)
{
    struct pollfd waiting = { .fd = client, .events = POLLIN };
    assert_int_equal(poll(&waiting, 1, LIMIT_MS), 1);
    const ssize_t size = recv(client, bytes, most, 0);
    return size > 0 ? (size_t)size : 0;
}

// Bytes until the server ends the connection.
static size_t hear_all(int client)
{
    static char bytes[65536];
    size_t all = 0;
    for (size_t some; (some = hear(client, bytes, sizeof bytes)) > 0;) {
        all += some;
    }
    close(client);
    return all;
}

// The server has looked at all that was sent to it, and at the time: clients of before this one have their turn first.
static void let_it_look(void)
{
    const int client =
        connect_and_say("GET /small HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert_true(hear_all(client) > 100);
}

static bool is_open(int client)
{
    char byte;
    let_it_look();
    return recv(client, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

// --------------------------------------------------------------------------- requests

static void a_request_has_five_seconds(void **state)
{
    (void)state;
    hy_web *const web = start();
    const int silent = connect_and_say(""), slow = connect_and_say("GET /small HT");
    assert_true(is_open(silent) && is_open(slow));
    advance(3 * SECOND_US); // a second part gives no more time
    assert_int_equal(send(slow, "TP/1.1\r\n", 8, MSG_NOSIGNAL), 8);
    assert_true(is_open(silent) && is_open(slow));
    advance(2 * SECOND_US);
    assert_true(is_open(silent) && is_open(slow));
    advance(1);
    assert_int_equal(hear_all(silent), 0);
    assert_int_equal(hear_all(slow), 0);
    hy_web_close(web);
}

// Reads the answer to a request for the large file, in more than one turn of the server.
static void hear_large(int client)
{
    static char bytes[65536];
    let_it_look(); // some of it has been sent
    advance(1);
    size_t all = 0;
    while (all < FILE_SIZE) {
        const size_t some = hear(client, bytes, sizeof bytes);
        assert_true(some > 0);
        all += some;
    }
    while (recv(client, bytes, sizeof bytes, MSG_DONTWAIT) > 0) { // the head's bytes
    }
    let_it_look();
    while (recv(client, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {
    }
}

static void between_requests_there_are_thirty_seconds(void **state)
{
    (void)state;
    static const char request[] = "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n";
    hy_web *const web = start();
    const int client = connect_and_say(request);
    hear_large(client);
    advance(29 * SECOND_US);
    assert_true(is_open(client));
    assert_int_equal(send(client, request, sizeof request - 1, MSG_NOSIGNAL), sizeof request - 1);
    hear_large(client);
    advance(30 * SECOND_US);
    assert_true(is_open(client));
    advance(1);
    assert_int_equal(hear_all(client), 0);

    const int late =
        connect_and_say(request); // a request that begins after a pause has its five seconds from then
    hear_large(late);
    advance(29 * SECOND_US);
    assert_int_equal(send(late, "GET ", 4, MSG_NOSIGNAL), 4);
    assert_true(is_open(late));
    advance(5 * SECOND_US);
    assert_true(is_open(late));
    advance(1);
    assert_int_equal(hear_all(late), 0);
    hy_web_close(web);
}

// An answer that is sent whole in the turn that read its request.
static void a_small_answer_is_followed_by_thirty_seconds_too(void **state)
{
    (void)state;
    char answer[65536];
    hy_web *const web = start();
    const int client = connect_and_say("GET /small HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_true(hear(client, answer, sizeof answer) > 100);
    assert_true(is_open(client));
    advance(30 * SECOND_US);
    assert_true(is_open(client));
    advance(1);
    assert_int_equal(hear_all(client), 0);
    hy_web_close(web);
}

// Until the server has sent what the sockets take.
static void let_sockets_fill(int client)
{
    int before = -1, waiting = 0;
    for (int same = 0; same < 5; same = waiting == before ? same + 1 : 0) {
        before = waiting;
        let_it_look();
        assert_int_equal(ioctl(client, FIONREAD, &waiting), 0);
    }
    assert_in_range(waiting, 1, FILE_SIZE - 1);
}

static void who_takes_nothing_for_ten_seconds_is_gone(void **state)
{
    (void)state;
    static const char request[] =
        "GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    hy_web *const web = start();
    for (int64_t more_us = 0; more_us < 2; more_us++) {
        const int client = connect_and_say(request);
        let_sockets_fill(client);
        advance(10 * SECOND_US + more_us);
        let_it_look();
        const size_t all = hear_all(client);
        assert_true(more_us == 0 ? all > FILE_SIZE : all < FILE_SIZE);
    }
    hy_web_close(web);
}

// --------------------------------------------------------------------------- WebSockets

static hy_web_event next_event(hy_web *web)
{
    hy_web_event event;
    while (!hy_web_next(web, &event)) {
        struct pollfd waiting = { .fd = (int)hy_web_descriptor(web), .events = POLLIN };
        assert_int_equal(poll(&waiting, 1, LIMIT_MS), 1);
    }
    return event;
}

static int open_page(hy_web *web, unsigned *number)
{
    const int client = connect_and_say(
        "GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Protocol: p\r\n\r\n");
    char head[512] = "";
    for (size_t size = 0; strstr(head, "\r\n\r\n") == NULL;) {
        const size_t some = hear(client, head + size, 1); // not what comes behind it
        assert_true(some > 0 && ++size < sizeof head);
    }
    const hy_web_event event = next_event(web);
    assert_int_equal(event.what, HY_WEB_CONNECTED);
    *number = event.client;
    return client;
}

static void say(int client, const void *frame, size_t size)
{
    assert_int_equal(send(client, frame, size, MSG_NOSIGNAL), size);
}

static void say_hi(int client)
{
    say(client, "\x81\x82\0\0\0\0hi", 8);
}

static bool hears_ping(int client)
{
    uint8_t frame[2] = { 0 };
    let_it_look();
    return recv(client, frame, 2, MSG_DONTWAIT) == 2 && frame[0] == 0x89 && frame[1] == 0;
}

static void who_is_silent_is_asked_and_then_gone(void **state)
{
    (void)state;
    unsigned number;
    hy_web *const web = start();
    const int client = open_page(web, &number);
    for (int i = 0; i < 3; i++) { // as long as it answers
        advance(4 * SECOND_US);
        assert_true(is_open(client));
        advance(1);
        assert_true(hears_ping(client));
        say(client, "\x8a\x80\0\0\0\0", 6);
        assert_true(is_open(client));
    }
    advance(4 * SECOND_US + 1);
    assert_true(hears_ping(client));
    advance(4 * SECOND_US);
    assert_true(is_open(client));
    advance(1);
    assert_true(hears_ping(client));
    advance(2 * SECOND_US - 2);
    assert_true(is_open(client));
    advance(1);
    assert_int_equal(hear_all(client), 0);
    assert_int_equal(next_event(web).what, HY_WEB_CLOSED);
    hy_web_close(web);
}

// A page that its owner does not listen to is not silent.
static void who_is_held_back_is_not_silent(void **state)
{
    (void)state;
    static uint8_t frame[8 + MESSAGE_MAX] = { 0x82 - 1, 0x80 | 126, MESSAGE_MAX >> 8,
                                              MESSAGE_MAX & 255 };
    unsigned number;
    hy_web *const web = start();
    const int client = open_page(web, &number);
    for (int i = 0; i < 6; i++) {
        say(client, frame, sizeof frame);
    }
    while (hy_web_count(web).rx_messages < 4) { // as many as wait for the owner
        let_it_look();
    }
    let_it_look();
    for (int i = 0; i < 3; i++) {
        advance(9 * SECOND_US);
        let_it_look();
    }
    for (int i = 0; i < 6; i++) {
        const hy_web_event event = next_event(web);
        assert_int_equal(event.what, HY_WEB_MESSAGE);
        assert_int_equal(event.bytes.size, MESSAGE_MAX);
    }
    assert_true(is_open(client));
    close(client);
    hy_web_close(web);
}

// Of this program, and so of the server.
static int count_descriptors(void)
{
    int count = 0;
    for (int i = 0; i < 64; i++) {
        count += fcntl(i, F_GETFD) >= 0;
    }
    return count;
}

// The server closes its end of a look some time after the look.
static void await_descriptors(int count)
{
    for (int ms = 0; count_descriptors() > count && ms < LIMIT_MS; ms++) {
        usleep(1000);
    }
    assert_int_equal(count_descriptors(), count);
}

static void a_closed_page_has_a_second_to_go(void **state)
{
    (void)state;
    uint8_t frame[16];
    unsigned number;
    hy_web *const web = start();
    const int client = open_page(web, &number);
    const int open_ones = count_descriptors();
    hy_web_disconnect(web, number, "enough");
    size_t size = 0;
    for (size_t some; (some = hear(client, frame + size, sizeof frame - size)) > 0;) {
        size += some;
    }
    assert_int_equal(size, 2 + 2 + 6);
    assert_memory_equal(frame,
                        "\x88\x08\x03\xf0"
                        "enough",
                        10);
    assert_int_equal(next_event(web).what, HY_WEB_CLOSED); // its owner need not wait
    advance(SECOND_US);
    let_it_look();
    await_descriptors(open_ones);
    advance(1);
    let_it_look();
    await_descriptors(open_ones - 1);
    close(client);
    hy_web_close(web);
}

// --------------------------------------------------------------------------- floods

// The owner hears so many bytes of messages, and then nothing more.
static void expect_messages(hy_web *web, size_t size)
{
    size_t all = 0;
    while (all < size) {
        const hy_web_event event = next_event(web);
        assert_int_equal(event.what, HY_WEB_MESSAGE);
        all += 8 + event.bytes.size;
    }
    assert_int_equal(all, size);
    for (int i = 0; i < 3; i++) {
        hy_web_event event;
        let_it_look();
        assert_false(hy_web_next(web, &event));
    }
}

// 65,536 bytes at once, and a byte a microsecond; read again once 16,384 may be.
static void a_page_says_a_megabyte_a_second(void **state)
{
    (void)state;
    enum { FRAME = 512, FRAMES = 500 };
    static uint8_t frame[FRAME] = { 0x81, 0x80 | 126, (FRAME - 8) >> 8, (FRAME - 8) & 255 };
    unsigned number;
    hy_web *const web = start();
    const int client = open_page(web, &number);
    advance(SECOND_US); // what the upgrade took comes back, and no more
    assert_true(is_open(client));
    for (int i = 0; i < FRAMES; i++) { // less than sockets have room for
        say(client, frame, sizeof frame);
    }
    expect_messages(web, CREDIT_MAX);
    advance(16383);
    expect_messages(web, 0);
    advance(1);
    expect_messages(web, 16384);
    advance(100 * 1000);
    expect_messages(web, CREDIT_MAX);
    advance(20000);
    expect_messages(web, 20000 / FRAME * FRAME);
    close(client);
    hy_web_close(web);
}

// Without descriptors it does not ask for connections again and again; they wait.
static void without_descriptors_it_asks_ten_times_a_second(void **state)
{
    (void)state;
    unsigned number;
    hy_web *const web = start();
    const int client = open_page(web, &number);
    let_it_look();
    atomic_store(&refused, 0);
    atomic_store(&accept_fails, true);
    const int newcomer =
        connect_and_say("GET /small HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    while (atomic_load(&refused) == 0) {
        say_hi(client);
        assert_int_equal(next_event(web).what, HY_WEB_MESSAGE);
    }
    for (int i = 0; i < 20; i++) {
        advance(i < 10 ? 0 : 9999);
        say_hi(client);
        assert_int_equal(next_event(web).what, HY_WEB_MESSAGE);
    }
    assert_int_equal(atomic_load(&refused), 1);
    advance(10);
    while (atomic_load(&refused) == 1) {
        say_hi(client);
        assert_int_equal(next_event(web).what, HY_WEB_MESSAGE);
    }
    atomic_store(&accept_fails, false);
    advance(100000);
    assert_true(hear_all(newcomer) > 100);
    close(client);
    hy_web_close(web);
}

// --------------------------------------------------------------------------- a program that stood still

static bool is_old(hy_web *web, int client)
{
    say_hi(client);
    const hy_web_event event = next_event(web);
    assert_int_equal(event.what, HY_WEB_MESSAGE);
    return event.is_old;
}

static void what_waited_while_the_program_stood_still_is_old(void **state)
{
    (void)state;
    unsigned number;
    hy_web *const web = start();
    const int client = open_page(web, &number);
    assert_false(is_old(web, client));
    let_it_look();
    advance(SECOND_US / 2);
    assert_false(is_old(web, client));
    let_it_look();
    advance(SECOND_US / 2 + 1);
    assert_true(is_old(web, client));
    const int newcomer = open_page(web, &number); // it may have waited to be accepted
    assert_true(is_old(web, newcomer));
    let_it_look();
    const int second = open_page(web, &number);
    assert_false(is_old(web, second));
    let_it_look();
    assert_true(is_old(web, client)); // what did not fit into the socket comes now
    advance(3 * SECOND_US / 10 - 1);
    let_it_look();
    assert_true(is_old(web, client));
    advance(1);
    let_it_look();
    assert_false(is_old(web, client));
    assert_false(is_old(web, newcomer));
    close(client);
    close(newcomer);
    close(second);
    hy_web_close(web);
}

// All that was sent has come to the server's socket.
static void await_delivery(int client)
{
    int left = -1;
    for (int ms = 0; left != 0 && ms < LIMIT_MS; ms++) {
        assert_int_equal(ioctl(client, TIOCOUTQ, &left), 0);
        usleep(1000);
    }
    assert_int_equal(left, 0);
}

// So many bytes of messages, all of them old or none.
static void expect_age(hy_web *web, size_t size, bool is_old_)
{
    for (size_t all = 0; all < size;) {
        const hy_web_event event = next_event(web);
        assert_int_equal(event.what, HY_WEB_MESSAGE);
        assert_int_equal(event.is_old, is_old_);
        all += 8 + event.bytes.size;
    }
}

// What a connection may not say yet has waited as well, however late it is read.
static void what_was_held_up_by_the_limit_is_old(void **state)
{
    (void)state;
    enum { FRAME = 512, FRAMES = 3 * CREDIT_MAX / FRAME, MORE = 36 };
    static uint8_t frame[FRAME] = { 0x81, 0x80 | 126, (FRAME - 8) >> 8, (FRAME - 8) & 255 };
    unsigned number;
    hy_web *const web = start();
    const int client = open_page(web, &number);
    advance(SECOND_US / 2);
    assert_true(is_open(client));
    for (int i = 0; i < FRAMES; i++) {
        say(client, frame, sizeof frame);
    }
    expect_age(web, CREDIT_MAX, false);
    let_it_look();
    advance(SECOND_US / 2 + 1); // it stood still
    expect_age(web, CREDIT_MAX, true);
    let_it_look();
    advance(295000);
    expect_age(web, CREDIT_MAX, true);
    let_it_look();
    // Said only now, for what waits on the client's side gets to the server when its socket is empty, and so looks as if nothing had waited.
    for (int i = 0; i < MORE; i++) {
        say(client, frame, sizeof frame);
    }
    await_delivery(client);
    let_it_look();
    advance(5000); // long enough for what waited in the sockets, but not for the limit
    let_it_look();
    advance(20000);
    expect_age(web, MORE * FRAME, true);
    close(client);
    hy_web_close(web);
}

// --------------------------------------------------------------------------- places

#define ASKING 200 // more than one address has places

// Others of this address ask for a file, each as soon as it has come, and stay: many of them have to go for those behind them.
static void ask_for_files(void)
{
    int asking[ASKING];
    char answer[16];
    for (size_t i = 0; i < ASKING; i++) {
        asking[i] = connect_and_say("GET /small HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert_true(hear(asking[i], answer, sizeof answer) > 0);
    }
    for (size_t i = 0; i < ASKING; i++) {
        close(asking[i]);
    }
}

static void requests_take_nobodys_time_to_speak(void **state)
{
    (void)state;
    char answer[65536];
    static const char rest[] = "TP/1.1\r\nHost: localhost\r\n\r\n";
    hy_web *const web = start();
    const int newcomer = connect_and_say("GET /small HT"); // a round trip away
    assert_true(is_open(newcomer));
    advance(2 * SECOND_US - 1);
    ask_for_files();
    assert_true(hy_web_count(web).evicted > 0);
    assert_int_equal(send(newcomer, rest, sizeof rest - 1, MSG_NOSIGNAL), sizeof rest - 1);
    assert_true(hear(newcomer, answer, sizeof answer) > 100);
    close(newcomer);

    const int late = connect_and_say("GET /small HT");
    assert_true(is_open(late));
    advance(2 * SECOND_US);
    ask_for_files();
    assert_int_equal(hear_all(late), 0);
    hy_web_close(web);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_has_five_seconds),
        cmocka_unit_test(between_requests_there_are_thirty_seconds),
        cmocka_unit_test(a_small_answer_is_followed_by_thirty_seconds_too),
        cmocka_unit_test(who_takes_nothing_for_ten_seconds_is_gone),
        cmocka_unit_test(who_is_silent_is_asked_and_then_gone),
        cmocka_unit_test(who_is_held_back_is_not_silent),
        cmocka_unit_test(a_closed_page_has_a_second_to_go),
        cmocka_unit_test(a_page_says_a_megabyte_a_second),
        cmocka_unit_test(without_descriptors_it_asks_ten_times_a_second),
        cmocka_unit_test(requests_take_nobodys_time_to_speak),
        cmocka_unit_test(what_was_held_up_by_the_limit_is_old),
        cmocka_unit_test(what_waited_while_the_program_stood_still_is_old),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
