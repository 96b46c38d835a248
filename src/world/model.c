#include "lidar/scan.h"
#include "shapes/shape.h"
#include "vehicles/kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Time constant in which a gyro that was switched on gets warm.
#define WARM_UP_S 120

/// What is nearer to a vehicle than this, and than it can go in two steps, may be touched: the
/// engine feels things 2 mm away (TOUCH_M, and its own outlook).
#define REACH_M 0.004

/// Whether the engine need not tell parts of two kinds apart.
static bool collide_alike(hy_world_part_kind a, hy_world_part_kind b)
{
    const bool a_solid = a == HY_PART_BODY || a == HY_PART_BUMPER;
    const bool b_solid = b == HY_PART_BODY || b == HY_PART_BUMPER;
    return a_solid == b_solid && (a == HY_PART_TUBE) == (b == HY_PART_TUBE);
}

/// Steps in a period, rounded; at least one.
static uint64_t steps_in(double period_s, double step_s)
{
    const double steps = floor(period_s / step_s + 0.5);
    return steps > 1 ? (uint64_t)steps : 1;
}

/// Of any place of the floor.
static double find_most_grip(const hy_world_model *model)
{
    double most = 1;
    for (size_t i = 0; i < model->region_count; i++) {
        most = hy_max(most, model->region[i].grip);
    }
    return most;
}

/// How fast a vehicle becomes that rolls or slides down the steepest ramp from one corner of the floor to the other, if nothing
/// holds it: all that ramps add to its own speed.
static double fastest_downhill(const hy_world_model *model, double own_m_s)
{
    double steepest_rad = 0;
    for (size_t i = 0; i < model->region_count; i++) {
        steepest_rad = hy_max(steepest_rad, model->region[i].slope_rad);
    }
    if (steepest_rad == 0) {
        return own_m_s;
    }
    const double way_m = sqrt(model->width_m * model->width_m + model->height_m * model->height_m);
    return sqrt(own_m_s * own_m_s + 2 * HY_GRAVITY_M_S2 * hy_sin(steepest_rad) * way_m);
}

static void prepare_vehicle(const hy_world_model *model, hy_vehicle_model *vehicle)
{
    const double step_s = model->step_s;
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
    memcpy(vehicle->hull, vehicle->part, sizeof vehicle->hull);
    vehicle->hull_count = hy_parts_join(vehicle->hull, vehicle->part_count, collide_alike);
    vehicle->kind->prepare(vehicle, step_s);
    const double most_grip = find_most_grip(model);
    vehicle->push_n_s *= most_grip;
    vehicle->push_n_m_s *= most_grip;
    vehicle->fastest_m_s = fastest_downhill(model, vehicle->fastest_m_s);
    vehicle->stride_m = REACH_M + 2 * step_s * vehicle->fastest_m_s;
    vehicle->range_steps = steps_in(vehicle->range.of.period_s, step_s);
    if (vehicle->kind == &hy_vehicle_tank) {
        hy_world_tank *facts = &vehicle->tank.facts;
        facts->has_lidar = vehicle->lidar.fitted;
        facts->lidar_near_m = vehicle->lidar.near_m;
        facts->lidar_far_m = vehicle->lidar.far_m;
        facts->lidar_ray_rad = vehicle->lidar.ray_rad;
        facts->lidar_rays_per_step =
            facts->has_lidar ? (unsigned)((double)vehicle->lidar.rays_per_s * step_s + 0.5) : 0;
    }
    for (size_t i = 0; i < vehicle->extra_count; i++) {
        hy_extra_sensor *extra = &vehicle->extra[i];
        if (extra->spec.type == HY_SENSOR_RANGE) {
            extra->period_steps = steps_in(extra->spec.of.range.period_s, step_s);
        } else if (extra->spec.type == HY_SENSOR_IMU) {
            extra->gyro_drift_rad_s = extra->spec.of.imu.gyro_drift_rad_s * sqrt(step_s);
        }
    }
    vehicle->imu.warm_up_share = 1 - hy_exp(-step_s / WARM_UP_S);
    vehicle->gyro_drift_rad_s = vehicle->imu.of.gyro_drift_rad_s * sqrt(step_s);
}

// --------------------------------------------------------------------------- edges

/// The corners of a box about its middle, counter-clockwise.
static size_t box_corners(hy_vec size_m, hy_vec *out)
{
    const double x = size_m.x / 2;
    const double y = size_m.y / 2;
    const hy_vec corners[4] = { { x, -y }, { x, y }, { -x, y }, { -x, -y } };
    memcpy(out, corners, sizeof corners);
    return 4;
}

