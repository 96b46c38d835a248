// From a spec to a model.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regions.h"
#include "shapes/shape.h"
#include "spec_fields.h"
#include "vehicles/kind.h"

typedef struct {
    const hy_world_spec *spec;
    hy_world_model *model;
    hy_world_error *error;
} compilation;

/// Writes the sentence "SOURCE:LINE:COLUMN: why"; what of it is not known is left out. Returns `status`.
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
static hy_status
fail(const compilation *c, hy_status status, hy_spec_place place, const char *format, ...)
{
    char *const text = c->error->text;
    const size_t size = sizeof c->error->text;
    const char *source = c->spec->source;
    text[0] = '\0';
    if (source[0] != '\0' && place.line > 0) {
        snprintf(text, size, "%s:%u:%u: ", source, place.line, place.column);
    } else if (source[0] != '\0') {
        snprintf(text, size, "%s: ", source);
    }
    const size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
    return status;
}

static const hy_spec_place nowhere = { 0, 0 };
static const hy_spec_place file_begin = { 1, 1 };

// --------------------------------------------------------------------------- vehicles

/// Whether the numbers of each vehicle are in range, told with the place of the vehicle.
static hy_status check_vehicles(const compilation *c)
{
    hy_spec_sentence why;
    for (size_t i = 0; i < c->spec->vehicle_count && i < HY_WORLD_VEHICLES; i++) {
        const hy_vehicle_spec *vehicle = &c->spec->vehicle[i];
        if ((unsigned)vehicle->type < HY_VEHICLE_TYPES &&
            !hy_spec_check(hy_vehicle_spec_table(vehicle->type), vehicle, &why)) {
            return fail(c, HY_ERANGE, vehicle->place, "vehicle %zu (%s): %s", i + 1,
                        hy_vehicle_type_name(vehicle->type), why.text);
        }
    }
    return HY_OK;
}

static hy_status build_vehicles(const compilation *c)
{
    for (size_t i = 0; i < c->spec->vehicle_count; i++) {
        const hy_vehicle_spec *vehicle = &c->spec->vehicle[i];
        hy_vehicle_model *made = &c->model->vehicle[i];
        const char *wrong = hy_vehicle_build(vehicle, made);
        c->model->vehicle_count++; // also one that is not finished: what it holds is freed
        made->extra_first = c->model->extra_count;
        c->model->extra_count += made->extra_count;
        if (wrong != NULL) {
            return strcmp(wrong, HY_NO_MEMORY) == 0
                       ? HY_EMEMORY
                       : fail(c, HY_ERANGE, vehicle->place, "%s", wrong);
        }
    }
    return HY_OK;
}

static hy_status check_room_of(const compilation *c, size_t index)
{
    const char *where = hy_model_in_the_way(c->model, index);
    const hy_vehicle_spec *vehicle = &c->spec->vehicle[index];
    if (where == NULL) {
        return HY_OK;
    }
    return vehicle->place.line > 0
               ? fail(c, HY_ERANGE, vehicle->place, "vehicle %zu starts %s: move its start",
                      index + 1, where)
               : fail(c, HY_ERANGE, nowhere, "vehicle %zu (%s) starts %s: give it another start",
                      index + 1, hy_vehicle_type_name(vehicle->type), where);
}

/// Tells which vehicle has no room where it starts: first of those that were added to a file's.
static hy_status check_room(const compilation *c)
{
    for (int from_file = 0; from_file < 2; from_file++) {
        for (size_t i = 0; i < c->spec->vehicle_count; i++) {
            const bool is_from_file = c->spec->vehicle[i].place.line > 0;
            if (is_from_file == (from_file == 1) && check_room_of(c, i) != HY_OK) {
                return HY_ERANGE;
            }
        }
    }
    return HY_OK;
}

// --------------------------------------------------------------------------- the field

