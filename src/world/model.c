#include "kind.h"

#include <math.h>
#include <stdlib.h>

/// Edges that stand for a disc: they stay within 1 % of its radius.
#define DISC_EDGES 24

/// What is nearer to a vehicle than this, and than it can go in two steps, may be touched: the
/// engine feels things 2 mm away (TOUCH_M, and its own outlook).
#define REACH_M 0.004

static void prepare_vehicle(hy_vehicle_model *vehicle, double step_s)
{
    for (int i = 0; i < vehicle->motor_count; i++) {
        hy_motor_prepare(&vehicle->motor[i], step_s);
    }
    hy_body_prepare(&vehicle->body);
    for (int i = 0; i < HY_VEHICLE_CORNERS; i++) {
        const hy_vec corner = vehicle->corner_m[i];
        vehicle->reach_m = hy_max(vehicle->reach_m, sqrt(hy_vec_dot(corner, corner)));
        vehicle->low_m.x = hy_min(vehicle->low_m.x, corner.x);
        vehicle->low_m.y = hy_min(vehicle->low_m.y, corner.y);
        vehicle->high_m.x = hy_max(vehicle->high_m.x, corner.x);
        vehicle->high_m.y = hy_max(vehicle->high_m.y, corner.y);
    }
    vehicle->kind->prepare(vehicle, step_s);
    vehicle->stride_m = REACH_M + 2 * step_s * vehicle->fastest_m_s;
    const double steps = floor(vehicle->range.period_s / step_s + 0.5);
    vehicle->range_steps = steps > 1 ? (uint64_t)steps : 1;
    vehicle->gyro_drift_rad_s = vehicle->imu.gyro_drift_rad_s * sqrt(step_s);
}

static size_t add_box_edges(const hy_pose *center, hy_vec size_m, hy_world_segment *out)
{
    const double x = size_m.x / 2;
    const double y = size_m.y / 2;
    const hy_vec corners[4] = { { x, -y }, { x, y }, { -x, y }, { -x, -y } };
    hy_outline_edges(center, corners, 4, out);
    return 4;
}

static size_t add_disc_edges(const hy_pose *center, double radius_m, hy_world_segment *out)
{
    hy_vec corners[DISC_EDGES];
    for (int i = 0; i < DISC_EDGES; i++) {
        const hy_pose at = hy_pose_make(0, 0, 2 * HY_PI * i / DISC_EDGES);
        corners[i] = (hy_vec){ radius_m * at.cos, radius_m * at.sin };
    }
    hy_outline_edges(center, corners, DISC_EDGES, out);
    return DISC_EDGES;
}

bool hy_model_prepare(hy_world_model *model)
{
    model->edges = malloc((model->obstacle_count + 1) * DISC_EDGES * sizeof *model->edges);
    if (model->edges == NULL) {
        return false;
    }
    const hy_pose middle = hy_pose_make(model->width_m / 2, model->height_m / 2, 0);
    size_t count = add_box_edges(&middle, (hy_vec){ model->width_m, model->height_m }, model->edges);
    for (size_t i = 0; i < model->obstacle_count; i++) {
        const hy_obstacle *obstacle = &model->obstacles[i];
        hy_world_segment *out = model->edges + count;
        count += obstacle->shape == HY_OBSTACLE_BOX
                     ? add_box_edges(&obstacle->center, obstacle->size_m, out)
                     : add_disc_edges(&obstacle->center, obstacle->radius_m, out);
    }
    model->edge_count = count;
    for (size_t i = 0; i < model->vehicle_count; i++) {
        prepare_vehicle(&model->vehicle[i], model->step_s);
    }
    return true;
}

// --------------------------------------------------------------------------- room to start

/// Which side of the line from `a` to `b` a point lies on.
static double side_of(hy_vec a, hy_vec b, hy_vec p)
{
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

static bool cross(const hy_world_segment *a, const hy_world_segment *b)
{
    const hy_vec a0 = { a->x0_m, a->y0_m }, a1 = { a->x1_m, a->y1_m };
    const hy_vec b0 = { b->x0_m, b->y0_m }, b1 = { b->x1_m, b->y1_m };
    return side_of(a0, a1, b0) * side_of(a0, a1, b1) < 0 &&
           side_of(b0, b1, a0) * side_of(b0, b1, a1) < 0;
}

/// Whether the point lies within the outline whose edges are given.
static bool inside(const hy_world_segment *edges, size_t count, hy_vec p)
{
    for (size_t i = 0; i < count; i++) { // convex and counter-clockwise: left of every edge
        const hy_vec a = { edges[i].x0_m, edges[i].y0_m }, b = { edges[i].x1_m, edges[i].y1_m };
        if (side_of(a, b, p) < 0) {
            return false;
        }
    }
    return true;
}

static bool within_obstacle(const hy_obstacle *obstacle, hy_vec p)
{
    const hy_vec at = hy_pose_turn_back(&obstacle->center, hy_vec_sub(p, obstacle->center.at_m));
    return obstacle->shape == HY_OBSTACLE_BOX
               ? fabs(at.x) <= obstacle->size_m.x / 2 && fabs(at.y) <= obstacle->size_m.y / 2
               : hy_vec_dot(at, at) <= obstacle->radius_m * obstacle->radius_m;
}

/// Whether outlines meet, or the first lies within the second or around it.
static bool overlap(const hy_world_segment *a, size_t a_count, const hy_world_segment *b,
                    size_t b_count)
{
    for (size_t i = 0; i < a_count; i++) {
        for (size_t k = 0; k < b_count; k++) {
            if (cross(&a[i], &b[k])) {
                return true;
            }
        }
    }
    return inside(a, a_count, (hy_vec){ b->x0_m, b->y0_m });
}

const char *hy_model_in_the_way(const hy_world_model *model, size_t index)
{
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    const hy_vec at = vehicle->start.at_m;
    hy_world_segment outline[HY_VEHICLE_CORNERS];
    hy_outline_edges(&vehicle->start, vehicle->corner_m, HY_VEHICLE_CORNERS, outline);
    if (!(at.x > 0 && at.x < model->width_m && at.y > 0 && at.y < model->height_m)) {
        return "outside of the floor";
    }
    if (overlap(outline, HY_VEHICLE_CORNERS, model->edges, model->edge_count)) {
        return "in a wall or an obstacle";
    }
    for (size_t i = 0; i < model->edge_count; i++) {
        if (inside(outline, HY_VEHICLE_CORNERS,
                   (hy_vec){ model->edges[i].x0_m, model->edges[i].y0_m })) {
            return "in an obstacle";
        }
    }
    for (size_t i = 0; i < model->obstacle_count; i++) {
        if (within_obstacle(&model->obstacles[i], at)) {
            return "in an obstacle";
        }
    }
    for (size_t i = 0; i < model->vehicle_count; i++) {
        hy_world_segment other[HY_VEHICLE_CORNERS];
        hy_outline_edges(&model->vehicle[i].start, model->vehicle[i].corner_m, HY_VEHICLE_CORNERS,
                         other);
        if (i != index && (overlap(outline, HY_VEHICLE_CORNERS, other, HY_VEHICLE_CORNERS) ||
                           inside(other, HY_VEHICLE_CORNERS, at))) {
            return "in another vehicle";
        }
    }
    return NULL;
}
