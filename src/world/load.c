#include "load.h"

#include "kind.h"

#include <stdio.h>
#include <stdlib.h>

/// What loading needs beside the file.
typedef struct {
    const hy_world_changes *changes;
    size_t tanks;
    hy_yaml_mark vehicle_at[HY_WORLD_VEHICLES]; ///< For what shows only once all of the file is read.
} loading;

#define NO_MEMORY "there is not enough memory for this world"

bool hy_load_no_memory(hy_yaml *yaml, const hy_yaml_node *node)
{
    return hy_yaml_fail(yaml, HY_ESYSTEM, node, NO_MEMORY);
}

const hy_world_changes *hy_load_changes(const hy_yaml *yaml)
{
    return ((const loading *)yaml->context)->changes;
}

// --------------------------------------------------------------------------- vehicles

static bool load_vehicle(hy_yaml *yaml, hy_yaml_node *node, hy_vehicle_model *vehicle)
{
    const hy_yaml_node *named = hy_yaml_find(yaml, node, "kind");
    const char *name = named != NULL ? hy_yaml_peek(named) : NULL;
    if (name == NULL) {
        return hy_yaml_fail(yaml, HY_EFORMAT, node, "a vehicle needs a 'kind', like 'kind: xrp'");
    }
    const hy_vehicle_kind *kind = hy_vehicle_kind_find(name);
    if (kind == NULL) {
        return hy_yaml_fail(yaml, HY_EFORMAT, node,
                            "there is no such kind of vehicle; kinds: xrp, swerve, tank");
    }
    return hy_vehicle_load(yaml, kind, node, vehicle);
}

bool hy_load_vehicles(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    hy_world_model *model = target;
    loading *so_far = yaml->context;
    const size_t most_tanks = so_far->changes->tanks;
    size_t count;
    if (!hy_yaml_list(yaml, field->key, node, (hy_yaml_span){ 1, HY_WORLD_VEHICLES }, &count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        hy_yaml_node *item = hy_yaml_item(yaml, node, i);
        hy_vehicle_model *vehicle = &model->vehicle[model->vehicle_count];
        so_far->vehicle_at[model->vehicle_count] = hy_yaml_where(item);
        if (!load_vehicle(yaml, item, vehicle)) {
            return false;
        }
        so_far->tanks += vehicle->kind == &hy_vehicle_tank;
        const bool left_out =
            vehicle->kind == &hy_vehicle_tank && most_tanks != 0 && so_far->tanks > most_tanks;
        model->vehicle_count += !left_out;
    }
    return true;
}

// --------------------------------------------------------------------------- the whole file

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
    { .key = "edge_m", .type = HY_YAML_OTHER, .read = hy_load_border, .low = 0, .high = HY_FLOOR_MOST_M },
    { .key = "wall_m",
      .type = HY_YAML_NUMBER,
      .low = 0,
      .high = 10,
      .offset = offsetof(hy_world_model, wall_height_m) },
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
    { .key = "goals", .type = HY_YAML_OTHER, .read = hy_load_goals },
    { .key = "pieces", .type = HY_YAML_OTHER, .read = hy_load_pieces },
};
static const hy_yaml_table world_table = HY_YAML_TABLE("a world", world_fields);

static hy_status fail(hy_world_error *error, hy_status status, const char *name, const char *why)
{
    snprintf(error->text, sizeof error->text, "%s: %s", name, why);
    return status;
}

static bool add_guests(hy_world_model *model, hy_yaml *yaml)
{
    const hy_world_changes *changes = hy_load_changes(yaml);
    for (size_t i = 0; i < changes->guest_count; i++) {
        const char *wrong = model->vehicle_count == HY_WORLD_VEHICLES
                                ? "the world has no room for it: 8 vehicles are the most"
                                : hy_vehicle_make(&changes->guests[i], changes,
                                                  &model->vehicle[model->vehicle_count]);
        if (wrong != NULL) {
            snprintf(yaml->error, yaml->error_size, "%s: guest %zu (%s): %s", yaml->name, i + 1,
                     changes->guests[i].kind, wrong);
            yaml->status = HY_ERANGE;
            return false;
        }
        model->vehicle_count++;
    }
    return true;
}

