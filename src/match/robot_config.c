// SPEC match, "The reference's robotConfig.yml": which keys are read and what becomes of them.
#include "robot_config.h"

#include <halyard/match.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INCH_M   0.0254
#define POUND_KG 0.45359237
#define FAR_IN   4000
#define BORDER   64

// --------------------------------------------------------------------------- what the file says

typedef struct {
    double x, y;
} point;

typedef struct {
    point at[BORDER];
    size_t count;
    hy_yaml_mark from;
} polygon;

typedef struct {
    char team[sizeof((hy_world_tank){ 0 }.team)];
    bool is_blue, has_lidar;
    double x, y, heading_deg;
    hy_yaml_mark from;
} player;

/// Lengths in inches.
typedef struct {
    player player[HY_MATCH_PLAYERS];
    size_t players;
    polygon exterior, wall[8], goal[2], body[4], bumper[6], region[4], pieces;
    point outtake[2];
    hy_yaml_mark vehicle_from, piece_from;
    double weight_lb, wheel_base, wheel_track, wheel_radius, drive_rpm[2], intake_rpm[4];
    double lidar_near_m, lidar_far_m, lidar_rays, lidar_sweeps;
    double piece_radius;
} config;

// --------------------------------------------------------------------------- its keys

#define NUMBER(type_, key_, member_, low_, high_)                                                  \
    {                                                                                              \
        .key = key_, .type = HY_YAML_NUMBER, .required = true, .offset = offsetof(type_, member_), \
        .low = low_, .high = high_                                                                 \
    }
#define SECTION(key_, table_)                                                  \
    {                                                                          \
        .key = key_, .type = HY_YAML_MAP, .required = true, .table = &(table_) \
    }
#define CORNERS(key_, member_)                                                      \
    {                                                                               \
        .key = key_, .type = HY_YAML_OTHER, .required = true, .read = read_corners, \
        .offset = offsetof(config, member_), .high = BORDER                         \
    }

static const hy_yaml_field point_fields[] = {
    NUMBER(point, "x", x, -FAR_IN, FAR_IN),
    NUMBER(point, "y", y, -FAR_IN, FAR_IN),
};
static const hy_yaml_table point_table = HY_YAML_OPEN_TABLE("a position", point_fields);

/// A list of at least one position; a polygon's has three.
static bool read_points(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, size_t least,
                        polygon *into)
{
    const hy_yaml_span span = { least, (size_t)field->high };
    if (!hy_yaml_list(yaml, field->key, node, span, &into->count)) {
        return false;
    }
    into->from = hy_yaml_where(node);
    for (size_t i = 0; i < into->count; i++) {
        if (!hy_yaml_map(yaml, &point_table, hy_yaml_item(yaml, node, i), &into->at[i])) {
            return false;
        }
    }
    return true;
}

static bool read_corners(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    return read_points(yaml, field, node, 3, (polygon *)(void *)((char *)target + field->offset));
}

static bool read_piece_positions(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                                 void *target)
{
    return read_points(yaml, field, node, 1, &((config *)target)->pieces);
}

static bool read_alliance(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    const char *text = hy_yaml_text(yaml, field->key, node);
    ((player *)target)->is_blue = text != NULL && strcmp(text, "Blue") == 0;
    return text != NULL; // what is not blue is red, as in the reference
}

static bool read_team(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    const char *text = hy_yaml_peek(node);
    if (text == NULL) {
        return hy_yaml_fail(yaml, HY_EFORMAT, node, "%s needs some text here", field->key);
    }
    player *self = target;
    size_t size = strlen(text) < sizeof self->team ? strlen(text) : sizeof self->team - 1;
    while (size > 0 && size < strlen(text) && ((unsigned char)text[size] & 0xc0) == 0x80) {
        size--; // a character is not torn
    }
    memcpy(self->team, text, size);
    return true;
}

static bool read_has_lidar(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node,
                           void *target)
{
    const char *text = hy_yaml_peek(node);
    const bool yes = text != NULL && (strcmp(text, "true") == 0 || strcmp(text, "True") == 0);
    const bool no = text != NULL && (strcmp(text, "false") == 0 || strcmp(text, "False") == 0);
    ((player *)target)->has_lidar = yes;
    return yes || no || hy_yaml_fail(yaml, HY_EFORMAT, node, "%s is true or false", field->key);
}

