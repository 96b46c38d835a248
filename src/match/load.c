#include "model.h"
#include "robot_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------------------- the world of a match

/// Puts the guests, who know the field's frame, into the world.
typedef struct {
    hy_world_guest guest[HY_WORLD_VEHICLES];
    hy_world_changes changes;
} changes_of_setup;

static void change(const hy_match_setup *setup, hy_world_point middle, changes_of_setup *out)
{
    for (size_t i = 0; i < setup->guest_count; i++) {
        out->guest[i] = setup->guests[i];
        out->guest[i].x_m += middle.x_m;
        out->guest[i].y_m += middle.y_m;
    }
    out->changes = (hy_world_changes){
        .drive = setup->drive,
        .tanks = setup->players > 0 ? setup->players : HY_MATCH_PLAYERS,
        .guests = out->guest,
        .guest_count = setup->guest_count,
    };
}

static hy_status check_setup(const hy_match_setup *setup, const char *name, hy_world_error *error)
{
    if (setup->players <= HY_MATCH_PLAYERS && setup->guest_count <= HY_WORLD_VEHICLES) {
        return HY_OK;
    }
    snprintf(error->text, sizeof error->text,
             "%s: a match has at most %d players, and with guests at most %d vehicles", name,
             HY_MATCH_PLAYERS, HY_WORLD_VEHICLES);
    return HY_ERANGE;
}

/// A message about the rewritten world tells the place in the file that it was made of.
static void tell_place(const hy_yaml *yaml, const hy_config_world *made, const hy_world_error *about)
{
    const char *text = about->text;
    char *end;
    if (strncmp(text, "w:", 2) == 0 && text[2] != ' ') { // w:LINE:COLUMN: what is wrong
        const unsigned long line = strtoul(text + 2, &end, 10);
        const char *what = strchr(end, ' ');
        if (line >= 1 && line <= made->lines && what != NULL) {
            const hy_yaml_mark from = made->line_from[line - 1];
            snprintf(yaml->error, yaml->error_size, "%s:%zu:%zu:%s", yaml->name, from.line + 1,
                     from.column + 1, what);
            return;
        }
    }
    snprintf(yaml->error, yaml->error_size, "%s: %s", yaml->name,
             strncmp(text, "w: ", 3) == 0 ? text + 3 : text);
}

static hy_status load_config(hy_yaml *yaml, const hy_match_setup *setup, hy_match_model *model)
{
    hy_config_world *made = malloc(sizeof *made);
    if (made == NULL) {
        hy_yaml_tell(yaml, HY_ESYSTEM, (hy_yaml_mark){ 0, 0 }, "there is not enough memory");
        return yaml->status;
    }
    hy_status status = hy_config_rewrite(yaml, made);
    changes_of_setup changes;
    if (status == HY_OK) {
        change(setup, made->middle, &changes);
        hy_world_error about = { "" };
        const hy_world_text text = { { (const uint8_t *)made->text, made->size }, "w", "" };
        model->middle = made->middle;
        status = hy_world_parse_changed(&text, &changes.changes, &model->world, &about);
        if (status != HY_OK) {
            tell_place(yaml, made, &about);
        }
    }
    free(made);
    return status;
}

static hy_status load_world(const hy_world_text *text, const hy_match_setup *setup,
                            hy_match_model *model, hy_world_error *error)
{
    // Where the guests start depends on how large the floor is: a first look tells.
    static const hy_world_changes none = { .tanks = 0 };
    hy_status status = hy_world_parse_changed(text, &none, &model->world, error);
    if (status != HY_OK) {
        return status;
    }
    const hy_world_facts facts = hy_world_describe(model->world);
    model->middle = (hy_world_point){ facts.width_m / 2, facts.height_m / 2 };
    hy_world_free(model->world);
    model->world = NULL;
    changes_of_setup changes;
    change(setup, model->middle, &changes);
    return hy_world_parse_changed(text, &changes.changes, &model->world, error);
}

// --------------------------------------------------------------------------- the match

/// Finds who is who. False if the world is not one for a match.
static bool find_vehicles(const hy_match_setup *setup, hy_match_model *model, const char *name,
                          hy_world_error *error)
{
    const hy_world_facts facts = hy_world_describe(model->world);
    if (facts.step_us != HY_MATCH_STEP_US) {
        snprintf(error->text, sizeof error->text, "%s: a match needs step_ms: %d", name,
                 HY_MATCH_STEP_US / 1000);
        return false;
    }
    for (size_t i = 0; i < facts.vehicles; i++) {
        const bool guest = i >= facts.vehicles - setup->guest_count;
        if (hy_world_tank_at(model->world, i) != NULL && !guest) {
            model->player_vehicle[model->players++] = i;
        } else {
            model->guest_vehicle[model->guests++] = i;
        }
    }
    if (model->players == 0 || model->players < setup->players) {
        snprintf(error->text, sizeof error->text,
                 "%s: this match is for %u players, but the world has %u vehicles of kind tank",
                 name, setup->players > 0 ? setup->players : 1, model->players);
        return false;
    }
    return true;
}

hy_status hy_match_parse(const hy_world_text *text, const hy_match_setup *setup,
                         hy_match_model **model, hy_world_error *error)
{
    *model = NULL;
    const char *name = text->name;
    hy_yaml yaml = { .name = name,
                     .folder = text->folder,
                     .text = text->yaml,
                     .error = error->text,
                     .error_size = sizeof error->text };
    if (check_setup(setup, name, error) != HY_OK) {
        return HY_ERANGE;
    }
    hy_match_model *made = calloc(1, sizeof *made);
    if (made == NULL) {
        snprintf(error->text, sizeof error->text, "%s: there is not enough memory", name);
        return HY_ESYSTEM;
    }
    bool is_config;
    hy_status status = hy_config_recognize(&yaml, &is_config);
    if (status == HY_OK) {
        status = is_config ? load_config(&yaml, setup, made) : load_world(text, setup, made, error);
    }
    if (status == HY_OK && !find_vehicles(setup, made, name, error)) {
        status = HY_ERANGE;
    }
    if (status != HY_OK) {
        hy_match_free(made);
        return status;
    }
    *model = made;
    return HY_OK;
}

hy_status hy_match_load(const char *path, const hy_match_setup *setup, hy_match_model **model,
                        hy_world_error *error)
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
    const hy_status parsed = hy_match_parse(
        &(hy_world_text){ { text.data, text.size }, path, folder }, setup, model, error);
    free(text.data);
    return parsed;
}

void hy_match_free(hy_match_model *model)
{
    if (model != NULL) {
        hy_world_free(model->world);
        free(model);
    }
}
