// SPEC match: the rules, in the order in which a step applies them.
#include "model.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define SHARE_STEPS 512 ///< Hashes count motor shares in the steps of the interface document.

/// What the match has received of a player's core.
typedef struct {
    hy_match_commands said; ///< Its last word.
    int64_t when_us;
    bool received;                  ///< At least once.
    bool start, reset, taken;       ///< Buttons that were down at any time since the last step.
    hy_match_commands now;          ///< What counts in this step; all 0 while it is silent.
    bool started, outtake_was_held; ///< Its buttons in the step before.
} core;

/// Lidar points of a player: every point lies twice in here, so that the last ones always lie in a row.
typedef struct {
    uint64_t count;
    hy_lidar_point point[2 * HY_MATCH_SWEEP_MOST];
} points;

struct hy_match {
    const hy_match_model *model;
    hy_world_state *world;
    hy_world_input input;
    core core[HY_MATCH_PLAYERS];
    points *points[HY_MATCH_PLAYERS];     ///< NULL without a lidar.
    size_t last_points[HY_MATCH_PLAYERS]; ///< Of the last step.
    int64_t timer_us, length_us;          // left, and of a whole match
    bool timer_runs, over;
    int outtaken[HY_WORLD_GOALS]; ///< From each goal since the last reset.
    int score[2];                 ///< Of blue, of red.
    uint64_t steps;
};

// --------------------------------------------------------------------------- the model

unsigned hy_match_players(const hy_match_model *model)
{
    return model->players;
}

const hy_world_model *hy_match_world(const hy_match_model *model)
{
    return model->world;
}

size_t hy_match_vehicle(const hy_match_model *model, unsigned player)
{
    assert(player >= 1 && player <= model->players);
    return model->player_vehicle[player - 1];
}

size_t hy_match_extra_vehicle(const hy_match_model *model, size_t index)
{
    assert(index < model->extra_vehicles);
    return model->extra_vehicle[index];
}

size_t hy_match_extra_vehicles(const hy_match_model *model)
{
    return model->extra_vehicles;
}

hy_point hy_match_middle(const hy_match_model *model)
{
    return model->middle;
}

// --------------------------------------------------------------------------- the map

// Adds a line of the world's frame if there is room for it.
static size_t add_wall(const hy_match_model *model, hy_segment wall, hy_segment *out, size_t room,
                       size_t count)
{
    const hy_point middle = model->middle;
    if (count < room) {
        out[count] = (hy_segment){ { wall.from.x_m - middle.x_m, wall.from.y_m - middle.y_m },
                                   { wall.to.x_m - middle.x_m, wall.to.y_m - middle.y_m } };
    }
    return count + 1;
}

size_t hy_match_walls(const hy_match_model *model, hy_segment *out, size_t room)
{
    size_t segments, count = 0;
    const hy_world_segment *const edges = hy_world_segments(model->world, &segments);
    for (size_t i = 0; i < segments; i++) {
        const hy_segment wall = { { edges[i].x0_m, edges[i].y0_m },
                                  { edges[i].x1_m, edges[i].y1_m } };
        count = add_wall(model, wall, out, room, count);
    }
    for (size_t i = 0; i < hy_world_describe(model->world).goals; i++) {
        const hy_world_goal *const goal = hy_world_goal_at(model->world, i);
        for (size_t k = 0; k < goal->count; k++) {
            const hy_segment wall = { goal->corners[k], goal->corners[(k + 1) % goal->count] };
            count = add_wall(model, wall, out, room, count);
        }
    }
    return count;
}

hy_point hy_match_goal(const hy_match_model *model, hy_alliance side)
{
    for (size_t i = 0; i < hy_world_describe(model->world).goals; i++) {
        const hy_world_goal *const goal = hy_world_goal_at(model->world, i);
        if (goal->side == side) {
            hy_point at = { -model->middle.x_m, -model->middle.y_m };
            for (size_t k = 0; k < goal->count; k++) {
                at.x_m += goal->corners[k].x_m / (double)goal->count;
                at.y_m += goal->corners[k].y_m / (double)goal->count;
            }
            return at;
        }
    }
    return (hy_point){ 0, 0 };
}

// --------------------------------------------------------------------------- start and end

static bool make_points(hy_match *match)
{
    for (unsigned i = 0; i < match->model->players; i++) {
        const hy_world_tank *tank =
            hy_world_tank_at(match->model->world, match->model->player_vehicle[i]);
        if (tank->has_lidar) {
            match->points[i] = calloc(1, sizeof *match->points[i]);
            if (match->points[i] == NULL) {
                return false;
            }
        }
    }
    return true;
}

