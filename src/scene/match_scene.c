#include "state_clock.h"

#include <stdio.h>
#include <string.h>

// --------------------------------------------------------------------------- scene

static void set_name(hy_scene_of_match *self, size_t index, const char *text)
{
    snprintf(self->names[index], sizeof self->names[index], "%s", text);
    self->robots[index].name = self->names[index];
}

/// The looks of each player; one that the match file does not have looks like its first player.
static void keep_looks(hy_scene_of_match *self, const hy_scene_of_world *scene,
                       const hy_match_model *model)
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

void hy_scene_of_match_init(hy_scene_of_match *self, const hy_scene_of_world *scene,
                            const hy_match_model *model, const hy_scene *extra_looks, int64_t now_us)
{
    *self =
        (hy_scene_of_match){ .scene = scene->scene, .extra_looks = extra_looks, .start_us = now_us };
    keep_looks(self, scene, model);
    self->scene.is_match = true;
    self->scene.robots = self->robots;
    self->scene.robot_count = hy_match_players(model);
    for (size_t i = 0; i < self->scene.robot_count; i++) {
        self->robots[i] = self->players[i];
        set_name(self, i, self->players[i].name != NULL ? self->players[i].name : "");
    }
}

static const char *alliance_of(const hy_icd_vehicle *vehicle)
{
    return vehicle->alliance == HY_ALLIANCE_RED ? "Red" : "Blue";
}

static bool has_changed(const hy_scene_of_match *self)
{
    const size_t vehicles = self->match.vehicle_count;
    bool changed = self->scene.robot_count != vehicles + self->extra_count;
    for (size_t i = 0; i < vehicles && !changed; i++) {
        const hy_icd_vehicle *const vehicle = &self->match.vehicle[i];
        changed = self->robots[i].player != i + 1 || strcmp(self->names[i], vehicle->team) != 0 ||
                  strcmp(self->robots[i].alliance, alliance_of(vehicle)) != 0;
    }
    for (size_t i = 0; i < self->extra_count && !changed; i++) {
        const hy_icd_robot *const extra = &self->extras[i];
        changed = strcmp(self->robots[vehicles + i].kind, extra->kind) != 0 ||
                  strcmp(self->names[vehicles + i], extra->name) != 0;
    }
    return changed;
}

static const hy_scene_robot *looks_of(const hy_scene_of_match *self, const hy_icd_robot *extra)
{
    for (size_t i = 0; i < self->extra_looks->robot_count; i++) {
        if (strcmp(self->extra_looks->robots[i].kind, extra->kind) == 0) {
            return &self->extra_looks->robots[i];
        }
    }
    return NULL;
}

bool hy_scene_of_match_update(hy_scene_of_match *self, int64_t now_us)
{
    if (now_us - self->status_us >= HY_SCENE_EXTRA_GONE_US) {
        self->extra_count = 0;
    }
    if (!has_changed(self)) {
        return false;
    }
    const size_t vehicles = self->match.vehicle_count;
    for (size_t i = 0; i < vehicles; i++) {
        self->robots[i] = self->players[i];
        self->robots[i].alliance = alliance_of(&self->match.vehicle[i]);
        set_name(self, i, self->match.vehicle[i].team);
    }
    for (size_t i = 0; i < self->extra_count; i++) {
        self->robots[vehicles + i] = *looks_of(self, &self->extras[i]);
        self->robots[vehicles + i].traits = NULL; // only its looks are known
        set_name(self, vehicles + i, self->extras[i].name);
    }
    self->scene.robot_count = vehicles + self->extra_count;
    return true;
}

// --------------------------------------------------------------------------- state

static void keep_points(hy_scene_of_match *self, size_t index, const hy_icd_lidar *lidar)
{
    const size_t count = lidar->count < HY_SCENE_SCAN_POINTS ? lidar->count : HY_SCENE_SCAN_POINTS;
    if (count > HY_SCENE_SCAN_POINTS - self->point_count[index]) {
        self->point_count[index] = 0; // no state was read for a while: keep the newest
    }
    if (count > 0) {
        memcpy(&self->points[index][self->point_count[index]], lidar->points,
               count * sizeof *lidar->points);
        self->point_count[index] += count;
    }
}

void hy_scene_of_match_receive(hy_scene_of_match *self, int64_t arrived_us)
{
    for (size_t i = 0; i < self->match.vehicle_count; i++) {
        keep_points(self, i, &self->match.vehicle[i].lidar);
        self->match.vehicle[i].lidar =
            (hy_icd_lidar){ NULL, 0 }; // the reader's, valid until its next message
    }
    self->is_known = self->is_new = true;
    self->state_us = hy_state_clock_receive(&self->clock, arrived_us, HY_MATCH_STEP_US);
}

void hy_scene_of_match_receive_status(hy_scene_of_match *self, const hy_icd_status *status,
                                      int64_t now_us)
{
    self->extra_count = 0;
    for (size_t i = 0; i < status->robot_count && self->extra_count < HY_SCENE_EXTRAS; i++) {
        if (looks_of(self, &status->robot[i]) != NULL) {
            self->extras[self->extra_count++] = status->robot[i];
        }
    }
    memcpy(self->links, status->player, sizeof self->links);
    self->speed = status->speed;
    self->step_us = status->step_us;
    self->refused = status->dropped;
    self->status_us = now_us;
}

static bool knows_status(const hy_scene_of_match *self, int64_t now_us)
{
    return self->status_us > 0 && now_us - self->status_us < HY_SCENE_STATUS_SILENT_US;
}

static hy_scene_robot_state robot_of(hy_scene_of_match *self, size_t index, int64_t now_us)
{
    const hy_icd_vehicle *const v = &self->match.vehicle[index];
    const hy_icd_player *const link = &self->links[index];
    const bool has_battery = knows_status(self, now_us) && link->battery_v > 0;
    return (hy_scene_robot_state){
        .has_battery = has_battery,
        .battery_v = link->battery_v,
        .browned_out = has_battery && link->browned_out,
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

static hy_scene_robot_state extra_of(const hy_scene_of_match *self, size_t index, int64_t now_us)
{
    const hy_icd_robot *const extra = &self->extras[index];
    return (hy_scene_robot_state){
        .x_m = extra->x_m,
        .y_m = extra->y_m,
        .heading_rad = extra->theta_rad,
        .is_extra = knows_status(self, now_us),
        .enabled = extra->enabled,
        .has_battery = knows_status(self, now_us) && extra->battery_v > 0,
        .battery_v = extra->battery_v,
    };
}

hy_scene_state hy_scene_of_match_state(hy_scene_of_match *self, int64_t now_us)
{
    const hy_icd_match *const match = &self->match;
    for (size_t i = 0; i < match->vehicle_count; i++) {
        self->states[i] = robot_of(self, i, now_us);
    }
    for (size_t i = 0; i < self->extra_count; i++) {
        self->states[match->vehicle_count + i] = extra_of(self, i, now_us);
    }
    memset(self->point_count, 0, sizeof self->point_count);
    self->is_new = false;
    return (hy_scene_state){
        .t_s = (self->state_us - (double)self->start_us) * 1e-6,
        .is_match = true,
        .blue_score = match->blue_score,
        .red_score = match->red_score,
        .timer_runs = match->timer_runs,
        .in_collision = match->in_collision,
        .timer_s = match->timer_s,
        .robots = self->states,
        .robot_count = match->vehicle_count + self->extra_count,
        .pieces = match->piece,
        .piece_count = match->piece_count,
        .is_sim_known = knows_status(self, now_us),
        .speed = self->speed,
        .step_us = self->step_us,
        .refused = self->refused,
    };
}
