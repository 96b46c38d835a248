// Phantoms: the gap to a recorded run is that of its recorded times, laps are counted, and files that do not fit are refused.
#include <halyard/telemetry.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/record/laps.h"
#include "cmocka_all.h"
#include "record/record_phantoms.h"
#include "record/record_playback.h"

#define STEP_S    0.01
#define SIZE_MOST (4 << 20)
#define ENABLED_S 5.0 // of the living robot's clock
#define NEAR_S    0.021
#define MOVES_M \
    0.02 // from here on a robot that drives is where its recording says, not just nearest to it
#define LAP_RADIUS 0.5
#define STEPS      1000

#define assert_near(value, expected, most) assert_true(fabs((value) - (expected)) <= (most))

typedef struct {
    uint8_t *bytes;
    hy_bytes file;
    hy_playback *playback;
    const hy_scene *scene;
    double start_s;         // of its run
    double driven_m[STEPS]; // every 20 ms from there
} recording;

static recording load(const char *name)
{
    recording out = { .bytes = malloc(SIZE_MOST) };
    char path[600];
    (void)snprintf(path, sizeof path, "%s/replay/%s.wpilog", HALYARD_TEST_DATA, name);
    FILE *const file = fopen(path, "rb");
    assert_non_null(out.bytes);
    assert_non_null(file);
    out.file = (hy_bytes){ out.bytes, fread(out.bytes, 1, SIZE_MOST, file) };
    (void)fclose(file);
    hy_world_error error;
    assert_int_equal(hy_playback_open(out.file, &out.playback, &error), HY_OK);
    out.scene = hy_playback_scene(out.playback);
    for (size_t i = out.scene->replay->event_count; i-- > 0;) {
        if (strcmp(out.scene->replay->events[i].kind, "enable") == 0) {
            out.start_s = out.scene->replay->events[i].t_s;
        }
    }
    return out;
}

// A robot that stands for so many steps of 20 ms, drives 1.2 m ahead and, two millimetres aside, back: in a log without a simulation.
static recording make_there_and_back(int stands)
{
    recording out = { .bytes = malloc(SIZE_MOST) };
    hy_telemetry *telemetry;
    hy_wpilog *log;
    hy_world_error error;
    const hy_wpilog_options options = { .room = 1 << 20 };
    const hy_channel_spec spec = { .name = "/Pose",
                                   .kind = HY_CHANNEL_STRUCT,
                                   .type = &hy_struct_pose2d };
    assert_non_null(out.bytes);
    assert_int_equal(hy_telemetry_open(&telemetry), HY_OK);
    assert_int_equal(hy_wpilog_open(&options, &log), HY_OK);
    assert_int_equal(hy_telemetry_attach(telemetry, hy_wpilog_sink(log)), HY_OK);
    const hy_channel pose = hy_telemetry_declare(telemetry, &spec);
    for (int step = 0; step <= stands + 300; step++) {
        const int i = step > stands ? step - stands : 0;
        const hy_telemetry_pose2d at = { 0.008 * (i <= 150 ? i : 300 - i), i <= 150 ? 0.0 : 0.002,
                                         0.0 };
        hy_telemetry_set_time(telemetry, (uint64_t)step * 20000);
        hy_telemetry_put_struct(telemetry, pose, &at);
    }
    out.file.data = out.bytes;
    for (hy_bytes part; (part = hy_wpilog_peek(log)).size > 0;) {
        assert_true(out.file.size + part.size <= SIZE_MOST);
        memcpy(out.bytes + out.file.size, part.data, part.size);
        out.file.size += part.size;
        hy_wpilog_consume(log, part.size);
    }
    hy_telemetry_close(telemetry);
    hy_wpilog_close(log);
    assert_int_equal(hy_playback_open(out.file, &out.playback, &error), HY_OK);
    out.scene = hy_playback_scene(out.playback);
    return out;
}

static void unload(recording *self)
{
    hy_playback_close(self->playback);
    free(self->bytes);
}

