#include <halyard/program_page.h>

#include <halyard/robot_find.h>
#include <halyard/worldfile.h>

#include <stdio.h>
#include <string.h>

#define POLL_PERIOD_US 200000 // for pages that say nothing

static unsigned buttons_of(const hy_sim *sim)
{
    unsigned buttons = 0;
    for (size_t i = 0; i < hy_sim_boards(sim); i++) {
        buttons |= 1U << hy_sim_board_vehicle(sim, i);
    }
    return buttons;
}

hy_status hy_program_page_open(hy_program_page *self, const hy_view_place *place, const hy_sim *sim,
                               const char *faults, hy_view_error *error)
{
    char installed[HY_WORLDFILE_PATH_MAX];
    hy_view_place all = *place;
    self->view = NULL;
    if (all.installed == NULL && hy_worldfile_installed("page", installed)) {
        all.installed = installed;
    }
    if (!hy_sim_scene_start(&self->scene, sim)) {
        (void)snprintf(error->text, sizeof error->text, "%s", hy_status_text(HY_EMEMORY));
        return HY_EMEMORY;
    }
    (void)hy_scene_draw_mat(&self->scene.world, hy_sim_model(sim)); // without memory: no mat
    self->scene.world.scene.faults = faults;
    if (self->phantoms != NULL) {
        hy_phantoms_show(self->phantoms, &self->scene.world.scene);
    }
    const hy_view_options options = { .buttons = buttons_of(sim), .can_reset = true, .can_tune = true };
    const hy_status status =
        hy_view_serve(&self->view, &all, &options, &self->scene.world.scene, error);
    if (status != HY_OK) {
        hy_sim_scene_end(&self->scene);
    }
    return status;
}

void hy_program_page_announce(hy_view *view, const char *may, bool on_stderr)
{
    FILE *const out = on_stderr ? stderr : stdout;
    char can[256], addresses[HY_ROBOT_REACHABLE_MAX], notice[HY_ROBOT_NOTICE_MAX];
    const hy_endpoint address = hy_view_address(view);
    (void)snprintf(can, sizeof can,
                   "can load the page, and %s if it has the token that ends these addresses; the "
                   "connection is not encrypted, so the token can be read on the way",
                   may);
    if (hy_robot_network_notice(&address, can, notice)) {
        hy_view_set_addresses(view, hy_robot_reachable_at(&address, addresses));
        if (hy_endpoint_is_every(&address)) {
            char *rest = addresses;
            for (const char *one; (one = strtok_r(rest, " ", &rest)) != NULL;) {
                (void)fprintf(out, "or, from another device, http://%s/#%s\n", one,
                              hy_view_token(view));
            }
        }
        (void)fprintf(out, "%s\n", notice);
    }
    (void)fflush(out);
}

void hy_program_page_close(hy_program_page *self)
{
    if (self->view != NULL) {
        hy_view_stop(self->view);
        hy_sim_scene_end(&self->scene);
        self->view = NULL;
    }
}

bool hy_program_page_poll(hy_program_page *self, int64_t now_us)
{
    self->polled_us = now_us;
    const unsigned happened = self->view != NULL ? hy_view_poll(self->view, now_us) : 0;
    self->is_stopped = self->is_stopped || (happened & HY_VIEW_STOP) != 0;
    return (happened & HY_VIEW_RESET) != 0;
}

bool hy_program_page_take_stop(hy_program_page *self)
{
    const bool is_stopped = self->is_stopped;
    self->is_stopped = false;
    return is_stopped;
}

bool hy_program_page_is_due(const hy_program_page *self, int64_t now_us)
{
    return self->view != NULL && now_us - self->polled_us > POLL_PERIOD_US;
}

bool hy_program_page_button(const hy_program_page *self, size_t vehicle, int64_t now_us)
{
    return self->view != NULL && hy_view_button(self->view, (unsigned)vehicle + 1, now_us);
}

bool hy_program_page_take_push(hy_program_page *self, size_t vehicle)
{
    return self->view != NULL && hy_view_take_push(self->view, (unsigned)vehicle + 1);
}

static void move_phantoms(hy_program_page *self, const hy_sim *sim)
{
    const hy_world_pose pose = hy_world_pose_of(hy_sim_world(sim), 0);
    const hy_phantoms_living living = {
        .t_s = hy_sim_simulated_s(sim),
        .x_m = pose.x_m,
        .y_m = pose.y_m,
        .heading_rad = pose.heading_rad,
        .is_running = hy_sim_boards(sim) > 0 && hy_board_is_enabled(hy_sim_board_at(sim, 0)),
    };
    hy_phantoms_move(self->phantoms, &living);
}

void hy_program_page_collect(hy_program_page *self, const hy_sim *sim)
{
    if (self->phantoms != NULL) {
        move_phantoms(self, sim); // also while nobody looks: laps are counted
    }
    if (self->view != NULL && hy_view_is_watched(self->view)) {
        hy_sim_scene_collect(&self->scene, sim);
    }
}

void hy_program_page_show(hy_program_page *self, const hy_sim *sim, int64_t now_us)
{
    if (self->view != NULL && hy_view_wants_state(self->view, now_us)) {
        hy_scene_state state = *hy_sim_scene_state(&self->scene, sim);
        if (self->phantoms != NULL) {
            hy_phantoms_put(self->phantoms, &state);
        }
        state.values = self->values;
        state.value_count = self->value_count;
        hy_view_set_state(self->view, &state, now_us);
    }
}
