#include <halyard/scene.h>

#include <stdio.h>
#include <string.h>

// Digits behind the point: a tenth of a millimetre, of a milliradian, and what a motor or a pixel shows.
#define LENGTH 4
#define ANGLE  4
#define RATE   3
#define RANGE  3
#define SHARE  3
#define TIME   3
#define STAMP  6 // pages draw between states: a thousandth of a second would show
#define FIGURE 1

static void put_number(hy_text *out, const char *key, double value, int decimals)
{
    hy_text_put_key(out, key);
    hy_text_put_number(out, value, decimals);
}

static void put_string(hy_text *out, const char *key, const char *text)
{
    hy_text_put_key(out, key);
    if (text == NULL) {
        hy_text_put(out, "null");
    } else {
        hy_text_put_string(out, text);
    }
}

static void put_flag(hy_text *out, const char *key, bool value)
{
    hy_text_put_key(out, key);
    hy_text_put_flag(out, value);
}

static void put_list(hy_text *out, const char *key, const double *values, size_t count, int decimals)
{
    hy_text_put_key(out, key);
    hy_text_put_list(out, values, count, decimals);
}

/// The key of a list of objects or lists, its beginning, and for each element its comma.
static void begin_list(hy_text *out, const char *key)
{
    hy_text_put_key(out, key);
    hy_text_put(out, "[");
}

/// Null if it is unknown: negative or NaN.
static void put_known(hy_text *out, const char *key, double value, int decimals)
{
    if (value >= 0.0) {
        put_number(out, key, value, decimals);
    } else {
        put_string(out, key, NULL);
    }
}

// --------------------------------------------------------------------------- scene

static void put_outline(hy_text *out, const hy_scene_outline *outline)
{
    begin_list(out, "points");
    for (size_t i = 0; i < outline->count; i++) {
        hy_text_put_comma(out, i);
        hy_text_put_number(out, outline->points[i].x_m, LENGTH);
        hy_text_put(out, ",");
        hy_text_put_number(out, outline->points[i].y_m, LENGTH);
    }
    hy_text_put(out, "]");
}

static void put_mat(hy_text *out, const hy_scene *scene)
{
    hy_text_put_key(out, "mat");
    if (scene->mat_url == NULL) {
        hy_text_put(out, "null");
        return;
    }
    hy_text_put(out, "{");
    put_string(out, "url", scene->mat_url);
    put_number(out, "x", scene->mat_m[0], LENGTH);
    put_number(out, "y", scene->mat_m[1], LENGTH);
    put_number(out, "width", scene->mat_m[2], LENGTH);
    put_number(out, "height", scene->mat_m[3], LENGTH);
    hy_text_put(out, "}");
}

static void put_field(hy_text *out, const hy_scene *scene)
{
    begin_list(out, "walls");
    for (size_t i = 0; i < scene->wall_count; i++) {
        hy_text_put_comma(out, i);
        hy_text_put(out, "{");
        put_number(out, "height", scene->walls[i].height_m, LENGTH);
        put_outline(out, &scene->walls[i].outline);
        hy_text_put(out, "}");
    }
    hy_text_put(out, "]");
    begin_list(out, "goals");
    for (size_t i = 0; i < scene->goal_count; i++) {
        hy_text_put_comma(out, i);
        hy_text_put(out, "{");
        put_string(out, "alliance", scene->goals[i].alliance == HY_ALLIANCE_BLUE ? "Blue" : "Red");
        put_outline(out, &scene->goals[i].outline);
        hy_text_put(out, "}");
    }
    hy_text_put(out, "]");
}

static void put_parts(hy_text *out, const hy_scene_robot *robot)
{
    begin_list(out, "parts");
    for (size_t i = 0; i < robot->part_count; i++) {
        hy_text_put_comma(out, i);
        hy_text_put(out, "{");
        put_string(out, "role", robot->parts[i].role);
        put_number(out, "low", robot->parts[i].low_m, LENGTH);
        put_number(out, "high", robot->parts[i].high_m, LENGTH);
        put_outline(out, &robot->parts[i].outline);
        hy_text_put(out, "}");
    }
    hy_text_put(out, "]");
    begin_list(out, "wheels");
    for (size_t i = 0; i < robot->wheel_count; i++) {
        hy_text_put_comma(out, i);
        hy_text_put(out, "{");
        put_number(out, "x", robot->wheels[i].x_m, LENGTH);
        put_number(out, "y", robot->wheels[i].y_m, LENGTH);
        put_number(out, "radius", robot->wheels[i].radius_m, LENGTH);
        put_number(out, "width", robot->wheels[i].width_m, LENGTH);
        hy_text_put(out, "}");
    }
    hy_text_put(out, "]");
}

