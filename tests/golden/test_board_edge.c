// Every packet of xrp/edge.txt has its recorded effect on the board that keeps the stock firmware's
// defects; on the board without them too, but for xrp/deviations. One named test each.
#include <halyard/wire.h>
#include <stdio.h>

#include "../../src/board/pins.h"
#include "board_bench.h"
#include "cmocka_all.h"
#include "vectors.h"

static vectors edge, deviations, commands;

#define CLIENT 5800

typedef struct {
    const vector *v;
    bool stock_bugs;
} edge_case;

// --------------------------------------------------------------------------- the board before the packet

#define GIVE(b, ...)                                        \
    bench_give(b, CLIENT, (const uint8_t[]){ __VA_ARGS__ }, \
               sizeof((const uint8_t[]){ __VA_ARGS__ }))

// "enabled, motors 0, servos at 1000 us, LED off; the receive buffer is zeroed"; for the section b2
// "the stale bytes under the packet are 06 12 01 3f 80 00 00 (motor 1 = 1.0) at offset 3".
static void prepare(bench *b, bool with_stale_bytes)
{
    static const uint8_t zeros[8192] = { 0, 1, 0 };
    bench_give(b, CLIENT, zeros, sizeof zeros);
    if (with_stale_bytes) {
        GIVE(b, 0, 2, 0, 0x06, 0x12, 1, 0x3f, 0x80, 0, 0); // disabled: it moves nothing itself
        GIVE(b, 0, 3, 1);
        return;
    }
    GIVE(b, 0, 2, 1, 0x06, 0x13, 4, 0x3e, 0x80, 0, 0, 0x06, 0x13, 5, 0x3e, 0x80, 0, 0);
    static const uint8_t wipe[17] = { 0, 3, 1 };
    bench_give(b, CLIENT, wipe, sizeof wipe);
}

// --------------------------------------------------------------------------- the recorded effect

typedef struct {
    hy_actuators actuators;
    bool enabled;
    int accepted; // -1: not said
} effect;

static double duty_of_level(int level)
{
    return (double)level / PWM_LEVELS;
}

static void read_one(const char *text, effect *out)
{
    int n, pwm, level, us, led;
    double duty;
    if (sscanf(text, "MOTOR %d pwm=%d level=%d/1020 duty=%lf", &n, &pwm, &level, &duty) == 4) {
        assert_int_equal(level, pwm < 0 ? -pwm_level(-pwm) : pwm_level(pwm));
        assert_true(duty - duty_of_level(level) < 5e-5 && duty_of_level(level) - duty < 5e-5);
        out->actuators.motor_duty[n] = duty_of_level(level);
    } else if (sscanf(text, "SERVO %d us=%d", &n, &us) == 2) {
        out->actuators.servo_pulse_us[n] = us;
    } else if (sscanf(text, "LED %d", &led) == 1) {
        out->actuators.led = led == 1;
    } else if (strncmp(text, "DISABLED", 8) == 0) {
        out->enabled = false;
    } else {
        fail_msg("effect not understood: %s", text);
    }
}

// Applies "accepted=1 ['MOTOR 0 ...', 'LED 1']" or "accepted=1 no actuator change" to `out`.
static void read_effect(const char *text, effect *out)
{
    assert_memory_equal(text, "accepted=", 9);
    out->accepted = text[9] == '-' ? 0 : text[9] - '0';
    if (strstr(text, "no actuator change") != NULL) {
        return;
    }
    const char *quote = strchr(text, '\'');
    assert_non_null(quote);
    while (quote != NULL) {
        read_one(quote + 1, out);
        const char *end = strchr(quote + 1, '\'');
        assert_non_null(end);
        quote = strchr(end + 1, '\'');
    }
}

static void check_actuators(const hy_actuators *is, const hy_actuators *should)
{
    for (int i = 0; i < HY_PIN_MOTORS; i++) {
        assert_pin(is->motor_duty[i], should->motor_duty[i]);
    }
    for (int i = 0; i < HY_PIN_SERVOS; i++) {
        assert_pin(is->servo_pulse_us[i], should->servo_pulse_us[i]);
    }
    assert_int_equal(is->led, should->led);
}

// --------------------------------------------------------------------------- tests

static effect effect_now(const bench *b)
{
    return (effect){ *hy_board_actuators(b->board), hy_board_is_enabled(b->board), -1 };
}

