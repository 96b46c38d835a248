#include "view_match.h"

#include <halyard/robots.h>
#include <halyard/world.h>

#include <stdio.h>
#include <string.h>

// --------------------------------------------------------------------------- scene

// Robots of other kinds look the same on every field: of this one, their own, only they are used.
static void make_yard(hy_world_spec *yard)
{
    hy_world_spec_init(yard);
    snprintf(yard->name, sizeof yard->name, "yard");
    yard->height_m = 3;
    const hy_robot_type *type;
    for (size_t i = 0; (type = hy_robot_type_at(i)) != NULL; i++) {
        hy_vehicle_spec *const vehicle = hy_world_spec_add_vehicle(yard, type->variants[0].vehicle);
        if (vehicle != NULL) {
            vehicle->start_x_m = yard->width_m + 1.5;
            vehicle->start_y_m = 1.5;
            yard->width_m += 3;
        }
    }
}

bool view_guests_make(view_guests *self)
{
    hy_world_error error;
    hy_world_spec yard;
    make_yard(&yard);
    return hy_world_compile(&yard, &self->model, &error) == HY_OK &&
           hy_scene_make(&self->looks, self->model, (hy_point){ 0.0, 0.0 });
}

void view_guests_free(view_guests *self)
{
    hy_scene_free(&self->looks);
    hy_world_free(self->model);
    *self = (view_guests){ .model = NULL };
}

static void name(view_match *self, size_t index, const char *text)
{
    snprintf(self->names[index], sizeof self->names[index], "%s", text);
    self->robots[index].name = self->names[index];
}

/// What everybody looks like; a player that the file does not have, as its first one.
static void keep_looks(view_match *self, const hy_scene_of_world *scene, const hy_match_model *model)
{
    const unsigned count = hy_match_players(model);
    for (unsigned i = 0; i < HY_ICD_PLAYERS; i++) {
        hy_scene_robot *const player = &self->players[i];
        *player = scene->robots[hy_match_vehicle(model, i < count ? i + 1 : 1)];
        player->player = i + 1;
        if (player->alliance == NULL) {
            player->alliance = "Blue";
        }
    }
}

void view_match_start(view_match *self, const hy_scene_of_world *scene, const hy_match_model *model,
                      const view_guests *guests, int64_t now_us)
{
    *self = (view_match){ .scene = scene->scene, .kinds = &guests->looks.scene, .start_us = now_us };
    keep_looks(self, scene, model);
    self->scene.is_match = true;
    self->scene.robots = self->robots;
    self->scene.robot_count = hy_match_players(model);
    for (size_t i = 0; i < self->scene.robot_count; i++) {
        self->robots[i] = self->players[i];
        name(self, i, self->players[i].name != NULL ? self->players[i].name : "");
    }
}

static const char *alliance_of(const hy_icd_vehicle *vehicle)
{
    return vehicle->alliance == HY_ICD_BLUE ? "Blue" : "Red";
}

static bool has_changed(const view_match *self)
{
    const size_t vehicles = self->match.vehicle_count;
    bool changed = self->scene.robot_count != vehicles + self->guest_count;
    for (size_t i = 0; i < vehicles && !changed; i++) {
        const hy_icd_vehicle *const vehicle = &self->match.vehicle[i];
        changed = self->robots[i].player != i + 1 || strcmp(self->names[i], vehicle->team) != 0 ||
                  strcmp(self->robots[i].alliance, alliance_of(vehicle)) != 0;
    }
    for (size_t i = 0; i < self->guest_count && !changed; i++) {
        const hy_icd_robot *const guest = &self->guests[i];
        changed = strcmp(self->robots[vehicles + i].kind, guest->kind) != 0 ||
                  strcmp(self->names[vehicles + i], guest->name) != 0;
    }
    return changed;
}

static const hy_scene_robot *looks_of(const view_match *self, const hy_icd_robot *guest)
{
    for (size_t i = 0; i < self->kinds->robot_count; i++) {
        if (strcmp(self->kinds->robots[i].kind, guest->kind) == 0) {
            return &self->kinds->robots[i];
        }
    }
    return NULL;
}

/// Writing a scene costs more than a state, so only a new one is.
static hy_status show_scene(view_match *self, hy_view *view)
{
    if (!has_changed(self)) {
        return HY_OK;
    }
    const size_t vehicles = self->match.vehicle_count;
    for (size_t i = 0; i < vehicles; i++) {
        self->robots[i] = self->players[i];
        self->robots[i].alliance = alliance_of(&self->match.vehicle[i]);
        name(self, i, self->match.vehicle[i].team);
    }
    for (size_t i = 0; i < self->guest_count; i++) {
        self->robots[vehicles + i] = *looks_of(self, &self->guests[i]);
        name(self, vehicles + i, self->guests[i].name);
    }
    self->scene.robot_count = vehicles + self->guest_count;
    return hy_view_set_scene(view, &self->scene);
}

