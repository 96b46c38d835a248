// The four programs of a match as processes, for two players at once: each of them killed and started again, messages lost,
// strangers, rubbish. What is true is judged by what a view gets to see.
#include "cmocka_all.h"

#include <halyard/icd.h>
#include <halyard/link.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "await.h"
#include "match_ports.h"
#include "program.h"
#include "view_page.h"
#include "ws_client.h"

#define SECOND_US 1000000
#define LIMIT_US \
    (60 * SECOND_US) // of what takes a second, or less: machines are busy, and sanitizers slow
#define PLAYERS 2

// --------------------------------------------------------------------------- a bad network

/// Between programs that take each other for 127.0.0.2: whatever comes there goes on to 127.0.0.1, from the port that it was sent
/// from, or is lost. One socket for each port.
typedef struct {
    hy_link at[4 * PLAYERS];
    hy_random random;
    double loss;
    uint64_t passed, lost;
} air;

static const hy_icd_port air_ports[] = { HY_ICD_JOYSTICK, HY_ICD_CORE_JOYSTICK, HY_ICD_CORE_SIM,
                                         HY_ICD_SIM_CORE };

static void air_open(air *self, const match_ports *ports)
{
    *self = (air){ .random = hy_random_seeded(20) };
    for (unsigned i = 0; i < 4 * PLAYERS; i++) {
        hy_endpoint at;
        char text[HY_ENDPOINT_TEXT_MAX];
        snprintf(text, sizeof text, "127.0.0.2:%u",
                 hy_icd_port_of(air_ports[i % 4], i / 4 + 1) + ports->shift);
        assert_int_equal(hy_endpoint_parse(text, 0, &at), HY_OK);
        assert_int_equal(hy_link_open(&self->at[i], &at), HY_OK);
    }
}

static void air_close(air *self)
{
    for (unsigned i = 0; i < 4 * PLAYERS; i++) {
        hy_link_close(&self->at[i]);
    }
}

static hy_link *air_find(air *self, uint16_t port)
{
    for (unsigned i = 0; i < 4 * PLAYERS; i++) {
        if (self->at[i].local.port == port) {
            return &self->at[i];
        }
    }
    return NULL;
}

static void air_pass(air *self, const hy_datagram *datagram, uint16_t port)
{
    hy_link *const from = air_find(self, datagram->peer.port);
    hy_endpoint to = datagram->peer; // 127.0.0.1
    to.port = port;
    if (from == NULL) {
        return;
    }
    if (hy_random_unit(&self->random) < self->loss) {
        self->lost++;
        return;
    }
    self->passed++;
    (void)hy_link_send(from, &to, datagram->bytes);
}

static void air_turn(air *self)
{
    for (unsigned i = 0; i < 4 * PLAYERS; i++) {
        hy_datagram batch[HY_LINK_BATCH];
        const size_t count = hy_link_receive(&self->at[i], batch, HY_LINK_BATCH);
        for (size_t k = 0; k < count; k++) {
            air_pass(self, &batch[k], self->at[i].local.port);
        }
    }
}

// --------------------------------------------------------------------------- the programs

typedef struct {
    match_ports ports;
    program sim, core[PLAYERS], joystick[PLAYERS];
    char script_path[PLAYERS][64];
    hy_link view; // of player 1; unless a real one has its port
    hy_icd_reader *reader;
    hy_icd_match seen;
    uint64_t views;
    air air;
    bool through_air;
} bench;

static void start_sim(bench *self)
{
    const char *const arguments[] = {
        HALYARD_BINARY,
        "sim",
        "--json",
        "--players",
        "2",
        "--drive",
        "ideal",
        "--shift",
        self->ports.shift_text,
        "--core",
        self->through_air ? "127.0.0.2" : "127.0.0.1",
        NULL,
    };
    self->sim = program_start(arguments);
    assert_true(program_await(&self->sim, "ready: 2 players", LIMIT_US));
}

static void start_core(bench *self, unsigned player)
{
    const char *const host = self->through_air ? "127.0.0.2" : "localhost";
    const char *const arguments[] = { HALYARD_BINARY,
                                      "core",
                                      "--json",
                                      "--player",
                                      player == 1 ? "1" : "2",
                                      "--shift",
                                      self->ports.shift_text,
                                      "--joystick",
                                      host,
                                      "--sim",
                                      host,
                                      NULL };
    self->core[player - 1] = program_start(arguments);
    assert_true(program_await(&self->core[player - 1], "ready: player", LIMIT_US));
}

