/// @file sim_setup.h
/// The byte form of a simulation's setup (docs/spec/sim.md): its world or match, boards, faults and
/// seed. With the inputs of all steps, which have a byte form too (sim.h), it is all that is needed
/// to run a simulation again.
///
///     static hy_sim *start_again(hy_bytes bytes, hy_sim_stored *stored)
///     {
///         hy_sim *sim = NULL;
///         hy_world_error error;
///         if (hy_sim_stored_read(stored, bytes, &error) != HY_OK ||
///             hy_sim_open(&stored->setup, &sim, &error) != HY_OK) {
///             puts(error.text);
///         }
///         return sim; // end it before hy_sim_stored_free()
///     }
#ifndef HALYARD_SIM_SETUP_H
#define HALYARD_SIM_SETUP_H

#include <halyard/sim.h>

#define HY_SIM_SETUP_VERSION 1 ///< docs/spec/sim.md

/// Writes `setup` into `room`. Returns how many bytes it has, also if the room is too small: its
/// content is then undefined. 0: a board is of no type in the table of robots (robots.h). O(size).
size_t hy_sim_setup_write(const hy_sim_setup *setup, hy_room room);

/// A setup that was read, and what it points to.
typedef struct {
    hy_sim_setup setup; ///< Valid until hy_sim_stored_free().
    // Private.
    hy_world_model *world;
    hy_match_model *match;
    hy_sim_board boards[HY_SIM_BOARDS];
    hy_faults_spec faults;
} hy_sim_stored;

/// Reads a setup from exactly these bytes and compiles its world. HY_OK; or `self` is all zero and
/// `error` says why: HY_EFORMAT (cut, malformed, of another version, or with a robot that this
/// program does not know), HY_ERANGE (hy_world_compile()), HY_EMEMORY. Safe with hostile bytes.
hy_status hy_sim_stored_read(hy_sim_stored *self, hy_bytes bytes, hy_world_error *error);

/// Frees what it points to. All zero is harmless.
void hy_sim_stored_free(hy_sim_stored *self);

#endif
