// The lidar: what a ray hits and what it sees through, the same answers as from a plain loop over
// everything, and the same bits on every path and every target.
#include "../../src/world/lidar/lidar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../support/environment.h"
#include "../support/lidar_field.h"
#include "../support/lidar_plain.h"
#include "cmocka_all.h"

#define TURN     6.283185307179586
#define RAYS_MAX 1000
#define NEAR_M   0.75
#define FAR_M    12

static hy_lidar_shapes shapes;
static hy_lidar_scene scene;
static hy_lidar_fan fan;

static void begin(void)
{
    hy_lidar_shapes_clear(&shapes);
    hy_lidar_scene_clear(&scene);
    hy_lidar_fan_make(&fan, TURN / 800);
}

static size_t body_at(double x_m, double y_m, double heading_rad)
{
    const size_t body = hy_lidar_add_body(&shapes);
    const hy_pose pose = hy_pose_make(x_m, y_m, heading_rad);
    hy_lidar_place(&scene, body, &pose);
    return body;
}

static void add_box(double x, double y, double half)
{
    const hy_vec corners[4] = { { x - half, y - half },
                                { x + half, y - half },
                                { x + half, y + half },
                                { x - half, y + half } };
    hy_lidar_add_outline(&shapes, corners, 4);
}

static hy_lidar_scan scan_from(double x_m, double y_m, double heading_rad)
{
    return (hy_lidar_scan){ .from = hy_pose_make(x_m, y_m, heading_rad),
                            .count = 1,
                            .near_m = NEAR_M,
                            .far_m = FAR_M,
                            .excluded = HY_LIDAR_NOBODY };
}

static double range_of(hy_lidar_scan scan)
{
    double range_m = NAN;
    hy_lidar_cast(&shapes, &scene, &fan, &scan, &range_m);
    return range_m;
}

static double ahead_m(double x_m, double y_m, double heading_rad)
{
    return range_of(scan_from(x_m, y_m, heading_rad));
}

#define assert_range(range_m, expected_m) assert_true(fabs((range_m) - (expected_m)) < 1e-9)

// --------------------------------------------------------------------------- what is hit

static void test_wall_has_two_sides(void **state)
{
    (void)state;
    begin();
    (void)body_at(0, 0, 0);
    hy_lidar_add_wall(&shapes, (hy_vec){ 3, -1 }, (hy_vec){ 3, 1 });
    assert_range(ahead_m(0, 0, 0), 3);
    assert_range(ahead_m(5, 0.5, TURN / 2), 2);
    assert_range(ahead_m(0, 0, TURN / 2), -1);
    assert_range(ahead_m(0, 1.1, 0), -1);
    assert_range(ahead_m(0, -1.1, 0), -1);
}

static void test_box_is_hit_from_outside_only(void **state)
{
    (void)state;
    for (int clockwise = 0; clockwise < 2; clockwise++) {
        begin();
        (void)body_at(4, 1, 0);
        const hy_vec corners[2][3] = { { { -1, -1 }, { 1, 0 }, { -1, 1 } },
                                       { { -1, 1 }, { 1, 0 }, { -1, -1 } } };
        hy_lidar_add_outline(&shapes, corners[clockwise], 3);
        assert_range(ahead_m(0, 1, 0), 3);
        assert_range(ahead_m(7, 1, TURN / 2), 2);
        assert_range(ahead_m(3.5, 1, 0), -1); // begins within
        assert_range(ahead_m(2.5, 1, 0), -1); // begins within, seen from the near distance
        assert_range(ahead_m(2.2, 1, 0), 0.8);
    }
}

static void test_outline_without_inside(void **state)
{
    (void)state;
    begin();
    (void)body_at(0, 0, 0);
    const hy_vec line[2] = { { 2, -1 }, { 2, 1 } };
    hy_lidar_add_outline(&shapes, line, 2);
    assert_range(ahead_m(0, 0, 0), 2);
    assert_range(ahead_m(5, 0, TURN / 2), 3);
}

static void test_disc_is_hit_from_outside_only(void **state)
{
    (void)state;
    begin();
    hy_lidar_add_disc(&scene, (hy_vec){ 3, 4 }, 0.5);
    const double towards_rad = atan2(4, 3);
    assert_range(ahead_m(0, 0, towards_rad), 4.5);
    assert_range(ahead_m(6, 8, towards_rad + TURN / 2), 4.5);
    assert_range(ahead_m(0, 0, towards_rad + TURN / 2), -1);
    assert_range(ahead_m(0, 3.6, 0), 3 - 0.3); // 0.4 aside
    assert_range(ahead_m(0, 3.49, 0), -1);
    assert_range(ahead_m(3, 4, 0), -1);    // begins in the middle
    assert_range(ahead_m(2.25, 4, 0), -1); // begins in the middle, seen from the near distance
    assert_range(ahead_m(1.7, 4, 0), 0.8);
}