static void start_joystick(bench *self, unsigned player, const char *script)
{
    char *const path = self->script_path[player - 1];
    snprintf(path, sizeof self->script_path[0], "/tmp/halyard-script-%d-%u", (int)getpid(), player);
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(script, file) >= 0 && fclose(file) == 0);
    const char *const arguments[] = {
        HALYARD_BINARY,
        "joystick",
        "--json",
        "--player",
        player == 1 ? "1" : "2",
        "--shift",
        self->ports.shift_text,
        "--script",
        path,
        "--core",
        self->through_air ? "127.0.0.2" : "127.0.0.1",
        NULL,
    };
    self->joystick[player - 1] = program_start(arguments);
    assert_true(program_await(&self->joystick[player - 1], "ready: player", LIMIT_US));
}

static void kill_program(program *victim)
{
    kill(victim->pid, SIGKILL);
    assert_int_equal(program_end(victim, NULL, 0), -SIGKILL);
}

// Ends it in order; what it has said is in `output`.
static void end_program(program *it, char *output, size_t size)
{
    kill(it->pid, SIGTERM);
    assert_int_equal(program_end(it, output, size), 0);
}

static void start(bench *self, bool through_air)
{
    memset(self, 0, sizeof *self);
    self->reader = hy_icd_reader_open();
    self->through_air = through_air;
    match_ports_take(&self->ports);
    if (through_air) {
        air_open(&self->air, &self->ports);
    }
    start_sim(self);
    for (unsigned player = 1; player <= PLAYERS; player++) {
        start_core(self, player);
    }
}

static void end(bench *self)
{
    for (unsigned i = 0; i < PLAYERS; i++) {
        unlink(self->script_path[i]);
    }
    hy_link_close(&self->view);
    air_close(&self->air);
    hy_icd_reader_close(self->reader);
    match_ports_give_back(&self->ports);
}

// --------------------------------------------------------------------------- what is seen

static void turn(bench *self)
{
    if (self->through_air) {
        air_turn(&self->air);
    }
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&self->view, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(hy_icd_read_match(self->reader, batch[i].bytes, &self->seen), HY_OK);
        self->views++;
    }
    usleep(500);
}

#define AWAIT(self, is_so) AWAIT_BY(turn, self, is_so, LIMIT_US)

static double heading(const bench *self, unsigned player)
{
    return self->seen.vehicle[player - 1].theta_rad;
}

static double speed(const bench *self, unsigned player)
{
    return self->seen.vehicle[player - 1].left_drive_rad_s;
}

/// Until player's robot has turned by half a radian more, to the right if `way` is -1.
static void await_turning(bench *self, unsigned player, double way)
{
    AWAIT(self, self->views > 0);
    const double from = heading(self, player);
    AWAIT(self, way * (heading(self, player) - from) > 0.5);
}

// On the spot, one to the right, one to the left: they can go on for ever.
static const char *const spins[PLAYERS] = { "0 right_x=300\n+3000 quit\n",
                                            "0 right_x=-300\n+3000 quit\n" };

// --------------------------------------------------------------------------- killed and started again

static void whoever_dies_is_missed_and_found_again(void **state)
{
    (void)state;
    bench b;
    start(&b, false);
    match_ports_open(&b.ports, HY_ICD_VIEW, 1, &b.view);
    start_joystick(&b, 1, spins[0]);
    start_joystick(&b, 2, spins[1]);
    await_turning(&b, 1, -1.0);
    await_turning(&b, 2, 1.0);

    // The joystick of player 1: its core lets go, the other one's robot goes on.
    kill_program(&b.joystick[0]);
    assert_true(program_await(&b.core[0], "joystick disconnected", LIMIT_US));
    AWAIT(&b, speed(&b, 1) == 0.0);
    await_turning(&b, 2, 1.0);
    start_joystick(&b, 1, spins[0]);
    await_turning(&b, 1, -1.0);

    // Its core: the sim stops the robot, and the joystick says that nobody answers.
    program_forget(&b.joystick[0]);
    kill_program(&b.core[0]);
    assert_true(program_await(&b.joystick[0], "disconnected", LIMIT_US));
    AWAIT(&b, speed(&b, 1) == 0.0);
    await_turning(&b, 2, 1.0);
    program_forget(&b.joystick[0]);
    start_core(&b, 1);
    assert_true(program_await(&b.joystick[0], "connected", LIMIT_US));
    await_turning(&b, 1, -1.0);

    // The sim: both cores miss it, and drive the next one.
    kill_program(&b.sim);
    assert_true(program_await(&b.core[0], "sim disconnected", LIMIT_US));
    assert_true(program_await(&b.core[1], "sim disconnected", LIMIT_US));
    start_sim(&b);
    b.views = 0;
    await_turning(&b, 1, -1.0);
    await_turning(&b, 2, 1.0);

    for (unsigned i = 0; i < PLAYERS; i++) {
        end_program(&b.joystick[i], NULL, 0);
    }
    AWAIT(&b, speed(&b, 1) == 0.0 && speed(&b, 2) == 0.0); // who ends in order lets go
    for (unsigned i = 0; i < PLAYERS; i++) {
        end_program(&b.core[i], NULL, 0);
    }
    end_program(&b.sim, NULL, 0);
    end(&b);
}

