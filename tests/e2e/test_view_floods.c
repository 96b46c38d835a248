// Pages that say as much as they can, and drivers beside them. Judged by counts: what came through, not when.
#include "cmocka_all.h"

#include <halyard/icd.h>
#include <halyard/link.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "match_ports.h"
#include "program.h"
#include "view_page.h"
#include "ws_client.h"
#include "ws_flood.h"

#define SECOND_US 1000000
#define LIMIT_US  (20 * SECOND_US)
#define PERIOD_US 20000 // of a driver's messages
#define SOON_US   10000 // from one command to a board to the next
#define LATE      7     // of these periods are just below 150 ms

// --------------------------------------------------------------------------- floods

/// A process that opens tokenless WebSockets as fast as it can and keeps the newest of them open.
static pid_t start_storm(uint16_t port)
{
    enum { KEPT = 160 }; // more than one address may have
    const pid_t parent = getpid(), child = fork();
    if (child != 0) {
        return child;
    }
    char request[256];
    int kept[KEPT];
    snprintf(
        request, sizeof request,
        "GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Protocol: halyard-page\r\n\r\n");
    for (size_t i = 0; getppid() == parent; i++) {
        if (i >= KEPT) {
            close(kept[i % KEPT]);
        }
        char answer[64];
        kept[i % KEPT] = http_begin("127.0.0.1", port, request);
        (void)recv(kept[i % KEPT], answer, sizeof answer, 0); // else the system refuses most of them
    }
    _exit(0);
}

// --------------------------------------------------------------------------- a match

typedef struct {
    match_ports ports;
    program view;
    view_page_place place;
    hy_link core;
} bench;

static void start_view(bench *self)
{
    char shift[16];
    match_ports_take(&self->ports);
    match_ports_open(&self->ports, HY_ICD_CORE_JOYSTICK, 1, &self->core);
    snprintf(shift, sizeof shift, "%u", self->ports.shift);
    const char *const arguments[] = { HALYARD_BINARY, "view",       "--json", "--listen",
                                      "127.0.0.1:0",  "--shift",    shift,    "--duration",
                                      "300",          "--watchers", NULL };
    self->view = program_start(arguments);
    assert_true(program_await(&self->view, "open http://", LIMIT_US) &&
                program_await(&self->view, "\n", LIMIT_US));
    assert_true(view_page_find(self->view.output, &self->place));
}

/// Whether a core hears of that left stick within a period. Answers each message.
static bool hears(bench *self, int left_y)
{
    static hy_icd_reader *reader;
    if (reader == NULL) {
        reader = hy_icd_reader_open();
    }
    const int64_t end_us = hy_clock_now_us() + PERIOD_US;
    bool heard = false;
    do {
        hy_datagram batch[HY_LINK_BATCH];
        hy_icd_sticks sticks;
        const size_t count = hy_link_receive(&self->core, batch, HY_LINK_BATCH);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(hy_icd_read_sticks(reader, batch[i].bytes, &sticks), HY_OK);
            hy_link_send(&self->core, &batch[i].peer, (hy_bytes){ (const uint8_t *)"{}", 2 });
            heard = heard || sticks.left_y == left_y;
        }
        usleep(count > 0 ? 0 : 500);
    } while (!heard && hy_clock_now_us() < end_us);
    return heard;
}

/// Moves the stick to `left_y` and repeats that every period until a core hears of it; how many periods that took.
static int drive_to(bench *self, ws_client *page, int left_y)
{
    char text[80];
    snprintf(text, sizeof text, "sticks 1 {\"leftJoystick\":[0,%d]}", left_y);
    for (int periods = 1; periods < 1000; periods++) {
        assert_true(ws_say(page, text));
        if (hears(self, left_y)) {
            return periods;
        }
    }
    (void)ws_hear(page, PERIOD_US);
    fail_msg("no core ever heard of %d; the page: %s", left_y, page->text);
    return 0;
}

/// A view with a page that drives player 1.
static bench *start_driven_view(ws_client *driver)
{
    bench *const self = calloc(1, sizeof *self);
    start_view(self);
    assert_true(view_page_open(driver, &self->place));
    assert_true(ws_say(driver, "own 1"));
    drive_to(self, driver, 500);
    return self;
}