static hy_phantoms *race_against(const recording *other)
{
    hy_phantoms *phantoms;
    hy_world_error error = { "" };
    assert_int_equal(hy_phantoms_open(&phantoms), HY_OK);
    assert_int_equal(hy_phantoms_add(phantoms, "other", other->file, other->scene, &error), HY_OK);
    assert_string_equal(error.text, "");
    return phantoms;
}

// The living robot where the recorded one was `run_s` after its start.
static hy_phantoms_living living_at(const recording *of, double t_s, double run_s)
{
    const hy_scene_state *const state =
        hy_playback_state(of->playback, of->start_s + (run_s > 0.0 ? run_s : 0.0));
    const hy_scene_robot_state *const robot = &state->robots[0];
    return (hy_phantoms_living){ t_s, robot->x_m, robot->y_m, robot->heading_rad, t_s >= ENABLED_S };
}

static void measure(recording *self)
{
    hy_phantoms_living last = living_at(self, 0.0, 0.0);
    for (int i = 1; i < STEPS; i++) {
        const hy_phantoms_living now = living_at(self, 0.0, i * 0.02);
        self->driven_m[i] = self->driven_m[i - 1] + hypot(now.x_m - last.x_m, now.y_m - last.y_m);
        last = now;
    }
}

static double driven_until(const recording *of, double run_s)
{
    const int step = run_s > 0.0 ? (int)(run_s / 0.02) : 0;
    const double share = run_s > 0.0 ? run_s / 0.02 - step : 0.0;
    return of->driven_m[step] + share * (of->driven_m[step + 1] - of->driven_m[step]);
}

// Drives the recorded run again, `late_s` later and `pace` times as fast, and compares the gap at every step.
static void check_race(const recording *of, double late_s, double pace)
{
    hy_phantoms *const phantoms = race_against(of);
    const double length_s = of->scene->replay->length_s - of->start_s;
    size_t compared = 0;
    for (int i = 0; (double)i * STEP_S < ENABLED_S + length_s; i++) {
        const double t_s = (double)i * STEP_S, run_s = t_s - ENABLED_S;
        const double same_s = fmax(run_s - late_s, 0.0) * pace; // when the phantom was there
        if (same_s > length_s - 0.05) {
            break;
        }
        const hy_phantoms_living living = living_at(of, t_s, same_s);
        hy_phantoms_move(phantoms, &living);
        hy_scene_state state = { .t_s = 0.0 };
        hy_phantoms_put(phantoms, &state);
        assert_int_equal(state.has_run, run_s >= -1e-9);
        if (state.has_run && driven_until(of, same_s) > MOVES_M) {
            assert_true(state.phantoms[0].has_gap);
            if (fabs(state.phantoms[0].gap_s - (run_s - same_s)) > NEAR_S) {
                fail_msg("after %.2f s: gap %.4f s instead of %.4f s", run_s,
                         state.phantoms[0].gap_s, run_s - same_s);
            }
            const double gap_m = driven_until(of, fmin(run_s, length_s)) - driven_until(of, same_s);
            assert_near(state.phantoms[0].gap_m, gap_m, 0.02);
            compared++;
        }
    }
    assert_true(compared > 50);
    hy_phantoms_close(phantoms);
}

static void the_gap_is_that_of_the_recorded_times(void **state)
{
    (void)state;
    recording line = load("xrp-line");
    measure(&line);
    check_race(&line, 0.0, 1.0);
    check_race(&line, 0.7, 1.0);
    check_race(&line, 0.0, 1.25);
    check_race(&line, 0.3, 0.8);
    unload(&line);
}

static void a_way_back_over_the_same_floor_is_not_taken_for_the_way_there(void **state)
{
    (void)state;
    recording both = make_there_and_back(0);
    hy_phantoms *const phantoms = race_against(&both);
    for (int i = 0; i < 320; i++) {
        const double run_s = i * 0.02, same_s = fmax(run_s - 0.4, 0.0);
        hy_phantoms_living living = living_at(&both, ENABLED_S + run_s, same_s);
        living.y_m = same_s < 3.0 ? 0.002 : 0.0; // each time nearer to the other way
        hy_phantoms_move(phantoms, &living);
        hy_scene_state shown = { .t_s = 0.0 };
        hy_phantoms_put(phantoms, &shown);
        assert_true(shown.phantoms[0].has_gap);
        if (run_s > 0.5 && fabs(same_s - 3.0) > 0.3) {
            assert_near(shown.phantoms[0].gap_s, 0.4, NEAR_S);
        }
    }
    hy_phantoms_close(phantoms);
    unload(&both);
}

