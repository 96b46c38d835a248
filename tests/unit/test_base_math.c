// The elementary functions of base: within 1 ulp (the tangent: 2) of the C library's long double ones over millions
// of points, right at every edge, and with the same bits on every compiler and at every -O.
#include "base_bits.h"
#include "cmocka_all.h"
#include "environment.h"

#include <halyard/base.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define POINTS (is_long_run() ? 300000 : 50000) // of each kind and function

// --------------------------------------------------------------------------- measuring

/// The distance of `value` from `exact` in units of the last place of a double of that size.
static double error_ulp(double value, long double exact)
{
    int exponent;
    frexpl(exact, &exponent);
    const int lowest = DBL_MIN_EXP - DBL_MANT_DIG;
    const int last_place = exponent - DBL_MANT_DIG > lowest ? exponent - DBL_MANT_DIG : lowest;
    return (double)fabsl(ldexpl((long double)value - exact, -last_place));
}

typedef struct {
    double ulp, a, b; ///< The largest error, and the arguments where it is.
} worst;

static void note(worst *w, double ulp, double a, double b)
{
    if (!isnan(w->ulp) && !(ulp <= w->ulp)) { // a NaN is worse than everything, and stays
        *w = (worst){ ulp, a, b };
    }
}

static void expect_below(double ulp, const char *what, worst w)
{
    print_message("%-28s at most %.3f ulp, at %a %a\n", what, w.ulp, w.a, w.b);
    assert_true(w.ulp < ulp);
}

static void expect_below_1_ulp(const char *what, worst w)
{
    expect_below(1.0, what, w);
}

static double between(hy_random *random, double low, double high)
{
    return low + (high - low) * hy_random_unit(random);
}

/// Any sign, a mantissa and an exponent drawn evenly: as many tiny numbers as huge ones.
static double of_any_size(hy_random *random, int lowest_exponent, int highest_exponent)
{
    const uint32_t span = (uint32_t)(highest_exponent - lowest_exponent + 1);
    const int exponent = lowest_exponent + (int)hy_random_below(random, span);
    const double sign = (hy_random_bits(random) & 1) != 0 ? -1.0 : 1.0;
    return sign * ldexp(1.0 + hy_random_unit(random), exponent);
}

