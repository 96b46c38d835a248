// A match over real sockets: the real sim, a core that collects balls, a joystick's buttons, and what a view gets to see.
#include <halyard/core.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../apps/core_demo.h"
#include "cmocka_all.h"
#include "program.h"

#define SECOND_US 1000000

// Three balls in a row, from a place between them and the goal.
static const demo_stage three_balls[] = {
    { DEMO_AHEAD, -1.7, -2.7, 0.3 }, { DEMO_BACKWARD, -1.7, -8.8, 1.45 },
    { DEMO_UNLOAD, 0.0, 0.0, 0.0 },  { DEMO_UNLOAD, 0.0, 0.0, 0.0 },
    { DEMO_AHEAD, -1.7, -5.5, 0.3 }, { DEMO_REST, 0.0, 0.0, 0.0 },
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
    program sim;
    char shift_text[16];
    unsigned shift;
    hy_core core;
    hy_core_mapping mapping;
    core_demo demo;
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
    hy_icd_commands commands = hy_core_map(&self->mapping, &in->sticks);
    if (self->drives) {
        const hy_icd_commands demo = core_demo_drive(&self->demo, in);
        commands.left_drive = demo.left_drive;
        commands.right_drive = demo.right_drive;
        commands.intake_center = commands.intake_left = commands.intake_right = demo.intake_center;
        commands.tube = demo.tube;
    }
    return commands;
}

static hy_endpoint here(unsigned port)
{
    char text[32];
    hy_endpoint out;
    snprintf(text, sizeof text, "127.0.0.1:%u", port);
    assert_int_equal(hy_endpoint_parse(text, 0, &out), HY_OK);
    return out;
}

static void start_sim(bench *self, const char *speed)
{
    const char *const arguments[] = { HALYARD_BINARY, "sim",      "--players", "2",
                                      "--speed",      speed,      "--shift",   self->shift_text,
                                      "--config",     field_path, NULL };
    self->sim = program_start(arguments);
    assert_true(program_await(&self->sim, "ready: 2 players", 20 * SECOND_US));
}

static void start(bench *self, const char *speed)
{
    memset(self, 0, sizeof *self);
    static unsigned shift;
    shift = shift == 0 ? 31000 + (unsigned)getpid() % 9000 : shift + 1;
    self->shift = shift;
    snprintf(self->shift_text, sizeof self->shift_text, "%u", shift);
    self->reader = hy_icd_reader_new();
    self->demo.stages = three_balls;
    const hy_core_options options = { .player = 1, .shift = shift };
    const hy_endpoint joystick = here(2000 + shift), view = here(12000 + shift);
    assert_int_equal(hy_core_open(&self->core, &options, think, self), HY_OK);
    assert_int_equal(hy_link_open(&self->joystick, &joystick), HY_OK);
    assert_int_equal(hy_link_open(&self->view, &view), HY_OK);
    start_sim(self, speed);
}

static void end(bench *self)
{
    kill(self->sim.pid, SIGTERM);
    assert_int_equal(program_end(&self->sim, NULL, 0), 0);
    hy_core_close(&self->core);
    hy_link_close(&self->joystick);
    hy_link_close(&self->view);
    hy_icd_reader_free(self->reader);
}

static void send_sticks(bench *self, int64_t now_us)
{
    if (now_us >= self->sticks_due_us) {
        uint8_t text[1024];
        const hy_endpoint to = here(4000 + self->shift);
        const size_t size = hy_icd_write_sticks(&self->sticks, (hy_room){ text, sizeof text });
        assert_int_equal(hy_link_send(&self->joystick, &to, (hy_bytes){ text, size }), HY_OK);
        self->sticks_due_us = now_us + 10000;
    }
    hy_datagram batch[HY_LINK_BATCH];
    hy_link_receive(&self->joystick, batch, HY_LINK_BATCH);
}

static void turn(bench *self)
{
    const int64_t now_us = hy_clock_now_us();
    send_sticks(self, now_us);
    hy_core_poll(&self->core, now_us);
    hy_datagram batch[HY_LINK_BATCH];
    const size_t count = hy_link_receive(&self->view, batch, HY_LINK_BATCH);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(batch[i].peer.port, 10000 + self->shift);
        assert_int_equal(hy_icd_read_match(self->reader, batch[i].bytes, &self->seen), HY_OK);
        self->views++;
    }
    usleep(500);
}

static void run(bench *self, int64_t duration_us)
{
    const int64_t end_us = hy_clock_now_us() + duration_us;
    while (hy_clock_now_us() < end_us) {
        turn(self);
    }
}

// Presses and lets go of a button.
static void press(bench *self, bool *button)
{
    *button = true;
    run(self, SECOND_US / 5);
    *button = false;
    run(self, SECOND_US / 5);
}

static size_t pieces_in(const bench *self, hy_icd_ingestion where)
{
    size_t count = 0;
    for (size_t i = 0; i < self->seen.piece_count; i++) {
        count += self->seen.piece[i].ingestion == where;
    }
    return count;
}

