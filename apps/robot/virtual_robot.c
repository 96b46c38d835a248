#include "virtual_robot.h"

#include <halyard/robots.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/world_path.h"

#define ROBOT 0 // the board's vehicle in the world

/// Whether the board fits into the vehicle; else says which it needs.
static bool check_vehicle(const virtual_robot *self, const char *path, hy_world_error *error)
{
    const hy_robot_variant *variant = NULL;
    const hy_robot_type *const type = hy_robot_type_of_board(self->board_options.kind, &variant);
    if (self->facts.vehicles == 0) {
        snprintf(error->text, sizeof error->text,
                 "%.200s: has no vehicle; a board needs one to sit in", path);
        return false;
    }
    const char *const is = hy_world_vehicle_kind(self->model, ROBOT);
    if (strcmp(is, variant->vehicle) != 0) {
        snprintf(error->text, sizeof error->text,
                 "%.150s: the first vehicle is of kind %s; a board of kind %s needs kind %s", path,
                 is, type->name, variant->vehicle);
        return false;
    }
    return true;
}

static bool load_world(virtual_robot *self, const char *world, hy_world_error *error)
{
    char path[WORLD_PATH_MAX];
    if (!world_path_find(world, path, error) || hy_world_load(path, &self->model, error) != HY_OK) {
        return false;
    }
    self->facts = hy_world_describe(self->model);
    return check_vehicle(self, path, error);
}

// --------------------------------------------------------------------------- life

static void sense(virtual_robot *self)
{
    hy_sensors sensors;
    hy_world_read_sensors(self->model, self->world, ROBOT, &sensors);
    hy_board_sense(self->board, &sensors, self->now_us);
}

bool virtual_robot_open(virtual_robot *self, const virtual_robot_options *options,
                        hy_world_error *error)
{
    *self = (virtual_robot){ .board_options = options->board };
    if (!load_world(self, options->world, error)) {
        virtual_robot_close(self);
        return false;
    }
    self->world = hy_world_start(self->model, options->seed);
    self->board_memory = malloc(hy_board_size());
    if (self->world == NULL || self->board_memory == NULL) {
        snprintf(error->text, sizeof error->text, "there is not enough memory for the world");
        virtual_robot_close(self);
        return false;
    }
    return true;
}

void virtual_robot_start(virtual_robot *self, int64_t now_us)
{
    self->now_us = now_us;
    self->board = hy_board_start(self->board_memory, &self->board_options, now_us);
    sense(self);
}

void virtual_robot_close(virtual_robot *self)
{
    free(self->board_memory);
    if (self->world != NULL) {
        hy_world_end(self->world);
    }
    hy_world_free(self->model);
    *self = (virtual_robot){ 0 };
}

int64_t virtual_robot_due_us(const virtual_robot *self)
{
    return self->now_us + self->facts.step_us;
}

void virtual_robot_step(virtual_robot *self, bool button)
{
    self->input.vehicle[ROBOT] = *hy_board_actuators(self->board);
    self->input.button[ROBOT] = button;
    hy_world_step(self->model, self->world, &self->input);
    self->now_us += self->facts.step_us;
    sense(self);
}

int64_t virtual_robot_skip_to(virtual_robot *self, int64_t now_us)
{
    const int64_t late_us = now_us - self->now_us;
    const int64_t skipped_us = late_us > 0 ? late_us - late_us % self->facts.step_us : 0;
    self->now_us += skipped_us;
    return skipped_us;
}

hy_truth virtual_robot_truth(const virtual_robot *self)
{
    return hy_world_truth(self->model, self->world, ROBOT);
}
