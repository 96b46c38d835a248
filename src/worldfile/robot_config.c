// SPEC match, "The reference's robotConfig.yml": which keys are read and what becomes of them.
#include "read.h"

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
    char team[HY_TEAM_TEXT];
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
#define CORNERS(key_, member_) CORNERS_TO(BORDER, key_, member_)
#define CORNERS_TO(most_, key_, member_)                                            \
    {                                                                               \
        .key = key_, .type = HY_YAML_OTHER, .required = true, .read = read_corners, \
        .offset = offsetof(config, member_), .high = most_                          \
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

static bool read_player(hy_yaml *yaml, const hy_yaml_field *field, hy_yaml_node *node, void *target)
{
    config *self = target;
    player *const one = &self->player[self->players++];
    (void)field;
    one->from = hy_yaml_where(node);
    return hy_yaml_map(yaml, &player_table, node, one);
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
    CORNERS_TO(HY_WORLD_CORNERS, "blueGoalRegion", goal[0]),
    CORNERS_TO(HY_WORLD_CORNERS, "redGoalRegion", goal[1]),
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
    { .key = "players",
      .type = HY_YAML_OTHER,
      .required = true,
      .read = read_player,
      .items = { 1, HY_MATCH_PLAYERS } },
    SECTION("sim", sim_table),
};
static const hy_yaml_table config_table = HY_YAML_OPEN_TABLE("a robotConfig", config_fields);

// --------------------------------------------------------------------------- the spec that it makes

/// Where a robotConfig's numbers go.
typedef struct {
    hy_yaml *yaml;
    hy_world_spec *spec;
    point corner; ///< The world's origin, inches.
} maker;

/// The nearest number with nine digits behind the point: what conversions leave beyond means nothing.
static double rounded(double value)
{
    return (value < 0 ? -1 : 1) * ((double)llround(fabs(value) * 1e9) / 1e9);
}

static hy_point place_of(point at, point corner)
{
    return (hy_point){ rounded((at.x - corner.x) * INCH_M), rounded((at.y - corner.y) * INCH_M) };
}

static double angle_of(double deg)
{
    return rounded(deg) * HY_RAD_PER_DEG;
}

static double rate_of(double rpm)
{
    return rounded(rpm) * (2 * HY_PI / 60);
}

static bool fail_at(const maker *m, const polygon *of, const char *key, const char *what)
{
    char text[160];
    snprintf(text, sizeof text, "%s: %s", key, what);
    hy_yaml_tell(m->yaml, HY_ERANGE, of->from, text);
    return false;
}

static bool make_floor(maker *m, const config *c)
{
    hy_world_spec *spec = m->spec;
    point high = c->exterior.at[0];
    m->corner = high;
    for (size_t i = 0; i < c->exterior.count; i++) {
        const point at = c->exterior.at[i];
        m->corner = (point){ fmin(m->corner.x, at.x), fmin(m->corner.y, at.y) };
        high = (point){ fmax(high.x, at.x), fmax(high.y, at.y) };
    }
    const hy_point size = place_of(high, m->corner);
    snprintf(spec->name, sizeof spec->name, "robotConfig");
    spec->width_m = size.x_m;
    spec->height_m = size.y_m;
    spec->floor_shade = 0.35;
    spec->wall_height_m = 0.67;
    for (size_t i = 0; i < c->exterior.count; i++) {
        spec->border[i] = place_of(c->exterior.at[i], m->corner);
    }
    spec->border_count = c->exterior.count;
    const char *wrong = hy_polygon_simple(spec->border, spec->border_count);
    return wrong == NULL || fail_at(m, &c->exterior, "exteriorWall", wrong);
}

// --------------------------------------------------------------------------- polygons with many corners

/// Takes a convex polygon with few enough corners.
typedef bool polygon_taker(void *context, const hy_point *corners, size_t count);

/// Gives a convex polygon to `take` in pieces that have few enough corners: while there are too many, a
/// chord cuts off as many neighbouring corners as a piece may have, and goes on from its end. So no piece is a
/// sliver.
static bool cut_polygon(const hy_point *corners, size_t count, polygon_taker *take, void *context)
{
    const size_t most = HY_WORLD_CORNERS;
    hy_point rest[BORDER];
    memcpy(rest, corners, count * sizeof rest[0]);
    while (count > most) {
        if (!take(context, rest, most)) {
            return false;
        }
        const hy_point first = rest[0];
        count -= most - 2;
        memmove(rest, rest + most - 1, (count - 1) * sizeof rest[0]);
        rest[count - 1] = first;
    }
    return take(context, rest, count);
}

typedef struct {
    polygon_taker *take;
    void *context;
} taking;

/// Gives the corners of a polygon, seen from `corner`, checked as a whole and cut.
static bool give_polygon(const maker *m, const polygon *of, const char *key, point corner,
                         const taking *to)
{
    hy_point corners[BORDER];
    for (size_t i = 0; i < of->count; i++) {
        corners[i] = place_of(of->at[i], corner);
    }
    const char *wrong = hy_polygon_convex(corners, of->count);
    if (wrong != NULL) {
        return fail_at(m, of, key, wrong);
    }
    return cut_polygon(corners, of->count, to->take, to->context) ||
           fail_at(m, of, key, "the polygons have too many corners together");
}

// --------------------------------------------------------------------------- walls, goals, pieces

typedef struct {
    hy_world_spec *spec;
    double height_m;
} wall_taker;

static bool take_wall(void *context, const hy_point *corners, size_t count)
{
    const wall_taker *to = context;
    hy_obstacle_spec *obstacle = hy_world_spec_add_obstacle(to->spec, HY_OBSTACLE_POLYGON);
    if (obstacle == NULL) {
        return false;
    }
    memcpy(obstacle->corners, corners, count * sizeof corners[0]);
    obstacle->corner_count = count;
    obstacle->height_m = to->height_m;
    return true;
}

static bool make_walls(maker *m, const config *c)
{
    bool good = true;
    for (size_t i = 0; i < sizeof c->wall / sizeof c->wall[0] && good; i++) {
        wall_taker to = { m->spec, i < 4 ? 0.7 : 2 };
        good = give_polygon(m, &c->wall[i], "this wall", m->corner, &(taking){ take_wall, &to });
    }
    return good;
}

/// The reference's outtakes lie on the wall: a ball that begins there is half in it. Ours begins where
/// it first fits, one radius on its way.
static bool make_goals(maker *m, const config *c)
{
    for (size_t i = 0; i < 2; i++) {
        const double way = i == 0 ? -1 : 1;
        const point out = { c->outtake[i].x, c->outtake[i].y + way * c->piece_radius };
        const hy_point outtake = place_of(out, m->corner);
        hy_world_goal *goal = &m->spec->goal[i];
        *goal = (hy_world_goal){ .side = i == 0 ? HY_ALLIANCE_BLUE : HY_ALLIANCE_RED,
                                 .count = c->goal[i].count,
                                 .floor_z_m = 0.38,
                                 .outtake_x_m = outtake.x_m,
                                 .outtake_y_m = outtake.y_m,
                                 .outtake_vy_m_s = way };
        for (size_t k = 0; k < goal->count; k++) {
            goal->corners[k] = place_of(c->goal[i].at[k], m->corner);
        }
        const char *wrong = hy_polygon_convex(goal->corners, goal->count);
        if (wrong != NULL) {
            return fail_at(m, &c->goal[i], "this goal region", wrong);
        }
    }
    m->spec->goal_count = 2;
    return true;
}

static void make_pieces(maker *m, const config *c)
{
    hy_pieces_spec *pieces = &m->spec->pieces;
    pieces->radius_m = rounded(c->piece_radius * INCH_M);
    pieces->count = c->pieces.count;
    for (size_t i = 0; i < pieces->count; i++) {
        pieces->at_m[i] = place_of(c->pieces.at[i], m->corner);
    }
}

// --------------------------------------------------------------------------- tanks

typedef struct {
    hy_tank_spec *tank;
    hy_world_part_kind kind;
} part_taker;

static bool take_part(void *context, const hy_point *corners, size_t count)
{
    const part_taker *to = context;
    if (to->tank->part_count == HY_WORLD_PARTS) {
        return false;
    }
    hy_world_part *part = &to->tank->part[to->tank->part_count++];
    *part = (hy_world_part){ .kind = to->kind, .count = count };
    memcpy(part->corners, corners, count * sizeof corners[0]);
    return true;
}

static bool make_shape(const maker *m, const config *c, hy_tank_spec *tank)
{
    static const point origin = { 0, 0 };
    const polygon *const all[] = { c->body, c->bumper, c->region };
    const size_t counts[] = { 4, 6, 4 };
    tank->part_count = 0;
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < counts[k]; i++) {
            part_taker to = { tank, k == 0   ? HY_PART_BODY
                                    : k == 1 ? HY_PART_BUMPER
                                             : (hy_world_part_kind)(HY_PART_INTAKE_CENTER + i) };
            const taking parts = { take_part, &to };
            if (!give_polygon(m, &all[k][i], k < 2 ? "this boundingPolygon" : "this region", origin,
                              &parts)) {
                return false;
            }
        }
    }
    return true;
}

