// Bridges that coast: their closed form against the circuit, step by step, and against what was measured on a real XRP.
#include "vehicles/bridge.h"
#include "world_bench.h"

#include <halyard/robots.h>

// --------------------------------------------------------------------------- the circuit

#define FINE_S  1e-6
#define PERIODS 60

typedef struct {
    double resistance_v, supply_v; // means over a period, of the current times the resistance
} circuit_mean;

/// Volts that drive the motor's current, beside its resistance. Of a bridge that is off: the diodes, against it.
static double drive_v(double current_v, bool is_on, double supply_v, double emf_v)
{
    const double against_v = supply_v + HY_BRIDGE_DIODES_V;
    if (is_on) {
        return supply_v - emf_v;
    }
    return current_v > 0 ? -against_v - emf_v : current_v < 0 ? against_v - emf_v : 0;
}

#define REPEATS_V 1e-9 // at the same place of two periods

/// The circuit in steps of a microsecond until its periods repeat; currents times the resistance.
static circuit_mean integrate(const hy_bridge_model *bridge, double duty, double supply_v,
                              double emf_v)
{
    const int steps = (int)(bridge->period_s / FINE_S + 0.5);
    const int on_steps = (int)(duty * steps + 0.5);
    circuit_mean sum = { 0, 0 };
    const double share = 1 - exp(-FINE_S / bridge->tau_s);
    double current_v = 0, begin_v = INFINITY;
    for (int period = 0; period < PERIODS && !(fabs(current_v - begin_v) < REPEATS_V); period++) {
        sum = (circuit_mean){ 0, 0 };
        begin_v = current_v;
        for (int i = 0; i < steps; i++) {
            const bool is_on = i < on_steps;
            const double before_v = current_v;
            const double v = drive_v(current_v, is_on, supply_v, emf_v);
            current_v += (v - current_v) * share;
            if (!is_on && current_v * before_v <= 0) {
                current_v = 0; // the diodes block
            }
            const double mean_v = (before_v + current_v) / 2;
            sum.resistance_v += mean_v / steps;
            sum.supply_v += (is_on ? mean_v : -fabs(mean_v)) / steps;
        }
    }
    return sum;
}

static void the_closed_form_is_the_circuit(void **state)
{
    (void)state;
    static const double periods_s[] = { 1e-3, 20e-3 }, taus_s[] = { 5e-5, 1e-4, 3e-4, 2e-3 };
    static const double duties[] = { 0.05, 0.2, 0.5, 0.8, 0.95, 1 };
    static const double emfs_v[] = { -7, -3, -0.5, 0, 1, 3, 5.5, 6.5 };
    const double supply_v = 6;
    double worst = 0;
    for (size_t n = 0; n < 2 * 4 * 6 * 8; n++) {
        const hy_bridge_model bridge = { true, periods_s[n % 2], taus_s[n / 2 % 4] };
        const double duty = duties[n / 8 % 6];
        const double emf_v = emfs_v[n / 48];
        const circuit_mean is = integrate(&bridge, duty, supply_v, emf_v);
        const hy_bridge_mean mean = hy_bridge_mean_of(&bridge, duty, supply_v, emf_v);
        const double resistance_v = mean.volts - mean.share * emf_v;
        // 1 %, of at least a twentieth of the supply.
        const double scale = fmax(fabs(is.resistance_v), supply_v / 20);
        const double off =
            fmax(fabs(resistance_v - is.resistance_v), fabs(mean.supply_v - is.supply_v)) / scale;
        worst = fmax(worst, off);
        if (!(off <= 0.01)) {
            fail_msg("period %g s, tau %g s, duty %g, EMF %g V: %g V and %g V from the supply, the "
                     "circuit has %g V and %g V",
                     bridge.period_s, bridge.tau_s, duty, emf_v, resistance_v, mean.supply_v,
                     is.resistance_v, is.supply_v);
        }
    }
    print_message("at most %.2f %% from the circuit\n", worst * 100);
}

