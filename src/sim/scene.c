
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_scene.h"

// --------------------------------------------------------------------------- the scene

/// What a board makes of a vehicle.
static void add_board(hy_sim_scene *self, const hy_sim *sim, size_t board)
{
    const hy_dialect *const channels = hy_board_dialect(hy_sim_board_at(sim, board));
    hy_scene_robot *const robot = &self->world.robots[hy_sim_board_vehicle(sim, board)];
    robot->name = self->world.scene.title;
    robot->encoders = channels->encoders;
    robot->servos = channels->servos;
}

static void add_match(hy_sim_scene *self, const hy_sim *sim)
{
    const hy_match_model *const model = hy_sim_match_model(sim);
    self->world.scene.is_match = true;
    self->world.scene.match_s = hy_sim_match_s(sim);
    for (unsigned player = 1; player <= hy_match_players(model); player++) {
        self->world.robots[hy_match_vehicle(model, player)].player = player;
    }
}

static bool is_lidar(const hy_sim *sim, size_t vehicle, size_t sensor)
{
    return hy_world_extra_sensor_at(hy_sim_model(sim), vehicle, sensor)->type == HY_SENSOR_LIDAR;
}

static void count_scans(hy_sim_scene *self, const hy_sim *sim)
{
    for (size_t i = 0; i < self->world.scene.robot_count; i++) {
        self->first_scan[i] = self->scan_count++;
        for (size_t k = 0; k < self->world.robots[i].sensor_count; k++) {
            self->scan_count += is_lidar(sim, i, k);
        }
    }
}

bool hy_sim_scene_open(hy_sim_scene *self, const hy_sim *sim)
{
    const hy_match_model *const match = hy_sim_match_model(sim);
    *self = (hy_sim_scene){ .steps = hy_sim_steps(sim) };
    if (match != NULL) {
        self->middle = hy_match_middle(match);
    }
    if (!hy_scene_make(&self->world, hy_sim_model(sim), self->middle)) {
        return false;
    }
    count_scans(self, sim);
    // One more: of a size of 0 calloc() may give NULL, by the C standard.
    self->points = calloc(self->scan_count * HY_SIM_SCENE_POINTS + 1, sizeof *self->points);
    if (self->points == NULL) {
        hy_sim_scene_close(self);
        return false;
    }
    for (size_t i = 0; i < hy_sim_boards(sim); i++) {
        add_board(self, sim, i);
    }
    if (match != NULL) {
        add_match(self, sim);
    }
    return true;
}

void hy_sim_scene_close(hy_sim_scene *self)
{
    hy_scene_free(&self->world);
    free(self->points);
    self->points = NULL;
}

// --------------------------------------------------------------------------- lidars

// Scans that a state has shown.
static void drop_shown(hy_sim_scene *self)
{
    for (size_t i = 0; i < self->scan_count && self->were_shown; i++) {
        self->scans[i].count = 0;
    }
    self->were_shown = false;
}

static void add_scan(hy_sim_scene *self, size_t scan, const hy_world_echo *echoes, size_t count)
{
    hy_lidar_points *const kept = &self->scans[scan];
    hy_lidar_point *const points = &self->points[scan * HY_SIM_SCENE_POINTS];
    if (count > HY_SIM_SCENE_POINTS - kept->count) {
        kept->count = 0; // nobody has looked for a while: the newest count
    }
    for (size_t i = 0; i < count && kept->count < HY_SIM_SCENE_POINTS; i++) {
        points[kept->count++] =
            (hy_lidar_point){ .azimuth_rad = echoes[i].azimuth_rad, .range_m = echoes[i].range_m };
    }
    kept->points = points;
}

static void collect_vehicle(hy_sim_scene *self, const hy_sim *sim, size_t vehicle)
{
    size_t scan = self->first_scan[vehicle], count;
    const hy_world_echo *echoes = hy_world_echoes(hy_sim_world(sim), vehicle, &count);
    add_scan(self, scan++, echoes, count);
    for (size_t i = 0; i < self->world.robots[vehicle].sensor_count; i++) {
        if (is_lidar(sim, vehicle, i)) {
            echoes = hy_world_extra_sensor_echoes(hy_sim_model(sim), hy_sim_world(sim), vehicle, i,
                                                  &count);
            add_scan(self, scan++, echoes, count);
        }
    }
}

void hy_sim_scene_collect(hy_sim_scene *self, const hy_sim *sim)
{
    if (hy_sim_steps(sim) == self->steps) {
        return; // collected already
    }
    self->steps = hy_sim_steps(sim);
    drop_shown(self);
    for (size_t i = 0; i < self->world.scene.robot_count; i++) {
        collect_vehicle(self, sim, i);
    }
}

// --------------------------------------------------------------------------- the state

