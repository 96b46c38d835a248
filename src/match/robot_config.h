/// @file robot_config.h
/// The reference simulator's robotConfig.yml, rewritten as a world.
#ifndef HY_MATCH_ROBOT_CONFIG_H
#define HY_MATCH_ROBOT_CONFIG_H

#include <halyard/config.h>
#include <halyard/world.h>

#define HY_CONFIG_LINES 256

/// A world in text, and where in the robotConfig each of its lines comes from.
typedef struct {
    char text[48 * 1024];
    size_t size;
    hy_yaml_mark line_from[HY_CONFIG_LINES];
    size_t lines;
    hy_world_point middle; ///< The robotConfig's origin, in the world.
} hy_config_world;

/// Whether the text is a robotConfig: it has 'players'. HY_OK, or the error of text that is no YAML.
hy_status hy_config_recognize(hy_yaml *yaml, bool *is_config);

/// Rewrites it. What is wrong is told with its place.
hy_status hy_config_rewrite(hy_yaml *yaml, hy_config_world *world);

#endif