static const hy_yaml_field pose_fields[] = {
    NUMBER(player, "x", x, -FAR_IN, FAR_IN),
    NUMBER(player, "y", y, -FAR_IN, FAR_IN),
    NUMBER(player, "theta", heading_deg, -360, 360),
};
static const hy_yaml_table pose_table = HY_YAML_OPEN_TABLE("an initialPosition", pose_fields);

static const hy_yaml_field player_fields[] = {
    { .key = "team", .type = HY_YAML_OTHER, .required = true, .read = read_team },
    { .key = "alliance", .type = HY_YAML_OTHER, .required = true, .read = read_alliance },
    SECTION("initialPosition", pose_table),
    { .key = "hasLidar", .type = HY_YAML_OTHER, .required = true, .read = read_has_lidar },
};
static const hy_yaml_table player_table = HY_YAML_OPEN_TABLE("a player", player_fields);

static bool read_players(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    config *self = target;
    if (!hy_yaml_list(yaml, field->key, node, (hy_yaml_span){ 1, HY_MATCH_PLAYERS }, &self->players)) {
        return false;
    }
    for (size_t i = 0; i < self->players; i++) {
        hy_yaml_node *item = hy_yaml_item(yaml, node, i);
        self->player[i].from = hy_yaml_where(item);
        if (!hy_yaml_map(yaml, &player_table, item, &self->player[i])) {
            return false;
        }
    }
    return true;
}

static bool read_outtake(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    return hy_yaml_map(yaml, &point_table, node, (char *)target + field->offset);
}

static const hy_yaml_field field_fields[] = {
    CORNERS("exteriorWall", exterior),
    CORNERS("rightTrenchRightWall", wall[0]),
    CORNERS("rightTrenchLeftWall", wall[1]),
    CORNERS("leftTrenchRightWall", wall[2]),
    CORNERS("leftTrenchLeftWall", wall[3]),
    CORNERS("rightColumn", wall[4]),
    CORNERS("topColumn", wall[5]),
    CORNERS("leftColumn", wall[6]),
    CORNERS("bottomColumn", wall[7]),
    CORNERS("blueGoalRegion", goal[0]),
    CORNERS("redGoalRegion", goal[1]),
    { .key = "blueOuttake",
      .type = HY_YAML_OTHER,
      .required = true,
      .read = read_outtake,
      .offset = offsetof(config, outtake[0]) },
    { .key = "redOuttake",
      .type = HY_YAML_OTHER,
      .required = true,
      .read = read_outtake,
      .offset = offsetof(config, outtake[1]) },
};
static const hy_yaml_table field_table = HY_YAML_OPEN_TABLE("field", field_fields);

static const hy_yaml_field drivetrain_fields[] = {
    NUMBER(config, "wheelBase", wheel_base, 0.1, 200),
    NUMBER(config, "wheelTrack", wheel_track, 0.1, 200),
    NUMBER(config, "wheelRadius", wheel_radius, 0.1, 50),
    NUMBER(config, "leftMotorMaxSpeed", drive_rpm[0], 10, 3000),
    NUMBER(config, "rightMotorMaxSpeed", drive_rpm[1], 10, 3000),
};
static const hy_yaml_table drivetrain_table = HY_YAML_OPEN_TABLE("drivetrain", drivetrain_fields);

static const hy_yaml_field intake_fields[] = {
    NUMBER(config, "centerMotorMaxSpeed", intake_rpm[0], 0, 1000),
    NUMBER(config, "leftMotorMaxSpeed", intake_rpm[1], 0, 1000),
    NUMBER(config, "rightMotorMaxSpeed", intake_rpm[2], 0, 1000),
    NUMBER(config, "tubeMotorMaxSpeed", intake_rpm[3], 0, 1000),
};
static const hy_yaml_table intake_table = HY_YAML_OPEN_TABLE("intake", intake_fields);

static const hy_yaml_field lidar_fields[] = {
    NUMBER(config, "minRange", lidar_near_m, 0, 10),
    NUMBER(config, "maxRange", lidar_far_m, 0.1, 200),
    NUMBER(config, "laserFrequency", lidar_rays, 1, 20000),
    NUMBER(config, "motorFrequency", lidar_sweeps, 1, 1000),
};
static const hy_yaml_table lidar_table = HY_YAML_OPEN_TABLE("lidar", lidar_fields);

