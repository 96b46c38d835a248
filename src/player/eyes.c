#include "eyes.h"

#include <math.h>

#define WALL_M \
    0.10 // an echo so near to a wall is the wall's: five times the spread of a lidar with 2 cm of it
#define APART_M        0.25 // echoes in a row that are farther apart belong to two things
#define SAME_BALL_M    0.3  // a ball seen so near to where one is known is that one
#define BALL_WIDE_M    0.10 // what a thing may be wider than a ball, by noise
#define BEHIND_M       0.35 // an echo so much farther than a ball says that it is gone
#define NEAR_M         1.0  // nearer than this, and noise, a lidar may see nothing
#define FAR_M          9.0  // farther away one echo may miss a ball
#define QUARTER_PI     0.785398163397448
#define SEEN_ENOUGH    2
#define POINTS_AT_ONCE 64
#define MISSED_MOST    6

hy_point hy_eyes_from_robot(const hy_eyes_pose *pose, hy_point at)
{
    const double c = pose->ahead.x_m, s = pose->ahead.y_m;
    const double dx = at.x_m - pose->at.x_m, dy = at.y_m - pose->at.y_m;
    return (hy_point){ c * dx + s * dy, c * dy - s * dx };
}

void hy_eyes_forget(hy_eyes *self, size_t index)
{
    self->balls[index] = self->balls[--self->ball_count];
}

bool hy_eyes_trusts(const hy_eyes_ball *ball)
{
    return ball->seen >= SEEN_ENOUGH;
}

// --------------------------------------------------------------------------- things

static void see_ball(hy_eyes *self, hy_point at, int64_t now_us)
{
    hy_eyes_ball *nearest = NULL;
    double nearest_m = SAME_BALL_M;
    for (size_t i = 0; i < self->ball_count; i++) {
        const double apart_m = hy_grid_distance(self->balls[i].at, at);
        if (apart_m < nearest_m) {
            nearest_m = apart_m;
            nearest = &self->balls[i];
        }
    }
    if (nearest == NULL) {
        if (self->ball_count == HY_EYES_BALLS) {
            return;
        }
        nearest = &self->balls[self->ball_count++];
        *nearest = (hy_eyes_ball){ .at = at };
    }
    const double share = nearest->seen < 4 ? 1.0 / (nearest->seen + 1.0) : 0.25;
    nearest->at.x_m += share * (at.x_m - nearest->at.x_m);
    nearest->at.y_m += share * (at.y_m - nearest->at.y_m);
    nearest->seen++;
    nearest->missed = 0;
    nearest->seen_us = now_us;
}

// A group of echoes as small as a ball is a ball. Everything larger is an obstacle, mostly another robot.
static void end_thing(hy_eyes *self, hy_grid *grid, hy_point from, int64_t now_us)
{
    const hy_eyes_thing thing = self->thing;
    self->thing.count = 0;
    if (thing.count == 0) {
        return;
    }
    const double count = (double)thing.count;
    const hy_point middle = { thing.sum.x_m / count, thing.sum.y_m / count };
    if (hy_grid_distance(thing.first, thing.last) > 2.0 * self->ball_radius_m + BALL_WIDE_M) {
        hy_grid_mark(grid, thing.first, now_us);
        hy_grid_mark(grid, middle, now_us);
        hy_grid_mark(grid, thing.last, now_us);
        return;
    }
    // The echoes come from its near side: on average a quarter of pi of the radius before the middle.
    const double away_m = hy_grid_distance(from, middle);
    const double longer = away_m > 0.0 ? 1.0 + self->ball_radius_m * QUARTER_PI / away_m : 1.0;
    const hy_point at = { from.x_m + longer * (middle.x_m - from.x_m),
                          from.y_m + longer * (middle.y_m - from.y_m) };
    if ((thing.count > 1 || away_m > FAR_M) && !hy_grid_is_busy(grid, at, now_us)) {
        see_ball(self, at, now_us);
    }
}

static void add_echo(hy_eyes *self, hy_point at)
{
    hy_eyes_thing *const thing = &self->thing;
    if (thing->count == 0) {
        *thing = (hy_eyes_thing){ .first = at };
    }
    thing->last = at;
    thing->sum.x_m += at.x_m;
    thing->sum.y_m += at.y_m;
    thing->count++;
}

// --------------------------------------------------------------------------- balls that are gone

// The rays of one state that should have met a known ball, and went on to something behind it.
static void look_through(hy_eyes *self, const hy_eyes_pose *pose, const hy_icd_lidar *lidar)
{
    const double middle_rad = lidar->count > 0 ? lidar->points[lidar->count / 2].azimuth_rad : 0.0;
    double rays_rad = 0.0; // the farthest from the middle one
    for (size_t k = 0; k < lidar->count; k++) {
        rays_rad = fmax(rays_rad, fabs(hy_wrap_angle(lidar->points[k].azimuth_rad - middle_rad)));
    }
    for (size_t i = self->ball_count; i-- > 0;) {
        hy_eyes_ball *const ball = &self->balls[i];
        const hy_point at = hy_eyes_from_robot(pose, ball->at);
        const double away_m = sqrt(at.x_m * at.x_m + at.y_m * at.y_m);
        if (away_m < NEAR_M || away_m > FAR_M) {
            continue;
        }
        const double half_rad = 0.4 * self->ball_radius_m / away_m;
        const double azimuth_rad = hy_atan2(at.y_m, at.x_m);
        if (fabs(hy_wrap_angle(azimuth_rad - middle_rad)) > rays_rad + half_rad) {
            continue; // no ray of this state comes near to it
        }
        for (size_t k = 0; k < lidar->count; k++) {
            const hy_icd_lidar_point p = lidar->points[k];
            const bool is_behind = p.range_m <= 0.0 || p.range_m > away_m + BEHIND_M;
            ball->missed += is_behind && fabs(hy_wrap_angle(p.azimuth_rad - azimuth_rad)) < half_rad;
        }
        if (ball->missed > MISSED_MOST) {
            hy_eyes_forget(self, i);
        }
    }
}

void hy_eyes_look(hy_eyes *self, hy_grid *grid, const hy_eyes_pose *pose, const hy_icd_lidar *lidar,
                  int64_t now_us)
{
    look_through(self, pose, lidar);
    double angles_rad[POINTS_AT_ONCE], sines[POINTS_AT_ONCE], cosines[POINTS_AT_ONCE];
    for (size_t i = 0; i < lidar->count; i++) {
        const size_t left = lidar->count - i, k = i % POINTS_AT_ONCE;
        for (size_t n = 0; k == 0 && n < POINTS_AT_ONCE && n < left; n++) {
            angles_rad[n] = pose->heading_rad + lidar->points[i + n].azimuth_rad;
        }
        if (k == 0) {
            hy_sin_cos_many(angles_rad, left < POINTS_AT_ONCE ? left : POINTS_AT_ONCE, sines,
                            cosines);
        }
        const double range_m = lidar->points[i].range_m;
        const hy_point at = { pose->at.x_m + range_m * cosines[k],
                              pose->at.y_m + range_m * sines[k] };
        const bool is_wall = range_m <= 0.0 || !hy_grid_is_clear(grid, at, WALL_M);
        if (is_wall || (self->thing.count > 0 && hy_grid_distance(self->thing.last, at) > APART_M)) {
            end_thing(self, grid, pose->at, now_us);
        }
        if (!is_wall) {
            add_echo(self, at);
        }
    }
}