enum { MOVES = 100 };

static int count_late(bench *self, ws_client *page)
{
    int late = 0;
    for (int left_y = 1; left_y <= MOVES; left_y++) {
        late += drive_to(self, page, left_y) > LATE ? 1 : 0;
    }
    return late;
}

/// The number that stands behind its key in what a program printed.
static unsigned number_of(const char *output, const char *key)
{
    const char *const at = strstr(output, key);
    assert_non_null(at);
    return (unsigned)strtoul(at + strlen(key), NULL, 10);
}

static void watchers_do_not_keep_a_driver_waiting(void **state)
{
    (void)state;
    static const char *const texts[] = { "own 1", "ping x", "sticks 1 {}", "", "reset", "release 1" };
    ws_client driver;
    bench *const b = start_driven_view(&driver);
    pid_t floods[6];
    for (size_t i = 0; i < 6; i++) {
        floods[i] = ws_flood_start(b->place.port, NULL, "no token", texts[i]);
    }
    usleep(300000); // until they are at it
    // A machine that is busy with something else makes a few late, too, but not three times in turn; a view that starves its driver does.
    int late = MOVES;
    for (int tries = 0; tries < 3 && late > 2; tries++) {
        late = count_late(b, &driver);
        print_message("%d of %d moves took more than %d periods\n", late, MOVES, LATE);
    }
    ws_floods_end(floods, 6);
    assert_true(late <= 2);
    ws_close(&driver);
    kill(b->view.pid, SIGTERM);
    static char output[8192];
    assert_int_equal(program_end(&b->view, output, sizeof output), 0);
    assert_true(number_of(output, "\"over_limit\":") > 1000); // they did what they could
    hy_link_close(&b->core);
    match_ports_give_back(&b->ports);
    free(b);
}

// A server that is stopped and goes on finds the sticks of meanwhile: who sent them may be gone.
static void old_sticks_move_nothing(void **state)
{
    (void)state;
    ws_client driver;
    bench *const b = start_driven_view(&driver);
    program_stop(&b->view);
    for (int i = 0; i < 10; i++) {
        assert_true(ws_say(&driver, "sticks 1 {\"leftJoystick\":[0,300]}"));
    }
    usleep(SECOND_US);
    (void)hears(b, 300); // what was under way
    kill(b->view.pid, SIGCONT);
    for (int i = 0; i < 20; i++) {
        assert_false(hears(b, 300));
    }
    drive_to(b, &driver, 400); // it goes on
    ws_close(&driver);
    kill(b->view.pid, SIGTERM);
    assert_int_equal(program_end(&b->view, NULL, 0), 0);
    hy_link_close(&b->core);
    match_ports_give_back(&b->ports);
    free(b);
}

// --------------------------------------------------------------------------- a board

static program start_board(view_page_place *place, hy_endpoint *udp)
{
    const char *const arguments[] = { HALYARD_BINARY, "board",       "xrp",
                                      "--listen",     "127.0.0.1:0", "--view=127.0.0.1:0",
                                      "--world",      "xrp-line",    "--duration",
                                      "300",          "--json",      NULL };
    char address[64] = "";
    program board = program_start(arguments);
    assert_true(program_await(&board, "listening on ", LIMIT_US));
    assert_true(program_await(&board, "\n", LIMIT_US));
    assert_true(view_page_find(board.output, place));
    assert_int_equal(sscanf(strstr(board.output, "listening on "), "listening on %63s", address), 1);
    assert_int_equal(hy_endpoint_parse(address, 0, udp), HY_OK);
    return board;
}

enum { COMMANDS = 100 };

