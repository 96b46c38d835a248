/// @file lidar.h
/// A laser scanner: many rays from one point, as they fan out within a step, against walls, the
/// outlines of bodies and discs. Only what the fan can hit is tried. Same bits on every processor.
///
///     static hy_lidar_shapes shapes; // once: what there is, each body in its own axes
///     static hy_lidar_fan fan;       // once: the directions between two steps of the motor
///     hy_lidar_scene scene;          // every step: where it is
///
///     hy_lidar_shapes_clear(&shapes);
///     const size_t field = hy_lidar_add_body(&shapes);
///     hy_lidar_add_wall(&shapes, a, b);
///     const size_t robot = hy_lidar_add_body(&shapes);
///     hy_lidar_add_outline(&shapes, corners, 4);
///     hy_lidar_fan_make(&fan, 2 * pi / 800);
///
///     hy_lidar_scene_clear(&scene);
///     hy_lidar_place(&scene, field, &origin);
///     hy_lidar_place(&scene, robot, &pose);
///     hy_lidar_add_disc(&scene, ball_at, ball_radius_m);
///     hy_lidar_cast(&shapes, &scene, &fan, &scan, ranges_m);
#ifndef HY_WORLD_LIDAR_H
#define HY_WORLD_LIDAR_H

#include "shapes/geometry.h"

enum {
    HY_LIDAR_BODIES = 64,
    HY_LIDAR_SEGMENTS = 1024, ///< Of all bodies together; a wall is two.
    HY_LIDAR_DISCS = 128,
    HY_LIDAR_FAN = 128, ///< Directions in a table; a scan of more rays turns the table.
    /// Room behind each array, so that a whole vector may be read from anywhere in it.
    HY_LIDAR_SPARE = 8,
};
#define HY_LIDAR_NOBODY  SIZE_MAX
#define HY_LIDAR_WORLD_M 1e9 ///< Farther than this from an origin nothing is.

// --------------------------------------------------------------------------- what there is

/// Segments of a body, and a circle in the body's axes that holds them all.
typedef struct {
    size_t first, count;
    double radius_m; ///< Around the body's own origin.
} hy_lidar_body;

/// What there is to hit. Does not change while casting: many threads may share it. Private. A segment
/// is hit from the right of (x0, y0) -> (x1, y1); a wall is there twice.
typedef struct {
    double x0[HY_LIDAR_SEGMENTS + HY_LIDAR_SPARE], y0[HY_LIDAR_SEGMENTS + HY_LIDAR_SPARE];
    double x1[HY_LIDAR_SEGMENTS + HY_LIDAR_SPARE], y1[HY_LIDAR_SEGMENTS + HY_LIDAR_SPARE];
    hy_lidar_body body[HY_LIDAR_BODIES];
    size_t segments, bodies;
    bool full;           ///< A body found no room; what was to belong to it must not go to another.
    uint64_t overflowed; ///< Bodies and segments that found no room and are not there.
} hy_lidar_shapes;

/// Nothing there. Call it first.
void hy_lidar_shapes_clear(hy_lidar_shapes *shapes);

/// A new body without a shape; what is added next belongs to it. Its number, counted from 0, is how
/// hy_lidar_place() and a scan name it; HY_LIDAR_NOBODY, counted in `overflowed`, if there are
/// HY_LIDAR_BODIES already: what is added next is then lost and counted too.
size_t hy_lidar_add_body(hy_lidar_shapes *shapes);

/// Adds a wall that is hit from both sides to the newest body, in the body's axes, metres. What finds
/// no room, and what is not within HY_LIDAR_WORLD_M, is left out and counted in `overflowed`, for
/// each side.
void hy_lidar_add_wall(hy_lidar_shapes *shapes, hy_vec from, hy_vec to);

/// Adds the closed outline of something solid to the newest body, corners in the body's axes, metres,
/// either way round. It is hit from outside only: a ray that begins within sees through it. Two
/// corners are a line without an inside, hit from both sides.
void hy_lidar_add_outline(hy_lidar_shapes *shapes, const hy_vec *corners, size_t count);

