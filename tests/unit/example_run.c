#include "example_run.h"

#include <halyard/board.h>
#include <halyard/faults.h>
#include <halyard/program.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/program/note.h"
#include "cmocka_all.h"
#include "world_read.h"

#define TICK_US   INT64_C(1000)
#define START_US  INT64_C(7000) // so that loop, world and statuses are not in step by accident
#define REPEAT_US INT64_C(50000)
#define ROBOTS    HY_PROGRAM_ROBOTS

typedef struct {
    hy_board *board;
    const hy_dialect *dialect;
    hy_commander commander;
    hy_seq_gate gate;
    hy_faults *to_robot, *to_client;
} line;

typedef struct {
    const hy_program *program;
    hy_world_model *model;
    hy_world_state *world;
    hy_world_input input;
    int64_t step_us, now_us;
    size_t robots;
    line lines[ROBOTS];
    hy_timed_robot loop;
    bool enabled, over;
} run_state;

static const example_setup *setup; // of the run under way: main() has no argument for it
static example_result result;

void hy_program_set_status(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result.said, sizeof result.said, format, arguments);
    va_end(arguments);
}

void program_note_outputs(const hy_outputs *out)
{
    (void)out;
}

// Nobody records here.
void hy_program_put_number(const char *name, double value)
{
    (void)name, (void)value;
}

void hy_program_put_boolean(const char *name, bool value)
{
    (void)name, (void)value;
}

void hy_program_put_pose(const char *name, hy_pose2d pose)
{
    (void)name, (void)pose;
}

bool hy_program_tunable(const char *name, double *value, double low, double high)
{
    (void)name, (void)value, (void)low, (void)high;
    return false;
}

bool hy_program_chooser(const char *name, const char *const *options, size_t count, size_t *chosen)
{
    (void)name, (void)options, (void)count, (void)chosen;
    return false;
}

hy_telemetry *hy_program_telemetry(void)
{
    return NULL;
}

const char *example_said(void)
{
    return result.said;
}

// --------------------------------------------------------------------------- start

static void load_world(run_state *self)
{
    hy_world_error error = { "" };
    char path[512];
    hy_status status;
    if (strchr(setup->world, '\n') != NULL) {
        const hy_bytes yaml = { (const uint8_t *)setup->world, strlen(setup->world) };
        const hy_worldfile_text text = { yaml, "test", "" };
        status = world_read(&text, &self->model, &error);
    } else {
        snprintf(path, sizeof path, "%s/../worlds/%s.yaml", HALYARD_TEST_DATA, setup->world);
        status = hy_worldfile_load_robots(path, &(hy_worldfile_robots){ .traits = setup->traits },
                                          &self->model, &error);
    }
    if (status != HY_OK) {
        fail_msg("%s", error.text);
    }
    (void)hy_world_open(self->model, setup->seed, &self->world);
    assert_non_null(self->world);
    self->step_us = hy_world_describe(self->model).step_us;
}

static hy_faults *open_channel(uint64_t seed)
{
    static const hy_faults_spec nothing;
    static const hy_faults_direction good, bad = { .loss = 0.05, .jitter_us = 20000 };
    hy_faults *const channel = malloc(sizeof *channel);
    assert_non_null(channel);
    hy_faults_init(channel, setup->bad_air ? &bad : &good, &nothing, seed, 0);
    return channel;
}

static void start_line(run_state *self, size_t index)
{
    const hy_program_robot *const robot = &self->program->robots[index];
    line *const l = &self->lines[index];
    const hy_board_options options = {
        .kind = robot->xrp != NULL ? &hy_board_xrp : &hy_board_teensy,
    };
    void *const memory = malloc(hy_board_size());
    assert_non_null(memory);
    l->board = hy_board_init(memory, &options, 0);
    l->dialect = hy_board_dialect(l->board);
    hy_commander_init(&l->commander, l->dialect);
    l->to_robot = open_channel(setup->seed * 16 + 2 * index);
    l->to_client = open_channel(setup->seed * 16 + 2 * index + 1);
    hy_program_devices_init(robot);
    hy_sensors sensors;
    hy_world_read_sensors(self->model, self->world, index, &sensors);
    hy_board_sense(l->board, &sensors, 0);
}

static void end(run_state *self)
{
    result.truth = hy_world_truth(self->model, self->world, 0);
    result.end_s = (double)self->now_us * 1e-6;
    result.trips = hy_board_counts(self->lines[0].board)->watchdog_trips;
    for (size_t i = 0; i < self->robots; i++) {
        line *const l = &self->lines[i];
        result.lost += l->to_robot->counters.lost + l->to_client->counters.lost;
        free(l->to_robot);
        free(l->to_client);
        free(l->board);
    }
    hy_world_close(self->world);
    hy_world_free(self->model);
}

// --------------------------------------------------------------------------- a millisecond

