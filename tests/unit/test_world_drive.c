// Motors, battery, wheels and body of an XRP against what physics and the data sheet say.
#include "vehicles/drive.h"
#include "world_bench.h"

#include <math.h>

#define COUNTS_PER_TURN 585.0
#define M_PER_COUNT     (HY_PI * 0.060 / COUNTS_PER_TURN)
#define TRACK_M         0.155

/// An ideal battery of the voltage in the data sheet.
#define DATA_SHEET_BATTERY "    battery: { volts: 4.5, resistance_ohm: 0, board_a: 0 }\n"

static double header_rate(world_bench *b, double duty)
{
    b->input.vehicle[0].motor_duty[2] = duty;
    world_bench_run(b, 2);
    const double before = world_bench_truth(b).wheel_counts[2];
    world_bench_run(b, 1);
    return world_bench_truth(b).wheel_counts[2] - before;
}

// --------------------------------------------------------------------------- motors

static void test_free_speeds(void **state)
{
    (void)state;
    static const struct {
        double duty, share; // of 90 rpm: (duty * 4.5 V - 0.5 V) / (4.5 V - 0.5 V)
    } cases[] = {
        { 1.0, 1.0 },   { 0.75, 0.71875 }, { 0.5, 0.4375 }, { 0.25, 0.15625 },
        { 0.12, 0.01 }, { 0.1111, 0.0 },   { 0.05, 0.0 },   { 0.0, 0.0 },
        { -0.05, 0.0 }, { -0.5, -0.4375 }, { -1.0, -1.0 },
    };
    world_bench b = world_bench_of(OPEN_XRP DATA_SHEET_BATTERY);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        // 90 rpm and 585 counts a turn: 877.5 counts a second
        assert_near(header_rate(&b, cases[i].duty), cases[i].share * 877.5, 0.05);
    }
    world_bench_end(&b);
}

static void test_battery_sags(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_XRP);
    // At rest only the board draws: 6 V - 0.12 A * 0.8 ohm.
    assert_near(world_bench_truth(&b).battery_v, 5.904, 1e-9);
    world_bench_drive(&b, 0, 1, 1);
    world_bench_step(&b);
    // Starting, two motors of 8 ohm are almost stalled: 5.904 V / (1 + 0.8 ohm * 2 / 8 ohm).
    assert_near(world_bench_truth(&b).battery_v, 4.92, 0.1);
    world_bench_run(&b, 2);
    const double running_v = world_bench_truth(&b).battery_v;
    assert_true(running_v > 5.6 && running_v < 5.8);
    assert_near(world_bench_sensors(&b, 0).battery_v, running_v, 1e-9);
    world_bench_end(&b);

    // An empty battery drives a slower robot.
    b = world_bench_of(OPEN_XRP "    battery: { volts: 4.0 }\n");
    world_bench_drive(&b, 0, 1, 1);
    world_bench_run(&b, 2);
    assert_true(world_bench_truth(&b).speed_m_s < 0.25);
    world_bench_end(&b);
}

static void test_signs(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_XRP);
    for (int i = 0; i < 4; i++) {
        b.input.vehicle[0].motor_duty[i] = 0.5;
    }
    world_bench_run(&b, 1);
    const hy_truth truth = world_bench_truth(&b);
    const hy_sensors sensors = world_bench_sensors(&b, 0);
    assert_true(truth.wheel_counts[0] > 100);  // left: forward
    assert_true(truth.wheel_counts[1] < -100); // right: mounted the other way round
    assert_true(truth.rate_z_rad_s < -1);
    for (int i = 0; i < 4; i++) { // every encoder falls with a positive duty
        assert_true(sensors.encoder_counts[i] < -100);
        const double size = fabs(truth.wheel_counts[i]);
        assert_near(sensors.encoder_counts[i], -size, 1e-9);
        assert_near(truth.motor_duty[i], 0.5, 0);
    }
    world_bench_end(&b);
}

static void test_odd_duties(void **state)
{
    (void)state;
    world_bench_check_odd_duties(OPEN_XRP);
}

// --------------------------------------------------------------------------- driving