static void three_balls_are_scored_and_one_comes_back(void **state)
{
    (void)state;
    bench self;
    start(&self, "1");
    run(&self, SECOND_US / 2);
    assert_int_equal(self.seen.vehicle_count, 2);
    assert_int_equal(self.seen.piece_count, 20);
    assert_false(self.seen.timer_runs);
    press(&self, &self.sticks.start);
    assert_true(self.seen.timer_runs);
    self.drives = true;
    bool was_held = false;
    const int64_t limit_us = hy_clock_now_us() + 60 * SECOND_US;
    while (!core_demo_is_over(&self.demo) && hy_clock_now_us() < limit_us) {
        turn(&self);
        was_held = was_held || pieces_in(&self, HY_ICD_TUBE) > 0;
    }
    self.drives = false;
    run(&self, SECOND_US / 5);
    assert_true(was_held);
    assert_int_equal(self.seen.blue_score, 3);
    assert_int_equal(pieces_in(&self, HY_ICD_BLUE_GOAL), 3);
    assert_int_equal(self.seen.red_score, 0);
    assert_true(self.seen.timer_s < 134.0);
    press(&self, &self.sticks.a); // one ball comes back, its point stays
    assert_int_equal(pieces_in(&self, HY_ICD_BLUE_GOAL), 2);
    assert_int_equal(self.seen.blue_score, 3);
    press(&self, &self.sticks.guide);
    assert_int_equal(self.seen.blue_score, 0);
    assert_int_equal(pieces_in(&self, HY_ICD_FREE), 20);
    assert_false(self.seen.timer_runs);
    assert_true(self.seen.timer_s == 135.0);
    assert_true(self.seen.vehicle[0].y_m < -4.9 && self.seen.vehicle[0].y_m > -5.1);
    end(&self);
}

static void at_zero_everybody_stands(void **state)
{
    (void)state;
    bench self;
    start(&self, "20");
    self.sticks.start = true;
    run(&self, SECOND_US / 5);
    self.sticks.start = false;
    self.sticks.left_y = 60;
    int64_t limit_us =
        hy_clock_now_us() + 120 * SECOND_US; // under a sanitizer it is not 20 times as fast
    bool moved = false;
    while (!(self.views > 0 && self.seen.timer_s == 0.0) && hy_clock_now_us() < limit_us) {
        turn(&self);
        moved = moved || self.seen.vehicle[0].left_drive_rad_s > 0.0;
    }
    assert_true(moved);
    run(&self, SECOND_US / 2);
    assert_true(self.seen.timer_s == 0.0);
    assert_false(self.seen.timer_runs);
    const double y_m = self.seen.vehicle[0].y_m;
    assert_true(self.seen.vehicle[0].left_drive_rad_s == 0.0);
    run(&self, SECOND_US / 2);
    assert_true(self.seen.vehicle[0].y_m == y_m); // the stick is still ahead
    press(&self, &self.sticks.guide);
    limit_us = hy_clock_now_us() + 60 * SECOND_US;
    while (!(self.seen.timer_s == 135.0 && self.seen.vehicle[0].left_drive_rad_s > 0.0)) {
        turn(&self);
        assert_true(hy_clock_now_us() < limit_us);
    }
    end(&self);
}

static void a_sim_that_dies_is_found_again(void **state)
{
    (void)state;
    bench self;
    start(&self, "1");
    self.sticks.left_y = 200;
    run(&self, SECOND_US);
    assert_true(self.seen.vehicle[0].y_m > -4.9);
    kill(self.sim.pid, SIGKILL);
    program_end(&self.sim, NULL, 0);
    run(&self, SECOND_US);
    assert_false(self.core.input.sim_up);
    start_sim(&self, "1");
    run(&self, SECOND_US);
    assert_true(self.core.input.sim_up);
    assert_true(self.seen.vehicle[0].left_drive_rad_s > 0.0);
    end(&self);
}

static void a_core_that_dies_leaves_a_robot_that_stands(void **state)
{
    (void)state;
    bench self;
    start(&self, "1");
    self.sticks.left_y = 200;
    run(&self, SECOND_US);
    assert_true(self.seen.vehicle[0].left_drive_rad_s > 0.0);
    hy_core *const core = &self.core;
    hy_link_close(&core->to_sim); // it says no more, not even a stop
    const int64_t from_us = hy_clock_now_us();
    while (self.seen.vehicle[0].left_drive_rad_s > 0.0) {
        hy_datagram batch[HY_LINK_BATCH];
        const size_t count = hy_link_receive(&self.view, batch, HY_LINK_BATCH);
        for (size_t i = 0; i < count; i++) {
            hy_icd_read_match(self.reader, batch[i].bytes, &self.seen);
        }
        assert_true(hy_clock_now_us() - from_us < 5 * SECOND_US);
        usleep(500);
    }
    print_message("a silent core's robot is told to stand after %.0f ms\n",
                  (double)(hy_clock_now_us() - from_us) * 1e-3);
    assert_true(hy_clock_now_us() - from_us > 300000); // not because of anything else
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
