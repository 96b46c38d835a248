/// Finds balls and other robots among the lidar's echoes that do not come from walls.
#ifndef HALYARD_PLAYER_EYES_H
#define HALYARD_PLAYER_EYES_H

#include "grid.h"

#define HY_EYES_BALLS 64

/// A ball on the floor, as far as is known.
typedef struct {
    hy_point at;     // the field's frame
    unsigned seen;   // times
    unsigned missed; // times that the lidar looked through where it should be, since it was seen
    int64_t seen_us; // the last time
    int64_t not_before_us; // it could not be got at: not to be tried again before
} hy_eyes_ball;

/// Echoes in a row that belong to one thing.
typedef struct {
    hy_point first, last, sum;
    double nearest_m;
    unsigned count;
} hy_eyes_thing;

typedef struct {
    double ball_radius_m;
    hy_eyes_ball balls[HY_EYES_BALLS];
    size_t ball_count;
    hy_eyes_thing thing; // the one that the newest echoes are part of
} hy_eyes;

/// Where a robot is; the field's frame.
typedef struct {
    hy_point at;
    hy_point ahead; // the unit vector of its heading
    double heading_rad;
} hy_eyes_pose;

/// Takes the lidar points of one state, measured at `pose`; marks on the grid what is neither wall nor ball. O(points and balls).
void hy_eyes_look(hy_eyes *self, hy_grid *grid, const hy_eyes_pose *pose, const hy_icd_lidar *lidar,
                  int64_t now_us);

/// Whether a ball is one to go for: seen twice, on free floor.
bool hy_eyes_trusts(const hy_eyes_ball *ball);

/// Forgets a ball; the last takes its place.
void hy_eyes_forget(hy_eyes *self, size_t index);

/// A point of the field in a robot's axes: x ahead, y to the left.
hy_point hy_eyes_from_robot(const hy_eyes_pose *pose, hy_point at);

#endif