// --------------------------------------------------------------------------- state

static void keep_points(view_match *self, size_t index, const hy_icd_lidar *lidar)
{
    const size_t count = lidar->count < VIEW_MATCH_POINTS ? lidar->count : VIEW_MATCH_POINTS;
    if (count > VIEW_MATCH_POINTS - self->point_count[index]) {
        self->point_count[index] = 0; // nobody has looked for a while: the newest count
    }
    if (count > 0) {
        memcpy(&self->points[index][self->point_count[index]], lidar->points,
               count * sizeof *lidar->points);
        self->point_count[index] += count;
    }
}

void view_match_hear(view_match *self, int64_t arrived_us, int64_t now_us)
{
    for (size_t i = 0; i < self->match.vehicle_count; i++) {
        keep_points(self, i, &self->match.vehicle[i].lidar);
        self->match.vehicle[i].lidar =
            (hy_icd_lidar){ NULL, 0 }; // the reader's, and soon another message's
    }
    self->is_known = self->is_new = true;
    self->heard_us = now_us;
    self->state_us = state_clock_hear(&self->clock, arrived_us, HY_MATCH_STEP_US);
}

void view_match_tell(view_match *self, const hy_icd_status *status, int64_t now_us)
{
    self->guest_count = 0;
    for (size_t i = 0; i < status->robot_count && self->guest_count < VIEW_GUESTS; i++) {
        if (looks_of(self, &status->robot[i]) != NULL) {
            self->guests[self->guest_count++] = status->robot[i];
        }
    }
    self->speed = status->speed;
    self->step_us = status->step_us;
    self->refused = status->dropped;
    self->told_us = now_us;
}

static hy_scene_robot_state robot_of(view_match *self, size_t index)
{
    const hy_icd_vehicle *const v = &self->match.vehicle[index];
    return (hy_scene_robot_state){
        .x_m = v->x_m,
        .y_m = v->y_m,
        .heading_rad = v->theta_rad,
        .is_tank = true,
        .drive_rad_s = { v->left_drive_rad_s, v->right_drive_rad_s },
        .intake_rad_s = { v->intake_center_rad_s, v->intake_left_rad_s, v->intake_right_rad_s },
        .tube_rad_s = v->tube_rad_s,
        .lidar = { self->points[index], self->point_count[index] },
    };
}

static hy_scene_robot_state guest_of(const view_match *self, size_t index, int64_t now_us)
{
    const hy_icd_robot *const guest = &self->guests[index];
    return (hy_scene_robot_state){
        .x_m = guest->x_m,
        .y_m = guest->y_m,
        .heading_rad = guest->theta_rad,
        .is_guest = now_us - self->told_us < VIEW_STATUS_SILENT_US,
        .enabled = guest->enabled,
    };
}

/// Everybody, in the scene's order; returns how many.
static size_t gather(view_match *self, hy_scene_robot_state out[HY_SCENE_ROBOTS], int64_t now_us)
{
    size_t count = 0;
    for (size_t i = 0; i < self->match.vehicle_count; i++) {
        out[count++] = robot_of(self, i);
    }
    for (size_t i = 0; i < self->guest_count; i++) {
        out[count++] = guest_of(self, i, now_us);
    }
    return count;
}

void view_match_show(view_match *self, hy_view *view, int64_t now_us)
{
    const hy_icd_match *const match = &self->match;
    hy_scene_robot_state robots[HY_SCENE_ROBOTS];
    if (now_us - self->told_us >= VIEW_GUESTS_GONE_US) {
        self->guest_count = 0;
    }
    if (show_scene(self, view) != HY_OK) {
        return; // cannot be with names as short as these
    }
    const size_t robot_count = gather(self, robots, now_us);
    const hy_scene_state state = {
        .t_s = (self->state_us - (double)self->start_us) * 1e-6,
        .is_match = true,
        .blue_score = match->blue_score,
        .red_score = match->red_score,
        .timer_runs = match->timer_runs,
        .in_collision = match->in_collision,
        .timer_s = match->timer_s,
        .robots = robots,
        .robot_count = robot_count,
        .pieces = match->piece,
        .piece_count = match->piece_count,
        .is_sim_known = self->told_us > 0 && now_us - self->told_us < VIEW_STATUS_SILENT_US,
        .speed = self->speed,
        .step_us = self->step_us,
        .refused = self->refused,
    };
    hy_view_set_state(view, &state, now_us);
    memset(self->point_count, 0, sizeof self->point_count);
    self->is_new = false;
}
