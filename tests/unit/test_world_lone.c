// A vehicle alone at walls and obstacles, moved by our own contact solver: as the engine would move it, never deep in
// anything, and never with more energy than it had.
#include "world_bench.h"

#include "contact/lone.h"
#include "state.h"
#include "vehicles/drive.h"

#define OBSTACLES                                                                \
    "name: test\nfloor: { width_m: 2.4, height_m: 1.8 }\nobstacles:\n"           \
    "  - box: { center_m: [2.25, 1.65], size_m: [0.32, 0.32], angle_deg: 45 }\n" \
    "  - disc: { center_m: [1.2, 0.9], radius_m: 0.06 }\n"                       \
    "  - wall: { from_m: [0.0, 1.25], to_m: [0.25, 1.25] }\n"                    \
    "  - box: { center_m: [0.6, 0.4], size_m: [0.1, 0.3] }\n"                    \
    "vehicles:\n" XRP_AT(0.9, 0.5, 0) QUIET

static double between(hy_random *random, double low, double high)
{
    return low + (high - low) * hy_random_unit(random);
}

/// A place anywhere on the floor that is free, with something within 20 mm.
static hy_pose free_pose(const hy_world_model *model, hy_random *random)
{
    hy_pose pose;
    double gap_m;
    do {
        // One after the other: compilers differ in the order of arguments.
        const double x_m = between(random, 0, 2.4);
        const double y_m = between(random, 0, 1.8);
        pose = hy_pose_make(x_m, y_m, between(random, -HY_PI, HY_PI));
        gap_m = hy_lone_gap(model, 0, &pose, 0.02);
    } while (gap_m < 0 || gap_m == 0.02);
    return pose;
}

static double energy(const hy_body_model *body, hy_motion m)
{
    return body->mass_kg * (m.x * m.x + m.y * m.y) / 2 + body->inertia_kg_m2 * m.turn * m.turn / 2;
}

static void test_as_the_engine(void **state)
{
    (void)state;
    enum { RUNS = 400 };
    world_bench own = world_bench_of(OBSTACLES), engine = world_bench_of(OBSTACLES);
    engine.model->vehicle[0].meets_field_alone = false;
    hy_random random = hy_random_seeded(7);
    double sum_mm = 0, worst_mm = 0;
    int compared = 0, over_5_mm = 0;
    for (int run = 0; run < RUNS; run++) {
        hy_world_restart(own.model, own.state, 1);
        hy_world_restart(engine.model, engine.state, 1);
        const hy_pose pose = free_pose(own.model, &random);
        const double left = between(&random, -1, 1);
        const double right = between(&random, -1, 1);
        own.state->vehicle[0].pose = engine.state->vehicle[0].pose = pose;
        world_bench_drive(&own, 0, left, right);
        world_bench_drive(&engine, 0, left, right);
        int since = 0;
        for (int i = 0; i < 300 && since < 50; i++) {
            world_bench_step(&own);
            world_bench_step(&engine);
            since += since > 0 || engine.state->vehicle[0].touching;
        }
        if (since == 50) {
            const hy_vec a = own.state->vehicle[0].pose.at_m, b = engine.state->vehicle[0].pose.at_m;
            const double mm = 1000 * hypot(a.x - b.x, a.y - b.y);
            sum_mm += mm;
            worst_mm = fmax(worst_mm, mm);
            over_5_mm += mm > 5;
            compared++;
        }
    }
    assert_true(compared > RUNS / 2);
    print_message("%.2f mm on average, %.2f mm at worst\n", sum_mm / compared, worst_mm);
    assert_true(sum_mm / compared < 1);
    assert_true(over_5_mm <= 1); // of 14,687 runs 4 are (docs/performance.md)
    world_bench_end(&own);
    world_bench_end(&engine);
}

static void test_depth_and_energy(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OBSTACLES);
    const hy_body_model *const body = &b.model->vehicle[0].body;
    hy_random random = hy_random_seeded(11);
    double deepest_m = -1;
    int touched = 0;
    for (int run = 0; run < 3000; run++) {
        hy_engine_body at = { .pose = free_pose(b.model, &random) };
        at.motion.x = between(&random, -1.5, 1.5);
        at.motion.y = between(&random, -1, 1);
        at.motion.turn = between(&random, -12, 12);
        for (int i = 0; i < 20; i++) { // without a drive: it slides until it is held
            const double had_j = energy(body, at.motion);
            const hy_motion wanted = hy_body_turned(at.motion, b.model->step_s);
            if (!hy_lone_step(b.model, 0, wanted, &at).any) {
                break;
            }
            touched++;
            assert_true(energy(body, at.motion) <= had_j * (1 + 1e-9) + 1e-15);
            deepest_m = fmax(deepest_m, -hy_lone_gap(b.model, 0, &at.pose, 0.02));
        }
    }
    assert_true(touched > 3000);
    assert_true(deepest_m < 0.0005);
    world_bench_end(&b);
}