static void put_sensors(hy_text *out, const hy_scene_robot *robot)
{
    if (robot->has_range_cone) {
        put_list(out, "range_cone",
                 (const double[]){ robot->range_at.x_m, robot->range_at.y_m, robot->range_half_rad,
                                   robot->range_far_m },
                 4, LENGTH);
    } else {
        put_string(out, "range_cone", NULL);
    }
    begin_list(out, "reflectance");
    for (size_t i = 0; i < robot->reflectance_count; i++) {
        hy_text_put_comma(out, i);
        hy_text_put_list(
            out, (const double[]){ robot->reflectance_at[i].x_m, robot->reflectance_at[i].y_m }, 2,
            LENGTH);
    }
    hy_text_put(out, "]");
    put_number(out, "encoders", robot->encoders, 0);
    put_number(out, "servos", robot->servos, 0);
}

static void put_further(hy_text *out, const hy_scene_robot *robot)
{
    begin_list(out, "sensors");
    for (size_t i = 0; i < robot->sensor_count; i++) {
        const hy_scene_sensor *const sensor = &robot->sensors[i];
        hy_text_put_comma(out, i);
        hy_text_put(out, "{");
        put_string(out, "name", sensor->name);
        put_string(out, "type", sensor->type);
        put_list(out, "at", (const double[]){ sensor->x_m, sensor->y_m, sensor->heading_rad }, 3,
                 LENGTH);
        put_number(out, "half_angle", sensor->half_rad, ANGLE);
        put_number(out, "far", sensor->far_m, LENGTH);
        hy_text_put(out, "}");
    }
    hy_text_put(out, "]");
}

static void put_replay(hy_text *out, const hy_scene_replay *replay)
{
    hy_text_put_key(out, "replay");
    hy_text_put(out, "{");
    put_number(out, "length", replay->length_s, STAMP);
    begin_list(out, "events");
    for (size_t i = 0; i < replay->event_count; i++) {
        const hy_scene_event *const event = &replay->events[i];
        hy_text_put_comma(out, i);
        hy_text_put(out, "{");
        put_number(out, "t", event->t_s, STAMP);
        put_string(out, "kind", event->kind);
        put_number(out, "robot", event->robot, 0);
        hy_text_put(out, "}");
    }
    hy_text_put(out, "]}");
}

void hy_scene_write(hy_text *out, const hy_scene *scene)
{
    hy_text_put(out, "{");
    put_string(out, "kind", scene->is_match ? "match" : "board");
    put_string(out, "title", scene->title);
    put_list(out, "floor", scene->floor_m, 4, LENGTH);
    put_number(out, "floor_shade", scene->floor_shade, SHARE);
    put_mat(out, scene);
    put_field(out, scene);
    put_number(out, "piece_radius", scene->piece_radius_m, LENGTH);
    if (scene->faults != NULL) {
        put_string(out, "faults", scene->faults);
    }
    if (scene->match_s > 0) {
        put_number(out, "match_seconds", scene->match_s, TIME);
    }
    if (scene->replay != NULL) {
        put_replay(out, scene->replay);
    }
    begin_list(out, "robots");
    for (size_t i = 0; i < scene->robot_count; i++) {
        const hy_scene_robot *const robot = &scene->robots[i];
        hy_text_put_comma(out, i);
        hy_text_put(out, "{");
        put_string(out, "kind", robot->kind);
        put_string(out, "name", robot->name);
        put_string(out, "alliance", robot->alliance);
        put_number(out, "player", robot->player, 0);
        put_parts(out, robot);
        put_sensors(out, robot);
        if (robot->sensor_count > 0) {
            put_further(out, robot);
        }
        hy_text_put(out, "}");
    }
    hy_text_put(out, "]}");
}

