/// @file picture.h
/// Pictures as mats.
#ifndef HY_WORLD_PICTURE_H
#define HY_WORLD_PICTURE_H

#include "mat.h"

/// Reads the PNG file at `path` as darkness (black ink is 1, transparent is white). On failure the
/// mat has no cells and `*why` is a static sentence fragment: HY_EFILE, HY_EFORMAT, HY_ERANGE.
hy_status hy_mat_read_png(const char *path, hy_mat *mat, const char **why);

#endif