// --------------------------------------------------------------------------- where it is

/// Where the bodies are in a step, and what is round. Private; the caller's memory, 7 kB.
typedef struct {
    hy_pose pose[HY_LIDAR_BODIES];
    bool there[HY_LIDAR_BODIES];
    double x[HY_LIDAR_DISCS + HY_LIDAR_SPARE], y[HY_LIDAR_DISCS + HY_LIDAR_SPARE];
    double radius[HY_LIDAR_DISCS + HY_LIDAR_SPARE];
    size_t discs;
    uint64_t overflowed; ///< Discs that found no room and are not there.
} hy_lidar_scene;

/// No body is anywhere, no discs. Call it first; O(capacity).
void hy_lidar_scene_clear(hy_lidar_scene *scene);

/// Puts a body somewhere, or somewhere else; it stays there until it is put elsewhere or the scene
/// is cleared. Walls are put once. Does nothing for HY_LIDAR_NOBODY. O(1).
void hy_lidar_place(hy_lidar_scene *scene, size_t body, const hy_pose *pose);

/// Takes all discs away, and leaves the bodies where they are. O(1).
void hy_lidar_clear_discs(hy_lidar_scene *scene);

/// Adds a disc that is hit from outside only, metres. What finds no room, is not within
/// HY_LIDAR_WORLD_M or has no positive radius is left out and counted in `overflowed`. O(1).
void hy_lidar_add_disc(hy_lidar_scene *scene, hy_vec centre, double radius_m);

// --------------------------------------------------------------------------- rays

typedef struct hy_lidar_path hy_lidar_path; // below

/// Directions of neighbouring rays, on both sides of x. Private, but for `path`.
typedef struct {
    double cos[HY_LIDAR_FAN], sin[HY_LIDAR_FAN];
    double first_rad, step_rad; ///< Of the first direction, and from each to the next.
    size_t count; ///< Of the directions that are used: they cover no more than a sixth of a turn.
    /// How to cast; the best that this processor can take, unless the caller sets another.
    const hy_lidar_path *path;
} hy_lidar_fan;

/// The table for rays `step_rad` apart, in (0, 2 pi]. Costs HY_LIDAR_FAN sines and cosines.
void hy_lidar_fan_make(hy_lidar_fan *fan, double step_rad);

/// Rays to cast: from the origin of `from`, the first at `first_rad` from its x axis, `count` of them,
/// each one step of the fan further to the left than the one before it.
typedef struct {
    hy_pose from;
    double first_rad;
    size_t count;
    double near_m, far_m; ///< 0 <= near <= far. A ray begins at `near`: what is nearer is not seen.
    size_t excluded;      ///< Body that is not seen, or HY_LIDAR_NOBODY.
} hy_lidar_scan;

/// Writes `scan->count` distances from the scan's origin to what the rays hit first, metres, each in
/// [near, far]; -1 where there is nothing. What is not finite (a pose, the scan) hits nothing. Does
/// not allocate; the same bits on every path and processor.
void hy_lidar_cast(const hy_lidar_shapes *shapes, const hy_lidar_scene *scene,
                   const hy_lidar_fan *fan, const hy_lidar_scan *scan, double *ranges_m);

// --------------------------------------------------------------------------- processors

/// One way of computing the same ranges.
struct hy_lidar_path {
    const char *name; ///< For people: "avx2".
    /// Casts no more rays than the fan has directions. NULL if the program was built without it.
    void (*cast)(const hy_lidar_shapes *shapes, const hy_lidar_scene *scene,
                 const hy_lidar_fan *fan, const hy_lidar_scan *scan, double *ranges_m);
};

enum { HY_LIDAR_PATHS = 3 };

/// The paths that this processor can take, best first; every processor can take the last. Returns how
/// many, at least 1.
size_t hy_lidar_paths(const hy_lidar_path *paths[HY_LIDAR_PATHS]);

/// Each says for itself whether this program was built with it.
extern const hy_lidar_path hy_lidar_avx512, hy_lidar_avx2, hy_lidar_baseline;

#endif
