// Many worlds in one call beside the same worlds one by one: processor time of a robot's step of 10 ms on one core, noise and all sensors
// on, in turns in one run: ideal XRPs with a bridge that brakes and with one that coasts, and typical ones with one that coasts. The
// driving is random and changes every half second; in the arena and on the line it is often at the walls.
//
//   bench_batch [FOLDER OF THE WORLDS]
#include <halyard/world.h>

#include "../src/world/batch.h"
#include "drives.h"
#include "measure.h"

#define ROUNDS    9
#define WORLDS    256
#define STEPS     1000
#define NEW_DRIVE 50

typedef struct {
    hy_world_batch *batch;
    hy_random random;
    long touching, looks;
} robots;

static void choose_drives(robots *r)
{
    for (size_t i = 0; i < WORLDS; i++) {
        hy_actuators drive = { .led = false };
        drives_choose(&r->random, drive.motor_duty);
        hy_world_batch_set(r->batch, i, &drive, false);
        r->touching += hy_world_batch_pose(r->batch, i).touching;
        r->looks++;
    }
}

static double step_ns(robots *r)
{
    const double from_ns = measure_cpu_ns();
    for (int step = 0; step < STEPS; step++) {
        if (step % NEW_DRIVE == 0) {
            choose_drives(r);
        }
        hy_world_batch_step(r->batch);
    }
    return (measure_cpu_ns() - from_ns) / ((double)STEPS * WORLDS);
}

static robots start(const hy_world_model *model, const hy_xrp_path *path)
{
    uint64_t seeds[WORLDS];
    robots r = { .random = hy_random_seeded(1) };
    for (size_t i = 0; i < WORLDS; i++) {
        seeds[i] = i;
    }
    if (hy_batch_open(model, seeds, WORLDS, path, &r.batch) != HY_OK) {
        fputs("bench_batch: no memory\n", stderr);
        exit(1);
    }
    return r;
}

static const char *const kinds[] = { "braking", "coasting", "typical" };
enum { KINDS = 3 };

static hy_world_model *load(const char *folder, const char *name, int kind)
{
    hy_robot_traits traits;
    hy_robot_traits_ideal(&traits);
    if (kind == 2) {
        hy_robot_traits_typical(&traits);
    }
    traits.decay = kind == 0 ? HY_DECAY_BRAKE : HY_DECAY_COAST;
    return drives_load_robots(folder, name, &traits);
}

/// Returns the fastest path's nanoseconds.
static double compare(const char *folder, const char *name, int kind)
{
    hy_world_model *const model = load(folder, name, kind);
    const hy_xrp_path *paths[HY_XRP_PATHS + 1];
    const size_t count = hy_xrp_paths(paths) + 1;
    paths[count - 1] = NULL; // one by one
    robots r[HY_XRP_PATHS + 1];
    double ns[HY_XRP_PATHS + 1][ROUNDS];
    const int rounds = measure_repeats(ROUNDS);
    for (size_t p = 0; p < count; p++) {
        r[p] = start(model, paths[p]);
        (void)step_ns(&r[p]);
    }
    for (int round = 0; round < rounds; round++) {
        for (size_t p = 0; p < count; p++) {
            ns[p][round] = step_ns(&r[p]);
        }
    }
    const double alone_ns = measure_median(ns[count - 1], (size_t)rounds);
    for (size_t p = 0; p < count; p++) {
        const double median_ns = measure_median(ns[p], (size_t)rounds);
        printf("%-9s %-8s %-10s %6.1f ns a step, %7.0f x real time, %4.1f times one by one, "
               "touching %2.0f %% of the time\n",
               name, kinds[kind], hy_world_batch_path(r[p].batch), median_ns, 1e7 / median_ns,
               alone_ns / median_ns, 100.0 * (double)r[p].touching / (double)r[p].looks);
        hy_world_batch_close(r[p].batch);
    }
    hy_world_free(model);
    return measure_median(ns[0], (size_t)rounds);
}

/// `goal`: of braking robots, times real time; a bridge that coasts may cost twice as much.
static void compare_kinds(const char *folder, const char *name, double goal)
{
    double ns[KINDS];
    for (int kind = 0; kind < KINDS; kind++) {
        ns[kind] = compare(folder, name, kind);
    }
    printf("%-9s %.0f x real time, goal %.0f: %s; coasting %.2f times braking, goal 2: %s\n", name,
           1e7 / ns[0], goal, 1e7 / ns[0] >= goal ? "reached" : "MISSED", ns[1] / ns[0],
           ns[1] / ns[0] <= 2 ? "reached" : "MISSED");
}

int main(int count, char **arguments)
{
    const char *folder = count > 1 ? arguments[1] : "worlds";
    compare_kinds(folder, "xrp-open", 250000);
    compare_kinds(folder, "xrp-arena", 50000);
    compare_kinds(folder, "xrp-line", 50000);
    return 0;
}
