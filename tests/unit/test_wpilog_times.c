// The times of a log's values, and which of them are outliers: few, and far from the others, wherever they stand in the file.
#include <halyard/telemetry.h>

#include <stdio.h>

#include "made_log.h"

#define S UINT64_C(1000000)

static made_log made;

static void begin(void)
{
    start_log(&made);
    start_entry(&made, 1, "a", "double");
}

static void put_at(uint64_t at_us)
{
    put_doubles(&made, 1, at_us, (const double[]){ 1 }, 1);
}

static void put_row(uint64_t from_us, uint64_t period_us, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        put_at(from_us + i * period_us);
    }
}

static hy_wpilog_times times(void)
{
    return hy_wpilog_find_times((hy_bytes){ made.bytes, made.size });
}

static void assert_times(uint64_t first_us, uint64_t last_us, uint64_t outliers)
{
    const hy_wpilog_times got = times();
    if (got.first_us != first_us || got.last_us != last_us || got.outliers != outliers) {
        fail_msg("%g s to %g s and %g outliers, not %g s to %g s and %g",
                 (double)got.first_us * 1e-6, (double)got.last_us * 1e-6, (double)got.outliers,
                 (double)first_us * 1e-6, (double)last_us * 1e-6, (double)outliers);
    }
}

static void a_wild_time_is_an_outlier_wherever_it_stands(void **state)
{
    (void)state;
    static const uint64_t wild[] = { 1000000000 * S, UINT64_MAX, UINT64_C(1) << 63, 100000 * S };
    for (size_t i = 0; i < sizeof wild / sizeof wild[0]; i++) {
        for (unsigned place = 0; place <= 100; place += 25) {
            begin();
            put_row(10 * S, S / 50, place);
            const size_t offset = made.size;
            put_at(wild[i]);
            put_row(10 * S + place * (S / 50), S / 50, 100 - place);
            assert_times(10 * S, 10 * S + 99 * (S / 50), 1);
            assert_int_equal(times().outlier_offset, offset);
        }
    }
    begin(); // before the others, as a clock that was not set yet
    put_at(0);
    put_row(1000000000 * S, S, 300);
    assert_times(1000000000 * S, 1000000299 * S, 1);
}

static void many_values_and_near_ones_are_none(void **state)
{
    (void)state;
    begin(); // a pause of two days
    put_row(0, S, 500);
    put_row(172800 * S, S, 400);
    assert_times(0, 173199 * S, 0);
    begin(); // of half an hour
    put_row(0, S, 300);
    put_at(2100 * S);
    assert_times(0, 2100 * S, 0);
    begin(); // of two hours, which is not much for a log of a day
    put_row(0, 10 * S, 8640);
    put_at(93600 * S);
    assert_times(0, 93600 * S, 0);
    begin(); // too few to say
    put_at(0);
    put_at(S);
    put_at(1000000000 * S);
    assert_times(0, 1000000000 * S, 0);
    put_at(2 * S);
    assert_times(0, 2 * S, 1);
    begin(); // what lies between two that are none is none
    put_row(0, S, 500);
    put_at(100000 * S);
    put_row(200000 * S, S, 500);
    assert_times(0, 200499 * S, 0);
}

// More than there is room for apart.
static void any_number_of_wild_times_is_counted(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(3);
    begin();
    for (unsigned i = 0; i < 20000; i++) {
        put_at(5 * S + i * 1000);
        if (i % 200 == 0) { // a hundred, of which none is near
            put_at((hy_random_bits(&random) | UINT64_C(1) << 62));
        }
    }
    assert_times(5 * S, 5 * S + 19999 * 1000, 100);
    begin(); // backwards, the first of them at the end
    for (unsigned i = 300; i-- > 0;) {
        put_at(1000000 * S + i * S);
    }
    put_at(50 * S);
    assert_times(1000000 * S, 1000299 * S, 1);
}

static void a_file_without_values_has_no_times(void **state)
{
    (void)state;
    begin();
    assert_true(times().first_us > times().last_us && times().outliers == 0);
    assert_true(hy_wpilog_is_outlier(&(hy_wpilog_times){ .first_us = 1 }, 0));
    made.size = 5; // no log
    assert_true(times().first_us > times().last_us && times().outliers == 0);
    char text[10] = "";
    const hy_wpilog_times none = times();
    hy_wpilog_describe_outliers(&none, (hy_bytes){ made.bytes, made.size }, text, sizeof text);
    assert_string_equal(text, "");
}

static void the_first_outlier_is_named(void **state)
{
    (void)state;
    char text[300] = "cut", small[20] = "cut";
    begin();
    put_row(0, S, 100);
    start_entry(&made, 2, "NT:/far", "double");
    const size_t offset = made.size;
    put_doubles(&made, 2, 1000000000 * S, (const double[]){ 1 }, 1);
    put_at(2000000000 * S);
    start_entry(&made, 2, "NT:/other", "double"); // its number is used again
    const hy_wpilog_times found = times();
    const hy_bytes file = { made.bytes, made.size };
    hy_wpilog_describe_outliers(&found, file, text, sizeof text);
    char wanted[300];
    (void)snprintf(
        wanted, sizeof wanted,
        "cut; 2 values are left out, for the others are far away, from 0.000 s to 99.000 s: "
        "the first is of 'NT:/far', at 1000000000.000 s (offset %zu)",
        offset);
    assert_string_equal(text, wanted);
    hy_wpilog_describe_outliers(&found, file, small, sizeof small);
    assert_memory_equal(small, wanted, sizeof small - 1);
}

static void a_list_of_names_ends_where_there_is_no_room(void **state)
{
    (void)state;
    for (size_t room = 4; room < 40; room++) {
        char list[40] = "";
        static const char *const names[] = { "NT:/a", "b\n", "", "ccccccccc", "dd", "e" };
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            hy_wpilog_list_name(list, room,
                                (hy_bytes){ (const uint8_t *)names[i], strlen(names[i]) });
            assert_true(strlen(list) < room);
        }
        static const char all[] = "NT:/a, b?, , ccccccccc, dd, e";
        const char *const end = strstr(list, " ..");
        const size_t size = end != NULL ? (size_t)(end - list) : strlen(list);
        assert_memory_equal(list, all, size);
        assert_true((end == NULL) == (size == strlen(all)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wild_time_is_an_outlier_wherever_it_stands),
        cmocka_unit_test(many_values_and_near_ones_are_none),
        cmocka_unit_test(any_number_of_wild_times_is_counted),
        cmocka_unit_test(a_file_without_values_has_no_times),
        cmocka_unit_test(the_first_outlier_is_named),
        cmocka_unit_test(a_list_of_names_ends_where_there_is_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