/// Tells which vehicle has no room where it starts; guests first, for the file was there before them.
static void check_room(const hy_world_model *model, hy_yaml *yaml)
{
    const loading *so_far = yaml->context;
    const size_t count = model->vehicle_count;
    const size_t filed = count - so_far->changes->guest_count;
    for (size_t k = 0; k < count && yaml->status == HY_OK; k++) {
        const size_t i = (k + filed) % count;
        const char *where = hy_model_in_the_way(model, i);
        char what[96];
        if (where != NULL && i < filed) {
            snprintf(what, sizeof what, "vehicle %zu starts %s: move its start", i + 1, where);
            hy_yaml_tell(yaml, HY_ERANGE, so_far->vehicle_at[i], what);
        } else if (where != NULL) {
            snprintf(yaml->error, yaml->error_size,
                     "%s: guest %zu (%s) starts %s: give it another start", yaml->name,
                     i - filed + 1, model->vehicle[i].kind->name, where);
            yaml->status = HY_ERANGE;
        }
    }
}

/// What shows only once all of the file is read.
static hy_status finish(hy_world_model *model, hy_yaml *yaml)
{
    model->step_us = (int64_t)(model->step_s * 1e6 + 0.5);
    model->step_s = (double)model->step_us / 1e6;
    if (!add_guests(model, yaml)) {
        return yaml->status;
    }
    if (!hy_model_prepare(model)) {
        hy_yaml_tell(yaml, HY_ESYSTEM, (hy_yaml_mark){ 0, 0 }, NO_MEMORY);
        return yaml->status;
    }
    const char *wrong = hy_model_check(model);
    if (wrong != NULL) {
        hy_yaml_tell(yaml, HY_ERANGE, (hy_yaml_mark){ 0, 0 }, wrong);
    }
    check_room(model, yaml);
    return yaml->status;
}

hy_status hy_world_parse_changed(const hy_world_text *text, const hy_world_changes *changes,
                                 hy_world_model **model, hy_world_error *error)
{
    *model = NULL;
    hy_world_model *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return fail(error, HY_ESYSTEM, text->name, NO_MEMORY);
    }
    static const hy_yaml_words words = { "world files", "a world file holds one world",
                                         "a world begins with 'name: ...'" };
    loading context = { .changes = changes };
    hy_yaml yaml = { .name = text->name,
                     .folder = text->folder,
                     .text = text->yaml,
                     .words = &words,
                     .error = error->text,
                     .error_size = sizeof error->text,
                     .context = &context };
    hy_model_set_defaults(made);
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

hy_status hy_world_parse(hy_bytes yaml, const char *name, const char *folder,
                         hy_world_model **model, hy_world_error *error)
{
    static const hy_world_changes none = { .tanks = 0 };
    const hy_world_text text = { yaml, name, folder };
    return hy_world_parse_changed(&text, &none, model, error);
}

// --------------------------------------------------------------------------- files

hy_status hy_world_load_changed(const char *path, const hy_world_changes *changes,
                                hy_world_model **model, hy_world_error *error)
{
    *model = NULL;
    hy_yaml yaml = { .name = path, .error = error->text, .error_size = sizeof error->text };
    hy_room text;
    const hy_status status = hy_yaml_read_file(&yaml, "world file", &text);
    if (status != HY_OK) {
        return status;
    }
    char folder[1024];
    hy_yaml_folder_of(path, folder, sizeof folder);
    const hy_world_text file = { { text.data, text.size }, path, folder };
    const hy_status parsed = hy_world_parse_changed(&file, changes, model, error);
    free(text.data);
    return parsed;
}

hy_status hy_world_load(const char *path, hy_world_model **model, hy_world_error *error)
{
    static const hy_world_changes none = { .tanks = 0 };
    return hy_world_load_changed(path, &none, model, error);
}
