#include "layouts.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "text/text.h"

#define GRID_PX 128 // Elastic's own

typedef enum {
    NEEDS_NOTHING,
    NEEDS_BOARD,
    NEEDS_RANGE,
    NEEDS_LINE,
    NEEDS_MATCH,
    NEEDS_TANK
} layout_need;

// A widget of Elastic: its place is counted in fields of the grid. A topic that does not begin with "/Match" is the robot's.
typedef struct {
    const char *title, *type, *topic;
    const char *more; ///< Further properties, as JSON.
    uint32_t need;
    uint8_t x, y, width, height;
} layout_widget;

static const layout_widget widgets[] = {
    { "Enabled", "Boolean Box", "/Enabled", "", NEEDS_BOARD, 0, 0, 1, 1 },
    { "Brownout", "Boolean Box", "/Brownout", "", NEEDS_TANK, 0, 0, 1, 1 },
    { "Touching", "Boolean Box", "/Touching", "", NEEDS_NOTHING, 1, 0, 1, 1 },
    { "Battery", "Voltage View", "/Battery", ",\"min_value\":0.0,\"max_value\":13.0", NEEDS_NOTHING,
      2, 0, 3, 1 },
    { "Battery, V", "Graph", "/Battery", ",\"time_displayed\":20.0", NEEDS_NOTHING, 0, 1, 3, 3 },
    { "Range, m", "Graph", "/Sensors/Range", ",\"time_displayed\":20.0,\"min_value\":0.0",
      NEEDS_RANGE, 3, 1, 3, 3 },
    { "Motors", "Text Display", "/Motors", "", NEEDS_BOARD, 6, 1, 3, 1 },
    { "Encoders", "Text Display", "/Sensors/Encoders", "", NEEDS_BOARD, 6, 2, 3, 1 },
    { "Reflectance", "Text Display", "/Sensors/Reflectance", "", NEEDS_LINE, 6, 3, 3, 1 },
    { "Commands a second", "Text Display", "/Link/CommandRate", "", NEEDS_BOARD, 5, 0, 2, 1 },
    { "Commands lost", "Text Display", "/Link/CommandsLost", "", NEEDS_BOARD, 7, 0, 2, 1 },
    { "Time", "Match Time", "/Match/Time", "", NEEDS_MATCH, 0, 4, 3, 1 },
    { "Blue", "Text Display", "/Match/Blue", "", NEEDS_MATCH, 3, 4, 1, 1 },
    { "Red", "Text Display", "/Match/Red", "", NEEDS_MATCH, 4, 4, 1, 1 },
    { "Pieces", "Text Display", "/Pieces", "", NEEDS_MATCH, 5, 4, 1, 1 },
};

static bool is_needed(const hy_scene *scene, const hy_scene_robot *robot, uint32_t need)
{
    const bool has_board = robot->encoders > 0;
    const bool is_there[] = {
        [NEEDS_NOTHING] = true,
        [NEEDS_BOARD] = has_board,
        [NEEDS_RANGE] = robot->has_range_cone,
        [NEEDS_LINE] = robot->reflectance_count > 0,
        [NEEDS_MATCH] = scene->is_match,
        [NEEDS_TANK] = scene->is_match && !has_board,
    };
    return is_there[need];
}

static const char *name_of(const hy_scene_robot *robot)
{
    const bool has_name = robot->name != NULL && robot->name[0] != '\0';
    return has_name ? robot->name : robot->kind != NULL ? robot->kind : "robot";
}

// Elastic takes places for 0 if they are written without a decimal point. Nothing here needs to be escaped.
static void put_widget(hy_text *text, const layout_widget *widget, const char *robot)
{
    char json[320];
    const bool is_match = strncmp(widget->topic, "/Match", 6) == 0;
    (void)snprintf(json, sizeof json,
                   "{\"title\":\"%s\",\"x\":%d.0,\"y\":%d.0,\"width\":%d.0,\"height\":%d.0,"
                   "\"type\":\"%s\",\"properties\":{\"topic\":\"%s%s\"%s}}",
                   widget->title, widget->x * GRID_PX, widget->y * GRID_PX, widget->width * GRID_PX,
                   widget->height * GRID_PX, widget->type, is_match ? "" : robot, widget->topic,
                   widget->more);
    hy_text_put(text, json);
}

static hy_bytes write_layout(const hy_scene *scene, size_t index, char bytes[LAYOUT_BYTES])
{
    const hy_scene_robot *const robot = &scene->robots[index];
    hy_text text = hy_text_in((hy_room){ (uint8_t *)bytes, LAYOUT_BYTES });
    char prefix[32] = "/Robot";
    size_t written = 0;
    if (scene->robot_count > 1) {
        (void)snprintf(prefix, sizeof prefix, "/Robot%zu", index + 1);
    }
    hy_text_put(&text, "{\"version\":1.0,\"grid_size\":128,\"tabs\":[{\"name\":");
    hy_text_put_string(&text, name_of(robot));
    hy_text_put(&text, ",\"grid_layout\":{\"layouts\":[],\"containers\":[");
    for (size_t i = 0; i < sizeof widgets / sizeof widgets[0]; i++) {
        if (is_needed(scene, robot, widgets[i].need)) {
            hy_text_put_comma(&text, written++);
            put_widget(&text, &widgets[i], prefix);
        }
    }
    hy_text_put(&text, "]}}]}");
    return (hy_bytes){ (const uint8_t *)bytes, text.size };
}

// "/2-3260.json": nothing in it that a client would write in another way.
static void write_path(const hy_scene *scene, size_t index, char path[LAYOUT_PATH_MAX])
{
    char number[24] = "";
    if (scene->robot_count > 1) {
        (void)snprintf(number, sizeof number, "%zu-", index + 1);
    }
    (void)snprintf(path, LAYOUT_PATH_MAX, "/%s%.24s.json", number, name_of(&scene->robots[index]));
    for (char *at = path + 1 + strlen(number); *at != '\0'; at++) {
        const bool is_plain = isalnum((unsigned char)*at) || (*at == '.' && strcmp(at, ".json") == 0);
        *at = is_plain ? *at : '-';
    }
}

size_t layouts_write(const hy_scene *scene, layout_memory *memory, hy_web_file files[LAYOUT_FILES])
{
    static const char json[] = "application/json";
    char *const list = memory->bytes[HY_SCENE_ROBOTS];
    hy_text text = hy_text_in((hy_room){ (uint8_t *)list, LAYOUT_BYTES });
    hy_text_put(&text, "{\"files\":[");
    for (size_t i = 0; i < scene->robot_count; i++) {
        write_path(scene, i, memory->path[i]);
        files[i] = (hy_web_file){ memory->path[i], json, write_layout(scene, i, memory->bytes[i]) };
        hy_text_put_comma(&text, i);
        hy_text_put(&text, "{\"name\":");
        hy_text_put_string(&text, memory->path[i] + 1);
        hy_text_put(&text, "}");
    }
    hy_text_put(&text, "]}");
    files[scene->robot_count] =
        (hy_web_file){ "/?format=json", json, { (const uint8_t *)list, text.size } };
    return scene->robot_count + 1;
}