static void test_straight(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_XRP);
    world_bench_drive(&b, 0, 1, 1);
    world_bench_run(&b, 4);
    const hy_truth truth = world_bench_truth(&b);
    assert_true(truth.speed_m_s > 0.32 && truth.speed_m_s < 0.36); // 90 rpm at 4.5 V is 0.28 m/s
    assert_near(truth.y_m, 50, 1e-9);
    assert_near(truth.heading_rad, 0, 1e-9);
    assert_near(truth.wheel_counts[0] * M_PER_COUNT, truth.x_m - 50, 1e-6);
    assert_near(truth.wheel_counts[1] * M_PER_COUNT, truth.x_m - 50, 1e-6);
    world_bench_end(&b);
}

static void test_small_duty_stands(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_XRP);
    world_bench_drive(&b, 0, 0.09, 0.09);
    world_bench_run(&b, 5);
    assert_near(world_bench_truth(&b).x_m, 50, 0);
    assert_near(world_bench_truth(&b).wheel_counts[0], 0, 0);
    world_bench_drive(&b, 0, 0.13, 0.13);
    world_bench_run(&b, 5);
    assert_true(world_bench_truth(&b).x_m > 50.02);
    world_bench_end(&b);
}

static void test_stopping(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_XRP);
    world_bench_drive(&b, 0, 1, 1);
    world_bench_run(&b, 2);
    const double from_m = world_bench_truth(&b).x_m;
    world_bench_drive(&b, 0, 0, 0);
    double speed_m_s = world_bench_truth(&b).speed_m_s;
    for (int i = 0; i < 100; i++) {
        world_bench_step(&b);
        const double now_m_s = world_bench_truth(&b).speed_m_s;
        assert_true(now_m_s <= speed_m_s && now_m_s >= 0); // friction only takes
        speed_m_s = now_m_s;
    }
    assert_near(speed_m_s, 0, 0);
    const double way_m = world_bench_truth(&b).x_m - from_m;
    assert_true(way_m > 0.005 && way_m < 0.04);
    world_bench_end(&b);
}

// A spinning robot turns by what its wheels rolled, over ten turns without wrapping.
static void test_spin(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_XRP QUIET);
    world_bench_drive(&b, 0, -0.8, 0.8);
    world_bench_run(&b, 20);
    const hy_truth truth = world_bench_truth(&b);
    const double rolled = (truth.wheel_counts[1] - truth.wheel_counts[0]) * M_PER_COUNT;
    assert_true(truth.heading_rad > 20 * HY_PI);
    assert_near(truth.heading_rad, rolled / TRACK_M, 1e-3);
    assert_near(world_bench_sensors(&b, 0).gyro_angle_rad[2], truth.heading_rad, 0.05);
    world_bench_end(&b);
}

/// Odometry from wheel counts alone, as robot code does it, finds the true pose on a curve.
static void test_curve(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_XRP);
    world_bench_drive(&b, 0, 0.9, 0.5);
    double x_m = 50, y_m = 50, left = 0, right = 0;
    for (int i = 0; i < 1000; i++) {
        world_bench_step(&b);
        const hy_truth truth = world_bench_truth(&b);
        const double l = (truth.wheel_counts[0] - left) * M_PER_COUNT;
        const double r = (truth.wheel_counts[1] - right) * M_PER_COUNT;
        const double middle = ((left - right) + (truth.wheel_counts[0] - truth.wheel_counts[1])) /
                              2 * M_PER_COUNT / TRACK_M;
        x_m += (l + r) / 2 * hy_cos(-middle);
        y_m += (l + r) / 2 * hy_sin(-middle);
        left = truth.wheel_counts[0];
        right = truth.wheel_counts[1];
    }
    assert_near(world_bench_truth(&b).x_m, x_m, 1e-3);
    assert_near(world_bench_truth(&b).y_m, y_m, 1e-3);
    world_bench_end(&b);
}

