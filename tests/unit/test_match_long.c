// Six robots drive about at full speed, at random, for hours: nobody and nothing leaves the field, no robot
// goes into another or into a wall by more than can be seen, and every number stays one.
//
// HALYARD_MATCH_MINUTES sets how many minutes are simulated with each drive model.
#include <halyard/worldfile.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || !defined NDEBUG
#define MINUTES 0.5
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MINUTES 0.5
#endif
#endif
#ifndef MINUTES
#define MINUTES 10
#endif

/// A robot may stand so far in a wall for a moment, and in another robot.
#define WALL_SINKS_M  0.015
#define ROBOT_SINKS_M 0.025
#define IDEAL_SINKS_M 0.200
#define LOOK_EVERY    10

typedef struct {
    double x, y;
} vec;

// --------------------------------------------------------------------------- geometry

static double distance_to_edge(const hy_world_model *world, vec at, bool *inside)
{
    size_t count;
    const hy_point *border = hy_world_border(world, &count);
    double nearest = INFINITY;
    *inside = false;
    for (size_t i = 0; i < count; i++) {
        const hy_point a = border[i], b = border[(i + 1) % count];
        const double dx = b.x_m - a.x_m, dy = b.y_m - a.y_m;
        const double share = ((at.x - a.x_m) * dx + (at.y - a.y_m) * dy) / (dx * dx + dy * dy);
        const double u = share < 0 ? 0 : share > 1 ? 1 : share;
        nearest = fmin(nearest, hypot(at.x - a.x_m - u * dx, at.y - a.y_m - u * dy));
        if ((a.y_m > at.y) != (b.y_m > at.y) && at.x < a.x_m + dx * (at.y - a.y_m) / dy) {
            *inside = !*inside;
        }
    }
    return nearest;
}

/// How far a point lies outside of the field; 0 inside.
static double outside_by(const hy_world_model *world, vec at)
{
    bool inside;
    const double distance = distance_to_edge(world, at, &inside);
    return inside ? 0 : distance;
}

typedef struct {
    vec corner[HY_WORLD_CORNERS];
    size_t count;
} polygon;

static polygon part_on_floor(const hy_world_part *part, const hy_truth *at)
{
    polygon out = { .count = part->count };
    const double c = cos(at->heading_rad), s = sin(at->heading_rad);
    for (size_t i = 0; i < part->count; i++) {
        const double x = part->corners[i].x_m, y = part->corners[i].y_m;
        out.corner[i] = (vec){ at->x_m + c * x - s * y, at->y_m + s * x + c * y };
    }
    return out;
}

