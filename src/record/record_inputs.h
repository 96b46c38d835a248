/// @file record_inputs.h
/// What a recorded simulation (record_sim.h) was started with and was given, step by step: for
/// those who run it again with something changed. replay.h runs it again as it was.
///
///     static void run_again(hy_record_inputs *inputs, hy_sim *sim)
///     {
///         hy_sim_input input;
///         while (hy_record_inputs_next(inputs, &input)) {
///             for (hy_sim_datagram unread; hy_sim_next_datagram(sim, &unread);) { }
///             hy_sim_step(sim, &input);
///         }
///     }
#ifndef HALYARD_RECORD_INPUTS_H
#define HALYARD_RECORD_INPUTS_H

#include "sim/sim_setup.h"

typedef struct hy_record_inputs hy_record_inputs;

/// Reads the start of the recording in `file`, the bytes of a whole file, which must stay. HY_OK;
/// or `*out` is NULL and `error` has a sentence: HY_EFORMAT (it is no such recording, or of another
/// version of Halyard), HY_ERANGE, HY_EMEMORY. Any bytes will do. Close it with
/// hy_record_inputs_close().
hy_status hy_record_inputs_open(hy_bytes file, hy_record_inputs **out, hy_world_error *error);
void hy_record_inputs_close(hy_record_inputs *self); ///< NULL is harmless.

/// What it was started with. The object's.
const hy_sim_setup *hy_record_inputs_setup(const hy_record_inputs *self);

/// The next input; false at the end, or before one that was lost, altered or cut. Valid until the
/// next call. O(size of the input).
bool hy_record_inputs_next(hy_record_inputs *self, hy_sim_input *input);

/// Begins with the first input again.
void hy_record_inputs_rewind(hy_record_inputs *self);

/// After the last input: where and why the inputs end before the file does, a clause; "" if they do
/// not. The object's.
const char *hy_record_inputs_damage(const hy_record_inputs *self);

#endif