void hy_scene_write_hello(hy_text *out, bool may_command, hy_bytes scene)
{
    hy_text_put(out, "{\"type\":\"hello\",\"version\":1");
    put_flag(out, "may_command", may_command);
    hy_text_put_key(out, "scene");
    if (scene.size > out->room - out->size) {
        out->is_full = true;
        return;
    }
    memcpy(out->bytes + out->size, scene.data, scene.size);
    out->size += scene.size;
    hy_text_put(out, "}");
}

// --------------------------------------------------------------------------- state

static void put_tank(hy_text *out, const hy_scene_robot_state *robot)
{
    put_list(out, "drive", robot->drive_rad_s, 2, RATE);
    put_list(out, "intake", robot->intake_rad_s, 3, RATE);
    put_number(out, "tube", robot->tube_rad_s, RATE);
}

static void put_points(hy_text *out, const hy_icd_lidar *lidar)
{
    hy_text_put(out, "[");
    for (size_t i = 0; i < lidar->count; i++) {
        hy_text_put_comma(out, i);
        hy_text_put_number(out, lidar->points[i].azimuth_rad, ANGLE);
        hy_text_put_comma(out, 1);
        hy_text_put_number(out, lidar->points[i].range_m, RANGE);
    }
    hy_text_put(out, "]");
}

static void put_scans(hy_text *out, const hy_scene_robot_state *robot)
{
    begin_list(out, "scans");
    for (size_t i = 0; i < robot->scan_count; i++) {
        hy_text_put_comma(out, i);
        put_points(out, &robot->scans[i]);
    }
    hy_text_put(out, "]");
}

static void put_readings(hy_text *out, const hy_scene_robot_state *robot)
{
    hy_text_put_key(out, "readings");
    hy_text_put(out, "{");
    for (size_t i = 0; i < robot->reading_count; i++) {
        const hy_world_reading *const reading = &robot->readings[i];
        char key[HY_SENSOR_TEXT + 32];
        snprintf(key, sizeof key, "%s.%s", reading->sensor, reading->quantity);
        put_number(out, key, reading->value, LENGTH);
    }
    hy_text_put(out, "}");
}

static void put_some(hy_text *out, const char *key, const double *values, size_t count, int decimals)
{
    if (count > 0) {
        put_list(out, key, values, count, decimals);
    }
}

/// What has not measured is less than 0: null.
static void put_reflectance(hy_text *out, const hy_scene_robot_state *robot)
{
    if (robot->reflectance_count == 0) {
        return;
    }
    begin_list(out, "reflectance");
    for (size_t i = 0; i < robot->reflectance_count; i++) {
        hy_text_put_comma(out, i);
        if (robot->reflectance[i] >= 0.0) {
            hy_text_put_number(out, robot->reflectance[i], SHARE);
        } else {
            hy_text_put(out, "null");
        }
    }
    hy_text_put(out, "]");
}

static void put_board(hy_text *out, const hy_scene_robot_state *robot)
{
    put_some(out, "duty", robot->duty, robot->duty_count, SHARE);
    put_some(out, "encoders", robot->encoder_counts, robot->encoder_count, 0);
    if (robot->has_range) {
        put_known(out, "range", robot->range_m, RANGE);
    }
    put_reflectance(out, robot);
    put_some(out, "servos", robot->servo_rad, robot->servo_count, ANGLE);
    put_some(out, "azimuths", robot->azimuth_rad, robot->azimuth_count, ANGLE);
    put_flag(out, "led", robot->led);
    put_flag(out, "button", robot->button);
    put_flag(out, "touching", robot->touching);
    put_number(out, "battery", robot->battery_v, RATE);
}

static void put_robot(hy_text *out, const hy_scene_robot_state *robot)
{
    hy_text_put(out, "{");
    put_list(out, "at", (const double[]){ robot->x_m, robot->y_m, robot->heading_rad }, 3, LENGTH);
    if (robot->is_tank) {
        put_tank(out, robot);
    }
    if (robot->lidar.count > 0) {
        hy_text_put_key(out, "lidar");
        put_points(out, &robot->lidar);
    }
    if (robot->scan_count > 0) {
        put_scans(out, robot);
    }
    if (robot->reading_count > 0) {
        put_readings(out, robot);
    }
    if (robot->is_board || robot->is_guest) {
        put_flag(out, "enabled", robot->enabled);
    }
    if (robot->is_board) {
        put_board(out, robot);
    }
    hy_text_put(out, "}");
}

