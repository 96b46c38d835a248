// One input a step: what it brings goes to boards, match and world in the order in which the input lists it, then the world
// moves, and then the boards read their sensors and send what is due.
#include <halyard/sim.h>

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "air.h"
#include "queue.h"

typedef struct {
    hy_board *board;
    hy_board_options options;
    size_t vehicle;
    size_t extra_vehicle; // of the match
    bool floor_is_old;    // the mat has not been looked at since the last step
} sim_board;

struct hy_sim {
    const hy_world_model *model;
    const hy_match_model *match_model; // NULL without a match
    hy_world_state *own_world;         // NULL with a match, which has its own
    hy_match *match;
    double lidar_noise_m, match_s;
    int64_t now_us, step_us;
    size_t vehicles, pieces;
    size_t board_count;
    sim_board boards[HY_SIM_BOARDS];
    hy_sim_board first_boards[HY_SIM_BOARDS]; // for a restart
    uint64_t seed;
    hy_world_input input; // without a match; the buttons also with one
    void *board_memory;
    sim_queue *queue;
    hy_faults_spec faults;
    sim_air *air; // one for each board; NULL without faults
    unsigned reboots;
    hy_sim_watcher watcher; // NULL: nobody
    void *watcher_context;
};

// --------------------------------------------------------------------------- start

static const hy_world_state *world_of(const hy_sim *self)
{
    return self->match != NULL ? hy_match_world_state(self->match) : self->own_world;
}

// The time that boards see.
static int64_t board_now_us(const hy_sim *self)
{
    return self->air != NULL ? sim_air_clock_us(&self->faults, self->now_us) : self->now_us;
}

// With faults the floor is looked at with the rest: they may hold its reading.
static void sense_board(const hy_sim *self, sim_board *at)
{
    hy_sensors sensors;
    at->floor_is_old = self->air == NULL && hy_board_sees_floor_late(at->board);
    hy_world_read_sensors_without_reflectance(self->model, world_of(self), at->vehicle, &sensors);
    if (!at->floor_is_old) {
        hy_world_read_floor(self->model, world_of(self), at->vehicle, sensors.reflectance);
    }
    if (self->air != NULL) {
        hy_faults_apply_sensors(&self->air[at - self->boards].pins, &self->faults, &sensors);
    }
    hy_board_sense(at->board, &sensors, board_now_us(self));
}

static void see_floor(const hy_sim *self, const sim_board *at)
{
    if (at->floor_is_old) {
        double reflectance[HY_PIN_REFLECTANCE];
        hy_world_read_floor(self->model, world_of(self), at->vehicle, reflectance);
        hy_board_see_floor(at->board, reflectance);
    }
}

static void start_board(hy_sim *self, size_t index)
{
    sim_board *const at = &self->boards[index];
    at->board = hy_board_init((char *)self->board_memory + index * hy_board_size(), &at->options,
                              board_now_us(self));
    sense_board(self, at);
}

// All that a power-up of the real robot begins anew, and nothing else: what the board keeps, which is all in its memory, and what its
// IMU has added up. Its body stays where it is, and broken parts stay broken.
static void power_up(hy_sim *self, size_t index)
{
    const size_t vehicle = self->boards[index].vehicle;
    if (self->match != NULL) {
        hy_match_power_up(self->match, vehicle);
    } else {
        hy_world_power_up(self->model, self->own_world, vehicle);
    }
    start_board(self, index);
}

// All of the state but the world or match, which has just been started.
static void start_state(hy_sim *self)
{
    self->now_us = 0;
    self->input = (hy_world_input){ 0 };
    sim_queue_start(self->queue);
    self->reboots = 0;
    for (size_t i = 0; i < self->board_count && self->air != NULL; i++) {
        sim_air_start(&self->air[i], &self->faults, i);
    }
    for (size_t i = 0; i < self->board_count; i++) {
        self->boards[i].options = self->first_boards[i].options;
        start_board(self, i);
    }
    if (self->own_world != NULL) {
        hy_world_set_lidar_noise(self->own_world, self->lidar_noise_m);
    }
}

static bool is_taken(const hy_sim_setup *setup, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (setup->boards[i].vehicle == setup->boards[index].vehicle) {
            return true;
        }
    }
    return false;
}

// In a match a board drives an extra vehicle: `*extra_vehicle` is its index.
static bool find_extra_vehicle(const hy_match_model *match, size_t vehicle, size_t *extra_vehicle)
{
    for (*extra_vehicle = 0; match != NULL && *extra_vehicle < hy_match_extra_vehicles(match);
         ++*extra_vehicle) {
        if (hy_match_extra_vehicle(match, *extra_vehicle) == vehicle) {
            return true;
        }
    }
    return match == NULL;
}

