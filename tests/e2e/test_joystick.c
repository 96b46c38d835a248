// `halyard joystick` before a core that is a socket of the test: scripts, the keyboard of a terminal, and who is believed.
#include "cmocka_all.h"

#include <halyard/icd.h>
#include <halyard/link.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "await.h"
#include "match_ports.h"
#include "program.h"
#include "refusal.h"

#define SECOND_US 1000000
#define LIMIT_US  (60 * SECOND_US)

typedef struct {
    match_ports ports;
    unsigned player;
    program joystick;
    hy_link core;
    hy_icd_reader *reader;
    hy_icd_sticks heard; // as they came last
    uint64_t messages;
    bool silent;       // the core answers nobody
    bool start_was_on; // at any time
    char script_path[64];
} bench;

static char output[16384];

static void begin(bench *self, unsigned player)
{
    memset(self, 0, sizeof *self);
    self->player = player;
    self->reader = hy_icd_reader_open();
    match_ports_take(&self->ports);
    match_ports_open(&self->ports, HY_ICD_CORE_JOYSTICK, player, &self->core);
    snprintf(self->script_path, sizeof self->script_path, "/tmp/halyard-hands-%d", (int)getpid());
}

static void start_script(bench *self, const char *script)
{
    FILE *const file = fopen(self->script_path, "w");
    assert_non_null(file);
    assert_true(fputs(script, file) >= 0 && fclose(file) == 0);
    char player[8];
    snprintf(player, sizeof player, "%u", self->player);
    const char *const arguments[] = { HALYARD_BINARY,
                                      "joystick",
                                      "--script",
                                      self->script_path,
                                      "--player",
                                      player,
                                      "--shift",
                                      self->ports.shift_text,
                                      NULL };
    self->joystick = program_start(arguments);
}

static void finish(bench *self)
{
    unlink(self->script_path);
    hy_link_close(&self->core);
    hy_icd_reader_close(self->reader);
    match_ports_give_back(&self->ports);
}

static void listen(bench *self)
{
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&self->core, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        // Originals check that.
        assert_int_equal(batch[i].peer.port,
                         hy_icd_port_of(HY_ICD_JOYSTICK, self->player) + self->ports.shift);
        assert_int_equal(hy_icd_read_sticks(self->reader, batch[i].bytes, &self->heard), HY_OK);
        self->messages++;
        self->start_was_on = self->start_was_on || self->heard.start;
        if (!self->silent) {
            (void)hy_link_send(&self->core, &batch[i].peer, (hy_bytes){ (const uint8_t *)"{}", 2 });
        }
    }
    usleep(500);
}

#define AWAIT(self, is_so) AWAIT_BY(listen, self, is_so, LIMIT_US)

/// The same until the program has said `text`.
static void await_text(bench *self, const char *text)
{
    AWAIT(self, program_await(&self->joystick, text, 1000));
}

static bool is_at_rest(const hy_icd_sticks *s)
{
    uint8_t text[1024], nothing[1024];
    const size_t size = hy_icd_write_sticks(s, (hy_room){ text, sizeof text });
    const size_t none =
        hy_icd_write_sticks(&(hy_icd_sticks){ 0 }, (hy_room){ nothing, sizeof nothing });
    return size == none && memcmp(text, nothing, size) == 0;
}

// --------------------------------------------------------------------------- scripts

