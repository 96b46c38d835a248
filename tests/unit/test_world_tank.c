// Competition robots, balls and goals in a world: SPEC world, "The tank", "Pieces and goals".
#include "world_bench.h"

/// A large floor with one robot in the middle, heading along x, and what is added.
#define FLOOR         "name: t\nfloor: { width_m: 40, height_m: 40 }\n"
#define TANK          "vehicles:\n" VEHICLE_AT("tank", 20, 20, 0)
#define IDEAL         TANK "    drive: { model: ideal }\n"
#define BALL_AT(x, y) "pieces: { at_m: [[" #x ", " #y "]] }\n"
#define INCH          0.0254
#define FULL_RAD_S    (833 * 2 * HY_PI / 60)
#define FULL_M_S      (FULL_RAD_S * 3 * INCH)

static void drive(world_bench *b, double left, double right, int steps)
{
    b->input.vehicle[0].motor_duty[0] = left;
    b->input.vehicle[0].motor_duty[1] = right;
    for (int i = 0; i < steps; i++) {
        world_bench_step(b);
    }
}

static hy_truth truth_of(const world_bench *b, size_t index)
{
    return hy_world_truth(b->model, b->state, index);
}

// --------------------------------------------------------------------------- driving

// A motor that starts, runs into its back-EMF, brakes; wheels that never push more than they grip.
static void test_straight(void **state)
{
    (void)state;
    world_bench b = world_bench_of(FLOOR TANK);
    double last_m_s = 0, most_m_s2 = 0;
    for (int step = 0; step < 300; step++) {
        drive(&b, 1, 1, 1);
        const double now_m_s = truth_of(&b, 0).speed_m_s;
        most_m_s2 = fmax(most_m_s2, (now_m_s - last_m_s) / 0.010);
        last_m_s = now_m_s;
    }
    assert_true(last_m_s > 0.9 * FULL_M_S && last_m_s < 1.06 * FULL_M_S);
    assert_true(most_m_s2 > 3 && most_m_s2 <= 1.1 * 9.81);
    const hy_truth fast = truth_of(&b, 0);
    assert_near(fast.y_m, 20, 1e-6);
    assert_true(fast.battery_v > 11 && fast.battery_v < 12.7);
    drive(&b, 0, 0, 200);
    const hy_truth stopped = truth_of(&b, 0);
    assert_near(stopped.speed_m_s, 0, 1e-3);
    assert_true(stopped.x_m - fast.x_m > 1.5); // 70 kg do not stop at once
    world_bench_end(&b);
}

// On the spot, with wheels that scrub: slower than the wheels alone would turn it, and around its middle.
static void test_turning(void **state)
{
    (void)state;
    world_bench b = world_bench_of(FLOOR TANK);
    drive(&b, -0.3, 0.3, 300);
    const hy_truth t = truth_of(&b, 0);
    const double free_rad_s = 0.3 * 12.7 / 12 * 2 * FULL_M_S / (22 * INCH);
    assert_true(t.rate_z_rad_s > 0.4 * free_rad_s && t.rate_z_rad_s < free_rad_s);
    assert_true(t.heading_rad > 2 * HY_PI); // it does not wrap
    assert_near(t.x_m, 20, 1e-6);
    world_bench_end(&b);
}

/// Turns on the spot for 3 s; returns the share of the rate that wheels without any slip would give, and when a
/// quarter turn was done.
static double turned_share(const char *world, double duty, double *quarter_s)
{
    world_bench b = world_bench_of(world);
    *quarter_s = INFINITY;
    for (int step = 1; step <= 300; step++) {
        drive(&b, -duty, duty, 1);
        if (truth_of(&b, 0).heading_rad > HY_PI / 2 && !isfinite(*quarter_s)) {
            *quarter_s = step * 0.010;
        }
    }
    const double rate_rad_s = truth_of(&b, 0).rate_z_rad_s;
    world_bench_end(&b);
    return rate_rad_s / (duty * 2 * FULL_M_S / (22 * INCH));
}