static int64_t length_of(const hy_match_options *options)
{
    const double seconds = options->match_s > 0 ? options->match_s : HY_MATCH_SECONDS;
    return (int64_t)(seconds * 1e6);
}

static void set_timer(hy_match *match)
{
    match->timer_us = match->length_us;
    match->timer_runs = match->over = false;
}

hy_status hy_match_open(const hy_match_model *model, const hy_match_options *options,
                        hy_match **match)
{
    *match = NULL;
    hy_match *const opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return HY_EMEMORY;
    }
    opened->model = model;
    hy_status status = hy_world_open(model->world, options->seed, &opened->world);
    if (status == HY_OK && !make_points(opened)) {
        status = HY_EMEMORY;
    }
    if (status != HY_OK) {
        hy_match_close(opened);
        return status;
    }
    hy_world_set_lidar_noise(opened->world, options->lidar_noise_m);
    opened->length_us = length_of(options);
    set_timer(opened);
    *match = opened;
    return HY_OK;
}

void hy_match_restart(hy_match *match, const hy_match_options *options)
{
    hy_match again = { .model = match->model, .world = match->world, .length_us = length_of(options) };
    for (unsigned i = 0; i < HY_MATCH_PLAYERS; i++) {
        again.points[i] = match->points[i];
        if (again.points[i] != NULL) {
            memset(again.points[i], 0, sizeof *again.points[i]);
        }
    }
    hy_world_restart(again.model->world, again.world, options->seed);
    hy_world_set_lidar_noise(again.world, options->lidar_noise_m);
    set_timer(&again);
    *match = again;
}

void hy_match_close(hy_match *match)
{
    if (match != NULL) {
        hy_world_close(match->world);
        for (unsigned i = 0; i < HY_MATCH_PLAYERS; i++) {
            free(match->points[i]);
        }
        free(match);
    }
}

// --------------------------------------------------------------------------- commands

void hy_match_command(hy_match *match, unsigned player, const hy_match_commands *commands,
                      int64_t now_us)
{
    if (player < 1 || player > match->model->players) {
        return;
    }
    core *self = &match->core[player - 1];
    self->said = *commands;
    double *const shares[] = { &self->said.left_drive,    &self->said.right_drive,
                               &self->said.intake_center, &self->said.intake_left,
                               &self->said.intake_right,  &self->said.tube };
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        *shares[i] = hy_clamp(*shares[i], -1, 1, 0);
    }
    self->start |= commands->timer_start_stop;
    self->reset |= commands->reset;
    self->taken |= commands->outtake;
    self->when_us = now_us;
    self->received = true;
}

static bool has_commands(const core *self, int64_t now_us)
{
    return self->received && now_us - self->when_us < HY_MATCH_SILENCE_US;
}

bool hy_match_has_commands(const hy_match *match, unsigned player, int64_t now_us)
{
    return player >= 1 && player <= match->model->players &&
           has_commands(&match->core[player - 1], now_us);
}

void hy_match_actuate(hy_match *match, size_t index, const hy_actuators *actuators, bool button)
{
    const size_t vehicle = hy_match_extra_vehicle(match->model, index);
    match->input.vehicle[vehicle] = *actuators;
    match->input.button[vehicle] = button;
}

void hy_match_place_piece(hy_match *match, size_t index, const hy_piece *piece)
{
    hy_piece at = *piece;
    at.x_m += match->model->middle.x_m;
    at.y_m += match->model->middle.y_m;
    hy_world_place_piece(match->model->world, match->world, index, &at);
}

// --------------------------------------------------------------------------- rules

/// Silence is a released button and a stop.
static void take_commands(hy_match *match, int64_t now_us)
{
    static const hy_match_commands nothing = { 0 };
    for (unsigned i = 0; i < match->model->players; i++) {
        core *self = &match->core[i];
        self->now = nothing;
        if (has_commands(self, now_us)) {
            // What was pressed and let go since the last step is pressed in this one.
            self->now = self->said;
            self->now.timer_start_stop |= self->start;
            self->now.reset |= self->reset;
            self->now.outtake |= self->taken;
        }
        self->start = self->reset = self->taken = false;
    }
}

