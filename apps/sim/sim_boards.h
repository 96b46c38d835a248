/// @file sim_boards.h
/// Robots with a protocol of their own in a match: each is a virtual board on its own UDP port, tied to an extra vehicle of the
/// match's world.
#ifndef HALYARD_APPS_SIM_BOARDS_H
#define HALYARD_APPS_SIM_BOARDS_H

#include <halyard/board.h>
#include <halyard/icd.h>
#include <halyard/sim.h>

#include "host/host_boards.h"

#define SIM_BOARDS_MAX HY_HOST_BOARDS_MAX

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
    hy_host_boards ports; ///< Their links are to be watched by the caller's loop.
    const hy_board_kind *kind[SIM_BOARDS_MAX];
} sim_boards;

/// The boards in the simulation of a match whose extra vehicles are those of `plans`.
void sim_boards_fill(const sim_board_plan *plans, size_t count, const hy_match_model *model,
                     hy_sim_board out[SIM_BOARDS_MAX]);

/// Opens the boards' ports, which hy_host_boards_close() closes. False with a sentence printed.
bool sim_boards_open(sim_boards *self, const char *command, const sim_board_plan *plans,
                     size_t count);

/// What a view may be told of them.
void sim_boards_tell(const sim_boards *self, const hy_match_model *model, const hy_sim *sim,
                     hy_icd_status *status);

#endif
