/// @file sim_boards.h
/// Robots with a protocol of their own in a match: each is a virtual board on its own UDP port, tied to a guest of the
/// match's world.
#ifndef HALYARD_APPS_SIM_BOARDS_H
#define HALYARD_APPS_SIM_BOARDS_H

#include <halyard/board.h>
#include <halyard/icd.h>
#include <halyard/link.h>
#include <halyard/sim.h>

#define SIM_BOARDS_MAX 2 ///< What a world has room for beside six players.

typedef struct {
    const hy_board_kind *kind;
    hy_endpoint listen;
    double x_m, y_m, heading_rad; ///< Where it starts, in the field's frame.
} sim_board_plan;

/// Reads "ROBOT@ADDR:PORT", where ROBOT is of the table of robots, with ",X,Y" or ",X,Y,DEGREES" behind it for a place; the `index`-th board has
/// a place of its own otherwise. False with a sentence printed for `command`.
bool sim_board_read(const char *command, const char *text, size_t index, sim_board_plan *out);

/// Adds its vehicle to the match's world; `traits` are those of all XRPs in it, NULL: as the world's file has them. False if there is no room.
bool sim_board_add_vehicle(const sim_board_plan *plan, const hy_robot_traits *traits,
                           hy_match_spec *spec);

typedef struct {
    size_t count;
    struct {
        const hy_board_kind *kind;
        hy_link link;        ///< To be watched by the caller's loop.
        uint64_t overflowed; // datagrams that the system lost, as far as the board knows
    } at[SIM_BOARDS_MAX];
    const char *command; // private
} sim_boards;

/// The boards in the simulation of a match whose guests are those of `plans`.
void sim_boards_fill(const sim_board_plan *plans, size_t count, const hy_match_model *model,
                     hy_sim_board out[SIM_BOARDS_MAX]);

/// Opens the boards' ports. False with a sentence printed.
bool sim_boards_open(sim_boards *self, const char *command, const sim_board_plan *plans,
                     size_t count);
void sim_boards_close(sim_boards *self);

/// Gives the simulation, at `now_us` of its time, what has come to every board, and sends what they answer. Its time 0 was at `start_us`. More may
/// wait: false if nothing has come.
bool sim_boards_receive(sim_boards *self, hy_sim *sim, int64_t now_us, int64_t start_us);

/// Sends what the boards have to send.
void sim_boards_send(sim_boards *self, hy_sim *sim);

/// What a view may be told of them.
void sim_boards_tell(const sim_boards *self, const hy_match_model *model, const hy_sim *sim,
                     hy_icd_status *status);

#endif
