#include "sonar.h"

#include "range.h"

#include <math.h>

#define LANES 1
#include "sonar_simd.h"

#define SOUND_M_S      343.0
#define STEP_M         0.004 // of its readings
#define SPIKE_M        0.2
#define SPIKE_READINGS 3

static double nearest_echo(const hy_world_model *model, const hy_world_state *state, size_t index)
{
    const hy_vehicle_model *const vehicle = &model->vehicle[index];
    const hy_pose *const pose = &state->vehicle[index].pose;
    const pose_lanes at = { pose->at_m.x, pose->at_m.y, pose->heading_rad, pose->cos, pose->sin };
    const hearing_lanes self = hearing_of(vehicle, &at);
    double nearest_m = nearest_echo_at_edges(model, &self, vehicle->range.of.far_m);
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
    return hy_max(nearest_m, vehicle->range.of.near_m);
}

/// What motors that run add to a reading: now and then the same error in three of them.
static double spike(const hy_vehicle_model *vehicle, hy_sonar_state *self, bool runs,
                    hy_random *random)
{
    if (self->spike_readings > 0) {
        self->spike_readings--;
    } else if (runs && vehicle->sonar.spike_chance > 0 &&
               hy_random_unit(random) < vehicle->sonar.spike_chance) {
        self->spike_readings = SPIKE_READINGS - 1;
        self->spike_m = SPIKE_M * (2 * hy_random_unit(random) - 1);
    } else {
        self->spike_m = 0;
    }
    return self->spike_m;
}

bool hy_sonar_is_due(const hy_world_model *model, const hy_sonar_state *sonar, uint64_t steps)
{
    return (int64_t)steps * model->step_us >= sonar->due_us;
}

double hy_sonar_read(const hy_vehicle_model *vehicle, hy_sonar_state *sonar, double heard_m,
                     bool runs, hy_random *random)
{
    const hy_range_spec *const range = &vehicle->range.of;
    const double measured_m = hy_range_measured(range, heard_m, random);
    const double noisy_m = measured_m + spike(vehicle, sonar, runs, random);
    const double stepped_m = floor(noisy_m / STEP_M + 0.5) * STEP_M;
    sonar->due_us += (int64_t)((range->period_s + 2 * heard_m / SOUND_M_S) * 1e6);
    return heard_m < range->far_m || sonar->spike_m < 0
               ? hy_clamp(stepped_m, range->near_m, range->far_m, 0)
               : range->far_m;
}

void hy_sonar_sense(const hy_world_model *model, hy_world_state *state, size_t index)
{
    hy_vehicle_state *const self = &state->vehicle[index];
    if (hy_sonar_is_due(model, &self->sonar, state->steps)) {
        const bool runs = self->duty[0] != 0 || self->duty[1] != 0;
        self->sensors.range_m = hy_sonar_read(&model->vehicle[index], &self->sonar,
                                              nearest_echo(model, state, index), runs, &self->random);
    }
}
