/// @file writer.h
/// A message without its lidar points, and the places where they go.
#ifndef HY_ICD_WRITER_H
#define HY_ICD_WRITER_H

#include "fields.h"

/// Bytes of the longest lidar point with its comma.
#define HY_ICD_POINT_MAX 96

/// Puts state and points together in `room`, as many points from number `*from` on as fit.
/// Returns the size, or 0 if the state, or not one of the points that are left, fits.
size_t hy_icd_weave(const hy_json_text *state, size_t *from, hy_room room);

#endif
