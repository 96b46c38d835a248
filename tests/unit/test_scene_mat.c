// The picture of a world's floor: what regions and ramps look like.
#include <halyard/worldfile.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "scene/scene.h"

#define SIDE_M 1.0
#define PIXELS 1000

static uint8_t pixels[PIXELS * PIXELS];

/// Draws a floor of a square metre with that region, a millimetre a pixel.
static void draw(const char *region)
{
    char yaml[512];
    hy_world_model *model = NULL;
    hy_world_error error;
    hy_scene_of_world scene;
    png_image image = { .version = PNG_IMAGE_VERSION };
    snprintf(yaml, sizeof yaml,
             "name: floor\nfloor: { width_m: 1, height_m: 1, shade: 0.2 }\nregions: [%s]\n"
             "vehicles: [{ kind: xrp, start: { x_m: 0.5, y_m: 0.5 } }]\n",
             region);
    const hy_worldfile_text text = { { (const uint8_t *)yaml, strlen(yaml) }, "floor", "" };
    static hy_world_spec spec;
    if (hy_worldfile_parse(&text, &spec, &error) != HY_OK ||
        hy_world_compile(&spec, &model, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    hy_world_spec_free(&spec);
    assert_true(hy_scene_make(&scene, model, (hy_point){ 0, 0 }) && hy_scene_draw_mat(&scene, model));
    const hy_bytes file = scene.scene.mat_png;
    assert_int_not_equal(png_image_begin_read_from_memory(&image, file.data, file.size), 0);
    assert_true(image.width == PIXELS && image.height == PIXELS);
    image.format = PNG_FORMAT_GRAY;
    assert_int_not_equal(png_image_finish_read(&image, NULL, pixels, 0, NULL), 0);
    hy_scene_free(&scene);
    hy_world_free(model);
}

static int shade_at(double x_m, double y_m)
{
    return pixels[(PIXELS - 1 - (size_t)(y_m / SIDE_M * PIXELS)) * PIXELS +
                  (size_t)(x_m / SIDE_M * PIXELS)];
}

/// How much of the line at `y_m` is that of the line at `other_y_m`, moved by `by_m` along x.
static double likeness(double y_m, double other_y_m, double by_m)
{
    int equal = 0;
    for (int i = 0; i < 500; i++) {
        const double x_m = 0.2505 + i * 0.001;
        equal += shade_at(x_m, y_m) == shade_at(x_m + by_m, other_y_m);
    }
    return equal / 500.0;
}

// The middle of a chevron, 6 cm wide, is farther uphill than what lies to both sides of it.
static void a_ramps_chevrons_point_uphill(void **state)
{
    (void)state;
    static const struct {
        const char *region;
        double uphill;
    } ramps[] = {
        { "{ box: { center_m: [0.5, 0.5], size_m: [1, 1], slope_deg: 5 } }", 1 },
        { "{ box: { center_m: [0.5, 0.5], size_m: [1, 1], slope_deg: 5, angle_deg: 180 } }", -1 },
    };
    for (size_t i = 0; i < 2; i++) {
        draw(ramps[i].region);
        for (int side = -1; side <= 1; side += 2) {
            const double middle_m = 0.5105, aside_m = middle_m + side * 0.015;
            assert_true(likeness(aside_m, middle_m, 0.015 * ramps[i].uphill) > 0.95);
            assert_true(likeness(aside_m, middle_m, -0.015 * ramps[i].uphill) < 0.8);
        }
    }
}

// Less grip is striped one way, more the other; the rest of the floor is as it is.
static void grip_is_striped(void **state)
{
    (void)state;
    draw("{ box: { center_m: [0.5, 0.5], size_m: [0.5, 0.5], grip: 0.3 } }, "
         "{ box: { center_m: [0.5, 0.85], size_m: [0.5, 0.1], grip: 1.5 } }");
    int falling = 0, rising = 0;
    for (int i = 0; i < 200; i++) {
        const double at_m = 0.3005 + i * 0.001;
        falling += shade_at(at_m, 0.5005) == shade_at(at_m - 0.01, 0.5105);
        rising += shade_at(at_m, 0.8405) == shade_at(at_m + 0.01, 0.8505);
        assert_int_equal(shade_at(at_m, 0.1005), 204); // 0.2 dark
    }
    assert_true(falling > 190 && rising > 190); // a pixel on a border may fall to either side
    assert_true(shade_at(0.3005, 0.5005) != 204);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ramps_chevrons_point_uphill),
        cmocka_unit_test(grip_is_striped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
