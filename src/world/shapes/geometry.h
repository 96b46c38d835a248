/// @file geometry.h
/// Points, poses and edges in the plane.
#ifndef HY_WORLD_GEOMETRY_H
#define HY_WORLD_GEOMETRY_H

#include <halyard/base.h>
#include <halyard/world.h>

typedef struct {
    double x, y;
} hy_vec;

/// Where something is and how it is turned; the sine and cosine travel with the heading, because
/// everything that uses a pose needs them.
typedef struct {
    hy_vec at_m;
    double heading_rad; ///< Never wraps.
    double cos, sin;    ///< Of the heading.
} hy_pose;

static inline hy_vec hy_vec_of(hy_point p)
{
    return (hy_vec){ p.x_m, p.y_m };
}
static inline hy_vec hy_vec_add(hy_vec a, hy_vec b)
{
    return (hy_vec){ a.x + b.x, a.y + b.y };
}
static inline hy_vec hy_vec_sub(hy_vec a, hy_vec b)
{
    return (hy_vec){ a.x - b.x, a.y - b.y };
}
static inline hy_vec hy_vec_scale(hy_vec a, double by)
{
    return (hy_vec){ a.x * by, a.y * by };
}
static inline double hy_vec_dot(hy_vec a, hy_vec b)
{
    return a.x * b.x + a.y * b.y;
}

/// Twice the area between two vectors; positive if `b` is to the left of `a`.
static inline double hy_vec_cross(hy_vec a, hy_vec b)
{
    return a.x * b.y - a.y * b.x;
}

static inline hy_pose hy_pose_make(double x_m, double y_m, double heading_rad)
{
    const hy_sine_cosine turned = hy_sin_cos(heading_rad);
    return (hy_pose){ { x_m, y_m }, heading_rad, turned.cos, turned.sin };
}
/// A direction of the pose's own axes, seen from the world; and back.
static inline hy_vec hy_pose_turn(const hy_pose *pose, hy_vec v)
{
    return (hy_vec){ pose->cos * v.x - pose->sin * v.y, pose->sin * v.x + pose->cos * v.y };
}
static inline hy_vec hy_pose_turn_back(const hy_pose *pose, hy_vec v)
{
    return (hy_vec){ pose->cos * v.x + pose->sin * v.y, pose->cos * v.y - pose->sin * v.x };
}
/// A point of the pose's own axes, seen from the world.
static inline hy_vec hy_pose_point(const hy_pose *pose, hy_vec v)
{
    return hy_vec_add(pose->at_m, hy_pose_turn(pose, v));
}

static inline double hy_min(double a, double b)
{
    return a < b ? a : b;
}
static inline double hy_max(double a, double b)
{
    return a > b ? a : b;
}

/// Square of the distance from `p` to the segment from `a` to `b`.
double hy_distance_squared(hy_vec p, hy_vec a, hy_vec b);

/// Writes the `count` edges of a closed outline, given in the axes of `pose`.
void hy_outline_edges(const hy_pose *pose, const hy_vec *corners, size_t count,
                      hy_world_segment *out);

// --------------------------------------------------------------------------- cones

/// What a wide beam covers: everything between two directions, less than half a turn apart.
typedef struct {
    hy_vec from_m;
    hy_vec right, left; ///< Unit vectors along its two sides.
} hy_cone;

/// Distance to the nearest point of any of `count` edges inside the cone, metres; `reach_m` if nothing
/// is nearer. Exact, however thin the edge. O(count).
double hy_nearest_in_cone(const hy_cone *cone, double reach_m, const hy_world_segment *edges,
                          size_t count);

#endif