static void step_world(run_state *self)
{
    for (size_t i = 0; i < self->robots; i++) {
        self->input.vehicle[i] = *hy_board_actuators(self->lines[i].board);
    }
    hy_world_step(self->model, self->world, &self->input);
    for (size_t i = 0; i < self->robots; i++) {
        hy_sensors sensors;
        hy_world_read_sensors(self->model, self->world, i, &sensors);
        hy_board_sense(self->lines[i].board, &sensors, self->now_us);
    }
    const hy_truth truth = hy_world_truth(self->model, self->world, 0);
    result.touched = result.touched || truth.touching;
    if (setup->watch != NULL) {
        self->over = !setup->watch(setup->context, (double)self->now_us * 1e-6, &truth);
    }
}

static void show_packet(const run_state *self, size_t index, bool is_status, hy_bytes bytes)
{
    if (index == 0 && setup->packet != NULL) {
        setup->packet(setup->context, is_status, self->now_us, bytes);
    }
}

static void carry_statuses(run_state *self, size_t index)
{
    line *const l = &self->lines[index];
    uint8_t room[HY_WIRE_STATUS_MAX];
    hy_endpoint to;
    hy_bytes bytes;
    for (size_t size;
         (size = hy_board_send(l->board, self->now_us, &to, (hy_room){ room, sizeof room })) > 0;) {
        hy_faults_put(l->to_client, &to, (hy_bytes){ room, size }, self->now_us);
    }
    while (hy_faults_take(l->to_client, self->now_us, &to, &bytes)) {
        hy_wire_status status;
        show_packet(self, index, true, bytes);
        l->dialect->status_decode(bytes, &status);
        if (hy_seq_gate_accept(&l->gate, status.seq, self->now_us)) {
            hy_program_devices_update(&self->program->robots[index], &status, self->now_us);
        }
    }
}

static void carry_commands(run_state *self, size_t index)
{
    static const hy_endpoint client = { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 }, .port = 9 };
    line *const l = &self->lines[index];
    hy_endpoint to;
    hy_bytes bytes;
    while (hy_faults_take(l->to_robot, self->now_us, &to, &bytes)) {
        hy_board_receive(l->board, &client, bytes, self->now_us);
    }
}

static void send_commands(run_state *self)
{
    for (size_t i = 0; i < self->robots; i++) {
        line *const l = &self->lines[i];
        hy_wire_datagram datagrams[2];
        hy_program_devices_command(&self->program->robots[i], &l->commander.command, self->now_us);
        const unsigned count = hy_commander_write(&l->commander, self->now_us, datagrams);
        for (unsigned n = 0; n < count; n++) {
            const hy_bytes bytes = { datagrams[n].data, datagrams[n].size };
            show_packet(self, i, false, bytes);
            hy_faults_put(l->to_robot, &(hy_endpoint){ .port = 0 }, bytes, self->now_us);
        }
    }
}

static void press_keys(run_state *self)
{
    for (size_t i = 0; i < setup->key_count; i++) {
        const example_key *const k = &setup->keys[i];
        const int64_t since_us = self->now_us - (int64_t)(k->at_s * 1e6);
        if (since_us >= 0 && since_us <= (int64_t)(k->hold_s * 1e6) &&
            since_us % REPEAT_US < TICK_US) {
            const hy_key_event event = { .what = HY_KEY_PRESS, .key = k->key };
            self->program->key(self->program->loop.context, &event, self->now_us);
        }
    }
}

static void enable(run_state *self)
{
    self->enabled = true;
    for (size_t i = 0; i < self->robots; i++) {
        assert_true(hy_commander_enable(&self->lines[i].commander));
    }
}

static void tick(run_state *self)
{
    if (self->now_us % self->step_us == 0) {
        step_world(self);
    }
    for (size_t i = 0; i < self->robots; i++) {
        carry_statuses(self, i);
        carry_commands(self, i);
    }
    press_keys(self);
    if (!self->enabled && self->now_us >= EXAMPLE_ENABLE_US) {
        enable(self);
    }
    const hy_mode mode = self->enabled ? hy_program_mode(self->program) : HY_MODE_DISABLED;
    if (hy_timed_robot_begin(&self->loop, mode, self->now_us)) {
        send_commands(self);
        hy_timed_robot_end(&self->loop, self->now_us);
    }
}

// --------------------------------------------------------------------------- in the place of the runner

int hy_program_main(const hy_program *program, int argc, char **argv)
{
    (void)argc, (void)argv;
    static run_state self;
    self = (run_state){ .program = program, .robots = setup->robots > 0 ? setup->robots : 1 };
    load_world(&self);
    for (size_t i = 0; i < self.robots; i++) {
        start_line(&self, i);
    }
    hy_timed_robot_init(&self.loop, &program->loop, HY_LOOP_PERIOD_US, false, START_US);
    const int64_t end_us = (int64_t)(setup->duration_s * 1e6);
    for (self.now_us = TICK_US; self.now_us <= end_us && !self.over; self.now_us += TICK_US) {
        tick(&self);
    }
    hy_timed_robot_exit(&self.loop, self.now_us);
    end(&self);
    return 0;
}

example_result example_run(const example_setup *wanted)
{
    static char name[] = "example";
    char *arguments[] = { name, NULL };
    setup = wanted;
    result = (example_result){ 0 };
    assert_int_equal(wanted->example(1, arguments), 0);
    return result;
}
