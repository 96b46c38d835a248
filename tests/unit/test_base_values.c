// The plain values of base: status texts, endpoints, random numbers, hashes.
#include "cmocka_all.h"

#include <halyard/base.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// --------------------------------------------------------------------------- version

static void the_numbers_of_the_version_are_those_of_its_text(void **state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", HY_VERSION_MAJOR, HY_VERSION_MINOR, HY_VERSION_PATCH);
    assert_string_equal(text, HY_VERSION);
    assert_string_equal(hy_version(), HY_VERSION);
}

// --------------------------------------------------------------------------- status codes

static void every_status_has_its_own_sentence(void **state)
{
    (void)state;
    const hy_status all[] = {
#define STATUS_NAME(name, value, text) name,
        HY_STATUS_MAP(STATUS_NAME)
#undef STATUS_NAME
    };
    const size_t count = sizeof all / sizeof all[0];
    for (size_t i = 0; i < count; i++) {
        assert_true(strlen(hy_status_text(all[i])) > 0);
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(hy_status_text(all[i]), hy_status_text(all[k]));
        }
    }
    assert_string_equal(hy_status_text(HY_EINUSE), "the address is in use by another program");
    assert_string_equal(hy_status_text((hy_status)-999), "unknown status");
}

// --------------------------------------------------------------------------- endpoints

static void endpoints_differ_by_address_scope_and_port(void **state)
{
    (void)state;
    const hy_endpoint a = { { 0xfe, 0x80, [15] = 1 }, 2, 3540 };
    hy_endpoint b;
    memset(&b, 0xff, sizeof b); // padding that differs must not matter
    memcpy(b.ip, a.ip, sizeof b.ip);
    b.scope = a.scope;
    b.port = a.port;
    assert_true(hy_endpoint_equal(&a, &b));
    b.ip[15] = 2;
    assert_false(hy_endpoint_equal(&a, &b));
    b.ip[15] = 1;
    b.scope = 3;
    assert_false(hy_endpoint_equal(&a, &b));
    b.scope = 2;
    b.port = 3541;
    assert_false(hy_endpoint_equal(&a, &b));
}

static void only_all_zero_is_nobody(void **state)
{
    (void)state;
    const hy_endpoint nobody = { .port = 0 }, any_address = { .port = 1 };
    const hy_endpoint any_port = { .ip = { [15] = 1 } };
    assert_true(hy_endpoint_is_nobody(&nobody));
    assert_false(hy_endpoint_is_nobody(&any_address));
    assert_false(hy_endpoint_is_nobody(&any_port));
}

// --------------------------------------------------------------------------- random numbers

static void the_seed_is_spread_by_splitmix64(void **state)
{
    (void)state;
    // The first outputs of splitmix64 for these seeds.
    const hy_random from_zero = hy_random_seeded(0);
    assert_int_equal(from_zero.s[0], UINT64_C(0xe220a8397b1dcdaf));
    assert_int_equal(from_zero.s[1], UINT64_C(0x6e789e6aa1b965f4));
    assert_int_equal(from_zero.s[2], UINT64_C(0x06c45d188009454f));
    assert_int_equal(from_zero.s[3], UINT64_C(0xf88bb8a8724c81ec));
    const hy_random other = hy_random_seeded(1234567);
    assert_int_equal(other.s[0], UINT64_C(6457827717110365317));
    assert_int_equal(other.s[1], UINT64_C(3203168211198807973));
}

static void the_stream_is_xoshiro256_starstar(void **state)
{
    (void)state;
    hy_random random = { { 1, 2, 3, 4 } };
    const uint64_t expected[] = { 11520, 0, 1509978240, UINT64_C(1215971899390074240) };
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(hy_random_bits(&random), expected[i]);
    }
}

static void uniforms_fill_their_range_evenly(void **state)
{
    (void)state;
    enum { DRAWS = 200000, BINS = 10 };
    hy_random random = hy_random_seeded(7);
    int unit_bins[BINS] = { 0 }, below_bins[BINS] = { 0 };
    for (int i = 0; i < DRAWS; i++) {
        const double unit = hy_random_unit(&random);
        const uint32_t below = hy_random_below(&random, BINS);
        assert_true(unit >= 0.0 && unit < 1.0);
        assert_true(below < BINS);
        unit_bins[(size_t)(unit * BINS)]++;
        below_bins[below]++;
    }
    for (int i = 0; i < BINS; i++) { // 20000 a bin, standard deviation 134
        assert_in_range(unit_bins[i], 19300, 20700);
        assert_in_range(below_bins[i], 19300, 20700);
    }
    assert_int_equal(hy_random_below(&random, 1), 0);
}

static void normals_have_their_moments_and_their_range(void **state)
{
    (void)state;
    enum { DRAWS = 400000 };
    hy_random random = hy_random_seeded(8);
    double sum = 0.0, squares = 0.0, fourth = 0.0;
    for (int i = 0; i < DRAWS; i++) {
        const double x = hy_random_normal(&random);
        assert_true(fabs(x) < 3.4642);
        sum += x;
        squares += x * x;
        fourth += x * x * x * x;
    }
    assert_true(fabs(sum / DRAWS) < 0.01);
    assert_true(fabs(squares / DRAWS - 1.0) < 0.01);
    assert_true(fabs(fourth / DRAWS - 2.7) < 0.05); // the kurtosis of four uniforms: 3 - 6/(5 * 4)
}