static void make_drive(const config *c, hy_vehicle_spec *vehicle)
{
    hy_tank_spec *tank = &vehicle->of.tank;
    tank->wheel_radius_m = rounded(c->wheel_radius * INCH_M);
    tank->track_m = rounded(c->wheel_track * INCH_M);
    tank->wheelbase_m = rounded(c->wheel_base * INCH_M);
    tank->left_rad_s = rate_of(c->drive_rpm[0]);
    tank->right_rad_s = rate_of(c->drive_rpm[1]);
    vehicle->mass_kg = rounded(c->weight_lb * POUND_KG);
    for (size_t i = 0; i < 4; i++) {
        tank->intake_rad_s[i] = rate_of(c->intake_rpm[i]);
    }
}

static void add_lidar(const config *c, hy_vehicle_spec *vehicle)
{
    hy_sensor_spec *lidar = hy_vehicle_spec_add_sensor(vehicle, HY_SENSOR_LIDAR); // its second sensor
    lidar->wired = true;
    lidar->of.lidar = (hy_lidar_spec){ .near_m = rounded(c->lidar_near_m),
                                       .far_m = rounded(c->lidar_far_m),
                                       .rays_per_s = rounded(c->lidar_rays),
                                       .sweeps_per_s = rounded(c->lidar_sweeps) };
}