static bool check_board(hy_sim *self, const hy_sim_setup *setup, size_t index, hy_world_error *error)
{
    const hy_sim_board *const wanted = &setup->boards[index];
    const hy_world_facts facts = hy_world_describe(self->model);
    if (wanted->vehicle >= facts.vehicles) {
        snprintf(error->text, sizeof error->text,
                 "%.100s: has %zu vehicles; there is none for board %zu", facts.name,
                 facts.vehicles, index);
        return false;
    }
    if (is_taken(setup, index) ||
        !find_extra_vehicle(setup->match, wanted->vehicle, &self->boards[index].extra_vehicle)) {
        snprintf(error->text, sizeof error->text,
                 "%.100s: vehicle %zu is driven by another board or by a player", facts.name,
                 wanted->vehicle);
        return false;
    }
    return true;
}

static hy_status open_world(hy_sim *self, const hy_sim_setup *setup)
{
    if (setup->match == NULL) {
        return hy_world_open(setup->world, setup->seed, &self->own_world);
    }
    const hy_match_options options = { setup->seed, setup->lidar_noise_m, setup->match_s };
    return hy_match_open(setup->match, &options, &self->match);
}

static hy_status set_up(hy_sim *self, const hy_sim_setup *setup, hy_world_error *error)
{
    for (size_t i = 0; i < setup->board_count; i++) {
        if (!check_board(self, setup, i, error)) {
            return HY_ERANGE;
        }
        self->boards[i].vehicle = setup->boards[i].vehicle;
        self->first_boards[i] = setup->boards[i];
    }
    self->board_count = setup->board_count;
    self->board_memory = malloc(setup->board_count * hy_board_size() + 1);
    const bool has_faults = setup->faults != NULL && hy_faults_is_any(setup->faults);
    if (has_faults) {
        self->faults = *setup->faults;
        self->air = calloc(setup->board_count + 1, sizeof *self->air);
    }
    self->queue =
        malloc(sizeof *self->queue); // not calloc(): places that are never used cost no memory
    const bool has_memory =
        self->board_memory != NULL && self->queue != NULL && (self->air != NULL || !has_faults);
    const hy_status status = has_memory ? open_world(self, setup) : HY_EMEMORY;
    if (status != HY_OK) {
        snprintf(error->text, sizeof error->text, "%s",
                 status == HY_EFULL ? "this process simulates 128 worlds already; end one first"
                                    : hy_status_text(status));
    }
    return status;
}

hy_status hy_sim_open(const hy_sim_setup *setup, hy_sim **sim, hy_world_error *error)
{
    assert((setup->world == NULL) != (setup->match == NULL) && setup->board_count <= HY_SIM_BOARDS);
    *sim = NULL;
    hy_sim *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        snprintf(error->text, sizeof error->text, "%s", hy_status_text(HY_EMEMORY));
        return HY_EMEMORY;
    }
    self->match_model = setup->match;
    self->model = setup->match != NULL ? hy_match_world(setup->match) : setup->world;
    const hy_world_facts facts = hy_world_describe(self->model);
    self->step_us = facts.step_us;
    self->vehicles = facts.vehicles;
    self->pieces = facts.pieces;
    self->lidar_noise_m = setup->lidar_noise_m;
    self->match_s = setup->match_s;
    self->seed = setup->seed;
    const hy_status status = set_up(self, setup, error);
    if (status != HY_OK) {
        hy_sim_close(self);
        return status;
    }
    start_state(self);
    *sim = self;
    return HY_OK;
}

hy_sim_setup hy_sim_setup_of(const hy_sim *self)
{
    return (hy_sim_setup){ .world = self->match_model == NULL ? self->model : NULL,
                           .match = self->match_model,
                           .boards = self->first_boards,
                           .board_count = self->board_count,
                           .seed = self->seed,
                           .faults = self->air != NULL ? &self->faults : NULL,
                           .lidar_noise_m = self->lidar_noise_m,
                           .match_s = self->match_s };
}

void hy_sim_restart(hy_sim *self, uint64_t seed)
{
    self->seed = seed;
    if (self->match != NULL) {
        const hy_match_options options = { seed, self->lidar_noise_m, self->match_s };
        hy_match_restart(self->match, &options);
    } else {
        hy_world_restart(self->model, self->own_world, seed);
    }
    start_state(self);
}

