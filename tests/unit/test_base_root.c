// Square roots, correctly rounded, and lengths within 2 ulp. Built twice: with the processor's own
// square root, and with the integers that stand in for it.
#include "cmocka_all.h"

#include <halyard/base.h>

#include <float.h>
#include <math.h>
#include <string.h>

#define POINTS 300000

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define assert_same_bits(a, b) assert_int_equal(bits_of(a), bits_of(b))

static double of_any_size(hy_random *random, int lowest_exponent, int highest_exponent)
{
    const uint32_t span = (uint32_t)(highest_exponent - lowest_exponent + 1);
    const int exponent = lowest_exponent + (int)hy_random_below(random, span);
    return ldexp(1.0 + hy_random_unit(random), exponent);
}

static void a_root_is_the_nearest_double(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(1);
    for (int i = 0; i < POINTS; i++) {
        const double any = of_any_size(&random, -1074, 1023);
        assert_same_bits(hy_sqrt(any), sqrt(any));
        // Next to a square, where the root is all but halfway or all but exact.
        const double root = (double)(1 + hy_random_below(&random, 94906265));
        const double square = root * root;
        assert_same_bits(hy_sqrt(square), root);
        assert_same_bits(hy_sqrt(nextafter(square, INFINITY)), sqrt(nextafter(square, INFINITY)));
        assert_same_bits(hy_sqrt(nextafter(square, 0.0)), sqrt(nextafter(square, 0.0)));
    }
}

static void roots_at_the_edges(void **state)
{
    (void)state;
    const double inf = (double)INFINITY;
    assert_same_bits(hy_sqrt(0.0), 0.0);
    assert_same_bits(hy_sqrt(-0.0), -0.0);
    assert_same_bits(hy_sqrt(inf), inf);
    assert_same_bits(hy_sqrt(DBL_MAX), 0x1.fffffffffffffp+511);
    assert_same_bits(hy_sqrt(4.9406564584124654e-324), 0x1p-537);
    assert_same_bits(hy_sqrt(nextafter(1.0, 0.0)), nextafter(1.0, 0.0));
    assert_same_bits(hy_sqrt(nextafter(4.0, 0.0)), nextafter(2.0, 0.0));
    assert_true(isnan(hy_sqrt(-1e-300)));
    assert_true(isnan(hy_sqrt(-inf)));
    assert_true(isnan(hy_sqrt((double)NAN)));
}

static double error_ulp(double value, long double exact)
{
    int exponent;
    frexpl(exact, &exponent);
    const int lowest = DBL_MIN_EXP - DBL_MANT_DIG;
    const int last_place = exponent - DBL_MANT_DIG > lowest ? exponent - DBL_MANT_DIG : lowest;
    return (double)fabsl(ldexpl((long double)value - exact, -last_place));
}

static void lengths_are_within_2_ulp(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(2);
    double worst = 0;
    for (int i = 0; i < POINTS; i++) {
        const double x = of_any_size(&random, -1074, 1021);
        const double near = x * of_any_size(&random, -30, 0);
        const double any = of_any_size(&random, -1074, 1021);
        worst = fmax(worst, error_ulp(hy_hypot(x, near), hypotl((long double)x, (long double)near)));
        worst = fmax(worst, error_ulp(hy_hypot(-any, x), hypotl((long double)any, (long double)x)));
    }
    print_message("hypot: at most %.3f ulp\n", worst);
    assert_true(worst < 2.0);
}

static void lengths_at_the_edges(void **state)
{
    (void)state;
    const double inf = (double)INFINITY;
    assert_same_bits(hy_hypot(3.0, -4.0), 5.0);
    assert_same_bits(hy_hypot(0.0, -0.0), 0.0);
    assert_same_bits(hy_hypot(3e300, 4e300), 5e300);
    assert_same_bits(hy_hypot(0x3p-1070, 0x4p-1070), 0x5p-1070);
    assert_same_bits(hy_hypot(DBL_MAX, DBL_MAX), inf);
    assert_same_bits(hy_hypot((double)NAN, -inf), inf);
    assert_same_bits(hy_hypot(inf, (double)NAN), inf);
    assert_true(isnan(hy_hypot((double)NAN, 1.0)));
    assert_true(isnan(hy_hypot(1.0, (double)NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_root_is_the_nearest_double),
        cmocka_unit_test(roots_at_the_edges),
        cmocka_unit_test(lengths_are_within_2_ulp),
        cmocka_unit_test(lengths_at_the_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
