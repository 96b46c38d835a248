/// @file layouts.h
/// What the dashboard Elastic asks the port 5800 of a robot for: the list of its layouts, and each of them. One per robot, with the
/// channels that it has (docs/spec/channels.md).
#ifndef HY_VIEW_LAYOUTS_H
#define HY_VIEW_LAYOUTS_H

#include "scene/scene.h"
#include "web/web.h"

#define LAYOUT_FILES    (1 + HY_SCENE_ROBOTS)
#define LAYOUT_PATH_MAX 56
#define LAYOUT_BYTES    6144 ///< Of the longest file.

/// What the files point to; the caller's.
typedef struct {
    char path[HY_SCENE_ROBOTS][LAYOUT_PATH_MAX];
    char bytes[LAYOUT_FILES][LAYOUT_BYTES];
} layout_memory;

/// Writes the list, and a layout for each robot of the scene. Returns how many files there are.
size_t layouts_write(const hy_scene *scene, layout_memory *memory, hy_web_file files[LAYOUT_FILES]);

#endif
