// A match over real sockets: the real sim, a core that collects balls, a joystick's buttons, and what a view gets to see.
#include <halyard/core.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "await.h"
#include "cmocka_all.h"
#include "match_ports.h"
#include "program.h"

#define SECOND_US 1000000
#define LIMIT_US \
    (60 * SECOND_US) // of what takes a second, or ten: machines are busy, and sanitizers slow

// Three balls in a row, from a place between them and the goal.
static const hy_player_stage three_balls[] = {
    { HY_PLAYER_AHEAD, -1.7, -2.7, 0.3 }, { HY_PLAYER_BACKWARD, -1.7, -8.8, 1.45 },
    { HY_PLAYER_UNLOAD, 0.0, 0.0, 0.0 },  { HY_PLAYER_UNLOAD, 0.0, 0.0, 0.0 },
    { HY_PLAYER_AHEAD, -1.7, -5.5, 0.3 }, { HY_PLAYER_REST, 0.0, 0.0, 0.0 },
};

// The field of 2020 with other places for three balls and for player 1, in the world's frame.
static const char *const changes[][2] = {
    { "[2.91008, 7.38607]", "[2.41, 5.0]" },
    { "[3.0701, 6.99592]", "[2.41, 5.4]" },
    { "[3.68986, 6.81609]", "[2.41, 5.8]" },
    { "x_m: 4.10997, y_m: 4.01218", "x_m: 2.41, y_m: 4.01218" },
    { "x_m: 2.58597, y_m: 4.01218", "x_m: 4.10997, y_m: 4.01218" }, // player 5 was there
};

static char field_path[64];

static int write_field(void **state)
{
    (void)state;
    static char text[1 << 16], changed[1 << 16];
    FILE *file = fopen(HALYARD_TEST_DATA "/../worlds/field2020.yaml", "r");
    if (file == NULL) {
        return -1;
    }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        const char *const at = strstr(text, changes[i][0]);
        if (at == NULL) {
            return -1;
        }
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, changes[i][1],
                 at + strlen(changes[i][0]));
        memcpy(text, changed, sizeof text);
    }
    snprintf(field_path, sizeof field_path, "/tmp/halyard-field-%d.yaml", (int)getpid());
    file = fopen(field_path, "w");
    return file == NULL || fputs(text, file) < 0 || fclose(file) != 0 ? -1 : 0;
}

static int remove_field(void **state)
{
    (void)state;
    return unlink(field_path);
}

typedef struct {
    match_ports ports;
    program sim;
    hy_core core;
    hy_player_mapping mapping;
    hy_player_demo demo;
    bool drives; // the demo does
    hy_link joystick, view;
    hy_icd_reader *reader;
    hy_icd_sticks sticks;
    hy_icd_match seen; // as the view got it last
    uint64_t views;
    int64_t sticks_due_us;
} bench;

static hy_icd_commands think(void *context, const hy_core_input *in)
{
    bench *const self = context;
    hy_icd_commands commands = hy_player_map(&self->mapping, &in->sticks);
    if (self->drives) {
        const hy_icd_commands demo =
            hy_player_demo_drive(&self->demo, &in->sensors, in->is_new, in->now_us);
        commands.left_drive = demo.left_drive;
        commands.right_drive = demo.right_drive;
        commands.intake_center = commands.intake_left = commands.intake_right = demo.intake_center;
        commands.tube = demo.tube;
    }
    return commands;
}

static void start_sim(bench *self, const char *speed)
{
    const char *const arguments[] = {
        HALYARD_BINARY,         "sim",      "--players", "2", "--speed", speed, "--shift",
        self->ports.shift_text, "--config", field_path,  NULL
    };
    self->sim = program_start(arguments);
    assert_true(program_await(&self->sim, "ready: 2 players", LIMIT_US));
}

static void start(bench *self, const char *speed)
{
    memset(self, 0, sizeof *self);
    self->reader = hy_icd_reader_open();
    self->demo.stages = three_balls;
    match_ports_take(&self->ports);
    const hy_core_options options = { .player = 1, .shift = self->ports.shift };
    assert_int_equal(hy_core_open(&self->core, &options, think, self), HY_OK);
    match_ports_open(&self->ports, HY_ICD_JOYSTICK, 1, &self->joystick);
    match_ports_open(&self->ports, HY_ICD_VIEW, 1, &self->view);
    start_sim(self, speed);
}

