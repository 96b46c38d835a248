#include "board_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app.h"
#include "sim/mat_picture.h"

#define ROBOT   0 // in the world
#define MAT_URL "/mat.png"

#define POLL_PERIOD_US 200000 // for pages that say nothing

// --------------------------------------------------------------------------- scene

static void add_mat(board_view *self, const hy_sim *sim, bool has_picture)
{
    hy_scene *const scene = &self->scene.scene;
    if (has_picture) {
        const hy_world_facts facts = hy_world_describe(hy_sim_model(sim));
        scene->mat_url = MAT_URL;
        scene->mat_m[2] = facts.width_m;
        scene->mat_m[3] = facts.height_m;
    }
}

static void fit_robot(board_view *self, const hy_sim *sim)
{
    const hy_dialect *const channels = hy_board_dialect(hy_sim_board_at(sim, 0));
    hy_scene_robot *const one = &self->scene.robots[ROBOT];
    one->name = hy_world_describe(hy_sim_model(sim)).name;
    one->encoders = channels->encoders;
    one->servos = channels->servos;
}

bool board_view_open(board_view *self, const char *command, const page_place *place,
                     const hy_sim *sim, int64_t now_us)
{
    if (!hy_scene_make(&self->scene, hy_sim_model(sim), (hy_world_point){ 0.0, 0.0 })) {
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
    add_mat(self, sim, picture != NULL);
    fit_robot(self, sim);
    self->start_us = now_us;
    self->view = page_server_start(command, place, &options, &self->scene.scene);
    free(picture); // the server has its own
    if (self->view == NULL) {
        hy_scene_free(&self->scene);
        return false;
    }
    page_server_announce(self->view);
    return true;
}

void board_view_close(board_view *self)
{
    if (self->view != NULL) {
        hy_view_stop(self->view);
        hy_scene_free(&self->scene);
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

static hy_scene_robot_state robot_of(const hy_sim *sim, const hy_truth *truth)
{
    hy_sensors sensors;
    hy_world_read_sensors(hy_sim_model(sim), hy_sim_world(sim), ROBOT, &sensors);
    const hy_board *const board = hy_sim_board_at(sim, 0);
    const hy_dialect *const channels = hy_board_dialect(board);
    const hy_world_fittings fittings = hy_world_fittings_of(hy_sim_model(sim), ROBOT);
    hy_scene_robot_state out = {
        .x_m = truth->x_m,
        .y_m = truth->y_m,
        .heading_rad = truth->heading_rad,
        .is_board = true,
        .enabled = hy_board_is_enabled(board),
        .led = truth->led,
        .button = truth->button,
        .touching = truth->touching,
        .duty_count = channels->motors,
        .encoder_count = channels->encoders,
        .has_range = fittings.has_range,
        .range_m = sensors.range_m,
        .reflectance_count = fittings.has_reflectance ? HY_PIN_REFLECTANCE : 0,
        .servo_count = channels->servos,
        .battery_v = truth->battery_v,
    };
    memcpy(out.duty, truth->motor_duty, sizeof out.duty);
    memcpy(out.reflectance, sensors.reflectance, sizeof out.reflectance);
    memcpy(out.servo_rad, truth->servo_rad, sizeof out.servo_rad);
    for (size_t i = 0; i < channels->encoders; i++) {
        out.encoder_counts[i] = floor(sensors.encoder_counts[i]);
    }
    out.azimuth_count = hy_scene_azimuths(&fittings, truth, out.azimuth_rad);
    return out;
}

void board_view_show(board_view *self, const hy_sim *sim, int64_t now_us)
{
    if (self->view == NULL || !hy_view_wants_state(self->view, now_us)) {
        return;
    }
    hy_scene_robot_state robots[HY_SCENE_ROBOTS];
    const size_t vehicles = hy_world_describe(hy_sim_model(sim)).vehicles;
    const hy_truth truth = hy_sim_truth(sim, ROBOT);
    robots[ROBOT] = robot_of(sim, &truth);
    for (size_t i = ROBOT + 1; i < vehicles; i++) { // they only stand there
        const hy_truth other = hy_sim_truth(sim, i);
        robots[i] = (hy_scene_robot_state){ .x_m = other.x_m,
                                            .y_m = other.y_m,
                                            .heading_rad = other.heading_rad };
    }
    const hy_scene_state state = {
        .t_s = (double)(now_us - self->start_us) * 1e-6,
        .robots = robots,
        .robot_count = vehicles,
    };
    hy_view_set_state(self->view, &state, now_us);
}
