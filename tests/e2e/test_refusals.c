// What the programs take of others, and what they say of what they cannot use: the samples of the interface document as they stand
// there, comments and all, are used; of what is malformed, or from elsewhere, each sender hears once why.
#include "cmocka_all.h"

#include <halyard/icd.h>
#include <halyard/link.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "match_ports.h"
#include "program.h"

#define LIMIT_US 60000000

static match_ports ports;
static char output[16384];

static hy_link open_at(hy_icd_port port)
{
    hy_link link;
    match_ports_open(&ports, port, 1, &link);
    return link;
}

static hy_link open_elsewhere(void)
{
    hy_link link;
    hy_endpoint any;
    assert_int_equal(hy_endpoint_parse("127.0.0.1:0", 0, &any), HY_OK);
    assert_int_equal(hy_link_open(&link, &any), HY_OK);
    return link;
}

static void send_bytes(hy_link *from, const hy_endpoint *to, const void *bytes, size_t size)
{
    assert_int_equal(hy_link_send(from, to, (hy_bytes){ bytes, size }), HY_OK);
}

static void send_text(hy_link *from, hy_icd_port port, const char *text)
{
    const hy_endpoint to = match_ports_at(&ports, port, 1);
    send_bytes(from, &to, text, strlen(text));
}

/// Sends a sample of the interface document, verbatim.
static void send_sample(hy_link *from, hy_icd_port port, const char *name)
{
    char path[512], text[4096];
    snprintf(path, sizeof path, "%s/golden/icd/document/%s.json5", HALYARD_TEST_DATA, name);
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    send_text(from, port, text);
}

static program start(const char *name, const char *const *options, const char *ready)
{
    match_ports_take(&ports);
    const char *arguments[16] = { HALYARD_BINARY, name, "--shift", ports.shift_text, "--json" };
    for (size_t i = 0; options[i] != NULL; i++) {
        arguments[i + 5] = options[i];
    }
    program self = program_start(arguments);
    assert_true(program_await(&self, ready, LIMIT_US));
    return self;
}

/// A datagram that was sent before this one has been read when the program says that it cannot use this one.
static void await_refusal(program *self, hy_link *from, hy_icd_port port, const char *text,
                          const char *why)
{
    char line[256], sender[HY_ENDPOINT_TEXT_MAX];
    send_text(from, port, text);
    send_text(from, port, text); // of which nothing more is said
    snprintf(line, sizeof line, "cannot use a message of %s: %s",
             hy_endpoint_format(&from->local, sender), why);
    if (!program_await(self, line, LIMIT_US)) {
        fail_msg("%s is missing in: %s", line, self->output);
    }
}

static unsigned lines_with(const char *text)
{
    unsigned count = 0;
    for (const char *at = output; (at = strstr(at, text)) != NULL; at++) {
        count++;
    }
    return count;
}

/// Ends it; it has said `lines` of refusals, and then `summary`.
static void finish(program *self, unsigned lines, const char *summary)
{
    kill(self->pid, SIGTERM);
    assert_int_equal(program_end(self, output, sizeof output), 0);
    if (strstr(output, summary) == NULL || lines_with("cannot use") != lines) {
        fail_msg("not '%s' behind %u lines: %s", summary, lines, output);
    }
    match_ports_give_back(&ports);
}

#define OPTIONS(...) ((const char *const[]){ __VA_ARGS__ NULL })

static void a_core(void **state)
{
    (void)state;
    program core = start("core", OPTIONS(), "ready: player 1\n");
    hy_link joystick = open_at(HY_ICD_JOYSTICK), sim = open_at(HY_ICD_SIM_CORE),
            stranger = open_elsewhere();
    send_sample(&sim, HY_ICD_CORE_SIM, "sim_to_core");
    send_sample(&joystick, HY_ICD_CORE_JOYSTICK, "joystick_to_core");
    await_refusal(&core, &joystick, HY_ICD_CORE_JOYSTICK, "{\"leftJoystick\":[1]}",
                  "leftJoystick is not a list of two numbers");
    await_refusal(&core, &sim, HY_ICD_CORE_SIM, "{\"x\":1", "not JSON at byte 6: ");
    await_refusal(&core, &stranger, HY_ICD_CORE_SIM, "{}", "messages are expected from 127.0.0.1:");
    finish(&core, 3, "{\"sticks\":1,\"sensors\":1,");
    hy_link_close(&joystick);
    hy_link_close(&sim);
    hy_link_close(&stranger);
}

