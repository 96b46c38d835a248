// How much faster than real time a virtual XRP runs headless on one core: the world alone, and with
// the board that decodes a command every 20 ms and encodes a status every 50 ms of simulated time.
// 10 ms steps, noise and all sensors on; the driving is random, and in the arena often at the walls. The ideal robot's motors have
// a braking bridge; the typical one is as it was built (docs/spec/robot.md), and its motors have the coasting bridge of the board.
//
//   bench_world [FOLDER OF THE WORLDS]
#include <halyard/board.h>
#include <halyard/wire.h>

#include "drives.h"
#include "measure.h"

#define ROUNDS       15
#define ROUND_S      60
#define COMMAND_US   20000
#define NEW_DRIVE_US 500000
#define CLIENT                               \
    {                                        \
        .ip = { 127, 0, 0, 1 }, .port = 5800 \
    }

typedef struct {
    hy_world_model *model;
    hy_world_state *state;
    hy_world_input input;
    hy_random random;
    int64_t step_us, now_us;
    long looks, touching; // once a simulated second
    // Only with a board.
    hy_board *board;
    void *board_memory;
    hy_seq_sender numbers;
    size_t status_bytes;
} robot;

static void step_world(robot *r)
{
    hy_world_step(r->model, r->state, &r->input);
    r->now_us += r->step_us;
    if (r->now_us % 1000000 == 0) {
        r->looks++;
        r->touching += hy_world_truth(r->model, r->state, 0).touching;
    }
}

// --------------------------------------------------------------------------- without a board

static void run_alone(robot *r)
{
    for (int64_t end_us = r->now_us + ROUND_S * (int64_t)1000000; r->now_us < end_us;) {
        if (r->now_us % NEW_DRIVE_US == 0) {
            drives_choose(&r->random, r->input.vehicle[0].motor_duty);
        }
        step_world(r);
    }
}

// --------------------------------------------------------------------------- with a board

static void send_command(robot *r, const double motor[2])
{
    static const hy_endpoint client = CLIENT;
    hy_wire_command command = { .control = HY_WIRE_CONTROL_ENABLED, .motors = 0xf };
    command.motor[0] = (float)motor[0];
    command.motor[1] = (float)motor[1];
    uint16_t numbers[2];
    const unsigned count = hy_seq_sender_next(&r->numbers, numbers);
    for (unsigned i = 0; i < count; i++) {
        uint8_t bytes[HY_WIRE_COMMAND_MAX];
        command.seq = numbers[i];
        const size_t size = hy_xrp_command_encode(&command, (hy_room){ bytes, sizeof bytes });
        hy_board_receive(r->board, &client, (hy_bytes){ bytes, size }, r->now_us);
    }
}

static void take_statuses(robot *r)
{
    uint8_t bytes[HY_WIRE_STATUS_MAX];
    hy_endpoint to;
    size_t size;
    while ((size = hy_board_send(r->board, r->now_us, &to, (hy_room){ bytes, sizeof bytes })) > 0) {
        r->status_bytes += size;
    }
}

/// As the simulator does: only before a status.
static void see_floor(const robot *r)
{
    if (hy_board_due_us(r->board) <= r->now_us) {
        double reflectance[HY_PIN_REFLECTANCE];
        hy_world_read_floor(r->model, r->state, 0, reflectance);
        hy_board_see_floor(r->board, reflectance);
    }
}

static void run_with_board(robot *r)
{
    double motor[2] = { 0, 0 };
    for (int64_t end_us = r->now_us + ROUND_S * (int64_t)1000000; r->now_us < end_us;) {
        if (r->now_us % NEW_DRIVE_US == 0) {
            drives_choose(&r->random, motor);
        }
        if (r->now_us % COMMAND_US == 0) {
            send_command(r, motor);
        }
        r->input.vehicle[0] = *hy_board_actuators(r->board);
        step_world(r);
        hy_sensors sensors;
        hy_world_read_sensors_without_reflectance(r->model, r->state, 0, &sensors);
        hy_board_sense(r->board, &sensors, r->now_us);
        see_floor(r);
        take_statuses(r);
    }
}

// --------------------------------------------------------------------------- the comparison

static robot start(hy_world_model *model)
{
    static const hy_board_options options = { .kind = &hy_board_xrp };
    robot r = { .model = model,
                .random = hy_random_seeded(1),
                .step_us = hy_world_describe(model).step_us,
                .board_memory = malloc(hy_board_size()) };
    (void)hy_world_open(model, 1, &r.state);
    if (r.state == NULL || r.board_memory == NULL) {
        fputs("bench_world: no memory\n", stderr);
        exit(1);
    }
    r.board = hy_board_init(r.board_memory, &options, 0);
    return r;
}

static void end(robot *r)
{
    hy_world_close(r->state);
    free(r->board_memory);
}

typedef struct {
    double times_real, step_ns, touching;
} speed;

static speed speed_of(hy_world_model *model, void (*run)(robot *))
{
    double ns[ROUNDS];
    robot r = start(model);
    run(&r); // to the middle of things, and the engine's memory to its size
    for (int i = 0; i < ROUNDS; i++) {
        const double from_ns = measure_cpu_ns();
        run(&r);
        ns[i] = measure_cpu_ns() - from_ns;
    }
    if (run == run_with_board && r.status_bytes < ROUNDS * ROUND_S * 20 * 128) {
        fputs("bench_world: the board did not answer as it should\n", stderr);
        exit(1);
    }
    const double round_ns = measure_median(ns, ROUNDS);
    const speed result = { ROUND_S * 1e9 / round_ns, round_ns * (double)r.step_us / (ROUND_S * 1e6),
                           (double)r.touching / (double)r.looks };
    end(&r);
    return result;
}

/// The world's robots as `--robot typical` has them, with the boards that they are sold with: their bridges coast.
static hy_world_model *load_typical(const char *folder, const char *name)
{
    char path[1024];
    hy_robot_traits typical;
    hy_robot_traits_typical(&typical);
    hy_world_model *model;
    hy_world_error error;
    snprintf(path, sizeof path, "%s/%s.yaml", folder, name);
    const hy_worldfile_robots robots = { .traits = &typical };
    if (hy_worldfile_load_robots(path, &robots, &model, &error) != HY_OK) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    return model;
}

/// `goal` is of an ideal robot with its board; 0: none.
static void report(const char *name, const char *which, hy_world_model *model, double goal)
{
    const speed alone = speed_of(model, run_alone);
    const speed both = speed_of(model, run_with_board);
    printf(
        "%-10s %-8s world alone %6.0f x real time (%4.0f ns a step, touching %2.0f %% of the time),"
        " with board %6.0f x (%4.0f ns, %2.0f %%)",
        name, which, alone.times_real, alone.step_ns, 100 * alone.touching, both.times_real,
        both.step_ns, 100 * both.touching);
    if (goal > 0) {
        printf("; goal %5.0f x: %s", goal, both.times_real >= goal ? "reached" : "MISSED");
    }
    printf("\n");
    hy_world_free(model);
}

static void compare(const char *folder, const char *name, double goal)
{
    report(name, "ideal", drives_load_world(folder, name), goal);
    report(name, "typical", load_typical(folder, name), 0);
}

int main(int count, char **arguments)
{
    const char *folder = count > 1 ? arguments[1] : "worlds";
    compare(folder, "xrp-arena", 12000);
    compare(folder, "xrp-line", 12000);
    compare(folder, "xrp-open", 25000);
    return 0;
}
