// The world's own step on the recorded commands.
#include "replayed.h"

#include <halyard/board.h>
#include <halyard/robots.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define FLOOR_M 100.0

// Standard deviations at rest, and what an uncertain time adds while it moves.
#define COUNTS_SPREAD 0.5
#define YAW_SPREAD    0.003
#define STATUS_S      0.002 // a status's time
#define GYRO_S        0.012 // the firmware reads the gyro every 40 ms, whenever the status goes out
#define GYRO_AGE_S    0.020 // on the average

#define REST_COUNTS 1.0    // between two statuses of a robot that stands
#define PAUSE_US    150000 // between two statuses: what was commanded meanwhile may not have arrived
#define LEAST_WAY   100    // counts of one wheel: a sixth of a turn
#define LEAST_TURN  1.0    // radians that the gyro has seen in all

// --------------------------------------------------------------------------- duties

// What the pins of a board are after commands, by the firmware's own arithmetic.
static void find_pins(replayed *self, void *memory)
{
    const hy_calibration_log *const log = self->log;
    const hy_robot_type *const type = hy_robot_type_of_devices(&hy_xrp_devices);
    const hy_endpoint client = { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 }, .port = 1 };
    hy_board *const board =
        hy_board_init(memory, &(hy_board_options){ .kind = type->variants[0].board }, 0);
    for (size_t i = 0; i < log->command_count; i++) {
        const double *const effort = log->commands[i].effort;
        const hy_wire_command command = { .seq = (uint16_t)(i + 1),
                                          .control = HY_WIRE_CONTROL_ENABLED,
                                          .motors = 3,
                                          .motor = { (float)effort[0], (float)-effort[1] } };
        uint8_t bytes[HY_WIRE_COMMAND_MAX];
        const size_t size = type->dialect->command_encode(&command, (hy_room){ bytes, sizeof bytes });
        hy_board_receive(board, &client, (hy_bytes){ bytes, size }, (int64_t)i);
        for (size_t side = 0; side < 2; side++) {
            self->pins[i][side] = hy_board_actuators(board)->motor_duty[side];
        }
    }
}

// The mean duty of each step: a command that comes within it counts for what is left of it.
static void spread_over_steps(replayed *self)
{
    const hy_calibration_log *const log = self->log;
    for (size_t i = 0; i < log->command_count; i++) {
        const bool is_last = i + 1 == log->command_count;
        const double end_us = is_last
                                  ? (double)self->begin_us + (double)self->steps * self->step_s * 1e6
                                  : (double)log->commands[i + 1].at_us;
        const double from = (double)(log->commands[i].at_us - self->begin_us) * 1e-6 / self->step_s;
        const double to = (end_us - (double)self->begin_us) * 1e-6 / self->step_s;
        for (size_t step = (size_t)from; step < self->steps && (double)step < to; step++) {
            const double share = fmin((double)step + 1, to) - fmax((double)step, from);
            for (size_t side = 0; side < 2; side++) {
                self->duty[step][side] += share * self->pins[i][side];
            }
        }
    }
}

// --------------------------------------------------------------------------- statuses

// How fast it went: over the two intervals beside a status.
static void find_spreads(replayed *self)
{
    const hy_calibration_log *const log = self->log;
    for (size_t i = 0; i < log->status_count; i++) {
        const hy_calibration_status *const before = &log->statuses[i > 0 ? i - 1 : 0];
        const hy_calibration_status *const after =
            &log->statuses[i + 1 < log->status_count ? i + 1 : i];
        const double time_s = fmax((double)(after->at_us - before->at_us) * 1e-6, 1e-3);
        replayed_place *const spread = &self->spread[i];
        for (size_t side = 0; side < 2; side++) {
            const double rate = (after->counts[side] - before->counts[side]) / time_s;
            spread->at[side] = hypot(COUNTS_SPREAD, rate * STATUS_S);
        }
        const double rate = (after->yaw_rad - before->yaw_rad) / time_s;
        spread->at[2] = hypot(YAW_SPREAD, rate * GYRO_S);
    }
}

