/// @file meet.h
/// Where a vehicle meets what never moves, or soon may: points of contact with walls and obstacles.
#ifndef HY_WORLD_MEET_H
#define HY_WORLD_MEET_H

#include "model.h"

#include <math.h>

#define HY_CONTACTS_MAX 24    ///< Of one vehicle at a time.
#define HY_TOUCH_M      0.001 ///< What is nearer touches.

typedef struct {
    hy_vec r_m, normal; ///< From the centre of mass; out of the solid.
    double gap_m;       ///< Along the normal.
} hy_contact_point;

typedef struct {
    const hy_vehicle_model *vehicle;
    hy_pose pose;
    hy_vec center_m;                    ///< Of mass.
    hy_vec outline[HY_VEHICLE_CORNERS]; ///< From the centre of mass, counter-clockwise.
    double within_m;                    ///< Larger gaps do not matter.
    size_t count;
    hy_contact_point points[HY_CONTACTS_MAX];
} hy_contact_finder;

/// Lists the points that are nearer than `within_m` to a wall or an obstacle; `vehicle`, `pose` and `center_m` are the caller's.
/// O(obstacles).
void hy_contacts_find(hy_contact_finder *finder, const hy_world_model *model, double within_m);

/// Adds those of one obstacle, of which all but `points` and `count` must be set.
void hy_contacts_meet(hy_contact_finder *finder, const hy_obstacle *obstacle);

#define HY_WALLS 4

/// An edge of the floor.
typedef struct {
    hy_vec at_m, normal;
} hy_wall;

static inline hy_wall hy_wall_of(const hy_world_model *model, int index)
{
    const hy_vec end_m = { model->width_m, model->height_m };
    const hy_wall walls[HY_WALLS] = {
        { { 0, 0 }, { 1, 0 } }, { { 0, 0 }, { 0, 1 } }, { end_m, { -1, 0 } }, { end_m, { 0, -1 } }
    };
    return walls[index];
}

/// No corner is farther from the centre of mass: a micrometre is more than rounding can add.
static inline double hy_contact_reach(const hy_vehicle_model *vehicle)
{
    return vehicle->reach_m + fabs(vehicle->body.com_ahead_m) + 1e-6;
}

#endif
