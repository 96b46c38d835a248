/// @file kind.h
/// What a board consists of. The table in which one robot's firmware differs from another's is public:
/// halyard/board.h.
#ifndef HALYARD_BOARD_STATE_H
#define HALYARD_BOARD_STATE_H

#include <halyard/board.h>
#include <stddef.h>

#include "encoder.h"
#include "session.h"

struct hy_board {
    _Alignas(max_align_t) const hy_board_kind *kind; // so that what lies behind a board is aligned, too
    hy_board_options options;
    session session;
    int64_t now_us; // the newest time that it was given
    bool enabled;
    bool is_stopped; // hy_board_stop(): nothing enables it before its owner has disabled it
    hy_actuators actuators;
    encoder encoders[HY_WIRE_ENCODERS];
    bool button;
    void *own; // of the kind, behind the board
};

/// Obeys one block.
void board_obey_block(hy_board *self, const hy_block *block);

#endif