static void a_script_is_played_to_its_end(void **state)
{
    (void)state;
    bench b;
    begin(&b, 3);
    start_script(&b, "0 left_y=512 right_x=-512 left_trigger=512 dpad_left=1 # all at once\n"
                     "+1 left_y=-1 right_x=0 left_trigger=0 dpad_left=0 start=1\n"
                     "+1 start=0 quit\n");
    AWAIT(&b, b.heard.left_y == 512);
    assert_true(b.heard.right_x == -512 && b.heard.left_trigger == 512 && b.heard.dpad_left);
    assert_false(b.heard.start || b.heard.dpad_right);
    AWAIT(&b, b.heard.left_y == -1 && b.heard.start);
    assert_true(b.heard.right_x == 0 && b.heard.left_trigger == 0 && !b.heard.dpad_left);
    AWAIT(&b, is_at_rest(&b.heard)); // everything is let go at the end, and more than once
    assert_int_equal(program_end(&b.joystick, output, sizeof output), 0);
    listen(&b);
    assert_true(is_at_rest(&b.heard));
    assert_non_null(strstr(output, "ready: player 3"));
    assert_non_null(strstr(output, "connected\n"));
    assert_non_null(strstr(output, "halyard joystick: ended; messages sent: "));
    assert_null(strstr(output, "could not be used"));
    finish(&b);
}

static void a_core_that_answers_is_sent_to_a_hundred_times_a_second(void **state)
{
    (void)state;
    bench b;
    begin(&b, 1);
    start_script(&b, "+3000 quit\n");
    AWAIT(&b, b.messages >= 10);
    const uint64_t before = b.messages;
    const int64_t from_us = hy_clock_now_us();
    AWAIT(&b, b.messages >= before + 100);
    const double rate_hz = 100.0 * 1e6 / (double)(hy_clock_now_us() - from_us);
    print_message("%.0f messages a second\n", rate_hz);
    assert_true(rate_hz < 200.0); // a busy machine makes it less, and hands some over in heaps
    kill(b.joystick.pid, SIGTERM);
    assert_int_equal(program_end(&b.joystick, NULL, 0), 0);
    finish(&b);
}

static void it_says_whether_the_core_is_there(void **state)
{
    (void)state;
    bench b;
    begin(&b, 1);
    b.silent = true;
    start_script(&b, "+3000 quit\n");
    AWAIT(&b, b.messages >= 3); // nobody answers, and it goes on
    b.silent = false;
    await_text(&b, "\nconnected\n");
    b.silent = true;
    await_text(&b, "\ndisconnected\n");
    program_forget(&b.joystick);
    b.silent = false;
    await_text(&b, "connected\n");
    kill(b.joystick.pid, SIGINT);
    assert_int_equal(program_end(&b.joystick, NULL, 0), 0);
    finish(&b);
}

static void only_its_core_is_believed(void **state)
{
    (void)state;
    bench b;
    hy_link stranger;
    begin(&b, 1);
    b.silent = true;
    start_script(&b, "+3000 quit\n");
    AWAIT(&b, b.messages >= 1);
    const hy_endpoint to = match_ports_at(&b.ports, HY_ICD_JOYSTICK, 1);
    const hy_endpoint from = match_ports_at(&b.ports, HY_ICD_CORE_JOYSTICK, 2);
    assert_int_equal(hy_link_open(&stranger, &from), HY_OK);
    static const char *const broken[] = { "", "{", "[]", "1" };
    for (int i = 0; i < 40; i++) {
        const char *const text = broken[i % 4];
        (void)hy_link_send(&stranger, &to, (hy_bytes){ (const uint8_t *)"{}", 2 });
        (void)hy_link_send(&b.core, &to, (hy_bytes){ (const uint8_t *)text, strlen(text) });
        listen(&b);
    }
    b.silent = false;
    await_text(&b, "\nconnected\n"); // not before somebody answered who may
    kill(b.joystick.pid, SIGTERM);
    assert_int_equal(program_end(&b.joystick, output, sizeof output), 0);
    assert_non_null(strstr(output, "; 80 messages could not be used"));
    hy_link_close(&stranger);
    finish(&b);
}

// --------------------------------------------------------------------------- keys

static void start_keys(bench *self)
{
    const char *const arguments[] = { HALYARD_BINARY,         "joystick", "--keys", "--shift",
                                      self->ports.shift_text, NULL };
    self->joystick = program_start_in_terminal(arguments);
    AWAIT(self, self->messages > 0);
}

