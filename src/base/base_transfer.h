/// @file base_transfer.h
/// Numbers of a byte form: the same code walks a struct to write it and to read it, and each function moves one number
/// between the struct and the bytes, in the direction that its cursor has, so that the two cannot differ.
#ifndef HALYARD_BASE_TRANSFER_H
#define HALYARD_BASE_TRANSFER_H

#include <halyard/base.h>

/// A place in the bytes.
typedef struct {
    bool reads;
    bool failed; ///< The room or the bytes are used up, or a value is not allowed.
    const uint8_t *from;
    uint8_t *to;
    size_t at, size;
} hy_transfer_cursor;

/// Whether `size` more bytes are there; sets `failed` if not.
bool hy_transfer_has_room(hy_transfer_cursor *c, size_t size);

/// `size` bytes, the lowest first. Returns the number that stands there now; 0 if it failed.
uint64_t hy_transfer_number(hy_transfer_cursor *c, uint64_t value, size_t size);

/// Always so many bytes.
void hy_transfer_fixed(hy_transfer_cursor *c, uint8_t *bytes, size_t size);

/// Eight bytes.
void hy_transfer_i64(hy_transfer_cursor *c, int64_t *value);
void hy_transfer_f64(hy_transfer_cursor *c, double *value);

/// The same; a value outside of `low` to `high`, or none at all, is not allowed.
void hy_transfer_i64_within(hy_transfer_cursor *c, int64_t *value, int64_t low, int64_t high);
void hy_transfer_f64_within(hy_transfer_cursor *c, double *value, double low, double high);

/// One byte of at most `most`.
unsigned hy_transfer_small(hy_transfer_cursor *c, unsigned value, unsigned most);
void hy_transfer_index(hy_transfer_cursor *c, size_t *index);
void hy_transfer_bool(hy_transfer_cursor *c, bool *value);

#endif
