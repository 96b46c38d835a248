// Numbers of a log file over time: which there are, and their values, fewer of them on demand.
#include <halyard/telemetry.h>

#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "record/record_series.h"

#define VALUES 5000

typedef struct {
    hy_telemetry *telemetry;
    hy_wpilog *log;
    uint8_t bytes[1 << 20];
    size_t size;
} recorder;

static hy_channel declare(recorder *self, const char *name, hy_channel_kind kind,
                          const hy_struct_type *type)
{
    const hy_channel_spec spec = { .name = name, .kind = kind, .type = type };
    return hy_telemetry_declare(self->telemetry, &spec);
}

static void start(recorder *self)
{
    const hy_wpilog_options options = { .room = 1 << 20 };
    self->size = 0;
    assert_int_equal(hy_telemetry_open(&self->telemetry), HY_OK);
    assert_int_equal(hy_wpilog_open(&options, &self->log), HY_OK);
    assert_int_equal(hy_telemetry_attach(self->telemetry, hy_wpilog_sink(self->log)), HY_OK);
}

static void end(recorder *self)
{
    for (hy_bytes part; (part = hy_wpilog_peek(self->log)).size > 0;) {
        assert_true(self->size + part.size <= sizeof self->bytes);
        memcpy(self->bytes + self->size, part.data, part.size);
        self->size += part.size;
        hy_wpilog_consume(self->log, part.size);
    }
    hy_telemetry_close(self->telemetry);
    hy_wpilog_close(self->log);
}

// A pose, motors, a flag and a text; value i at i ms.
static void record(recorder *self)
{
    start(self);
    const hy_channel pose = declare(self, "/Pose", HY_CHANNEL_STRUCT, &hy_struct_pose2d);
    const hy_channel motors = declare(self, "/Motors", HY_CHANNEL_DOUBLE_ARRAY, NULL);
    const hy_channel flag = declare(self, "/Flag", HY_CHANNEL_BOOLEAN, NULL);
    const hy_channel text = declare(self, "/Text", HY_CHANNEL_STRING, NULL);
    for (int i = 0; i < VALUES; i++) {
        hy_telemetry_set_time(self->telemetry, (uint64_t)i * 1000);
        const hy_telemetry_pose2d at = { i, -i, 0.5 };
        const double both[] = { sin(i * 0.01), i == 2500 ? 99 : 2 };
        hy_telemetry_put_struct(self->telemetry, pose, &at);
        hy_telemetry_put_doubles(self->telemetry, motors, both, 2);
        hy_telemetry_put_boolean(self->telemetry, flag, i >= 100);
        hy_telemetry_put_text(self->telemetry, text, "words");
    }
    end(self);
}

static size_t find(const hy_series *series, const char *name)
{
    for (size_t i = 0; i < hy_series_count(series); i++) {
        if (strcmp(hy_series_names(series)[i], name) == 0) {
            return i;
        }
    }
    fail_msg("no channel %s", name);
    return 0;
}

static hy_series *open_log(const recorder *from)
{
    hy_series *series = NULL;
    assert_int_equal(hy_series_open((hy_bytes){ from->bytes, from->size }, &series), HY_OK);
    return series;
}

// --------------------------------------------------------------------------- tests

static void members_and_elements_are_listed(void **state)
{
    (void)state;
    static recorder log;
    record(&log);
    hy_series *const series = open_log(&log);
    assert_int_equal(hy_series_count(series), 6); // the text is no number
    (void)find(series, "NT:/Pose/translation/x");
    (void)find(series, "NT:/Pose/rotation/value");
    (void)find(series, "NT:/Motors/1");
    (void)find(series, "NT:/Flag");
    hy_series_close(series);
}

static void few_values_are_all_there(void **state)
{
    (void)state;
    static recorder log;
    static hy_scene_sample samples[3][100];
    record(&log);
    hy_series *const series = open_log(&log);
    hy_scene_series wanted[] = {
        { .channel = (unsigned)find(series, "NT:/Pose/translation/y"),
          .samples = samples[0],
          .room = 100 },
        { .channel = (unsigned)find(series, "NT:/Flag"), .samples = samples[1], .room = 100 },
        { .channel = 60000, .samples = samples[2], .room = 100 },
    };
    hy_series_read(series, 0.0805, 0.1195, wanted, 3);
    assert_int_equal(wanted[0].count, 39);
    for (size_t i = 0; i < wanted[0].count; i++) {
        assert_true(fabs(samples[0][i].t_s - (0.081 + (double)i * 0.001)) < 1e-9);
        assert_true(samples[0][i].value == -(81.0 + (double)i));
        assert_true(samples[1][i].value == (i >= 19 ? 1 : 0));
    }
    assert_int_equal(wanted[2].count, 0); // there is no such channel
    hy_series_close(series);
}