/// Sends commands that enable the robot and say nothing else; false if this process was itself kept waiting so long that the watchdog
/// may have tripped for it.
static bool command(const hy_endpoint *board)
{
    hy_link client;
    hy_endpoint here;
    int64_t longest_us = 0, last_us = hy_clock_now_us();
    assert_int_equal(hy_endpoint_parse("127.0.0.1:0", 0, &here), HY_OK);
    assert_int_equal(hy_link_open(&client, &here), HY_OK);
    for (unsigned i = 1; i <= COMMANDS; i++) {
        const uint8_t command[] = { (uint8_t)(i >> 8), (uint8_t)i, 1 }; // number, control
        hy_link_send(&client, board, (hy_bytes){ command, sizeof command });
        usleep(SOON_US);
        const int64_t now_us = hy_clock_now_us();
        longest_us = now_us - last_us > longest_us ? now_us - last_us : longest_us;
        last_us = now_us;
    }
    hy_link_close(&client);
    return longest_us < SECOND_US / 4; // the watchdog waits for half a second
}

/// Four pages with the token say all they can to a board that is being driven; false if that says nothing, for this machine was too busy.
static bool flood_a_board(const char *const texts[4])
{
    static char output[8192];
    view_page_place place;
    hy_endpoint udp;
    program board = start_board(&place, &udp);
    char token[80];
    snprintf(token, sizeof token, "token %s", place.token);
    pid_t floods[4];
    for (size_t i = 0; i < 4; i++) {
        floods[i] = ws_flood_start(place.port, NULL, token, texts[i]);
    }
    usleep(300000); // until they are at it
    const bool was_quick = command(&udp);
    kill(board.pid, SIGTERM);
    ws_floods_end(floods, 4);
    assert_int_equal(program_end(&board, output, sizeof output), 0);
    const unsigned obeyed = number_of(output, "\"commands\":");
    const unsigned trips = number_of(output, "\"watchdog_trips\":");
    print_message("%u of %d commands obeyed, %u watchdog trips\n", obeyed, COMMANDS, trips);
    assert_true(!was_quick || obeyed >= COMMANDS - 3);
    assert_true(!was_quick || trips == 0);
    return was_quick;
}

static void pages_do_not_make_a_board_deaf(void **state)
{
    (void)state;
    static const char *const texts[][4] = { { "ping x", "button 1 down", "own 1", "" },
                                            { "reset", "reset", "reset", "reset" } };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        bool is_judged = false;
        for (int tries = 0; tries < 3 && !is_judged; tries++) {
            is_judged = flood_a_board(texts[i]);
        }
    }
}

// --------------------------------------------------------------------------- newcomers

/// Whether a page gets in that is as far away as a telephone: its first message comes 50 ms after its request.
static bool gets_in_slowly(const view_page_place *place)
{
    ws_client page;
    char protocols[96], token[80];
    snprintf(protocols, sizeof protocols, "halyard-page, token.%s", place->token);
    snprintf(token, sizeof token, "token %s", place->token);
    bool ok = ws_open(&page, place->port, &(ws_options){ .protocol = protocols });
    usleep(50000);
    ok = ok && ws_say(&page, token) && ws_await(&page, "\"type\":\"hello\"", LIMIT_US);
    ws_close(&page);
    return ok;
}

static void newcomers_get_in_during_a_storm(void **state)
{
    (void)state;
    enum { NEWCOMERS = 20, STORMS = 3 };
    view_page_place place;
    hy_endpoint udp;
    static char output[8192];
    program board = start_board(&place, &udp);
    pid_t storms[STORMS];
    for (size_t i = 0; i < STORMS; i++) {
        storms[i] = start_storm(place.port);
    }
    usleep(300000); // until they are at it
    int got_in = 0;
    for (int i = 0; i < NEWCOMERS; i++) {
        got_in += gets_in_slowly(&place) ? 1 : 0;
    }
    ws_floods_end(storms, STORMS);
    kill(board.pid, SIGTERM);
    assert_int_equal(program_end(&board, output, sizeof output), 0);
    print_message("%d of %d newcomers got in\n", got_in, NEWCOMERS);
    assert_int_equal(got_in, NEWCOMERS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(watchers_do_not_keep_a_driver_waiting),
        cmocka_unit_test(old_sticks_move_nothing),
        cmocka_unit_test(pages_do_not_make_a_board_deaf),
        cmocka_unit_test(newcomers_get_in_during_a_storm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