static void a_sim(void **state)
{
    (void)state;
    program sim = start("sim", OPTIONS("--players", "1", ), "ready: 1 player");
    hy_link core = open_at(HY_ICD_CORE_SIM), view = open_at(HY_ICD_VIEW), stranger = open_elsewhere();
    send_sample(&core, HY_ICD_SIM_CORE, "core_to_sim");
    send_sample(&view, HY_ICD_SIM_VIEW, "core_to_joystick"); // the same heartbeat
    await_refusal(&sim, &core, HY_ICD_SIM_CORE, "{\"reset\":\"now\"}", "reset is not 0 or 1");
    await_refusal(&sim, &view, HY_ICD_SIM_VIEW, "7", "not a JSON object");
    await_refusal(&sim, &stranger, HY_ICD_SIM_CORE, "{}", "messages are expected from 127.0.0.1:");
    finish(&sim, 3, "{\"commands\":1,");
    hy_link_close(&core);
    hy_link_close(&view);
    hy_link_close(&stranger);
}

static void a_view(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/halyard-refusals-%d.wpilog", (int)getpid());
    program view =
        start("view", OPTIONS("--listen", "127.0.0.1:0", "--record", path, ), "halyard: ready ");
    hy_link sim = open_at(HY_ICD_SIM_VIEW);
    send_sample(&sim, HY_ICD_VIEW, "sim_to_simview");
    await_refusal(&view, &sim, HY_ICD_VIEW, "{\"vehicles\":7}", "vehicles is not a list of objects");
    finish(&view, 1, "{\"sim_messages\":3,");
    assert_non_null(strstr(output, "\"malformed\":2,\"from_strangers\":0,"));
    hy_link_close(&sim);
    unlink(path);
}

static void a_joystick(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/halyard-refusals-%d", (int)getpid());
    FILE *const script = fopen(path, "w");
    assert_non_null(script);
    assert_true(fputs("+3000 quit\n", script) >= 0 && fclose(script) == 0);
    program joystick = start("joystick", OPTIONS("--script", path, ), "ready: player 1");
    hy_link core = open_at(HY_ICD_CORE_JOYSTICK);
    send_sample(&core, HY_ICD_JOYSTICK, "core_to_joystick");
    await_refusal(&joystick, &core, HY_ICD_JOYSTICK, "[]", "not a JSON object");
    finish(&joystick, 1, ",\"answers\":1,\"from_strangers\":0,\"malformed\":2}");
    hy_link_close(&core);
    unlink(path);
}

// A line would spoil the picture in a terminal: it comes when that is gone.
static void a_joystick_in_a_terminal(void **state)
{
    (void)state;
    match_ports_take(&ports);
    const char *const arguments[] = { HALYARD_BINARY, "joystick",       "--keys",
                                      "--shift",      ports.shift_text, NULL };
    hy_link core = open_at(HY_ICD_CORE_JOYSTICK);
    program joystick = program_start_in_terminal(arguments);
    assert_true(program_await(&joystick, "disconnected", LIMIT_US));
    program_forget(&joystick);
    send_text(&core, HY_ICD_JOYSTICK, "[]");
    send_text(&core, HY_ICD_JOYSTICK, "{}");
    assert_true(program_await(&joystick, "connected", LIMIT_US)); // a part of the screen that has changed
    assert_null(strstr(joystick.output, "cannot use"));
    finish(&joystick, 1, "; 1 messages could not be used");
    hy_link_close(&core);
}