// As briskly as a robot with lowered middle wheels turns: SPEC world, "Turning a tank on the spot".
static void test_turning_share(void **state)
{
    (void)state;
    double full_s, half_s, omni_s, flat_s;
    const double full = turned_share(FLOOR TANK, 1, &full_s);
    const double half = turned_share(FLOOR TANK, 0.5, &half_s);
    assert_true(full > 0.6 && full < 0.85);
    assert_true(half > 0.6 && half < full);
    assert_true(full_s < 0.5 && half_s < 0.65);
    const double omni = turned_share(FLOOR TANK "    drive: { scrub: 0 }\n", 0.5, &omni_s);
    const double flat = turned_share(FLOOR TANK "    drive: { scrub: 0.67 }\n", 0.5, &flat_s);
    assert_true(omni > half && omni_s < half_s);
    assert_true(flat < 0.2 && !isfinite(flat_s));
}

// Its tyres cannot turn it faster than they grip, whatever the motors want.
static void test_turning_grip(void **state)
{
    (void)state;
    world_bench b = world_bench_of(FLOOR TANK "    drive: { grip: 0.2, scrub: 0 }\n");
    const double most_rad_s2 = 0.2 * 154 * 0.45359237 * 9.80665 * 22 * INCH / 2 / 6.5;
    drive(&b, -1, 1, 50);
    const double rate_rad_s = truth_of(&b, 0).rate_z_rad_s;
    assert_true(rate_rad_s > 0.9 * 0.5 * most_rad_s2 && rate_rad_s <= 1.001 * 0.5 * most_rad_s2);
    assert_true(world_bench_sensors(&b, 0).encoder_counts[1] > 1024); // the wheels spin
    world_bench_end(&b);
}

// Steps of 10 ms and of 2 ms agree.
static void test_step_size(void **state)
{
    (void)state;
    world_bench coarse = world_bench_of(FLOOR TANK);
    world_bench fine = world_bench_of("step_ms: 2\n" FLOOR TANK);
    static const double duty[][2] = { { 1, 1 }, { 0.4, 1 }, { -0.5, -0.5 }, { 1, -0.2 }, { 0, 0 } };
    double way_m = 0;
    for (size_t i = 0; i < sizeof duty / sizeof duty[0]; i++) {
        const hy_truth before = truth_of(&coarse, 0);
        drive(&coarse, duty[i][0], duty[i][1], 60);
        drive(&fine, duty[i][0], duty[i][1], 300);
        const hy_truth after = truth_of(&coarse, 0);
        way_m += hypot(after.x_m - before.x_m, after.y_m - before.y_m);
    }
    const hy_truth p = truth_of(&coarse, 0), q = truth_of(&fine, 0);
    assert_true(way_m > 4);
    assert_near(hypot(p.x_m - q.x_m, p.y_m - q.y_m), 0, 0.02 * way_m);
    world_bench_end(&coarse);
    world_bench_end(&fine);
}