/// How deep `b` reaches into `a`, measured across the sides of `a`; negative: not at all.
static double depth_across(const polygon *a, const polygon *b)
{
    double least = INFINITY;
    for (size_t i = 0; i < a->count; i++) {
        const vec p = a->corner[i], q = a->corner[(i + 1) % a->count];
        const double length = hypot(q.x - p.x, q.y - p.y);
        double deepest = -INFINITY;
        for (size_t k = 0; k < b->count; k++) {
            const vec r = b->corner[k];
            const double side = (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
            deepest = fmax(deepest, side / length);
        }
        least = fmin(least, deepest);
    }
    return least;
}

static double depth_between(const hy_world_model *world, size_t a, size_t b, const hy_truth *at_a,
                            const hy_truth *at_b)
{
    size_t count_a, count_b;
    const hy_world_part *parts_a = hy_world_parts(world, a, &count_a);
    const hy_world_part *parts_b = hy_world_parts(world, b, &count_b);
    double deepest = 0;
    for (size_t i = 0; i < count_a; i++) {
        const polygon p = part_on_floor(&parts_a[i], at_a);
        for (size_t k = 0; k < count_b; k++) {
            const polygon q = part_on_floor(&parts_b[k], at_b);
            deepest = fmax(deepest, fmin(depth_across(&p, &q), depth_across(&q, &p)));
        }
    }
    return deepest;
}

// --------------------------------------------------------------------------- driving

static hy_match_commands choose(hy_random *random)
{
    static const double speeds[] = { -1, 0, 1 };
    const bool full = hy_random_below(random, 4) != 0;
    hy_match_commands c = { .intake_center = speeds[hy_random_below(random, 3)],
                            .intake_left = speeds[hy_random_below(random, 3)],
                            .intake_right = speeds[hy_random_below(random, 3)],
                            .tube = speeds[hy_random_below(random, 3)],
                            .outtake = hy_random_below(random, 4) == 0 };
    c.left_drive = full ? 1 : hy_random_below(random, 1025) / 512.0 - 1;
    c.right_drive = full ? 1 : hy_random_below(random, 1025) / 512.0 - 1;
    if (hy_random_below(random, 2) == 0) {
        c.left_drive = -c.left_drive;
        c.right_drive = -c.right_drive;
    }
    return c;
}

/// The worst of what was seen.
typedef struct {
    double outside_m, in_robot_m, piece_outside_m;
    int64_t outside_step, in_robot_step;
} worst;

static void look_at_robots(const hy_match_model *model, const hy_match *match, int64_t step,
                           worst *seen)
{
    const hy_world_model *world = hy_match_world(model);
    hy_truth at[HY_MATCH_PLAYERS];
    for (unsigned i = 0; i < hy_match_players(model); i++) {
        at[i] = hy_world_truth(world, hy_match_world_state(match), i);
        assert_true(isfinite(at[i].x_m) && isfinite(at[i].y_m) && isfinite(at[i].heading_rad));
        size_t count;
        const hy_world_part *parts = hy_world_parts(world, i, &count);
        for (size_t k = 0; k < count; k++) {
            const polygon p = part_on_floor(&parts[k], &at[i]);
            for (size_t c = 0; c < p.count; c++) {
                const double out_m = outside_by(world, p.corner[c]);
                seen->outside_step = out_m > seen->outside_m ? step : seen->outside_step;
                seen->outside_m = fmax(seen->outside_m, out_m);
            }
        }
        for (unsigned k = 0; k < i; k++) {
            if (hypot(at[i].x_m - at[k].x_m, at[i].y_m - at[k].y_m) < 1.5) {
                const double depth_m = depth_between(world, i, k, &at[i], &at[k]);
                seen->in_robot_step = depth_m > seen->in_robot_m ? step : seen->in_robot_step;
                seen->in_robot_m = fmax(seen->in_robot_m, depth_m);
            }
        }
    }
}

static void look_at_pieces(const hy_match_model *model, const hy_match *match, worst *seen)
{
    const hy_world_model *world = hy_match_world(model);
    const hy_world_facts facts = hy_world_describe(world);
    for (size_t i = 0; i < facts.pieces; i++) {
        const hy_piece piece = hy_world_piece(hy_match_world_state(match), i);
        assert_true(isfinite(piece.x_m) && isfinite(piece.y_m) && isfinite(piece.z_m));
        assert_true(piece.z_m >= 0 && piece.z_m < 1);
        seen->piece_outside_m =
            fmax(seen->piece_outside_m, outside_by(world, (vec){ piece.x_m, piece.y_m }));
    }
}

static hy_match_model *load(hy_world_drive drive)
{
    hy_match_spec spec;
    hy_match_model *model;
    hy_world_error error = { "" };
    if (hy_worldfile_read_match(HALYARD_TEST_DATA "/../worlds/field2020.yaml", &spec, &error) !=
        HY_OK) {
        fail_msg("%s", error.text);
    }
    hy_world_spec_set_drive(&spec.world, drive);
    if (hy_match_compile(&spec, &model, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    hy_match_spec_free(&spec);
    return model;
}

static worst drive_about(hy_world_drive drive, double minutes)
{
    hy_match_model *model = load(drive);
    hy_match *match = NULL;
    (void)hy_match_open(model, &(hy_match_options){ .seed = 3 }, &match);
    assert_non_null(match);
    hy_random random = hy_random_seeded(7);
    int64_t until[HY_MATCH_PLAYERS] = { 0 };
    hy_match_commands commands[HY_MATCH_PLAYERS] = { { 0 } };
    worst seen = { 0 };
    for (int64_t step = 0; step < (int64_t)(minutes * 6000); step++) {
        const int64_t now_us = step * HY_MATCH_STEP_US;
        for (unsigned i = 0; i < hy_match_players(model); i++) {
            if (step >= until[i]) {
                commands[i] = choose(&random);
                until[i] = step + 5 + hy_random_below(&random, 150);
            }
            hy_match_command(match, i + 1, &commands[i], now_us);
        }
        hy_match_step(match, now_us);
        if (step % LOOK_EVERY == 0) {
            look_at_robots(model, match, step, &seen);
            look_at_pieces(model, match, &seen);
        }
    }
    const hy_match_facts facts = hy_match_describe(match);
    print_message(
        "%g minutes: robots at most %.1f mm in a wall (step %lld), %.1f mm in each other (step "
        "%lld), balls %.1f mm; score %d:%d\n",
        minutes, 1e3 * seen.outside_m, (long long)seen.outside_step, 1e3 * seen.in_robot_m,
        (long long)seen.in_robot_step, 1e3 * seen.piece_outside_m, facts.blue_score, facts.red_score);
    hy_match_close(match);
    hy_match_free(model);
    return seen;
}

static double minutes(void)
{
    const char *text = getenv("HALYARD_MATCH_MINUTES");
    return text != NULL ? strtod(text, NULL) : MINUTES;
}

static void test_dcmotor(void **state)
{
    (void)state;
    const worst seen = drive_about(HY_WORLD_DRIVE_DCMOTOR, minutes());
    assert_true(seen.outside_m < WALL_SINKS_M);
    assert_true(seen.in_robot_m < ROBOT_SINKS_M);
    assert_true(seen.piece_outside_m == 0); // its centre
}

// Ideal drives push with any force that it takes: what is between them gives way, but stays on the field.
static void test_ideal(void **state)
{
    (void)state;
    const worst seen = drive_about(HY_WORLD_DRIVE_IDEAL, minutes() / 4);
    assert_true(seen.outside_m < IDEAL_SINKS_M);
    assert_true(seen.in_robot_m < IDEAL_SINKS_M);
    assert_true(seen.piece_outside_m == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_dcmotor),
                                        cmocka_unit_test(test_ideal) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