#define TWO_AT_A_WALL                                                                 \
    "name: test\nfloor: { width_m: 3, height_m: 2 }\nvehicles:\n" XRP_AT(2.0, 1.0, 0) \
        QUIET XRP_AT(1.0, 1.0, 0) QUIET

/// Robot 0 pushes the wall; robot 1 comes near behind it without touching it, and goes back. Meanwhile the engine moves both. Robot 0 must move as where nobody comes: `alone`.
static void test_from_the_solver_to_the_engine_and_back(void **state)
{
    (void)state;
    world_bench met = world_bench_of(TWO_AT_A_WALL), alone = world_bench_of(TWO_AT_A_WALL);
    hy_vehicle_state *const robot = &met.state->vehicle[0], *const twin = &alone.state->vehicle[0];
    double apart_m = 0, jump_m = 0;
    int in_engine = 0, handovers = 0;
    for (int i = 0; i < 1500; i++) {
        const hy_vec before = robot->pose.at_m;
        const bool was_in_engine = robot->in_engine;
        const double goal_m = i < 900 ? 2.69 : 1.2;
        const double other = fmax(-1, fmin(1, 4 * (goal_m - met.state->vehicle[1].pose.at_m.x)));
        world_bench_drive(&met, 0, 0.7, 0.66);
        world_bench_drive(&alone, 0, 0.7, 0.66);
        world_bench_drive(&met, 1, other, other);
        world_bench_step(&met);
        world_bench_step(&alone);
        in_engine += robot->in_engine;
        handovers += robot->in_engine != was_in_engine;
        assert_false(twin->in_engine);
        assert_false(met.state->vehicle[1].touching);
        apart_m = fmax(apart_m, hypot(robot->pose.at_m.x - twin->pose.at_m.x,
                                      robot->pose.at_m.y - twin->pose.at_m.y));
        if (robot->in_engine != was_in_engine) {
            jump_m =
                fmax(jump_m, hypot(robot->pose.at_m.x - before.x, robot->pose.at_m.y - before.y));
        }
    }
    print_message(
        "%d steps in the engine, %d handovers, %.3f mm apart at most, %.3f mm in such a step\n",
        in_engine, handovers, 1000 * apart_m, 1000 * jump_m);
    assert_true(robot->touching && twin->touching);
    assert_true(in_engine > 100 && handovers == 2);
    assert_true(apart_m < 0.0003 && jump_m < 0.0003);
    world_bench_end(&met);
    world_bench_end(&alone);
}

// --------------------------------------------------------------------------- distances

static double to_segment(hy_vec p, hy_vec a, hy_vec b)
{
    return sqrt(hy_distance_squared(p, a, b));
}

/// Between two convex outlines that are apart: from a corner of one to a side of the other.
static double apart(const hy_vec *a, size_t a_count, const hy_vec *b, size_t b_count)
{
    double least_m = INFINITY;
    for (size_t i = 0; i < a_count; i++) {
        for (size_t k = 0; k < b_count; k++) {
            least_m = fmin(least_m, to_segment(a[i], b[k], b[(k + 1) % b_count]));
            least_m = fmin(least_m, to_segment(b[k], a[i], a[(i + 1) % a_count]));
        }
    }
    return least_m;
}