/// Types `key` again and again, as one does who holds it, until `is_so`.
#define HOLD(self, key, is_so)                               \
    do {                                                     \
        const int64_t end_us = hy_clock_now_us() + LIMIT_US; \
        while (!(is_so)) {                                   \
            assert_true(hy_clock_now_us() < end_us);         \
            program_type(&(self)->joystick, key);            \
            for (int turns = 0; turns < 60; turns++) {       \
                listen(self);                                \
            }                                                \
        }                                                    \
    } while (0)

static void keys_drive(void **state)
{
    (void)state;
    bench b;
    begin(&b, 1);
    start_keys(&b);
    await_text(&b, "connected");
    await_text(&b, "keyboard");
    HOLD(&b, "w", b.heard.left_y == 512);
    assert_int_equal(b.heard.right_x, 0);
    AWAIT(&b, b.heard.left_y == 0);              // nobody holds it any more
    HOLD(&b, "\x1b[D", b.heard.right_x == -512); // an arrow
    HOLD(&b, "q", b.heard.left_trigger == 512);
    program_type(&b.joystick, " ");
    AWAIT(&b, is_at_rest(&b.heard));
    HOLD(&b, "\r", b.heard.start);
    HOLD(&b, "\x7f", b.heard.guide);
    HOLD(&b, "k", b.heard.a);
    b.silent = true;
    program_forget(&b.joystick);
    await_text(&b, "disconnected");
    b.silent = false;
    program_type(&b.joystick, "\x03");
    AWAIT(&b, is_at_rest(&b.heard));
    assert_int_equal(program_end(&b.joystick, output, sizeof output), 0);
    assert_non_null(strstr(output, "\x1b[?1049l")); // the terminal is as it was
    finish(&b);
}

static void without_its_terminal_it_lets_go_and_ends(void **state)
{
    (void)state;
    bench b;
    begin(&b, 1);
    start_keys(&b);
    HOLD(&b, "w", b.heard.left_y == 512);
    program_hang_up(&b.joystick);
    AWAIT(&b, is_at_rest(&b.heard));
    (void)program_end(&b.joystick, NULL, 0);
    finish(&b);
}

// --------------------------------------------------------------------------- other ports, and what is wrong

static void other_ports_are_used_as_told(void **state)
{
    (void)state;
    match_ports ports;
    hy_link core;
    char list[64];
    match_ports_take(&ports);
    const unsigned joystick_port = 2000 + ports.shift + 37, core_port = 2000 + ports.shift + 28;
    snprintf(list, sizeof list, "%u,%u,6001,8001,10001,12001", joystick_port, core_port);
    char text[HY_ENDPOINT_TEXT_MAX];
    hy_endpoint at;
    snprintf(text, sizeof text, "127.0.0.1:%u", core_port + 10); // of player 2
    assert_int_equal(hy_endpoint_parse(text, 0, &at), HY_OK);
    assert_int_equal(hy_link_open(&core, &at), HY_OK);
    const char *const arguments[] = { HALYARD_BINARY, "joystick", "--player",  "2", "--ports",
                                      list,           "--script", "/dev/null", NULL };
    program joystick = program_start(arguments);
    hy_datagram batch[HY_LINK_BATCH];
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (hy_link_receive(&core, batch, HY_LINK_BATCH) == 0) {
        assert_true(hy_clock_now_us() < end_us);
        usleep(500);
    }
    assert_int_equal(batch[0].peer.port, joystick_port + 10);
    assert_int_equal(program_end(&joystick, NULL, 0), 0);
    hy_link_close(&core);
    match_ports_give_back(&ports);
}

typedef struct {
    const char *arguments[4], *says;
    int status;
} wrong_use;