static const hy_yaml_field vehicle_fields[] = {
    CORNERS("boundingPolygonFrontLeft", body[0]),
    CORNERS("boundingPolygonFrontRight", body[1]),
    CORNERS("boundingPolygonRearLeft", body[2]),
    CORNERS("boundingPolygonRearRight", body[3]),
    CORNERS("boundingPolygonBumperFrontLeft", bumper[0]),
    CORNERS("boundingPolygonBumperFrontRight", bumper[1]),
    CORNERS("boundingPolygonBumperLeft", bumper[2]),
    CORNERS("boundingPolygonBumperRight", bumper[3]),
    CORNERS("boundingPolygonBumperRearLeft", bumper[4]),
    CORNERS("boundingPolygonBumperRearRight", bumper[5]),
    CORNERS("ingestibleRegionCenter", region[0]),
    CORNERS("ingestibleRegionLeft", region[1]),
    CORNERS("ingestibleRegionRight", region[2]),
    CORNERS("tubeRegion", region[3]),
    NUMBER(config, "weight", weight_lb, 3, 2000),
    SECTION("drivetrain", drivetrain_table),
    SECTION("intake", intake_table),
    SECTION("lidar", lidar_table),
};
static const hy_yaml_table vehicle_table = HY_YAML_OPEN_TABLE("vehicle", vehicle_fields);

static bool read_vehicle(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    (void)field;
    ((config *)target)->vehicle_from = hy_yaml_where(node);
    return hy_yaml_map(yaml, &vehicle_table, node, target);
}

static const hy_yaml_field piece_fields[] = {
    NUMBER(config, "radius", piece_radius, 0.5, 19),
    { .key = "initialPositions",
      .type = HY_YAML_OTHER,
      .required = true,
      .read = read_piece_positions,
      .high = HY_WORLD_PIECES },
};
static const hy_yaml_table piece_table = HY_YAML_OPEN_TABLE("gamePiece", piece_fields);

static bool read_pieces(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    (void)field;
    ((config *)target)->piece_from = hy_yaml_where(node);
    return hy_yaml_map(yaml, &piece_table, node, target);
}

static const hy_yaml_field sim_fields[] = {
    SECTION("field", field_table),
    { .key = "vehicle", .type = HY_YAML_OTHER, .required = true, .read = read_vehicle },
    { .key = "gamePiece", .type = HY_YAML_OTHER, .required = true, .read = read_pieces },
};
static const hy_yaml_table sim_table = HY_YAML_OPEN_TABLE("sim", sim_fields);

static const hy_yaml_field config_fields[] = {
    { .key = "players", .type = HY_YAML_OTHER, .required = true, .read = read_players },
    SECTION("sim", sim_table),
};
static const hy_yaml_table config_table = HY_YAML_OPEN_TABLE("a robotConfig", config_fields);

// --------------------------------------------------------------------------- writing the world

typedef struct {
    hy_config_world *world;
    point corner; ///< The world's origin, inches.
} writer;

static void put(writer *w, const char *text)
{
    hy_config_world *world = w->world;
    const size_t size = strlen(text);
    if (size < sizeof world->text - world->size) {
        memcpy(world->text + world->size, text, size + 1);
        world->size += size;
    }
}

/// A decimal number with nine digits behind the point, whatever the locale.
static void put_number(writer *w, double value)
{
    char text[40];
    const long long parts = llround(fabs(value) * 1e9);
    snprintf(text, sizeof text, "%s%lld.%09lld", value < 0 ? "-" : "", parts / 1000000000,
             parts % 1000000000);
    put(w, text);
}

/// Ends a line, which comes from `from`.
static void end_line(writer *w, hy_yaml_mark from)
{
    hy_config_world *world = w->world;
    put(w, "\n");
    if (world->lines < HY_CONFIG_LINES) {
        world->line_from[world->lines++] = from;
    }
}

static void put_line(writer *w, const char *text, hy_yaml_mark from)
{
    put(w, text);
    end_line(w, from);
}

static void put_key_number(writer *w, const char *key, double value)
{
    put(w, key);
    put(w, ": ");
    put_number(w, value);
}

