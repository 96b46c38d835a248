#include "match_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "cmocka_all.h"
#include "scene/scene.h"

#define FOLDER HALYARD_TEST_DATA "/golden/traces/"

// --------------------------------------------------------------------------- files

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("cannot open %s", path);
        return NULL;
    }
    char *text = calloc(1, 1 << 18);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 18) - 1, file) > 0);
    fclose(file);
    return text;
}

static double number_at(yyjson_val *list, size_t index)
{
    return yyjson_get_num(yyjson_arr_get(list, index));
}

// --------------------------------------------------------------------------- what the reference did

static void read_step(yyjson_val *line, trace *out)
{
    const int index = yyjson_get_int(yyjson_obj_get(line, "step"));
    assert_in_range(index, 0, TRACE_STEPS - 1);
    trace_step *step = &out->step[index];
    step->blue = yyjson_get_int(yyjson_obj_get(line, "blue"));
    step->red = yyjson_get_int(yyjson_obj_get(line, "red"));
    step->collision = yyjson_get_bool(yyjson_obj_get(line, "coll"));
    yyjson_val *vehicles = yyjson_obj_get(line, "veh");
    yyjson_val *pieces = yyjson_obj_get(line, "balls");
    out->vehicles = (int)yyjson_arr_size(vehicles);
    for (size_t i = 0; i < yyjson_arr_size(vehicles); i++) {
        for (size_t k = 0; k < 3; k++) {
            step->pose[i][k] = number_at(yyjson_arr_get(vehicles, i), k);
        }
    }
    for (size_t i = 0; i < yyjson_arr_size(pieces); i++) {
        yyjson_val *piece = yyjson_arr_get(pieces, i);
        const size_t which = (size_t)number_at(piece, 0);
        assert_in_range(which, 0, TRACE_PIECES - 1);
        step->knows_piece[which] = true;
        step->state[which] = (int)number_at(piece, 1);
        for (size_t k = 0; k < 3; k++) {
            step->piece[which][k] = number_at(piece, 2 + k);
        }
        out->pieces = (int)which >= out->pieces ? (int)which + 1 : out->pieces;
    }
    out->steps = index;
}

static void read_points(yyjson_val *lidar, trace *out)
{
    yyjson_val *points = yyjson_obj_get(lidar, "points");
    for (size_t i = 0; i < yyjson_arr_size(points) && out->points < TRACE_POINTS; i++) {
        yyjson_val *point = yyjson_arr_get(points, i);
        out->azimuth_rad[out->points] = number_at(point, 0);
        out->range_m[out->points++] = number_at(point, 1);
    }
}

void trace_read(const char *name, const char *engine, trace *out)
{
    char path[512];
    memset(out, 0, sizeof *out);
    snprintf(path, sizeof path, FOLDER "%s.%s.jsonl", name, engine);
    char *text = read_text(path);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        yyjson_doc *document = yyjson_read(line, strlen(line), 0);
        assert_non_null(document);
        read_step(yyjson_doc_get_root(document), out);
        read_points(yyjson_obj_get(yyjson_doc_get_root(document), "lidar"), out);
        yyjson_doc_free(document);
    }
    free(text);
}

// --------------------------------------------------------------------------- the same scenario

static void append(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    const size_t length = strlen(text);
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

static void append_players(yyjson_val *players, char *text, size_t size)
{
    append(text, size, "players:\n");
    for (size_t i = 0; i < yyjson_arr_size(players); i++) {
        yyjson_val *player = yyjson_arr_get(players, i);
        append(
            text, size,
            "  - { team: \"%zu\", alliance: \"%s\", initialPosition: { x: %g, y: %g, theta: %g }, "
            "hasLidar: %s }\n",
            i + 1, yyjson_get_str(yyjson_arr_get(player, 0)), number_at(player, 1),
            number_at(player, 2), number_at(player, 3),
            yyjson_get_bool(yyjson_arr_get(player, 4)) ? "true" : "false");
    }
}

static void append_pieces(yyjson_val *pieces, char *text, size_t size)
{
    append(text, size, "initialPositions:\n");
    for (size_t i = 0; i < yyjson_arr_size(pieces); i++) {
        yyjson_val *piece = yyjson_arr_get(pieces, i);
        append(text, size, "      - { x: %g, y: %g }\n", number_at(piece, 0), number_at(piece, 1));
    }
}

static yyjson_doc *read_index(void)
{
    char *text = read_text(FOLDER "index.json");
    yyjson_doc *document = yyjson_read(text, strlen(text), 0);
    assert_non_null(document);
    free(text);
    return document;
}

char *trace_config(const char *name)
{
    const size_t size = 1 << 16;
    yyjson_doc *index = read_index();
    yyjson_val *scenario = yyjson_obj_get(yyjson_doc_get_root(index), name);
    assert_non_null(scenario);
    char *original = read_text(FOLDER "field2020.yml");
    char *made = calloc(1, size);
    assert_non_null(made);
    char *const joystick = strstr(original, "joystick:");
    char *const positions = strstr(original, "initialPositions:");
    char *const view = strstr(original, "simView:");
    assert_true(joystick != NULL && positions != NULL && view != NULL);
    yyjson_val *pieces = yyjson_obj_get(scenario, "balls_in");
    append_players(yyjson_obj_get(scenario, "players"), made, size);
    if (yyjson_is_arr(pieces)) {
        *positions = '\0';
        append(made, size, "%s", joystick);
        append_pieces(pieces, made, size);
        append(made, size, "%s", view);
    } else {
        append(made, size, "%s", joystick);
    }
    free(original);
    yyjson_doc_free(index);
    return made;
}

// --------------------------------------------------------------------------- playing it

/// A line of a script; a reset is one after whose step the world is reset.
typedef struct {
    int step, vehicle;
    hy_icd_commands commands;
} script_line;

typedef struct {
    int end, lines, reset_after;
    script_line line[32];
} script;

static script read_script(const char *name)
{
    yyjson_doc *index = read_index();
    yyjson_val *scenario = yyjson_obj_get(yyjson_doc_get_root(index), name);
    char text[1024];
    script out = { .reset_after = -1 };
    const char *lines = yyjson_get_str(yyjson_obj_get(scenario, "script"));
    snprintf(text, sizeof text, "%s", lines != NULL ? lines : "");
    yyjson_doc_free(index);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        script_line *next = &out.line[out.lines];
        hy_icd_commands *c = &next->commands;
        int pressed = 0;
        if (sscanf(line, "end %d", &out.end) == 1 ||
            sscanf(line, "reset %d", &out.reset_after) == 1 || strncmp(line, "lidar", 5) == 0) {
            continue;
        }
        assert_int_equal(sscanf(line, "%d %d %d %d %d %d %d %d %d", &next->step, &next->vehicle,
                                &c->left_drive, &c->right_drive, &c->intake_center, &c->intake_left,
                                &c->intake_right, &c->tube, &pressed),
                         9);
        c->outtake = pressed != 0;
        out.lines++;
    }
    return out;
}

