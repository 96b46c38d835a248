#include "gltf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Longer than any that a reader of world files accepts.
#define MODEL_MAX ((size_t)8 << 20)

static const char *const urls[1 + HY_SCENE_ROBOTS] = {
    "/field.glb",   "/robot-1.glb", "/robot-2.glb", "/robot-3.glb", "/robot-4.glb",
    "/robot-5.glb", "/robot-6.glb", "/robot-7.glb", "/robot-8.glb",
};

/// The content of a file, malloc()ed; NULL if it cannot be read or is too long.
static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *const file = path[0] != '\0' ? fopen(path, "rb") : NULL;
    if (file == NULL) {
        return NULL;
    }
    uint8_t *bytes = NULL;
    const long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (end > 0 && (size_t)end <= MODEL_MAX) {
        rewind(file);
        bytes = malloc((size_t)end);
        *size = (size_t)end;
        if (bytes != NULL && fread(bytes, 1, *size, file) != *size) {
            free(bytes);
            bytes = NULL;
        }
    }
    fclose(file);
    return bytes;
}

/// An earlier robot whose model is the same file; `index` if there is none.
static size_t find_same(const hy_world_model *model, size_t index)
{
    size_t earlier = 0;
    while (strcmp(hy_world_vehicle_gltf(model, earlier), hy_world_vehicle_gltf(model, index)) != 0) {
        earlier++;
    }
    return earlier;
}

void scene_load_gltf(hy_scene_of_world *self, const hy_world_model *model)
{
    const hy_world_facts facts = hy_world_describe(model);
    size_t size = 0;
    self->gltf[0] = read_file(facts.gltf, &size);
    if (self->gltf[0] != NULL) {
        self->scene.gltf_url = urls[0];
        self->scene.gltf = (hy_bytes){ self->gltf[0], size };
    }
    for (size_t i = 0; i < facts.vehicles; i++) {
        const size_t same = find_same(model, i);
        hy_scene_robot *const robot = &self->robots[i];
        if (same < i) {
            robot->gltf_url = self->robots[same].gltf_url;
            robot->gltf = self->robots[same].gltf;
            continue;
        }
        self->gltf[1 + i] = read_file(hy_world_vehicle_gltf(model, i), &size);
        if (self->gltf[1 + i] != NULL) {
            robot->gltf_url = urls[1 + i];
            robot->gltf = (hy_bytes){ self->gltf[1 + i], size };
        }
    }
}
