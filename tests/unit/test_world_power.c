// A tank's current limit, battery and brownout: SPEC world, "Current limit and brownout".
#include "vehicles/power.h"
#include "world_bench.h"

#define FLOOR "name: t\nfloor: { width_m: 40, height_m: 40 }\n"
#define TANK  FLOOR "vehicles:\n" VEHICLE_AT("tank", 20, 20, 0)

static hy_truth after_steps(world_bench *b, double duty, int steps)
{
    b->input.vehicle[0].motor_duty[0] = b->input.vehicle[0].motor_duty[1] = duty;
    for (int i = 0; i < steps; i++) {
        world_bench_step(b);
    }
    return world_bench_truth(b);
}

// --------------------------------------------------------------------------- the circuit

#define MOTORS 3

/// What is missing in the battery's equation at that voltage, each motor at what its controller lets through.
static double excess_at(double battery_v, const hy_power_model *power, const hy_battery_spec *battery,
                        const hy_motor_model *motor, const hy_motor_run *run)
{
    double amperes = battery->board_a;
    for (size_t i = 0; i < run->count; i++) {
        const double emf_v = motor[i].emf_v_s * run->rad_s[i];
        const double free_a = (run->duty[i] * battery_v - emf_v) / motor[i].resistance_ohm;
        const double motor_a = fmin(fmax(free_a, -power->limit_a), power->limit_a);
        amperes += (emf_v + motor_a * motor[i].resistance_ohm) * motor_a / battery_v;
    }
    return battery_v - (battery->open_v - battery->resistance_ohm * amperes);
}

// The closed form satisfies the circuit: motors that are limited, motors that are not, and motors that brake.
static void test_circuit(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(3);
    int some_limited = 0, none_limited = 0;
    for (int trial = 0; trial < 2000; trial++) {
        hy_motor_model motor[MOTORS] = { { 0 } };
        double duty[MOTORS], rad_s[MOTORS], volts[MOTORS];
        for (int i = 0; i < MOTORS; i++) {
            motor[i] = (hy_motor_model){
                .resistance_ohm = 0.06, .per_ohm = 1 / 0.06, .emf_v_s = 0.13, .forward = 1
            };
            duty[i] = 2 * hy_random_unit(&random) - 1;
            rad_s[i] = 90 * duty[i] + 30 * (hy_random_unit(&random) - 0.5);
        }
        const hy_motor_run run = { .duty = duty, .rad_s = rad_s, .count = MOTORS };
        const hy_battery_spec battery = { 12.4, 0.020, 2 };
        const hy_power_model power = { .limit_a = 10 + 50 * hy_random_unit(&random) };
        const double battery_v = hy_power_supply(&power, &battery, motor, &run, volts);
        assert_near(excess_at(battery_v, &power, &battery, motor, &run), 0, 1e-9);
        bool any = false;
        for (int i = 0; i < MOTORS; i++) {
            const double motor_a = (volts[i] - 0.13 * rad_s[i]) / 0.06;
            assert_true(fabs(motor_a) < power.limit_a + 1e-9);
            any = any || fabs(motor_a) > power.limit_a - 1e-9;
        }
        some_limited += any;
        none_limited += !any;
    }
    assert_true(some_limited > 200 && none_limited > 200);
}

// --------------------------------------------------------------------------- the limit

// At the start of a full duty each side has 120 A: 6.857 V at its resistance, 1646 W, which the battery gives at 8.477 V. The
// torque of 120 A less the friction accelerates mass, wheels and rotors by 5.41 m/s2.
static void test_start(void **state)
{
    (void)state;
    world_bench b = world_bench_of(TANK);
    const hy_truth t = after_steps(&b, 1, 1);
    assert_near(t.battery_v, 8.4774, 1e-4);
    assert_near(t.speed_m_s / 0.010, 5.41, 0.02 * 5.41);
    world_bench_end(&b);
}

// Without a limit the same motors take 210 A each as far as the battery gives it.
static void test_no_limit(void **state)
{
    (void)state;
    world_bench b = world_bench_of(TANK "    drive: { limit_a: 0 }\n");
    const hy_truth t = after_steps(&b, 1, 1);
    assert_near(t.battery_v, (12.4 - 0.020 * 2) / (1 + 0.020 * 2 * 210 / 12), 1e-9);
    world_bench_end(&b);
}

