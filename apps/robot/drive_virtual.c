// `halyard drive virtual`: a virtual robot in an arena, and the keyboard to drive it; without a terminal, a lap.
#include <halyard/sim.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/app.h"
#include "drive.h"
#include "process/board_process.h"
#include "robot_world.h"

#define COMMAND "drive"

// --------------------------------------------------------------------------- the lap

// The black oval of the arena: two straights and two half circles.
#define OVAL_LEFT_M   0.9
#define OVAL_RIGHT_M  1.5
#define OVAL_MIDDLE_M 0.9
#define OVAL_RADIUS_M 0.4

#define LAP_SPEED         0.7  // effort
#define LAP_TURN          1.0  // effort per radian of heading error
#define LAP_CARROT_M      0.15 // the point that the robot drives towards lies so far ahead
#define LAP_CARROT_STEP_M 0.005
#define LAP_LIMIT_US      60000000
#define LAP_MISS_M        0.15 // the lap is one if it ends so close to its start
#define LAP_STEP_US       10000

typedef struct {
    double x_m, y_m;
} point;

static double oval_length_m(void)
{
    return 2.0 * (OVAL_RIGHT_M - OVAL_LEFT_M) + 2.0 * HY_PI * OVAL_RADIUS_M;
}

// The point `way_m` along the oval, counter-clockwise from the left end of its lower straight, where the robot starts.
static point oval_point(double way_m)
{
    way_m = fmod(way_m, oval_length_m());
    const double straight_m = OVAL_RIGHT_M - OVAL_LEFT_M;
    const double half_m = HY_PI * OVAL_RADIUS_M;
    const double bottom_m = OVAL_MIDDLE_M - OVAL_RADIUS_M, top_m = OVAL_MIDDLE_M + OVAL_RADIUS_M;
    if (way_m < straight_m) {
        return (point){ OVAL_LEFT_M + way_m, bottom_m };
    }
    way_m -= straight_m;
    if (way_m < half_m) {
        const double angle_rad = way_m / OVAL_RADIUS_M - HY_PI / 2.0;
        return (point){ OVAL_RIGHT_M + OVAL_RADIUS_M * cos(angle_rad),
                        OVAL_MIDDLE_M + OVAL_RADIUS_M * sin(angle_rad) };
    }
    way_m -= half_m;
    if (way_m < straight_m) {
        return (point){ OVAL_RIGHT_M - way_m, top_m };
    }
    way_m -= straight_m;
    const double angle_rad = way_m / OVAL_RADIUS_M + HY_PI / 2.0;
    return (point){ OVAL_LEFT_M + OVAL_RADIUS_M * cos(angle_rad),
                    OVAL_MIDDLE_M + OVAL_RADIUS_M * sin(angle_rad) };
}

// Steers towards a point that runs ahead on the oval. Returns false when the robot has come around behind it.
static bool steer_lap(session *on, double *carrot_m)
{
    const double end_m = oval_length_m() + LAP_CARROT_M;
    const track *const at = &on->map.track;
    point carrot = oval_point(*carrot_m);
    while (hypot(carrot.x_m - at->x_m, carrot.y_m - at->y_m) < LAP_CARROT_M && *carrot_m < end_m) {
        *carrot_m += LAP_CARROT_STEP_M;
        carrot = oval_point(*carrot_m);
    }
    const double bearing_rad = atan2(carrot.y_m - at->y_m, carrot.x_m - at->x_m);
    const double error_rad = hy_wrap_angle(bearing_rad - at->heading_rad);
    session_arcade(on, LAP_SPEED * fmax(0.0, cos(error_rad)),
                   hy_clamp(LAP_TURN * error_rad, -LAP_SPEED, LAP_SPEED, 0.0));
    return *carrot_m < end_m;
}

// Lets a moment pass; false once the program has been asked to end.
static bool pass(session *on, board_process *board)
{
    const bool goes_on = hy_robot_wait(on->robot, LAP_STEP_US);
    session_update(on);
    board_process_read(board);
    return goes_on;
}

static const char *drive_lap(session *on, board_process *board, int64_t end_us)
{
    while (!hy_robot_enable(on->robot)) {
        if (!pass(on, board)) {
            return "interrupted";
        }
        if (hy_clock_now_us() >= end_us) {
            return "the robot did not answer";
        }
    }
    double carrot_m = 0.0;
    while (steer_lap(on, &carrot_m)) {
        if (!pass(on, board)) {
            return "interrupted";
        }
        if (!hy_robot_is_enabled(on->robot)) {
            return "the robot fell silent";
        }
        if (hy_clock_now_us() >= end_us) {
            return "the robot did not come around in a minute";
        }
    }
    hy_robot_disable(on->robot);
    while (!hy_robot_is_stopped(on->robot) && pass(on, board)) {
    }
    return NULL;
}

