// Painted mats: the bytes of those we ship, and arcs cell by cell against the arc tangent.
#include "cmocka_all.h"

#include <halyard/worldfile.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mat/mat.h"

static const double pi = 3.14159265358979323846;

static uint64_t hash_of(const hy_mat_spec *mat)
{
    hy_hash hash = hy_hash_start();
    for (size_t i = 0; i < mat->columns * mat->rows; i++) {
        hy_hash_u64(&hash, mat->cells[i]);
    }
    return hash.value;
}

static void shipped_mats_keep_their_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        uint64_t hash;
    } mats[] = {
        { HALYARD_TEST_DATA "/../worlds/xrp-arena.yaml", UINT64_C(0x4cc18ae282817d85) },
        { HALYARD_TEST_DATA "/../worlds/xrp-course.yaml", UINT64_C(0x2d88cd758ead2325) },
        { HALYARD_TEST_DATA "/../worlds/xrp-line.yaml", UINT64_C(0xde0fb6624101cd45) },
    };
    for (size_t i = 0; i < sizeof mats / sizeof mats[0]; i++) {
        hy_world_spec spec;
        hy_world_error error;
        assert_int_equal(hy_worldfile_read(mats[i].path, &spec, &error), HY_OK);
        const uint64_t hash = hash_of(&spec.mat);
        if (hash != mats[i].hash) {
            fail_msg("%s: its mat's hash is 0x%016" PRIx64, mats[i].path, hash);
        }
        hy_world_spec_free(&spec);
    }
}

// --------------------------------------------------------------------------- arcs

static double square(double value)
{
    return value * value;
}

/// How far a point lies outside an arc, by its definition.
static double outside_arc(const hy_mat_arc *arc, double x_m, double y_m)
{
    const double x = x_m - arc->center_m.x_m, y = y_m - arc->center_m.y_m;
    const double beyond = hy_atan2(y, x) - arc->from_rad;
    if (beyond - floor(beyond / (2 * pi)) * (2 * pi) <= arc->to_rad - arc->from_rad) {
        return fabs(sqrt(x * x + y * y) - arc->radius_m) - arc->width_m / 2;
    }
    const double r = arc->radius_m;
    const double start =
        square(x - r * hy_cos(arc->from_rad)) + square(y - r * hy_sin(arc->from_rad));
    const double end = square(x - r * hy_cos(arc->to_rad)) + square(y - r * hy_sin(arc->to_rad));
    return sqrt(start < end ? start : end) - arc->width_m / 2;
}

static uint8_t painted(const hy_mat_spec *mat, const hy_mat_arc *arc, size_t column, size_t row)
{
    const double per_m_x = (double)mat->columns / mat->size_m.x_m;
    const double per_m_y = (double)mat->rows / mat->size_m.y_m;
    const double outside = outside_arc(arc, mat->corner_m.x_m + ((double)column + 0.5) / per_m_x,
                                       mat->corner_m.y_m + ((double)row + 0.5) / per_m_y);
    const double covered = 0.5 - outside * (per_m_x < per_m_y ? per_m_x : per_m_y);
    const double limited = covered < 0 ? 0 : covered > 1 ? 1 : covered;
    return (uint8_t)(51 + limited * (255 - 51) + 0.5);
}

static double between(hy_random *random, double low, double high)
{
    return low + (high - low) * (double)hy_random_below(random, 1000001) / 1e6;
}

/// Ends now and then on an axis, where rows of cells lie on the border; spans from nothing to more than a turn.
static hy_mat_arc random_arc(hy_random *random)
{
    const bool on_axes = hy_random_below(random, 3) == 0;
    const double from = on_axes ? pi / 2 * ((double)hy_random_below(random, 17) - 8)
                                : between(random, -4 * pi, 4 * pi);
    const double span = on_axes ? pi / 2 * (double)hy_random_below(random, 6) : between(random, 0, 7);
    return (hy_mat_arc){ .center_m = { between(random, -0.5, 1.5), between(random, -0.3, 1.3) },
                         .radius_m = between(random, 0.005, 0.8),
                         .width_m = between(random, 0.001, hy_random_below(random, 4) == 0 ? 2 : 0.1),
                         .from_rad = from,
                         .to_rad = from + span };
}

