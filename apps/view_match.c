#include "view_match.h"

#include <stdio.h>
#include <string.h>

// --------------------------------------------------------------------------- scene

/// Names of its own, which the sim's replace; a robot that the file does not have looks like its first one.
static void dress(view_match *self, size_t index)
{
    hy_view_robot_scene *const robots = self->scene->robots;
    if (index >= self->scene->scene.robot_count) {
        robots[index] = robots[0];
    }
    const char *const name = robots[index].name != NULL ? robots[index].name : "";
    snprintf(self->teams[index], sizeof self->teams[index], "%s", name);
    robots[index].name = self->teams[index];
    robots[index].player = (unsigned)index + 1;
    if (robots[index].alliance == NULL) {
        robots[index].alliance = "Blue";
    }
}

void view_match_start(view_match *self, page_scene *scene, int64_t now_us)
{
    *self = (view_match){ .scene = scene, .start_us = now_us };
    scene->scene.is_match = true;
    for (size_t i = 0; i < HY_ICD_PLAYERS; i++) {
        dress(self, i);
    }
    if (scene->scene.robot_count > HY_ICD_PLAYERS) {
        scene->scene.robot_count = HY_ICD_PLAYERS;
    }
}

static const char *alliance_of(const hy_icd_vehicle *vehicle)
{
    return vehicle->alliance == HY_ICD_BLUE ? "Blue" : "Red";
}

static bool has_changed(const view_match *self)
{
    bool changed = self->scene->scene.robot_count != self->match.vehicle_count;
    for (size_t i = 0; i < self->match.vehicle_count && !changed; i++) {
        const hy_icd_vehicle *const vehicle = &self->match.vehicle[i];
        changed = strcmp(self->teams[i], vehicle->team) != 0 ||
                  strcmp(self->scene->robots[i].alliance, alliance_of(vehicle)) != 0;
    }
    return changed;
}

/// Writing a scene costs more than a state, so only a new one is.
static hy_status show_scene(view_match *self, hy_view *view)
{
    if (!has_changed(self)) {
        return HY_OK;
    }
    hy_view_scene *const scene = &self->scene->scene;
    scene->robot_count = self->match.vehicle_count;
    for (size_t i = 0; i < scene->robot_count; i++) {
        const hy_icd_vehicle *const vehicle = &self->match.vehicle[i];
        memcpy(self->teams[i], vehicle->team, sizeof self->teams[i]);
        self->scene->robots[i].alliance = alliance_of(vehicle);
    }
    return hy_view_set_scene(view, scene);
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

void view_match_hear(view_match *self, int64_t now_us)
{
    for (size_t i = 0; i < self->match.vehicle_count; i++) {
        keep_points(self, i, &self->match.vehicle[i].lidar);
        self->match.vehicle[i].lidar =
            (hy_icd_lidar){ NULL, 0 }; // the reader's, and soon another message's
    }
    self->is_known = self->is_new = true;
    self->heard_us = now_us;
}

static hy_view_robot robot_of(view_match *self, size_t index)
{
    const hy_icd_vehicle *const v = &self->match.vehicle[index];
    return (hy_view_robot){
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

void view_match_show(view_match *self, hy_view *view, int64_t now_us)
{
    const hy_icd_match *const match = &self->match;
    hy_view_robot robots[HY_ICD_PLAYERS];
    if (show_scene(self, view) != HY_OK) {
        return; // cannot be with names as short as these
    }
    for (size_t i = 0; i < match->vehicle_count; i++) {
        robots[i] = robot_of(self, i);
    }
    const hy_view_state state = {
        .t_s = (double)(self->heard_us - self->start_us) * 1e-6,
        .is_match = true,
        .blue_score = match->blue_score,
        .red_score = match->red_score,
        .timer_runs = match->timer_runs,
        .in_collision = match->in_collision,
        .timer_s = match->timer_s,
        .robots = robots,
        .robot_count = match->vehicle_count,
        .pieces = match->piece,
        .piece_count = match->piece_count,
    };
    hy_view_set_state(view, &state, now_us);
    memset(self->point_count, 0, sizeof self->point_count);
    self->is_new = false;
}
