#include "batch.h"

#include "lanes/xrp_lanes.h"
#include "step.h"

#include <assert.h>
#include <stdlib.h>

struct hy_world_batch {
    const hy_world_model *model;
    const hy_xrp_path *path; ///< NULL: one by one.
    size_t count;
    hy_world_state *shown; ///< The world that is looked at or stepped by itself.
    hy_actuators *next;    ///< What acts on each from the next step on ...
    bool *next_button;
    hy_vehicle_state *vehicle; ///< With a path: what its lanes do not have.
    uint64_t *steps;           ///< Without a path.
    hy_xrp_lanes *lanes;       ///< With a path.
    bool servos_turn;          ///< Any of them gets pulses.
};

// --------------------------------------------------------------------------- starting and ending

static bool takes(const hy_world_model *model)
{
    return model->vehicle_count == 1 && model->pieces.count == 0 && model->extra_count == 0 &&
           !model->vehicle[0].lidar.fitted && model->vehicle[0].meets_field_alone;
}

static size_t groups_of(size_t count)
{
    return (count + HY_XRP_LANES - 1) / HY_XRP_LANES;
}

static hy_xrp_lanes *group_of(const hy_world_batch *self, size_t index)
{
    return &self->lanes[index / HY_XRP_LANES];
}

void hy_world_batch_restart(hy_world_batch *self, size_t index, uint64_t seed)
{
    assert(index < self->count);
    hy_world_restart(self->model, self->shown, seed);
    self->vehicle[index] = self->shown->vehicle[0];
    self->next[index] = (hy_actuators){ .led = false };
    self->next_button[index] = false;
    if (self->path == NULL) {
        self->steps[index] = 0;
        return;
    }
    hy_xrp_lanes *const group = group_of(self, index);
    hy_xrp_lanes_put(group, index % HY_XRP_LANES, &self->vehicle[index]);
    group->steps[index % HY_XRP_LANES] = 0;
    hy_world_batch_set(self, index, &self->next[index], false);
}

/// Lanes behind the last world stand where a world starts, and are not looked at.
static void fill_last_group(hy_world_batch *self)
{
    for (size_t i = self->count; i < groups_of(self->count) * HY_XRP_LANES; i++) {
        hy_xrp_lanes_put(group_of(self, i), i % HY_XRP_LANES, &self->vehicle[0]);
    }
}

static bool allocate(hy_world_batch *self, const hy_xrp_path *path, size_t count)
{
    self->path = path;
    self->count = count;
    self->next = calloc(count, sizeof *self->next);
    self->next_button = calloc(count, sizeof *self->next_button);
    self->vehicle = calloc(count, sizeof *self->vehicle);
    if (path == NULL) {
        self->steps = calloc(count, sizeof *self->steps);
    } else {
        self->lanes = calloc(groups_of(count), sizeof *self->lanes);
    }
    return self->next != NULL && self->next_button != NULL && self->vehicle != NULL &&
           (path == NULL ? self->steps != NULL : self->lanes != NULL);
}

hy_status hy_batch_open(const hy_world_model *model, const uint64_t *seeds, size_t count,
                        const hy_xrp_path *path, hy_world_batch **batch)
{
    *batch = NULL;
    if (count < 1 || count > HY_WORLD_BATCH_MAX || !takes(model)) {
        return HY_ERANGE;
    }
    hy_world_batch *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        return HY_EMEMORY;
    }
    self->model = model;
    const hy_status status =
        allocate(self, path, count) ? hy_world_open(model, seeds[0], &self->shown) : HY_EMEMORY;
    if (status != HY_OK) {
        hy_world_batch_close(self);
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        hy_world_batch_restart(self, i, seeds[i]);
    }
    if (path != NULL) {
        fill_last_group(self);
    }
    *batch = self;
    return HY_OK;
}

hy_status hy_world_batch_open(const hy_world_model *model, const uint64_t *seeds, size_t count,
                              hy_world_batch **batch)
{
    const hy_xrp_path *paths[HY_XRP_PATHS];
    (void)hy_xrp_paths(paths);
    return hy_batch_open(model, seeds, count, hy_xrp_lanes_fit(model) ? paths[0] : NULL, batch);
}

