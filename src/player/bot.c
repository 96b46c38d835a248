// A bot: a state machine that chooses what to do next, and the driving.
#include <halyard/player.h>

#include <math.h>
#include <stdlib.h>

#include "eyes.h"
#include "steering.h"

#define PLAN_US      250000 // time between two plans
#define LOOK_AHEAD_M 2.5    // distance to the farthest point of the path that the robot steers to

// Its robot, the tank of the field of 2020, in its own axes.
#define MOUTH_M      0.48 // a ball at most so far ahead ...
#define MOUTH_HALF_M 0.26 // ... and so far to the side is in the intakes

#define ALIGN_M      3.2  // distance from the goal where the robot begins to back up straight to it
#define UNLOAD_M     1.40 // distance from the goal where it stops and unloads
#define BACK_AIM_M   1.6  // look-ahead distance while it backs up
#define ALIGNED_M    0.35 // a point nearer than this is reached
#define BALL_CLEAR_M 0.25 // balls nearer to a wall are ignored: the robot would touch the wall

#define ASIDE_M       0.18 // how far to the side of the intake's middle a ball near to a wall is taken in
#define IN_GOAL_M     0.75   // a ball so near to a goal's middle has scored
#define TURN_CLEAR_M  0.8    // with so much room the robot can turn on the spot
#define BESIDE_M      0.8    // a ball that is nearer than this ...
#define BESIDE_RAD    0.8    // ... and more than this to the side is beside the robot
#define STUCK_US      500000 // a robot that was commanded to drive for so long ...
#define STUCK_M       0.06   // ... and moved no farther than this is stuck
#define STUCK_RAD     0.3    // nor turned by more than this
#define ARC_RAD       0.6    // largest heading error with which a robot near to a wall drives
#define OFF_WALL_GAIN 400.0  // motor speed for a metre of missing distance
#define ESCAPE_US     900000
#define SPIT_US \
    200000 // at the end of unloading: two balls side by side wedge in the intake, and are let out
#define HOME_LATER_M \
    4.0 // another ball is fetched first if its path is longer than that home by less
#define GIVE_UP_US 8000000 // a ball that could not be reached is ignored for so long

typedef struct {
    double most;       // largest motor speed
    unsigned aboard;   // balls that it collects before it drives to the goal
    int64_t rest_us;   // pause after unloading
    int64_t unload_us; // for each ball
} bot_skill;

static const bot_skill skills[] = {
    [HY_PLAYER_EASY] = { .most = 130, .aboard = 1, .rest_us = 1000000, .unload_us = 1200000 },
    [HY_PLAYER_HARD] = { .most = 260, .aboard = 3, .rest_us = 0, .unload_us = 600000 },
};

typedef enum {
    BOT_SEARCH,
    BOT_FETCH,
    BOT_REST,
    BOT_HOME, // drives to the point where it begins to back up
    BOT_BACK, // backs up to the goal
    BOT_UNLOAD,
    BOT_LEAVE,  // drives away from the goal
    BOT_ESCAPE, // drives away from what blocks it
} bot_state;

static const char *const doing[] = {
    [BOT_SEARCH] = "looking for balls",
    [BOT_FETCH] = "fetching a ball",
    [BOT_REST] = "resting",
    [BOT_HOME] = "going to its goal",
    [BOT_BACK] = "backing up to its goal",
    [BOT_UNLOAD] = "unloading",
    [BOT_LEAVE] = "leaving its goal",
    [BOT_ESCAPE] = "backing away from an obstacle",
};

struct hy_player_bot {
    const bot_skill *skill;
    hy_point goals[3];
    hy_eyes eyes;
    hy_grid grid;
    hy_player_steering steering;
    hy_eyes_pose pose;
    bool placed;
    // Of its own alliance's goal: its middle, where to begin to back up, where to unload.
    hy_point goal, before_goal, at_goal;
    bot_state state;
    int64_t since_us; // when the state was entered
    int64_t now_us, planned_us;
    hy_point target, next; // the end of the path, and the point of it that the robot steers to
    size_t watch;          // index of the next point to look for balls from
    unsigned held;         // balls aboard
    hy_point moved_at;     // position at moved_us
    int64_t moved_us;      // when it moved last
    double stuck_heading_rad;
    unsigned attempt; // how it tries to escape: index into the speeds of escape()
};