static hy_status build_mat(const compilation *c)
{
    const hy_mat_spec *spec = &c->spec->mat;
    hy_mat *mat = &c->model->mat;
    mat->floor_shade = c->spec->floor_shade;
    if (spec->cells == NULL) {
        return HY_OK;
    }
    const size_t cells = spec->columns * spec->rows;
    mat->cells = malloc(cells);
    if (mat->cells == NULL) {
        return HY_EMEMORY;
    }
    memcpy(mat->cells, spec->cells, cells);
    mat->columns = spec->columns;
    mat->rows = spec->rows;
    mat->corner_m = hy_vec_of(spec->corner_m);
    mat->cells_per_m_x = (double)mat->columns / spec->size_m.x_m;
    mat->cells_per_m_y = (double)mat->rows / spec->size_m.y_m;
    return HY_OK;
}

/// NULL, or why not.
static const char *build_obstacle(const hy_obstacle_spec *spec, hy_obstacle *obstacle)
{
    *obstacle = (hy_obstacle){
        .shape = spec->shape,
        .center = hy_pose_make(spec->center_m.x_m, spec->center_m.y_m, spec->angle_rad),
        .size_m = { spec->size_m.x_m, spec->size_m.y_m },
        .radius_m = spec->radius_m,
        .corner_count = spec->corner_count,
        .height_m = spec->height_m,
    };
    if (spec->shape == HY_OBSTACLE_BOX) {
        return NULL;
    }
    obstacle->center.heading_rad = 0;
    if (spec->shape == HY_OBSTACLE_DISC) {
        obstacle->center = hy_pose_make(spec->center_m.x_m, spec->center_m.y_m, 0);
        return NULL;
    }
    hy_point corners[HY_WORLD_CORNERS];
    memcpy(corners, spec->corners, sizeof corners);
    const char *wrong = hy_polygon_convex(corners, spec->corner_count);
    obstacle->center = hy_pose_make(0, 0, 0);
    for (size_t i = 0; i < spec->corner_count; i++) {
        obstacle->corner_m[i] = hy_vec_of(corners[i]);
    }
    return wrong;
}

static hy_status build_obstacles(const compilation *c)
{
    hy_world_model *model = c->model;
    model->obstacles = calloc(c->spec->obstacle_count + 1, sizeof *model->obstacles);
    if (model->obstacles == NULL) {
        return HY_EMEMORY;
    }
    for (size_t i = 0; i < c->spec->obstacle_count; i++) {
        const char *wrong = build_obstacle(&c->spec->obstacles[i], &model->obstacles[i]);
        if (wrong != NULL) {
            return fail(c, HY_ERANGE, nowhere, "obstacle %zu: %s", i + 1, wrong);
        }
        model->obstacle_count++;
    }
    return HY_OK;
}

static void build_regions(const compilation *c)
{
    for (size_t i = 0; i < c->spec->region_count; i++) {
        c->model->region[i] = hy_region_of(&c->spec->region[i]);
        c->model->has_ramps = c->model->has_ramps || c->model->region[i].slope_rad > 0;
    }
    c->model->region_count = c->spec->region_count;
}

static hy_status build_border(const compilation *c)
{
    hy_world_model *model = c->model;
    model->border_count = c->spec->border_count;
    memcpy(model->border, c->spec->border, sizeof model->border);
    const char *wrong = NULL;
    if (model->border_count > 0) {
        wrong = model->border_count < 3 ? "it needs 3 to 64 corners"
                                        : hy_polygon_simple(model->border, model->border_count);
    }
    return wrong == NULL ? HY_OK : fail(c, HY_ERANGE, nowhere, "floor: edge_m: %s", wrong);
}

static hy_status build_goals(const compilation *c)
{
    for (size_t i = 0; i < c->spec->goal_count; i++) {
        hy_world_goal *goal = &c->model->goal[i];
        *goal = c->spec->goal[i];
        const char *wrong = hy_polygon_convex(goal->corners, goal->count);
        if (wrong != NULL) {
            return fail(c, HY_ERANGE, nowhere, "goal %zu: %s", i + 1, wrong);
        }
        c->model->goal_count++;
    }
    return HY_OK;
}