static void put_pieces(hy_text *out, const hy_scene_state *state)
{
    begin_list(out, "pieces");
    for (size_t i = 0; i < state->piece_count; i++) {
        const hy_icd_piece *const piece = &state->pieces[i];
        hy_text_put_comma(out, i);
        hy_text_put_list(out,
                         (const double[]){ piece->x_m, piece->y_m, piece->z_m, piece->ingestion },
                         4, LENGTH);
    }
    hy_text_put(out, "]");
}

/// What the sim says of itself.
static void put_sim(hy_text *out, const hy_scene_state *state)
{
    hy_text_put_key(out, "sim");
    hy_text_put(out, "{");
    put_number(out, "speed", state->speed, SHARE);
    put_number(out, "step_us", state->step_us, FIGURE);
    put_number(out, "refused", state->refused, 0);
    hy_text_put(out, "}");
}

void hy_scene_write_state(hy_text *out, const hy_scene_state *state)
{
    hy_text_put(out, "{\"type\":\"state\"");
    put_number(out, "t", state->t_s, STAMP);
    if (state->is_simulated) {
        put_number(out, "simulated", state->simulated_s, STAMP);
    }
    if (state->is_match) {
        hy_text_put_key(out, "match");
        hy_text_put(out, "{");
        put_number(out, "blue", state->blue_score, 0);
        put_number(out, "red", state->red_score, 0);
        put_flag(out, "runs", state->timer_runs);
        put_number(out, "timer", state->timer_s, TIME);
        put_flag(out, "collision", state->in_collision);
        hy_text_put(out, "}");
    }
    if (state->is_sim_known) {
        put_sim(out, state);
    }
    if (state->is_replay) {
        hy_text_put_key(out, "replay");
        hy_text_put(out, "{");
        put_number(out, "at", state->replay_s, STAMP);
        put_number(out, "pace", state->pace, SHARE);
        hy_text_put(out, "}");
    }
    begin_list(out, "robots");
    for (size_t i = 0; i < state->robot_count; i++) {
        hy_text_put_comma(out, i);
        put_robot(out, &state->robots[i]);
    }
    hy_text_put(out, "]");
    put_pieces(out, state);
    hy_text_put(out, "}");
}

// --------------------------------------------------------------------------- the rest

/// A flag that may be unknown: negative.
static void put_perhaps(hy_text *out, const char *key, int value)
{
    if (value >= 0) {
        put_flag(out, key, value > 0);
    } else {
        put_string(out, key, NULL);
    }
}

void hy_scene_write_players(hy_text *out, const hy_scene_link *links, const hy_scene_owner *owners,
                            size_t count)
{
    static const char *const names[] = { "nobody", "you", "other" };
    hy_text_put(out, "{\"type\":\"players\"");
    begin_list(out, "players");
    for (size_t i = 0; i < count; i++) {
        hy_text_put_comma(out, i);
        hy_text_put(out, "{");
        put_number(out, "player", links[i].player, 0);
        put_string(out, "owner", names[owners[i]]);
        put_perhaps(out, "core", links[i].core);
        put_flag(out, "sim", links[i].sim);
        put_known(out, "rate_hz", links[i].rate_hz, FIGURE);
        put_known(out, "age_ms", links[i].age_ms, FIGURE);
        put_known(out, "loss", links[i].loss, LENGTH);
        put_known(out, "latency_ms", links[i].latency_ms, FIGURE);
        put_perhaps(out, "heard", links[i].heard);
        put_known(out, "core_rate_hz", links[i].core_rate_hz, FIGURE);
        put_known(out, "core_age_ms", links[i].core_age_ms, FIGURE);
        put_known(out, "core_latency_ms", links[i].core_latency_ms, FIGURE);
        hy_text_put(out, "}");
    }
    hy_text_put(out, "]}");
}

void hy_scene_write_word(hy_text *out, const char *type, const char *text)
{
    hy_text_put(out, "{");
    put_string(out, "type", type);
    put_string(out, "text", text);
    hy_text_put(out, "}");
}