// --------------------------------------------------------------------------- life

hy_player_bot *hy_player_bot_open(const hy_player_field *field, hy_player_skill skill)
{
    hy_player_bot *const self = calloc(1, sizeof *self);
    if (self == NULL || hy_grid_init(&self->grid, field->walls, field->wall_count) != HY_OK) {
        free(self);
        return NULL;
    }
    self->skill = &skills[skill];
    self->eyes.ball_radius_m = field->ball_radius_m;
    for (size_t i = 0; i < 3; i++) {
        self->goals[i] = field->goal[i];
    }
    return self;
}

void hy_player_bot_close(hy_player_bot *self)
{
    if (self != NULL) {
        hy_grid_free(&self->grid);
        free(self);
    }
}

// --------------------------------------------------------------------------- where things are

// It plays for the alliance in whose half it starts. Goals open towards the middle of the field along y.
static void find_goal(hy_player_bot *self)
{
    const hy_point blue = self->goals[HY_ALLIANCE_BLUE], red = self->goals[HY_ALLIANCE_RED];
    self->goal =
        hy_grid_distance(self->pose.at, blue) < hy_grid_distance(self->pose.at, red) ? blue : red;
    const double in = self->goal.y_m < 0.0 ? 1.0 : -1.0;
    self->before_goal = (hy_point){ self->goal.x_m, self->goal.y_m + in * ALIGN_M };
    self->at_goal = (hy_point){ self->goal.x_m, self->goal.y_m + in * UNLOAD_M };
}

static void enter(hy_player_bot *self, bot_state state)
{
    self->state = state;
    self->since_us = self->moved_us = self->now_us;
    self->moved_at = self->pose.at;
    self->planned_us = 0;
    self->steering.turn_sum = 0.0;
}

// Balls that have come into the intakes are aboard.
static void take_balls_in(hy_player_bot *self, const hy_icd_sensors *sensors)
{
    for (size_t i = self->eyes.ball_count; i-- > 0;) {
        const hy_point at = hy_eyes_from_robot(&self->pose, self->eyes.balls[i].at);
        if (at.x_m > -0.6 && at.x_m < MOUTH_M && fabs(at.y_m) < MOUTH_HALF_M) {
            hy_eyes_forget(&self->eyes, i);
            self->held++;
        }
    }
    if (sensors->ingested > 0) { // only the later form of the messages says so
        self->held = (unsigned)sensors->ingested;
    }
}

// --------------------------------------------------------------------------- what to do next

static bool is_in_goal(const hy_player_bot *self, hy_point at)
{
    return hy_grid_distance(at, self->goals[HY_ALLIANCE_BLUE]) < IN_GOAL_M ||
           hy_grid_distance(at, self->goals[HY_ALLIANCE_RED]) < IN_GOAL_M;
}

// Distance from the walls of the point that is a metre ahead (+1) or behind (-1).
static double room_m(const hy_player_bot *self, double direction)
{
    return hy_grid_clear(&self->grid,
                         (hy_point){ self->pose.at.x_m + direction * self->pose.ahead.x_m,
                                     self->pose.at.y_m + direction * self->pose.ahead.y_m });
}

// Nearest first, as the crow flies.
static void sort_balls(hy_player_bot *self)
{
    hy_eyes_ball *const balls = self->eyes.balls;
    for (size_t i = 1; i < self->eyes.ball_count; i++) {
        const hy_eyes_ball ball = balls[i];
        const double square = hy_grid_square(self->pose.at, ball.at);
        size_t place = i;
        for (; place > 0 && hy_grid_square(self->pose.at, balls[place - 1].at) > square; place--) {
            balls[place] = balls[place - 1];
        }
        balls[place] = ball;
    }
}