static double neighbour(double value, int steps)
{
    for (; steps > 0; steps--) {
        value = nextafter(value, INFINITY);
    }
    for (; steps < 0; steps++) {
        value = nextafter(value, -INFINITY);
    }
    return value;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define assert_same_bits(a, b) assert_int_equal(bits_of(a), bits_of(b))

// --------------------------------------------------------------------------- sine and cosine

static void note_sin_cos(worst *w, double angle)
{
    note(w, error_ulp(hy_sin(angle), sinl((long double)angle)), angle, 0.0);
    note(w, error_ulp(hy_cos(angle), cosl((long double)angle)), angle, 0.0);
}

static void sine_and_cosine_are_within_1_ulp(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(1);
    worst turn = { 0 }, promised = { 0 }, any = { 0 }, hard = { 0 };
    const int points = POINTS;
    for (int i = 0; i < points; i++) {
        note_sin_cos(&turn, between(&random, -6.5, 6.5));
        note_sin_cos(&promised, between(&random, -1e5, 1e5));
        note_sin_cos(&any, of_any_size(&random, -1074, 1023));
        // Next to a multiple of pi/2 the sine or the cosine has lost all leading digits.
        const double n = (double)(1 + hy_random_below(&random, 600000));
        note_sin_cos(&hard, neighbour(n * (HY_PI / 2), (int)hy_random_below(&random, 5) - 2));
    }
    // The double that is closest of all to a multiple of pi/2, and both sides of the long reduction.
    note_sin_cos(&hard, ldexp(6381956970095103.0, 797));
    note_sin_cos(&hard, neighbour(1e6, -1));
    note_sin_cos(&hard, 1e6);
    note_sin_cos(&hard, 0.75);
    note_sin_cos(&hard, neighbour(0.75, 1));
    note_sin_cos(&hard, DBL_MAX);
    note_sin_cos(&hard, DBL_MIN);
    note_sin_cos(&hard, 4.9406564584124654e-324);
    expect_below_1_ulp("sin cos within a turn", turn);
    expect_below_1_ulp("sin cos below 1e5 rad", promised);
    expect_below_1_ulp("sin cos of any double", any);
    expect_below_1_ulp("sin cos near n pi/2", hard);
}

static void sine_and_cosine_at_the_edges(void **state)
{
    (void)state;
    assert_same_bits(hy_sin(0.0), 0.0);
    assert_same_bits(hy_sin(-0.0), -0.0);
    assert_same_bits(hy_cos(0.0), 1.0);
    assert_same_bits(hy_cos(-0.0), 1.0);
    assert_same_bits(hy_sin(HY_PI / 2), 1.0);
    assert_same_bits(hy_cos(HY_PI), -1.0);
    const double not_finite[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    for (size_t i = 0; i < 3; i++) {
        assert_true(isnan(hy_sin(not_finite[i])));
        assert_true(isnan(hy_cos(not_finite[i])));
    }
}

static void sine_is_odd_and_cosine_is_even_to_the_bit(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(2);
    const int points = POINTS;
    for (int i = 0; i < points / 10; i++) {
        const double angle = of_any_size(&random, -40, 1023);
        assert_same_bits(hy_sin(-angle), -hy_sin(angle));
        assert_same_bits(hy_cos(-angle), hy_cos(angle));
    }
}

static void sine_and_cosine_together_are_the_same_bits(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(7);
    const int points = POINTS;
    for (int i = 0; i < points; i++) {
        const double angle =
            i % 2 == 0 ? between(&random, -10.0, 10.0) : of_any_size(&random, -1074, 1023);
        const hy_sine_cosine both = hy_sin_cos(angle);
        assert_same_bits(both.sin, hy_sin(angle));
        assert_same_bits(both.cos, hy_cos(angle));
    }
    assert_same_bits(hy_sin_cos(-0.0).sin, -0.0);
    assert_same_bits(hy_sin_cos(-0.0).cos, 1.0);
    assert_true(isnan(hy_sin_cos((double)INFINITY).sin));
    assert_true(isnan(hy_sin_cos((double)NAN).cos));
}

static void many_sines_and_cosines_are_the_same_bits(void **state)
{
    (void)state;
    static const double special[] = { 0.0,         -0.0,      0.75,  -0.75,     0.7500000000000001,
                                      1e6,         -1e6,      1e300, 1e-310,    (double)INFINITY,
                                      (double)NAN, HY_PI / 2, HY_PI, 999999.999 };
    enum { MOST = 15, SPECIALS = sizeof special / sizeof special[0] };
    hy_random random = hy_random_seeded(8);
    const int points = POINTS;
    for (int i = 0; i < points / MOST; i++) {
        double angles[MOST], sines[MOST], cosines[MOST];
        const size_t count = hy_random_below(&random, MOST + 1);
        for (size_t k = 0; k < count; k++) {
            switch (hy_random_below(&random, 4)) {
            case 0: angles[k] = special[hy_random_below(&random, SPECIALS)]; break;
            case 1: angles[k] = of_any_size(&random, -1074, 1023); break;
            default: angles[k] = between(&random, -20.0, 20.0); break;
            }
        }
        hy_sin_cos_many(angles, count, sines, cosines);
        for (size_t k = 0; k < count; k++) {
            assert_same_bits(sines[k], hy_sin(angles[k]));
            assert_same_bits(cosines[k], hy_cos(angles[k]));
        }
    }
}

// --------------------------------------------------------------------------- tangent

static void note_tan(worst *w, double angle)
{
    note(w, error_ulp(hy_tan(angle), tanl((long double)angle)), angle, 0.0);
}

static void tangent_is_within_2_ulp(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(8);
    worst turn = { 0 }, any = { 0 }, hard = { 0 };
    const int points = POINTS;
    for (int i = 0; i < points; i++) {
        note_tan(&turn, between(&random, -6.5, 6.5));
        note_tan(&any, of_any_size(&random, -1074, 1023));
        const double n = (double)(1 + hy_random_below(&random, 600000));
        note_tan(&hard, neighbour(n * (HY_PI / 4), (int)hy_random_below(&random, 5) - 2));
    }
    note_tan(&hard, ldexp(6381956970095103.0, 797));
    note_tan(&hard, DBL_MAX);
    note_tan(&hard, DBL_MIN);
    note_tan(&hard, 0x1p-899);
    expect_below(2.0, "tan within a turn", turn);
    expect_below(2.0, "tan of any double", any);
    expect_below(2.0, "tan near n pi/4", hard);
}

static void tangent_at_the_edges(void **state)
{
    (void)state;
    assert_same_bits(hy_tan(0.0), 0.0);
    assert_same_bits(hy_tan(-0.0), -0.0);
    assert_true(hy_tan(HY_PI / 2) > 1.6e16); // the double is a little below pi/2
    assert_true(hy_tan(neighbour(HY_PI / 2, 1)) < -6e15);
    const double not_finite[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    for (size_t i = 0; i < 3; i++) {
        assert_true(isnan(hy_tan(not_finite[i])));
    }
}

// --------------------------------------------------------------------------- wrapping

static long double wrapped_exactly(double angle)
{
    return atan2l(sinl((long double)angle), cosl((long double)angle));
}

static void wrapped_angles_are_within_1_ulp(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(3);
    worst near = { 0 }, any = { 0 };
    const int points = POINTS;
    for (int i = 0; i < points; i++) {
        const double angles[2] = { between(&random, -1e5, 1e5), of_any_size(&random, 1, 1023) };
        for (size_t k = 0; k < 2; k++) {
            const double wrapped = hy_wrap_angle(angles[k]);
            assert_true(wrapped > -HY_PI && wrapped <= HY_PI);
            note(k == 0 ? &near : &any, error_ulp(wrapped, wrapped_exactly(angles[k])), angles[k],
                 0.0);
        }
    }
    expect_below_1_ulp("wrap_angle below 1e5 rad", near);
    expect_below_1_ulp("wrap_angle of any double", any);
}

static void wrapping_at_the_edges(void **state)
{
    (void)state;
    assert_same_bits(hy_wrap_angle(0.0), 0.0);
    assert_same_bits(hy_wrap_angle(-0.0), -0.0);
    assert_same_bits(hy_wrap_angle(1.25), 1.25);
    assert_same_bits(hy_wrap_angle(HY_PI), HY_PI);
    assert_same_bits(hy_wrap_angle(-HY_PI), HY_PI);
    assert_true(hy_wrap_angle(neighbour(HY_PI, 2)) < 0.0);
    assert_true(hy_wrap_angle(neighbour(-HY_PI, 1)) < 0.0);
    assert_true(hy_wrap_angle(neighbour(-HY_PI, -1)) > 0.0);
    assert_true(isnan(hy_wrap_angle((double)NAN)));
    assert_true(isnan(hy_wrap_angle((double)INFINITY)));
    assert_true(isnan(hy_wrap_angle(-(double)INFINITY)));
}

// --------------------------------------------------------------------------- arctangent

static void note_atan2(worst *w, double y, double x)
{
    note(w, error_ulp(hy_atan2(y, x), atan2l((long double)y, (long double)x)), y, x);
}

static void arctangent_is_within_1_ulp(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(4);
    worst square = { 0 }, any = { 0 }, hard = { 0 };
    const int points = POINTS;
    for (int i = 0; i < points; i++) {
        note_atan2(&square, between(&random, -4.0, 4.0), between(&random, -4.0, 4.0));
        note_atan2(&any, of_any_size(&random, -1074, 1023), of_any_size(&random, -1074, 1023));
        const double x = of_any_size(&random, -1000, 1000);
        note_atan2(&any, x * of_any_size(&random, -10, 10), x);
        // Where the table changes its row, and where the two axes change places.
        const double row = (double)(1 + hy_random_below(&random, 16)) / 16.0;
        note_atan2(&hard, neighbour(x * row, (int)hy_random_below(&random, 5) - 2), x);
    }
    const double sizes[] = { DBL_MAX, DBL_MIN, 4.9406564584124654e-324, 1.0, 0x1p60, 0x1p-61 };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            note_atan2(&hard, sizes[i], sizes[k]);
            note_atan2(&hard, -sizes[i], -sizes[k]);
        }
    }
    expect_below_1_ulp("atan2 in a square", square);
    expect_below_1_ulp("atan2 of any doubles", any);
    expect_below_1_ulp("atan2 where its rows meet", hard);
}

static void arctangent_at_the_edges(void **state)
{
    (void)state;
    const double inf = (double)INFINITY;
    // (0, 0) has no angle; ours is +0 whatever the signs.
    assert_same_bits(hy_atan2(0.0, 0.0), 0.0);
    assert_same_bits(hy_atan2(-0.0, -0.0), 0.0);
    // Everything else as in C11 F.10.1.4.
    assert_same_bits(hy_atan2(0.0, 1.0), 0.0);
    assert_same_bits(hy_atan2(-0.0, 1.0), -0.0);
    assert_same_bits(hy_atan2(0.0, -1.0), HY_PI);
    assert_same_bits(hy_atan2(-0.0, -1.0), -HY_PI);
    assert_same_bits(hy_atan2(1.0, 0.0), HY_PI / 2);
    assert_same_bits(hy_atan2(-1.0, -0.0), -HY_PI / 2);
    assert_same_bits(hy_atan2(1.0, inf), 0.0);
    assert_same_bits(hy_atan2(1e308, inf), 0.0);
    assert_same_bits(hy_atan2(-1.0, -inf), -HY_PI);
    assert_same_bits(hy_atan2(inf, 1e308), HY_PI / 2);
    assert_same_bits(hy_atan2(inf, inf), HY_PI / 4);
    assert_same_bits(hy_atan2(-inf, inf), -HY_PI / 4);
    assert_same_bits(hy_atan2(inf, -inf), 3 * HY_PI / 4);
    assert_true(isnan(hy_atan2((double)NAN, 1.0)));
    assert_true(isnan(hy_atan2(1.0, (double)NAN)));
}

// --------------------------------------------------------------------------- exponential

static void note_exp(worst *w, double x)
{
    note(w, error_ulp(hy_exp(x), expl((long double)x)), x, 0.0);
}

static void exponential_is_within_1_ulp(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(5);
    worst near = { 0 }, all = { 0 }, subnormal = { 0 };
    const int points = POINTS;
    for (int i = 0; i < points; i++) {
        note_exp(&near, between(&random, -2.0, 2.0));
        note_exp(&near, of_any_size(&random, -1074, 3));
        note_exp(&all, between(&random, -708.0, 709.78));
        note_exp(&subnormal, between(&random, -745.13, -708.0));
    }
    expect_below_1_ulp("exp near 0", near);
    expect_below_1_ulp("exp", all);
    expect_below_1_ulp("exp with subnormal results", subnormal);
}

static void exponential_at_the_edges(void **state)
{
    (void)state;
    const double largest = 0x1.62e42fefa39efp+9; // the last double whose power is finite
    assert_same_bits(hy_exp(0.0), 1.0);
    assert_same_bits(hy_exp(-0.0), 1.0);
    assert_true(isfinite(hy_exp(largest)));
    assert_same_bits(hy_exp(neighbour(largest, 1)), (double)INFINITY);
    assert_same_bits(hy_exp(1e300), (double)INFINITY);
    assert_same_bits(hy_exp((double)INFINITY), (double)INFINITY);
    assert_same_bits(hy_exp(-745.0), 4.9406564584124654e-324);
    assert_same_bits(hy_exp(-745.2), 0.0);
    assert_same_bits(hy_exp(-1e300), 0.0);
    assert_same_bits(hy_exp(-(double)INFINITY), 0.0);
    assert_true(isnan(hy_exp((double)NAN)));
}

// --------------------------------------------------------------------------- logarithm

static void note_log(worst *w, double x)
{
    note(w, error_ulp(hy_log(x), logl((long double)x)), x, 0.0);
}

static void logarithm_is_within_1_ulp(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(6);
    worst near = { 0 }, all = { 0 }, hard = { 0 };
    const int points = POINTS;
    for (int i = 0; i < points; i++) {
        note_log(&near, between(&random, 0.5, 2.0));
        note_log(&all, fabs(of_any_size(&random, -1074, 1023)));
        note_log(&hard, 1.0 + of_any_size(&random, -52, -4));
        note_log(&hard, neighbour(sqrt(0.5), (int)hy_random_below(&random, 9) - 4));
        note_log(&hard, neighbour(sqrt(2.0), (int)hy_random_below(&random, 9) - 4));
    }
    note_log(&hard, DBL_MAX);
    note_log(&hard, DBL_MIN);
    note_log(&hard, neighbour(DBL_MIN, -1));
    note_log(&hard, 4.9406564584124654e-324);
    expect_below_1_ulp("log from 1/2 to 2", near);
    expect_below_1_ulp("log", all);
    expect_below_1_ulp("log near 1, at the seams", hard);
}

static void logarithm_at_the_edges(void **state)
{
    (void)state;
    assert_same_bits(hy_log(1.0), 0.0);
    assert_same_bits(hy_log(0.0), -(double)INFINITY);
    assert_same_bits(hy_log(-0.0), -(double)INFINITY);
    assert_same_bits(hy_log((double)INFINITY), (double)INFINITY);
    assert_true(isnan(hy_log(-4.9406564584124654e-324)));
    assert_true(isnan(hy_log(-(double)INFINITY)));
    assert_true(isnan(hy_log((double)NAN)));
}

/// Numbers for which powers and logarithms differ in kind, among others.
static double number_of_any_kind(hy_random *random)
{
    static const double special[] = {
        0.0,    -0.0,  1.0,    -1.0,   0x1p-1022, 0x1p-1074, -0x1p-60,         699.99,     700.0,
        -700.0, 709.9, -745.0, -800.0, DBL_MAX,   1e-310,    (double)INFINITY, (double)NAN
    };
    switch (hy_random_below(random, 6)) {
    case 0: return special[hy_random_below(random, sizeof special / sizeof special[0])];
    case 1: return of_any_size(random, -1074, 1023);
    case 2: return between(random, 0.5, 2.0);
    default: return between(random, -20.0, 20.0);
    }
}

static void many_powers_and_logarithms_are_the_same_bits(void **state)
{
    (void)state;
    enum { MOST = 15 };
    hy_random random = hy_random_seeded(9);
    for (int i = 0; i < POINTS / MOST; i++) {
        double x[MOST], sizes[MOST], powers[MOST], logarithms[MOST];
        const size_t count = hy_random_below(&random, MOST + 1);
        const bool is_plain = i % 2 == 0; // whole vectors without anything special
        for (size_t k = 0; k < count; k++) {
            x[k] = is_plain ? between(&random, -699.0, 699.0) : number_of_any_kind(&random);
            sizes[k] = is_plain ? fabs(of_any_size(&random, -1022, 1023)) : x[k];
        }
        hy_exp_many(x, count, powers);
        hy_log_many(sizes, count, logarithms);
        for (size_t k = 0; k < count; k++) {
            assert_same_bits(powers[k], hy_exp(x[k]));
            assert_same_bits(logarithms[k], hy_log(sizes[k]));
        }
    }
}

static void logarithm_has_the_same_bits_in_every_build(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(7);
    hy_hash hash = hy_hash_start();
    for (int i = 0; i < 100000; i++) {
        hy_hash_f64(&hash, hy_log(fabs(of_any_size(&random, -1074, 1023))));
        hy_hash_f64(&hash, hy_log(between(&random, 0.5, 2.0)));
    }
    assert_int_equal(hash.value, UINT64_C(0xcaf72d2d6e34deba));
}

// --------------------------------------------------------------------------- the same bits

static void every_build_gives_the_same_bits(void **state)
{
    (void)state;
    assert_int_equal(base_bits(BASE_BITS_SHORT_ROUNDS), BASE_BITS_SHORT);
    assert_int_equal(base_bits(BASE_BITS_LONG_ROUNDS), BASE_BITS_LONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sine_and_cosine_are_within_1_ulp),
        cmocka_unit_test(sine_and_cosine_at_the_edges),
        cmocka_unit_test(sine_is_odd_and_cosine_is_even_to_the_bit),
        cmocka_unit_test(sine_and_cosine_together_are_the_same_bits),
        cmocka_unit_test(many_powers_and_logarithms_are_the_same_bits),
        cmocka_unit_test(many_sines_and_cosines_are_the_same_bits),
        cmocka_unit_test(tangent_is_within_2_ulp),
        cmocka_unit_test(tangent_at_the_edges),
        cmocka_unit_test(wrapped_angles_are_within_1_ulp),
        cmocka_unit_test(wrapping_at_the_edges),
        cmocka_unit_test(arctangent_is_within_1_ulp),
        cmocka_unit_test(arctangent_at_the_edges),
        cmocka_unit_test(exponential_is_within_1_ulp),
        cmocka_unit_test(exponential_at_the_edges),
        cmocka_unit_test(logarithm_is_within_1_ulp),
        cmocka_unit_test(logarithm_at_the_edges),
        cmocka_unit_test(logarithm_has_the_same_bits_in_every_build),
        cmocka_unit_test(every_build_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
