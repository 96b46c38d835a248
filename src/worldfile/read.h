/// @file read.h
/// The sections of a world file. The target of each reader is the hy_world_spec.
#ifndef HY_WORLDFILE_READ_H
#define HY_WORLDFILE_READ_H

#include <halyard/worldfile.h>

#include "config/config.h"

/// Longest side of a floor, metres.
#define HY_FLOOR_MOST_M 200

/// Tells that there is no memory; always returns false.
bool hy_read_no_memory(hy_yaml *yaml, const hy_yaml_node *node);

/// Keys of a map, made of the fields of a spec and of others.
typedef struct {
    hy_yaml_field field[40];
    size_t count;
} hy_read_keys;

/// Adds the numbers, points, texts and choices of a spec's section; NULL: those without a section.
void hy_read_add_section(hy_read_keys *keys, const hy_spec_table *table, const char *section);
/// Adds a key with a reader of its own.
void hy_read_add(hy_read_keys *keys, const hy_yaml_field *field);
/// Reads a map with these keys into `target`.
bool hy_read_map(hy_yaml *yaml, const char *what, const hy_read_keys *keys, hy_yaml_node *node,
                 void *target);

/// Where a node begins, as specs have it.
hy_spec_place hy_read_place(const hy_yaml_node *node);

/// A list of points, and how many it may have.
typedef struct {
    hy_point *at;
    hy_yaml_span span;
    size_t count;
} hy_read_points;

/// Reads a list of points; the field's key, range and unit are used.
bool hy_read_point_list(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                        hy_read_points *list);

/// Reads 3 to HY_WORLD_CORNERS corners of a convex polygon into `corners`, counter-clockwise; the
/// field's key and range are used.
bool hy_read_convex(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                    hy_point *corners, size_t *count);

hy_yaml_reader hy_read_mat, hy_read_border, hy_read_pieces;
/// Of one item of a list.
hy_yaml_reader hy_read_obstacle, hy_read_vehicle, hy_read_goal, hy_read_region;

/// Checks the binary glTF file that the text names, and keeps its path in char[HY_WORLD_PATH] at the
/// field's offset.
hy_yaml_reader hy_read_gltf;

/// Reads the PNG file at `path` as darkness (black ink is 1, transparent is white). On failure the
/// mat has no cells and `*why` is a static sentence fragment: HY_EFILE, HY_EFORMAT, HY_ERANGE.
hy_status hy_read_picture(const char *path, hy_mat_spec *mat, const char **why);

/// Whether the text is a robotConfig: it has 'players'. HY_OK, or the error of text that is no YAML.
hy_status hy_robot_config_recognize(hy_yaml *yaml, bool *is_config);

/// Reads it into an initialised spec.
hy_status hy_robot_config_read(hy_yaml *yaml, hy_match_spec *spec);

#endif