static bool has_stood(const hy_calibration_status *before, const hy_calibration_status *now)
{
    return fabs(now->counts[0] - before->counts[0]) <= REST_COUNTS &&
           fabs(now->counts[1] - before->counts[1]) <= REST_COUNTS;
}

static bool is_driven(const hy_calibration_log *log, size_t *command, int64_t at_us)
{
    while (*command < log->command_count && log->commands[*command].at_us < at_us) {
        ++*command;
    }
    const double *const effort = *command > 0 ? log->commands[*command - 1].effort : NULL;
    return effort != NULL && (effort[0] != 0 || effort[1] != 0);
}

// Ways are counted from where it last stood without a command, for two statuses: what a carpet did to it before is past.
static void find_rests(replayed *self)
{
    const hy_calibration_log *const log = self->log;
    size_t command = 0, rest = 0;
    double turned_rad = 0;
    bool is_lost = false;
    for (size_t i = 0; i < log->status_count; i++) {
        const hy_calibration_status *const now = &log->statuses[i];
        const bool is_still = i >= 2 && has_stood(now - 1, now) && has_stood(now - 2, now - 1);
        const bool is_rest = is_still && !is_driven(log, &command, now->at_us);
        self->drives += is_rest && rest + 1 < i ? 1 : 0;
        rest = is_rest ? i : rest;
        self->rest[i] = rest;
        is_lost = !is_rest && (is_lost || (i > 0 && now->at_us - (now - 1)->at_us > PAUSE_US));
        self->is_lost[i] = is_lost;
        self->lost += is_lost ? 1 : 0;
        turned_rad += i > 0 ? fabs(now->yaw_rad - (now - 1)->yaw_rad) : 0;
        const double *const from = log->statuses[rest].counts;
        const bool has_moved = fabs(now->counts[0] - from[0]) > LEAST_WAY ||
                               fabs(now->counts[1] - from[1]) > LEAST_WAY;
        self->has_moved = self->has_moved || (has_moved && !is_lost);
    }
    self->drives++;
    self->has_turned = turned_rad > LEAST_TURN;
}

// --------------------------------------------------------------------------- start and end

static bool allocate(replayed *self)
{
    const size_t statuses = self->log->status_count;
    self->spec = malloc(sizeof *self->spec);
    self->pins = calloc(self->log->command_count + 1, sizeof *self->pins);
    self->duty = calloc(self->steps + 1, sizeof *self->duty);
    self->place = malloc((self->steps + 1) * sizeof *self->place);
    self->spread = malloc((statuses + 1) * sizeof *self->spread);
    self->rest = malloc((statuses + 1) * sizeof *self->rest);
    self->is_lost = malloc((statuses + 1) * sizeof *self->is_lost);
    return self->spec != NULL && self->pins != NULL && self->duty != NULL && self->place != NULL &&
           self->spread != NULL && self->rest != NULL && self->is_lost != NULL;
}

// An XRP as its type has it, without noise, on a floor that has no end.
static void make_spec(hy_world_spec *spec)
{
    hy_world_spec_init(spec);
    snprintf(spec->name, sizeof spec->name, "calibration");
    spec->width_m = spec->height_m = FLOOR_M;
    const hy_robot_type *const type = hy_robot_type_of_devices(&hy_xrp_devices);
    hy_vehicle_spec *const xrp = hy_world_spec_add_vehicle(spec, type->variants[0].vehicle);
    xrp->start_x_m = xrp->start_y_m = FLOOR_M / 2;
    hy_vehicle_spec_wired(xrp, HY_SENSOR_IMU, 0)->of.imu = (hy_imu_spec){ 0 };
}

hy_status replayed_start(replayed *self, const hy_calibration_log *log)
{
    *self = (replayed){ .log = log };
    if (log->command_count == 0 || log->status_count == 0) {
        return HY_OK;
    }
    const int64_t first_us = log->statuses[0].at_us;
    const int64_t last_us = log->statuses[log->status_count - 1].at_us;
    self->begin_us = log->commands[0].at_us < first_us ? log->commands[0].at_us : first_us;
    hy_world_spec spec_of_step;
    hy_world_spec_init(&spec_of_step);
    self->step_s = spec_of_step.step_s;
    self->steps = (size_t)((double)(last_us - self->begin_us) * 1e-6 / self->step_s) + 10;
    void *const board = malloc(hy_board_size());
    const bool has_memory = allocate(self) && board != NULL;
    if (has_memory) {
        make_spec(self->spec);
        find_pins(self, board);
        spread_over_steps(self);
        find_spreads(self);
        find_rests(self);
    }
    free(board);
    return has_memory ? HY_OK : HY_EMEMORY;
}