// No path is shorter than the straight line, so that those to most balls need not be found.
static const hy_eyes_ball *best_ball(hy_player_bot *self, double *cost_m)
{
    const hy_eyes_ball *best = NULL;
    sort_balls(self);
    *cost_m = INFINITY;
    for (size_t i = 0; i < self->eyes.ball_count; i++) {
        const hy_eyes_ball *const ball = &self->eyes.balls[i];
        if (!hy_eyes_trusts(ball) || self->now_us < ball->not_before_us ||
            hy_grid_distance(self->pose.at, ball->at) > *cost_m ||
            !hy_grid_is_clear(&self->grid, ball->at, BALL_CLEAR_M) || is_in_goal(self, ball->at)) {
            continue;
        }
        const double cost = hy_grid_cost(&self->grid, ball->at, *cost_m);
        if (cost < *cost_m) {
            *cost_m = cost;
            best = ball;
        }
    }
    return best;
}

// Places from where nearly all of the field can be seen.
static const hy_point watches[] = { { 0, 0 }, { 1.5, 4 }, { 0, 0 }, { -1.5, -4 } };

static void choose_ball(hy_player_bot *self)
{
    double cost_m = INFINITY;
    const bool full = self->held >= self->skill->aboard;
    const hy_eyes_ball *const ball = full ? NULL : best_ball(self, &cost_m);
    const bool home =
        self->held > 0 &&
        (ball == NULL || cost_m > hy_grid_cost(&self->grid, self->before_goal, cost_m) + 4.0);
    if (home) {
        if (self->state != BOT_HOME) {
            enter(self, BOT_HOME);
        }
        self->target = self->before_goal;
    } else if (ball != NULL) {
        if (self->state != BOT_FETCH || hy_grid_distance(ball->at, self->target) > 0.5) {
            enter(self, BOT_FETCH);
        }
        self->target = hy_grid_off_wall(&self->grid, ball->at, ASIDE_M);
    } else {
        if (self->state != BOT_SEARCH) {
            enter(self, BOT_SEARCH);
        }
        self->watch += hy_grid_distance(self->pose.at, watches[self->watch % 4]) < 0.6;
        self->target = watches[self->watch % 4];
    }
}

static void plan(hy_player_bot *self)
{
    self->planned_us = self->now_us;
    if (self->state == BOT_SEARCH || self->state == BOT_FETCH || self->state == BOT_HOME) {
        const int64_t planned_us = self->planned_us;
        hy_grid_plan(&self->grid, self->pose.at, self->now_us);
        choose_ball(self);
        self->planned_us = planned_us;
    }
}

// --------------------------------------------------------------------------- stuck

static void leave_ball(hy_player_bot *self)
{
    for (size_t i = 0; i < self->eyes.ball_count; i++) {
        if (hy_grid_distance(self->eyes.balls[i].at, self->target) < 0.3) {
            self->eyes.balls[i].not_before_us = self->now_us + GIVE_UP_US;
        }
    }
}

static void watch_progress(hy_player_bot *self, const hy_icd_commands *out)
{
    const int both = out->left_drive + out->right_drive;
    const bool drives = abs(out->left_drive) + abs(out->right_drive) > 60;
    if (!drives || hy_grid_distance(self->pose.at, self->moved_at) > STUCK_M) {
        self->moved_at = self->pose.at;
        self->moved_us = self->now_us;
    } else if (self->now_us - self->moved_us > STUCK_US) {
        if (self->state == BOT_FETCH) {
            leave_ball(self);
        }
        const bool ahead = abs(both) > 40 ? both < 0 : room_m(self, 1.0) > room_m(self, -1.0);
        self->attempt = ahead ? 0 : 1;
        self->stuck_heading_rad = self->pose.heading_rad;
        enter(self, BOT_ESCAPE);
    }
}

// --------------------------------------------------------------------------- driving

static hy_icd_commands drive_to(hy_player_bot *self, hy_point to, double most, bool backward,
                                double time_s)
{
    const hy_point at = hy_eyes_from_robot(&self->pose, to);
    const double to_go_m = hy_grid_distance(self->pose.at, to);
    const hy_steering_target target = {
        .ahead_m = at.x_m, .left_m = at.y_m, .backward = backward, .to_go_m = to_go_m + 0.3, .most = most
    };
    return hy_steering_drive(&self->steering, &target, time_s);
}