// The gap that the solver finds is the distance to the nearest wall or obstacle. Where a corner is before a corner it may take a pair of
// them that is not the nearest, when it is up to a fifth too far: a substep that goes so far is put right by lifting the robot out.
static void test_gaps_are_distances(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OBSTACLES);
    const hy_vehicle_model *const xrp = &b.model->vehicle[0];
    hy_random random = hy_random_seeded(5);
    int by_disc = 0, by_outline = 0, by_wall = 0, exact = 0;
    for (int i = 0; i < 3000; i++) {
        const hy_pose pose = free_pose(b.model, &random);
        hy_vec corner[HY_VEHICLE_CORNERS];
        double wall_m = INFINITY, disc_m = INFINITY, outline_m = INFINITY;
        for (int k = 0; k < HY_VEHICLE_CORNERS; k++) {
            corner[k] = hy_pose_point(&pose, xrp->corner_m[k]);
            wall_m = fmin(wall_m, fmin(fmin(corner[k].x, 2.4 - corner[k].x),
                                       fmin(corner[k].y, 1.8 - corner[k].y)));
        }
        for (size_t o = 0; o < b.model->obstacle_count; o++) {
            const hy_obstacle *const obstacle = &b.model->obstacles[o];
            if (obstacle->shape == HY_OBSTACLE_DISC) {
                disc_m = apart(corner, HY_VEHICLE_CORNERS, &obstacle->center.at_m, 1) -
                         obstacle->radius_m;
                continue;
            }
            hy_vec outline[HY_DISC_EDGES];
            for (size_t k = 0; k < obstacle->outline_count; k++) {
                outline[k] = hy_vec_of(obstacle->outline[k]);
            }
            outline_m =
                fmin(outline_m, apart(corner, HY_VEHICLE_CORNERS, outline, obstacle->outline_count));
        }
        const double nearest_m = fmin(wall_m, fmin(disc_m, outline_m));
        const double gap_m = hy_lone_gap(b.model, 0, &pose, 0.02);
        assert_true(gap_m > nearest_m - 1e-9 && gap_m < 1.25 * nearest_m + 1e-9);
        exact += fabs(gap_m - nearest_m) < 1e-9;
        by_disc += nearest_m == disc_m;
        by_outline += nearest_m == outline_m;
        by_wall += nearest_m == wall_m;
    }
    assert_true(exact > 2970);
    assert_true(by_disc > 50 && by_outline > 200 && by_wall > 200);
    world_bench_end(&b);
}

// A disc in the middle of the robot is left by the nearest side, whichever that is.
static void test_out_of_a_disc_by_the_nearest_side(void **state)
{
    (void)state;
    world_bench b = world_bench_of("name: test\nfloor: { width_m: 4, height_m: 4 }\nobstacles:\n"
                                   "  - disc: { center_m: [2, 2], radius_m: 0.005 }\n"
                                   "vehicles:\n" XRP_AT(1, 1, 0) QUIET);
    const hy_vec low = b.model->vehicle[0].low_m, high = b.model->vehicle[0].high_m;
    const hy_vec middle = { (low.x + high.x) / 2, (low.y + high.y) / 2 };
    // Where the disc is, in the robot's axes, and where the robot must go.
    const struct {
        hy_vec disc, way;
    } cases[] = { { { high.x - 0.004, middle.y }, { -0.009, 0 } },
                  { { low.x + 0.004, middle.y }, { 0.009, 0 } },
                  { { middle.x, high.y - 0.004 }, { 0, -0.009 } },
                  { { middle.x, low.y + 0.004 }, { 0, 0.009 } } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const hy_pose pose = hy_pose_make(2 - cases[i].disc.x, 2 - cases[i].disc.y, 0);
        hy_engine_body body = { pose, { 0, 0, 0 } };
        const hy_engine_touch touch = hy_lone_step(b.model, 0, (hy_motion){ 0, 0, 0 }, &body);
        assert_true(touch.field);
        // A part of the way may be a turn about the centre of mass; what counts is that the disc is outside.
        const hy_vec now =
            hy_pose_turn_back(&body.pose, hy_vec_sub((hy_vec){ 2, 2 }, body.pose.at_m));
        const hy_vec moved = hy_vec_sub(cases[i].disc, now);
        assert_near(moved.x, cases[i].way.x, 0.002);
        assert_near(moved.y, cases[i].way.y, 0.002);
    }
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- what Box2D's user may call

uint32_t b2Hash(uint32_t hash, const uint8_t *data, int count);

// The engine is linked without Box2D's clock and threads; a program that uses its hash still gets Bernstein's.
static void test_the_hash_of_box2d(void **state)
{
    (void)state;
    assert_int_equal(b2Hash(5381, (const uint8_t *)"abc", 3), 193485963);
    assert_int_equal(b2Hash(5381, (const uint8_t *)"abc", 0), 5381);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_the_engine),
        cmocka_unit_test(test_depth_and_energy),
        cmocka_unit_test(test_from_the_solver_to_the_engine_and_back),
        cmocka_unit_test(test_gaps_are_distances),
        cmocka_unit_test(test_out_of_a_disc_by_the_nearest_side),
        cmocka_unit_test(test_the_hash_of_box2d),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