static int lap(session *on, board_process *board, const hy_truth *start)
{
    const int64_t began_us = hy_clock_now_us();
    const char *failure = drive_lap(on, board, began_us + LAP_LIMIT_US);
    const double took_s = (double)(hy_clock_now_us() - began_us) * 1e-6;
    const int closed = session_close(on);
    board_process_end(board); // the last of the truth comes with its end
    const double miss_m = hypot(board->x_m - start->x_m, board->y_m - start->y_m);
    if (failure == NULL && (miss_m > LAP_MISS_M || board->driven_m < 0.9 * oval_length_m())) {
        failure = "the robot is not where it should be";
    }
    printf("%s: drove %.2f m in %.1f s and ended at x %.3f m, y %.3f m, heading %.1f degrees (the "
           "world's truth), "
           "%.1f cm from the start\n",
           failure == NULL ? "lap" : "no lap", board->driven_m, took_s, board->x_m, board->y_m,
           hy_deg_from_rad(hy_wrap_angle(board->heading_rad)), 100.0 * miss_m);
    if (failure != NULL) {
        app_error(COMMAND, "%s", failure);
    }
    return failure == NULL ? closed : APP_FAILED;
}

// --------------------------------------------------------------------------- the arena on the map

#define FLOOR_POINTS 8192
#define FLOOR_STEP_M 0.01 // finer than the dots of any terminal
#define FLOOR_DARK   0.5

static void show_arena(map *on, const hy_world_model *arena)
{
    const hy_world_facts facts = hy_world_describe(arena);
    static hy_point dark[FLOOR_POINTS];
    size_t count = 0;
    const unsigned rows = (unsigned)(facts.height_m / FLOOR_STEP_M);
    const unsigned columns = (unsigned)(facts.width_m / FLOOR_STEP_M);
    for (unsigned row = 0; row < rows; row++) {
        for (unsigned column = 0; column < columns && count < FLOOR_POINTS; column++) {
            const double x_m = column * FLOOR_STEP_M, y_m = row * FLOOR_STEP_M;
            if (hy_world_darkness(arena, x_m, y_m) > FLOOR_DARK) {
                dark[count++] = (hy_point){ x_m, y_m };
            }
        }
    }
    on->floor = dark;
    on->floor_count = count;
    on->width_m = facts.width_m;
    on->height_m = facts.height_m;
    on->walls = hy_world_segments(arena, &on->wall_count);
}

// --------------------------------------------------------------------------- the subcommand

static int drive_in(const hy_sim *arena, const drive_plan *plan, bool by_keys)
{
    board_process board;
    const bool by_plan = plan->script != NULL || plan->duration_s > 0.0;
    const bool is_lap = !by_keys && !by_plan;
    const hy_robot_type *const type = drive_virtual_type();
    if (!board_process_start(&board, COMMAND, type, is_lap)) {
        return APP_FAILED;
    }
    session on;
    int result = session_open(&on, COMMAND, board.url);
    if (result == APP_OK && !session_inject(&on, &plan->faults)) {
        result = session_close(&on);
    } else if (result == APP_OK) {
        const hy_truth start = hy_sim_truth(arena, ROBOT_WORLD_VEHICLE);
        session_place(&on, start.x_m, start.y_m, start.heading_rad);
        show_arena(&on.map, hy_sim_model(arena));
        if (is_lap) {
            printf("no terminal: the virtual %s drives a lap by itself, at %s\n", type->title,
                   board.url);
            fflush(stdout);
            result = lap(&on, &board, &start);
        } else {
            char title[64];
            snprintf(title, sizeof title, "virtual %s in %s", type->title, type->world);
            drive_plan here = *plan;
            here.title = title;
            by_keys ? drive_by_keys(&on, &here) : drive_by_script(&on, &here);
            result = session_close(&on);
        }
    }
    board_process_end(&board);
    return result;
}

const hy_robot_type *drive_virtual_type(void)
{
    return hy_robot_type_at(0);
}

int drive_virtual(const drive_plan *plan, bool by_keys)
{
    hy_world_error error;
    const hy_robot_type *const type = drive_virtual_type();
    hy_world_model *const model = robot_world_load(type->world, type->variants[0].board, &error);
    hy_sim *arena = NULL; // never stepped: it knows where the robot starts
    const hy_sim_setup setup = { .world = model };
    if (model == NULL || hy_sim_start(&setup, &arena, &error) != HY_OK) {
        app_error(COMMAND, "%s", error.text);
        hy_world_free(model);
        return APP_FAILED;
    }
    const int result = drive_in(arena, plan, by_keys);
    hy_sim_end(arena);
    hy_world_free(model);
    return result;
}