static void test_edge(void **state)
{
    const edge_case *c = *state;
    const vector *deviation = c->stock_bugs ? NULL : vectors_find(&deviations, c->v->name);
    const hy_board_options options = { .kind = &hy_board_xrp_beta, .stock_bugs = c->stock_bugs };
    bench b = bench_start(&options);
    prepare(&b, strncmp(c->v->name, "b2", 2) == 0);

    effect expected = effect_now(&b);
    assert_true(expected.enabled);
    read_effect(deviation != NULL ? deviation->meaning : c->v->meaning, &expected);
    const uint64_t accepted_before = hy_board_counts(b.board)->commands;
    bench_give(&b, CLIENT, c->v->bytes, c->v->size);

    assert_int_equal(hy_board_counts(b.board)->commands - accepted_before, expected.accepted);
    assert_int_equal(hy_board_is_enabled(b.board), expected.enabled);
    check_actuators(hy_board_actuators(b.board), &expected.actuators);
    bench_end(&b);
}

// "b10 motor 0 = ..." ends with the value: the number before the PWM is the recorded one, too.
static void test_pwm_numbers(void **state)
{
    (void)state;
    int seen = 0;
    for (size_t i = 0; i < edge.count; i++) {
        const vector *v = &edge.items[i];
        const char *pwm = strstr(v->meaning, "pwm=");
        if (strncmp(v->name, "b10 ", 4) != 0 || pwm == NULL) {
            continue;
        }
        const hy_block block = { 0x12, 3, { &v->bytes[5], v->size - 5 } };
        const double effort = (double)hy_block_value(&hy_dialect_xrp, &block).value;
        assert_int_equal(motor_pwm(effort), labs(strtol(pwm + 4, NULL, 10)));
        seen++;
    }
    assert_int_equal(seen, 19);
}

// Every deviation is one: it names a vector, and the stock effect is another one.
static void test_deviations_are_some(void **state)
{
    (void)state;
    for (size_t i = 0; i < deviations.count; i++) {
        const vector *d = &deviations.items[i];
        const vector *v = vectors_find(&edge, d->name);
        if (v == NULL) {
            assert_non_null(vectors_find(&commands, d->name));
        } else {
            assert_string_not_equal(d->meaning, v->meaning);
        }
    }
}

// command.txt: "All are accepted by the stock firmware when their sequence is acceptable".
static void test_command(void **state)
{
    const edge_case *c = *state;
    const hy_board_options options = { .kind = &hy_board_xrp, .stock_bugs = c->stock_bugs };
    bench b = bench_start(&options);
    const bool seq_is_0 = c->v->bytes[0] == 0 && c->v->bytes[1] == 0;
    assert_int_equal(vectors_find(&deviations, c->v->name) != NULL, seq_is_0);
    bench_give(&b, CLIENT, c->v->bytes, c->v->size);
    assert_int_equal(hy_board_counts(b.board)->commands, seq_is_0 && c->stock_bugs ? 0 : 1);
    assert_int_equal(hy_board_is_enabled(b.board), c->v->bytes[2] == 1);
    assert_int_equal(hy_board_counts(b.board)->rx_malformed, 0);
    bench_end(&b);
}

// --------------------------------------------------------------------------- one test a line

#define TESTS_MAX (2 * VECTORS_MAX + 8)

static struct CMUnitTest tests[TESTS_MAX];
static edge_case cases[TESTS_MAX];
static char names[TESTS_MAX][200];
static size_t test_count;

static void add(const vector *v, bool stock_bugs, CMUnitTestFunction function)
{
    const size_t i = test_count++;
    cases[i] = (edge_case){ v, stock_bugs };
    snprintf(names[i], sizeof names[i], "%s: %s", stock_bugs ? "stock" : "right", v->name);
    tests[i] = (struct CMUnitTest){ names[i], function, NULL, NULL, &cases[i] };
}

int main(void)
{
    vectors_load("xrp/edge.txt", true, &edge);
    vectors_load("xrp/command.txt", true, &commands);
    vectors_load("xrp/deviations", false, &deviations);
    for (size_t i = 0; i < edge.count; i++) {
        add(&edge.items[i], true, test_edge);
        add(&edge.items[i], false, test_edge);
    }
    for (size_t i = 0; i < commands.count; i++) {
        add(&commands.items[i], true, test_command);
        add(&commands.items[i], false, test_command);
    }
    tests[test_count++] = (struct CMUnitTest)cmocka_unit_test(test_pwm_numbers);
    tests[test_count++] = (struct CMUnitTest)cmocka_unit_test(test_deviations_are_some);
    return _cmocka_run_group_tests("edge", tests, test_count, NULL, NULL);
}