static void look(const hy_match *match, trace_step *step)
{
    static hy_match_state state;
    static hy_icd_match seen;
    hy_match_read_state(match, &state);
    hy_icd_match_from_state(&state, &seen);
    step->blue = seen.blue_score;
    step->red = seen.red_score;
    step->collision = seen.in_collision;
    for (size_t i = 0; i < seen.vehicle_count; i++) {
        step->pose[i][0] = seen.vehicle[i].x_m;
        step->pose[i][1] = seen.vehicle[i].y_m;
        step->pose[i][2] = seen.vehicle[i].theta_rad;
    }
    for (size_t i = 0; i < seen.piece_count; i++) {
        step->knows_piece[i] = true;
        step->state[i] = (int)seen.piece[i].ingestion;
        step->piece[i][0] = seen.piece[i].x_m;
        step->piece[i][1] = seen.piece[i].y_m;
        step->piece[i][2] = seen.piece[i].z_m;
    }
}

static hy_match_model *load(const char *name, hy_world_drive drive)
{
    hy_match_spec spec;
    hy_match_model *model;
    hy_world_error error = { "" };
    char *text = trace_config(name);
    const hy_worldfile_text file = { { (const uint8_t *)text, strlen(text) }, name, "" };
    if (hy_worldfile_parse_match(&file, &spec, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    hy_world_spec_set_drive(&spec.world, drive);
    if (hy_match_compile(&spec, &model, &error) != HY_OK) {
        fail_msg("%s", error.text);
    }
    hy_match_spec_free(&spec);
    free(text);
    return model;
}

void trace_play(const char *name, hy_world_drive drive, trace *out)
{
    const script s = read_script(name);
    hy_match_model *model = load(name, drive);
    hy_match *match = NULL;
    (void)hy_match_open(model, &(hy_match_options){ .seed = 1 }, &match);
    assert_non_null(match);
    memset(out, 0, sizeof *out);
    hy_icd_commands commands[HY_ICD_PLAYERS] = { { 0 } };
    look(match, &out->step[0]);
    for (int step = 1; step <= s.end; step++) {
        const int64_t now_us = step * (int64_t)HY_MATCH_STEP_US;
        for (int i = 0; i < s.lines; i++) {
            if (s.line[i].step == step) {
                commands[s.line[i].vehicle] = s.line[i].commands;
            }
        }
        for (unsigned i = 0; i < hy_match_players(model); i++) {
            const hy_match_commands shares = hy_match_commands_from_icd(&commands[i]);
            hy_match_command(match, i + 1, &shares, now_us);
        }
        hy_match_step(match, now_us);
        look(match, &out->step[step]);
        if (step == s.reset_after) {
            hy_match_reset(match);
        }
    }
    out->steps = s.end;
    out->vehicles = (int)hy_match_players(model);
    out->pieces = (int)hy_world_describe(hy_match_world(model)).pieces;
    const hy_lidar_points lidar = hy_match_lidar(match, 1, TRACE_POINTS);
    for (size_t i = 0; i < lidar.count; i++) {
        out->azimuth_rad[out->points] = lidar.points[i].azimuth_rad;
        out->range_m[out->points++] = lidar.points[i].range_m;
    }
    hy_match_close(match);
    hy_match_free(model);
}
