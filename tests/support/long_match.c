#include "long_match.h"

#include <halyard/wire.h>

#include <stdio.h>
#include <stdlib.h>

#include "record/record_sim.h"

#define CHANGE_STEPS 40 // after so many steps the players choose other speeds

// --------------------------------------------------------------------------- the match

// What drives it.
typedef struct {
    hy_random random;
    hy_commander commander[LONG_MATCH_BOARDS];
    hy_sim_command commands[LONG_MATCH_PLAYERS];
    hy_wire_datagram bytes[2 * LONG_MATCH_BOARDS];
    hy_sim_datagram datagrams[2 * LONG_MATCH_BOARDS];
    size_t board_count;
} driver;

static double choose(driver *self)
{
    return hy_random_unit(&self->random) * 2 - 0.8; // forwards more often than back
}

static void choose_all(driver *self, unsigned step)
{
    for (unsigned i = 0; i < LONG_MATCH_PLAYERS && step % CHANGE_STEPS == 0; i++) {
        hy_match_commands *const commands = &self->commands[i].commands;
        *commands = (hy_match_commands){ .left_drive = choose(self), .right_drive = choose(self) };
        commands->intake_center = 1.0;
        commands->timer_start_stop = step == CHANGE_STEPS && i == 0; // starts the match
    }
    for (unsigned board = 0; board < self->board_count && step % CHANGE_STEPS == 0; board++) {
        hy_wire_command *const command = &self->commander[board].command;
        command->motors = 3;
        command->motor[0] = (float)choose(self);
        command->motor[1] = (float)choose(self);
    }
}

static hy_sim_input next_input(driver *self, unsigned step)
{
    const int64_t now_us = (int64_t)(step + 1) * LONG_MATCH_STEP_US;
    choose_all(self, step);
    size_t count = 0;
    for (unsigned i = 0; i < LONG_MATCH_PLAYERS; i++) {
        self->commands[i].player = i + 1;
        self->commands[i].at_us = now_us - 1;
    }
    for (unsigned board = 0; board < self->board_count; board++) {
        (void)hy_commander_enable(&self->commander[board]);
        const unsigned written =
            hy_commander_write(&self->commander[board], now_us - 1, &self->bytes[count]);
        for (unsigned i = 0; i < written; i++, count++) {
            self->datagrams[count] =
                (hy_sim_datagram){ .board = board,
                                   .peer = { .ip = { HY_IPV4_PREFIX, 127, 0, 0, 1 }, .port = 5800 },
                                   .at_us = now_us - 1,
                                   .bytes = { self->bytes[count].data, self->bytes[count].size } };
        }
    }
    return (hy_sim_input){ .now_us = now_us,
                           .world_steps = 1,
                           .commands = self->commands,
                           .command_count = LONG_MATCH_PLAYERS,
                           .datagrams = self->datagrams,
                           .datagram_count = count };
}

static bool drive(hy_sim *sim, hy_sim_record *recording, double seconds, size_t boards)
{
    driver *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        return false;
    }
    self->random = hy_random_seeded(8);
    self->board_count = boards;
    hy_commander_init(&self->commander[0], &hy_dialect_xrp);
    hy_commander_init(&self->commander[1], &hy_dialect_teensy);
    for (unsigned step = 0; (double)step * LONG_MATCH_STEP_US < seconds * 1e6; step++) {
        const hy_sim_input input = next_input(self, step);
        hy_sim_step(sim, &input);
        for (hy_sim_datagram unread; hy_sim_next_datagram(sim, &unread);) {
        }
        hy_sim_record_step(recording, sim);
    }
    free(self);
    return true;
}

bool record_long_match(const hy_match_model *model, const char *path, double seconds, size_t boards)
{
    const hy_sim_board both[LONG_MATCH_BOARDS] = {
        { hy_match_extra_vehicle(model, 0), { .kind = &hy_board_xrp_beta } },
        { hy_match_extra_vehicle(model, 1), { .kind = &hy_board_teensy } }
    };
    const hy_sim_setup setup = {
        .match = model, .boards = both, .board_count = boards, .seed = 3, .match_s = seconds
    };
    const hy_record_options options = { .path = path, .overwrite = true, .waits = true };
    static hy_sim_record recording;
    hy_record_error why = { "" };
    hy_world_error error;
    hy_sim *sim = NULL;
    if (hy_sim_open(&setup, &sim, &error) != HY_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
        return false;
    }
    bool is_recorded = hy_sim_record_open(&recording, &options, sim, &why) == HY_OK;
    if (is_recorded) {
        hy_sim_watch(sim, hy_sim_record_input, &recording);
        is_recorded = drive(sim, &recording, seconds, boards);
        is_recorded = hy_sim_record_close(&recording, &why) == HY_OK && is_recorded;
    }
    (void)fprintf(stderr, "%s", why.text);
    hy_sim_close(sim);
    return is_recorded;
}