// The step does not matter: 10 ms and 1 ms agree within a hundredth.
static void test_step_size(void **state)
{
    (void)state;
    static const double duties[][2] = { { 1, 1 }, { 0.3, 0.3 }, { -0.7, 0.7 }, { 1, 0.4 } };
    for (size_t i = 0; i < sizeof duties / sizeof duties[0]; i++) {
        world_bench coarse = world_bench_of("step_ms: 10\n" OPEN_XRP);
        world_bench fine = world_bench_of("step_ms: 1\n" OPEN_XRP);
        world_bench *const both[] = { &coarse, &fine };
        for (int k = 0; k < 2; k++) {
            world_bench_drive(both[k], 0, duties[i][0], duties[i][1]);
            world_bench_run(both[k], 0.5);
            world_bench_drive(both[k], 0, 0, 0);
            world_bench_run(both[k], 0.5);
        }
        const hy_truth a = world_bench_truth(&coarse), b = world_bench_truth(&fine);
        const double way_m = fabs(a.wheel_counts[0]) + fabs(a.wheel_counts[1]);
        for (int side = 0; side < 2; side++) {
            assert_near(a.wheel_counts[side], b.wheel_counts[side], 0.005 * way_m);
        }
        assert_near(a.heading_rad, b.heading_rad, 0.01 * fabs(b.heading_rad) + 1e-6);
        world_bench_end(&coarse);
        world_bench_end(&fine);
    }
}

// What goes into the motors at a steady speed comes out as heat and friction: the force balance of
// a robot that no longer accelerates.
static void test_steady_state(void **state)
{
    (void)state;
    world_bench b =
        world_bench_of(OPEN_XRP DATA_SHEET_BATTERY "    caster: { friction: 0 }\n"
                                                   "    wheels: { rolling_resistance: 0 }\n");
    world_bench_drive(&b, 0, 0.6, 0.6);
    world_bench_run(&b, 5);
    // Nothing but the motors' own friction is left: the speed of a free shaft at that duty.
    const double rad_s = (0.6 * 4.5 - 0.5) / (4.5 - 0.5) * (90 * 2 * HY_PI / 60);
    assert_near(world_bench_truth(&b).speed_m_s, rad_s * 0.030, 1e-6);
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- tyres

static void test_traction(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_XRP "    wheels: { grip: 0.05 }\n"
                                            "    caster: { friction: 0 }\n");
    world_bench_drive(&b, 0, 1, 1);
    world_bench_run(&b, 0.2);
    const hy_truth truth = world_bench_truth(&b);
    // On ice the wheels spin, the encoders count it, and the robot gains what friction gives:
    // 0.05 g on the share of the weight that the drive wheels carry (1 - 15 mm / 70 mm).
    const double level_m_s = 0.05 * HY_GRAVITY_M_S2 * (1 - 0.015 / 0.070) * 0.2;
    const double gained_m_s = level_m_s / (1 - 0.05 * 0.030 / 0.070); // load shifts to the axle
    assert_near(truth.speed_m_s, gained_m_s, 0.01 * gained_m_s);
    assert_true(truth.wheel_counts[0] * M_PER_COUNT > 3 * (truth.x_m - 50));
    world_bench_end(&b);

    // On a floor they do not as long as load does not shift, not even from full speed to full reverse.
    b = world_bench_of(OPEN_XRP "    body: { com_height_m: 0 }\n");
    world_bench_drive(&b, 0, 1, 1);
    world_bench_run(&b, 1);
    world_bench_drive(&b, 0, -1, -1);
    world_bench_run(&b, 1);
    const hy_truth firm = world_bench_truth(&b);
    assert_near(firm.wheel_counts[0] * M_PER_COUNT, firm.x_m - 50, 0.01);
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- load that shifts

#define COM_M    0.015
#define CASTER_M 0.070
#define SLIPPERY "    wheels: { grip: 0.1 }\n    caster: { friction: 0 }\n"

// Both tyres slide, so that their push is the grip g m of what stands on them. The body's acceleration a at the height h shifts
// m a h / L from the caster to the axle: a = +-g (1 - c / L) / (1 -+ g h / L).
static void test_load_shifts_to_the_axle(void **state)
{
    (void)state;
    static const double heights_m[] = { 0, 0.2 };
    for (size_t i = 0; i < 2; i++) {
        char yaml[512];
        snprintf(yaml, sizeof yaml, "%s    body: { com_height_m: %g }\n", OPEN_XRP SLIPPERY,
                 heights_m[i]);
        world_bench b = world_bench_of(yaml);
        const double shift = 0.1 * heights_m[i] / CASTER_M;
        const double level_m_s2 = 0.1 * HY_GRAVITY_M_S2 * (1 - COM_M / CASTER_M);
        world_bench_drive(&b, 0, 1, 1);
        world_bench_run(&b, 0.2);
        const double gained_m_s = world_bench_truth(&b).speed_m_s;
        assert_near(gained_m_s, 0.2 * level_m_s2 / (1 - shift), 0.01 * gained_m_s);
        world_bench_drive(&b, 0, -1, -1);
        world_bench_run(&b, 0.2); // until the wheels turn backwards
        const double before_m_s = world_bench_truth(&b).speed_m_s;
        world_bench_run(&b, 0.05);
        const double lost_m_s = before_m_s - world_bench_truth(&b).speed_m_s;
        assert_near(lost_m_s, 0.05 * level_m_s2 / (1 + shift), 0.01 * lost_m_s);
        world_bench_end(&b);
    }
}

// Encoders and the way part where a robot brakes hard: from full speed to full reverse its axle loses load.
static void test_wheels_slide_when_braking(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_XRP);
    world_bench_drive(&b, 0, 1, 1);
    world_bench_run(&b, 1);
    const hy_truth fast = world_bench_truth(&b);
    assert_near(fast.wheel_counts[0] * M_PER_COUNT, fast.x_m - 50, 0.001);
    world_bench_drive(&b, 0, -1, -1);
    world_bench_run(&b, 0.3);
    const hy_truth back = world_bench_truth(&b);
    const double wheels_m = (back.wheel_counts[0] - fast.wheel_counts[0]) * M_PER_COUNT;
    assert_true(back.x_m - fast.x_m - wheels_m > 0.005);
    world_bench_end(&b);
}

