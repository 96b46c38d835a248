// Laps that are not in the script, driven in the world without feedback.
#include "laps.h"

#include <math.h>
#include <stdlib.h>

#define LAP_S 15.0

static const char *const names[HY_CALIBRATION_LAPS] = { "square", "eight", "snake" };

double hy_calibration_lap_efforts(unsigned lap, double at_s, double effort[2])
{
    if (lap == 0) { // corners on the spot
        const double within_s = fmod(at_s, 3.0);
        const bool is_corner = within_s > 2.4;
        effort[0] = is_corner ? -0.45 : 0.65;
        effort[1] = is_corner ? 0.45 : 0.65;
    } else if (lap == 1) {
        const double more = at_s < LAP_S / 2 ? 0.15 : -0.15;
        effort[0] = 0.6 - more;
        effort[1] = 0.6 + more;
    } else { // faster and slower
        effort[0] = 0.6 + 0.2 * sin(1.3 * at_s);
        effort[1] = 0.6 + 0.2 * sin(1.3 * at_s + 1.5);
    }
    return LAP_S;
}

// Where the robot is at the end of each step.
static hy_status drive_lap(hy_world_spec *spec, const hy_robot_traits *robot, unsigned lap,
                           size_t steps, hy_world_pose *poses)
{
    hy_world_model *model;
    hy_world_error error;
    (void)hy_vehicle_spec_set_traits(&spec->vehicle[0], robot);
    if (hy_world_compile(spec, &model, &error) != HY_OK) {
        return HY_ERANGE;
    }
    hy_world_state *state = NULL;
    (void)hy_world_open(model, 1, &state);
    for (size_t i = 0; state != NULL && i < steps; i++) {
        double effort[2];
        hy_world_input input = { 0 };
        (void)hy_calibration_lap_efforts(lap, (double)i * spec->step_s, effort);
        input.vehicle[0].motor_duty[0] = effort[0];
        input.vehicle[0].motor_duty[1] = -effort[1]; // it is mounted the other way round
        hy_world_step(model, state, &input);
        poses[i] = hy_world_pose_of(state, 0);
    }
    hy_world_close(state);
    hy_world_free(model);
    return state != NULL ? HY_OK : HY_EMEMORY;
}

static void add_errors(const hy_world_pose *one, const hy_world_pose *other, size_t steps,
                       hy_calibration_lap *lap)
{
    double position = 0, heading = 0;
    for (size_t i = 0; i < steps; i++) {
        const double x_m = one[i].x_m - other[i].x_m, y_m = one[i].y_m - other[i].y_m;
        const double turned_rad = one[i].heading_rad - other[i].heading_rad;
        position += x_m * x_m + y_m * y_m;
        heading += turned_rad * turned_rad;
    }
    lap->position_rms_m = hypot(lap->position_rms_m, sqrt(position / (double)steps));
    lap->heading_rms_rad = hypot(lap->heading_rms_rad, sqrt(heading / (double)steps));
}

hy_status laps_compare(hy_world_spec *spec, const hy_robot_traits *middle,
                       const hy_robot_traits *others, size_t count,
                       hy_calibration_lap laps[HY_CALIBRATION_LAPS])
{
    const size_t steps = (size_t)(LAP_S / spec->step_s);
    hy_world_pose *const poses = malloc(2 * steps * sizeof *poses);
    hy_status status = poses != NULL ? HY_OK : HY_EMEMORY;
    for (unsigned lap = 0; lap < HY_CALIBRATION_LAPS && status == HY_OK; lap++) {
        laps[lap] = (hy_calibration_lap){ .what = names[lap] };
        status = drive_lap(spec, middle, lap, steps, poses);
        for (size_t i = 1; i < steps && status == HY_OK; i++) {
            laps[lap].way_m +=
                hypot(poses[i].x_m - poses[i - 1].x_m, poses[i].y_m - poses[i - 1].y_m);
        }
        for (size_t i = 0; i < count && status == HY_OK; i++) {
            status = drive_lap(spec, &others[i], lap, steps, poses + steps);
            if (status == HY_OK) {
                add_errors(poses, poses + steps, steps, &laps[lap]);
            }
        }
    }
    free(poses);
    return status;
}