static size_t disc_corners(double radius_m, hy_vec *out)
{
    for (int i = 0; i < HY_DISC_EDGES; i++) {
        const hy_pose at = hy_pose_make(0, 0, 2 * HY_PI * i / HY_DISC_EDGES);
        out[i] = (hy_vec){ radius_m * at.cos, radius_m * at.sin };
    }
    return HY_DISC_EDGES;
}

/// A circle around an obstacle.
static void find_circle(hy_obstacle *obstacle)
{
    hy_vec low = hy_vec_of(obstacle->outline[0]), high = low;
    for (size_t i = 1; i < obstacle->outline_count; i++) {
        const hy_vec corner = hy_vec_of(obstacle->outline[i]);
        low = (hy_vec){ hy_min(low.x, corner.x), hy_min(low.y, corner.y) };
        high = (hy_vec){ hy_max(high.x, corner.x), hy_max(high.y, corner.y) };
    }
    obstacle->middle_m = hy_vec_scale(hy_vec_add(low, high), 0.5);
    obstacle->reach_m = obstacle->shape == HY_OBSTACLE_DISC ? obstacle->radius_m : 0;
    for (size_t i = 0; i < obstacle->outline_count; i++) {
        const hy_vec off = hy_vec_sub(hy_vec_of(obstacle->outline[i]), obstacle->middle_m);
        obstacle->reach_m = hy_max(obstacle->reach_m, sqrt(hy_vec_dot(off, off)));
    }
}

/// Writes an obstacle's edges, and keeps its outline.
static size_t add_obstacle_edges(hy_obstacle *obstacle, hy_world_segment *out)
{
    hy_vec corners[HY_DISC_EDGES] = { { 0, 0 } };
    size_t count = 0;
    switch (obstacle->shape) {
    case HY_OBSTACLE_BOX: count = box_corners(obstacle->size_m, corners); break;
    case HY_OBSTACLE_DISC: count = disc_corners(obstacle->radius_m, corners); break;
    case HY_OBSTACLE_POLYGON:
        count = obstacle->corner_count;
        memcpy(corners, obstacle->corner_m, count * sizeof corners[0]);
        break;
    }
    hy_outline_edges(&obstacle->center, corners, count, out);
    obstacle->outline_count = count;
    for (size_t i = 0; i < count; i++) {
        obstacle->outline[i] = (hy_point){ out[i].x1_m, out[i].y1_m };
    }
    find_circle(obstacle);
    return count;
}

/// The edge from each corner to the next one, and from the last one to the first.
static void edges_of(const hy_point *corners, size_t count, hy_world_segment *out)
{
    for (size_t i = 0; i < count; i++) {
        const hy_point a = corners[i], b = corners[(i + 1) % count];
        out[i] = (hy_world_segment){ a.x_m, a.y_m, b.x_m, b.y_m };
    }
}

/// Writes the edges of the floor, and keeps its corners if the file has none.
static size_t add_border_edges(hy_world_model *model, hy_world_segment *out)
{
    if (model->border_count == 0) {
        const hy_pose middle = hy_pose_make(model->width_m / 2, model->height_m / 2, 0);
        hy_vec corners[4];
        model->border_count = box_corners((hy_vec){ model->width_m, model->height_m }, corners);
        hy_outline_edges(&middle, corners, 4, out);
        for (size_t i = 0; i < 4; i++) {
            model->border[i] = (hy_point){ out[i].x1_m, out[i].y1_m };
        }
        return 4;
    }
    edges_of(model->border, model->border_count, out);
    return model->border_count;
}

static double length_of(const hy_world_segment *edge)
{
    const double x_m = edge->x1_m - edge->x0_m, y_m = edge->y1_m - edge->y0_m;
    return sqrt(x_m * x_m + y_m * y_m);
}

/// A disc is as wide as its diameter from everywhere; other things are as wide as the side that one sees.
static void widen_edges(const hy_obstacle *obstacle, hy_world_model *model, size_t first,
                        size_t count)
{
    for (size_t i = first; i < first + count; i++) {
        model->edge_width_m[i] = obstacle != NULL && obstacle->shape == HY_OBSTACLE_DISC
                                     ? 2 * obstacle->radius_m
                                     : length_of(&model->edges[i]);
    }
}