// The ideal drive is a formula: an exact arc, in the reference's units, from the first step.
static void test_ideal(void **state)
{
    (void)state;
    world_bench b = world_bench_of(FLOOR IDEAL);
    const double rim_m_s = 833 * (double)0.1047F * 3 * INCH;
    drive(&b, 0.5, 0.6, 100);
    const double left = 0.5 * rim_m_s, right = 0.6 * rim_m_s, track = 22 * INCH;
    const double turned = (right - left) / track;
    const double radius = track * (right + left) / (2 * (right - left));
    const hy_truth t = truth_of(&b, 0);
    assert_near(t.heading_rad, turned, 1e-5);
    assert_near(t.x_m, 20 + radius * sin(turned), 1e-3);
    assert_near(t.y_m, 20 + radius * (1 - cos(turned)), 1e-3);
    drive(&b, 0, 0, 1);
    assert_near(truth_of(&b, 0).speed_m_s, 0, 0); // and stops in one
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- contact

// At full speed into a wall, and against it: it stands, its wheels spin or stall, and it does not go in.
static void test_wall(void **state)
{
    (void)state;
    world_bench b = world_bench_of("name: t\nfloor: { width_m: 8, height_m: 8 }\n"
                                   "vehicles:\n" VEHICLE_AT("tank", 2, 4, 0));
    drive(&b, 1, 1, 400);
    const hy_truth t = truth_of(&b, 0);
    assert_near(t.x_m, 8 - 20.08 * INCH, 0.01);
    assert_near(t.speed_m_s, 0, 0.01);
    assert_true(t.touching && t.touching_field && hy_world_field_is_touched(b.state));
    assert_true(t.wheel_counts[0] > 1024);
    drive(&b, -1, -1, 50);
    assert_false(hy_world_field_is_touched(b.state));
    world_bench_end(&b);
}

// Two robots head on: the heavier pushes; neither goes into the other. A wall is no part of it.
static void test_pushing(void **state)
{
    (void)state;
    world_bench b = world_bench_of(FLOOR "vehicles:\n" VEHICLE_AT("tank", 18, 20, 0)
                                       VEHICLE_AT("tank", 22, 20, 180) "    body: { mass_kg: 35, "
                                                                       "inertia_kg_m2: 4 }\n");
    b.input.vehicle[1].motor_duty[0] = b.input.vehicle[1].motor_duty[1] = 1;
    double nearest_m = 10;
    for (int step = 0; step < 200; step++) {
        drive(&b, 1, 1, 1);
        nearest_m = fmin(nearest_m, truth_of(&b, 1).x_m - truth_of(&b, 0).x_m);
    }
    assert_true(nearest_m > 2 * 20.08 * INCH - 0.010);
    assert_true(truth_of(&b, 0).speed_m_s > 0.2);
    assert_true(truth_of(&b, 1).speed_m_s < -0.2);
    assert_false(hy_world_field_is_touched(b.state));
    world_bench_end(&b);
}

// A small robot in a large one's way is pushed along and stays in one piece.
static void test_small_robot(void **state)
{
    (void)state;
    world_bench b = world_bench_of(FLOOR TANK XRP_AT(22, 20, 90));
    drive(&b, 0.3, 0.3, 200);
    const hy_truth tank = truth_of(&b, 0), xrp = truth_of(&b, 1);
    assert_true(xrp.x_m > 22.5);
    assert_true(xrp.x_m > tank.x_m + 20.08 * INCH + 0.05);
    assert_true(xrp.touching);
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- pieces

static void run_intakes(world_bench *b, double intake, double tube)
{
    double *duty = b->input.vehicle[0].motor_duty;
    duty[2] = duty[3] = duty[4] = intake;
    duty[5] = tube;
}

// In at the front, through the tube, out at the rear, down to the floor.
static void test_through_the_robot(void **state)
{
    (void)state;
    static const hy_piece_place way[] = { HY_PIECE_FREE, HY_PIECE_INTAKE_LEFT,
                                          HY_PIECE_INTAKE_CENTER, HY_PIECE_TUBE, HY_PIECE_FREE };
    world_bench b = world_bench_of(FLOOR TANK "pieces: { at_m: [[5, 5], [20.42, 20.2]] }\n");
    size_t been = 0;
    double highest_m = 0;
    run_intakes(&b, 1, 0.5);
    for (int step = 0; step < 300; step++) {
        world_bench_step(&b);
        const hy_piece piece = hy_world_piece(b.state, 1);
        if (piece.place != way[been]) {
            been++;
            assert_true(been < sizeof way / sizeof way[0]);
            assert_int_equal(piece.place, way[been]);
        }
        assert_int_equal(truth_of(&b, 0).holds, been > 0 && been < 4);
        highest_m = fmax(highest_m, piece.z_m);
    }
    const hy_piece out = hy_world_piece(b.state, 1);
    assert_int_equal(been, 4);
    assert_near(highest_m, 25.59 * INCH * 0.45 / 0.51, 0.03);
    assert_true(out.z_m == 0 && out.x_m < 20 - 23.62 * INCH);
    world_bench_end(&b);
}

// A ball on the floor does not roll into a tube from behind, nor into a goal; and it comes to rest.
static void test_closed_ways(void **state)
{
    (void)state;
    world_bench b =
        world_bench_of(FLOOR TANK BALL_AT(18, 20) "goals:\n  - { alliance: red, corners_m: [[10, "
                                                  "19], [10, 21], [11, 21], [11, 19]], outtake_m: "
                                                  "[30, 20] }\n");
    hy_piece roll = { .x_m = 19, .y_m = 20, .vx_m_s = 2 };
    hy_world_place_piece(b.model, b.state, 0, &roll);
    drive(&b, 0, 0, 300);
    assert_int_equal(hy_world_piece(b.state, 0).place, HY_PIECE_FREE);
    assert_true(hy_world_piece(b.state, 0).x_m < 20 - 23.62 * INCH - 0.08);

    roll = (hy_piece){ .x_m = 12, .y_m = 20, .vx_m_s = -2 };
    hy_world_place_piece(b.model, b.state, 0, &roll);
    drive(&b, 0, 0, 1000);
    const hy_piece before_goal = hy_world_piece(b.state, 0);
    roll = (hy_piece){ .x_m = 10.5, .y_m = 20 }; // put into the goal: it stays there
    hy_world_place_piece(b.model, b.state, 0, &roll);
    drive(&b, 0, 0, 1);
    const hy_piece put = hy_world_piece(b.state, 0);
    assert_int_equal(put.place, HY_PIECE_GOAL);
    assert_near(put.x_m, 10.5, 1e-12);
    hy_world_place_piece(b.model, b.state, 0, &before_goal);
    const hy_piece floor = before_goal;
    assert_int_equal(floor.place, HY_PIECE_FREE);
    assert_true(floor.x_m > 11.08);
    assert_true(floor.vx_m_s == 0 && floor.vy_m_s == 0);

    // Through the air it does.
    roll = (hy_piece){ .x_m = 12, .y_m = 20, .z_m = 2, .vx_m_s = -3 };
    hy_world_place_piece(b.model, b.state, 0, &roll);
    drive(&b, 0, 0, 60);
    const hy_piece scored = hy_world_piece(b.state, 0);
    assert_int_equal(scored.place, HY_PIECE_GOAL);
    assert_near(scored.z_m, 0.38 + 0.0889, 1e-9);
    world_bench_end(&b);
}

// What a ball rolls is v^2 / 2a.
static void test_rolling(void **state)
{
    (void)state;
    world_bench b = world_bench_of(FLOOR TANK BALL_AT(5, 5));
    const hy_piece roll = { .x_m = 5, .y_m = 5, .vx_m_s = 1.5, .vy_m_s = 2 };
    hy_world_place_piece(b.model, b.state, 0, &roll);
    drive(&b, 0, 0, 600);
    const hy_piece stopped = hy_world_piece(b.state, 0);
    assert_near(hypot(stopped.x_m - 5, stopped.y_m - 5), 2.5 * 2.5 / (2 * 0.6), 0.05);
    assert_true(stopped.vx_m_s == 0 && stopped.vy_m_s == 0);
    world_bench_end(&b);
}

// A ball between a robot and a wall is not pressed through the wall, however hard the robot pushes.
static void test_jammed_ball(void **state)
{
    (void)state;
    world_bench b = world_bench_of("name: t\nfloor: { width_m: 8, height_m: 8 }\n"
                                   "vehicles:\n" VEHICLE_AT("tank", 6.5, 4.33, 180) BALL_AT(7.9, 4));
    for (int step = 0; step < 300; step++) {
        drive(&b, -1, -1, 1); // rear first: the bumper is closed there
        const hy_piece piece = hy_world_piece(b.state, 0);
        assert_true(piece.x_m < 8 && piece.x_m > 0 && piece.y_m > 0 && piece.y_m < 8);
        assert_true(truth_of(&b, 0).x_m + 23.62 * INCH < 8.03);
    }
    world_bench_end(&b);
}

static void test_hostile_pieces(void **state)
{
    (void)state;
    world_bench b = world_bench_of(FLOOR TANK BALL_AT(5, 5));
    const hy_piece wild = {
        .x_m = NAN, .y_m = 1e300, .z_m = -INFINITY, .vx_m_s = NAN, .vy_m_s = 1e300
    };
    hy_world_place_piece(b.model, b.state, 0, &wild);
    drive(&b, NAN, INFINITY, 20);
    const hy_piece piece = hy_world_piece(b.state, 0);
    assert_true(isfinite(piece.x_m) && isfinite(piece.y_m) && isfinite(piece.z_m));
    assert_true(isfinite(truth_of(&b, 0).x_m));
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- resets

static void test_reset(void **state)
{
    (void)state;
    world_bench b = world_bench_of(FLOOR TANK XRP_AT(5, 30, 0) BALL_AT(23, 20));
    b.input.vehicle[1].motor_duty[0] = 1;
    b.input.vehicle[1].motor_duty[1] = -1;
    drive(&b, 1, 0.9, 150);
    const double counts = world_bench_sensors(&b, 1).encoder_counts[0];
    assert_true(truth_of(&b, 0).x_m > 22 && truth_of(&b, 1).x_m > 5.2);
    hy_world_reset(b.model, b.state);
    const hy_truth tank = truth_of(&b, 0), xrp = truth_of(&b, 1);
    assert_true(tank.x_m == 20 && tank.y_m == 20 && tank.heading_rad == 0 && tank.speed_m_s == 0);
    assert_true(xrp.x_m == 5 && xrp.speed_m_s == 0);
    assert_true(hy_world_piece(b.state, 0).x_m == 23 && hy_world_piece(b.state, 0).vx_m_s == 0);
    b.input.vehicle[1].motor_duty[0] = b.input.vehicle[1].motor_duty[1] = 0;
    drive(&b, 0, 0, 5);
    assert_near(truth_of(&b, 0).x_m, 20, 1e-5);
    assert_near(world_bench_sensors(&b, 1).encoder_counts[0], counts,
                1); // they are carried, not rebooted

    // One alone, if nobody stands in its place.
    drive(&b, 1, 1, 100);
    assert_true(hy_world_reset_vehicle(b.model, b.state, 0));
    assert_near(truth_of(&b, 0).x_m, 20, 1e-9);
    world_bench_end(&b);
}

static void test_reset_needs_room(void **state)
{
    (void)state;
    world_bench b = world_bench_of(FLOOR "vehicles:\n" VEHICLE_AT("tank", 20, 20, 0)
                                       VEHICLE_AT("tank", 23, 20, 0));
    b.input.vehicle[1].motor_duty[0] = b.input.vehicle[1].motor_duty[1] = -1;
    drive(&b, 1, 1, 60); // each on its way to where the other was
    b.input.vehicle[1].motor_duty[0] = b.input.vehicle[1].motor_duty[1] = 1;
    drive(&b, -1, 1, 200);
    const hy_truth before = truth_of(&b, 0);
    const bool free = hypot(before.x_m - 23, before.y_m - 20) > 1.45;
    assert_int_equal(hy_world_reset_vehicle(b.model, b.state, 1), free);
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- lidar

// One lidar, another robot straight ahead: its intakes are seen, and so is a ball, at their distances.
static void test_lidar(void **state)
{
    (void)state;
    world_bench b = world_bench_of(
        "name: t\nfloor: { width_m: 20, height_m: 20 }\n"
        "vehicles:\n" VEHICLE_AT("tank", 10, 10, 0) "    lidar: {}\n" VEHICLE_AT("tank", 14, 10, 180)
            BALL_AT(10, 12));
    double ahead_m = 0, left_m = 0, behind_m = 0;
    for (int step = 0; step < 10; step++) {
        world_bench_step(&b);
        size_t count;
        const hy_world_echo *echo = hy_world_echoes(b.state, 0, &count);
        assert_int_equal(count, 80);
        for (size_t i = 0; i < count; i++) {
            const double a = echo[i].azimuth_rad;
            ahead_m = fabs(a) < 0.001 ? echo[i].range_m : ahead_m;
            left_m = fabs(a - HY_PI / 2) < 0.001 ? echo[i].range_m : left_m;
            behind_m = fabs(a - HY_PI) < 0.001 ? echo[i].range_m : behind_m;
        }
        hy_world_echoes(b.state, 1, &count);
        assert_int_equal(count, 0);
    }
    assert_near(ahead_m, 4 - 20.08 * INCH, 1e-6);
    assert_near(left_m, 2 - 0.0889, 1e-4);
    assert_near(behind_m, 10, 1e-6);
    world_bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight),      cmocka_unit_test(test_turning),
        cmocka_unit_test(test_turning_share), cmocka_unit_test(test_turning_grip),
        cmocka_unit_test(test_step_size),     cmocka_unit_test(test_ideal),
        cmocka_unit_test(test_wall),          cmocka_unit_test(test_pushing),
        cmocka_unit_test(test_small_robot),   cmocka_unit_test(test_through_the_robot),
        cmocka_unit_test(test_closed_ways),   cmocka_unit_test(test_rolling),
        cmocka_unit_test(test_jammed_ball),   cmocka_unit_test(test_hostile_pieces),
        cmocka_unit_test(test_reset),         cmocka_unit_test(test_reset_needs_room),
        cmocka_unit_test(test_lidar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
