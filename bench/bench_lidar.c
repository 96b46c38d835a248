// How many lidar rays a second one core casts in a match on the field of 2020: 80 rays a 10 ms step, as a
// scanner of 8000 rays/s and 10 sweeps/s does, 0.75 to 12 m. First the whole step of two lidars, with
// putting six robots and twenty balls where they are; then the rays alone, on every path that this
// processor can take, beside a plain loop that tries everything. Told is what a tenth of the rounds did not exceed, in
// processor time.
#include <halyard/base.h>

#include <math.h>
#include <string.h>

#include "../tests/support/lidar_field.h"
#include "../tests/support/lidar_plain.h"
#include "measure.h"

#define ROUNDS  31
#define SCENES  64
#define STEPS   10 // a sweep
#define RAYS    80
#define TURN    6.283185307179586
#define GOAL_US 8.0
#define GOAL    20e6

typedef struct {
    hy_lidar_shapes shapes;
    hy_lidar_fan fan;
    hy_lidar_scene scene[SCENES];
    double seen_m; // adds up, so that no compiler leaves the work out
} match;

typedef void caster(match *m, const hy_lidar_scene *scene, const hy_lidar_scan *scan,
                    double *ranges_m);

static void cast_fast(match *m, const hy_lidar_scene *scene, const hy_lidar_scan *scan,
                      double *ranges_m)
{
    hy_lidar_cast(&m->shapes, scene, &m->fan, scan, ranges_m);
}

static void cast_plain(match *m, const hy_lidar_scene *scene, const hy_lidar_scan *scan,
                       double *ranges_m)
{
    static plain_world world;
    plain_place(&world, &m->shapes, scene, scan->excluded);
    plain_cast(&world, &m->fan, scan, ranges_m);
}

/// What robot number `robot` scans in a step of a sweep.
static hy_lidar_scan scan_of(const hy_lidar_scene *scene, size_t robot, size_t step)
{
    return (hy_lidar_scan){ .from = scene->pose[1 + robot],
                            .first_rad = (double)step * TURN / STEPS,
                            .count = RAYS,
                            .near_m = 0.75,
                            .far_m = 12,
                            .excluded = 1 + robot };
}

static double rays_ns(match *m, caster *cast, size_t scenes)
{
    double ranges_m[RAYS];
    const double from_ns = measure_cpu_ns();
    for (size_t s = 0; s < scenes; s++) {
        for (size_t step = 0; step < STEPS; step++) {
            const hy_lidar_scan scan = scan_of(&m->scene[s], s % FIELD_ROBOTS, step);
            cast(m, &m->scene[s], &scan, ranges_m);
            m->seen_m += ranges_m[step];
        }
    }
    return (measure_cpu_ns() - from_ns) / (double)(scenes * STEPS * RAYS);
}

static double tenth_of(match *m, caster *cast, size_t scenes)
{
    double ns[ROUNDS];
    for (size_t i = 0; i < ROUNDS; i++) {
        ns[i] = rays_ns(m, cast, scenes);
    }
    return measure_tenth(ns, ROUNDS);
}

/// Two lidars, six robots and twenty balls that are elsewhere in each step.
static double steps_ns(match *m)
{
    double ranges_m[2][RAYS];
    hy_lidar_scene here = m->scene[0];
    const double from_ns = measure_cpu_ns();
    for (size_t s = 0; s < SCENES; s++) {
        const hy_lidar_scene *now = &m->scene[s];
        for (size_t robot = 1; robot <= FIELD_ROBOTS; robot++) {
            hy_lidar_place(&here, robot, &now->pose[robot]);
        }
        hy_lidar_clear_discs(&here);
        for (size_t ball = 0; ball < now->discs; ball++) {
            hy_lidar_add_disc(&here, (hy_vec){ now->x[ball], now->y[ball] }, now->radius[ball]);
        }
        for (size_t robot = 0; robot < 2; robot++) {
            const hy_lidar_scan scan = scan_of(&here, robot, s % STEPS);
            hy_lidar_cast(&m->shapes, &here, &m->fan, &scan, ranges_m[robot]);
            m->seen_m += ranges_m[robot][s];
        }
    }
    return (measure_cpu_ns() - from_ns) / SCENES;
}

static void report_steps(match *m)
{
    double ns[ROUNDS];
    for (size_t i = 0; i < ROUNDS; i++) {
        ns[i] = steps_ns(m);
    }
    const double us = measure_tenth(ns, ROUNDS) / 1000;
    printf("%-9s a step of two lidars, %d rays and all that moves: %5.2f us; goal %.0f us: %s\n",
           m->fan.path->name, 2 * RAYS, us, GOAL_US, us <= GOAL_US ? "reached" : "MISSED");
}

static void report_rays(match *m, double plain_ns)
{
    const char *name = m->fan.path->name;
    const double ns = tenth_of(m, cast_fast, SCENES);
    printf("%-9s %6.1f million rays/s (%5.1f ns a ray), %5.1f x the plain loop", name, 1000 / ns,
           ns, plain_ns / ns);
    if (strcmp(name, "avx2") == 0) {
        printf("; goal %.0f million: %s", GOAL / 1e6, 1e9 / ns >= GOAL ? "reached" : "MISSED");
    }
    putchar('\n');
}

int main(void)
{
    static match m;
    const hy_lidar_path *paths[HY_LIDAR_PATHS];
    const size_t count = hy_lidar_paths(paths);
    hy_random random = hy_random_seeded(1);
    field_build(&m.shapes);
    hy_lidar_fan_make(&m.fan, TURN / (STEPS * RAYS));
    for (size_t i = 0; i < SCENES; i++) {
        field_scatter(&m.scene[i], &random);
    }
    for (size_t i = 0; i < count; i++) {
        m.fan.path = paths[i];
        report_steps(&m);
    }
    const double plain_ns = tenth_of(&m, cast_plain, 1);
    printf("%-9s %6.1f million rays/s (%5.1f ns a ray), everything tried\n", "plain",
           1000 / plain_ns, plain_ns);
    for (size_t i = 0; i < count; i++) {
        m.fan.path = paths[i];
        report_rays(&m, plain_ns);
    }
    return isnan(m.seen_m);
}
