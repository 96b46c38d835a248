#include "load.h"

#include "kind.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------------------- vehicles

/// The value of "kind" in a map, without using it up.
static const char *kind_name(const hy_yaml *yaml, const yaml_node_t *map)
{
    for (const yaml_node_pair_t *pair = map->data.mapping.pairs.start;
         pair < map->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = yaml_document_get_node(yaml->document, pair->key);
        const yaml_node_t *value = yaml_document_get_node(yaml->document, pair->value);
        if (key->type == YAML_SCALAR_NODE && value->type == YAML_SCALAR_NODE &&
            strcmp((const char *)key->data.scalar.value, "kind") == 0) {
            return (const char *)value->data.scalar.value;
        }
    }
    return NULL;
}

static bool load_vehicle(hy_yaml *yaml, yaml_node_t *node, hy_vehicle_model *vehicle)
{
    const char *name = node->type == YAML_MAPPING_NODE ? kind_name(yaml, node) : NULL;
    if (name == NULL) {
        return hy_yaml_fail(yaml, HY_EFORMAT, node, "a vehicle needs a 'kind', like 'kind: xrp'");
    }
    const hy_vehicle_kind *kind = hy_vehicle_kind_find(name);
    if (kind == NULL) {
        return hy_yaml_fail(yaml, HY_EFORMAT, node,
                            "there is no such kind of vehicle; kinds: xrp, swerve");
    }
    return hy_vehicle_load(yaml, kind, node, vehicle);
}

bool hy_load_vehicles(hy_yaml *yaml, const hy_yaml_field *field, yaml_node_t *node, void *target)
{
    hy_world_model *model = target;
    size_t count;
    if (!hy_yaml_list(yaml, field->key, node, (hy_yaml_span){ 1, HY_WORLD_VEHICLES }, &count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        yaml_node_t *item = hy_yaml_item(yaml, node, i);
        yaml->vehicle_at[i] = item->start_mark;
        if (!load_vehicle(yaml, item, &model->vehicle[i])) {
            return false;
        }
        model->vehicle_count++;
    }
    return true;
}

// --------------------------------------------------------------------------- the whole file

#define DEFAULT_STEP_S 0.010

static const hy_yaml_field floor_fields[] = {
    { .key = "width_m",
      .type = HY_YAML_NUMBER,
      .required = true,
      .low = 0.2,
      .high = HY_FLOOR_MOST_M,
      .offset = offsetof(hy_world_model, width_m) },
    { .key = "height_m",
      .type = HY_YAML_NUMBER,
      .required = true,
      .low = 0.2,
      .high = HY_FLOOR_MOST_M,
      .offset = offsetof(hy_world_model, height_m) },
    { .key = "shade",
      .type = HY_YAML_NUMBER,
      .low = 0,
      .high = 1,
      .offset = offsetof(hy_world_model, mat.floor_shade) },
};
static const hy_yaml_table floor_table = HY_YAML_TABLE("floor", floor_fields);

static const hy_yaml_field world_fields[] = {
    { .key = "name",
      .type = HY_YAML_TEXT,
      .required = true,
      .high = HY_WORLD_NAME_SIZE,
      .offset = offsetof(hy_world_model, name) },
    { .key = "step_ms",
      .type = HY_YAML_NUMBER,
      .low = 1,
      .high = 20,
      .unit = 1e-3,
      .offset = offsetof(hy_world_model, step_s) },
    { .key = "floor", .type = HY_YAML_MAP, .required = true, .table = &floor_table },
    { .key = "mat", .type = HY_YAML_OTHER, .read = hy_load_mat },
    { .key = "obstacles", .type = HY_YAML_OTHER, .read = hy_load_obstacles },
    { .key = "vehicles", .type = HY_YAML_OTHER, .read = hy_load_vehicles, .required = true },
};
static const hy_yaml_table world_table = HY_YAML_TABLE("a world", world_fields);

#define NO_MEMORY "there is not enough memory for this world"

static hy_status fail(hy_world_error *error, hy_status status, const char *name, const char *why)
{
    snprintf(error->text, sizeof error->text, "%s: %s", name, why);
    return status;
}

/// What shows only once all of the file is read.
static hy_status finish(hy_world_model *model, hy_yaml *yaml)
{
    model->step_us = (int64_t)(model->step_s * 1e6 + 0.5);
    model->step_s = (double)model->step_us / 1e6;
    if (!hy_model_prepare(model)) {
        return fail(yaml->error, HY_ESYSTEM, yaml->name, NO_MEMORY);
    }
    for (size_t i = 0; i < model->vehicle_count; i++) {
        const char *where = hy_model_in_the_way(model, i);
        if (where != NULL) {
            char what[96];
            snprintf(what, sizeof what, "vehicle %zu starts %s: move its start", i + 1, where);
            hy_yaml_tell(yaml, HY_ERANGE, yaml->vehicle_at[i], what);
        }
    }
    return yaml->status;
}

hy_status hy_world_parse(hy_bytes yaml_text, const char *name, const char *folder,
                         hy_world_model **model, hy_world_error *error)
{
    *model = NULL;
    hy_world_model *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return fail(error, HY_ESYSTEM, name, NO_MEMORY);
    }
    made->step_s = DEFAULT_STEP_S;
    hy_yaml yaml = { .name = name, .folder = folder, .text = yaml_text, .error = error };
    hy_status status = hy_yaml_parse(&yaml, &world_table, made);
    if (status == HY_OK) {
        status = finish(made, &yaml);
    }
    if (status != HY_OK) {
        hy_world_free(made);
        return status;
    }
    *model = made;
    return HY_OK;
}

// --------------------------------------------------------------------------- files

/// Everything in the file, up to one byte more than a world may have; NULL if memory is used up.
static uint8_t *read_all(FILE *file, size_t *size)
{
    uint8_t *text = malloc(HY_YAML_MOST + 1);
    *size = text != NULL ? fread(text, 1, HY_YAML_MOST + 1, file) : 0;
    return text;
}

static void folder_of(const char *path, char *folder, size_t size)
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash != NULL ? (size_t)(slash - path) : 0;
    folder[0] = '\0';
    if (slash != NULL && length + 1 < size) {
        memcpy(folder, length > 0 ? path : "/", length > 0 ? length : 1);
        folder[length > 0 ? length : 1] = '\0';
    }
}

hy_status hy_world_load(const char *path, hy_world_model **model, hy_world_error *error)
{
    *model = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        char why[160];
        snprintf(why, sizeof why, "the world file cannot be opened: %s", strerror(errno));
        return fail(error, HY_EFILE, path, why);
    }
    size_t size;
    uint8_t *text = read_all(file, &size);
    const bool broken = ferror(file) != 0;
    fclose(file);
    hy_status status;
    if (text == NULL || broken) {
        status = fail(error, broken ? HY_EFILE : HY_ESYSTEM, path,
                      broken ? "the world file cannot be read" : "there is not enough memory");
    } else {
        char folder[1024];
        folder_of(path, folder, sizeof folder);
        status = hy_world_parse((hy_bytes){ text, size }, path, folder, model, error);
    }
    free(text);
    return status;
}
