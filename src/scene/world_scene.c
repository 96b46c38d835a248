#include "gltf.h"

#include <stdlib.h>

// --------------------------------------------------------------------------- points

typedef struct {
    hy_scene_of_world *scene;
    const hy_world_model *model;
    hy_point middle;
} maker;

static hy_scene_outline add_points(hy_scene_of_world *self, const hy_point *points, size_t count,
                                   hy_point middle)
{
    hy_point *const at = self->points + self->point_count;
    for (size_t i = 0; i < count && self->point_count < self->point_room; i++) {
        self->points[self->point_count++] =
            (hy_point){ points[i].x_m - middle.x_m, points[i].y_m - middle.y_m };
    }
    return (hy_scene_outline){ at, (size_t)(self->points + self->point_count - at) };
}

// --------------------------------------------------------------------------- the field

static void add_border(maker *m)
{
    size_t count;
    const hy_point *const corners = hy_world_border(m->model, &count);
    const double height_m = hy_world_describe(m->model).wall_height_m;
    for (size_t i = 0; i < count; i++) { // one wall an edge: a closed outline would be solid
        const hy_point edge[2] = { corners[i], corners[(i + 1) % count] };
        m->scene->walls[m->scene->wall_count++] =
            (hy_scene_wall){ height_m, add_points(m->scene, edge, 2, m->middle) };
    }
}

static void add_solids(maker *m)
{
    for (size_t i = 0; i < hy_world_solids(m->model); i++) {
        const hy_world_solid solid = hy_world_solid_at(m->model, i);
        m->scene->walls[m->scene->wall_count++] =
            (hy_scene_wall){ solid.height_m,
                             add_points(m->scene, solid.corners, solid.count, m->middle) };
    }
}

static void add_goals(maker *m, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const hy_world_goal *const goal = hy_world_goal_at(m->model, i);
        m->scene->goals[i] = (hy_scene_goal){
            .alliance = goal->side,
            .outline = add_points(m->scene, goal->corners, goal->count, m->middle),
        };
    }
    m->scene->scene.goals = m->scene->goals;
    m->scene->scene.goal_count = count;
}

// --------------------------------------------------------------------------- robots

// What the page calls a part, and, because worlds are flat, how high it is drawn.
static const struct {
    const char *role;
    double low_m, high_m;
} tank_parts[] = {
    [HY_PART_BODY] = { "body", 0.05, 0.30 },
    [HY_PART_BUMPER] = { "bumper", 0.07, 0.20 },
    [HY_PART_INTAKE_CENTER] = { "intake_center", 0.05, 0.24 },
    [HY_PART_INTAKE_LEFT] = { "intake_left", 0.05, 0.24 },
    [HY_PART_INTAKE_RIGHT] = { "intake_right", 0.05, 0.24 },
    [HY_PART_TUBE] = { "tube", 0.30, 0.65 },
};

static void add_parts(maker *m, size_t index, hy_scene_robot *robot)
{
    static const hy_point origin = { 0.0, 0.0 };
    const bool is_tank = hy_world_tank_at(m->model, index) != NULL;
    size_t count;
    const hy_world_part *const parts = hy_world_parts(m->model, index, &count);
    robot->parts = &m->scene->parts[m->scene->part_count];
    robot->part_count = count;
    for (size_t i = 0; i < count; i++) {
        hy_scene_part *const out = &m->scene->parts[m->scene->part_count++];
        out->role = tank_parts[parts[i].kind].role;
        out->low_m = is_tank ? tank_parts[parts[i].kind].low_m : 0.012;
        out->high_m = is_tank ? tank_parts[parts[i].kind].high_m : 0.055;
        out->outline = add_points(m->scene, parts[i].corners, parts[i].count, origin);
    }
}

static void add_wheel(hy_scene_of_world *self, hy_scene_robot *robot, hy_scene_wheel wheel)
{
    self->wheels[self->wheel_count++] = wheel;
    robot->wheel_count++;
}

// How wide wheels are no file says: it is only seen.
static void add_fittings(hy_scene_of_world *self, hy_scene_robot *robot,
                         const hy_world_fittings *fittings)
{
    const bool is_swerve = fittings->wheel_count == 4;
    for (size_t i = 0; i < fittings->wheel_count; i++) {
        add_wheel(self, robot,
                  (hy_scene_wheel){ fittings->wheels[i].x_m, fittings->wheels[i].y_m,
                                    fittings->wheel_radius_m, is_swerve ? 0.015 : 0.012 });
    }
    robot->encoders = is_swerve ? 8 : 4;
    robot->servos = is_swerve ? 0 : 4;
    robot->has_range_cone = fittings->has_range;
    robot->range_at = (hy_point){ fittings->range.x_m, fittings->range.y_m };
    robot->range_half_rad = fittings->range_half_rad;
    robot->range_far_m = fittings->range_far_m;
    robot->reflectance_count = fittings->has_reflectance ? 2 : 0;
    for (size_t i = 0; i < 2; i++) {
        robot->reflectance_at[i] =
            (hy_point){ fittings->reflectance[i].x_m, fittings->reflectance[i].y_m };
    }
}