static void test_nearest_of_all(void **state)
{
    (void)state;
    begin();
    (void)body_at(0, 0, 0);
    hy_lidar_add_wall(&shapes, (hy_vec){ 6, -1 }, (hy_vec){ 6, 1 });
    assert_range(ahead_m(0, 0, 0), 6);
    (void)body_at(5, 0, 0.3);
    add_box(0, 0, 0.5);
    assert_true(ahead_m(0, 0, 0) < 4.6);
    hy_lidar_add_disc(&scene, (hy_vec){ 3, 0 }, 0.25);
    assert_range(ahead_m(0, 0, 0), 2.75);
    hy_lidar_clear_discs(&scene);
    assert_true(ahead_m(0, 0, 0) > 4.4);
}

static void test_near_and_far(void **state)
{
    (void)state;
    begin();
    (void)body_at(0, 0, 0);
    for (int i = 0; i < 3; i++) {
        const double x = i == 0 ? 0.5 : i == 1 ? 11.9 : 12.1;
        hy_lidar_add_wall(&shapes, (hy_vec){ x, -1 }, (hy_vec){ x, 1 });
    }
    assert_range(ahead_m(0, 0, 0), 11.9);  // 0.5 is too near to be seen
    assert_range(ahead_m(-0.2, 0, 0), -1); // 0.7 too near, 12.1 too far
    hy_lidar_scan scan = scan_from(0, 0, 0);
    scan.near_m = 0;
    assert_range(range_of(scan), 0.5);
    scan.near_m = 12;
    assert_range(range_of(scan), -1);
    scan.far_m = (double)INFINITY;
    assert_range(range_of(scan), 12.1);
}

// Roundings carry no range out of its limits.
static void test_at_the_very_limits(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(3);
    size_t seen = 0;
    for (int i = 0; i < 2000; i++) {
        const double x = field_between(&random, 0.1, 9);
        begin();
        (void)body_at(0, 0, 0);
        hy_lidar_add_wall(&shapes, (hy_vec){ x, -1 }, (hy_vec){ x, 2 });
        hy_lidar_scan scan = scan_from(0, 0, 0);
        scan.near_m = x;
        const double near_m = range_of(scan);
        assert_true(near_m == -1 || (near_m >= x && near_m < x * 1.000001));
        scan.near_m = 0;
        scan.far_m = x;
        const double far_m = range_of(scan);
        assert_true(far_m == -1 || (far_m <= x && far_m > x * 0.999999));
        seen += near_m > 0;
        seen += far_m > 0;
    }
    assert_true(seen > 1000);
}

static void test_excluded_and_absent_bodies(void **state)
{
    (void)state;
    begin();
    const size_t mine = body_at(0, 0, 0);
    add_box(2, 0, 0.5);
    const size_t other = body_at(0, 0, 0);
    add_box(4, 0, 0.5);
    hy_lidar_scan scan = scan_from(0, 0, 0);
    assert_range(range_of(scan), 1.5);
    scan.excluded = mine;
    assert_range(range_of(scan), 3.5);
    scan.excluded = other;
    assert_range(range_of(scan), 1.5);
    hy_lidar_scene_clear(&scene);
    assert_range(range_of(scan), -1);
}

static void test_azimuths_go_to_the_left(void **state)
{
    (void)state;
    begin();
    (void)body_at(0, 0, 0);
    hy_lidar_add_wall(&shapes, (hy_vec){ -9, 2 }, (hy_vec){ 9, 2 });
    hy_lidar_scan scan = scan_from(0, 0, TURN / 4 - 0.5); // the wall is 0.5 rad to the left
    double ranges_m[200];
    scan.first_rad = 0.1;
    scan.count = 200;
    hy_lidar_cast(&shapes, &scene, &fan, &scan, ranges_m);
    for (size_t i = 0; i < scan.count; i++) {
        const double off_rad = 0.1 + (double)i * TURN / 800 - 0.5;
        assert_range(ranges_m[i], 2 / cos(off_rad));
    }
}

