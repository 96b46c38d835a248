#include "board_view.h"

#include <stdlib.h>

#include "cli/app.h"
#include "sim/mat_picture.h"

#define ROBOT   0 // in the world
#define MAT_URL "/mat.png"

#define POLL_PERIOD_US 200000 // for pages that say nothing

// --------------------------------------------------------------------------- scene

static void add_mat(hy_scene *scene, const hy_sim *sim)
{
    const hy_world_facts facts = hy_world_describe(hy_sim_model(sim));
    scene->mat_url = MAT_URL;
    scene->mat_m[2] = facts.width_m;
    scene->mat_m[3] = facts.height_m;
}

bool board_view_open(board_view *self, const char *command, const page_place *place,
                     const hy_sim *sim, const char *faults)
{
    if (!hy_sim_scene_start(&self->scene, sim)) {
        app_error(command, "there is not enough memory");
        return false;
    }
    size_t size;
    uint8_t *const picture = mat_picture_make(hy_sim_model(sim), &size);
    const hy_web_file mat = { .path = MAT_URL, .type = "image/png", .bytes = { picture, size } };
    hy_view_options options = { .files = &mat,
                                .file_count = picture != NULL ? 1 : 0,
                                .buttons = 1U << ROBOT,
                                .can_reset = true };
    hy_scene *const scene = &self->scene.world.scene;
    scene->faults = faults;
    if (picture != NULL) {
        add_mat(scene, sim);
    }
    self->view = page_server_start(command, place, &options, scene);
    free(picture); // the server has its own
    if (self->view == NULL) {
        hy_sim_scene_end(&self->scene);
        return false;
    }
    page_server_announce(self->view);
    return true;
}

void board_view_close(board_view *self)
{
    if (self->view != NULL) {
        hy_view_stop(self->view);
        hy_sim_scene_end(&self->scene);
        self->view = NULL;
    }
}

// --------------------------------------------------------------------------- pages

bool board_view_poll(board_view *self, int64_t now_us)
{
    self->polled_us = now_us;
    return self->view != NULL && (hy_view_poll(self->view, now_us) & HY_VIEW_RESET) != 0;
}

bool board_view_is_due(const board_view *self, int64_t now_us)
{
    return self->view != NULL && now_us - self->polled_us > POLL_PERIOD_US;
}

bool board_view_button(const board_view *self, int64_t now_us)
{
    return self->view != NULL && hy_view_button(self->view, ROBOT + 1, now_us);
}

// --------------------------------------------------------------------------- state

void board_view_show(board_view *self, const hy_sim *sim, int64_t now_us)
{
    if (self->view != NULL && hy_view_wants_state(self->view, now_us)) {
        hy_view_set_state(self->view, hy_sim_scene_state(&self->scene, sim), now_us);
    }
}

void board_view_collect(board_view *self, const hy_sim *sim)
{
    if (self->view != NULL && hy_view_is_watched(self->view)) {
        hy_sim_scene_collect(&self->scene, sim);
    }
}