/// [x, y] in metres, from `corner`.
static void put_point(writer *w, point at, point corner)
{
    put(w, "[");
    put_number(w, (at.x - corner.x) * INCH_M);
    put(w, ", ");
    put_number(w, (at.y - corner.y) * INCH_M);
    put(w, "]");
}

static void put_points(writer *w, const polygon *of, point corner)
{
    put(w, "[");
    for (size_t i = 0; i < of->count; i++) {
        put(w, i > 0 ? ", " : "");
        put_point(w, of->at[i], corner);
    }
    put(w, "]");
}

static void put_floor(writer *w, const config *c)
{
    const hy_yaml_mark from = c->exterior.from;
    point high = c->exterior.at[0];
    w->corner = high;
    for (size_t i = 0; i < c->exterior.count; i++) {
        const point at = c->exterior.at[i];
        w->corner = (point){ fmin(w->corner.x, at.x), fmin(w->corner.y, at.y) };
        high = (point){ fmax(high.x, at.x), fmax(high.y, at.y) };
    }
    w->world->middle = (hy_world_point){ -w->corner.x * INCH_M, -w->corner.y * INCH_M };
    put_line(w, "name: robotConfig", from);
    put(w, "floor: { ");
    put_key_number(w, "width_m", (high.x - w->corner.x) * INCH_M);
    put_key_number(w, ", height_m", (high.y - w->corner.y) * INCH_M);
    put(w, ", shade: 0.35, wall_m: 0.67, edge_m: ");
    put_points(w, &c->exterior, w->corner);
    put_line(w, " }", from);
}

static void put_walls(writer *w, const config *c)
{
    put_line(w, "obstacles:", c->exterior.from);
    for (size_t i = 0; i < sizeof c->wall / sizeof c->wall[0]; i++) {
        put(w, "  - polygon: { corners_m: ");
        put_points(w, &c->wall[i], w->corner);
        put_line(w, i < 4 ? ", height_m: 0.7 }" : ", height_m: 2 }", c->wall[i].from);
    }
}

/// The reference's outtakes lie on the wall: a ball that begins there is half in it. Ours begins where
/// it first fits, one radius on its way.
static void put_goals(writer *w, const config *c)
{
    put_line(w, "goals:", c->goal[0].from);
    for (size_t i = 0; i < 2; i++) {
        const double way = i == 0 ? -1 : 1;
        const point out = { c->outtake[i].x, c->outtake[i].y + way * c->piece_radius };
        put(w, i == 0 ? "  - { alliance: blue, corners_m: " : "  - { alliance: red, corners_m: ");
        put_points(w, &c->goal[i], w->corner);
        put(w, ", floor_m: 0.38, outtake_m: ");
        put_point(w, out, w->corner);
        put_line(w, i == 0 ? ", outtake_m_s: [0, -1] }" : ", outtake_m_s: [0, 1] }", c->goal[i].from);
    }
}

static void put_pieces(writer *w, const config *c)
{
    put(w, "pieces: { ");
    put_key_number(w, "radius_m", c->piece_radius * INCH_M);
    put(w, ", at_m: ");
    put_points(w, &c->pieces, w->corner);
    put_line(w, " }", c->pieces.from);
}

static void put_parts(writer *w, const char *key, const polygon *polygons, size_t count)
{
    static const point origin = { 0, 0 };
    put(w, key);
    for (size_t i = 0; i < count; i++) {
        put(w, i == 0 ? "[" : ", ");
        put_points(w, &polygons[i], origin);
    }
    put_line(w, "]", polygons[0].from);
}

static void put_shape(writer *w, const config *c)
{
    static const char *const regions[] = { "      intake_center_m: ", "      intake_left_m: ",
                                           "      intake_right_m: ", "      tube_m: " };
    static const point origin = { 0, 0 };
    put_line(w, "    shape:", c->vehicle_from);
    put_parts(w, "      bodies_m: ", c->body, sizeof c->body / sizeof c->body[0]);
    put_parts(w, "      bumpers_m: ", c->bumper, sizeof c->bumper / sizeof c->bumper[0]);
    for (size_t i = 0; i < 4; i++) {
        put(w, regions[i]);
        put_points(w, &c->region[i], origin);
        end_line(w, c->region[i].from);
    }
}