static void the_share_is_the_derivative(void **state)
{
    (void)state;
    for (int n = 0; n < 2000; n++) {
        const hy_bridge_model bridge = { true, n % 2 == 0 ? 1e-3 : 20e-3, 1e-4 * (1 + n % 5) };
        const double duty = (n % 41 - 20) / 20.0;
        const double emf_v = (n % 97 - 48) / 8.0;
        const hy_bridge_mean mean = hy_bridge_mean_of(&bridge, duty, 6, emf_v);
        const hy_bridge_mean more = hy_bridge_mean_of(&bridge, duty, 6, emf_v + 1e-6);
        const double rise =
            (more.volts - more.share * (emf_v + 1e-6)) - (mean.volts - mean.share * emf_v);
        if (fabs(more.share - mean.share) < 1e-3) { // else a seam lies between
            assert_near(-rise / 1e-6, mean.share, 1e-3);
        }
        // Both ways round the same.
        const hy_bridge_mean back = hy_bridge_mean_of(&bridge, -duty, 6, -emf_v);
        assert_true(back.volts == -mean.volts && back.share == mean.share &&
                    back.supply_v == mean.supply_v);
    }
}

static void a_bridge_that_is_off_disconnects(void **state)
{
    (void)state;
    const hy_bridge_model bridge = { true, 1e-3, 1e-4 };
    const hy_bridge_mean off = hy_bridge_mean_of(&bridge, 0, 6, 5);
    assert_true(off.volts == 0 && off.share == 0 && off.supply_v == 0);
    // Driven faster than the supply, it charges it through the diodes.
    const hy_bridge_mean charging = hy_bridge_mean_of(&bridge, 0, 6, -9);
    assert_near(charging.volts - charging.share * -9, 9 - 6 - HY_BRIDGE_DIODES_V, 1e-12);
    assert_near(charging.supply_v, -(9 - 6 - HY_BRIDGE_DIODES_V), 1e-12);
    // And with a duty it does so all the time: through the switch, and through the diodes.
    const hy_bridge_mean overdriven = hy_bridge_mean_of(&bridge, 0.25, 6, 9);
    const double volts = 0.25 * 6 + 0.75 * (6 + HY_BRIDGE_DIODES_V);
    assert_near(overdriven.volts, volts, 1e-12);
    assert_true(overdriven.share == 1);
    assert_near(overdriven.supply_v, volts - 9, 1e-12);
}

// --------------------------------------------------------------------------- the real one

/// Counts of a motor that turns freely, after a pulse of that effort and 250 ms more.
static double pulse_counts(const char *yaml, double effort, double pulse_s)
{
    world_bench b = world_bench_of(yaml);
    b.input.vehicle[0].motor_duty[2] = effort;
    world_bench_run(&b, pulse_s);
    b.input.vehicle[0].motor_duty[2] = 0;
    world_bench_run(&b, 0.25);
    const double counts = fabs(world_bench_truth(&b).wheel_counts[2]);
    world_bench_end(&b);
    return counts;
}

/// SPEC world, "The coasting bridge": counts of the left and the right wheel, lifted, of a real XRP.
static void pulses_are_those_of_a_real_xrp(void **state)
{
    (void)state;
    // 6.54 V were measured while it stood: 0.12 A of the board flow through 0.8 ohm.
    static const char xrp[] =
        OPEN_XRP "    battery: { volts: 6.636 }\n    bridge: { decay: coast, pwm_hz: 50 }\n";
    static const struct {
        double pulse_s, left, right;
    } real[] = { { 0.35, 303, 291 }, { 0.4, 399, 351 } };
    for (size_t i = 0; i < 2; i++) {
        const double counts = pulse_counts(xrp, 0.22, real[i].pulse_s);
        print_message("%.0f ms: %.0f counts, the real one %.0f and %.0f\n", real[i].pulse_s * 1e3,
                      counts, real[i].left, real[i].right);
        // Its motors differ by up to 13 %; ours are equal: the mean of both.
        assert_near(counts / ((real[i].left + real[i].right) / 2), 1, 0.15);
    }
    // A bridge that brakes is far from it.
    for (size_t i = 0; i < 2; i++) {
        const double counts =
            pulse_counts(OPEN_XRP "    battery: { volts: 6.636 }\n", 0.22, real[i].pulse_s);
        print_message("%.0f ms, braking: %.0f counts\n", real[i].pulse_s * 1e3, counts);
        assert_true(counts < 0.3 * real[i].right);
    }
}

