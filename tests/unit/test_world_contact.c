// Walls, obstacles and other robots: nothing goes through, nothing jumps, wheels go on turning.
#include "world_bench.h"

#include <math.h>

#define FLOOR "name: test\nfloor: { width_m: 2, height_m: 2 }\n"

static double distance_to(hy_truth a, hy_truth b)
{
    return sqrt((a.x_m - b.x_m) * (a.x_m - b.x_m) + (a.y_m - b.y_m) * (a.y_m - b.y_m));
}

// --------------------------------------------------------------------------- a wall

static void test_wall_stops(void **state)
{
    (void)state;
    static const struct {
        double duty;
        bool spins; // full duty overcomes the tyres' grip, a third does not
    } cases[] = { { 1.0, true }, { 0.33, false } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        world_bench b = world_bench_of(FLOOR "vehicles:\n" XRP_AT(1.6, 1, 0) QUIET);
        assert_false(world_bench_truth(&b).touching);
        world_bench_drive(&b, 0, cases[i].duty, cases[i].duty);
        world_bench_run(&b, 10);
        const hy_truth before = world_bench_truth(&b);
        world_bench_run(&b, 10);
        const hy_truth after = world_bench_truth(&b);
        assert_true(after.touching);
        assert_near(after.x_m, 2 - 0.105, 0.001);
        assert_near(distance_to(before, after), 0, 0.0005);
        assert_near(after.heading_rad, 0, 0.001);
        assert_near(after.speed_m_s, 0, 0.001);
        const double turned = after.wheel_counts[0] - before.wheel_counts[0];
        if (cases[i].spins) {
            assert_true(turned > 500);
        } else {
            assert_near(turned, 0, 0.5);
        }
        // Backing off: free at once, and no kick.
        world_bench_drive(&b, 0, -0.5, -0.5);
        world_bench_run(&b, 0.5);
        assert_false(world_bench_truth(&b).touching);
        assert_true(world_bench_truth(&b).speed_m_s < 0 && world_bench_truth(&b).speed_m_s > -0.2);
        world_bench_end(&b);
    }
}

static void test_bump_is_felt(void **state)
{
    (void)state;
    world_bench b = world_bench_of(FLOOR "vehicles:\n" XRP_AT(1.5, 1, 0) QUIET);
    world_bench_drive(&b, 0, 1, 1);
    double hardest = 0;
    for (int i = 0; i < 300; i++) {
        world_bench_step(&b);
        hardest = fmin(hardest, world_bench_sensors(&b, 0).accel_m_s2[0]);
    }
    assert_true(hardest < -10 && hardest >= -4 * 9.80665); // the sensor ends at 4 g
    world_bench_end(&b);
}