// The heading of a player's robot in the page's newest state; NAN if there is none.
static double page_heading(const char *text, unsigned player)
{
    const char *at = strstr(text, "\"type\":\"state\"");
    for (unsigned i = 0; i < player && at != NULL; i++) {
        at = strstr(at + 1, "\"at\":[");
    }
    double x_m, y_m, theta_rad;
    return at != NULL && sscanf(at, "\"at\":[%lf,%lf,%lf", &x_m, &y_m, &theta_rad) == 3
               ? theta_rad
               : (double)NAN;
}

static void await_page_turning(ws_client *page, unsigned player, double way)
{
    double from = NAN, now = NAN;
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (!(way * (now - from) > 0.5)) {
        assert_true(hy_clock_now_us() < end_us);
        assert_true(ws_await(page, "\"type\":\"state\"", LIMIT_US));
        now = page_heading(page->text, player);
        from = isnan(from) ? now : from;
    }
}

static void start_view(const bench *self, program *view, view_page_place *place)
{
    const char *const arguments[] = {
        HALYARD_BINARY,         "view", "--listen", "127.0.0.1:0", "--players", "2", "--shift",
        self->ports.shift_text, NULL
    };
    *view = program_start(arguments);
    assert_true(program_await(view, "open http://", LIMIT_US) && program_await(view, "\n", LIMIT_US));
    assert_true(view_page_find(view->output, place));
}

static void a_view_that_dies_disturbs_nobody(void **state)
{
    (void)state;
    bench b;
    program view;
    view_page_place place;
    ws_client page;
    setenv("HALYARD_TOKEN", "00112233445566778899aabbccddeeff", 1);
    start(&b, false);
    start_view(&b, &view, &place);
    assert_true(view_page_open(&page, &place));
    start_joystick(&b, 1, spins[0]);
    start_joystick(&b, 2, spins[1]);
    await_page_turning(&page, 1, -1.0);
    await_page_turning(&page, 2, 1.0);
    const double before = page_heading(page.text, 1);
    kill_program(&view);
    assert_true(ws_await_end(&page, LIMIT_US));
    ws_close(&page);
    start_view(&b, &view, &place);
    assert_true(view_page_open(&page, &place));
    await_page_turning(&page, 1, -1.0);
    await_page_turning(&page, 2, 1.0);
    assert_true(page_heading(page.text, 1) < before - 0.5); // it is the same match
    char output[4096];
    for (unsigned i = 0; i < PLAYERS; i++) {
        end_program(&b.joystick[i], NULL, 0);
        end_program(&b.core[i], output, sizeof output);
        assert_null(strstr(output, "disconnected")); // neither joystick nor sim noticed anything
    }
    end_program(&view, NULL, 0);
    end_program(&b.sim, NULL, 0);
    ws_close(&page);
    end(&b);
    unsetenv("HALYARD_TOKEN");
}

// --------------------------------------------------------------------------- a bad network, and worse

// Turns, presses Start, resets, and all of it again: a joystick that is kept waiting by a busy machine leaves out what it should have
// done meanwhile.
static const char busy_hands[] = "0 right_x=300\n"
                                 "+1 right_x=0\n+0.3 start=1\n+0.5 start=0\n+0.5 guide=1\n"
                                 "+0.5 guide=0\n+0.3 right_x=300\n+1 right_x=0\n";

static void write_busy_hands(char *script, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < 15; i++) {
        const char *const again =
            i == 0 ? busy_hands : busy_hands + 1; // "0 ..." is a time, " right_x" not
        used += (size_t)snprintf(script + used, size - used, "%s%s", i == 0 ? "" : "+0", again);
    }
    snprintf(script + used, size - used, "+3000 quit\n");
}

static void lost_messages_are_survived(void **state)
{
    (void)state;
    static const double losses[] = { 0.01, 0.1, 0.3 };
    char script[4096];
    bench b;
    write_busy_hands(script, sizeof script);
    start(&b, true);
    match_ports_open(&b.ports, HY_ICD_VIEW, 1, &b.view);
    for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++) {
        b.air.loss = losses[i];
        start_joystick(&b, 1, script);
        start_joystick(&b, 2, spins[1]);
        await_turning(&b, 1, -1.0);
        await_turning(&b, 2, 1.0);
        AWAIT(&b, b.seen.timer_runs && b.seen.timer_s < 135.0);
        AWAIT(&b, !b.seen.timer_runs && b.seen.timer_s == 135.0); // reset
        await_turning(&b, 1, -1.0);
        kill_program(&b.joystick[0]);
        kill_program(&b.joystick[1]);
        AWAIT(&b, speed(&b, 1) == 0.0 && speed(&b, 2) == 0.0);
        print_message("%.0f %% lost: %llu messages passed, %llu did not\n", 100.0 * losses[i],
                      (unsigned long long)b.air.passed, (unsigned long long)b.air.lost);
        assert_true(b.air.lost > 0);
    }
    char output[4096];
    for (unsigned i = 0; i < PLAYERS; i++) {
        end_program(&b.core[i], output, sizeof output);
        assert_non_null(strstr(output, "\"malformed\":0,\"from_strangers\":0"));
    }
    end_program(&b.sim, output, sizeof output);
    assert_non_null(strstr(output, "\"malformed\":0,\"from_strangers\":0"));
    end(&b);
}