/// Every player's button has an edge of its own: letting it go starts or stops the timer.
static void turn_timer(hy_match *match)
{
    for (unsigned i = 0; i < match->model->players; i++) {
        core *self = &match->core[i];
        if (self->started && !self->now.timer_start_stop && !match->over) {
            match->timer_runs = !match->timer_runs;
        }
        self->started = self->now.timer_start_stop;
    }
    if (match->timer_runs) {
        match->timer_us -= HY_MATCH_STEP_US;
        if (match->timer_us <= 0) {
            match->timer_us = 0;
            match->timer_runs = false;
            match->over = true;
        }
    }
}

void hy_match_reset(hy_match *match)
{
    set_timer(match);
    memset(match->outtaken, 0, sizeof match->outtaken);
    memset(match->score, 0, sizeof match->score);
    hy_world_reset(match->model->world, match->world);
}

bool hy_match_reset_vehicle(hy_match *match, size_t vehicle)
{
    return hy_world_reset_vehicle(match->model->world, match->world, vehicle);
}

void hy_match_calibrate_gyro(hy_match *match, size_t vehicle, bool is_moved)
{
    hy_world_calibrate_gyro(match->model->world, match->world, vehicle, is_moved);
}

void hy_match_power_up(hy_match *match, size_t vehicle)
{
    hy_world_power_up(match->model->world, match->world, vehicle);
}

void hy_match_set_lidar_noise(hy_match *match, double noise_m)
{
    hy_world_set_lidar_noise(match->world, noise_m);
}

static bool anybody_resets(const hy_match *match)
{
    for (unsigned i = 0; i < match->model->players; i++) {
        if (match->core[i].now.reset) {
            return true;
        }
    }
    return false;
}

/// After the end, and while somebody holds reset, robots stand.
static void drive_tanks(hy_match *match, bool standing)
{
    for (unsigned i = 0; i < match->model->players; i++) {
        hy_match_commands *now = &match->core[i].now;
        if (standing) {
            now->left_drive = now->right_drive = now->tube = 0;
            now->intake_center = now->intake_left = now->intake_right = 0;
        }
        double *duty = match->input.vehicle[match->model->player_vehicle[i]].motor_duty;
        duty[0] = now->left_drive;
        duty[1] = now->right_drive;
        duty[2] = now->intake_center;
        duty[3] = now->intake_left;
        duty[4] = now->intake_right;
        duty[5] = now->tube;
    }
}

// --------------------------------------------------------------------------- outtake

/// The lowest piece in a goal of `side`, or -1.
static int piece_in_goal(const hy_match *match, hy_alliance side, size_t *goal)
{
    const hy_world_facts facts = hy_world_describe(match->model->world);
    for (size_t i = 0; i < facts.pieces; i++) {
        const hy_piece piece = hy_world_piece(match->world, i);
        if (piece.place == HY_PIECE_GOAL &&
            hy_world_goal_at(match->model->world, piece.of)->side == side) {
            *goal = piece.of;
            return (int)i;
        }
    }
    return -1;
}

static bool is_taken(const hy_match *match, const hy_piece *place, size_t but)
{
    const hy_world_facts facts = hy_world_describe(match->model->world);
    const double apart_m = 2 * facts.piece_radius_m;
    for (size_t i = 0; i < facts.pieces; i++) {
        const hy_piece other = hy_world_piece(match->world, i);
        const double x = other.x_m - place->x_m, y = other.y_m - place->y_m;
        if (i != but && x * x + y * y < apart_m * apart_m) {
            return true;
        }
    }
    return false;
}

/// Brings a piece of the player's goal back to the field. If another lies there still, one diameter on.
static void outtake(hy_match *match, unsigned index)
{
    const hy_world_model *world = match->model->world;
    const hy_world_facts facts = hy_world_describe(world);
    const hy_alliance side = hy_world_tank_at(world, match->model->player_vehicle[index])->side;
    size_t from = 0;
    const int piece = piece_in_goal(match, side, &from);
    if (piece < 0) {
        return;
    }
    const hy_world_goal *goal = hy_world_goal_at(world, from);
    hy_piece out = { .x_m = goal->outtake_x_m,
                     .y_m = goal->outtake_y_m,
                     .z_m = hy_world_piece(match->world, (size_t)piece).z_m,
                     .vx_m_s = goal->outtake_vx_m_s,
                     .vy_m_s = goal->outtake_vy_m_s };
    const bool moves = out.vx_m_s != 0 || out.vy_m_s != 0;
    for (size_t i = 0; i < facts.pieces && moves && is_taken(match, &out, (size_t)piece); i++) {
        const double longest = out.vx_m_s * out.vx_m_s > out.vy_m_s * out.vy_m_s
                                   ? (out.vx_m_s < 0 ? -out.vx_m_s : out.vx_m_s)
                                   : (out.vy_m_s < 0 ? -out.vy_m_s : out.vy_m_s);
        out.x_m += 2 * facts.piece_radius_m * out.vx_m_s / longest;
        out.y_m += 2 * facts.piece_radius_m * out.vy_m_s / longest;
    }
    hy_world_place_piece(world, match->world, (size_t)piece, &out);
    match->outtaken[from]++;
}