// A body slides to the left while both wheels spin ahead as fast: each tyre's push, along and across in equal parts, is what its load
// gives it, and the left one has more.
static void test_load_shifts_to_the_outer_tyre(void **state)
{
    (void)state;
    hy_motor_model motor = { .resistance_ohm = 1, .inertia_kg_m2 = 100 }; // it keeps its speed
    hy_body_model body = { .mass_kg = 0.55, .inertia_kg_m2 = 0.0028 };
    hy_drive_model drive = { .track_m = TRACK_M,
                             .radius_m = { 0.030, 0.030 },
                             .grip = 0.5,
                             .caster_ahead_m = CASTER_M,
                             .com_height_m = 0.040 };
    hy_motor_prepare(&motor, 0.001);
    hy_body_prepare(&body);
    hy_drive_prepare(&drive, &body, (const hy_motor_model[]){ motor, motor }, 0.001);
    hy_motion motion = { 0, 2, 0 };
    const hy_push pushed = { 0, 0, 0 };
    hy_drive_state wheels = {
        .motion = &motion, .pushed = &pushed, .rim_m_s = { 2, 2 }, .rim = drive.rim, .grip = hy_even_grip
    };
    hy_drive_step(&drive, &body, &wheels);
    const double across_n_s = (2 - motion.y) * body.mass_kg; // of both, to the right
    const double along_n_s = motion.x * body.mass_kg;
    assert_near(along_n_s, across_n_s, 0.01 * across_n_s);
    // What the left tyre has more than the right one is twice grip h / track of the push across; 1/sqrt(2) of it is along.
    const double more_n_s = 2 * 0.5 * 0.040 / TRACK_M * across_n_s / sqrt(2);
    const double turn = -more_n_s * TRACK_M / 2 / body.inertia_kg_m2;
    assert_near(motion.turn, turn, 0.02 * fabs(turn));
}

// --------------------------------------------------------------------------- regions of the floor

#define REGIONS(list) OPEN_FLOOR "regions:\n" list "vehicles:\n" XRP_AT(50, 50, 0)
#define BOX(center, size, grip) \
    "  - box: { center_m: " center ", size_m: " size ", grip: " #grip " }\n"

/// Ten metres around the robot have a sixteenth of the grip, 0.05, as the tyres of test_traction() have it.
#define DUSTY BOX("[50, 50]", "[10, 10]", 0.0625)