static void show_vehicle(hy_sim_scene *self, const hy_sim *sim, size_t vehicle)
{
    const hy_world_pose pose = hy_world_pose_of(hy_sim_world(sim), vehicle);
    const hy_world_battery battery =
        hy_world_battery_of(hy_sim_model(sim), hy_sim_world(sim), vehicle);
    const size_t first = self->first_scan[vehicle];
    const size_t end = vehicle + 1 < self->world.scene.robot_count ? self->first_scan[vehicle + 1]
                                                                   : self->scan_count;
    self->robots[vehicle] = (hy_scene_robot_state){
        .x_m = pose.x_m - self->middle.x_m,
        .y_m = pose.y_m - self->middle.y_m,
        .heading_rad = pose.heading_rad,
        .lidar = self->scans[first],
        .scans = &self->scans[first + 1],
        .scan_count = end - first - 1,
        .readings = self->readings[vehicle],
        .has_battery = battery.is_simulated,
        .battery_v = battery.volts,
        .browned_out = battery.browned_out,
    };
    self->robots[vehicle].reading_count = hy_world_read_extra_sensors(
        hy_sim_model(sim), hy_sim_world(sim), vehicle, self->readings[vehicle], HY_WORLD_READINGS);
}

static void show_board(hy_sim_scene *self, const hy_sim *sim, size_t index)
{
    const size_t vehicle = hy_sim_board_vehicle(sim, index);
    const hy_board *const board = hy_sim_board_at(sim, index);
    const hy_dialect *const channels = hy_board_dialect(board);
    const hy_truth truth = hy_sim_truth(sim, vehicle);
    const hy_world_fittings fittings = hy_world_fittings_of(hy_sim_model(sim), vehicle);
    hy_scene_robot_state *const out = &self->robots[vehicle];
    hy_sensors sensors;
    hy_world_read_sensors(hy_sim_model(sim), hy_sim_world(sim), vehicle, &sensors);
    out->is_board = true;
    out->enabled = hy_board_is_enabled(board);
    out->stopped = hy_board_is_stopped(board);
    out->driven = hy_board_owner(board).port != 0;
    out->led = truth.led;
    out->button = truth.button;
    out->touching = truth.touching;
    out->duty_count = channels->motors;
    out->encoder_count = channels->encoders;
    out->servo_count = channels->servos;
    out->has_range = fittings.has_range;
    out->range_m = sensors.range_m;
    out->reflectance_count = fittings.has_reflectance ? HY_PIN_REFLECTANCE : 0;
    memcpy(out->reflectance, sensors.reflectance, sizeof out->reflectance);
    memcpy(out->servo_rad, truth.servo_rad, sizeof out->servo_rad);
    for (size_t i = 0; i < HY_PIN_MOTORS; i++) { // as robot programs count: forward is positive
        out->duty[i] = fittings.motor_forward[i] * truth.motor_duty[i];
        out->encoder_counts[i] = floor(fittings.encoder_forward[i] * sensors.encoder_counts[i]);
    }
    out->azimuth_count = hy_scene_azimuths(&fittings, &truth, out->azimuth_rad);
}

static void show_players(hy_sim_scene *self, const hy_sim *sim)
{
    hy_match_state match;
    hy_match_read_state(hy_sim_match(sim), &match);
    self->state.is_match = true;
    self->state.blue_score = match.blue_score;
    self->state.red_score = match.red_score;
    self->state.timer_runs = match.timer_runs;
    self->state.timer_s = (double)match.timer_us * 1e-6;
    self->state.in_collision = match.in_collision;
    for (size_t i = 0; i < match.robot_count; i++) {
        const hy_match_robot *const from = &match.robot[i];
        const size_t vehicle = hy_match_vehicle(hy_sim_match_model(sim), (unsigned)i + 1);
        hy_scene_robot_state *const out = &self->robots[vehicle];
        out->is_tank = true;
        out->drive_rad_s[0] = from->left_drive_rad_s;
        out->drive_rad_s[1] = from->right_drive_rad_s;
        out->intake_rad_s[0] = from->intake_center_rad_s;
        out->intake_rad_s[1] = from->intake_left_rad_s;
        out->intake_rad_s[2] = from->intake_right_rad_s;
        out->tube_rad_s = from->tube_rad_s;
    }
}

static void show_pieces(hy_sim_scene *self, const hy_sim *sim)
{
    self->state.piece_count = hy_world_describe(hy_sim_model(sim)).pieces;
    for (size_t i = 0; i < self->state.piece_count; i++) {
        const hy_piece at = hy_world_piece(hy_sim_world(sim), i);
        hy_match_piece piece = { at.x_m - self->middle.x_m, at.y_m - self->middle.y_m, at.z_m,
                                 at.place, HY_ALLIANCE_NONE };
        if (at.place == HY_PIECE_GOAL) {
            piece.goal_side = hy_world_goal_at(hy_sim_model(sim), at.of)->side;
        }
        self->pieces[i] = hy_icd_piece_from_match(&piece);
    }
}

const hy_scene_state *hy_sim_scene_state(hy_sim_scene *self, const hy_sim *sim)
{
    drop_shown(self);
    self->were_shown = true;
    self->state = (hy_scene_state){
        .t_s = (double)hy_sim_now_us(sim) * 1e-6,
        .is_simulated = true,
        .simulated_s = hy_sim_simulated_s(sim),
        .robots = self->robots,
        .robot_count = self->world.scene.robot_count,
        .pieces = self->pieces,
    };
    for (size_t i = 0; i < self->state.robot_count; i++) {
        show_vehicle(self, sim, i);
    }
    for (size_t i = 0; i < hy_sim_boards(sim); i++) {
        show_board(self, sim, i);
    }
    if (hy_sim_match(sim) != NULL) {
        show_players(self, sim);
    }
    show_pieces(self, sim);
    return &self->state;
}