static void the_ends_of_the_normal_are_symmetric(void **state)
{
    (void)state;
    // States whose next output is all zero and all ones: rotl(s1 * 5, 7) * 9.
    hy_random lowest = { { 1, 0, 0, 0 } };
    assert_true(fabs(hy_random_normal(&lowest) + 3.4640489) < 1e-6);
}

/// The state whose next output is `bits`: rotl(s1 * 5, 7) * 9, the other way.
static hy_random random_before(uint64_t bits)
{
    const uint64_t rotated = bits * UINT64_C(0x8e38e38e38e38e39); // over 9
    const uint64_t times5 = rotated >> 7 | rotated << 57;
    return (hy_random){ { 0, times5 * UINT64_C(0xcccccccccccccccd), 0, 0 } };
}

static void the_normal_is_a_quotient_to_the_last_bit(void **state)
{
    (void)state;
    for (uint64_t sum = 0; sum <= 4 * UINT64_C(0xffff); sum++) {
        uint64_t bits = 0, left = sum;
        for (int i = 0; i < 4; i++) {
            const uint64_t part = left < 0xffff ? left : 0xffff;
            bits = bits << 16 | part;
            left -= part;
        }
        hy_random random = random_before(bits);
        const double off_mean = (double)sum - 131070.0;
        const double quotient = off_mean / 37837.22723720648;
        const double normal[] = {
            // As it is compiled here, and as programs that allow fused multiply-adds compile the header.
            hy_random_normal(&random),
            fma(off_mean, HY_RANDOM_PER_SIGMA, off_mean * HY_RANDOM_PER_SIGMA_REST),
            fma(off_mean, HY_RANDOM_PER_SIGMA_REST, off_mean * HY_RANDOM_PER_SIGMA),
        };
        for (size_t i = 0; i < sizeof normal / sizeof normal[0]; i++) {
            if (memcmp(&quotient, &normal[i], sizeof quotient) != 0) {
                fail_msg("sum %" PRIu64 ", form %zu: %a, not %a", sum, i, normal[i], quotient);
            }
        }
    }
}

// --------------------------------------------------------------------------- hashes

static void the_hash_is_fnv_1a_of_little_endian_bytes(void **state)
{
    (void)state;
    hy_hash hash = hy_hash_start();
    assert_int_equal(hash.value, UINT64_C(0xcbf29ce484222325));
    hy_hash_u64(&hash, UINT64_C(0x3837363534333231)); // the text "12345678"
    assert_int_equal(hash.value, UINT64_C(0x173932c41a90a42d));
}

static void the_hash_of_a_double_is_that_of_its_bits(void **state)
{
    (void)state;
    hy_hash by_bits = hy_hash_start(), by_value = hy_hash_start(), negative = hy_hash_start();
    hy_hash_u64(&by_bits, UINT64_C(0x3ff8000000000000));
    hy_hash_f64(&by_value, 1.5);
    assert_int_equal(by_bits.value, by_value.value);
    by_value = hy_hash_start();
    hy_hash_f64(&by_value, 0.0);
    hy_hash_f64(&negative, -0.0);
    assert_int_not_equal(by_value.value, negative.value);
}

// --------------------------------------------------------------------------- numbers

static void clamping_knows_nan(void **state)
{
    (void)state;
    assert_true(hy_clamp(0.5, -1.0, 1.0, 0.0) == 0.5);
    assert_true(hy_clamp(-7.0, -1.0, 1.0, 0.0) == -1.0);
    assert_true(hy_clamp((double)INFINITY, -1.0, 1.0, 0.0) == 1.0);
    assert_true(hy_clamp((double)NAN, -1.0, 1.0, 0.25) == 0.25);
}

static void degrees_and_radians_are_inverse(void **state)
{
    (void)state;
    assert_true(hy_rad_from_deg(180.0) == HY_PI);
    assert_true(hy_deg_from_rad(HY_PI / 2) == 90.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_numbers_of_the_version_are_those_of_its_text),
        cmocka_unit_test(every_status_has_its_own_sentence),
        cmocka_unit_test(endpoints_differ_by_address_scope_and_port),
        cmocka_unit_test(only_all_zero_is_nobody),
        cmocka_unit_test(the_seed_is_spread_by_splitmix64),
        cmocka_unit_test(the_stream_is_xoshiro256_starstar),
        cmocka_unit_test(uniforms_fill_their_range_evenly),
        cmocka_unit_test(normals_have_their_moments_and_their_range),
        cmocka_unit_test(the_ends_of_the_normal_are_symmetric),
        cmocka_unit_test(the_normal_is_a_quotient_to_the_last_bit),
        cmocka_unit_test(the_hash_is_fnv_1a_of_little_endian_bytes),
        cmocka_unit_test(the_hash_of_a_double_is_that_of_its_bits),
        cmocka_unit_test(clamping_knows_nan),
        cmocka_unit_test(degrees_and_radians_are_inverse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