// --------------------------------------------------------------------------- bad input

static void test_no_room(void **state)
{
    (void)state;
    begin();
    hy_lidar_add_wall(&shapes, (hy_vec){ 1, 1 }, (hy_vec){ 1, 2 }); // of no body
    assert_int_equal(shapes.overflowed, 2);
    (void)body_at(0, 0, 0);
    for (int i = 0; i < HY_LIDAR_SEGMENTS / 2 + 3; i++) {
        hy_lidar_add_wall(&shapes, (hy_vec){ 1, 1 }, (hy_vec){ 1, 2 });
    }
    assert_int_equal(shapes.overflowed, 2 + 6);
    for (int i = 0; i < HY_LIDAR_DISCS + 2; i++) {
        hy_lidar_add_disc(&scene, (hy_vec){ 5, 0 }, 1);
    }
    assert_int_equal(scene.overflowed, 2);
    assert_range(ahead_m(0, 0, 0), 4);
}

static void test_no_room_for_a_body(void **state)
{
    (void)state;
    begin();
    for (size_t i = 0; i < HY_LIDAR_BODIES; i++) {
        assert_int_equal(body_at(0, 0, 0), i);
    }
    const hy_pose origin = hy_pose_make(0, 0, 0);
    assert_true(hy_lidar_add_body(&shapes) == HY_LIDAR_NOBODY);
    hy_lidar_place(&scene, HY_LIDAR_NOBODY, &origin);
    add_box(3, 0, 1); // must not become part of the last body that found room
    assert_int_equal(shapes.overflowed, 1 + 4);
    assert_range(ahead_m(0, 0, 0), -1);
}

