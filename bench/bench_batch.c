// Many worlds in one call beside the same worlds one by one: processor time of a robot's step of 10 ms on one core, ideal XRPs with a braking
// bridge, noise and all sensors on, in turns in one run. The driving is random and changes every half second; in the arena and on
// the line it is often at the walls.
//
//   bench_batch [FOLDER OF THE WORLDS]
#include <halyard/world_batch.h>

#include "../src/world/batch.h"
#include "drives.h"
#include "measure.h"

#define ROUNDS    9
#define WORLDS    256
#define STEPS     1000
#define NEW_DRIVE 50

typedef struct {
    hy_world_batch *batch;
    hy_chance chance;
    long touching, looks;
} robots;

static void choose_drives(robots *r)
{
    for (size_t i = 0; i < WORLDS; i++) {
        hy_actuators drive = { .led = false };
        drives_choose(&r->chance, drive.motor_duty);
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
    robots r = { .chance = hy_chance_seeded(1) };
    for (size_t i = 0; i < WORLDS; i++) {
        seeds[i] = i;
    }
    if (hy_batch_start(model, seeds, WORLDS, path, &r.batch) != HY_OK) {
        fputs("bench_batch: no memory\n", stderr);
        exit(1);
    }
    return r;
}

static void compare(const char *folder, const char *name, double goal)
{
    hy_world_model *const model = drives_load_world(folder, name);
    const hy_xrp_path *paths[HY_XRP_PATHS + 1];
    const size_t count = hy_xrp_paths(paths) + 1;
    paths[count - 1] = NULL; // one by one
    robots r[HY_XRP_PATHS + 1];
    double ns[HY_XRP_PATHS + 1][ROUNDS];
    for (size_t p = 0; p < count; p++) {
        r[p] = start(model, paths[p]);
        (void)step_ns(&r[p]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t p = 0; p < count; p++) {
            ns[p][round] = step_ns(&r[p]);
        }
    }
    const double alone_ns = measure_median(ns[count - 1], ROUNDS);
    for (size_t p = 0; p < count; p++) {
        const double median_ns = measure_median(ns[p], ROUNDS);
        printf("%-10s %-10s %6.1f ns a step, %7.0f x real time, %4.1f times one by one, touching "
               "%2.0f %% of the time; goal %6.0f x: %s\n",
               name, hy_world_batch_path(r[p].batch), median_ns, 1e7 / median_ns,
               alone_ns / median_ns, 100.0 * (double)r[p].touching / (double)r[p].looks, goal,
               1e7 / median_ns >= goal ? "reached" : "MISSED");
        hy_world_batch_end(r[p].batch);
    }
    hy_world_free(model);
}

int main(int count, char **arguments)
{
    const char *folder = count > 1 ? arguments[1] : "worlds";
    compare(folder, "xrp-open", 250000);
    compare(folder, "xrp-arena", 50000);
    compare(folder, "xrp-line", 50000);
    return 0;
}
