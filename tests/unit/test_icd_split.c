// Lidar points that need several messages: each message is a whole one, and no point is lost or doubled.
#include <halyard/icd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"

#define SWEEP 800

static hy_icd_reader *reader;
static hy_icd_lidar_point points[6][SWEEP];

// Points that say where they belong: vehicle in the elevation, number in the azimuth.
static int fill(void **state)
{
    (void)state;
    for (size_t v = 0; v < 6; v++) {
        for (size_t i = 0; i < SWEEP; i++) {
            const double range_m = i % 10 == 3 ? -1 : 0.75 + (double)(i * 7 % 113) / 10;
            points[v][i] =
                (hy_icd_lidar_point){ (double)i / 128, v == 0 ? 0 : (double)v / 8, range_m };
        }
    }
    reader = hy_icd_reader_open();
    return reader == NULL;
}

static int end(void **state)
{
    (void)state;
    hy_icd_reader_close(reader);
    return 0;
}

static hy_icd_match match_with(const size_t counts[6])
{
    hy_icd_match match = { .blue_score = 2, .timer_s = 100.5, .vehicle_count = 6, .piece_count = 20 };
    for (size_t v = 0; v < 6; v++) {
        snprintf(match.vehicle[v].team, sizeof match.vehicle[v].team, "%zu", 3260 + v);
        match.vehicle[v].x_m = (double)v;
        match.vehicle[v].lidar = (hy_icd_lidar){ points[v], counts[v] };
    }
    for (size_t i = 0; i < 20; i++) {
        match.piece[i].x_m = (double)i;
    }
    return match;
}

// Everything but the points is the same.
static void assert_whole(const hy_icd_match *part, const hy_icd_match *match)
{
    assert_int_equal(part->blue_score, match->blue_score);
    assert_true(part->timer_s == match->timer_s);
    assert_int_equal(part->vehicle_count, match->vehicle_count);
    for (size_t v = 0; v < match->vehicle_count; v++) {
        assert_string_equal(part->vehicle[v].team, match->vehicle[v].team);
        assert_true(part->vehicle[v].x_m == match->vehicle[v].x_m);
    }
    assert_int_equal(part->piece_count, match->piece_count);
    assert_true(part->piece[19].x_m == match->piece[19].x_m);
}

// The points of `part` come next after those that `had` has.
static void assert_next(const hy_icd_match *part, const hy_icd_match *match, size_t had[6])
{
    for (size_t v = 0; v < 6; v++) {
        const hy_icd_lidar *const lidar = &part->vehicle[v].lidar;
        for (size_t i = 0; i < lidar->count; i++, had[v]++) {
            assert_true(had[v] < match->vehicle[v].lidar.count);
            const hy_icd_lidar_point *const expected = &match->vehicle[v].lidar.points[had[v]];
            const double off = lidar->points[i].azimuth_rad - expected->azimuth_rad;
            assert_true(off > -1e-6 && off < 1e-6);
            assert_true(lidar->points[i].elevation_rad == expected->elevation_rad);
            assert_true(lidar->points[i].range_m == expected->range_m);
        }
    }
}

// Sends `match` in messages of at most `size` bytes; returns how many, 0 if it cannot be.
static size_t send_in(const hy_icd_match *match, hy_icd_form form, size_t size)
{
    uint8_t *const text = malloc(size + 1);
    assert_non_null(text);
    const size_t all = hy_icd_match_points(match);
    size_t from = 0, messages = 0, had[6] = { 0 };
    do {
        const size_t before = from;
        text[size] = 0xEE;
        const size_t written = hy_icd_write_match(match, form, &from, (hy_room){ text, size });
        assert_int_equal(text[size], 0xEE);
        if (written == 0) {
            assert_int_equal(from, before);
            free(text);
            return 0;
        }
        hy_icd_match part;
        assert_int_equal(hy_icd_read_match(reader, (hy_bytes){ text, written }, &part), HY_OK);
        assert_whole(&part, match);
        assert_next(&part, match, had);
        assert_int_equal(hy_icd_match_points(&part), from - before);
        assert_true(from > before || all == 0);
        messages++;
    } while (from < all);
    for (size_t v = 0; v < 6; v++) {
        assert_int_equal(had[v], match->vehicle[v].lidar.count);
    }
    free(text);
    return messages;
}

static void two_sweeps_take_two_messages(void **state)
{
    (void)state;
    const hy_icd_match match = match_with((const size_t[6]){ SWEEP, SWEEP });
    assert_int_equal(send_in(&match, HY_ICD_DOCUMENT, HY_ICD_MESSAGE_MAX), 2);
    assert_int_equal(send_in(&match, HY_ICD_LATER, HY_ICD_MESSAGE_MAX), 1);
}