void replayed_end(replayed *self)
{
    if (self->spec != NULL) {
        hy_world_spec_free(self->spec);
    }
    free(self->spec);
    free(self->pins);
    free(self->duty);
    free(self->place);
    free(self->spread);
    free(self->rest);
    free(self->is_lost);
}

// --------------------------------------------------------------------------- simulation

static replayed_place place_of(const hy_world_model *model, const hy_world_state *state,
                               const hy_world_fittings *fittings)
{
    hy_sensors sensors;
    hy_world_read_sensors_without_reflectance(model, state, 0, &sensors);
    return (replayed_place){ { fittings->encoder_forward[0] * sensors.encoder_counts[0],
                               fittings->encoder_forward[1] * sensors.encoder_counts[1],
                               sensors.gyro_angle_rad[2] } };
}

static bool simulate(replayed *self, const hy_robot_traits *traits)
{
    hy_world_model *model;
    hy_world_error error;
    (void)hy_vehicle_spec_set_traits(&self->spec->vehicle[0], traits);
    if (hy_world_compile(self->spec, &model, &error) != HY_OK) {
        return false;
    }
    hy_world_state *state = NULL;
    (void)hy_world_open(model, 1, &state);
    const hy_world_fittings fittings = hy_world_fittings_of(model, 0);
    hy_world_input input = { 0 };
    for (size_t i = 0; state != NULL && i <= self->steps; i++) {
        self->place[i] = place_of(model, state, &fittings);
        input.vehicle[0].motor_duty[0] = self->duty[i][0];
        input.vehicle[0].motor_duty[1] = self->duty[i][1];
        hy_world_step(model, state, &input);
    }
    hy_world_close(state);
    hy_world_free(model);
    self->simulations++;
    return state != NULL;
}

// One of the three numbers at a time, between the steps of the world.
static double number_at(const replayed *self, double at_s, size_t which)
{
    const double step = hy_clamp(at_s / self->step_s, 0, (double)self->steps - 1e-6, 0);
    const size_t before = (size_t)step;
    const double share = step - (double)before;
    return (1 - share) * self->place[before].at[which] + share * self->place[before + 1].at[which];
}

static replayed_place place_at(const replayed *self, const hy_calibration_status *status,
                               double delay_s)
{
    const double at_s = (double)(status->at_us - self->begin_us) * 1e-6 - delay_s;
    return (replayed_place){ { number_at(self, at_s, 0), number_at(self, at_s, 1),
                               number_at(self, at_s - GYRO_AGE_S, 2) } };
}

bool replayed_residuals(replayed *self, const replayed_robot *robot, double *out)
{
    const hy_calibration_log *const log = self->log;
    const bool is_possible = simulate(self, &robot->traits);
    for (size_t i = 0; i < log->status_count; i++) {
        const hy_calibration_status *const now = &log->statuses[i];
        const hy_calibration_status *const rest = &log->statuses[self->rest[i]];
        double *const residual = out + REPLAYED_RESIDUALS * i;
        if (!is_possible) {
            residual[0] = residual[1] = residual[2] = 0;
            continue;
        }
        const replayed_place at = place_at(self, now, robot->delay_s);
        const replayed_place from = place_at(self, rest, robot->delay_s);
        const double recorded[REPLAYED_RESIDUALS] = { now->counts[0] - rest->counts[0],
                                                      now->counts[1] - rest->counts[1],
                                                      now->yaw_rad - rest->yaw_rad };
        for (size_t k = 0; k < REPLAYED_RESIDUALS; k++) {
            residual[k] = (at.at[k] - from.at[k] - recorded[k]) / self->spread[i].at[k];
        }
    }
    return is_possible;
}
