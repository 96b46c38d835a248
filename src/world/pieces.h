/// @file pieces.h
/// Game pieces: balls that roll, are taken in, carried, thrown into goals and fall.
#ifndef HY_WORLD_PIECES_H
#define HY_WORLD_PIECES_H

#include "state.h"

/// Puts all pieces where they lie at the start.
void hy_pieces_reset(const hy_world_model *model, hy_world_state *state);

/// Before the engine's step: what rolls loses speed.
void hy_pieces_roll(const hy_world_model *model, hy_world_state *state);

/// After it: what intakes, tubes and goals do to pieces, and how high they are.
void hy_pieces_settle(const hy_world_model *model, hy_world_state *state);

/// Puts one piece somewhere, free.
void hy_piece_put(const hy_world_model *model, hy_world_state *state, size_t index,
                  const hy_piece_state *piece);

#endif