static void test_region_of_less_grip(void **state)
{
    (void)state;
    static const char *const dusty[] = {
        REGIONS(DUSTY) "    caster: { friction: 0 }\n",
        // The last region of the list counts.
        REGIONS(BOX("[50, 50]", "[20, 20]", 2) DUSTY) "    caster: { friction: 0 }\n",
        REGIONS(
            "  - disc: { center_m: [50, 50], radius_m: 0.5, grip: 0.0625 }\n") "    caster: { "
                                                                               "friction: 0 }\n",
    };
    world_bench ice = world_bench_of(OPEN_XRP "    wheels: { grip: 0.05 }\n"
                                              "    caster: { friction: 0 }\n");
    world_bench_drive(&ice, 0, 1, 1);
    world_bench_run(&ice, 0.5);
    for (size_t i = 0; i < sizeof dusty / sizeof dusty[0]; i++) {
        world_bench b = world_bench_of(dusty[i]);
        world_bench_drive(&b, 0, 1, 1);
        world_bench_run(&b, 0.5);
        assert_near(world_bench_truth(&b).x_m, world_bench_truth(&ice).x_m, 1e-6);
        assert_near(world_bench_truth(&b).wheel_counts[0], world_bench_truth(&ice).wheel_counts[0],
                    0.1);
        assert_true(world_bench_truth(&b).wheel_counts[0] * M_PER_COUNT >
                    3 * (world_bench_truth(&b).x_m - 50));
        world_bench_end(&b);
    }
    world_bench_end(&ice);
}

// A region is where the file says, turned as it says; elsewhere the floor is as ever.
static void test_place_of_a_region(void **state)
{
    (void)state;
    world_bench b =
        world_bench_of(OPEN_FLOOR "regions:\n"
                                  "  - box: { center_m: [2, 1], size_m: [2, 0.2], angle_deg: 30, "
                                  "grip: 0.5 }\n"
                                  "  - disc: { center_m: [5, 1], radius_m: 0.5, grip: 1.5 }\n"
                                  "  - box: { center_m: [10, 1], size_m: [2, 1], grip: 0.7 }\n"
                                  "vehicles:\n" XRP_AT(50, 50, 0));
    static const struct {
        double x_m, y_m, grip;
    } places[] = {
        { 2.0, 1.0, 0.5 },  { 2.78, 1.45, 0.5 }, // 0.9 m along its length
        { 2.95, 1.548, 1 },                      // 1.1 m
        { 1.94, 1.104, 1 },                      // 0.12 m across
        { 5.3, 1.39, 1.5 }, { 5.4, 1.4, 1 },     { 50, 50, 1 },
        { 5.5, 1.0, 1.5 },  { 11, 1.5, 0.7 }, // their edges belong to them
        { 9, 0.5, 0.7 },    { 11.001, 1, 1 },    { 10, 1.501, 1 },
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const hy_point at_m = { places[i].x_m, places[i].y_m };
        assert_near(hy_world_floor_grip(b.model, at_m), places[i].grip, 0);
        const hy_point slope_rad = hy_world_floor_slope(b.model, at_m);
        assert_true(slope_rad.x_m == 0 && slope_rad.y_m == 0);
    }
    world_bench plain = world_bench_of(OPEN_XRP);
    world_bench_drive(&b, 0, 1, 0.7);
    world_bench_drive(&plain, 0, 1, 0.7);
    world_bench_run(&b, 1);
    world_bench_run(&plain, 1);
    assert_near(world_bench_truth(&b).x_m, world_bench_truth(&plain).x_m, 0);
    assert_near(world_bench_truth(&b).heading_rad, world_bench_truth(&plain).heading_rad, 0);
    world_bench_end(&plain);
    world_bench_end(&b);
}

// With one wheel on ice the other one turns the robot to its side, and the encoders do not tell.
static void test_one_wheel_on_ice(void **state)
{
    (void)state;
    world_bench b = world_bench_of(REGIONS(BOX("[50, 50.5]", "[10, 0.9]", 0.05)));
    world_bench_drive(&b, 0, 1, 1);
    world_bench_run(&b, 0.3);
    const hy_truth truth = world_bench_truth(&b);
    assert_true(truth.heading_rad > 0.2);
    assert_true(truth.wheel_counts[0] > 1.05 * fabs(truth.wheel_counts[1]));
    world_bench_end(&b);
}

