#include "scan.h"

#include "shapes/shape.h"

#include <stdlib.h>

// --------------------------------------------------------------------------- shapes

static void add_points(hy_lidar_shapes *shapes, const hy_point *points, size_t count)
{
    hy_vec corners[HY_WORLD_BORDER];
    for (size_t i = 0; i < count; i++) {
        corners[i] = hy_vec_of(points[i]);
    }
    hy_lidar_add_outline(shapes, corners, count);
}

static void add_field(hy_world_model *model)
{
    hy_lidar_shapes *shapes = model->lidar_shapes;
    model->lidar_field = hy_lidar_add_body(shapes);
    for (size_t i = 0; i < model->border_count; i++) {
        const hy_point a = model->border[i], b = model->border[(i + 1) % model->border_count];
        hy_lidar_add_wall(shapes, hy_vec_of(a), hy_vec_of(b));
    }
    for (size_t i = 0; i < model->obstacle_count; i++) {
        add_points(shapes, model->obstacles[i].outline, model->obstacles[i].outline_count);
    }
    for (size_t i = 0; i < model->goal_count; i++) { // the reference's lidar cannot look into them
        add_points(shapes, model->goal[i].corners, model->goal[i].count);
    }
}

/// Bodies, bumpers and regions alike are solid to a ray; it sees their outer edge only.
static void add_vehicle(hy_lidar_shapes *shapes, hy_vehicle_model *vehicle)
{
    hy_outline outline;
    vehicle->lidar_body = hy_lidar_add_body(shapes);
    if (hy_parts_outline(vehicle->part, vehicle->part_count, &outline)) {
        hy_lidar_add_outline(shapes, outline.corner_m, outline.count);
        return;
    }
    for (size_t i = 0; i < vehicle->part_count; i++) {
        add_points(shapes, vehicle->part[i].corners, vehicle->part[i].count);
    }
}

bool hy_scan_prepare(hy_world_model *model)
{
    bool any = false;
    for (size_t i = 0; i < model->vehicle_count; i++) {
        hy_vehicle_model *vehicle = &model->vehicle[i];
        if (vehicle->lidar.fitted) {
            hy_lidar_fan_make(&vehicle->lidar.fan, vehicle->lidar.ray_rad);
            any = true;
        }
        for (size_t k = 0; k < vehicle->extra_count; k++) {
            hy_lidar_model *lidar = vehicle->extra[k].lidar;
            if (lidar != NULL) {
                hy_lidar_fan_make(&lidar->fan, lidar->ray_rad);
                any = true;
            }
        }
    }
    if (!any) {
        return true;
    }
    model->lidar_shapes = malloc(sizeof *model->lidar_shapes);
    if (model->lidar_shapes == NULL) {
        return false;
    }
    hy_lidar_shapes_clear(model->lidar_shapes);
    add_field(model);
    for (size_t i = 0; i < model->vehicle_count; i++) {
        add_vehicle(model->lidar_shapes, &model->vehicle[i]);
    }
    return true;
}

// --------------------------------------------------------------------------- scanning

void hy_scan_start(const hy_world_model *model, hy_world_state *state)
{
    if (model->lidar_shapes != NULL) {
        const hy_pose origin = hy_pose_make(0, 0, 0);
        hy_lidar_scene_clear(&state->lidar_scene);
        hy_lidar_place(&state->lidar_scene, model->lidar_field, &origin);
    }
}

/// So many rays a lidar has cast after so many steps: exactly its rate, whatever the step.
static uint64_t rays_until(const hy_lidar_model *lidar, const hy_world_model *model, uint64_t steps)
{
    return steps * lidar->rays_per_s * (uint64_t)model->step_us / 1000000;
}

/// Direction of a ray, counted from 1.
static double azimuth_of(const hy_lidar_model *lidar, uint64_t ray)
{
    const uint64_t share = ray * lidar->sweeps_per_s % lidar->rays_per_s;
    return 2 * HY_PI * (double)share / (double)lidar->rays_per_s;
}

/// A lidar that casts: where, and what it changes.
typedef struct {
    const hy_lidar_model *lidar;
    hy_pose from;
    size_t excluded; ///< The body of its vehicle.
    double noise_m;
    uint64_t *rays;
    hy_random *random;
    hy_echoes *echoes;
} lidar_use;

static void scan_one(const hy_world_model *model, const hy_world_state *state, const lidar_use *use)
{
    const hy_lidar_model *lidar = use->lidar;
    const uint64_t until = rays_until(lidar, model, state->steps);
    double ranges_m[HY_LIDAR_RAYS];
    const hy_lidar_scan scan = {
        .from = use->from,
        .first_rad = azimuth_of(lidar, *use->rays + 1),
        .count = (size_t)(until - *use->rays),
        .near_m = lidar->near_m,
        .far_m = lidar->far_m,
        .excluded = use->excluded,
    };
    hy_lidar_cast(model->lidar_shapes, &state->lidar_scene, &lidar->fan, &scan, ranges_m);
    use->echoes->count = scan.count;
    for (size_t i = 0; i < scan.count; i++) {
        double range_m = ranges_m[i];
        if (use->noise_m > 0 && range_m >= 0) {
            range_m = hy_clamp(range_m + use->noise_m * hy_random_normal(use->random), scan.near_m,
                               scan.far_m, -1);
        }
        use->echoes->echo[i] = (hy_world_echo){ azimuth_of(lidar, *use->rays + 1 + i), range_m };
    }
    *use->rays = until;
}

static void scan_wired(const hy_world_model *model, hy_world_state *state, size_t index)
{
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    hy_vehicle_state *self = &state->vehicle[index];
    const double noise_m = state->lidar_noise_m > 0 ? state->lidar_noise_m : vehicle->lidar.noise_m;
    const lidar_use use = { &vehicle->lidar, self->pose,    vehicle->lidar_body,  noise_m,
                            &self->rays,     &self->random, &state->echoes[index] };
    scan_one(model, state, &use);
}

static void scan_extra(const hy_world_model *model, const hy_world_state *state, size_t index)
{
    const hy_vehicle_model *vehicle = &model->vehicle[index];
    const hy_pose *pose = &state->vehicle[index].pose;
    for (size_t i = 0; i < vehicle->extra_count; i++) {
        const hy_extra_sensor *sensor = &vehicle->extra[i];
        hy_extra_state *self = &state->extra[vehicle->extra_first + i];
        if (sensor->lidar != NULL) {
            const hy_vec at_m = hy_pose_point(pose, sensor->at.at_m);
            const lidar_use use = {
                sensor->lidar,
                hy_pose_make(at_m.x, at_m.y, pose->heading_rad + sensor->at.heading_rad),
                vehicle->lidar_body,
                sensor->lidar->noise_m,
                &self->rays,
                &self->random,
                &self->echoes,
            };
            scan_one(model, state, &use);
        }
    }
}

void hy_scan(const hy_world_model *model, hy_world_state *state)
{
    if (model->lidar_shapes == NULL) {
        return;
    }
    hy_lidar_scene *scene = &state->lidar_scene;
    for (size_t i = 0; i < state->vehicle_count; i++) {
        hy_lidar_place(scene, model->vehicle[i].lidar_body, &state->vehicle[i].pose);
    }
    hy_lidar_clear_discs(scene);
    for (size_t i = 0; i < state->piece_count; i++) {
        hy_lidar_add_disc(scene, state->piece[i].at_m, model->pieces.radius_m);
    }
    for (size_t i = 0; i < state->vehicle_count; i++) {
        if (model->vehicle[i].lidar.fitted) {
            scan_wired(model, state, i);
        }
        scan_extra(model, state, i);
    }
}
