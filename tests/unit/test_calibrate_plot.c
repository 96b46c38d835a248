// Plots of a calibration: phases of the script, what the calibrated robot shows at each status, and the picture of both.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../apps/robot/calibrate.h"
#include "../support/calibrate_bench.h"
#include "cmocka_all.h"
#include "near.h"

static hy_calibration_log recording; // 300 kB
static hy_calibration_status fitted[HY_CALIBRATION_LOG];
static hy_calibration result;

static int calibrate_one(void **state)
{
    (void)state;
    hy_robot_traits hidden;
    calibrate_hide(&hidden, 5);
    calibrate_record(&recording, &hidden, 5);
    return hy_calibrate(&recording, 0, &result) == HY_OK ? 0 : -1;
}

// --------------------------------------------------------------------------- phases

static void test_phases_of_the_script(void **state)
{
    (void)state;
    static const char *const names[] = { "steps", "pivots", "single wheels",
                                         "ramps", "turns",  "curves" };
    hy_calibration_phase phases[HY_CALIBRATION_PHASES];
    assert_int_equal(hy_calibration_phases(&recording, phases), 6);
    size_t next = 0;
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(phases[i].what, names[i]);
        assert_int_equal(phases[i].first, next);
        next += phases[i].count;
        assert_true(phases[i].from_s == (i == 0 ? 0 : phases[i - 1].to_s));
    }
    assert_int_equal(next, recording.status_count);
    assert_near(phases[5].to_s, hy_calibration_script_s(), 1e-9);
    hy_calibration_log *const cut = malloc(sizeof *cut);
    assert_non_null(cut);
    *cut = recording;
    cut->status_count = 400; // 20 s
    assert_int_equal(hy_calibration_phases(cut, phases), 2);
    *cut = recording;
    cut->commands[cut->command_count / 2].effort[0] += 0.05; // of another program
    assert_int_equal(hy_calibration_phases(cut, phases), 4);
    assert_string_equal(phases[3].what, "recording");
    assert_near(phases[3].from_s, 45, 0);
    cut->command_count = 0;
    assert_int_equal(hy_calibration_phases(cut, phases), 0);
    free(cut);
}

// --------------------------------------------------------------------------- what the calibrated robot shows

static double counts_rms(const hy_calibration *of)
{
    double sum = 0;
    assert_int_equal(hy_calibration_fitted(&recording, of, fitted), HY_OK);
    for (size_t i = 0; i < recording.status_count; i++) {
        for (size_t side = 0; side < 2; side++) {
            const double off = fitted[i].counts[side] - recording.statuses[i].counts[side];
            sum += off * off / 2;
        }
        assert_int_equal(fitted[i].at_us, recording.statuses[i].at_us);
    }
    return sqrt(sum / (double)recording.status_count);
}

static void test_what_the_calibrated_robot_shows(void **state)
{
    (void)state;
    assert_near(counts_rms(&result), result.counts_rms, 1e-6);
    hy_calibration other = result;
    hy_robot_traits_ideal(&other.traits);
    assert_true(counts_rms(&other) > 5 * result.counts_rms);
}

// --------------------------------------------------------------------------- the picture

static char *draw(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const to = open_memstream(&text, &size);
    assert_non_null(to);
    assert_true(calibrate_plot(to, &recording, &result));
    fclose(to);
    assert_non_null(text);
    return text;
}

// The points of the next line of that class, `*count` of them; `*at` behind it.
static bool next_line(const char **at, const char *class, double points[][2], size_t *count)
{
    char start[64];
    snprintf(start, sizeof start, "<polyline class=\"%s\"", class);
    const char *line = strstr(*at, start);
    if (line == NULL) {
        return false;
    }
    line = strstr(line, "points=\"");
    assert_non_null(line);
    line += strlen("points=\"");
    for (*count = 0; *line != '"'; ++*count) {
        char *end;
        points[*count][0] = strtod(line, &end);
        assert_true(*end == ',');
        points[*count][1] = strtod(end + 1, &end);
        assert_true(end > line);
        line = *end == ' ' ? end + 1 : end;
    }
    *at = line;
    return true;
}

// Six phases, each with two wheels and a heading. Fitted and measured lines lie on one another, but for the ramps.
static void test_lines_of_the_picture(void **state)
{
    (void)state;
    enum { LINES = 18 };
    static double measured[HY_CALIBRATION_LOG][2], fit[HY_CALIBRATION_LOG][2];
    char *const text = draw();
    const char *one = text, *two = text, *three = text;
    hy_calibration_phase phases[HY_CALIBRATION_PHASES];
    size_t lines = 0, count = 0, same = 0;
    (void)hy_calibration_phases(&recording, phases);
    while (next_line(&one, "measured", measured, &count)) {
        const hy_calibration_phase *const phase = &phases[lines / 3];
        assert_int_equal(count, phase->count);
        assert_true(next_line(&two, "fitted", fit, &same));
        assert_int_equal(same, count);
        double lowest = 1e9, highest = 0;
        for (size_t i = 0; i < count; i++) {
            assert_near(measured[i][0], fit[i][0], 0);
            assert_true(measured[i][0] > 0 && measured[i][0] < 1140);
            assert_true(i == 0 || measured[i][0] >= measured[i - 1][0]);
            assert_true(strcmp(phase->what, "ramps") == 0 || fabs(measured[i][1] - fit[i][1]) < 20);
            lowest = fmin(lowest, measured[i][1]);
            highest = fmax(highest, measured[i][1]);
        }
        assert_true(highest > lowest + 20); // it moved, and its axis fits
        assert_true(highest < lowest + 150);
        assert_true(next_line(&three, "off", fit, &same) && same == count);
        lines++;
    }
    assert_int_equal(lines, LINES);
    free(text);
}

static size_t count_of(const char *text, const char *what)
{
    size_t count = 0;
    for (const char *at = strstr(text, what); at != NULL; at = strstr(at + 1, what)) {
        count++;
    }
    return count;
}

static void test_the_name_is_text(void **state)
{
    (void)state;
    snprintf(result.traits.name, sizeof result.traits.name, "a<b & c>");
    char *const text = draw();
    assert_non_null(strstr(text, "Calibration of a&lt;b &amp; c&gt;<"));
    assert_int_equal(count_of(text, "<text"), count_of(text, "</text>"));
    assert_string_equal(text + strlen(text) - strlen("</svg>\n"), "</svg>\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_phases_of_the_script),
        cmocka_unit_test(test_what_the_calibrated_robot_shows),
        cmocka_unit_test(test_lines_of_the_picture),
        cmocka_unit_test(test_the_name_is_text),
    };
    return cmocka_run_group_tests(tests, calibrate_one, NULL);
}