static const wrong_use wrong[] = {
    { { "--player", "0" }, "--player must be between 1 and 6", 2 },
    { { "--player", "7" }, "--player must be between 1 and 6", 2 },
    { { "--player", "x" }, "--player needs a whole number", 2 },
    { { "--player", "1.5" }, "--player needs a whole number", 2 },
    { { "--player" }, "--player needs a value", 2 },
    { { "--shift", "70000" }, "give at most 49485", 2 },
    { { "--ports", "2000" }, "as in 2000,4000,6000,8000,10000,12000", 2 },
    { { "--ports", "" }, "as in 2000,4000,6000,8000,10000,12000", 2 },
    { { "--ports", "0,1,2,3,4,5" }, "as in 2000,4000,6000,8000,10000,12000", 2 },
    { { "--ports", "1,2,3,4,5,6,7,8,9" }, "as in 2000,4000,6000,8000,10000,12000", 2 },
    { { "--ports", "2000,4000,6000,8000,10000,65536" }, "as in 2000,4000,6000,8000,10000,12000", 2 },
    { { "--ports", "2000,2010,6000,8000,10000,12000" }, "two players would share one", 2 },
    { { "--ports", "2000,4000,6000,8000,10000,65500" }, "player 6 would have port 65550", 2 },
    { { "--core", "" }, "'': the address is not understood", 1 },
    { { "--core", "999.1.1.1" }, "'999.1.1.1': the address is not understood", 1 },
    { { "--core", "::1" }, "IPv6 in brackets", 1 },
    { { "--core", "[::1]" }, "one is IPv4, the other IPv6", 1 },
    { { "--core", "127.0.0.1:4001" }, "'127.0.0.1:4001' has a port", 1 },
    { { "--listen", "127.0.0.1:9" }, "'127.0.0.1:9' has a port", 1 },
    { { "--listen", "192.0.2.1", "--script=/dev/null" }, "it is not an address of this machine", 1 },
    { { "--script" }, "--script needs a value", 2 },
    { { "--duration", "0" }, "--duration must be between", 2 },
    { { "--duration", "-1" }, "--duration must be between", 2 },
    { { "--duration", "soon" }, "--duration needs a number", 2 },
    { { "--pad", "9" }, "--pad must be between 0 and 8", 2 },
    { { "--keys" }, "--keys needs a terminal", 1 },
    { { "--keys", "--pad", "1" }, "exclude each other", 2 },
    { { "--any-address=yes" }, "--any-address takes no value", 2 },
    { { "--colour" }, "unknown option '--colour'", 2 },
    { { "ahead" }, "unexpected argument 'ahead'", 2 },
};

static void one_sentence_for_what_is_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const wrong_use *const w = &wrong[i];
        check_refusal(ARGUMENTS("joystick", w->arguments[0], w->arguments[1], w->arguments[2]),
                      w->status, w->says);
    }
}

static void a_port_in_use_is_named(void **state)
{
    (void)state;
    bench b;
    hy_link taken;
    char name[HY_ENDPOINT_TEXT_MAX];
    begin(&b, 2);
    match_ports_open(&b.ports, HY_ICD_JOYSTICK, 2, &taken);
    start_script(&b, "+3000 quit\n");
    assert_int_equal(program_end(&b.joystick, output, sizeof output), 1);
    assert_non_null(strstr(output, hy_endpoint_format(&taken.local, name)));
    assert_non_null(strstr(output, "--shift 1"));
    hy_link_close(&taken);
    finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_script_is_played_to_its_end),
        cmocka_unit_test(a_core_that_answers_is_sent_to_a_hundred_times_a_second),
        cmocka_unit_test(it_says_whether_the_core_is_there),
        cmocka_unit_test(only_its_core_is_believed),
        cmocka_unit_test(keys_drive),
        cmocka_unit_test(without_its_terminal_it_lets_go_and_ends),
        cmocka_unit_test(other_ports_are_used_as_told),
        cmocka_unit_test(one_sentence_for_what_is_wrong),
        cmocka_unit_test(a_port_in_use_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