static bool make_player(maker *m, const config *c, const player *p)
{
    hy_vehicle_spec *vehicle = &m->spec->vehicle[m->spec->vehicle_count++];
    hy_vehicle_spec_init(vehicle, HY_VEHICLE_TANK);
    const hy_point start = place_of((point){ p->x, p->y }, m->corner);
    vehicle->place = (hy_spec_place){ (unsigned)p->from.line + 1, (unsigned)p->from.column + 1 };
    vehicle->start_x_m = start.x_m;
    vehicle->start_y_m = start.y_m;
    vehicle->start_heading_rad = angle_of(p->heading_deg);
    memcpy(vehicle->of.tank.team, p->team, sizeof vehicle->of.tank.team);
    vehicle->of.tank.side = p->is_blue ? HY_ALLIANCE_BLUE : HY_ALLIANCE_RED;
    make_drive(c, vehicle);
    if (p->has_lidar) {
        add_lidar(c, vehicle);
    }
    return make_shape(m, c, &vehicle->of.tank);
}

static bool make_spec(maker *m, const config *c)
{
    bool good = make_floor(m, c) && make_walls(m, c) && make_goals(m, c);
    make_pieces(m, c);
    for (size_t i = 0; i < c->players && good; i++) {
        good = make_player(m, c, &c->player[i]);
    }
    return good;
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

hy_status hy_robot_config_recognize(hy_yaml *yaml, bool *is_config)
{
    static const hy_yaml_field fields[] = {
        { .key = "players", .type = HY_YAML_OTHER, .read = note_players },
    };
    static const hy_yaml_table table = HY_YAML_OPEN_TABLE("a match", fields);
    yaml->words = &words;
    *is_config = false;
    return hy_yaml_parse(yaml, &table, is_config);
}

hy_status hy_robot_config_read(hy_yaml *yaml, hy_match_spec *spec)
{
    config *c = calloc(1, sizeof *c);
    if (c == NULL) {
        hy_yaml_tell(yaml, HY_EMEMORY, (hy_yaml_mark){ 0, 0 }, "there is not enough memory");
        return yaml->status;
    }
    yaml->words = &words;
    if (hy_yaml_parse(yaml, &config_table, c) == HY_OK) {
        maker m = { .yaml = yaml, .spec = &spec->world };
        if (make_spec(&m, c)) {
            spec->middle = (hy_point){ -m.corner.x * INCH_M, -m.corner.y * INCH_M };
        }
    }
    free(c);
    return yaml->status;
}