// Along a wall at an angle a robot slides and turns, but stays on its side.
static void test_slides_along(void **state)
{
    (void)state;
    world_bench b = world_bench_of(FLOOR "vehicles:\n" XRP_AT(0.5, 1.7, 20) QUIET);
    world_bench_drive(&b, 0, 0.6, 0.6);
    bool touched = false;
    for (int i = 0; i < 300; i++) {
        world_bench_step(&b);
        touched = touched || world_bench_truth(&b).touching;
        assert_true(world_bench_truth(&b).y_m < 2 - 0.09 + 0.001);
    }
    assert_true(touched);
    assert_true(world_bench_truth(&b).x_m > 0.8);
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- the hand-over

// Passing a post closely brings the engine in, but changes no bit as long as they do not touch.
static void test_passing_changes_nothing(void **state)
{
    (void)state;
    world_bench with =
        world_bench_of(FLOOR "obstacles: [{ disc: { center_m: [1, 0.87], radius_m: 0.03 } }]\n"
                             "vehicles:\n" XRP_AT(0.5, 1, 0) QUIET);
    world_bench without = world_bench_of(FLOOR "vehicles:\n" XRP_AT(0.5, 1, 0) QUIET);
    world_bench *const both[] = { &with, &without };
    for (int i = 0; i < 300; i++) {
        for (int k = 0; k < 2; k++) {
            world_bench_drive(both[k], 0, i < 200 ? 0.9 : 0.2, 0.9);
            world_bench_step(both[k]);
        }
        const hy_truth a = world_bench_truth(&with), b = world_bench_truth(&without);
        assert_false(a.touching);
        assert_near(distance_to(a, b), 0, 0);
        assert_near(a.heading_rad, b.heading_rad, 0);
        assert_near(a.speed_m_s, b.speed_m_s, 0);
        assert_near(a.wheel_counts[0], b.wheel_counts[0], 0);
    }
    world_bench_end(&with);
    world_bench_end(&without);
}

/// Whether the outline (its defaults) of a robot lies within the floor.
static bool is_on_floor(hy_truth t, double width_m, double height_m)
{
    static const double corners[][2] = {
        { 0.105, 0.09 }, { 0.105, -0.09 }, { -0.08, 0.09 }, { -0.08, -0.09 }
    };
    const double slack_m = 0.002;
    for (size_t i = 0; i < 4; i++) {
        const double c = hy_cos(t.heading_rad), s = hy_sin(t.heading_rad);
        const double x = t.x_m + c * corners[i][0] - s * corners[i][1];
        const double y = t.y_m + s * corners[i][0] + c * corners[i][1];
        if (x < -slack_m || x > width_m + slack_m || y < -slack_m || y > height_m + slack_m) {
            return false;
        }
    }
    return true;
}

// Wild driving for a quarter of an hour: nobody leaves, and nothing moves faster than it can.
static void test_wild_driving(void **state)
{
    (void)state;
    world_bench b = world_bench_file("xrp-arena.yaml");
    const hy_world_facts facts = hy_world_describe(b.model);
    hy_random random = hy_random_seeded(7);
    hy_truth last = world_bench_truth(&b);
    int touches = 0;
    for (int i = 0; i < 90000; i++) {
        if (i % 50 == 0) {
            world_bench_drive(&b, 0, hy_random_unit(&random) * 3 - 1,
                              hy_random_unit(&random) * 3 - 1);
        }
        world_bench_step(&b);
        const hy_truth now = world_bench_truth(&b);
        assert_true(is_on_floor(now, facts.width_m, facts.height_m));
        assert_true(distance_to(last, now) < 0.006);
        assert_true(fabs(now.heading_rad - last.heading_rad) < 0.08);
        touches += now.touching;
        last = now;
    }
    assert_true(touches > 1000); // the arena was worth the walls
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- other robots

static void test_pushing_another(void **state)
{
    (void)state;
    world_bench b = world_bench_of(FLOOR "vehicles:\n" XRP_AT(0.5, 1, 0)
                                       XRP_AT(1, 1, 90) "    wheels: { grip: 0.4 }\n"); // dusty tyres
    world_bench_drive(&b, 0, 0.8, 0.8);
    world_bench_run(&b, 4);
    const hy_truth pusher = hy_world_truth(b.model, b.state, 0);
    const hy_truth pushed = hy_world_truth(b.model, b.state, 1);
    assert_true(pusher.touching && pushed.touching);
    assert_true(pushed.x_m > 1.05);                       // shoved sideways over its own tyres
    assert_true(pushed.x_m - pusher.x_m > 0.105 + 0.088); // and never run over
    assert_near(pushed.wheel_counts[0], 0, 30);
    world_bench_end(&b);
}

static void test_head_on(void **state)
{
    (void)state;
    world_bench b = world_bench_of(FLOOR "vehicles:\n" XRP_AT(0.5, 1, 0) XRP_AT(1.5, 1, 180));
    world_bench_drive(&b, 0, 0.6, 0.6);
    world_bench_drive(&b, 1, 0.6, 0.6);
    world_bench_run(&b, 5);
    const hy_truth left = hy_world_truth(b.model, b.state, 0);
    const hy_truth right = hy_world_truth(b.model, b.state, 1);
    assert_near(left.x_m, 1 - 0.105, 0.01); // equals meet in the middle
    assert_near(right.x_m, 1 + 0.105, 0.01);
    world_bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wall_stops),   cmocka_unit_test(test_bump_is_felt),
        cmocka_unit_test(test_slides_along), cmocka_unit_test(test_passing_changes_nothing),
        cmocka_unit_test(test_wild_driving), cmocka_unit_test(test_pushing_another),
        cmocka_unit_test(test_head_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