static void arcs_are_painted_as_defined(void **state)
{
    (void)state;
    hy_random random = hy_random_seeded(11);
    for (int i = 0; i < 400; i++) {
        hy_mat_spec mat = { .corner_m = { 0, -0.1 }, .size_m = { 1, 0.9 } };
        assert_true(hy_mat_spec_make(&mat, 83, 90, 0.2));
        hy_mat_arc arc = random_arc(&random);
        if (i % 4 == 0) { // its center is a cell's
            arc.center_m = (hy_point){ 41.5 / 83, -0.1 + 44.5 / 100 };
        }
        assert_true(hy_mat_spec_arc(&mat, &arc, 1));
        for (size_t cell = 0; cell < mat.columns * mat.rows; cell++) {
            const size_t column = cell % mat.columns, row = cell / mat.columns;
            if (mat.cells[cell] != painted(&mat, &arc, column, row)) {
                fail_msg("arc %d, cell %zu, %zu: %d, expected %d", i, column, row, mat.cells[cell],
                         painted(&mat, &arc, column, row));
            }
        }
        free(mat.cells);
    }
}

// --------------------------------------------------------------------------- reading

// Between the middles of cells the darkness is interpolated, from there to the edge it is the cell's, and beyond it the floor's.
static void cells_are_interpolated(void **state)
{
    (void)state;
    static uint8_t cells[] = { 0, 51, 102, 255 }; // two rows of two, from below
    const hy_mat mat = { .cells = cells,
                         .columns = 2,
                         .rows = 2,
                         .corner_m = { 1, 2 },
                         .cells_per_m_x = 10,
                         .cells_per_m_y = 10,
                         .floor_shade = 0.7 };
    static const struct {
        double x_m, y_m, shade;
    } rows[] = {
        { 1.05, 2.05, 0 },   { 1.15, 2.05, 0.2 }, { 1.10, 2.05, 0.1 }, { 1.075, 2.05, 0.05 },
        { 1.05, 2.10, 0.2 }, { 1.15, 2.10, 0.6 }, { 1.10, 2.10, 0.4 }, { 1.01, 2.01, 0 },
        { 1.19, 2.19, 1 },   { 1.19, 2.05, 0.2 }, { 0.99, 2.05, 0.7 }, { 1.21, 2.05, 0.7 },
        { 1.05, 1.99, 0.7 }, { 1.05, 2.21, 0.7 }, { NAN, 2.05, 0.7 },  { 1.05, NAN, 0.7 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const double shade = hy_mat_darkness(&mat, (hy_vec){ rows[i].x_m, rows[i].y_m });
        if (!(fabs(shade - rows[i].shade) < 1e-9)) {
            fail_msg("at %g, %g: %g, not %g", rows[i].x_m, rows[i].y_m, shade, rows[i].shade);
        }
    }
}

// A round spot on a ramp is as dark as its middle, in any direction.
static void a_spot_is_the_mean_of_what_it_covers(void **state)
{
    (void)state;
    static uint8_t cells[20 * 20];
    hy_mat mat = {
        .cells = cells, .columns = 20, .rows = 20, .cells_per_m_x = 10, .cells_per_m_y = 10
    };
    for (int slope = 0; slope < 2; slope++) {
        for (size_t i = 0; i < sizeof cells; i++) {
            cells[i] = (uint8_t)(12 * (slope == 0 ? i % 20 : i / 20));
        }
        const hy_vec middle = { 1, 1 };
        assert_true(fabs(hy_mat_spot(&mat, middle, 0.3) - hy_mat_darkness(&mat, middle)) < 1e-9);
    }
    mat.cells = NULL;
    mat.floor_shade = 0.3;
    assert_true(hy_mat_spot(&mat, (hy_vec){ 1, 1 }, 0.3) == 0.3);
}

// A mat may be a single row of cells, or a single one.
static void mats_may_be_small(void **state)
{
    (void)state;
    static const size_t sizes[][2] = { { 3, 1 }, { 1, 3 }, { 1, 1 } };
    for (size_t i = 0; i < 3; i++) {
        hy_world_spec spec;
        hy_world_model *model = NULL;
        hy_world_error error = { "" };
        hy_world_spec_init(&spec);
        snprintf(spec.name, sizeof spec.name, "small");
        spec.width_m = spec.height_m = 2;
        hy_vehicle_spec *const xrp = hy_world_spec_add_vehicle(&spec, "xrp");
        xrp->start_x_m = xrp->start_y_m = 1;
        assert_true(hy_mat_spec_make(&spec.mat, sizes[i][0], sizes[i][1], 0.5));
        spec.mat.size_m = (hy_point){ 1, 1 };
        if (hy_world_compile(&spec, &model, &error) != HY_OK) {
            fail_msg("%s", error.text);
        }
        hy_world_free(model);
        hy_world_spec_free(&spec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_mats_keep_their_bytes),
        cmocka_unit_test(arcs_are_painted_as_defined),
        cmocka_unit_test(cells_are_interpolated),
        cmocka_unit_test(a_spot_is_the_mean_of_what_it_covers),
        cmocka_unit_test(mats_may_be_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
