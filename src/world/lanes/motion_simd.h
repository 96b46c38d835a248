/// @file motion_simd.h
/// How a body moves in a step, and what an accelerometer in it measures: for LANES bodies at once (lanes.h).
#ifndef HY_WORLD_MOTION_SIMD_H
#define HY_WORLD_MOTION_SIMD_H

#include "lanes/lanes.h"
#include "shapes/geometry.h"

/// Velocities of centres of mass or impulses on them: body axes.
typedef struct {
    lanes x, y, turn;
} body_lanes;

/// hy_pose, of each lane.
typedef struct {
    lanes x_m, y_m, heading_rad, cos, sin;
} pose_lanes;

/// Motions at the beginning and at the end of a step.
typedef struct {
    body_lanes before, now;
    double step_s;
} motion_step;

/// By how much bodies turn in a step.
static inline lanes turn_in(const motion_step *step)
{
    return (step->before.turn + step->now.turn) / 2.0 * step->step_s;
}

/// Where bodies are after a step with nothing to touch: along the arc of the mean velocity. `to` has the heading that turn_in() leads
/// to. `com_m`: the centre of mass ahead of the origin.
static inline pose_lanes pose_on_arc(pose_lanes from, const motion_step *step, pose_lanes to,
                                     double com_m)
{
    const body_lanes before = step->before, now = step->now;
    const double step_s = step->step_s;
    const lanes turn_rad = turn_in(step);
    const lanes way_x = (before.x + now.x) / 2.0 * step_s;
    const lanes way_y = (before.y + now.y) / 2.0 * step_s - com_m * turn_rad;
    // An arc's chord lies half way between its directions; their mean is too short for it by
    // cos(a) / (sin(a) / a), a being half the turn: here to the fourth power of a.
    const lanes stretch = (1.0 + turn_rad * turn_rad / 12.0) / 2.0;
    const lanes along_x = (from.cos * way_x - from.sin * way_y) + (to.cos * way_x - to.sin * way_y);
    const lanes along_y = (from.sin * way_x + from.cos * way_y) + (to.sin * way_x + to.cos * way_y);
    to.x_m = from.x_m + along_x * stretch;
    to.y_m = from.y_m + along_y * stretch;
    return to;
}

/// The same, with that heading.
static inline pose_lanes pose_after(pose_lanes from, body_lanes before, body_lanes now,
                                    double com_m, double step_s)
{
    const motion_step step = { before, now, step_s };
    pose_lanes to = { .heading_rad = from.heading_rad + turn_in(&step) };
    lanes_sin_cos(to.heading_rad, &to.sin, &to.cos);
    return pose_on_arc(from, &step, to, com_m);
}

/// The largest distance that a point of a body moves in a step with these motions at its beginning and end, if no point is farther than
/// `reach_m` from the origin.
static inline lanes way_between(const pose_lanes *from, const pose_lanes *to, double reach_m)
{
    const lanes x = to->x_m - from->x_m, y = to->y_m - from->y_m;
    return lanes_sqrt(x * x + y * y) + reach_m * lanes_abs(to->heading_rad - from->heading_rad);
}

/// A vector in the body's axes.
typedef struct {
    lanes x, y;
} vec_lanes;

/// Specific force, without gravity, at a place that is `from_com` away from the centre of mass.
static inline vec_lanes force_between(body_lanes before, body_lanes now, hy_vec from_com,
                                      double step_s)
{
    const lanes turn = (now.turn + before.turn) / 2.0;
    const lanes spin_up = (now.turn - before.turn) / step_s;
    return (vec_lanes){ (now.x - before.x) / step_s - turn * (now.y + before.y) / 2.0 -
                            spin_up * from_com.y - turn * turn * from_com.x,
                        (now.y - before.y) / step_s + turn * (now.x + before.x) / 2.0 +
                            spin_up * from_com.x - turn * turn * from_com.y };
}

#endif