static bool make_edges(hy_world_model *model)
{
    const size_t most = model->obstacle_count * HY_DISC_EDGES + HY_WORLD_BORDER;
    model->edges = malloc(most * sizeof *model->edges);
    model->edge_width_m = malloc(most * sizeof *model->edge_width_m);
    if (model->edges == NULL || model->edge_width_m == NULL) {
        return false;
    }
    size_t count = add_border_edges(model, model->edges);
    widen_edges(NULL, model, 0, count);
    for (size_t i = 0; i < model->obstacle_count; i++) {
        const size_t added = add_obstacle_edges(&model->obstacles[i], model->edges + count);
        widen_edges(&model->obstacles[i], model, count, added);
        count += added;
    }
    model->edge_count = count;
    return true;
}

// --------------------------------------------------------------------------- walls around the floor

/// Thickest wall behind the floor's edge, and how often it may be halved to fit: to a good 3 cm.
#define WALL_MOST_M 2.0
#define WALL_HALVED 7

static hy_vec border_corner(const hy_world_model *model, size_t index)
{
    const hy_point p = model->border[index % model->border_count];
    return hy_vec_of(p);
}

/// Unit vector out of the floor, across its side that begins at a corner.
static hy_vec outward(const hy_world_model *model, size_t side)
{
    const hy_vec along = hy_vec_sub(border_corner(model, side + 1), border_corner(model, side));
    const double length = sqrt(hy_vec_dot(along, along));
    return (hy_vec){ along.y / length, -along.x / length };
}

/// The corner of a wall of that thickness behind a corner of the floor: where the outer lines of the
/// two walls meet, but not farther out than four times their thickness.
static hy_vec behind_corner(const hy_world_model *model, size_t index, double thick_m)
{
    const size_t before = index + model->border_count - 1;
    const hy_vec sum = hy_vec_add(outward(model, before), outward(model, index));
    const double meet = hy_max(hy_vec_dot(sum, sum) / 2, 0.125);
    return hy_vec_add(border_corner(model, index), hy_vec_scale(sum, thick_m / meet));
}

/// Whether a wall lies outside of the floor altogether.
static bool is_outside(const hy_world_model *model, const hy_point wall[4])
{
    for (size_t i = 0; i < model->border_count; i++) {
        const hy_vec a = border_corner(model, i), b = border_corner(model, i + 1);
        const hy_vec middle = hy_vec_scale(hy_vec_add(a, b), 0.5);
        bool within = true, middle_within = true;
        for (size_t k = 0; k < 4; k++) {
            const hy_vec c = { wall[k].x_m, wall[k].y_m };
            const hy_vec d = { wall[(k + 1) % 4].x_m, wall[(k + 1) % 4].y_m };
            if (hy_segments_cross(a, b, c, d)) {
                return false;
            }
            const hy_vec side = hy_vec_sub(d, c);
            const double edge = 1e-9 * sqrt(hy_vec_dot(side, side));
            within = within && side.x * (a.y - c.y) - side.y * (a.x - c.x) > edge;
            middle_within =
                middle_within && side.x * (middle.y - c.y) - side.y * (middle.x - c.x) > edge;
        }
        if (within || middle_within) {
            return false;
        }
    }
    return true;
}

static hy_point point_of(hy_vec v)
{
    return (hy_point){ v.x, v.y };
}

static bool make_border_wall(hy_world_model *model, size_t side)
{
    for (int halved = 0; halved < WALL_HALVED; halved++) {
        const double thick_m = WALL_MOST_M / (1 << halved);
        hy_border_wall wall = { { point_of(border_corner(model, side)),
                                  point_of(behind_corner(model, side, thick_m)),
                                  point_of(behind_corner(model, side + 1, thick_m)),
                                  point_of(border_corner(model, side + 1)) } };
        if (hy_polygon_convex(wall.corners, 4) == NULL && is_outside(model, wall.corners)) {
            model->border_wall[model->border_wall_count++] = wall;
            return true;
        }
    }
    return false;
}

static void make_border_walls(hy_world_model *model)
{
    for (size_t i = 0; i < model->border_count; i++) {
        make_border_wall(model, i);
    }
}

// --------------------------------------------------------------------------- pieces

/// What the reference makes of its game pieces: 1 kg for each square metre of a disc, and a friction of 0.1
/// that is meant as a coefficient and used as newtons.
static void become_reference_pieces(hy_pieces_model *pieces)
{
    pieces->mass_kg = HY_PI * pieces->radius_m * pieces->radius_m;
    pieces->rolling_m_s2 = 0.1 / pieces->mass_kg;
    pieces->rolls_in_flight = true;
}