void hy_sim_close(hy_sim *self)
{
    if (self != NULL) {
        hy_match_close(self->match);
        hy_world_close(self->own_world);
        free(self->board_memory);
        free(self->queue);
        free(self->air);
        free(self);
    }
}

// --------------------------------------------------------------------------- what an input brings

static void receive_one(hy_sim *self, size_t board, const hy_endpoint *peer, hy_bytes bytes,
                        int64_t at_us)
{
    self->now_us = at_us > self->now_us ? at_us : self->now_us;
    const int64_t clock_us = self->air != NULL ? sim_air_clock_us(&self->faults, at_us) : at_us;
    hy_board_receive(self->boards[board].board, peer, bytes, clock_us);
}

// An arrival, limited to the time between the start and now.
static int64_t limit_arrival(int64_t at_us, int64_t now_us)
{
    const int64_t past_us = at_us < now_us ? at_us : now_us;
    return past_us > 0 ? past_us : 0;
}

static void receive_datagrams(hy_sim *self, const hy_sim_input *input, int64_t now_us)
{
    for (size_t i = 0; i < input->datagram_count; i++) {
        const hy_sim_datagram *const one = &input->datagrams[i];
        if (one->board >= self->board_count) {
            continue;
        }
        if (hy_endpoint_is_nobody(&one->peer)) {
            hy_board *const board = self->boards[one->board].board;
            one->bytes.size > 0 ? hy_board_stop(board) : hy_board_note_loss(board);
            continue;
        }
        const int64_t at_us = limit_arrival(one->at_us, now_us);
        if (self->air != NULL) {
            hy_faults_put(&self->air[one->board].to_robot, &one->peer, one->bytes, at_us);
        } else {
            receive_one(self, one->board, &one->peer, one->bytes, at_us);
        }
    }
}

// What the faults have held back and is due by `now_us`, in the order in which it is due.
static void receive_delayed(hy_sim *self, int64_t now_us)
{
    for (;;) {
        size_t first = self->board_count;
        int64_t first_us = now_us;
        for (size_t i = 0; i < self->board_count; i++) {
            const int64_t due_us = hy_faults_due_us(&self->air[i].to_robot);
            if (due_us < first_us || (due_us == first_us && first == self->board_count)) {
                first = i;
                first_us = due_us;
            }
        }
        hy_endpoint peer;
        hy_bytes bytes;
        if (first == self->board_count ||
            !hy_faults_take(&self->air[first].to_robot, now_us, &peer, &bytes)) {
            return;
        }
        receive_one(self, first, &peer, bytes, first_us > 0 ? first_us : now_us);
    }
}

static void reboot_boards(hy_sim *self)
{
    while (self->reboots < self->faults.reboot_count &&
           self->faults.reboot_us[self->reboots] <= self->now_us) {
        self->reboots++;
        for (size_t i = 0; i < self->board_count; i++) {
            power_up(self, i);
        }
    }
}

static void take_commands(const hy_sim *self, const hy_sim_input *input)
{
    for (size_t i = 0; i < input->command_count && self->match != NULL; i++) {
        const hy_sim_command *const one = &input->commands[i];
        hy_match_command(self->match, one->player, &one->commands,
                         limit_arrival(one->at_us, self->now_us));
    }
}

static void reset(const hy_sim *self, size_t vehicle)
{
    if (vehicle != HY_SIM_RESET_ALL) {
        if (vehicle < self->vehicles) {
            (void)(self->match != NULL
                       ? hy_match_reset_vehicle(self->match, vehicle)
                       : hy_world_reset_vehicle(self->model, self->own_world, vehicle));
        }
    } else if (self->match != NULL) {
        hy_match_reset(self->match);
    } else {
        hy_world_reset(self->model, self->own_world);
    }
}

static void place_piece(const hy_sim *self, const hy_sim_placement *wanted)
{
    const hy_piece piece = { .x_m = wanted->x_m,
                             .y_m = wanted->y_m,
                             .z_m = wanted->z_m,
                             .vx_m_s = wanted->vx_m_s,
                             .vy_m_s = wanted->vy_m_s,
                             .vz_m_s = wanted->vz_m_s };
    if (wanted->piece >= self->pieces) {
        return;
    }
    if (self->match != NULL) {
        hy_match_place_piece(self->match, wanted->piece, &piece);
    } else {
        hy_world_place_piece(self->model, self->own_world, wanted->piece, &piece);
    }
}

static void set_lidar_noise(const hy_sim *self, double noise_m)
{
    if (self->match != NULL) {
        hy_match_set_lidar_noise(self->match, noise_m);
    } else {
        hy_world_set_lidar_noise(self->own_world, noise_m);
    }
}

