#include "lidar.h"

#include "lanes/processor.h"

#include <math.h>
#include <string.h>

/// So that a circle holds its segments however their corners are rounded.
#define ROUNDINGS 1.000001

// --------------------------------------------------------------------------- what there is

void hy_lidar_shapes_clear(hy_lidar_shapes *shapes)
{
    memset(shapes, 0, sizeof *shapes);
}

size_t hy_lidar_add_body(hy_lidar_shapes *shapes)
{
    if (shapes->bodies == HY_LIDAR_BODIES) {
        shapes->full = true;
        shapes->overflowed++;
        return HY_LIDAR_NOBODY;
    }
    shapes->body[shapes->bodies].first = shapes->segments;
    return shapes->bodies++;
}

static bool is_point(hy_vec p)
{
    return fabs(p.x) <= HY_LIDAR_WORLD_M && fabs(p.y) <= HY_LIDAR_WORLD_M; // false for NaN
}

static double distance_m(hy_vec p)
{
    return sqrt(hy_vec_dot(p, p)) * ROUNDINGS;
}

static void add_segment(hy_lidar_shapes *shapes, hy_vec from, hy_vec to)
{
    const size_t i = shapes->segments;
    if (i == HY_LIDAR_SEGMENTS || shapes->bodies == 0 || shapes->full || !is_point(from) ||
        !is_point(to)) {
        shapes->overflowed++;
        return;
    }
    shapes->x0[i] = from.x;
    shapes->y0[i] = from.y;
    shapes->x1[i] = to.x;
    shapes->y1[i] = to.y;
    shapes->segments++;
    hy_lidar_body *body = &shapes->body[shapes->bodies - 1];
    body->count++;
    body->radius_m = hy_max(body->radius_m, hy_max(distance_m(from), distance_m(to)));
}

void hy_lidar_add_wall(hy_lidar_shapes *shapes, hy_vec from, hy_vec to)
{
    add_segment(shapes, from, to);
    add_segment(shapes, to, from);
}

/// Twice the area inside; positive if the corners go round to the left.
static double area_of(const hy_vec *corners, size_t count)
{
    double area = 0;
    for (size_t i = 0; i < count; i++) {
        const hy_vec a = hy_vec_sub(corners[i], corners[0]);
        const hy_vec b = hy_vec_sub(corners[(i + 1) % count], corners[0]);
        area += a.x * b.y - a.y * b.x;
    }
    return area;
}

void hy_lidar_add_outline(hy_lidar_shapes *shapes, const hy_vec *corners, size_t count)
{
    const double area = area_of(corners, count);
    for (size_t i = 0; i < count; i++) {
        const hy_vec from = corners[i], to = corners[(i + 1) % count];
        if (area >= 0) {
            add_segment(shapes, from, to);
        } else {
            add_segment(shapes, to, from);
        }
    }
}

// --------------------------------------------------------------------------- where it is

void hy_lidar_scene_clear(hy_lidar_scene *scene)
{
    memset(scene, 0, sizeof *scene);
}

void hy_lidar_place(hy_lidar_scene *scene, size_t body, const hy_pose *pose)
{
    if (body < HY_LIDAR_BODIES) {
        scene->pose[body] = *pose;
        scene->there[body] = true;
    }
}

void hy_lidar_clear_discs(hy_lidar_scene *scene)
{
    scene->discs = 0;
}

void hy_lidar_add_disc(hy_lidar_scene *scene, hy_vec centre, double radius_m)
{
    const size_t i = scene->discs;
    if (i == HY_LIDAR_DISCS || !is_point(centre) || !(radius_m > 0) || radius_m > HY_LIDAR_WORLD_M) {
        scene->overflowed++;
        return;
    }
    scene->x[i] = centre.x;
    scene->y[i] = centre.y;
    scene->radius[i] = radius_m;
    scene->discs++;
}

// --------------------------------------------------------------------------- processors

size_t hy_lidar_paths(const hy_lidar_path *paths[HY_LIDAR_PATHS])
{
    size_t count = 0;
    if (hy_lidar_avx512.cast != NULL && hy_has_avx512()) {
        paths[count++] = &hy_lidar_avx512;
    }
    if (hy_lidar_avx2.cast != NULL && hy_has_avx2()) {
        paths[count++] = &hy_lidar_avx2;
    }
    paths[count++] = &hy_lidar_baseline;
    return count;
}

// --------------------------------------------------------------------------- rays

void hy_lidar_fan_make(hy_lidar_fan *fan, double step_rad)
{
    const double widest_rad = 1.0471975511965976; // a sixth of a turn
    const hy_lidar_path *paths[HY_LIDAR_PATHS];
    (void)hy_lidar_paths(paths);
    *fan = (hy_lidar_fan){ .step_rad = step_rad, .count = 1, .path = paths[0] };
    while (fan->count < HY_LIDAR_FAN && (double)fan->count * step_rad < widest_rad) {
        fan->count++;
    }
    fan->first_rad = -0.5 * (double)(fan->count - 1) * step_rad;
    for (size_t i = 0; i < HY_LIDAR_FAN; i++) {
        const hy_sine_cosine ray = hy_sin_cos(fan->first_rad + (double)i * step_rad);
        fan->cos[i] = ray.cos;
        fan->sin[i] = ray.sin;
    }
}

void hy_lidar_cast(const hy_lidar_shapes *shapes, const hy_lidar_scene *scene,
                   const hy_lidar_fan *fan, const hy_lidar_scan *scan, double *ranges_m)
{
    if (!(scan->near_m >= 0 && scan->near_m <= scan->far_m)) {
        for (size_t i = 0; i < scan->count; i++) {
            ranges_m[i] = -1;
        }
        return;
    }
    hy_lidar_scan part = *scan;
    for (size_t done = 0; done < scan->count; done += part.count) {
        const size_t left = scan->count - done;
        part.first_rad = scan->first_rad + (double)done * fan->step_rad;
        part.count = left < fan->count ? left : fan->count;
        fan->path->cast(shapes, scene, fan, &part, ranges_m + done);
    }
}
