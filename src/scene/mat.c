// A world's floor as a picture.

#include <math.h>
#include <png.h>
#include <stdlib.h>

#include "scene.h"

#define SIDE_MAX 2048
#define PIXEL_M  0.001 // nothing on a mat is finer

#define STRIPE_M 0.012 // of a region, and as wide the gap to the next

// A region of the floor is striped: one way where tyres grip less, the other way where they grip more.
static double shade_region(double grip, double x_m, double y_m, double dark)
{
    const double across_m = grip < 1.0 ? x_m + y_m : x_m - y_m;
    const double place = across_m / (2.0 * STRIPE_M);
    const bool is_stripe = place - floor(place) < 0.5;
    return 0.75 * dark + 0.25 * (is_stripe ? 0.9 : 0.1);
}

#define CHEVRON_M 0.06 // wide, and from one to the next

// A ramp has chevrons that point uphill.
static double shade_ramp(hy_point slope_rad, double x_m, double y_m, double dark)
{
    const double steepness = hypot(slope_rad.x_m, slope_rad.y_m);
    const double uphill_m = (x_m * slope_rad.x_m + y_m * slope_rad.y_m) / steepness;
    const double across_m = (y_m * slope_rad.x_m - x_m * slope_rad.y_m) / steepness;
    const double column = across_m / CHEVRON_M;
    const double off_middle_m = fabs(column - floor(column) - 0.5) * CHEVRON_M;
    const double place = (uphill_m + off_middle_m) / CHEVRON_M;
    // With a gap to the next one beside it, or they would be zigzag lines, which point nowhere.
    const bool is_line = off_middle_m < 0.37 * CHEVRON_M && place - floor(place) < 0.2;
    return is_line ? 0.4 * dark + 0.3 : dark;
}

static void draw(const hy_world_model *model, uint8_t *pixels, unsigned width, unsigned height)
{
    const hy_world_facts facts = hy_world_describe(model);
    for (unsigned row = 0; row < height; row++) {
        for (unsigned column = 0; column < width; column++) {
            const double x_m = (column + 0.5) * facts.width_m / width;
            const double y_m = (height - row - 0.5) * facts.height_m / height;
            const double grip = hy_world_floor_grip(model, (hy_point){ x_m, y_m });
            double dark = hy_clamp(hy_world_darkness(model, x_m, y_m), 0.0, 1.0, 0.0);
            dark = grip == 1.0 ? dark : shade_region(grip, x_m, y_m, dark);
            const hy_point slope_rad = hy_world_floor_slope(model, (hy_point){ x_m, y_m });
            const bool is_ramp = slope_rad.x_m != 0.0 || slope_rad.y_m != 0.0;
            dark = is_ramp ? shade_ramp(slope_rad, x_m, y_m, dark) : dark;
            pixels[(size_t)row * width + column] = (uint8_t)lround(255.0 * (1.0 - dark));
        }
    }
}

static uint8_t *compress(const uint8_t *pixels, unsigned width, unsigned height, size_t *size)
{
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_GRAY
    };
    png_alloc_size_t room = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *const file = malloc(room);
    if (file == NULL || png_image_write_to_memory(&image, file, &room, 0, pixels, 0, NULL) == 0) {
        free(file);
        return NULL;
    }
    *size = room;
    return file;
}

// NULL if memory is used up.
static uint8_t *make_picture(const hy_world_model *model, size_t *size)
{
    const hy_world_facts facts = hy_world_describe(model);
    const double longest_m = fmax(facts.width_m, facts.height_m);
    const double pixel_m = fmax(PIXEL_M, longest_m / SIDE_MAX);
    const unsigned width = (unsigned)fmax(1.0, facts.width_m / pixel_m);
    const unsigned height = (unsigned)fmax(1.0, facts.height_m / pixel_m);
    uint8_t *const pixels = malloc((size_t)width * height);
    if (pixels == NULL) {
        return NULL;
    }
    draw(model, pixels, width, height);
    uint8_t *const file = compress(pixels, width, height, size);
    free(pixels);
    return file;
}

bool hy_scene_draw_mat(hy_scene_of_world *self, const hy_world_model *model)
{
    size_t size = 0;
    if (self->scene.gltf_url != NULL && !hy_world_describe(model).has_mat) {
        return true; // the field's model has the floor
    }
    uint8_t *const picture = make_picture(model, &size);
    if (picture == NULL) {
        return false;
    }
    hy_scene *const scene = &self->scene;
    free(self->mat);
    self->mat = picture;
    scene->mat_url = "/mat.png";
    scene->mat_png = (hy_bytes){ picture, size };
    scene->mat_m[0] = scene->floor_m[0];
    scene->mat_m[1] = scene->floor_m[1];
    scene->mat_m[2] = scene->floor_m[2] - scene->floor_m[0];
    scene->mat_m[3] = scene->floor_m[3] - scene->floor_m[1];
    return true;
}