// The figure of that name.
static unsigned long counted(const char *output, const char *name)
{
    char key[32];
    (void)snprintf(key, sizeof key, "\"%s\":", name);
    const char *const at = strstr(output, key);
    assert_non_null(at);
    return strtoul(at + strlen(key), NULL, 10);
}

// To every port of player 1: from where its sender is, and from somewhere else.
static void throw_rubbish(bench *self, hy_link *stranger, hy_bytes rubbish)
{
    for (unsigned i = 0; i < 4; i++) {
        hy_endpoint to = match_ports_at(&self->ports, air_ports[i], 1);
        static const unsigned senders[4] = { 1, 0, 3, 2 };
        (void)hy_link_send(&self->air.at[senders[i]], &to, rubbish);
        (void)hy_link_send(stranger, &to, rubbish);
    }
    const hy_endpoint to = match_ports_at(&self->ports, HY_ICD_SIM_VIEW, 1);
    (void)hy_link_send(&self->view, &to, rubbish);
    (void)hy_link_send(stranger, &to, rubbish);
}

static void rubbish_and_strangers_are_counted_and_dropped(void **state)
{
    (void)state;
    bench b;
    hy_link stranger;
    hy_endpoint anywhere;
    assert_int_equal(hy_endpoint_parse("127.0.0.1:0", 0, &anywhere), HY_OK);
    assert_int_equal(hy_link_open(&stranger, &anywhere), HY_OK);
    start(&b, true);
    match_ports_open(&b.ports, HY_ICD_VIEW, 1, &b.view);
    start_joystick(&b, 1, spins[0]);
    start_joystick(&b, 2, spins[1]);
    await_turning(&b, 1, -1.0);
    static uint8_t huge[HY_ICD_MESSAGE_MAX], deep[60000];
    memset(huge, ' ', sizeof huge);
    huge[0] = '{'; // never closed
    memset(deep, '[', sizeof deep);
    static const char *const texts[] = {
        "",
        "{",
        "nonsense",
        "[]",
        "7",
        "{}}",
        "{\"leftJoystick\":[0,1],",
        "{\"leftJoystick\":\"up\",\"reset\":\"now\",\"x\":[],\"vehicles\":7}",
        "{\"a\":[1],\"outtake\":{},\"theta\":\"left\"}",
    };
    for (unsigned round = 0; round < 6; round++) {
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            throw_rubbish(&b, &stranger, (hy_bytes){ (const uint8_t *)texts[i], strlen(texts[i]) });
        }
        throw_rubbish(&b, &stranger, (hy_bytes){ huge, sizeof huge });
        throw_rubbish(&b, &stranger, (hy_bytes){ deep, sizeof deep });
        await_turning(&b, 1, -1.0); // nobody is impressed
        await_turning(&b, 2, 1.0);
    }
    char output[4096];
    const unsigned long least = 10; // of sixty and more: a busy system loses some itself
    end_program(&b.joystick[0], output, sizeof output);
    assert_true(counted(output, "malformed") >= least && counted(output, "from_strangers") >= least);
    end_program(&b.joystick[1], output, sizeof output);
    assert_int_equal(counted(output, "malformed"), 0);
    end_program(&b.core[0], output, sizeof output);
    assert_true(counted(output, "malformed") >= least && counted(output, "from_strangers") >= least);
    end_program(&b.core[1], output, sizeof output);
    assert_int_equal(counted(output, "malformed"), 0);
    end_program(&b.sim, output, sizeof output);
    assert_true(counted(output, "malformed") >= least && counted(output, "from_strangers") >= least);
    hy_link_close(&stranger);
    end(&b);
}

int main(void)
{
    unsetenv("HALYARD_TOKEN");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whoever_dies_is_missed_and_found_again),
        cmocka_unit_test(a_view_that_dies_disturbs_nobody),
        cmocka_unit_test(lost_messages_are_survived),
        cmocka_unit_test(rubbish_and_strangers_are_counted_and_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