void hy_world_batch_close(hy_world_batch *self)
{
    if (self != NULL) {
        hy_world_close(self->shown);
        free(self->next);
        free(self->next_button);
        free(self->vehicle);
        free(self->steps);
        free(self->lanes);
        free(self);
    }
}

const char *hy_world_batch_path(const hy_world_batch *self)
{
    return self->path != NULL ? self->path->name : "one by one";
}

// --------------------------------------------------------------------------- stepping

static bool has_pulses(const hy_actuators *actuators)
{
    for (int i = 0; i < HY_PIN_SERVOS; i++) {
        if (actuators->servo_pulse_us[i] > 0) {
            return true;
        }
    }
    return false;
}

void hy_world_batch_set(hy_world_batch *self, size_t index, const hy_actuators *actuators,
                        bool button)
{
    assert(index < self->count);
    self->next[index] = *actuators;
    self->next_button[index] = button;
    if (self->path == NULL) {
        return;
    }
    const size_t lane = index % HY_XRP_LANES;
    hy_xrp_lanes *const group = group_of(self, index);
    for (int i = 0; i < HY_XRP_MOTORS; i++) {
        group->next_duty[i][lane] = hy_clamp(actuators->motor_duty[i], -1, 1, 0);
    }
    group->next_led[lane] = actuators->led;
    group->next_button[lane] = button;
    self->servos_turn = self->servos_turn || has_pulses(actuators);
}

static void step_by_itself(hy_world_batch *self, size_t index, hy_world_input *input)
{
    input->vehicle[0] = self->next[index];
    input->button[0] = self->next_button[index];
    self->shown->vehicle[0] = self->vehicle[index];
    self->shown->steps = self->steps[index];
    hy_world_step(self->model, self->shown, input);
    self->vehicle[index] = self->shown->vehicle[0];
    self->steps[index] = self->shown->steps;
}

static void step_one_by_one(hy_world_batch *self)
{
    hy_world_input input = { .button = { false } };
    for (size_t i = 0; i < self->count; i++) {
        step_by_itself(self, i, &input);
    }
}

static void turn_all_servos(hy_world_batch *self)
{
    for (size_t i = 0; i < self->count; i++) {
        hy_turn_servos(&self->model->vehicle[0], &self->next[i], &self->vehicle[i],
                       self->model->step_s);
    }
}

void hy_world_batch_step(hy_world_batch *self)
{
    if (self->path == NULL) {
        step_one_by_one(self);
        return;
    }
    if (self->servos_turn) {
        turn_all_servos(self);
    }
    self->path->step(self->model, self->lanes, groups_of(self->count));
}

// --------------------------------------------------------------------------- looking

hy_world_pose hy_world_batch_pose(const hy_world_batch *self, size_t index)
{
    assert(index < self->count);
    if (self->path == NULL) {
        const hy_vehicle_state *const vehicle = &self->vehicle[index];
        return (hy_world_pose){ vehicle->pose.at_m.x, vehicle->pose.at_m.y,
                                vehicle->pose.heading_rad, vehicle->touching };
    }
    const hy_xrp_lanes *const group = group_of(self, index);
    const size_t lane = index % HY_XRP_LANES;
    return (hy_world_pose){ group->now.x_m[lane], group->now.y_m[lane],
                            group->now.heading_rad[lane], group->touching[lane] };
}

const hy_world_state *hy_world_batch_look(hy_world_batch *self, size_t index)
{
    assert(index < self->count);
    hy_vehicle_state *const vehicle = &self->shown->vehicle[0];
    *vehicle = self->vehicle[index];
    if (self->path == NULL) {
        self->shown->steps = self->steps[index];
    } else {
        const hy_xrp_lanes *const group = group_of(self, index);
        hy_xrp_lanes_get(group, index % HY_XRP_LANES, vehicle);
        self->shown->steps = group->steps[index % HY_XRP_LANES];
    }
    return self->shown;
}
