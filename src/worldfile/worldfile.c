#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read.h"

// --------------------------------------------------------------------------- a world

static bool read_floor(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_read_keys keys = { .count = 0 };
    hy_read_add_section(&keys, &hy_world_spec_table, field->key);
    hy_read_add(&keys, &(hy_yaml_field){ .key = "edge_m",
                                         .type = HY_YAML_OTHER,
                                         .read = hy_read_border,
                                         .high = HY_FLOOR_MOST_M });
    return hy_read_map(yaml, field->key, &keys, node, target);
}

static const hy_yaml_field section_fields[] = {
    { .key = "floor", .type = HY_YAML_OTHER, .required = true, .read = read_floor },
    { .key = "mat", .type = HY_YAML_OTHER, .read = hy_read_mat },
    { .key = "obstacles",
      .type = HY_YAML_OTHER,
      .read = hy_read_obstacle,
      .items = { 0, HY_WORLD_OBSTACLES } },
    { .key = "vehicles",
      .type = HY_YAML_OTHER,
      .read = hy_read_vehicle,
      .items = { 1, HY_WORLD_VEHICLES },
      .required = true },
    { .key = "goals", .type = HY_YAML_OTHER, .read = hy_read_goal, .items = { 1, HY_WORLD_GOALS } },
    { .key = "pieces", .type = HY_YAML_OTHER, .read = hy_read_pieces },
    { .key = "regions", .type = HY_YAML_OTHER, .read = hy_read_region, .items = { 0, HY_WORLD_REGIONS } },
    { .key = "gltf",
      .type = HY_YAML_OTHER,
      .read = hy_read_gltf,
      .offset = offsetof(hy_world_spec, gltf) },
};

static hy_status read_world(hy_yaml *yaml, hy_world_spec *spec)
{
    static const hy_yaml_words words = { "world files", "a world file holds one world",
                                         "a world begins with 'name: ...'" };
    hy_read_keys keys = { .count = 0 };
    hy_read_add_section(&keys, &hy_world_spec_table, NULL);
    for (size_t i = 0; i < sizeof section_fields / sizeof section_fields[0]; i++) {
        hy_read_add(&keys, &section_fields[i]);
    }
    const hy_yaml_table table = { "a world", keys.field, keys.count, false };
    yaml->words = &words;
    return hy_yaml_parse(yaml, &table, spec);
}

static hy_yaml yaml_of(const hy_worldfile_text *text, hy_world_error *error)
{
    error->text[0] = '\0';
    return (hy_yaml){ .name = text->name,
                      .folder = text->folder,
                      .text = text->yaml,
                      .error = error->text,
                      .error_size = sizeof error->text };
}

/// An empty spec that knows where it comes from; a long name is cut.
static void start_spec(const hy_worldfile_text *text, hy_world_spec *spec)
{
    hy_world_spec_init(spec);
    snprintf(spec->source, sizeof spec->source, "%s", text->name);
}

hy_status hy_worldfile_parse(const hy_worldfile_text *text, hy_world_spec *spec,
                             hy_world_error *error)
{
    hy_yaml yaml = yaml_of(text, error);
    start_spec(text, spec);
    if (read_world(&yaml, spec) != HY_OK) {
        hy_world_spec_free(spec);
    }
    return yaml.status;
}

// --------------------------------------------------------------------------- a match

hy_status hy_worldfile_parse_match(const hy_worldfile_text *text, hy_match_spec *spec,
                                   hy_world_error *error)
{
    hy_yaml yaml = yaml_of(text, error);
    bool is_config;
    start_spec(text, &spec->world);
    spec->middle = (hy_point){ 0, 0 };
    if (hy_robot_config_recognize(&yaml, &is_config) == HY_OK && is_config) {
        hy_robot_config_read(&yaml, spec);
    } else if (yaml.status == HY_OK && read_world(&yaml, &spec->world) == HY_OK) {
        spec->middle = (hy_point){ spec->world.width_m / 2, spec->world.height_m / 2 };
        hy_world_spec_keep_tanks(&spec->world, HY_MATCH_PLAYERS);
    }
    if (yaml.status != HY_OK) {
        hy_match_spec_free(spec);
    }
    return yaml.status;
}

// --------------------------------------------------------------------------- files

/// Reads a whole file. `folder` gets the one that it is in; the caller frees the bytes.
static hy_status read_file(const char *path, char folder[1024], hy_worldfile_text *text,
                           hy_world_error *error)
{
    hy_room bytes;
    *text = (hy_worldfile_text){ .name = path, .folder = folder };
    hy_yaml yaml = yaml_of(text, error);
    const hy_status status = hy_yaml_read_file(&yaml, "world file", &bytes);
    hy_yaml_folder_of(path, folder, 1024);
    text->yaml = (hy_bytes){ bytes.data, bytes.size };
    return status;
}

/// Frees what read_file() has read; returns `status`.
static hy_status free_file(hy_worldfile_text *text, hy_status status)
{
    free((uint8_t *)(uintptr_t)text->yaml.data);
    return status;
}

hy_status hy_worldfile_read(const char *path, hy_world_spec *spec, hy_world_error *error)
{
    char folder[1024];
    hy_worldfile_text text;
    hy_world_spec_init(spec);
    const hy_status status = read_file(path, folder, &text, error);
    return status != HY_OK ? status : free_file(&text, hy_worldfile_parse(&text, spec, error));
}

hy_status hy_worldfile_read_match(const char *path, hy_match_spec *spec, hy_world_error *error)
{
    char folder[1024];
    hy_worldfile_text text;
    hy_world_spec_init(&spec->world);
    const hy_status status = read_file(path, folder, &text, error);
    return status != HY_OK ? status : free_file(&text, hy_worldfile_parse_match(&text, spec, error));
}

/// `robots` is NULL for vehicles without controllers.
static hy_status load(const char *path, const hy_worldfile_robots *robots, hy_world_model **model,
                      hy_world_error *error)
{
    *model = NULL;
    hy_world_spec *spec = malloc(sizeof *spec);
    if (spec == NULL) {
        snprintf(error->text, sizeof error->text, "%s: there is not enough memory", path);
        return HY_EMEMORY;
    }
    hy_status status = hy_worldfile_read(path, spec, error);
    if (status == HY_OK) {
        if (robots != NULL) {
            hy_worldfile_set_robots(spec, robots);
        }
        status = hy_world_compile(spec, model, error);
        hy_world_spec_free(spec);
    }
    free(spec);
    return status;
}

hy_status hy_worldfile_load_match(const char *path, hy_match_model **model, hy_world_error *error)
{
    *model = NULL;
    hy_match_spec spec;
    hy_status status = hy_worldfile_read_match(path, &spec, error);
    if (status == HY_OK) {
        status = hy_match_compile(&spec, model, error);
        hy_match_spec_free(&spec);
    }
    return status;
}

hy_status hy_worldfile_load(const char *path, hy_world_model **model, hy_world_error *error)
{
    return load(path, NULL, model, error);
}

hy_status hy_worldfile_load_robots(const char *path, const hy_worldfile_robots *robots,
                                   hy_world_model **model, hy_world_error *error)
{
    static const hy_worldfile_robots defaults = { .variant = NULL };
    return load(path, robots != NULL ? robots : &defaults, model, error);
}