static void test_what_is_no_number_hits_nothing(void **state)
{
    (void)state;
    begin();
    const size_t box = body_at(0, 0, 0);
    add_box(3, 0, 1);
    const double bad[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    for (size_t i = 0; i < 3; i++) {
        hy_lidar_add_wall(&shapes, (hy_vec){ bad[i], 0 }, (hy_vec){ 1, 1 });
        hy_lidar_add_disc(&scene, (hy_vec){ 1, bad[i] }, 1);
        hy_lidar_add_disc(&scene, (hy_vec){ 1, 1 }, bad[i]);
        assert_range(ahead_m(bad[i], 0, 0), -1);
        assert_range(ahead_m(0, bad[i], 0), -1);
        assert_range(ahead_m(0, 0, bad[i]), -1);
        hy_lidar_scan scan = scan_from(0, 0, 0);
        scan.first_rad = bad[i];
        assert_range(range_of(scan), -1);
        scan = scan_from(0, 0, 0);
        scan.near_m = bad[i];
        assert_range(range_of(scan), -1);
    }
    hy_lidar_add_disc(&scene, (hy_vec){ 1, 1 }, 0);
    assert_int_equal(shapes.overflowed, 6);
    assert_int_equal(scene.overflowed, 7);
    assert_range(ahead_m(0, 0, 0), 2);
    for (size_t i = 0; i < 3; i++) {
        const hy_pose pose = { .at_m = { bad[i], 0 }, .cos = 1 };
        hy_lidar_place(&scene, box, &pose);
        assert_range(ahead_m(0, 0, 0), -1);
    }
    hy_lidar_scan scan = scan_from(0, 0, 0);
    scan.far_m = 0.5; // nearer than near
    assert_range(range_of(scan), -1);
}

// --------------------------------------------------------------------------- no gaps

// A ray into a corner hits one wall or the other, however the room is turned.
static void test_no_ray_slips_through_a_corner(void **state)
{
    (void)state;
    begin();
    (void)hy_lidar_add_body(&shapes);
    hy_vec corners[100];
    for (size_t i = 0; i < 100; i++) { // in the directions of every eighth ray
        const double angle_rad = (double)i * TURN / 100;
        corners[i] = (hy_vec){ 5 * hy_cos(angle_rad), 5 * hy_sin(angle_rad) };
    }
    for (size_t i = 0; i < 100; i++) {
        hy_lidar_add_wall(&shapes, corners[i], corners[(i + 1) % 100]);
    }
    hy_random random = hy_random_seeded(number_from_environment("HY_SEED", 5));
    for (int turn = 0; turn < 500; turn++) {
        const double heading_rad = turn == 0 ? 0 : hy_random_unit(&random) * 9;
        const hy_pose pose = hy_pose_make(0, 0, heading_rad);
        hy_lidar_place(&scene, 0, &pose);
        hy_lidar_scan scan = scan_from(0, 0, heading_rad);
        double ranges_m[800];
        scan.count = 800;
        hy_lidar_cast(&shapes, &scene, &fan, &scan, ranges_m);
        for (size_t i = 0; i < scan.count; i++) {
            assert_true(ranges_m[i] > 4.99 && ranges_m[i] < 5.0001);
        }
    }
}

// --------------------------------------------------------------------------- any scene

static void add_random_body(hy_random *random)
{
    const double x = field_between(random, -8, 8), y = field_between(random, -8, 8);
    (void)body_at(x, y, field_between(random, -4, 4));
    const size_t parts = hy_random_below(random, 12);
    for (size_t i = 0; i < parts; i++) {
        hy_vec corners[5];
        const size_t count = 2 + hy_random_below(random, 4);
        for (size_t k = 0; k < count; k++) {
            corners[k].x = field_between(random, -2, 2);
            corners[k].y = field_between(random, -2, 2);
        }
        if (count == 2) {
            hy_lidar_add_wall(&shapes, corners[0], corners[1]);
        } else {
            hy_lidar_add_outline(&shapes, corners, count);
        }
    }
}

static hy_lidar_scan random_scene(hy_random *random)
{
    static const double steps_rad[] = { TURN / 800, 1e-5, 0.001, 0.02, 0.3, 1.1, TURN };
    begin();
    hy_lidar_fan_make(&fan, steps_rad[hy_random_below(random, 7)]);
    const size_t bodies = hy_random_below(random, 12);
    const size_t discs = hy_random_below(random, 40);
    for (size_t i = 0; i < bodies; i++) {
        add_random_body(random);
    }
    for (size_t i = 0; i < discs; i++) {
        const double x = field_between(random, -8, 8);
        const hy_vec centre = { x, field_between(random, -8, 8) };
        hy_lidar_add_disc(&scene, centre, field_between(random, 0.01, 1));
    }
    const double x = field_between(random, -6, 6), y = field_between(random, -6, 6);
    hy_lidar_scan scan = scan_from(x, y, field_between(random, -9, 9));
    scan.first_rad = field_between(random, -9, 9);
    scan.count = 1 + hy_random_below(random, 300);
    scan.near_m = hy_random_below(random, 3) == 0 ? 0 : NEAR_M;
    scan.excluded = hy_random_below(random, 20);
    return scan;
}

static void compare_paths(const hy_lidar_scan *scan, const double *ranges_m)
{
    const hy_lidar_path *paths[HY_LIDAR_PATHS];
    const size_t count = hy_lidar_paths(paths);
    for (size_t i = 0; i < count; i++) {
        double again_m[RAYS_MAX];
        fan.path = paths[i];
        hy_lidar_cast(&shapes, &scene, &fan, scan, again_m);
        if (memcmp(again_m, ranges_m, scan->count * sizeof again_m[0]) != 0) {
            fail_msg("the path %s has other bits than the best", paths[i]->name);
        }
    }
}

static size_t compare_with_plain(const hy_lidar_scan *scan, const double *ranges_m)
{
    static plain_world world;
    double plain_m[RAYS_MAX];
    size_t hits = 0;
    plain_place(&world, &shapes, &scene, scan->excluded);
    plain_cast(&world, &fan, scan, plain_m);
    for (size_t i = 0; i < scan->count; i++) {
        if (!(fabs(plain_m[i] - ranges_m[i]) < 1e-7)) {
            fail_msg("ray %zu of %zu: %.12g m, but the plain loop says %.12g", i, scan->count,
                     ranges_m[i], plain_m[i]);
        }
        hits += ranges_m[i] > 0;
    }
    return hits;
}

static void test_any_scene(void **state)
{
    (void)state;
    const uint64_t seed = number_from_environment("HY_SEED", 1234);
    const uint64_t scenes = number_from_environment("HY_SCENES", 3000);
    hy_random random = hy_random_seeded(seed);
    size_t rays = 0, hits = 0;
    printf("%llu random scenes, HY_SEED=%llu\n", (unsigned long long)scenes,
           (unsigned long long)seed);
    for (uint64_t i = 0; i < scenes; i++) {
        const hy_lidar_scan scan = random_scene(&random);
        double ranges_m[RAYS_MAX];
        hy_lidar_cast(&shapes, &scene, &fan, &scan, ranges_m);
        compare_paths(&scan, ranges_m);
        hits += compare_with_plain(&scan, ranges_m);
        rays += scan.count;
    }
    assert_true(hits > rays / 4 && hits < rays * 3 / 4); // both are tried
}

static double wild(hy_random *random)
{
    static const double scales[] = { 0, 1e-320, 1e-300, 1e-160, 1e-78, 1e-8, 1, 1, 1e8, 1e9, 1e300 };
    return scales[hy_random_below(random, 11)] * field_between(random, -1, 1);
}

static hy_lidar_scan wild_scene(hy_random *random)
{
    begin();
    for (int i = 0; i < 20; i++) {
        const double x = i % 2 == 0 ? wild(random) : 0, y = i % 2 == 0 ? wild(random) : 0;
        (void)body_at(x, y, wild(random));
        hy_vec corners[5];
        for (int k = 0; k < 5; k++) {
            corners[k].x = wild(random);
            corners[k].y = wild(random);
        }
        hy_lidar_add_outline(&shapes, corners, 3);
        hy_lidar_add_wall(&shapes, corners[3], corners[4]);
        hy_lidar_add_disc(&scene, corners[3], fabs(wild(random)));
    }
    const double x = wild(random), y = wild(random);
    hy_lidar_scan scan = scan_from(x, y, wild(random));
    scan.first_rad = wild(random);
    scan.count = 1 + hy_random_below(random, 400);
    scan.near_m = hy_random_below(random, 3) == 0 ? 0 : fabs(wild(random));
    scan.far_m = hy_random_below(random, 2) == 0 ? (double)INFINITY : fabs(wild(random));
    return scan;
}

// Numbers at the edge of what doubles hold: no path may do anything else than another.
static void test_wild_numbers(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(number_from_environment("HY_SEED", 99));
    const uint64_t scenes = number_from_environment("HY_SCENES", 3000);
    for (uint64_t i = 0; i < scenes; i++) {
        const hy_lidar_scan scan = wild_scene(&random);
        double ranges_m[RAYS_MAX];
        hy_lidar_cast(&shapes, &scene, &fan, &scan, ranges_m);
        compare_paths(&scan, ranges_m);
        for (size_t k = 0; k < scan.count; k++) {
            assert_true(ranges_m[k] == -1 ||
                        (ranges_m[k] >= scan.near_m && ranges_m[k] <= scan.far_m));
        }
    }
}

// Every compiler, optimisation and processor gives these ranges of a match.
static void test_same_bits_everywhere(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(7);
    hy_hash hash = hy_hash_start();
    begin();
    field_build(&shapes);
    assert_int_equal(shapes.overflowed, 0);
    for (size_t i = 0; i < 200; i++) {
        field_scatter(&scene, &random);
        hy_lidar_scan scan = scan_from(0, 0, 0);
        double ranges_m[800];
        scan.excluded = 1 + i % FIELD_ROBOTS;
        scan.from = scene.pose[scan.excluded];
        scan.count = 800;
        hy_lidar_cast(&shapes, &scene, &fan, &scan, ranges_m);
        compare_paths(&scan, ranges_m);
        assert_true(compare_with_plain(&scan, ranges_m) > 400);
        for (size_t k = 0; k < scan.count; k++) {
            hy_hash_f64(&hash, ranges_m[k]);
        }
    }
    assert_int_equal(hash.value, UINT64_C(0x876b35aff8da2fc8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wall_has_two_sides),
        cmocka_unit_test(test_box_is_hit_from_outside_only),
        cmocka_unit_test(test_outline_without_inside),
        cmocka_unit_test(test_disc_is_hit_from_outside_only),
        cmocka_unit_test(test_nearest_of_all),
        cmocka_unit_test(test_near_and_far),
        cmocka_unit_test(test_at_the_very_limits),
        cmocka_unit_test(test_excluded_and_absent_bodies),
        cmocka_unit_test(test_azimuths_go_to_the_left),
        cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_no_room_for_a_body),
        cmocka_unit_test(test_what_is_no_number_hits_nothing),
        cmocka_unit_test(test_no_ray_slips_through_a_corner),
        cmocka_unit_test(test_any_scene),
        cmocka_unit_test(test_wild_numbers),
        cmocka_unit_test(test_same_bits_everywhere),
    };
    const hy_lidar_path *paths[HY_LIDAR_PATHS];
    const size_t count = hy_lidar_paths(paths);
    for (size_t i = 0; i < count; i++) {
        printf("this processor takes the path %s\n", paths[i]->name);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