static void end(bench *self)
{
    kill(self->sim.pid, SIGTERM);
    assert_int_equal(program_end(&self->sim, NULL, 0), 0);
    hy_core_close(&self->core);
    hy_link_close(&self->joystick);
    hy_link_close(&self->view);
    hy_icd_reader_close(self->reader);
    match_ports_give_back(&self->ports);
}

static void send_sticks(bench *self, int64_t now_us)
{
    if (now_us >= self->sticks_due_us) {
        uint8_t text[1024];
        const hy_endpoint to = match_ports_at(&self->ports, HY_ICD_CORE_JOYSTICK, 1);
        const size_t size = hy_icd_write_sticks(&self->sticks, (hy_room){ text, sizeof text });
        assert_int_equal(hy_link_send(&self->joystick, &to, (hy_bytes){ text, size }), HY_OK);
        self->sticks_due_us = now_us + 10000;
    }
    hy_datagram batch[HY_LINK_BATCH];
    hy_link_receive(&self->joystick, batch, HY_LINK_BATCH);
}

static void see(bench *self)
{
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&self->view, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(batch[i].peer.port, hy_icd_port_of(HY_ICD_SIM_VIEW, 1) + self->ports.shift);
        assert_int_equal(hy_icd_read_match(self->reader, batch[i].bytes, &self->seen), HY_OK);
        self->views++;
    }
    usleep(500);
}

static void turn(bench *self)
{
    const int64_t now_us = hy_clock_now_us();
    send_sticks(self, now_us);
    hy_core_poll(&self->core, now_us);
    see(self);
}

#define AWAIT(self, is_so) AWAIT_BY(turn, self, is_so, LIMIT_US)

static void await_views(bench *self, uint64_t more)
{
    const uint64_t wanted = self->views + more;
    AWAIT(self, self->views >= wanted);
}

/// Presses a button until `is_so`, and lets go of it so that the sim has seen that.
#define PRESS(self, button, is_so)     \
    do {                               \
        (self)->sticks.button = true;  \
        AWAIT(self, is_so);            \
        (self)->sticks.button = false; \
        await_views(self, 20);         \
    } while (0)

/// The timer starts or stops when the button is let go. The sim has seen both when this returns, however rarely it runs.
static void press_start(bench *self)
{
    self->sticks.start = true;
    AWAIT(self, self->core.commands.timer_start_stop);
    await_views(self, 20);
    self->sticks.start = false;
    AWAIT(self, !self->core.commands.timer_start_stop);
    await_views(self, 20);
}

static size_t pieces_in(const bench *self, hy_icd_ingestion where)
{
    size_t count = 0;
    for (size_t i = 0; i < self->seen.piece_count; i++) {
        count += self->seen.piece[i].ingestion == where;
    }
    return count;
}

static void assert_fresh(const bench *self)
{
    assert_int_equal(self->seen.blue_score, 0);
    assert_int_equal(pieces_in(self, HY_ICD_FREE), 20);
    assert_false(self->seen.timer_runs);
    assert_true(self->seen.timer_s == 135.0);
    assert_true(self->seen.vehicle[0].y_m < -4.9 && self->seen.vehicle[0].y_m > -5.1);
}

// The pilot looks ahead a fraction of a second: one who is kept from looking by a busy machine may miss a ball, and tries again.
static bool play_three_balls(bench *self)
{
    bool was_held = false;
    self->demo = (hy_player_demo){ .stages = three_balls };
    self->drives = true;
    const int64_t end_us = hy_clock_now_us() + LIMIT_US / 2;
    while (!hy_player_demo_is_over(&self->demo) && hy_clock_now_us() < end_us) {
        turn(self);
        was_held = was_held || pieces_in(self, HY_ICD_TUBE) > 0;
    }
    self->drives = false;
    await_views(self, 20);
    return was_held && self->seen.blue_score == 3;
}

