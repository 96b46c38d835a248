#include "view_picture.h"

#include <halyard/link.h>
#include <halyard/robots.h>
#include <halyard/worldfile.h>

#include <stdio.h>

#include "options/options.h"

/// What robots of other kinds look like, on every field the same: they are drawn from a world that has one of each type.
static bool make_looks(view_picture *self)
{
    hy_world_error error;
    hy_world_spec spec;
    hy_world_spec_init(&spec);
    snprintf(spec.name, sizeof spec.name, "robot models");
    spec.height_m = 3;
    const hy_robot_type *type;
    for (size_t i = 0; (type = hy_robot_type_at(i)) != NULL; i++) {
        hy_vehicle_spec *const vehicle = hy_world_spec_add_vehicle(&spec, type->variants[0].vehicle);
        if (vehicle != NULL) {
            vehicle->start_x_m = spec.width_m + 1.5;
            vehicle->start_y_m = 1.5;
            spec.width_m += 3;
        }
    }
    return hy_world_compile(&spec, &self->robot_models, &error) == HY_OK &&
           hy_scene_make(&self->looks, self->robot_models, (hy_point){ 0.0, 0.0 });
}

bool view_picture_load(view_picture *self, const char *command, const view_picture_setup *setup)
{
    char path[HY_WORLDFILE_PATH_MAX];
    hy_world_error error;
    if (!hy_worldfile_find(setup->config, path, &error) ||
        hy_worldfile_load_match(path, &self->model, &error) != HY_OK) {
        hy_print_error(command, "%s", error.text);
        return false;
    }
    if (!hy_scene_make(&self->scene, hy_match_world(self->model), hy_match_middle(self->model)) ||
        !make_looks(self)) {
        hy_print_error(command, "there is not enough memory");
        return false;
    }
    if (!hy_host_phantoms_open(command, setup->phantoms, &self->scene.scene, &self->phantoms)) {
        return false;
    }
    if (self->phantoms != NULL) {
        hy_phantoms_show(self->phantoms, &self->scene.scene);
    }
    self->scene.scene.faults = setup->faults;
    self->scene.scene.match_s = setup->match_s > 0 ? setup->match_s : HY_MATCH_SECONDS;
    hy_scene_of_match_init(&self->match, &self->scene, self->model, &self->looks.scene,
                           hy_clock_now_us());
    return true;
}

void view_picture_free(view_picture *self)
{
    hy_phantoms_close(self->phantoms);
    hy_scene_free(&self->scene);
    hy_scene_free(&self->looks);
    hy_world_free(self->robot_models);
    hy_match_free(self->model);
}

// Time is that of the match: what is left of it falls.
static void move_phantoms(const view_picture *self)
{
    const hy_icd_match *const match = &self->match.match;
    if (self->phantoms != NULL && match->vehicle_count > 0) {
        const hy_icd_vehicle *const robot = &match->vehicle[0];
        const hy_phantoms_living living = { -match->timer_s, robot->x_m, robot->y_m,
                                            robot->theta_rad, match->timer_runs };
        hy_phantoms_move(self->phantoms, &living);
    }
}

void view_picture_receive(view_picture *self, int64_t at_us)
{
    hy_scene_of_match_receive(&self->match, at_us);
    move_phantoms(self);
}

void view_picture_show(view_picture *self, hy_view *view, int64_t now_us)
{
    if (self->match.is_new && hy_view_wants_state(view, now_us)) {
        if (hy_scene_of_match_update(&self->match, now_us) &&
            hy_view_set_scene(view, &self->match.scene) != HY_OK) {
            return; // cannot happen with names as short as these
        }
        hy_scene_state state = hy_scene_of_match_state(&self->match, now_us);
        if (self->phantoms != NULL) {
            hy_phantoms_put(self->phantoms, &state);
        }
        hy_view_set_state(view, &state, now_us);
    }
}
