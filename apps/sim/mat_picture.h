/// @file mat_picture.h
/// A world's floor as a picture.
#ifndef HALYARD_APPS_MAT_PICTURE_H
#define HALYARD_APPS_MAT_PICTURE_H

#include <halyard/world.h>

/// The floor, north up, as a PNG file in memory, at most 2048 pixels wide and high: to be freed by the caller. `size` is 0 and the
/// result NULL if memory is used up.
uint8_t *mat_picture_make(const hy_world_model *model, size_t *size);

#endif
