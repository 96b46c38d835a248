// What `halyard sim` and `halyard view` cost while six robots drive about at real time and a page looks on and drives the
// first of them. Joystick, cores and page are this program: over real sockets, as often as the real ones. Counted is the
// processor time that the two programs' threads are given, system calls included, second by second: of the seconds that
// a busy machine has blurred least. What the system does for them in interrupts is not in it.
//
//   bench_session [SECONDS]
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "measure.h"

#include <halyard/core.h>
#include <halyard/icd.h>
#include <halyard/link.h>

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "../tests/e2e/program.h"
#include "../tests/e2e/view_page.h"

#define GOAL_SHARE  0.03 // of a core
#define GOAL_MB     20.0 // resident, the sim
#define SECONDS     15
#define SECONDS_MAX 600
#define PLAYERS     6
#define TURN_US     10000
#define SLOT_US     (TURN_US / PLAYERS) // cores do not speak all at once
#define DRIVES_US   500000              // for so long a robot does the same
#define PAGE_US     20000               // the page moves its sticks
#define LIMIT_US    20000000

typedef struct {
    program sim, view;
    ws_client page;
    unsigned shift;
    hy_link core[PLAYERS], joystick_side; // the first player's core hears the page
    hy_endpoint sim_at[PLAYERS], joystick_at;
    hy_icd_reader *reader;
    hy_player_mapping mapping;
    hy_icd_commands commands[PLAYERS];
    hy_random random;
    int64_t drive_due_us, page_due_us;
    unsigned slot;
    uint64_t sensors, states;
} session;

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "bench_session: %s\n", what);
    exit(1);
}

static hy_endpoint here(unsigned port)
{
    char text[32];
    hy_endpoint out;
    snprintf(text, sizeof text, "127.0.0.1:%u", port);
    if (port > UINT16_MAX || hy_endpoint_parse(text, 0, &out) != HY_OK) {
        fail("there is no such port");
    }
    return out;
}

// --------------------------------------------------------------------------- the programs

static void start(session *self, const char *binary)
{
    char shift[16], players[8];
    snprintf(shift, sizeof shift, "%u", self->shift);
    snprintf(players, sizeof players, "%d", PLAYERS);
    const char *const sim[] = { binary, "sim",     "--players", players, "--views",
                                "1",    "--shift", shift,       NULL };
    const char *const view[] = { binary,    "view", "--players", players,       "--views", "1",
                                 "--shift", shift,  "--listen",  "127.0.0.1:0", NULL };
    self->sim = program_start(sim);
    self->view = program_start(view);
    view_page_place place;
    if (!program_await(&self->sim, "ready", LIMIT_US) ||
        !program_await(&self->view, "open http", LIMIT_US) ||
        !view_page_find(self->view.output, &place) || !view_page_open(&self->page, &place)) {
        fprintf(stderr, "%s%s", self->sim.output, self->view.output);
        fail("sim and view did not start");
    }
    ws_say(&self->page, "own 1");
}

static void open_links(session *self)
{
    const hy_endpoint joystick = here(hy_icd_port_of(HY_ICD_CORE_JOYSTICK, 1) + self->shift);
    self->joystick_at = here(hy_icd_port_of(HY_ICD_JOYSTICK, 1) + self->shift);
    bool ok = hy_link_open(&self->joystick_side, &joystick) == HY_OK;
    for (unsigned i = 0; i < PLAYERS && ok; i++) {
        const hy_endpoint at = here(hy_icd_port_of(HY_ICD_CORE_SIM, i + 1) + self->shift);
        self->sim_at[i] = here(hy_icd_port_of(HY_ICD_SIM_CORE, i + 1) + self->shift);
        ok = hy_link_open(&self->core[i], &at) == HY_OK;
    }
    self->reader = hy_icd_reader_open();
    if (!ok || self->reader == NULL) {
        fail("cannot open the cores' ports");
    }
}

static void end(session *self)
{
    ws_close(&self->page);
    kill(self->view.pid, SIGTERM);
    kill(self->sim.pid, SIGTERM);
    program_end(&self->view, NULL, 0);
    program_end(&self->sim, NULL, 0);
    for (unsigned i = 0; i < PLAYERS; i++) {
        hy_link_close(&self->core[i]);
    }
    hy_link_close(&self->joystick_side);
    hy_icd_reader_close(self->reader);
}

// --------------------------------------------------------------------------- the players

static int any_speed(hy_random *random)
{
    return (int)hy_random_below(random, 2 * HY_ICD_FULL + 1) - HY_ICD_FULL;
}

static void choose_drives(session *self)
{
    for (unsigned i = 1; i < PLAYERS; i++) {
        self->commands[i] = (hy_icd_commands){ .left_drive = any_speed(&self->random),
                                               .right_drive = any_speed(&self->random),
                                               .intake_center = HY_ICD_FULL,
                                               .tube = HY_ICD_FULL };
    }
}

static void move_page_sticks(session *self)
{
    uint8_t json[1024];
    char text[1100];
    const hy_icd_sticks sticks = { .left_x = any_speed(&self->random),
                                   .left_y = any_speed(&self->random),
                                   .left_trigger = HY_ICD_FULL };
    const size_t size = hy_icd_write_sticks(&sticks, (hy_room){ json, sizeof json });
    snprintf(text, sizeof text, "sticks 1 %.*s", (int)size, (const char *)json);
    ws_say(&self->page, text);
}

