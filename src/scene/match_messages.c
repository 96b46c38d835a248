// SPEC icd: the numbers of the interface document, from the match's SI units and back.

#include <string.h>

#include "scene.h"

#if HY_MATCH_PLAYERS != HY_ICD_PLAYERS || HY_WORLD_PIECES > HY_ICD_PIECES
#error "a message needs room for every robot and every piece"
#endif

#define ENCODER_COUNTS 1024 // ten bits

static double share_of(int speed)
{
    return (double)speed / HY_ICD_FULL;
}

hy_match_commands hy_match_commands_from_icd(const hy_icd_commands *message)
{
    return (hy_match_commands){ .left_drive = share_of(message->left_drive),
                                .right_drive = share_of(message->right_drive),
                                .intake_center = share_of(message->intake_center),
                                .intake_left = share_of(message->intake_left),
                                .intake_right = share_of(message->intake_right),
                                .tube = share_of(message->tube),
                                .timer_start_stop = message->timer_start_stop,
                                .reset = message->reset,
                                .outtake = message->outtake };
}

/// What an encoder of ten bits shows: the counts rounded down, modulo 1024.
static int encoder_ticks(double counts)
{
    // Far below 2^53: a wheel would have to turn for years.
    const int64_t whole = (int64_t)counts - (counts < (double)(int64_t)counts);
    return (int)((uint64_t)whole % ENCODER_COUNTS);
}

void hy_icd_sensors_from_match(const hy_match_sensors *sensors, hy_icd_sensors *out)
{
    *out = (hy_icd_sensors){ .left_encoder = encoder_ticks(sensors->left_encoder_counts),
                             .right_encoder = encoder_ticks(sensors->right_encoder_counts),
                             .has_pose = true,
                             .x_m = sensors->x_m,
                             .y_m = sensors->y_m,
                             .theta_rad = sensors->heading_rad,
                             .ingested = (int)sensors->ingested,
                             .lidar = sensors->lidar };
}

static void copy_team(char *out, const char *team)
{
    memset(out, 0, HY_ICD_TEAM_SIZE); // what is hashed or compared has no old bytes behind the text
    for (size_t i = 0; i < HY_ICD_TEAM_SIZE - 1 && team[i] != '\0'; i++) {
        out[i] = team[i];
    }
}

static void convert_robot(const hy_match_robot *robot, hy_icd_vehicle *out)
{
    copy_team(out->team, robot->team);
    out->alliance = robot->side == HY_ALLIANCE_BLUE ? HY_ALLIANCE_BLUE : HY_ALLIANCE_RED;
    out->x_m = robot->x_m;
    out->y_m = robot->y_m;
    out->theta_rad = robot->heading_rad;
    out->intake_center_rad_s = robot->intake_center_rad_s;
    out->intake_left_rad_s = robot->intake_left_rad_s;
    out->intake_right_rad_s = robot->intake_right_rad_s;
    out->tube_rad_s = robot->tube_rad_s;
    out->left_drive_rad_s = robot->left_drive_rad_s;
    out->right_drive_rad_s = robot->right_drive_rad_s;
    out->lidar = robot->lidar;
}

/// The document has a number for every place; a goal of nobody's has none.
static hy_icd_ingestion ingestion_of(const hy_match_piece *piece)
{
    switch (piece->place) {
    case HY_PIECE_INTAKE_CENTER: return HY_ICD_INTAKE_CENTER;
    case HY_PIECE_INTAKE_LEFT: return HY_ICD_INTAKE_LEFT;
    case HY_PIECE_INTAKE_RIGHT: return HY_ICD_INTAKE_RIGHT;
    case HY_PIECE_TUBE: return HY_ICD_TUBE;
    case HY_PIECE_GOAL:
        return piece->goal_side == HY_ALLIANCE_BLUE  ? HY_ICD_BLUE_GOAL
               : piece->goal_side == HY_ALLIANCE_RED ? HY_ICD_RED_GOAL
                                                     : HY_ICD_FREE;
    case HY_PIECE_FREE: break;
    }
    return HY_ICD_FREE;
}

hy_icd_piece hy_icd_piece_from_match(const hy_match_piece *piece)
{
    return (hy_icd_piece){ piece->x_m, piece->y_m, piece->z_m, ingestion_of(piece) };
}

void hy_icd_match_from_state(const hy_match_state *state, hy_icd_match *out)
{
    out->blue_score = state->blue_score;
    out->red_score = state->red_score;
    out->timer_runs = state->timer_runs;
    out->timer_s = (double)state->timer_us / 1e6;
    out->in_collision = state->in_collision;
    out->vehicle_count = state->robot_count;
    for (size_t i = 0; i < state->robot_count; i++) {
        convert_robot(&state->robot[i], &out->vehicle[i]);
    }
    out->piece_count = state->piece_count;
    for (size_t i = 0; i < state->piece_count; i++) {
        out->piece[i] = hy_icd_piece_from_match(&state->piece[i]);
    }
}