static void who_waits_beside_a_phantom_that_waits_is_not_behind_it(void **state)
{
    (void)state;
    recording waits = make_there_and_back(100);
    hy_phantoms *const phantoms = race_against(&waits);
    for (int i = 0; i < 150; i++) { // the phantom drives off after 2 s
        const double run_s = i * 0.02;
        const hy_phantoms_living living = living_at(&waits, ENABLED_S + run_s, 0.0);
        hy_phantoms_move(phantoms, &living);
        hy_scene_state shown = { .t_s = 0.0 };
        hy_phantoms_put(phantoms, &shown);
        assert_true(shown.phantoms[0].has_gap);
        assert_near(shown.phantoms[0].gap_s, fmax(run_s - 2.0, 0.0), NEAR_S);
    }
    hy_phantoms_close(phantoms);
    unload(&waits);
}

static void splits_keep_the_gap_at_each_quarter(void **state)
{
    (void)state;
    recording line = load("xrp-line");
    hy_phantoms *const phantoms = race_against(&line);
    const double length_s = line.scene->replay->length_s - line.start_s;
    hy_scene_state shown = { .t_s = 0.0 };
    for (double t_s = ENABLED_S - 1.0; t_s < ENABLED_S + length_s + 0.5; t_s += STEP_S) {
        const hy_phantoms_living living = living_at(&line, t_s, t_s - ENABLED_S - 0.4);
        hy_phantoms_move(phantoms, &living);
        hy_phantoms_put(phantoms, &shown);
    }
    assert_true(shown.phantoms[0].splits >= 3);
    assert_near(shown.phantoms[0].split_gap_s, 0.4, NEAR_S);
    hy_phantoms_close(phantoms);
    unload(&line);
}

static void a_robot_that_was_put_back_starts_anew(void **state)
{
    (void)state;
    recording line = load("xrp-line");
    hy_phantoms *const phantoms = race_against(&line);
    hy_scene_state shown = { .t_s = 0.0 };
    hy_phantoms_living living = living_at(&line, ENABLED_S, 0.0);
    hy_phantoms_move(phantoms, &living);
    living = living_at(&line, ENABLED_S + 2.0, 0.0);
    hy_phantoms_move(phantoms, &living);
    hy_phantoms_put(phantoms, &shown);
    assert_near(shown.run_s, 2.0, 1e-9);
    living.t_s += 0.5; // half a second without being enabled is no end
    living.is_running = false;
    hy_phantoms_move(phantoms, &living);
    living.t_s += 0.5;
    living.is_running = true;
    hy_phantoms_move(phantoms, &living);
    hy_phantoms_put(phantoms, &shown);
    assert_near(shown.run_s, 3.0, 1e-9);
    living.x_m += 0.4; // it was put somewhere else
    living.t_s += 0.1;
    hy_phantoms_move(phantoms, &living);
    hy_phantoms_put(phantoms, &shown);
    assert_true(shown.has_run);
    assert_near(shown.run_s, 0.0, 1e-9);
    living.is_running = false;
    living.t_s += 0.1;
    hy_phantoms_move(phantoms, &living);
    living.is_running = true;
    living.t_s += 1.5;
    hy_phantoms_move(phantoms, &living);
    hy_phantoms_put(phantoms, &shown);
    assert_near(shown.run_s, 0.0, 1e-9); // a longer interruption is
    hy_phantoms_close(phantoms);
    unload(&line);
}