static void one_sweep_takes_one_message(void **state)
{
    (void)state;
    const hy_icd_match match = match_with((const size_t[6]){ 0, 0, SWEEP });
    assert_int_equal(send_in(&match, HY_ICD_DOCUMENT, HY_ICD_MESSAGE_MAX), 1);
}

static void six_lidars_take_what_they_need(void **state)
{
    (void)state;
    const hy_icd_match match =
        match_with((const size_t[6]){ SWEEP, SWEEP, SWEEP, SWEEP, SWEEP, SWEEP });
    assert_in_range(send_in(&match, HY_ICD_DOCUMENT, HY_ICD_MESSAGE_MAX), 4, 6);
    assert_in_range(send_in(&match, HY_ICD_LATER, HY_ICD_MESSAGE_MAX), 2, 3);
}

static void no_points_still_take_a_message(void **state)
{
    (void)state;
    const hy_icd_match match = match_with((const size_t[6]){ 0 });
    assert_int_equal(send_in(&match, HY_ICD_DOCUMENT, HY_ICD_MESSAGE_MAX), 1);
}

static void rooms_of_any_size(void **state)
{
    (void)state;
    const hy_icd_match match = match_with((const size_t[6]){ 40, 0, 7, 1, 0, 25 });
    for (hy_icd_form form = HY_ICD_DOCUMENT; form <= HY_ICD_LATER; form++) {
        size_t smallest = 0, last = SIZE_MAX;
        for (size_t size = 0; size < 7000; size += smallest == 0 ? 1 : 37) {
            const size_t messages = send_in(&match, form, size);
            if (messages > 0) {
                smallest = smallest == 0 ? size : smallest;
                assert_true(messages <= last); // more room never takes more messages
                last = messages;
            } else {
                assert_int_equal(smallest, 0);
            }
        }
        assert_in_range(smallest, 2000, 4000);
        assert_int_equal(last, 1);
    }
}

// With the room for exactly one point more, one goes out; with a byte less, none.
static void every_byte_of_the_room_is_used(void **state)
{
    (void)state;
    static uint8_t text[HY_ICD_MESSAGE_MAX];
    const hy_icd_sensors sensors = { .lidar = { points[0], 5 } };
    for (hy_icd_form form = HY_ICD_DOCUMENT; form <= HY_ICD_LATER; form++) {
        size_t sizes[6];
        for (size_t n = 0; n <= 5; n++) {
            const hy_icd_sensors some = { .lidar = { points[0], n } };
            size_t from = 0;
            sizes[n] = hy_icd_write_sensors(&some, form, &from, (hy_room){ text, sizeof text });
        }
        for (size_t n = 1; n <= 5; n++) {
            size_t from = 0;
            assert_int_equal(
                hy_icd_write_sensors(&sensors, form, &from, (hy_room){ text, sizes[n] }), sizes[n]);
            assert_int_equal(from, n);
            from = 0;
            assert_int_equal(
                hy_icd_write_sensors(&sensors, form, &from, (hy_room){ text, sizes[n] - 1 }),
                n == 1 ? 0 : sizes[n - 1]);
            assert_int_equal(from, n - 1);
        }
    }
}

static void beyond_the_last_point_there_are_none(void **state)
{
    (void)state;
    static uint8_t text[HY_ICD_MESSAGE_MAX];
    const hy_icd_sensors sensors = { .lidar = { points[0], 5 } };
    for (size_t start = 5; start < 8; start++) {
        size_t from = start;
        const size_t size =
            hy_icd_write_sensors(&sensors, HY_ICD_LATER, &from, (hy_room){ text, sizeof text });
        hy_icd_sensors again;
        assert_int_equal(hy_icd_read_sensors(reader, (hy_bytes){ text, size }, &again), HY_OK);
        assert_int_equal(again.lidar.count, 0);
        assert_int_equal(from, start);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_sweeps_take_two_messages),
        cmocka_unit_test(one_sweep_takes_one_message),
        cmocka_unit_test(six_lidars_take_what_they_need),
        cmocka_unit_test(no_points_still_take_a_message),
        cmocka_unit_test(rooms_of_any_size),
        cmocka_unit_test(every_byte_of_the_room_is_used),
        cmocka_unit_test(beyond_the_last_point_there_are_none),
    };
    return cmocka_run_group_tests_name("icd splitting", tests, fill, end);
}