/// The first player's core: hears the sticks that the view makes of the page's, and answers them.
static void hear_joystick(session *self)
{
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&self->joystick_side, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        hy_icd_sticks sticks;
        if (hy_icd_read_sticks(self->reader, batch[i].bytes, &sticks) == HY_OK) {
            self->commands[0] = hy_player_map(&self->mapping, &sticks);
            hy_link_send(&self->joystick_side, &self->joystick_at,
                         (hy_bytes){ (const uint8_t *)HY_ICD_HEARTBEAT, strlen(HY_ICD_HEARTBEAT) });
        }
    }
}

static void play_slot(session *self, int64_t now_us)
{
    hear_joystick(self);
    if (now_us >= self->drive_due_us) {
        choose_drives(self);
        self->drive_due_us = now_us + DRIVES_US;
    }
    if (now_us >= self->page_due_us) {
        move_page_sticks(self);
        self->page_due_us = now_us + PAGE_US;
    }
    const unsigned i = self->slot++ % PLAYERS;
    uint8_t json[1024];
    hy_datagram batch[HY_LINK_BATCH];
    const size_t size = hy_icd_write_commands(&self->commands[i], (hy_room){ json, sizeof json });
    hy_link_send(&self->core[i], &self->sim_at[i], (hy_bytes){ json, size });
    self->sensors += hy_link_receive(&self->core[i], batch, HY_LINK_BATCH);
    while (ws_hear(&self->page, 0)) {
        self->states += strstr(self->page.text, "\"type\":\"state\"") != NULL;
    }
}

static void play(session *self, int64_t duration_us)
{
    const int64_t end_us = hy_clock_now_us() + duration_us;
    for (int64_t due_us = hy_clock_now_us(); due_us < end_us; due_us += SLOT_US) {
        const int64_t wait_us = due_us - hy_clock_now_us();
        if (wait_us > 0) {
            nanosleep(&(struct timespec){ .tv_nsec = (long)wait_us * 1000 }, NULL);
        }
        play_slot(self, hy_clock_now_us());
    }
}

// --------------------------------------------------------------------------- measuring

/// Seconds of processor time that all threads of a process have had.
static double cpu_s(pid_t pid)
{
    clockid_t clock;
    struct timespec now;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &now) != 0) {
        fail("one of the programs has ended");
    }
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double resident_mb(pid_t pid)
{
    char path[64], line[256];
    double kb = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *const file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        (void)sscanf(line, "VmRSS: %lf", &kb);
    }
    if (file != NULL) {
        fclose(file);
    }
    return kb / 1024;
}

static void measure(session *self, int seconds)
{
    static double sim[SECONDS_MAX], view[SECONDS_MAX], both[SECONDS_MAX];
    play(self, 2 * 1000000); // robots are on their way, and all memory is used that will be
    self->states = self->sensors = 0;
    for (int i = 0; i < seconds; i++) {
        const double from_s = measure_now_ns() * 1e-9;
        const double sim_s = cpu_s(self->sim.pid), view_s = cpu_s(self->view.pid);
        play(self, 1000000);
        const double past_s = measure_now_ns() * 1e-9 - from_s;
        sim[i] = (cpu_s(self->sim.pid) - sim_s) / past_s;
        view[i] = (cpu_s(self->view.pid) - view_s) / past_s;
        both[i] = sim[i] + view[i];
    }
    const size_t count = (size_t)seconds;
    const double median = measure_median(both, count), least = measure_tenth(both, count);
    printf("6 players at real time, one page: %.2f %% of a core, the sim %.2f %% and the view %.2f "
           "%% of it; "
           "goal %.0f %%: %s\n",
           100 * least, 100 * measure_tenth(sim, count), 100 * measure_tenth(view, count),
           100 * GOAL_SHARE, least <= GOAL_SHARE ? "reached" : "MISSED");
    printf("(what a tenth of %d seconds did not exceed; the median is %.2f %%)\n", seconds,
           100 * median);
    const double sim_mb = resident_mb(self->sim.pid);
    printf("resident memory: sim %.1f MB, view %.1f MB; goal %.0f MB for the sim: %s\n", sim_mb,
           resident_mb(self->view.pid), GOAL_MB, sim_mb <= GOAL_MB ? "reached" : "MISSED");
    printf("meanwhile the page got %.0f states a second, the cores %.0f messages\n",
           (double)self->states / seconds, (double)self->sensors / seconds);
}

int main(int count, char **arguments)
{
    const int seconds = count > 1 ? atoi(arguments[1]) : measure_repeats(SECONDS);
    if (seconds < 1 || seconds > SECONDS_MAX) {
        fail("give the seconds to measure, 1 to 600");
    }
    char binary[1024];
    const char *const slash = strrchr(arguments[0], '/');
    const int folder = slash != NULL ? (int)(slash - arguments[0]) : 1;
    snprintf(binary, sizeof binary, "%.*s/../halyard", folder, slash != NULL ? arguments[0] : ".");
    static session self;
    self.shift = 20000 + (unsigned)getpid() % 20000;
    self.random = hy_random_seeded(1);
    start(&self, binary);
    open_links(&self);
    measure(&self, seconds);
    end(&self);
    return 0;
}