static double speed_after(const char *yaml, double duty_of_right)
{
    world_bench b = world_bench_of(yaml);
    for (int motor = 0; motor < HY_PIN_MOTORS; motor += 2) { // of a swerve robot's wheels
        b.input.vehicle[0].motor_duty[motor] = 1;
    }
    b.input.vehicle[0].motor_duty[1] = duty_of_right;
    world_bench_run(&b, 0.3);
    const double speed_m_s = world_bench_truth(&b).speed_m_s;
    world_bench_end(&b);
    return speed_m_s;
}

// All that a floor of a fifth of a tyre's grip can give in 0.3 s is what these gain, too.
static void test_regions_under_other_vehicles(void **state)
{
    (void)state;
    const double swerve_m_s = 0.2 * 0.8 * HY_GRAVITY_M_S2 * 0.3;
    const double tank_m_s = 0.2 * 1.1 * HY_GRAVITY_M_S2 * 0.3;
    const double swerve = speed_after(
        OPEN_FLOOR "regions:\n" BOX("[50, 50]", "[10, 10]", 0.2) "vehicles:\n" SWERVE_AT(50, 50, 0),
        0);
    assert_near(swerve, swerve_m_s, 0.02 * swerve_m_s);
    const double tank =
        speed_after(OPEN_FLOOR "regions:\n" BOX("[50, 50]", "[10, 10]",
                                                0.2) "vehicles:\n" VEHICLE_AT("tank", 50, 50, 0),
                    1);
    assert_near(tank, tank_m_s, 0.02 * tank_m_s);
    assert_true(speed_after(OPEN_FLOOR "vehicles:\n" SWERVE_AT(50, 50, 0), 0) > 1.2 * swerve);
    assert_true(speed_after(OPEN_FLOOR "vehicles:\n" VEHICLE_AT("tank", 50, 50, 0), 1) > 1.2 * tank);
}

// --------------------------------------------------------------------------- ramps

#define RAMP(center, angle, slope)                                                             \
    OPEN_FLOOR "regions:\n  - box: { center_m: " center ", size_m: [4, 4], angle_deg: " #angle \
               ", slope_deg: " #slope " }\nvehicles:\n" XRP_AT(50, 50, 0)

// A robot that stands on a ramp, held by its gears, feels a part of gravity ahead, or to its side.
static void test_accelerometer_on_a_ramp(void **state)
{
    (void)state;
    const double sine = sin(3 * HY_RAD_PER_DEG), cosine = cos(3 * HY_RAD_PER_DEG);
    world_bench up = world_bench_of(RAMP("[50, 50]", 0, 3) QUIET);
    world_bench aside = world_bench_of(RAMP("[50, 50]", 90, 3) QUIET);
    world_bench_step(&up);
    world_bench_step(&aside);
    const hy_sensors ahead = world_bench_sensors(&up, 0), left = world_bench_sensors(&aside, 0);
    assert_near(ahead.accel_m_s2[0], HY_GRAVITY_M_S2 * sine, 1e-9);
    assert_near(ahead.accel_m_s2[1], 0, 1e-9);
    assert_near(ahead.accel_m_s2[2], HY_GRAVITY_M_S2 * cosine, 1e-9);
    assert_near(left.accel_m_s2[0], 0, 1e-9);
    assert_near(left.accel_m_s2[1], HY_GRAVITY_M_S2 * sine, 1e-9);
    world_bench_end(&up);
    world_bench_end(&aside);
}

// Coming onto a ramp the nose goes up, and behind its upper end it goes down again.
static void test_gyro_over_a_ramp(void **state)
{
    (void)state;
    world_bench b = world_bench_of(
        OPEN_FLOOR "regions:\n  - box: { center_m: [50.4, 50], size_m: [0.4, 1], slope_deg: 5 }\n"
                   "vehicles:\n" XRP_AT(50, 50, 0) QUIET);
    world_bench_drive(&b, 0, 1, 1);
    double most_rad_s = 0;
    while (world_bench_truth(&b).x_m < 50.35) {
        world_bench_step(&b);
        most_rad_s = fmax(most_rad_s, -world_bench_sensors(&b, 0).gyro_rate_rad_s[1]);
    }
    assert_near(world_bench_sensors(&b, 0).gyro_angle_rad[1], -5 * HY_RAD_PER_DEG, 1e-9);
    assert_true(most_rad_s > 0.1 && most_rad_s < 2); // 70 mm of wheelbase at less than 0.5 m/s
    world_bench_run(&b, 1.5);
    assert_true(world_bench_truth(&b).x_m > 50.61);
    assert_near(world_bench_sensors(&b, 0).gyro_angle_rad[1], 0, 1e-9);
    assert_near(world_bench_sensors(&b, 0).gyro_angle_rad[0], 0, 1e-9);
    world_bench_end(&b);
}