static void add_tank(hy_scene_of_world *self, hy_scene_robot *robot, const hy_world_tank *tank)
{
    for (int i = 0; i < 4; i++) {
        const double x_m = (i < 2 ? 0.5 : -0.5) * tank->wheelbase_m;
        const double y_m = (i % 2 == 0 ? 0.5 : -0.5) * tank->track_m;
        add_wheel(self, robot, (hy_scene_wheel){ x_m, y_m, tank->wheel_radius_m, 0.04 });
    }
    robot->name = tank->team;
    robot->alliance = tank->side == HY_ALLIANCE_BLUE ? "Blue" : "Red";
}

static void add_sensors(maker *m, size_t index, hy_scene_robot *robot)
{
    robot->sensors = &m->scene->sensors[m->scene->sensor_count];
    robot->sensor_count = hy_world_extra_sensors(m->model, index);
    for (size_t i = 0; i < robot->sensor_count; i++) {
        const hy_sensor_spec *const spec = hy_world_extra_sensor_at(m->model, index, i);
        hy_scene_sensor *const out = &m->scene->sensors[m->scene->sensor_count++];
        *out = (hy_scene_sensor){ .name = spec->name,
                                  .type = hy_sensor_type_name(spec->type),
                                  .x_m = spec->at_m.x_m,
                                  .y_m = spec->at_m.y_m,
                                  .heading_rad = spec->heading_rad };
        if (spec->type == HY_SENSOR_RANGE) {
            out->half_rad = spec->of.range.half_cone_rad;
            out->far_m = spec->of.range.far_m;
        } else if (spec->type == HY_SENSOR_LIDAR) {
            out->far_m = spec->of.lidar.far_m;
        }
    }
}

static void add_robot(maker *m, size_t index)
{
    hy_scene_robot *const robot = &m->scene->robots[index];
    const hy_world_tank *const tank = hy_world_tank_at(m->model, index);
    *robot = (hy_scene_robot){ .kind = hy_world_vehicle_kind(m->model, index),
                               .name = "",
                               .traits = hy_world_traits(m->model, index) };
    robot->wheels = &m->scene->wheels[m->scene->wheel_count];
    add_parts(m, index, robot);
    add_sensors(m, index, robot);
    if (tank != NULL) {
        add_tank(m->scene, robot, tank);
    } else {
        const hy_world_fittings fittings = hy_world_fittings_of(m->model, index);
        add_fittings(m->scene, robot, &fittings);
    }
}

size_t hy_scene_azimuths(const hy_world_fittings *fittings, const hy_truth *truth, double out[4])
{
    const double counts_per_turn = fittings->azimuth_counts_per_turn;
    const size_t count = counts_per_turn > 0.0 ? fittings->wheel_count : 0;
    for (size_t i = 0; i < count; i++) { // every other motor turns a module
        out[i] = truth->wheel_counts[2 * i + 1] * (2.0 * HY_PI / counts_per_turn);
    }
    return count;
}

// --------------------------------------------------------------------------- all of it

static bool get_memory(hy_scene_of_world *self, const hy_world_model *model)
{
    size_t border;
    hy_world_border(model, &border);
    size_t points = 2 * border + HY_WORLD_GOALS * HY_WORLD_CORNERS +
                    HY_SCENE_ROBOTS * HY_WORLD_PARTS * HY_WORLD_CORNERS;
    for (size_t i = 0; i < hy_world_solids(model); i++) {
        points += hy_world_solid_at(model, i).count;
    }
    self->points = calloc(points, sizeof *self->points);
    self->point_room = points;
    self->walls = calloc(border + hy_world_solids(model) + 1, sizeof *self->walls);
    return self->points != NULL && self->walls != NULL;
}

bool hy_scene_make(hy_scene_of_world *self, const hy_world_model *model, hy_point middle)
{
    *self = (hy_scene_of_world){ .scene = { .is_match = false } };
    if (!get_memory(self, model)) {
        hy_scene_free(self);
        return false;
    }
    const hy_world_facts facts = hy_world_describe(model);
    hy_scene *const scene = &self->scene;
    maker m = { self, model, middle };
    add_border(&m);
    add_solids(&m);
    add_goals(&m, facts.goals);
    for (size_t i = 0; i < facts.vehicles; i++) {
        add_robot(&m, i);
    }
    scene->title = facts.name;
    scene->floor_shade = hy_world_darkness(model, 0.001, 0.001); // a corner, where mats seldom lie
    scene->floor_m[0] = -middle.x_m;
    scene->floor_m[1] = -middle.y_m;
    scene->floor_m[2] = facts.width_m - middle.x_m;
    scene->floor_m[3] = facts.height_m - middle.y_m;
    scene->walls = self->walls;
    scene->wall_count = self->wall_count;
    scene->piece_radius_m = facts.piece_radius_m;
    scene->robots = self->robots;
    scene->robot_count = facts.vehicles;
    scene_load_gltf(self, model);
    return true;
}

void hy_scene_free(hy_scene_of_world *self)
{
    free(self->points);
    free(self->walls);
    free(self->mat);
    for (size_t i = 0; i < sizeof self->gltf / sizeof self->gltf[0]; i++) {
        free(self->gltf[i]);
    }
    *self = (hy_scene_of_world){ .points = NULL };
}
