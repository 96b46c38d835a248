/// @file gltf.h
/// Models of robots and of the field that a world's file names.
#ifndef HY_SCENE_GLTF_H
#define HY_SCENE_GLTF_H

#include "scene.h"

/// Reads the files that the model names; one that cannot be read is left out.
void scene_load_gltf(hy_scene_of_world *self, const hy_world_model *model);

#endif