// Near to a wall the robot does not turn on the spot, because its corners would touch the wall. It drives towards the point with the
// end that is nearer to it, on an arc if there is room for one.
static hy_icd_commands travel_near_wall(hy_player_bot *self, double time_s)
{
    const hy_point at = hy_eyes_from_robot(&self->pose, self->next);
    const double away_m = hypot(at.x_m, at.y_m);
    const double direction = at.x_m < 0.0 ? -1.0 : 1.0;
    const double error_rad = atan2(direction * at.y_m, direction * at.x_m);
    const double most_rad = room_m(self, direction) > HY_GRID_CLEAR_M ? ARC_RAD : INFINITY;
    const double arc_rad = hy_clamp(error_rad, -most_rad, most_rad, 0.0);
    const hy_steering_target target = { .ahead_m = direction * away_m * cos(arc_rad),
                                        .left_m = direction * away_m * sin(arc_rad),
                                        .backward = direction < 0.0,
                                        .to_go_m = away_m + 0.3,
                                        .most = self->skill->most };
    return hy_steering_drive(&self->steering, &target, time_s);
}

static hy_icd_commands travel(hy_player_bot *self, bool backward, double time_s)
{
    self->next = hy_grid_next(&self->grid, self->pose.at, self->target, LOOK_AHEAD_M);
    if (hy_grid_clear(&self->grid, self->pose.at) < TURN_CLEAR_M) {
        return travel_near_wall(self, time_s);
    }
    return drive_to(self, self->next, self->skill->most, backward, time_s);
}

// Along the line through the goal's middle, towards a point of it that stays a metre behind the robot.
static hy_icd_commands back_up(hy_player_bot *self, double time_s)
{
    const double in = self->goal.y_m < self->before_goal.y_m ? -1.0 : 1.0;
    const hy_point to = hy_eyes_from_robot(
        &self->pose, (hy_point){ self->goal.x_m, self->pose.at.y_m + in * BACK_AIM_M });
    const hy_steering_target target = { .ahead_m = to.x_m,
                                        .left_m = to.y_m,
                                        .backward = true,
                                        .to_go_m =
                                            0.08 + 0.5 * fabs(self->at_goal.y_m - self->pose.at.y_m),
                                        .most = 130 };
    return hy_steering_drive(&self->steering, &target, time_s);
}

// What the tube lets out now flies into the goal.
static bool is_aligned(const hy_player_bot *self)
{
    const hy_point goal = hy_eyes_from_robot(&self->pose, self->goal);
    return fabs(self->pose.at.x_m - self->goal.x_m) < 0.3 && fabs(goal.y_m) < 0.3;
}

// The turn that moves the leading end of the robot away from the nearest wall.
static int turn_off_wall(const hy_player_bot *self, int speed)
{
    const hy_point off = hy_grid_off_wall(&self->grid, self->pose.at, 1.0);
    const double aside_m = hy_eyes_from_robot(&self->pose, off).y_m;
    return (int)(hy_clamp(aside_m, -0.3, 0.3, 0.0) * OFF_WALL_GAIN) * (speed < 0 ? -1 : 1);
}

// Drives straight in one direction. If that does not move the robot it tries the other direction, then a turn to each side.
static hy_icd_commands escape(hy_player_bot *self)
{
    static const int left[] = { 170, -170, -200, 200 }, right[] = { 170, -170, 200, -200 };
    const double turned_rad = fabs(self->pose.heading_rad - self->stuck_heading_rad);
    if (self->now_us - self->since_us > ESCAPE_US) {
        enter(self, BOT_SEARCH);
    } else if (hy_grid_distance(self->pose.at, self->moved_at) > STUCK_M || turned_rad > STUCK_RAD) {
        self->moved_us = self->since_us + ESCAPE_US; // it moves
    } else if (self->now_us - self->moved_us > STUCK_US) {
        self->attempt = (self->attempt + 1) % 4;
        self->since_us = self->moved_us = self->now_us;
    }
    const int turn = self->attempt < 2 ? turn_off_wall(self, left[self->attempt]) : 0;
    return (hy_icd_commands){ .left_drive = left[self->attempt] - turn,
                              .right_drive = right[self->attempt] + turn };
}