static void of_many_values_the_extremes_are_kept(void **state)
{
    (void)state;
    static recorder log;
    static hy_scene_sample samples[2][100];
    record(&log);
    hy_series *const series = open_log(&log);
    hy_scene_series wanted[] = {
        { .channel = (unsigned)find(series, "NT:/Motors/0"), .samples = samples[0], .room = 100 },
        { .channel = (unsigned)find(series, "NT:/Motors/1"), .samples = samples[1], .room = 100 },
    };
    hy_series_read(series, 0, 5, wanted, 2);
    double low = 0, high = 0, peak = 0;
    for (size_t i = 0; i < wanted[0].count; i++) {
        low = fmin(low, samples[0][i].value);
        high = fmax(high, samples[0][i].value);
        peak = fmax(peak, samples[1][i].value);
        assert_true(i == 0 || samples[0][i].t_s >= samples[0][i - 1].t_s);
    }
    assert_in_range(wanted[0].count, 90, 100);
    assert_true(low < -0.999 && high > 0.999);
    assert_true(peak == 99); // one value of 5000
    hy_series_close(series);
}

// The robot starts at (3, 4) and looks along y; it drives a metre along y, then a metre along x, and turns to there.
static void the_first_robots_pose_is_there_as_odometry_has_it(void **state)
{
    (void)state;
    static const hy_telemetry_pose2d poses[] = { { 3, 4, HY_PI / 2 },
                                                 { 3, 5, HY_PI / 2 },
                                                 { 4, 5, 0 } };
    static const double expected[3][3] = { { 0, 1, 1 }, { 0, 0, -1 }, { 0, 0, -HY_PI / 2 } };
    static const char *const names[] = { "truth/x", "truth/y", "truth/heading" };
    static recorder log;
    start(&log);
    const hy_channel other =
        declare(&log, "/Robot2/Truth/Pose", HY_CHANNEL_STRUCT, &hy_struct_pose2d);
    const hy_channel pose = declare(&log, "/Robot1/Truth/Pose", HY_CHANNEL_STRUCT, &hy_struct_pose2d);
    for (size_t i = 0; i < 3; i++) {
        hy_telemetry_set_time(log.telemetry, (uint64_t)i * 1000);
        hy_telemetry_put_struct(log.telemetry, other, &poses[2 - i]);
        hy_telemetry_put_struct(log.telemetry, pose, &poses[i]);
    }
    end(&log);
    hy_series *const series = open_log(&log);
    assert_int_equal(hy_series_count(series), 9);
    for (size_t i = 0; i < 3; i++) {
        hy_scene_sample samples[8];
        hy_scene_series wanted = { .channel = (unsigned)find(series, names[i]),
                                   .samples = samples,
                                   .room = 8 };
        hy_series_read(series, 0, 0.003, &wanted, 1);
        assert_int_equal(wanted.count, 3);
        for (size_t k = 0; k < 3; k++) {
            assert_true(fabs(samples[k].value - expected[i][k]) < 1e-12);
        }
    }
    hy_series_close(series);
}

static void any_prefix_of_a_file_will_do(void **state)
{
    (void)state;
    static recorder log;
    static hy_scene_sample samples[16];
    record(&log);
    for (size_t size = 0; size < 3000; size++) {
        hy_series *series = NULL;
        const hy_status status = hy_series_open((hy_bytes){ log.bytes, size }, &series);
        assert_true(status == HY_OK || (status == HY_EFORMAT && size < 12 && series == NULL));
        for (unsigned i = 0; status == HY_OK && i < hy_series_count(series); i++) {
            hy_scene_series wanted = { .channel = i, .samples = samples, .room = 16 };
            hy_series_read(series, -1, 1e300, &wanted, 1);
            assert_true(wanted.count <= 16);
        }
        hy_series_close(series);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_and_elements_are_listed),
        cmocka_unit_test(few_values_are_all_there),
        cmocka_unit_test(of_many_values_the_extremes_are_kept),
        cmocka_unit_test(the_first_robots_pose_is_there_as_odometry_has_it),
        cmocka_unit_test(any_prefix_of_a_file_will_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