// With tyres that hardly grip a robot slides down as a block does: g sin(a) less the grip of what its wheels carry of g cos(a).
static void test_sliding_down_a_ramp(void **state)
{
    (void)state;
    world_bench b =
        world_bench_of(RAMP("[50, 50]", 0, 20) SLIPPERY "    body: { com_height_m: 0 }\n");
    world_bench_run(&b, 0.3);
    const double sine = sin(20 * HY_RAD_PER_DEG), cosine = cos(20 * HY_RAD_PER_DEG);
    const double most_m_s2 = HY_GRAVITY_M_S2 * (sine - 0.1 * cosine * (1 - COM_M / CASTER_M));
    assert_near(world_bench_truth(&b).speed_m_s, -0.3 * most_m_s2, 0.01 * most_m_s2);
    assert_true(fabs(world_bench_truth(&b).wheel_counts[0]) * M_PER_COUNT < 0.02); // braked
    world_bench_end(&b);
}

// Whatever speed it gains, a wall of 5 mm stops it.
static void test_wall_below_a_ramp(void **state)
{
    (void)state;
    world_bench b = world_bench_of(
        "name: slide\nfloor: { width_m: 8, height_m: 2 }\n"
        "obstacles:\n  - wall: { from_m: [1, 0], to_m: [1, 2], thickness_m: 0.005 }\n"
        "regions:\n  - box: { center_m: [4, 1], size_m: [8, 2], slope_deg: 20, grip: 0.05 }\n"
        "vehicles:\n" XRP_AT(7.5, 1, 0) "    caster: { friction: 0 }\n");
    double most_m_s = 0, least_m = 8;
    for (int step = 0; step < 500; step++) {
        world_bench_step(&b);
        most_m_s = fmax(most_m_s, fabs(world_bench_truth(&b).speed_m_s));
        least_m = fmin(least_m, world_bench_truth(&b).x_m);
    }
    assert_true(most_m_s > 5);             // fifteen times what its motors give it
    assert_true(least_m > 1.0825 - 0.005); // its rear is 80 mm behind its origin
    assert_true(world_bench_truth(&b).touching_field);
    world_bench_end(&b);
}

// Uphill a robot is slower than on the level, downhill faster.
static void test_speed_on_a_ramp(void **state)
{
    (void)state;
    static const char *const yaml[] = { RAMP("[50, 50]", 180, 8), OPEN_XRP, RAMP("[50, 50]", 0, 8) };
    double speed_m_s[3];
    for (size_t i = 0; i < 3; i++) {
        world_bench b = world_bench_of(yaml[i]);
        world_bench_drive(&b, 0, 0.6, 0.6);
        world_bench_run(&b, 1.5);
        speed_m_s[i] = world_bench_truth(&b).speed_m_s;
        world_bench_end(&b);
    }
    assert_true(speed_m_s[0] > 1.1 * speed_m_s[1] && speed_m_s[2] < 0.9 * speed_m_s[1]);
    assert_near(speed_m_s[0] - speed_m_s[1], speed_m_s[1] - speed_m_s[2], 0.1 * speed_m_s[1]);
}