static void laps_are_counted_where_the_robot_started(void **state)
{
    (void)state;
    static lap_counter laps;
    // A circle of 6.28 s a lap, from its lowest point on, counter-clockwise.
    const hy_phantoms_living start = { 1.0, 0.0, -LAP_RADIUS, 0.0, true };
    lap_counter_start(&laps, &start, 0.25);
    for (double t_s = 0.0; t_s < 2.5 * 2.0 * HY_PI; t_s += 0.0123) {
        lap_counter_move(&laps, &(hy_phantoms_living){ 1.0 + t_s, LAP_RADIUS * sin(t_s),
                                                       -LAP_RADIUS * cos(t_s), t_s, true });
    }
    assert_int_equal(laps.count, 2);
    assert_near(laps.laps_s[0], 2.0 * HY_PI, 1e-3);
    assert_near(laps.laps_s[1], 2.0 * HY_PI, 1e-3);
    lap_counter_start(&laps, &start, 0.25); // to and fro over the line is no lap
    for (double t_s = 0.0; t_s < 20.0; t_s += 0.01) {
        lap_counter_move(&laps, &(hy_phantoms_living){ 1.0 + t_s, 0.2 * sin(5.0 * t_s), -LAP_RADIUS,
                                                       0.0, true });
    }
    assert_true(laps.count <= 20); // one for every metre that it drove at most
}

static void files_that_do_not_fit(void **state)
{
    (void)state;
    recording line = load("xrp-line"), other = load("xrp-wall");
    hy_phantoms *phantoms;
    hy_world_error error;
    assert_int_equal(hy_phantoms_open(&phantoms), HY_OK);
    assert_int_equal(hy_phantoms_add(phantoms, "x", other.file, line.scene, &error), HY_ERANGE);
    assert_non_null(strstr(error.text, line.scene->title));
    assert_non_null(strstr(error.text, other.scene->title));
    static const uint8_t foreign[] = { 'W', 'P', 'I', 'L', 'O', 'G', 0, 1, 0, 0, 0, 0 };
    assert_int_equal(
        hy_phantoms_add(phantoms, "x", (hy_bytes){ foreign, sizeof foreign }, line.scene, &error),
        HY_EFORMAT);
    const hy_bytes cut = { line.bytes, line.file.size * 2 / 3 };
    assert_int_equal(hy_phantoms_add(phantoms, "cut", cut, line.scene, &error), HY_OK);
    assert_non_null(strstr(error.text, "offset"));
    hy_scene scene = *line.scene;
    assert_int_equal(hy_phantoms_add(phantoms, "y", line.file, line.scene, &error), HY_OK);
    // Each is simulated from its beginning to its end: of these the beginning is enough.
    const hy_bytes beginning = { line.bytes, line.file.size / 4 };
    for (int i = 2; i < HY_PHANTOMS_MAX; i++) {
        assert_int_equal(hy_phantoms_add(phantoms, "x", beginning, line.scene, &error), HY_OK);
    }
    assert_int_equal(hy_phantoms_add(phantoms, "z", line.file, line.scene, &error), HY_EFULL);
    hy_phantoms_show(phantoms, &scene);
    assert_int_equal(scene.phantom_count, HY_PHANTOMS_MAX);
    assert_string_equal(scene.phantoms[0].name, "cut");
    assert_int_equal(scene.phantoms[0].look, 1);
    assert_true(scene.phantoms[0].length_s < scene.phantoms[1].length_s);
    assert_true(scene.phantoms[1].driven_m > 0.3);
    hy_phantoms_close(phantoms);
    hy_phantoms_close(NULL);
    unload(&line);
    unload(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gap_is_that_of_the_recorded_times),
        cmocka_unit_test(a_way_back_over_the_same_floor_is_not_taken_for_the_way_there),
        cmocka_unit_test(who_waits_beside_a_phantom_that_waits_is_not_behind_it),
        cmocka_unit_test(splits_keep_the_gap_at_each_quarter),
        cmocka_unit_test(a_robot_that_was_put_back_starts_anew),
        cmocka_unit_test(laps_are_counted_where_the_robot_started),
        cmocka_unit_test(files_that_do_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