static void change_board(hy_sim *self, const hy_sim_board_change *change)
{
    if (change->board < self->board_count) {
        hy_board_options *const options = &self->boards[change->board].options;
        options->encoder_format = change->encoder_format;
        options->stock_bugs = change->stock_bugs && hy_board_has_stock_bugs(options->kind);
        power_up(self, change->board);
    }
}

static void push(const hy_sim *self, size_t vehicle)
{
    if (self->match != NULL) {
        hy_match_calibrate_gyro(self->match, vehicle, true);
    } else {
        hy_world_calibrate_gyro(self->model, self->own_world, vehicle, true);
    }
}

static void apply(hy_sim *self, const hy_sim_input *input)
{
    take_commands(self, input);
    for (size_t i = 0; i < input->reset_count; i++) {
        reset(self, input->resets[i].vehicle);
    }
    for (size_t i = 0; i < input->button_count; i++) {
        if (input->buttons[i].vehicle < self->vehicles) {
            self->input.button[input->buttons[i].vehicle] = input->buttons[i].is_down;
        }
    }
    for (size_t i = 0; i < input->power_cycle_count; i++) {
        if (input->power_cycles[i].board < self->board_count) {
            power_up(self, input->power_cycles[i].board);
        }
    }
    for (size_t i = 0; i < input->placement_count; i++) {
        place_piece(self, &input->placements[i]);
    }
    for (size_t i = 0; i < input->lidar_noise_count; i++) {
        set_lidar_noise(self, input->lidar_noises_m[i]);
    }
    for (size_t i = 0; i < input->board_change_count; i++) {
        change_board(self, &input->board_changes[i]);
    }
    for (size_t i = 0; i < input->push_count; i++) {
        if (input->pushes[i].vehicle < self->vehicles) {
            push(self, input->pushes[i].vehicle);
        }
    }
    for (size_t i = 0; i < input->refusal_count; i++) {
        if (input->refusals[i].board < self->board_count) {
            hy_board_note_refused(self->boards[input->refusals[i].board].board,
                                  &input->refusals[i].refused);
        }
    }
}

// --------------------------------------------------------------------------- a step

static void actuate(hy_sim *self)
{
    for (size_t i = 0; i < self->board_count; i++) {
        const sim_board *const at = &self->boards[i];
        hy_actuators pins = *hy_board_actuators(at->board);
        if (self->air != NULL) {
            hy_faults_apply_actuators(&self->faults, &pins);
        }
        if (self->match != NULL) {
            hy_match_actuate(self->match, at->extra_vehicle, &pins, self->input.button[at->vehicle]);
        } else {
            self->input.vehicle[at->vehicle] = pins;
        }
    }
}

static void step_world(hy_sim *self)
{
    actuate(self);
    if (self->match != NULL) {
        hy_match_step(self->match, self->now_us);
    } else {
        hy_world_step(self->model, self->own_world, &self->input);
    }
    for (size_t i = 0; i < self->board_count; i++) {
        sense_board(self, &self->boards[i]);
    }
}

// What the faults let through by now.
static void send_delayed(hy_sim *self, size_t index)
{
    hy_sim_datagram one = { .board = index, .at_us = self->now_us };
    while (hy_faults_take(&self->air[index].from_robot, self->now_us, &one.peer, &one.bytes)) {
        sim_queue_push(self->queue, &one);
    }
}

static void send_statuses(hy_sim *self)
{
    uint8_t bytes[HY_WIRE_STATUS_MAX];
    for (size_t i = 0; i < self->board_count; i++) {
        hy_sim_datagram one = { .board = i, .at_us = self->now_us, .bytes.data = bytes };
        if (hy_board_due_us(self->boards[i].board) <= board_now_us(self)) {
            see_floor(self, &self->boards[i]);
            self->boards[i].floor_is_old = false;
        }
        while ((one.bytes.size = hy_board_send(self->boards[i].board, board_now_us(self), &one.peer,
                                               (hy_room){ bytes, sizeof bytes })) > 0) {
            if (self->air != NULL) {
                sim_air_send(&self->air[i], &self->faults, &one.peer,
                             (hy_room){ bytes, one.bytes.size }, self->now_us);
            } else {
                sim_queue_push(self->queue, &one);
            }
        }
        if (self->air != NULL) {
            send_delayed(self, i);
        }
    }
}