/// A press is a piece, however long.
static void take_out(hy_match *match, bool standing)
{
    for (unsigned i = 0; i < match->model->players; i++) {
        core *self = &match->core[i];
        if (self->now.outtake && !self->outtake_was_held && !standing) {
            outtake(match, i);
        }
        self->outtake_was_held = self->now.outtake;
    }
}

// --------------------------------------------------------------------------- after the step

/// A goal's score: what is in it, and what was taken out of it.
static void count_scores(hy_match *match)
{
    const hy_world_model *world = match->model->world;
    const hy_world_facts facts = hy_world_describe(world);
    int in_goal[HY_WORLD_GOALS] = { 0 };
    for (size_t i = 0; i < facts.pieces; i++) {
        const hy_piece piece = hy_world_piece(match->world, i);
        in_goal[piece.of % HY_WORLD_GOALS] += piece.place == HY_PIECE_GOAL;
    }
    match->score[0] = match->score[1] = 0;
    for (size_t i = 0; i < facts.goals; i++) {
        const hy_alliance side = hy_world_goal_at(world, i)->side;
        if (side != HY_ALLIANCE_NONE) {
            match->score[side == HY_ALLIANCE_RED] += in_goal[i] + match->outtaken[i];
        }
    }
}

static void keep_points(hy_match *match)
{
    for (unsigned i = 0; i < match->model->players; i++) {
        points *kept = match->points[i];
        if (kept == NULL) {
            continue;
        }
        size_t count;
        const hy_world_echo *echo =
            hy_world_echoes(match->world, match->model->player_vehicle[i], &count);
        size_t at = (size_t)(kept->count % HY_MATCH_SWEEP_MOST);
        for (size_t k = 0; k < count; k++) {
            const hy_lidar_point point = { echo[k].azimuth_rad, 0, echo[k].range_m };
            kept->point[at] = kept->point[at + HY_MATCH_SWEEP_MOST] = point;
            at = at + 1 < HY_MATCH_SWEEP_MOST ? at + 1 : 0;
        }
        kept->count += count;
        match->last_points[i] = count;
    }
}

void hy_match_step(hy_match *match, int64_t now_us)
{
    take_commands(match, now_us);
    turn_timer(match);
    const bool resetting = anybody_resets(match);
    if (resetting) {
        hy_match_reset(match);
    }
    const bool standing = match->over || resetting;
    drive_tanks(match, standing);
    take_out(match, standing);
    hy_world_step(match->model->world, match->world, &match->input);
    count_scores(match);
    keep_points(match);
    match->steps++;
}

// --------------------------------------------------------------------------- what it looks like

uint64_t hy_match_points(const hy_match *match, unsigned player)
{
    assert(player >= 1 && player <= match->model->players);
    const points *kept = match->points[player - 1];
    return kept != NULL ? kept->count : 0;
}

hy_lidar_points hy_match_lidar(const hy_match *match, unsigned player, size_t most)
{
    assert(player >= 1 && player <= match->model->players);
    const points *kept = match->points[player - 1];
    if (kept == NULL) {
        return (hy_lidar_points){ NULL, 0 };
    }
    size_t count = most < HY_MATCH_SWEEP_MOST ? most : HY_MATCH_SWEEP_MOST;
    count = count < kept->count ? count : (size_t)kept->count;
    const size_t end = (size_t)(kept->count % HY_MATCH_SWEEP_MOST) + HY_MATCH_SWEEP_MOST;
    return (hy_lidar_points){ &kept->point[end - count], count };
}

/// Pieces in a robot's tube and center intake: the interface counts no others.
static size_t ingested(const hy_match *match, size_t vehicle)
{
    const hy_world_facts facts = hy_world_describe(match->model->world);
    size_t count = 0;
    for (size_t i = 0; i < facts.pieces; i++) {
        const hy_piece piece = hy_world_piece(match->world, i);
        count += piece.of == vehicle &&
                 (piece.place == HY_PIECE_TUBE || piece.place == HY_PIECE_INTAKE_CENTER);
    }
    return count;
}

