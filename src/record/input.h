/// @file input.h
/// An input of a simulation as a recording has it: SPEC recording.
#ifndef HY_RECORD_INPUT_H
#define HY_RECORD_INPUT_H

#include <halyard/sim.h>

#include "channels.h"
#include "pack.h"

/// What an input that was read points to.
typedef struct {
    hy_sim_lists lists;
    uint8_t unpacked[RECORD_INPUT_MAX + RECORD_PACK_GROUP]; // with its head
} record_input_room;

/// Reads the value of a record, packed or not. False: it was altered. The input is valid until the record or the room is.
bool record_input_read(hy_bytes value, bool is_packed, record_input_room *room, hy_sim_input *input,
                       uint64_t *number);

#endif
