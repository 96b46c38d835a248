// What a page draws of a world, for the scripts that make pictures of it: the page's `hello` on stdout, and the floor as a picture
// (PGM, 0 is black) in a file.
//
//     world_scene xrp-line build/xrp-line.pgm
#include <halyard/worldfile.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scene/scene.h"

#define JSON_MAX (1 << 20)
#define SIDE_PX  1200 // the floor's longer side

static int fail(const char *why)
{
    (void)fprintf(stderr, "world_scene: %s\n", why);
    return 1;
}

static bool write_floor(const hy_world_model *model, const char *path)
{
    const hy_world_facts facts = hy_world_describe(model);
    const double pixel_m = fmax(facts.width_m, facts.height_m) / SIDE_PX;
    const int width = (int)lround(facts.width_m / pixel_m),
              height = (int)lround(facts.height_m / pixel_m);
    FILE *const file = fopen(path, "wb");
    if (file == NULL) {
        return false;
    }
    (void)fprintf(file, "P5\n%d %d\n255\n", width, height);
    for (int row = 0; row < height; row++) {
        for (int column = 0; column < width; column++) {
            const double dark = hy_world_darkness(model, (column + 0.5) * pixel_m,
                                                  facts.height_m - (row + 0.5) * pixel_m);
            (void)fputc((int)lround(255.0 * (1.0 - hy_clamp(dark, 0.0, 1.0, 0.0))), file);
        }
    }
    return fclose(file) == 0;
}

static int write_scene(const hy_world_model *model, const char *path)
{
    static uint8_t scene_text[JSON_MAX], hello_text[JSON_MAX];
    hy_scene_of_world drawn;
    hy_text scene = hy_text_in((hy_room){ scene_text, sizeof scene_text });
    hy_text hello = hy_text_in((hy_room){ hello_text, sizeof hello_text });
    if (!hy_scene_make(&drawn, model, (hy_point){ 0, 0 })) {
        return fail("there is not enough memory");
    }
    hy_scene_write(&scene, &drawn.scene);
    hy_scene_write_hello(&hello, &(hy_scene_hello){ .may_command = false },
                         (hy_bytes){ scene_text, scene.size });
    hy_scene_free(&drawn);
    if (scene.is_full || hello.is_full || !write_floor(model, path)) {
        return fail("cannot write the picture");
    }
    return fwrite(hello_text, 1, hello.size, stdout) == hello.size ? 0
                                                                   : fail("cannot write the scene");
}

int main(int argc, char **argv)
{
    char path[HY_WORLDFILE_PATH_MAX];
    hy_world_error error;
    hy_world_model *model;
    if (argc != 3) {
        return fail("usage: world_scene WORLD PICTURE");
    }
    if (!hy_worldfile_find(argv[1], path, &error) ||
        hy_worldfile_load(path, &model, &error) != HY_OK) {
        return fail(error.text);
    }
    const int result = write_scene(model, argv[2]);
    hy_world_free(model);
    return result;
}