static void test_mismatch(void **state)
{
    (void)state;
    static const struct {
        const char *keys;
        double sign; // of the turn: + to the left
    } cases[] = {
        { "    motors: { left_speed: 0.95 }\n", +1 },
        { "    motors: { right_speed: 0.95 }\n", -1 },
        { "    wheels: { left_size: 0.98 }\n", +1 },
        { "    wheels: { right_size: 0.98 }\n", -1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char yaml[512];
        snprintf(yaml, sizeof yaml, "%s%s", OPEN_XRP, cases[i].keys);
        world_bench b = world_bench_of(yaml);
        world_bench_drive(&b, 0, 0.7, 0.7);
        world_bench_run(&b, 3);
        assert_true(world_bench_truth(&b).heading_rad * cases[i].sign > 0.05);
        world_bench_end(&b);
    }
}

// --------------------------------------------------------------------------- the rest of the pins

static void test_servos(void **state)
{
    (void)state;
    static const struct {
        double pulse_us, angle_rad;
    } cases[] = {
        { 1500, 0 },          { 2500, HY_PI / 2 }, { 500, -HY_PI / 2 },
        { 1000, -HY_PI / 4 }, { 0, -HY_PI / 4 }, // no pulse: it stays
        { NAN, -HY_PI / 4 },  { 3000, HY_PI / 2 }, { 1, -HY_PI / 2 },
    };
    world_bench b = world_bench_of(OPEN_XRP);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        b.input.vehicle[0].servo_pulse_us[3] = cases[i].pulse_us;
        world_bench_run(&b, 1);
        assert_near(world_bench_truth(&b).servo_rad[3], cases[i].angle_rad, 1e-9);
        assert_near(world_bench_truth(&b).servo_rad[0], 0, 0);
    }
    // 0.1 s for 60 degrees.
    b.input.vehicle[0].servo_pulse_us[3] = 2500;
    world_bench_run(&b, 0.1);
    assert_near(world_bench_truth(&b).servo_rad[3], -HY_PI / 2 + HY_PI / 3, 1e-9);
    world_bench_end(&b);
}

static void test_led_and_button(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_XRP);
    assert_false(world_bench_truth(&b).led || world_bench_sensors(&b, 0).button);
    b.input.vehicle[0].led = true;
    b.input.button[0] = true;
    world_bench_step(&b);
    assert_true(world_bench_truth(&b).led && world_bench_truth(&b).button);
    assert_true(world_bench_sensors(&b, 0).button);
    world_bench_end(&b);
}

// A motor that is braked by a share of its back-EMF: the quick form of the exponential is as good as the exact one.
static void test_a_share_of_the_back_emf(void **state)
{
    (void)state;
    hy_motor_model motor = { .inertia_kg_m2 = 2, .damping_kg_m2 = 1.5 };
    for (double share = 0.01; share <= 1; share += 0.01) {
        const double damping = share * motor.damping_kg_m2;
        const double late = hy_implicit_share(damping / motor.inertia_kg_m2, 1);
        const hy_motor_model shared = hy_motor_with_share(&motor, share);
        assert_near(shared.step_kg_m2, 2 + late * damping, 2e-8);
        assert_near(shared.keep_kg_m2, 2 - (1 - late) * damping, 2e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_speeds),
        cmocka_unit_test(test_battery_sags),
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_odd_duties),
        cmocka_unit_test(test_straight),
        cmocka_unit_test(test_small_duty_stands),
        cmocka_unit_test(test_stopping),
        cmocka_unit_test(test_spin),
        cmocka_unit_test(test_curve),
        cmocka_unit_test(test_step_size),
        cmocka_unit_test(test_steady_state),
        cmocka_unit_test(test_traction),
        cmocka_unit_test(test_mismatch),
        cmocka_unit_test(test_servos),
        cmocka_unit_test(test_led_and_button),
        cmocka_unit_test(test_region_of_less_grip),
        cmocka_unit_test(test_accelerometer_on_a_ramp),
        cmocka_unit_test(test_gyro_over_a_ramp),
        cmocka_unit_test(test_sliding_down_a_ramp),
        cmocka_unit_test(test_speed_on_a_ramp),
        cmocka_unit_test(test_wall_below_a_ramp),
        cmocka_unit_test(test_load_shifts_to_the_axle),
        cmocka_unit_test(test_wheels_slide_when_braking),
        cmocka_unit_test(test_load_shifts_to_the_outer_tyre),
        cmocka_unit_test(test_place_of_a_region),
        cmocka_unit_test(test_one_wheel_on_ice),
        cmocka_unit_test(test_regions_under_other_vehicles),
        cmocka_unit_test(test_a_share_of_the_back_emf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