static void build_pieces(const hy_pieces_spec *spec, hy_pieces_model *pieces)
{
    *pieces = (hy_pieces_model){ .count = spec->count,
                                 .radius_m = spec->radius_m,
                                 .mass_kg = spec->mass_kg,
                                 .friction = spec->friction,
                                 .restitution = spec->restitution,
                                 .rolling_m_s2 = spec->rolling_m_s2 };
    for (size_t i = 0; i < spec->count; i++) {
        pieces->at_m[i] = hy_vec_of(spec->at_m[i]);
    }
}

// --------------------------------------------------------------------------- all of it

static hy_status build_field(const compilation *c)
{
    const hy_world_spec *spec = c->spec;
    hy_world_model *model = c->model;
    memcpy(model->name, spec->name, sizeof model->name);
    memcpy(model->gltf, spec->gltf, sizeof model->gltf);
    for (size_t i = 0; i < spec->vehicle_count; i++) {
        memcpy(model->vehicle_gltf[i], spec->vehicle[i].gltf, sizeof model->vehicle_gltf[i]);
    }
    model->step_us = (int64_t)(spec->step_s * 1e6 + 0.5);
    model->step_s = (double)model->step_us / 1e6;
    model->width_m = spec->width_m;
    model->height_m = spec->height_m;
    model->wall_height_m = spec->wall_height_m;
    build_pieces(&spec->pieces, &model->pieces);
    build_regions(c);
    hy_status status = build_mat(c);
    status = status == HY_OK ? build_obstacles(c) : status;
    status = status == HY_OK ? build_border(c) : status;
    return status == HY_OK ? build_goals(c) : status;
}

#define SPEC_ROOM 65536 // bytes; most specs fit into them, and are then written once

static hy_status keep_spec(const compilation *c)
{
    hy_world_model *const model = c->model;
    size_t room;
    do {
        room = model->spec_size > SPEC_ROOM ? model->spec_size : SPEC_ROOM;
        free(model->spec);
        model->spec = malloc(room);
        if (model->spec == NULL) {
            return HY_EMEMORY;
        }
        model->spec_size = hy_world_spec_write(c->spec, (hy_room){ model->spec, room });
    } while (model->spec_size > room);
    return HY_OK;
}

static hy_status compile(const compilation *c)
{
    hy_spec_sentence why;
    if (check_vehicles(c) != HY_OK) {
        return HY_ERANGE;
    }
    if (!hy_spec_check(&hy_world_spec_table, c->spec, &why)) {
        return fail(c, HY_ERANGE, nowhere, "%s", why.text);
    }
    hy_status status = build_vehicles(c);
    if (status == HY_OK) {
        status = build_field(c);
    }
    if (status == HY_OK && !hy_model_prepare(c->model)) {
        status = HY_EMEMORY;
    }
    status = status == HY_OK ? keep_spec(c) : status;
    if (status != HY_OK) {
        return status;
    }
    const char *wrong = hy_model_check(c->model);
    return wrong != NULL ? fail(c, HY_ERANGE, file_begin, "%s", wrong) : check_room(c);
}

hy_status hy_world_compile(const hy_world_spec *spec, hy_world_model **model, hy_world_error *error)
{
    *model = NULL;
    const compilation c = { spec, calloc(1, sizeof **model), error };
    error->text[0] = '\0';
    const hy_status status = c.model != NULL ? compile(&c) : HY_EMEMORY;
    if (status == HY_OK) {
        *model = c.model;
        return HY_OK;
    }
    if (status == HY_EMEMORY) {
        fail(&c, HY_EMEMORY, file_begin, "there is not enough memory for this world");
    }
    hy_world_free(c.model);
    return status;
}
