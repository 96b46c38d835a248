#include "page_fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene.h"

#define PUT(kind, name, unit, ...) \
    hy_text_put_key(out, #name);   \
    put_##kind(out, __VA_ARGS__);

#define PUT_IF(kind, name, unit, condition, ...) \
    if (condition) {                             \
        PUT(kind, name, unit, __VA_ARGS__)       \
    }

/// Writes an object of a list of page_fields.h.
#define PUT_OBJECT(FIELDS)     \
    do {                       \
        hy_text_put(out, "{"); \
        FIELDS(PUT, PUT_IF)    \
        hy_text_put(out, "}"); \
    } while (0)

/// Defines put_LIST(), which writes a list of such objects; in FIELDS each is called NAME.
#define DEFINE_PUT_LIST(list, T, name, FIELDS)                        \
    static void put_##list(hy_text *out, const T *list, size_t count) \
    {                                                                 \
        hy_text_put(out, "[");                                        \
        for (size_t i = 0; i < count; i++) {                          \
            const T *const name = &list[i];                           \
            hy_text_put_comma(out, i);                                \
            PUT_OBJECT(FIELDS);                                       \
        }                                                             \
        hy_text_put(out, "]");                                        \
    }

// --------------------------------------------------------------------------- kinds of values

static void put_number(hy_text *out, double value, int decimals)
{
    hy_text_put_number(out, value, decimals);
}

static void put_string_or_null(hy_text *out, const char *text)
{
    if (text == NULL) {
        hy_text_put(out, "null");
    } else {
        hy_text_put_string(out, text);
    }
}

static void put_string(hy_text *out, const char *text)
{
    put_string_or_null(out, text);
}

static void put_flag(hy_text *out, bool value)
{
    hy_text_put_flag(out, value);
}

/// Null if it is unknown: negative.
static void put_flag_or_null(hy_text *out, int value)
{
    if (value >= 0) {
        hy_text_put_flag(out, value > 0);
    } else {
        hy_text_put(out, "null");
    }
}

static void put_list(hy_text *out, const double *values, size_t count, int decimals)
{
    hy_text_put_list(out, values, count, decimals);
}

/// Null if it is unknown: negative or NaN.
static void put_number_or_null(hy_text *out, double value, int decimals)
{
    if (value >= 0.0) {
        hy_text_put_number(out, value, decimals);
    } else {
        hy_text_put(out, "null");
    }
}

// --------------------------------------------------------------------------- scene

static void put_outline(hy_text *out, const hy_scene_outline *outline)
{
    hy_text_put(out, "[");
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
    if (scene->mat_url == NULL) {
        hy_text_put(out, "null");
        return;
    }
    PUT_OBJECT(MAT_FIELDS);
}

static void put_cone(hy_text *out, const hy_scene_robot *robot)
{
    if (!robot->has_range_cone) {
        hy_text_put(out, "null");
        return;
    }
    hy_text_put_list(out,
                     (const double[]){ robot->range_at.x_m, robot->range_at.y_m,
                                       robot->range_half_rad, robot->range_far_m },
                     4, LENGTH);
}

static void put_places(hy_text *out, const hy_point *places, size_t count)
{
    hy_text_put(out, "[");
    for (size_t i = 0; i < count; i++) {
        hy_text_put_comma(out, i);
        hy_text_put_list(out, (const double[]){ places[i].x_m, places[i].y_m }, 2, LENGTH);
    }
    hy_text_put(out, "]");
}

DEFINE_PUT_LIST(walls, hy_scene_wall, wall, WALL_FIELDS)
DEFINE_PUT_LIST(goals, hy_scene_goal, goal, GOAL_FIELDS)
DEFINE_PUT_LIST(parts, hy_scene_part, part, PART_FIELDS)
DEFINE_PUT_LIST(wheels, hy_scene_wheel, wheel, WHEEL_FIELDS)
DEFINE_PUT_LIST(sensors, hy_scene_sensor, sensor, SENSOR_FIELDS)
DEFINE_PUT_LIST(events, hy_scene_event, event, EVENT_FIELDS)
static void put_traits(hy_text *out, const hy_robot_traits *traits)
{
    PUT_OBJECT(TRAITS_FIELDS);
}

DEFINE_PUT_LIST(robots, hy_scene_robot, robot, ROBOT_FIELDS)

DEFINE_PUT_LIST(phantoms, hy_scene_phantom, phantom, PHANTOM_FIELDS)

static void put_replay(hy_text *out, const hy_scene_replay *replay)
{
    PUT_OBJECT(REPLAY_FIELDS);
}

void hy_scene_write(hy_text *out, const hy_scene *scene)
{
    PUT_OBJECT(SCENE_FIELDS);
}

/// A scene that is written already.
static void put_scene(hy_text *out, hy_bytes scene)
{
    if (scene.size > out->room - out->size) {
        out->is_full = true;
        return;
    }
    memcpy(out->bytes + out->size, scene.data, scene.size);
    out->size += scene.size;
}

void hy_scene_write_hello(hy_text *out, const hy_scene_hello *hello, hy_bytes scene)
{
    PUT_OBJECT(HELLO_FIELDS);
}

// --------------------------------------------------------------------------- state

static void put_lidar(hy_text *out, const hy_icd_lidar *lidar)
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

static void put_scans(hy_text *out, const hy_icd_lidar *scans, size_t count)
{
    hy_text_put(out, "[");
    for (size_t i = 0; i < count; i++) {
        hy_text_put_comma(out, i);
        put_lidar(out, &scans[i]);
    }
    hy_text_put(out, "]");
}

static void put_values(hy_text *out, const hy_scene_value *values, size_t count)
{
    hy_text_put(out, "{");
    for (size_t i = 0; i < count; i++) {
        hy_text_put_comma(out, i);
        hy_text_put_string(out, values[i].name);
        hy_text_put(out, ":");
        hy_text_put_number(out, values[i].value, STAMP);
    }
    hy_text_put(out, "}");
}

static void put_readings(hy_text *out, const hy_world_reading *readings, size_t count)
{
    hy_text_put(out, "{");
    for (size_t i = 0; i < count; i++) {
        char key[HY_SENSOR_TEXT + 32];
        snprintf(key, sizeof key, "%s.%s", readings[i].sensor, readings[i].quantity);
        hy_text_put_key(out, key);
        hy_text_put_number(out, readings[i].value, LENGTH);
    }
    hy_text_put(out, "}");
}

/// Null where a sensor has not measured.
static void put_shades(hy_text *out, const double *shades, size_t count)
{
    hy_text_put(out, "[");
    for (size_t i = 0; i < count; i++) {
        hy_text_put_comma(out, i);
        put_number_or_null(out, shades[i], SHARE);
    }
    hy_text_put(out, "]");
}

static void put_pieces(hy_text *out, const hy_icd_piece *pieces, size_t count)
{
    hy_text_put(out, "[");
    for (size_t i = 0; i < count; i++) {
        const hy_icd_piece *const piece = &pieces[i];
        hy_text_put_comma(out, i);
        hy_text_put_list(out,
                         (const double[]){ piece->x_m, piece->y_m, piece->z_m, piece->ingestion },
                         4, LENGTH);
    }
    hy_text_put(out, "]");
}

static void put_match_state(hy_text *out, const hy_scene_state *state)
{
    PUT_OBJECT(MATCH_STATE_FIELDS);
}

static void put_sim_state(hy_text *out, const hy_scene_state *state)
{
    PUT_OBJECT(SIM_STATE_FIELDS);
}

static void put_replay_state(hy_text *out, const hy_scene_state *state)
{
    PUT_OBJECT(REPLAY_STATE_FIELDS);
}

static void put_run(hy_text *out, const hy_scene_state *state)
{
    PUT_OBJECT(RUN_FIELDS);
}

DEFINE_PUT_LIST(phantom_states, hy_scene_phantom_state, phantom, PHANTOM_STATE_FIELDS)
DEFINE_PUT_LIST(robot_states, hy_scene_robot_state, robot, ROBOT_STATE_FIELDS)

void hy_scene_write_state(hy_text *out, const hy_scene_state *state)
{
    PUT_OBJECT(STATE_FIELDS);
}

// --------------------------------------------------------------------------- the rest

static bool has_name(const char *name)
{
    return name != NULL && name[0] != '\0';
}

static void put_players(hy_text *out, const hy_scene_link *links, const hy_scene_driver *drivers,
                        size_t count)
{
    static const char *const names[] = { "nobody", "you", "other" };
    hy_text_put(out, "[");
    for (size_t i = 0; i < count; i++) {
        const hy_scene_link *const link = &links[i];
        const char *const name = drivers[i].name;
        const char *const owner =
            drivers[i].owner == HY_SCENE_NOBODY && link->is_bot ? "bot" : names[drivers[i].owner];
        hy_text_put_comma(out, i);
        PUT_OBJECT(PLAYER_FIELDS);
    }
    hy_text_put(out, "]");
}

void hy_scene_write_players(hy_text *out, const hy_scene_link *links,
                            const hy_scene_driver *drivers, size_t count)
{
    PUT_OBJECT(PLAYERS_FIELDS);
}

static void put_names(hy_text *out, const char *const *names, size_t count)
{
    hy_text_put(out, "[");
    for (size_t i = 0; i < count; i++) {
        hy_text_put_comma(out, i);
        hy_text_put_string(out, names[i]);
    }
    hy_text_put(out, "]");
}

void hy_scene_write_channels(hy_text *out, const char *const *names, size_t count)
{
    PUT_OBJECT(CHANNELS_FIELDS);
}

static void put_samples(hy_text *out, const hy_scene_series *series)
{
    hy_text_put(out, "[");
    for (size_t i = 0; i < series->count; i++) {
        hy_text_put_comma(out, i);
        hy_text_put_number(out, series->samples[i].t_s, STAMP);
        hy_text_put(out, ",");
        hy_text_put_number(out, series->samples[i].value, STAMP);
    }
    hy_text_put(out, "]");
}

DEFINE_PUT_LIST(series, hy_scene_series, one, SERIES_FIELDS)

void hy_scene_write_series(hy_text *out, double from_s, double to_s, const hy_scene_series *series,
                           size_t count)
{
    PUT_OBJECT(PLOT_FIELDS);
}

DEFINE_PUT_LIST(seats, hy_scene_seat, seat, SEAT_FIELDS)

void hy_scene_write_seats(hy_text *out, const hy_scene_seat *seats, size_t count)
{
    PUT_OBJECT(SEATS_FIELDS);
}

DEFINE_PUT_LIST(tunables, hy_scene_tunable, tunable, TUNABLE_FIELDS)
DEFINE_PUT_LIST(choosers, hy_scene_chooser, chooser, CHOOSER_FIELDS)

void hy_scene_write_tuning(hy_text *out, const hy_scene_tuning *tuning)
{
    PUT_OBJECT(TUNABLES_FIELDS);
}

void hy_scene_write_reset(hy_text *out, unsigned player, const char *name)
{
    PUT_OBJECT(RESET_FIELDS);
}

void hy_scene_write_word(hy_text *out, const char *type, const char *text)
{
    PUT_OBJECT(WORD_FIELDS);
}
