/// @file sim_script.h
/// Inputs of every kind for a simulation with an XRP as board 0 and perhaps a Teensy as board 1, drawn from a seed.
#ifndef HALYARD_TESTS_SIM_SCRIPT_H
#define HALYARD_TESTS_SIM_SCRIPT_H

#include <halyard/sim.h>
#include <halyard/wire.h>

#include <stdlib.h>
#include <string.h>

#define SIM_SCRIPT_STEP_US 10000

/// The inputs of one run; private but for `input`, which is valid until the next sim_script_next().
typedef struct {
    hy_sim_input input;
    hy_random random;
    size_t boards;
    hy_commander commander[2];
    int64_t due_us; // of the next step of the world
    hy_sim_lists lists;
    hy_wire_datagram bytes[HY_SIM_LIST_MAX];
    size_t count;
    bool has_pushes; ///< Set after the start: robots are pushed, too.
    unsigned pushed; ///< How many inputs had one.
} sim_script;

static inline void sim_script_start(sim_script *self, size_t boards, uint64_t seed)
{
    memset(self, 0, sizeof *self);
    self->random = hy_random_seeded(seed);
    self->boards = boards;
    self->due_us = SIM_SCRIPT_STEP_US;
    hy_commander_init(&self->commander[0], &hy_dialect_xrp);
    hy_commander_init(&self->commander[1], &hy_dialect_teensy);
}

static inline bool sim_script_happens(sim_script *self, uint32_t one_in)
{
    return hy_random_below(&self->random, one_in) == 0;
}

static inline double sim_script_share(sim_script *self)
{
    return hy_random_unit(&self->random) * 2 - 0.8;
}

static inline void sim_script_add(sim_script *self, size_t board, uint16_t port, int64_t at_us)
{
    hy_sim_datagram *const one = &self->lists.datagrams[self->count];
    *one = (hy_sim_datagram){ .board = board,
                              .peer = { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 }, .port = port },
                              .at_us = at_us,
                              .bytes = { self->bytes[self->count].data,
                                         self->bytes[self->count].size } };
    self->count++;
}

static inline void sim_script_command(sim_script *self, size_t board, int64_t at_us)
{
    hy_commander *const commander = &self->commander[board];
    (void)hy_commander_enable(commander);
    for (unsigned i = 0; i < HY_WIRE_MOTORS && sim_script_happens(self, 20); i++) {
        commander->command.motors |= (uint8_t)(1U << i);
        commander->command.motor[i] = (float)sim_script_share(self);
    }
    hy_wire_datagram out[2];
    const unsigned count = hy_commander_write(commander, at_us, out);
    for (unsigned i = 0; i < count; i++) {
        self->bytes[self->count] = out[i];
        sim_script_add(self, board, 5800, at_us);
    }
}

// One to ten bytes from a stranger: a probe, a command that is refused, or nonsense.
static inline void sim_script_stranger(sim_script *self, size_t board, int64_t at_us)
{
    hy_wire_datagram *const out = &self->bytes[self->count];
    out->size = 1 + hy_random_below(&self->random, 10);
    for (size_t i = 0; i < out->size; i++) {
        out->data[i] = (uint8_t)hy_random_bits(&self->random);
    }
    sim_script_add(self, board, 6000, at_us);
}

static inline void sim_script_fill_rest(sim_script *self, int64_t now_us)
{
    hy_sim_lists *const l = &self->lists;
    hy_sim_input *const in = &self->input;
    l->commands[0] =
        (hy_sim_command){ .player = 1 + hy_random_below(&self->random, 2), .at_us = now_us };
    l->commands[0].commands.left_drive = sim_script_share(self);
    l->commands[0].commands.right_drive = sim_script_share(self);
    l->commands[0].commands.intake_center = 1;
    in->command_count = sim_script_happens(self, 2);
    l->resets[0].vehicle = sim_script_happens(self, 2) ? HY_SIM_RESET_ALL : 0;
    in->reset_count = sim_script_happens(self, 400);
    l->buttons[0] = (hy_sim_button){ hy_random_below(&self->random, 9), sim_script_happens(self, 2) };
    in->button_count = sim_script_happens(self, 30);
    l->power_cycles[0].board = hy_random_below(&self->random, 3);
    in->power_cycle_count = sim_script_happens(self, 700);
    l->placements[0] = (hy_sim_placement){ .piece = hy_random_below(&self->random, 70),
                                           .x_m = sim_script_share(self),
                                           .vy_m_s = sim_script_share(self) };
    in->placement_count = sim_script_happens(self, 50);
    l->lidar_noises_m[0] = hy_random_unit(&self->random) * 0.05;
    in->lidar_noise_count = sim_script_happens(self, 200);
    l->board_changes[0] =
        (hy_sim_board_change){ hy_random_below(&self->random, 3),
                               sim_script_happens(self, 2) ? HY_ENCODER_LONG : HY_ENCODER_SHORT,
                               sim_script_happens(self, 2) };
    in->board_change_count = sim_script_happens(self, 900);
    if (self->has_pushes) {
        l->pushes[0].vehicle = hy_random_below(&self->random, 3);
        in->push_count = sim_script_happens(self, 50);
        self->pushed += (unsigned)in->push_count;
    }
}

/// The next input.
static inline const hy_sim_input *sim_script_next(sim_script *self)
{
    hy_sim_lists *const l = &self->lists;
    const bool steps = !sim_script_happens(self, 4);
    if (sim_script_happens(self, 500)) { // its host stalled
        self->due_us += 700000;
    }
    const int64_t now_us =
        steps ? self->due_us : self->due_us - 1 - (int64_t)hy_random_below(&self->random, 5000);
    self->due_us += steps ? SIM_SCRIPT_STEP_US : 0;
    self->count = 0;
    for (size_t board = 0; board < self->boards; board++) {
        if (sim_script_happens(self, 2)) {
            sim_script_command(self, board, now_us - 1);
        }
        if (sim_script_happens(self, 20)) {
            sim_script_stranger(self, board, now_us);
        }
    }
    self->input = (hy_sim_input){
        .now_us = now_us,
        .world_steps = steps,
        .datagrams = l->datagrams,
        .datagram_count = self->count,
        .commands = l->commands,
        .resets = l->resets,
        .buttons = l->buttons,
        .power_cycles = l->power_cycles,
        .placements = l->placements,
        .lidar_noises_m = l->lidar_noises_m,
        .board_changes = l->board_changes,
        .pushes = l->pushes,
    };
    sim_script_fill_rest(self, now_us);
    return &self->input;
}

#endif