// A block that runs past its datagram, and what has no header: once for each sender. One byte alone is a probe, and no fault.
static void boards(void **state)
{
    (void)state;
    static const struct {
        const char *start[6];
        const char *ready;
    } cases[] = {
        { { "board", "xrp", "--listen", "127.0.0.1:0" }, "udp" },
        { { "board", "xrp", "--listen=127.0.0.1:0", "--count", "2" }, "udp" },
        { { "sim", "--players=1", "--shift", ports.shift_text, "--board=xrp@127.0.0.1:0" }, "" },
    };
    static const uint8_t cut[] = { 0, 1, 1, 6, 0x12, 0 }, good[] = { 0, 2, 0 };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *arguments[8] = { HALYARD_BINARY };
        memcpy(arguments + 1, cases[i].start, sizeof cases[i].start);
        match_ports_take(&ports);
        program board = program_start(arguments);
        char address[64], line[256], sender[HY_ENDPOINT_TEXT_MAX];
        assert_true(
            cases[i].ready[0] != '\0'
                ? program_await_ready(&board, cases[i].ready, address, sizeof address, LIMIT_US)
                : program_await_line(&board, "xrp listening on ", address, sizeof address, LIMIT_US));
        hy_endpoint to;
        assert_int_equal(hy_endpoint_parse(address, 0, &to), HY_OK);
        hy_link first = open_elsewhere(), second = open_elsewhere();
        send_bytes(&second, &to, cut, 1);
        send_bytes(&first, &to, good, sizeof good);
        send_bytes(&first, &to, cut, sizeof cut);
        send_bytes(&first, &to, cut, sizeof cut);
        send_bytes(&second, &to, cut, 2);
        snprintf(
            line,
            sizeof line, "cannot use all of a command of %s: block runs past the end of the datagram (byte 3 of 6)",
            hy_endpoint_format(&first.local, sender));
        assert_true(program_await(&board, line, LIMIT_US));
        snprintf(
            line, sizeof line,
            "cannot use all of a command of %s: shorter than the 3 bytes of a header (byte 0 of 2)",
            hy_endpoint_format(&second.local, sender));
        assert_true(program_await(&board, line, LIMIT_US));
        finish(&board, 2, "halyard ");
        hy_link_close(&first);
        hy_link_close(&second);
    }
}

// Whoever commands a board that obeys another is told of as well; and of no more than eight senders in all.
static void strangers_at_a_board(void **state)
{
    (void)state;
    char address[64], line[256], sender[HY_ENDPOINT_TEXT_MAX];
    const char *const arguments[] = { HALYARD_BINARY, "board",       "xrp",
                                      "--listen",     "127.0.0.1:0", NULL };
    match_ports_take(&ports);
    program board = program_start(arguments);
    assert_true(program_await_ready(&board, "udp", address, sizeof address, LIMIT_US));
    hy_endpoint to;
    assert_int_equal(hy_endpoint_parse(address, 0, &to), HY_OK);
    hy_link owner = open_elsewhere(), stranger = open_elsewhere();
    snprintf(line, sizeof line, "cannot use a command of %s: another program drives this robot",
             hy_endpoint_format(&stranger.local, sender));
    for (uint8_t seq = 1; !program_await(&board, line, 10000); seq = (uint8_t)(seq % 100 + 1)) {
        send_bytes(&owner, &to, (const uint8_t[]){ 0, seq, 0 }, 3);
        send_bytes(&stranger, &to, (const uint8_t[]){ 0, seq, 0 }, 3);
    }
    for (unsigned i = 0; i < 20; i++) {
        hy_link one = open_elsewhere();
        send_bytes(&one, &to, "??", 2);
        hy_link_close(&one);
    }
    assert_true(program_await(&board, "further ones of any sender are only counted", LIMIT_US));
    finish(&board, 8, " datagrams could not be used");
    hy_link_close(&owner);
    hy_link_close(&stranger);
}

// A robot's malformed statuses are told of when the program ends, which has the terminal until then.
static void a_robot(void **state)
{
    (void)state;
    char url[HY_ENDPOINT_TEXT_MAX + 8], at[HY_ENDPOINT_TEXT_MAX];
    hy_link robot = open_elsewhere();
    snprintf(url, sizeof url, "xrp://%s", hy_endpoint_format(&robot.local, at));
    const char *const arguments[] = { HALYARD_BINARY, "drive", url, "--duration", "3", NULL };
    program drive = program_start(arguments);
    uint8_t status[] = { 0, 0, 0, 3, 0x14, 0, 1, 14, 0x18, 0 }; // its encoder block is cut
    while (!program_await(&drive, "received", 10000)) {
        hy_datagram command;
        if (hy_link_receive(&robot, &command, 1) == 1) {
            status[1]++;
            (void)hy_link_send(&robot, &command.peer, (hy_bytes){ status, sizeof status });
        }
    }
    assert_int_equal(program_end(&drive, output, sizeof output), 0);
    assert_int_equal(lines_with(" were malformed; the first: block runs past the end of the "
                                "datagram (byte 7)\n"),
                     1);
    hy_link_close(&robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_core),
        cmocka_unit_test(a_sim),
        cmocka_unit_test(a_view),
        cmocka_unit_test(a_joystick),
        cmocka_unit_test(a_joystick_in_a_terminal),
        cmocka_unit_test(boards),
        cmocka_unit_test(strangers_at_a_board),
        cmocka_unit_test(a_robot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