static void three_balls_are_scored_and_one_comes_back(void **state)
{
    (void)state;
    bench self;
    start(&self, "1");
    AWAIT(&self, self.views > 0 && self.core.input.sim_up);
    assert_int_equal(self.seen.vehicle_count, 2);
    assert_fresh(&self);
    bool scored = false;
    for (int tries = 0; tries < 3 && !scored; tries++) {
        press_start(&self);
        AWAIT(&self, self.seen.timer_runs && self.seen.timer_s < 135.0);
        scored = play_three_balls(&self);
        if (!scored) {
            PRESS(&self, guide, self.seen.timer_s == 135.0 && !self.seen.timer_runs);
        }
    }
    assert_true(scored);
    assert_int_equal(pieces_in(&self, HY_ICD_BLUE_GOAL), 3);
    assert_int_equal(self.seen.red_score, 0);
    PRESS(&self, a, pieces_in(&self, HY_ICD_BLUE_GOAL) == 2); // one ball comes back,
    assert_int_equal(pieces_in(&self, HY_ICD_BLUE_GOAL), 2);
    assert_int_equal(self.seen.blue_score, 3); // its point stays
    PRESS(&self, guide, self.seen.timer_s == 135.0);
    assert_fresh(&self);
    end(&self);
}

static void at_zero_everybody_stands(void **state)
{
    (void)state;
    bench self;
    start(&self, "40");
    AWAIT(&self, self.views > 0);
    self.sticks.left_y = 60;
    AWAIT(&self, self.seen.vehicle[0].left_drive_rad_s > 0.0);
    press_start(&self);
    AWAIT(&self, self.seen.timer_s == 0.0);
    AWAIT(&self, !self.seen.timer_runs && self.seen.vehicle[0].left_drive_rad_s == 0.0);
    await_views(&self, 300); // it rolls to a stop
    const double y_m = self.seen.vehicle[0].y_m;
    await_views(&self, 100);
    assert_true(self.seen.vehicle[0].y_m == y_m); // the stick is still ahead
    assert_true(self.seen.timer_s == 0.0 && self.seen.vehicle[0].left_drive_rad_s == 0.0);
    PRESS(&self, guide, self.seen.timer_s == 135.0);
    AWAIT(&self, self.seen.vehicle[0].left_drive_rad_s > 0.0); // and off it goes again
    assert_false(self.seen.timer_runs);
    end(&self);
}

static void a_sim_that_dies_is_found_again(void **state)
{
    (void)state;
    bench self;
    start(&self, "1");
    self.sticks.left_y = 200;
    AWAIT(&self, self.views > 0 && self.seen.vehicle[0].y_m > -4.9);
    kill(self.sim.pid, SIGKILL);
    program_end(&self.sim, NULL, 0);
    AWAIT(&self, !self.core.input.sim_up);
    start_sim(&self, "1");
    AWAIT(&self, self.core.input.sim_up && self.seen.vehicle[0].y_m < -4.9); // where everything begins
    AWAIT(&self, self.seen.vehicle[0].y_m > -4.9 && self.seen.vehicle[0].left_drive_rad_s > 0.0);
    end(&self);
}

static void a_core_that_dies_leaves_a_robot_that_stands(void **state)
{
    (void)state;
    bench self;
    start(&self, "1");
    self.sticks.left_y = 200;
    AWAIT(&self, self.views > 0 && self.seen.vehicle[0].left_drive_rad_s > 0.0);
    hy_link_close(&self.core.to_sim); // it says no more, not even a stop
    const int64_t from_us = hy_clock_now_us();
    AWAIT_BY(see, &self, self.seen.vehicle[0].left_drive_rad_s == 0.0, LIMIT_US);
    const double took_ms = (double)(hy_clock_now_us() - from_us) * 1e-3;
    print_message("a silent core's robot is told to stand after %.0f ms\n", took_ms);
    end(&self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_balls_are_scored_and_one_comes_back),
        cmocka_unit_test(at_zero_everybody_stands),
        cmocka_unit_test(a_sim_that_dies_is_found_again),
        cmocka_unit_test(a_core_that_dies_leaves_a_robot_that_stands),
    };
    return cmocka_run_group_tests(tests, write_field, remove_field);
}