typedef struct {
    const char *name, *bridge;
    double speed_m_s[7];
} speed_row;

static void speeds_on_the_floor(void **state)
{
    (void)state;
    static const double efforts[7] = { 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1 };
    static const speed_row rows[] = {
        { "brake", "{ decay: brake }", { 0.02, 0.04, 0.06, 0.11, 0.15, 0.23, 0.35 } },
        { "coast, 50 Hz",
          "{ decay: coast, pwm_hz: 50, inductance_h: 0.0008 }",
          { 0.11, 0.17, 0.21, 0.26, 0.29, 0.33, 0.35 } },
        { "coast, 1 kHz, 0.1 ms",
          "{ decay: coast, pwm_hz: 1000, inductance_h: 0.0008 }",
          { 0, 0.08, 0.15, 0.22, 0.27, 0.31, 0.35 } },
        { "coast, 1 kHz, 0.3 ms",
          "{ decay: coast, pwm_hz: 1000, inductance_h: 0.0024 }",
          { 0, 0, 0.01, 0.13, 0.20, 0.28, 0.35 } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char yaml[512];
        snprintf(yaml, sizeof yaml,
                 OPEN_XRP "    battery: { volts: 5.8, resistance_ohm: 0 }\n    bridge: %s\n",
                 rows[i].bridge);
        print_message("%s:", rows[i].name);
        for (size_t k = 0; k < 7; k++) {
            world_bench b = world_bench_of(yaml);
            world_bench_drive(&b, 0, efforts[k], efforts[k]);
            world_bench_run(&b, 12);
            const double speed = world_bench_truth(&b).speed_m_s;
            print_message(" %.3f", speed);
            // Slower than 3 cm/s the caster's drag fades: a robot creeps that should stand.
            assert_near(speed, rows[i].speed_m_s[k], speed < 0.03 ? 0.02 : 0.01);
            world_bench_end(&b);
        }
        print_message("\n");
    }
}

static void the_battery_gives_what_the_motors_take(void **state)
{
    (void)state;
    world_bench b = world_bench_of(OPEN_XRP "    bridge: { decay: coast }\n");
    assert_near(world_bench_truth(&b).battery_v, 5.904, 1e-9); // the board alone
    world_bench_drive(&b, 0, 1, 1);
    world_bench_step(&b);
    assert_near(world_bench_truth(&b).battery_v, 4.92, 0.1); // as a bridge that brakes: it is always on
    world_bench_run(&b, 2);
    world_bench_drive(&b, 0, 0, 0);
    world_bench_step(&b);
    assert_near(world_bench_truth(&b).battery_v, 5.904, 1e-9); // nothing flows while it coasts
    const double at_m = world_bench_truth(&b).x_m;
    world_bench_run(&b, 2);
    print_message("at rest after %.3f m\n", world_bench_truth(&b).x_m - at_m);
    assert_near(world_bench_truth(&b).speed_m_s, 0, 1e-9);
    world_bench_end(&b);
}

static void steps_of_10_and_1_ms_agree(void **state)
{
    (void)state;
    double at_m[2], turned_rad[2];
    for (int i = 0; i < 2; i++) {
        char yaml[256];
        snprintf(yaml, sizeof yaml, "step_ms: %d\n" OPEN_XRP "    bridge: { decay: coast }\n",
                 i == 0 ? 10 : 1);
        world_bench b = world_bench_of(yaml);
        world_bench_drive(&b, 0, 0.6, 0.5);
        world_bench_run(&b, 1);
        world_bench_drive(&b, 0, 0, 0);
        world_bench_run(&b, 1);
        world_bench_drive(&b, 0, -0.4, 0.3);
        world_bench_run(&b, 1);
        const hy_truth truth = world_bench_truth(&b);
        at_m[i] = hypot(truth.x_m - 50, truth.y_m - 50);
        turned_rad[i] = truth.heading_rad;
        world_bench_end(&b);
    }
    print_message("%.5f and %.5f m, %.5f and %.5f rad\n", at_m[0], at_m[1], turned_rad[0],
                  turned_rad[1]);
    assert_near(at_m[0] / at_m[1], 1, 0.01);
    assert_near(turned_rad[0] / turned_rad[1], 1, 0.01);
}

// --------------------------------------------------------------------------- friction

/// With half as much friction again while it stands: started at 0.75 V instead of 0.5, a motor goes on turning below that.
static void what_stands_needs_more_than_what_turns(void **state)
{
    (void)state;
    world_bench b =
        world_bench_of(OPEN_XRP "    battery: { volts: 5, resistance_ohm: 0, board_a: 0 }\n"
                                "    motors: { breakaway: 0.5 }\n");
    static const struct {
        double volts;
        bool turns, drives; // the free motor; the robot, whose wheels roll and whose caster drags
    } cases[] = { { 0.7, false, false }, { 0.8, true, false },  { 0.7, true, false },
                  { 0.4, false, false }, { 0.7, false, false }, { 1.4, true, true },
                  { 0.8, true, true },   { 0.4, false, false }, { 0.8, true, false } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double duty = cases[i].volts / 5;
        b.input.vehicle[0].motor_duty[2] = duty;
        world_bench_drive(&b, 0, duty, duty);
        world_bench_run(&b, 2);
        const double before = world_bench_truth(&b).wheel_counts[2];
        const double at_m = world_bench_truth(&b).x_m;
        world_bench_run(&b, 1);
        const bool turns = fabs(world_bench_truth(&b).wheel_counts[2] - before) > 5;
        const bool drives = world_bench_truth(&b).x_m - at_m > 0.002;
        if (turns != cases[i].turns || drives != cases[i].drives) {
            fail_msg("case %zu, %g V: %s, %s", i, cases[i].volts, turns ? "turns" : "stands",
                     drives ? "drives" : "does not drive");
        }
    }
    world_bench_end(&b);
}

// --------------------------------------------------------------------------- controllers

static hy_bridge_spec bridge_in(const char *yaml, const hy_worldfile_robots *robots)
{
    const hy_worldfile_text text = { { (const uint8_t *)yaml, strlen(yaml) }, "test", "" };
    hy_world_spec spec;
    hy_world_error error;
    assert_int_equal(hy_worldfile_parse(&text, &spec, &error), HY_OK);
    hy_worldfile_set_robots(&spec, robots);
    const hy_bridge_spec bridge = spec.vehicle[0].bridge;
    hy_world_spec_free(&spec);
    return bridge;
}

static void controllers_say_how_their_bridges_decay(void **state)
{
    (void)state;
    const hy_robot_type *const xrp = hy_robot_type_find("xrp");
    const hy_worldfile_robots beta = { .variant = hy_robot_variant_find(xrp, "beta") };
    const hy_worldfile_robots slow = { .pwm_hz = 50 };
    assert_int_equal(bridge_in(OPEN_XRP, NULL).decay, HY_DECAY_COAST);
    assert_near(bridge_in(OPEN_XRP, NULL).pwm_hz, 1000, 0);
    assert_near(bridge_in(OPEN_XRP, &slow).pwm_hz, 50, 0);
    assert_int_equal(bridge_in(OPEN_XRP, &beta).decay, HY_DECAY_CONTROLLER); // it brakes
    // What the file says stays.
    assert_int_equal(bridge_in(OPEN_XRP "    bridge: { decay: brake }\n", NULL).decay,
                     HY_DECAY_BRAKE);
    assert_near(bridge_in(OPEN_XRP "    bridge: { pwm_hz: 200 }\n", &slow).pwm_hz, 200, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_closed_form_is_the_circuit),
        cmocka_unit_test(the_share_is_the_derivative),
        cmocka_unit_test(a_bridge_that_is_off_disconnects),
        cmocka_unit_test(pulses_are_those_of_a_real_xrp),
        cmocka_unit_test(speeds_on_the_floor),
        cmocka_unit_test(the_battery_gives_what_the_motors_take),
        cmocka_unit_test(steps_of_10_and_1_ms_agree),
        cmocka_unit_test(what_stands_needs_more_than_what_turns),
        cmocka_unit_test(controllers_say_how_their_bridges_decay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
