#include "sonar.h"

#include "range.h"

#include <math.h>

#define SOUND_M_S      343.0
#define STEP_M         0.004 // of its readings
#define THIN_M         0.05  // what is narrower gives a weak echo ...
#define THIN_REACH_M   1.7   // ... which is not heard from farther
#define SPIKE_M        0.2
#define SPIKE_READINGS 3

/// The cosine of the largest angle between the beam and a smooth wall's normal at which its echo comes back. SPEC robot, "The rangefinder".
static double least_cosine(double distance_m)
{
    static const struct {
        double distance_m, cosine;
    } points[] = {
        { 1, 0.7071 },    // 45 degrees
        { 1.25, 0.9135 }, // 24
        { 3, 0.9659 },    // 15
        { 4, 0.9781 },    // 12
    };
    const size_t count = sizeof points / sizeof points[0];
    size_t i = 1;
    while (i + 1 < count && distance_m > points[i].distance_m) {
        i++;
    }
    const double at = hy_clamp((distance_m - points[i - 1].distance_m) /
                                   (points[i].distance_m - points[i - 1].distance_m),
                               0, 1, 0);
    return points[i - 1].cosine + at * (points[i].cosine - points[i - 1].cosine);
}

typedef struct {
    hy_cone cone;
    hy_vec ahead;
    double echoes; ///< Factor of all distances.
} hearing;

/// The distance of an edge of something `width_m` across if its echo is heard and it is nearer than `nearest_m`, else that.
static double nearer_echo(const hearing *self, double nearest_m, const hy_world_segment *edge,
                          double width_m)
{
    const double distance_m = hy_nearest_in_cone(&self->cone, nearest_m, edge, 1);
    if (distance_m >= nearest_m) {
        return nearest_m;
    }
    const hy_vec along = { edge->x1_m - edge->x0_m, edge->y1_m - edge->y0_m };
    const double length_m = sqrt(hy_vec_dot(along, along));
    const double cosine = fabs(self->ahead.x * along.y - self->ahead.y * along.x) / length_m;
    const double as_if_m = distance_m / self->echoes;
    const bool is_lost =
        cosine < least_cosine(as_if_m) || (width_m < THIN_M && as_if_m > THIN_REACH_M);
    return is_lost ? nearest_m : distance_m;
}

static double nearest_echo(const hy_world_model *model, const hy_world_state *state, size_t index)
{
    const hy_range_model *const range = &model->vehicle[index].range;
    const hy_pose *const pose = &state->vehicle[index].pose;
    const double half_rad = range->of.half_cone_rad;
    const hearing self = { .cone = { hy_pose_point(pose, range->at_m),
                                     hy_direction(pose->heading_rad - half_rad),
                                     hy_direction(pose->heading_rad + half_rad) },
                           .ahead = { pose->cos, pose->sin },
                           .echoes = model->vehicle[index].sonar.echoes };
    double nearest_m = range->of.far_m;
    for (size_t i = 0; i < model->edge_count; i++) {
        nearest_m = nearer_echo(&self, nearest_m, &model->edges[i], model->edge_width_m[i]);
    }
    for (size_t other = 0; other < state->vehicle_count; other++) {
        hy_world_segment outline[HY_VEHICLE_CORNERS];
        if (other == index) {
            continue;
        }
        hy_outline_edges(&state->vehicle[other].pose, model->vehicle[other].corner_m,
                         HY_VEHICLE_CORNERS, outline);
        for (size_t i = 0; i < HY_VEHICLE_CORNERS; i++) {
            nearest_m = nearer_echo(&self, nearest_m, &outline[i], THIN_M);
        }
    }
    return hy_max(nearest_m, range->of.near_m);
}

/// What motors that run add to a reading: now and then the same error in three of them.
static double spike(const hy_vehicle_model *vehicle, hy_vehicle_state *self)
{
    const bool runs = self->duty[0] != 0 || self->duty[1] != 0;
    if (self->spike_readings > 0) {
        self->spike_readings--;
    } else if (runs && vehicle->sonar.spike_chance > 0 &&
               hy_chance_unit(&self->chance) < vehicle->sonar.spike_chance) {
        self->spike_readings = SPIKE_READINGS - 1;
        self->spike_m = SPIKE_M * (2 * hy_chance_unit(&self->chance) - 1);
    } else {
        self->spike_m = 0;
    }
    return self->spike_m;
}

void hy_sonar_sense(const hy_world_model *model, hy_world_state *state, size_t index)
{
    const hy_vehicle_model *const vehicle = &model->vehicle[index];
    const hy_range_spec *const range = &vehicle->range.of;
    hy_vehicle_state *const self = &state->vehicle[index];
    if ((int64_t)state->steps * model->step_us < self->range_due_us) {
        return;
    }
    const double heard_m = nearest_echo(model, state, index);
    const double noisy_m = hy_range_measured(range, heard_m, &self->chance) + spike(vehicle, self);
    const double stepped_m = floor(noisy_m / STEP_M + 0.5) * STEP_M;
    self->sensors.range_m = heard_m < range->far_m || self->spike_m < 0
                                ? hy_clamp(stepped_m, range->near_m, range->far_m, 0)
                                : range->far_m;
    self->range_due_us += (int64_t)((range->period_s + 2 * heard_m / SOUND_M_S) * 1e6);
}
