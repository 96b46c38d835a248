// From a spec to what a match is played on.
#include "model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static hy_status
refuse(const hy_match_spec *spec, hy_world_error *error, const char *format, ...)
{
    const char *source = spec->world.source;
    error->text[0] = '\0';
    if (source[0] != '\0') {
        snprintf(error->text, sizeof error->text, "%s: ", source);
    }
    const size_t length = strlen(error->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text + length, sizeof error->text - length, format, arguments);
    va_end(arguments);
    return HY_ERANGE;
}

// --------------------------------------------------------------------------- edits

void hy_match_spec_free(hy_match_spec *spec)
{
    hy_world_spec_free(&spec->world);
}

hy_status hy_match_spec_set_players(hy_match_spec *spec, unsigned players, hy_world_error *error)
{
    const size_t tanks = hy_world_spec_tanks(&spec->world);
    if (players < 1 || players > tanks) {
        return refuse(spec, error,
                      "this match is for %u players, but the world has %zu vehicles of kind tank",
                      players, tanks);
    }
    hy_world_spec_keep_tanks(&spec->world, players);
    return HY_OK;
}

hy_vehicle_spec *hy_match_spec_add_vehicle(hy_match_spec *spec, const char *type, hy_point at_m,
                                           double heading_rad)
{
    hy_vehicle_spec *vehicle = hy_world_spec_add_vehicle(&spec->world, type);
    if (vehicle != NULL) {
        vehicle->start_x_m = at_m.x_m + spec->middle.x_m;
        vehicle->start_y_m = at_m.y_m + spec->middle.y_m;
        vehicle->start_heading_rad = heading_rad;
    }
    return vehicle;
}

bool hy_match_spec_add_lidar(hy_match_spec *spec, unsigned player)
{
    unsigned tanks = 0;
    for (size_t i = 0; i < spec->world.vehicle_count; i++) {
        hy_vehicle_spec *const vehicle = &spec->world.vehicle[i];
        if (vehicle->type != HY_VEHICLE_TANK || ++tanks != player) {
            continue;
        }
        if (hy_vehicle_spec_wired(vehicle, HY_SENSOR_LIDAR, 0) != NULL) {
            return true;
        }
        hy_sensor_spec *const lidar = hy_vehicle_spec_add_sensor(vehicle, HY_SENSOR_LIDAR);
        if (lidar != NULL) {
            lidar->wired = true;
        }
        return lidar != NULL;
    }
    return false;
}

// --------------------------------------------------------------------------- compiling

/// Finds who is who; the world is one for a match.
static void find_vehicles(hy_match_model *model)
{
    const hy_world_facts facts = hy_world_describe(model->world);
    for (size_t i = 0; i < facts.vehicles; i++) {
        if (hy_world_tank_at(model->world, i) != NULL) {
            model->player_vehicle[model->players++] = i;
        } else {
            model->extra_vehicle[model->extra_vehicles++] = i;
        }
    }
}

hy_status hy_match_compile(const hy_match_spec *spec, hy_match_model **model, hy_world_error *error)
{
    *model = NULL;
    hy_match_model *made = calloc(1, sizeof *made);
    if (made == NULL) {
        refuse(spec, error, "there is not enough memory");
        return HY_EMEMORY;
    }
    made->middle = spec->middle;
    hy_status status = hy_world_compile(&spec->world, &made->world, error);
    const size_t tanks = hy_world_spec_tanks(&spec->world);
    if (status == HY_OK && hy_world_describe(made->world).step_us != HY_MATCH_STEP_US) {
        status = refuse(spec, error, "a match needs step_ms: %d", HY_MATCH_STEP_US / 1000);
    }
    if (status == HY_OK && (tanks < 1 || tanks > HY_MATCH_PLAYERS)) {
        status = refuse(spec, error, "a match is for 1 to %d vehicles of kind tank, not %zu",
                        HY_MATCH_PLAYERS, tanks);
    }
    if (status != HY_OK) {
        hy_match_free(made);
        return status;
    }
    find_vehicles(made);
    *model = made;
    return HY_OK;
}

void hy_match_free(hy_match_model *model)
{
    if (model != NULL) {
        hy_world_free(model->world);
        free(model);
    }
}