static void put_drive(writer *w, const config *c)
{
    put(w, "    drive: { ");
    put_key_number(w, "wheel_radius_m", c->wheel_radius * INCH_M);
    put_key_number(w, ", track_m", c->wheel_track * INCH_M);
    put_key_number(w, ", wheelbase_m", c->wheel_base * INCH_M);
    put_key_number(w, ", left_rpm", c->drive_rpm[0]);
    put_key_number(w, ", right_rpm", c->drive_rpm[1]);
    put_line(w, " }", c->vehicle_from);
    put(w, "    body: { ");
    put_key_number(w, "mass_kg", c->weight_lb * POUND_KG);
    put_line(w, " }", c->vehicle_from);
    put(w, "    intake: { ");
    put_key_number(w, "center_rpm", c->intake_rpm[0]);
    put_key_number(w, ", left_rpm", c->intake_rpm[1]);
    put_key_number(w, ", right_rpm", c->intake_rpm[2]);
    put_key_number(w, ", tube_rpm", c->intake_rpm[3]);
    put_line(w, " }", c->vehicle_from);
}

static void put_lidar(writer *w, const config *c)
{
    put(w, "    lidar: { ");
    put_key_number(w, "near_m", c->lidar_near_m);
    put_key_number(w, ", far_m", c->lidar_far_m);
    put_key_number(w, ", rays_per_s", c->lidar_rays);
    put_key_number(w, ", sweeps_per_s", c->lidar_sweeps);
    put_line(w, " }", c->vehicle_from);
}

/// A team's name in quotes; what YAML could take for something else is escaped.
static void put_team(writer *w, const player *p)
{
    if (p->team[0] == '\0') {
        return;
    }
    put(w, "    team: \"");
    for (const char *at = p->team; *at != '\0'; at++) {
        char text[8] = { *at, '\0' };
        if ((unsigned char)*at < ' ' || *at == '"' || *at == '\\' || *at == 0x7f) {
            snprintf(text, sizeof text, "\\x%02x", (unsigned)(unsigned char)*at);
        }
        put(w, text);
    }
    put_line(w, "\"", p->from);
}

static void put_player(writer *w, const config *c, const player *p)
{
    put_line(w, "  - kind: tank", p->from);
    put_team(w, p);
    put_line(w, p->is_blue ? "    alliance: blue" : "    alliance: red", p->from);
    put(w, "    start: { ");
    put_key_number(w, "x_m", (p->x - w->corner.x) * INCH_M);
    put_key_number(w, ", y_m", (p->y - w->corner.y) * INCH_M);
    put_key_number(w, ", heading_deg", p->heading_deg);
    put_line(w, " }", p->from);
    put_drive(w, c);
    put_shape(w, c);
    if (p->has_lidar) {
        put_lidar(w, c);
    }
}

// --------------------------------------------------------------------------- both

static const hy_yaml_words words = { "config files", "a robotConfig is one document",
                                     "a robotConfig begins with 'players:'" };

static bool note_players(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    (void)yaml, (void)field, (void)node;
    *(bool *)target = true;
    return true;
}

hy_status hy_config_recognize(hy_yaml *yaml, bool *is_config)
{
    static const hy_yaml_field fields[] = {
        { .key = "players", .type = HY_YAML_OTHER, .read = note_players },
    };
    static const hy_yaml_table table = HY_YAML_OPEN_TABLE("a match", fields);
    yaml->words = &words;
    *is_config = false;
    return hy_yaml_parse(yaml, &table, is_config);
}

hy_status hy_config_rewrite(hy_yaml *yaml, hy_config_world *world)
{
    config *c = calloc(1, sizeof *c);
    if (c == NULL) {
        hy_yaml_tell(yaml, HY_ESYSTEM, (hy_yaml_mark){ 0, 0 }, "there is not enough memory");
        return yaml->status;
    }
    yaml->words = &words;
    *world = (hy_config_world){ .size = 0 };
    if (hy_yaml_parse(yaml, &config_table, c) == HY_OK) {
        writer w = { .world = world };
        put_floor(&w, c);
        put_walls(&w, c);
        put_goals(&w, c);
        put_pieces(&w, c);
        put_line(&w, "vehicles:", c->player[0].from);
        for (size_t i = 0; i < c->players; i++) {
            put_player(&w, c, &c->player[i]);
        }
    }
    free(c);
    return yaml->status;
}