// The ball lies where the robot would only turn around it.
static bool is_beside(const hy_player_bot *self)
{
    const hy_point at = hy_eyes_from_robot(&self->pose, self->target);
    return hypot(at.x_m, at.y_m) < BESIDE_M && fabs(atan2(at.y_m, at.x_m)) > BESIDE_RAD;
}

static int64_t unload_left_us(const hy_player_bot *self)
{
    return self->skill->unload_us * (int64_t)(self->held + 1) - (self->now_us - self->since_us);
}

static hy_icd_commands act(hy_player_bot *self, double time_s)
{
    hy_icd_commands out = { 0 };
    const int64_t past_us = self->now_us - self->since_us;
    switch (self->state) {
    case BOT_FETCH:
        if (is_beside(self)) {
            leave_ball(self);  // another one first, and this one from another side
            self->attempt = 1; // straight back
            self->stuck_heading_rad = self->pose.heading_rad;
            enter(self, BOT_ESCAPE);
        }
        return travel(self, false, time_s);
    case BOT_SEARCH: return travel(self, false, time_s);
    case BOT_REST:
        if (past_us > self->skill->rest_us) {
            enter(self, BOT_SEARCH);
        }
        break;
    case BOT_HOME:
        if (hy_grid_distance(self->pose.at, self->before_goal) < ALIGNED_M) {
            enter(self, BOT_BACK);
        }
        return travel(self, true, time_s);
    case BOT_BACK:
        if (fabs(self->at_goal.y_m - self->pose.at.y_m) < 0.05 || past_us > 4000000) {
            enter(self, is_aligned(self) ? BOT_UNLOAD : BOT_LEAVE);
        }
        return back_up(self, time_s);
    case BOT_UNLOAD:
        if (unload_left_us(self) < 0) {
            self->held = 0;
            enter(self, BOT_LEAVE);
        }
        out.tube = HY_ICD_FULL;
        break;
    case BOT_LEAVE:
        if (fabs(self->goal.y_m - self->pose.at.y_m) > ALIGN_M - ALIGNED_M || past_us > 2000000) {
            enter(self, self->held > 0             ? BOT_BACK
                        : self->skill->rest_us > 0 ? BOT_REST
                                                   : BOT_SEARCH);
        }
        return drive_to(self, self->before_goal, self->skill->most, false, time_s);
    case BOT_ESCAPE: return escape(self);
    }
    return out;
}

hy_icd_commands hy_player_bot_drive(hy_player_bot *self, const hy_icd_sensors *sensors, bool is_new,
                                    int64_t now_us)
{
    hy_icd_commands out = { 0 };
    if (!sensors->has_pose) {
        return out;
    }
    self->now_us = now_us;
    double time_s = 0.0;
    if (is_new) {
        const hy_sine_cosine ahead = hy_sin_cos(sensors->theta_rad);
        self->pose = (hy_eyes_pose){ .at = { sensors->x_m, sensors->y_m },
                                     .ahead = { ahead.cos, ahead.sin },
                                     .heading_rad = sensors->theta_rad };
        if (!self->placed) {
            self->placed = true;
            find_goal(self);
            enter(self, BOT_SEARCH);
        }
        time_s = hy_steering_follow(&self->steering, sensors->theta_rad, now_us);
        hy_eyes_look(&self->eyes, &self->grid, &self->pose, &sensors->lidar, now_us);
        take_balls_in(self, sensors);
    }
    if (now_us - self->planned_us >= PLAN_US) {
        plan(self);
    }
    out = act(self, time_s);
    if (self->state != BOT_ESCAPE) {
        watch_progress(self, &out);
    }
    out.intake_center = out.intake_left = out.intake_right = HY_ICD_FULL;
    if (self->state == BOT_UNLOAD && unload_left_us(self) < SPIT_US) {
        out.intake_center = -HY_ICD_FULL;
    }
    return out;
}

hy_player_bot_facts hy_player_bot_describe(const hy_player_bot *self)
{
    return (hy_player_bot_facts){ .doing = doing[self->state],
                                  .target = self->target,
                                  .balls_seen = self->eyes.ball_count,
                                  .balls_held = self->held };
}