// One motor a side at the same limit has half of the current.
static void test_motors_per_side(void **state)
{
    (void)state;
    world_bench b = world_bench_of(TANK "    drive: { motors_per_side: 1 }\n");
    const double watts = 2 * 60 * 60 * 12 / 210.0, open_v = 12.4 - 0.020 * 2;
    const hy_truth t = after_steps(&b, 1, 1);
    assert_near(t.battery_v, (open_v + sqrt(open_v * open_v - 4 * 0.020 * watts)) / 2, 1e-9);
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- brownout

#define WEAK(volts) \
    TANK "    drive: { limit_a: 0 }\n    battery: { volts: " volts ", resistance_ohm: 0.040 }\n"

// Full duty pulls a weak battery below 6.3 V: the outputs are off in the next step, in which it recovers, and on again in the
// one after that.
static void test_stutter(void **state)
{
    (void)state;
    world_bench b = world_bench_of(WEAK("12.4"));
    b.input.vehicle[0].motor_duty[2] = 1; // an intake
    hy_truth t = after_steps(&b, 1, 1);
    assert_near(t.battery_v, (12.4 - 0.040 * 2) / (1 + 0.040 * 2 * 210 / 12), 1e-9);
    assert_true(t.browned_out && t.motor_duty[0] == 1 && t.motor_duty[2] == 1);
    t = after_steps(&b, 1, 1);
    assert_near(t.battery_v, 12.4 - 0.040 * 2, 1e-9);
    assert_true(!t.browned_out && t.motor_duty[0] == 0 && t.motor_duty[2] == 0);
    t = after_steps(&b, 1, 1);
    assert_true(t.browned_out && t.motor_duty[0] == 1);
    world_bench_end(&b);
}

// The battery by itself is that of the truth; an ideal drive has none.
static void test_the_battery_alone(void **state)
{
    (void)state;
    world_bench b = world_bench_of(WEAK("12.4"));
    b.input.vehicle[0].motor_duty[2] = 1;
    const hy_truth t = after_steps(&b, 1, 1);
    const hy_world_battery battery = hy_world_battery_of(b.model, b.state, 0);
    assert_true(battery.is_simulated && battery.browned_out && t.browned_out);
    assert_near(battery.volts, t.battery_v, 0);
    world_bench_end(&b);
    b = world_bench_of(TANK "    drive: { model: ideal }\n");
    after_steps(&b, 1, 1);
    const hy_world_battery ideal = hy_world_battery_of(b.model, b.state, 0);
    assert_true(!ideal.is_simulated && !ideal.browned_out && ideal.volts == 0);
    world_bench_end(&b);
}

// Outputs that are off stay off until the battery has more than 7.5 V: one that has 7.4 V without load never has.
static void test_no_recovery(void **state)
{
    (void)state;
    world_bench b = world_bench_of(WEAK("7.4"));
    hy_truth t = after_steps(&b, 1, 1);
    assert_true(t.browned_out);
    t = after_steps(&b, 1, 200);
    assert_true(t.browned_out && t.battery_v > 7.3 && t.speed_m_s < 0.01);
    world_bench_end(&b);
    b = world_bench_of(WEAK("7.6"));
    after_steps(&b, 1, 1);
    t = after_steps(&b, 1, 1);
    assert_false(t.browned_out);
    world_bench_end(&b);
}

// brownout_v 0 is a controller that never switches off; the default limit keeps a fresh battery above 6.3 V.
static void test_no_brownout(void **state)
{
    (void)state;
    world_bench b = world_bench_of(
        TANK "    drive: { limit_a: 0 }\n    battery: { resistance_ohm: 0.040, brownout_v: 0 }\n");
    hy_truth t = after_steps(&b, 1, 1);
    assert_true(!t.browned_out && t.battery_v < 6.3);
    assert_true(after_steps(&b, 1, 1).motor_duty[0] == 1);
    world_bench_end(&b);
    b = world_bench_of(TANK);
    for (int step = 0; step < 200; step++) {
        t = after_steps(&b, step < 100 ? 1 : -1, 1);
        assert_true(!t.browned_out && t.battery_v > 7);
    }
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- named motors

static void test_named_motors(void **state)
{
    (void)state;
    world_bench b = world_bench_of(TANK "    drive: { motors: 4-cim, left_rpm: 400 }\n");
    const hy_world_tank *const tank = hy_world_tank_at(b.model, 0);
    assert_near(tank->left_drive_rad_s, 400 * HY_RAD_S_PER_RPM, 1e-12);
    assert_near(tank->right_drive_rad_s, 496 * HY_RAD_S_PER_RPM, 1e-12);
    world_bench_end(&b);

    world_bench neo = world_bench_of(TANK),
                named = world_bench_of(TANK "    drive: { motors: 4-neo }\n");
    after_steps(&neo, 0.7, 50);
    after_steps(&named, 0.7, 50);
    assert_true(hy_world_hash(neo.state) == hy_world_hash(named.state));
    world_bench_end(&neo);
    world_bench_end(&named);

    static const char wrong[] = TANK "    drive: { motors: 4-minicim }\n";
    const hy_worldfile_text text = { { (const uint8_t *)wrong, sizeof wrong - 1 }, "w.yaml", "" };
    hy_world_spec spec;
    hy_world_error error;
    assert_int_equal(hy_worldfile_parse(&text, &spec, &error), HY_EFORMAT);
    assert_string_equal(error.text, "w.yaml:6:22: motors is 4-neo or 4-cim");
    hy_world_spec_free(&spec);
}

// Four CIM drive at the speed of their gears: about 4 m/s.
static void test_cim_speed(void **state)
{
    (void)state;
    world_bench b = world_bench_of(TANK "    drive: { motors: 4-cim }\n");
    const hy_truth t = after_steps(&b, 1, 300);
    assert_true(t.speed_m_s > 3.4 && t.speed_m_s < 4.1);
    world_bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_circuit),      cmocka_unit_test(test_start),
        cmocka_unit_test(test_no_limit),     cmocka_unit_test(test_motors_per_side),
        cmocka_unit_test(test_stutter),      cmocka_unit_test(test_the_battery_alone),
        cmocka_unit_test(test_no_recovery),  cmocka_unit_test(test_no_brownout),
        cmocka_unit_test(test_named_motors), cmocka_unit_test(test_cim_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
