/// @file writer.h
/// A message without its lidar points, and the places where they go.
#ifndef HY_ICD_WRITER_H
#define HY_ICD_WRITER_H

#include "fields.h"

/// Room for the longest state: 6 vehicles, 64 pieces and all texts escaped take 12 kB.
#define HY_ICD_STATE_MAX 16384

/// Bytes of the longest lidar point with its comma.
#define HY_ICD_POINT_MAX 96

typedef struct {
    hy_icd_lidar lidar;
    size_t at;     ///< Where in the text its points go.
    bool is_sweep; ///< They are objects, not lists.
} hy_icd_gap;

typedef struct {
    uint8_t text[HY_ICD_STATE_MAX];
    size_t size;
    hy_icd_gap gaps[HY_ICD_PLAYERS];
    size_t gap_count;
} hy_icd_state;

/// Writes `from`, a struct that `record` describes, into `state`. `when` has the bits of what is wanted.
void hy_icd_put_state(hy_icd_state *state, const hy_icd_record *record, const void *from,
                      unsigned when);

/// Puts state and points together in `room`, as many points from number `*from` on as fit.
/// Returns the size, or 0 if the state, or not one of the points that are left, fits.
size_t hy_icd_weave(const hy_icd_state *state, size_t *from, hy_room room);

#endif