static void prepare_pieces(hy_world_model *model)
{
    for (size_t i = 0; i < model->vehicle_count; i++) {
        if (model->vehicle[i].kind == &hy_vehicle_tank &&
            model->vehicle[i].tank.facts.drive == HY_WORLD_DRIVE_IDEAL) {
            become_reference_pieces(&model->pieces);
            break;
        }
    }
    for (size_t i = 0; i < model->goal_count; i++) {
        model->goal[i].floor_z_m += model->pieces.radius_m;
    }
}

// --------------------------------------------------------------------------- all of it

bool hy_model_prepare(hy_world_model *model)
{
    const bool has_border = model->border_count > 0;
    if (!make_edges(model)) {
        return false;
    }
    if (has_border) {
        make_border_walls(model);
    }
    for (size_t i = 0; i < model->vehicle_count; i++) {
        prepare_vehicle(model, &model->vehicle[i]);
        model->vehicle[i].meets_field_alone =
            !model->vehicle[i].stays_in_engine && model->vehicle[i].hull_count == 1 &&
            model->goal_count == 0 && model->border_wall_count == 0;
    }
    prepare_pieces(model);
    return hy_scan_prepare(model);
}

// --------------------------------------------------------------------------- room to start

/// Which side of the line from `a` to `b` a point lies on.
static double side_of(hy_vec a, hy_vec b, hy_vec p)
{
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

static bool edges_cross(const hy_world_segment *a, const hy_world_segment *b)
{
    return hy_segments_cross((hy_vec){ a->x0_m, a->y0_m }, (hy_vec){ a->x1_m, a->y1_m },
                             (hy_vec){ b->x0_m, b->y0_m }, (hy_vec){ b->x1_m, b->y1_m });
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
    if (obstacle->shape == HY_OBSTACLE_POLYGON) {
        return hy_polygon_has(obstacle->outline, obstacle->outline_count, p);
    }
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
            if (edges_cross(&a[i], &b[k])) {
                return true;
            }
        }
    }
    return inside(a, a_count, (hy_vec){ b->x0_m, b->y0_m });
}

static bool is_on_floor(const hy_world_model *model, hy_vec at)
{
    return at.x > 0 && at.x < model->width_m && at.y > 0 && at.y < model->height_m &&
           hy_polygon_around(model->border, model->border_count, at);
}

static const char *check_border(const hy_world_model *model)
{
    for (size_t i = 0; i < model->border_count; i++) {
        if (model->border[i].x_m > model->width_m || model->border[i].y_m > model->height_m) {
            return "floor: edge_m has a corner outside of width_m and height_m";
        }
    }
    return model->border_wall_count == 0 || model->border_wall_count == model->border_count
               ? NULL
               : "floor: edge_m leaves no room for a wall of 0.03 m behind one of its sides";
}

const char *hy_model_check(const hy_world_model *model)
{
    for (size_t i = 0; i < model->pieces.count; i++) {
        const hy_vec at = model->pieces.at_m[i];
        if (!is_on_floor(model, at)) {
            return "pieces: at_m has a piece outside of the floor";
        }
        for (size_t k = 0; k < model->obstacle_count; k++) {
            if (within_obstacle(&model->obstacles[k], at)) {
                return "pieces: at_m has a piece in an obstacle";
            }
        }
    }
    if (model->lidar_shapes != NULL && model->lidar_shapes->overflowed > 0) {
        return "obstacles: a world with a lidar has at most 1024 edges, and its vehicles are made "
               "of them too";
    }
    return check_border(model);
}

/// Whether an outline meets a goal, lies within it or around it; `at` is a place within the outline.
static bool meets_goal(const hy_world_segment *outline, const hy_world_goal *goal, hy_vec at)
{
    hy_world_segment edges[HY_WORLD_CORNERS];
    edges_of(goal->corners, goal->count, edges);
    return overlap(outline, HY_VEHICLE_CORNERS, edges, goal->count) ||
           hy_polygon_has(goal->corners, goal->count, at);
}

const char *hy_model_in_the_way(const hy_world_model *model, size_t index)
{
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    const hy_vec at = vehicle->start.at_m;
    hy_world_segment outline[HY_VEHICLE_CORNERS];
    hy_outline_edges(&vehicle->start, vehicle->corner_m, HY_VEHICLE_CORNERS, outline);
    if (!is_on_floor(model, at)) {
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
    for (size_t i = 0; i < model->goal_count; i++) {
        if (meets_goal(outline, &model->goal[i], at)) {
            return "in a goal";
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
