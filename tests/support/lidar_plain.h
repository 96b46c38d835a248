/// @file lidar_plain.h
/// The lidar as one would write it down: every ray tries everything there is, with nothing but the
/// equations of a line and of a circle. The measure of the fast one's answers and of its speed.
#ifndef HALYARD_TESTS_LIDAR_PLAIN_H
#define HALYARD_TESTS_LIDAR_PLAIN_H

#include "../../src/world/lidar/lidar.h"

#include <math.h>

/// What there is to hit, where it is.
typedef struct {
    struct {
        hy_vec from, to;
    } segment[HY_LIDAR_SEGMENTS];
    size_t segments;
    const hy_lidar_scene *scene; ///< For the discs.
} plain_world;

typedef struct {
    hy_vec from, direction;
    double near_m, far_m;
} plain_ray;

static inline double plain_cross(hy_vec a, hy_vec b)
{
    return a.x * b.y - a.y * b.x;
}

static inline double plain_nearer(const plain_ray *ray, double range_m, double than_m)
{
    return range_m >= ray->near_m && range_m <= ray->far_m && range_m < than_m ? range_m : than_m;
}

static inline double plain_segment(const plain_ray *ray, hy_vec start, hy_vec end, double nearest_m)
{
    const hy_vec along = hy_vec_sub(end, start), to_start = hy_vec_sub(start, ray->from);
    const double crossing = plain_cross(ray->direction, along);
    if (!(crossing < 0)) { // along it, or from the left
        return nearest_m;
    }
    const double share = plain_cross(to_start, ray->direction) / crossing;
    const double range_m = plain_cross(to_start, along) / crossing;
    return share >= 0 && share <= 1 ? plain_nearer(ray, range_m, nearest_m) : nearest_m;
}

static inline double plain_disc(const plain_ray *ray, hy_vec centre, double radius_m,
                                double nearest_m)
{
    const hy_vec to_centre = hy_vec_sub(centre, ray->from);
    const double ahead = hy_vec_dot(to_centre, ray->direction);
    const double aside = plain_cross(to_centre, ray->direction);
    const double square = radius_m * radius_m - aside * aside;
    return square >= 0 ? plain_nearer(ray, ahead - sqrt(square), nearest_m) : nearest_m;
}

/// Everything but the body `excluded`.
static inline void plain_place(plain_world *world, const hy_lidar_shapes *shapes,
                               const hy_lidar_scene *scene, size_t excluded)
{
    world->segments = 0;
    world->scene = scene;
    for (size_t b = 0; b < shapes->bodies; b++) {
        const hy_pose *pose = &scene->pose[b];
        const size_t from = shapes->body[b].first, end = from + shapes->body[b].count;
        for (size_t i = from; i < end && scene->there[b] && b != excluded; i++) {
            const size_t at = world->segments++;
            world->segment[at].from = hy_pose_point(pose, (hy_vec){ shapes->x0[i], shapes->y0[i] });
            world->segment[at].to = hy_pose_point(pose, (hy_vec){ shapes->x1[i], shapes->y1[i] });
        }
    }
}

/// What hy_lidar_cast() says of a single ray.
static inline double plain_range_m(const plain_world *world, const plain_ray *ray)
{
    double nearest_m = (double)INFINITY;
    for (size_t i = 0; i < world->segments; i++) {
        nearest_m = plain_segment(ray, world->segment[i].from, world->segment[i].to, nearest_m);
    }
    for (size_t i = 0; i < world->scene->discs; i++) {
        const hy_vec centre = { world->scene->x[i], world->scene->y[i] };
        nearest_m = plain_disc(ray, centre, world->scene->radius[i], nearest_m);
    }
    return isinf(nearest_m) ? -1 : nearest_m;
}

static inline plain_ray plain_ray_of(const hy_lidar_fan *fan, const hy_lidar_scan *scan,
                                     size_t number)
{
    const double angle_rad = scan->first_rad + (double)number * fan->step_rad;
    const hy_vec turned = { hy_cos(angle_rad), hy_sin(angle_rad) };
    return (plain_ray){ scan->from.at_m, hy_pose_turn(&scan->from, turned), scan->near_m,
                        scan->far_m };
}

/// What hy_lidar_cast() does, in a world that plain_place() has filled.
static inline void plain_cast(const plain_world *world, const hy_lidar_fan *fan,
                              const hy_lidar_scan *scan, double *ranges_m)
{
    for (size_t i = 0; i < scan->count; i++) {
        const plain_ray ray = plain_ray_of(fan, scan, i);
        ranges_m[i] = plain_range_m(world, &ray);
    }
}

#endif