void hy_sim_step(hy_sim *self, const hy_sim_input *input)
{
    assert(input->world_steps <= 1);
    sim_queue_release(self->queue);
    const int64_t wanted_us = input->now_us < HY_SIM_TIME_MAX_US ? input->now_us : HY_SIM_TIME_MAX_US;
    const int64_t now_us = wanted_us > self->now_us ? wanted_us : self->now_us;
    receive_datagrams(self, input, now_us);
    if (self->air != NULL) {
        receive_delayed(self, now_us);
    }
    self->now_us = now_us;
    if (self->air != NULL) {
        reboot_boards(self);
    }
    apply(self, input);
    if (input->world_steps > 0) {
        step_world(self);
    }
    send_statuses(self);
    if (self->watcher != NULL) {
        self->watcher(self->watcher_context, self, input);
    }
}

bool hy_sim_give(hy_sim *self, int64_t now_us, const hy_sim_datagram *datagram,
                 hy_sim_refusal *refusal)
{
    hy_sim_datagram given = *datagram;
    if (self->air == NULL && given.board < self->board_count &&
        !hy_board_admits(self->boards[given.board].board, &given.peer, &given.bytes,
                         limit_arrival(given.at_us, now_us), &refusal->refused)) {
        return false;
    }
    hy_sim_step(self, &(hy_sim_input){ .now_us = now_us, .datagrams = &given, .datagram_count = 1 });
    return true;
}

void hy_sim_watch(hy_sim *self, hy_sim_watcher watcher, void *context)
{
    self->watcher = watcher;
    self->watcher_context = context;
}

// --------------------------------------------------------------------------- reading it

bool hy_sim_next_datagram(hy_sim *self, hy_sim_datagram *out)
{
    return sim_queue_take(self->queue, out);
}

uint64_t hy_sim_overflowed(const hy_sim *self)
{
    return self->queue->overflowed;
}

hy_sim_fault_counts hy_sim_faults(const hy_sim *self, size_t index)
{
    if (self->air == NULL) {
        return (hy_sim_fault_counts){ .reboots = 0 };
    }
    return (hy_sim_fault_counts){ self->air[index].to_robot.counters,
                                  self->air[index].from_robot.counters, self->reboots };
}

int64_t hy_sim_now_us(const hy_sim *self)
{
    return self->now_us;
}

uint64_t hy_sim_steps(const hy_sim *self)
{
    return hy_world_steps(world_of(self));
}

int64_t hy_sim_step_us(const hy_sim *self)
{
    return self->step_us;
}

double hy_sim_simulated_s(const hy_sim *self)
{
    return (double)hy_sim_steps(self) * (double)self->step_us * 1e-6;
}

hy_truth hy_sim_truth(const hy_sim *self, size_t index)
{
    return hy_world_truth(self->model, world_of(self), index);
}

static void hash_boards(const hy_sim *self, hy_hash *hash)
{
    hy_hash_u64(hash,
                self->match != NULL ? hy_match_hash(self->match) : hy_world_hash(self->own_world));
    for (size_t i = 0; i < self->board_count; i++) {
        see_floor(self, &self->boards[i]);
        hy_hash_u64(hash, hy_board_hash(self->boards[i].board));
    }
}

static void hash_air(const hy_sim *self, hy_hash *hash)
{
    for (size_t i = 0; i < self->board_count && self->air != NULL; i++) {
        sim_air_hash(&self->air[i], hash);
    }
}

uint64_t hy_sim_hash(const hy_sim *self)
{
    hy_hash hash = hy_hash_start();
    hash_boards(self, &hash);
    sim_queue_hash(self->queue, &hash);
    hash_air(self, &hash);
    return hash.value;
}

uint64_t hy_sim_state_hash(const hy_sim *self)
{
    hy_hash hash = hy_hash_start();
    hash_boards(self, &hash);
    hash_air(self, &hash);
    return hash.value;
}

const hy_world_model *hy_sim_model(const hy_sim *self)
{
    return self->model;
}

const hy_world_state *hy_sim_world(const hy_sim *self)
{
    return world_of(self);
}

const hy_match *hy_sim_match(const hy_sim *self)
{
    return self->match;
}

const hy_match_model *hy_sim_match_model(const hy_sim *self)
{
    return self->match_model;
}

double hy_sim_match_s(const hy_sim *self)
{
    return self->match == NULL ? 0.0 : self->match_s > 0.0 ? self->match_s : HY_MATCH_SECONDS;
}

size_t hy_sim_boards(const hy_sim *self)
{
    return self->board_count;
}

const hy_board *hy_sim_board_at(const hy_sim *self, size_t index)
{
    assert(index < self->board_count);
    return self->boards[index].board;
}

size_t hy_sim_board_vehicle(const hy_sim *self, size_t index)
{
    assert(index < self->board_count);
    return self->boards[index].vehicle;
}