void hy_match_read_sensors(const hy_match *match, unsigned player, hy_match_sensors *out)
{
    const hy_match_model *model = match->model;
    const size_t vehicle = hy_match_vehicle(model, player);
    const hy_truth truth = hy_world_truth(model->world, match->world, vehicle);
    hy_sensors sensors;
    hy_world_read_sensors(model->world, match->world, vehicle, &sensors);
    *out = (hy_match_sensors){
        .left_encoder_counts = sensors.encoder_counts[0],
        .right_encoder_counts = sensors.encoder_counts[1],
        .x_m = truth.x_m - model->middle.x_m,
        .y_m = truth.y_m - model->middle.y_m,
        .heading_rad = truth.heading_rad,
        .ingested = ingested(match, vehicle),
        .lidar = hy_match_lidar(match, player, match->last_points[player - 1]),
    };
}

static hy_match_robot robot_of(const hy_match *match, unsigned player)
{
    const hy_match_model *model = match->model;
    const size_t index = hy_match_vehicle(model, player);
    const hy_world_tank *tank = hy_world_tank_at(model->world, index);
    const hy_truth truth = hy_world_truth(model->world, match->world, index);
    const hy_match_commands *now = &match->core[player - 1].now;
    return (hy_match_robot){
        .team = tank->team,
        .side = tank->side,
        .x_m = truth.x_m - model->middle.x_m,
        .y_m = truth.y_m - model->middle.y_m,
        .heading_rad = truth.heading_rad,
        .intake_center_rad_s = now->intake_center * tank->intake_center_rad_s,
        .intake_left_rad_s = now->intake_left * tank->intake_left_rad_s,
        .intake_right_rad_s = now->intake_right * tank->intake_right_rad_s,
        .tube_rad_s = now->tube * tank->tube_rad_s,
        .left_drive_rad_s = now->left_drive * tank->left_drive_rad_s,
        .right_drive_rad_s = now->right_drive * tank->right_drive_rad_s,
        .lidar = hy_match_lidar(match, player, match->last_points[player - 1]),
    };
}

static hy_match_piece piece_of(const hy_match *match, size_t index)
{
    const hy_piece piece = hy_world_piece(match->world, index);
    hy_alliance side = HY_ALLIANCE_NONE;
    if (piece.place == HY_PIECE_GOAL) {
        side = hy_world_goal_at(match->model->world, piece.of)->side;
    }
    return (hy_match_piece){ piece.x_m - match->model->middle.x_m,
                             piece.y_m - match->model->middle.y_m, piece.z_m, piece.place, side };
}

void hy_match_read_state(const hy_match *match, hy_match_state *out)
{
    out->blue_score = match->score[0];
    out->red_score = match->score[1];
    out->timer_runs = match->timer_runs;
    out->timer_us = match->timer_us;
    out->in_collision = hy_world_field_is_touched(match->world);
    out->robot_count = match->model->players;
    for (unsigned i = 0; i < match->model->players; i++) {
        out->robot[i] = robot_of(match, i + 1);
    }
    out->piece_count = hy_world_describe(match->model->world).pieces;
    for (size_t i = 0; i < out->piece_count; i++) {
        out->piece[i] = piece_of(match, i);
    }
}

hy_match_facts hy_match_describe(const hy_match *match)
{
    return (hy_match_facts){ match->score[0],   match->score[1], match->timer_us,
                             match->timer_runs, match->over,     match->steps };
}

const hy_world_state *hy_match_world_state(const hy_match *match)
{
    return match->world;
}

static void hash_core(hy_hash *hash, const core *self)
{
    const double shares[] = { self->now.left_drive,    self->now.right_drive,
                              self->now.intake_center, self->now.intake_left,
                              self->now.intake_right,  self->now.tube };
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        hy_hash_u64(hash, (uint64_t)(int64_t)(shares[i] * SHARE_STEPS));
    }
    hy_hash_u64(hash, (uint64_t)self->started << 1 | (uint64_t)self->outtake_was_held);
}

uint64_t hy_match_hash(const hy_match *match)
{
    hy_hash hash = hy_hash_start();
    hy_hash_u64(&hash, hy_world_hash(match->world));
    hy_hash_u64(&hash, (uint64_t)match->timer_us);
    hy_hash_u64(&hash, (uint64_t)match->timer_runs << 1 | (uint64_t)match->over);
    for (size_t i = 0; i < HY_WORLD_GOALS; i++) {
        hy_hash_u64(&hash, (uint64_t)match->outtaken[i]);
    }
    for (unsigned i = 0; i < match->model->players; i++) {
        hash_core(&hash, &match->core[i]);
    }
    return hash.value;
}
