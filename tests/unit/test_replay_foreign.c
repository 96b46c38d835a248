// Log files as pictures that Halyard did not record, or not all of: what WPILib's DataLogManager writes, and values made here byte by byte.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "made_log.h"
#include "record/record_playback.h"

#define NEAR 1e-9

static void read_log(made_log *log, const char *name)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", HALYARD_TEST_DATA, name);
    FILE *const file = fopen(path, "rb");
    assert_non_null(file);
    log->size = fread(log->bytes, 1, sizeof log->bytes, file);
    assert_true(feof(file));
    assert_int_equal(fclose(file), 0);
}

static hy_playback *open_log(const made_log *log)
{
    hy_playback *playback = NULL;
    hy_world_error error = { "" };
    if (hy_playback_open((hy_bytes){ log->bytes, log->size }, &playback, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    return playback;
}

// --------------------------------------------------------------------------- tests

static void a_file_of_wpilib_shows_its_poses(void **state)
{
    (void)state;
    static made_log log;
    read_log(&log, "golden/wpilib/datalog.wpilog");
    hy_playback *const playback = open_log(&log);
    const hy_scene *const scene = hy_playback_scene(playback);
    assert_int_equal(scene->robot_count, 2);
    assert_true(scene->floor_m[0] < 0 && scene->floor_m[2] > 11 && scene->floor_m[3] > 6);
    const char *const names[] = { scene->robots[0].name, scene->robots[1].name };
    const size_t field = strcmp(names[0], "Field/Robot") == 0 ? 0 : 1;
    assert_string_equal(names[field], "Field/Robot");
    assert_string_equal(names[1 - field], "Vision/Estimate");
    const double length_s = scene->replay->length_s;
    assert_true(length_s > 1.9 && length_s < 10);
    assert_int_equal(scene->replay->event_count, 2);
    assert_string_equal(scene->replay->events[0].kind, "enable");
    assert_string_equal(scene->replay->events[1].kind, "disable");
    // It drove an ellipse around (8.27, 4.1), its heading along it; the estimate was 0.2 m beside it.
    const hy_scene_state *const shown = hy_playback_state(playback, length_s);
    const hy_scene_robot_state *const robot = &shown->robots[field];
    const double angle = 99 * 0.06;
    assert_true(fabs(robot->x_m - (8.27 + 3 * cos(angle))) < NEAR);
    assert_true(fabs(robot->y_m - (4.1 + 2 * sin(angle))) < NEAR);
    assert_true(fabs(remainder(robot->heading_rad - angle - acos(0), 4 * acos(0))) < NEAR);
    assert_true(fabs(shown->robots[1 - field].x_m - robot->x_m - 0.2) < NEAR);
    hy_playback_close(playback);
}

static void poses_of_each_form(void **state)
{
    (void)state;
    static made_log log;
    start_log(&log);
    start_entry(&log, 1, "/A", "struct:Pose2d");
    start_entry(&log, 2, "/B", "struct:Pose3d");
    start_entry(&log, 3, "/Field/C", "double[]");
    start_entry(&log, 4, "/Motors", "double[]"); // three numbers that are no pose
    start_entry(&log, 5, "/Field/.type", "string");
    start_entry(&log, 6, "/Field/Path", "double[]"); // a trajectory
    put_doubles(&log, 1, 5000000, (const double[]){ 1, 2, 0.5 }, 3);
    put_doubles(&log, 1, 7000000, (const double[]){ 3, 2, 0.6 }, 3);
    put_doubles(&log, 2, 5000000, (const double[]){ 4, 5, 0.1, sqrt(0.5), 0, 0, sqrt(0.5) }, 7);
    put_doubles(&log, 3, 5000000, (const double[]){ 6, 7, -90 }, 3);
    put_doubles(&log, 4, 5000000, (const double[]){ 0, 0, 0 }, 3);
    put_doubles(&log, 6, 5000000, (const double[]){ 0, 0, 0, 1, 1, 1 }, 6);
    put_head(&log, 5, 7, 6000000);
    put(&log, "Field2d", 7);
    hy_playback *const playback = open_log(&log);
    const hy_scene *const scene = hy_playback_scene(playback);
    assert_int_equal(scene->robot_count, 3);
    assert_true(scene->replay->length_s == 2);
    const hy_scene_state *shown = hy_playback_state(playback, 1.999);
    assert_true(shown->robots[0].x_m == 1 && shown->robots[0].heading_rad == 0.5);
    assert_true(fabs(shown->robots[1].heading_rad - acos(0)) < NEAR && shown->robots[1].y_m == 5);
    assert_true(fabs(shown->robots[2].heading_rad + acos(0)) < NEAR && shown->robots[2].x_m == 6);
    shown = hy_playback_state(playback, 2);
    assert_true(shown->robots[0].x_m == 3 && shown->is_replay && shown->replay_s == 2);
    hy_playback_close(playback);
}

static void numbers_that_are_no_poses_are_left_out(void **state)
{
    (void)state;
    static made_log log;
    start_log(&log);
    start_entry(&log, 1, "/A", "struct:Pose2d");
    put_doubles(&log, 1, 0, (const double[]){ 1, 2, 3 }, 3);
    put_doubles(&log, 1, UINT64_MAX, (const double[]){ NAN, INFINITY, 3 }, 3);
    hy_playback *playback = open_log(&log);
    assert_true(hy_playback_state(playback, 1e300)->robots[0].x_m == 1); // its first pose
    hy_playback_close(playback);
    start_log(&log);
    start_entry(&log, 1, "/A", "struct:Pose2d");
    put_doubles(&log, 1, 0, (const double[]){ 1, 2 }, 2);
    hy_world_error error = { "" };
    assert_int_equal(hy_playback_open((hy_bytes){ log.bytes, log.size }, &playback, &error),
                     HY_EFORMAT);
    assert_non_null(strstr(error.text, "no poses"));
}

static void a_cut_file_is_shown_as_far_as_it_goes(void **state)
{
    (void)state;
    static made_log log;
    start_log(&log);
    start_entry(&log, 1, "/A", "struct:Pose2d");
    put_doubles(&log, 1, 0, (const double[]){ 1, 2, 3 }, 3);
    const size_t whole = log.size;
    put_doubles(&log, 1, 1000000, (const double[]){ 4, 5, 6 }, 3);
    for (log.size = whole + 1; log.size < whole + 41; log.size++) {
        hy_playback *const playback = open_log(&log);
        char wanted[32];
        (void)snprintf(wanted, sizeof wanted, "offset %zu", whole);
        assert_non_null(strstr(hy_playback_damage(playback), wanted));
        assert_true(hy_playback_state(playback, 9)->robots[0].x_m == 1);
        hy_playback_close(playback);
    }
}

static void a_recording_shows_what_its_robot_measured(void **state)
{
    (void)state;
    static made_log log;
    read_log(&log, "replay/xrp-square.wpilog"); // 4 s of an XRP; it drove half a metre ahead
    start_entry(&log, 1001, "NT:/Robot/Link/WatchdogTrips", "int64");
    start_entry(&log, 1002, "NT:/Robot/Lidar", "struct:Translation2d[]");
    start_entry(&log, 1003, "NT:/Robot/Servos", "double[]");
    put_doubles(&log, 1003, 0, (const double[]){ 1500, 2500, 1000, 0 }, 4);
    hy_playback *playback = open_log(&log);
    const hy_scene_state at_end = *hy_playback_state(playback, 4);
    const double x_m = at_end.robots[0].x_m, y_m = at_end.robots[0].y_m;
    hy_playback_close(playback);
    put_doubles(&log, 1002, 4000000, (const double[]){ x_m + 3, y_m + 4, x_m, y_m - 1 }, 4);
    for (uint64_t i = 0; i < 4; i++) {
        put_head(&log, 1001, 8, (4 + i) * 1000000); // behind its own values
        put_number(&log, i / 2, 8);                 // 0, 0, 1, 1
    }
    playback = open_log(&log);
    const hy_scene_robot_state *const robot = &hy_playback_state(playback, 4)->robots[0];
    const double turned = robot->heading_rad;
    assert_int_equal(robot->lidar.count, 2);
    assert_true(fabs(robot->lidar.points[0].range_m - 5) < NEAR);
    assert_true(fabs(robot->lidar.points[0].azimuth_rad - atan2(4, 3) + turned) < NEAR);
    assert_true(fabs(robot->lidar.points[1].azimuth_rad + acos(0) + turned) < NEAR);
    // The motors are mounted mirrored, and so are their encoders: what goes forward counts up all the same.
    assert_true(robot->encoder_count >= 2);
    for (size_t i = 0; i < 2; i++) { // half a metre is 1552 counts; it is at the first corner
        assert_true(fabs((double)robot->encoder_counts[i] - 1552) < 40);
    }
    assert_true(robot->servo_rad[0] == 0 && fabs(robot->servo_rad[1] - acos(0)) < NEAR);
    assert_true(fabs(robot->servo_rad[2] + acos(0) / 2) < NEAR);
    const hy_scene_replay *const replay = hy_playback_scene(playback)->replay;
    size_t trips = 0;
    for (size_t i = 0; i < replay->event_count; i++) {
        if (strcmp(replay->events[i].kind, "watchdog") == 0) {
            trips++;
            assert_true(replay->events[i].t_s == 6 && replay->events[i].robot == 1);
        }
    }
    assert_int_equal(trips, 1);
    assert_int_equal(hy_playback_state(playback, 3)->robots[0].lidar.count, 0); // none yet
    hy_playback_close(playback);
}

// One pose at a wild time at each place of the file, before and behind all others: the time line is that of the others.
static void an_outlier_does_not_stretch_the_time_line(void **state)
{
    (void)state;
    static made_log log;
    static const uint64_t times[] = { 0, 1000000000000000, UINT64_MAX, UINT64_C(1) << 62 };
    for (unsigned place = 0; place <= 20; place++) {
        for (size_t wild = 0; wild < sizeof times / sizeof times[0]; wild++) {
            start_log(&log);
            start_entry(&log, 1, "/A", "struct:Pose2d");
            for (unsigned i = 0; i <= 20; i++) {
                if (i == place) {
                    put_doubles(&log, 1, times[wild], (const double[]){ 9, 9, 0 }, 3);
                }
                if (i < 20) {
                    put_doubles(&log, 1, UINT64_C(20000000000) + i * 100000,
                                (const double[]){ i, 0, 0 }, 3);
                }
            }
            hy_playback *const playback = open_log(&log);
            const hy_scene *const scene = hy_playback_scene(playback);
            assert_true(fabs(scene->replay->length_s - 1.9) < NEAR);
            assert_true(scene->replay->outliers == 1);
            assert_true(fabs(hy_playback_start_s(playback) - 20000) < NEAR);
            assert_true(scene->floor_m[2] < 22 && scene->floor_m[3] < 3);
            for (unsigned i = 0; i < 20; i++) {
                const hy_scene_state *const shown = hy_playback_state(playback, 0.1 * i + 0.05);
                assert_true(shown->robots[0].x_m == i);
            }
            char wanted[80];
            (void)snprintf(wanted, sizeof wanted, "the first is of '/A', at %.3f s",
                           (double)times[wild] * 1e-6);
            assert_non_null(strstr(hy_playback_damage(playback), wanted));
            assert_non_null(strstr(hy_playback_damage(playback), "1 value is left out"));
            hy_playback_close(playback);
        }
    }
}

static void a_record_that_cannot_be_read_is_skipped(void **state)
{
    (void)state;
    static made_log log;
    start_log(&log);
    start_entry(&log, 1, "/A", "struct:Pose2d");
    put_doubles(&log, 1, 0, (const double[]){ 1, 2, 3 }, 3);
    put_head(&log, 0, 3, 0);
    put(&log, "abc", 3);
    put_doubles(&log, 1, 1000000, (const double[]){ 4, 5, 6 }, 3);
    hy_playback *const playback = open_log(&log);
    assert_true(hy_playback_state(playback, 9)->robots[0].x_m == 4);
    assert_non_null(strstr(hy_playback_damage(playback), "1 record cannot be read and is skipped"));
    hy_playback_close(playback);
}

static size_t count_events(const hy_scene_replay *replay, const char *kind, double from_s,
                           double to_s)
{
    size_t count = 0;
    for (size_t i = 0; i < replay->event_count; i++) {
        const hy_scene_event *const event = &replay->events[i];
        count += strcmp(event->kind, kind) == 0 && event->t_s >= from_s && event->t_s < to_s ? 1 : 0;
        assert_true(i == 0 || event->t_s >= replay->events[i - 1].t_s);
    }
    return count;
}

static void hundreds_of_contacts_leave_room_for_what_is_rare(void **state)
{
    (void)state;
    enum { CONTACTS = 3000, EVERY = 50 };
    static made_log log;
    read_log(&log, "replay/xrp-square.wpilog");
    start_entry(&log, 1001, "NT:/Robot/Link/WatchdogTrips", "int64");
    start_entry(&log, 1002, "NT:/Robot/Touching", "boolean");
    hy_playback *playback = open_log(&log);
    const size_t before = hy_playback_scene(playback)->replay->event_count;
    hy_playback_close(playback);
    for (uint64_t i = 0; i < CONTACTS; i++) {
        for (uint64_t k = 0; k < 2; k++) { // touches for half a second, then not
            put_head(&log, 1002, 1, (8 + 2 * i + k) * 500000);
            put_number(&log, 1 - k, 1);
        }
        if (i % EVERY == 0) {
            put_head(&log, 1001, 8, (9 + 2 * i) * 500000);
            put_number(&log, i / EVERY + 1, 8);
        }
    }
    playback = open_log(&log);
    const hy_scene_replay *const replay = hy_playback_scene(playback)->replay;
    assert_true(replay->event_count <= HY_SCENE_EVENTS);
    assert_int_equal(replay->event_count + replay->left_out, before + CONTACTS + CONTACTS / EVERY);
    assert_int_equal(count_events(replay, "watchdog", 0, 1e9), CONTACTS / EVERY);
    assert_int_equal(count_events(replay, "enable", 0, 4), 1);
    // From the begin to the end, and evenly.
    const size_t tenth = count_events(replay, "contact", 4, 4 + CONTACTS / 10);
    assert_true(tenth >= 15);
    for (int i = 1; i < 10; i++) {
        const double from_s = 4 + i * (CONTACTS / 10);
        const size_t others = count_events(replay, "contact", from_s, from_s + CONTACTS / 10);
        assert_true(others <= tenth + 1 && tenth <= others + 1);
    }
    hy_playback_close(playback);
}

static void a_log_of_a_later_format_is_refused_with_its_reason(void **state)
{
    (void)state;
    static const uint8_t later[] = "WPILOG\0\2\0\0\0\0";
    hy_playback *playback = NULL;
    hy_world_error error = { "" };
    assert_int_equal(hy_playback_open((hy_bytes){ later, 12 }, &playback, &error), HY_EFORMAT);
    assert_null(playback);
    assert_string_equal(error.text, "it is no log file (WPILOG): the file's version is not 1.0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_of_wpilib_shows_its_poses),
        cmocka_unit_test(poses_of_each_form),
        cmocka_unit_test(numbers_that_are_no_poses_are_left_out),
        cmocka_unit_test(a_cut_file_is_shown_as_far_as_it_goes),
        cmocka_unit_test(an_outlier_does_not_stretch_the_time_line),
        cmocka_unit_test(a_record_that_cannot_be_read_is_skipped),
        cmocka_unit_test(a_recording_shows_what_its_robot_measured),
        cmocka_unit_test(hundreds_of_contacts_leave_room_for_what_is_rare),
        cmocka_unit_test(a_log_of_a_later_format_is_refused_with_its_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
