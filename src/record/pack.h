/// @file pack.h
/// Bytes without their zeros, of which the inputs of a simulation have many: SPEC recording.
#ifndef HY_RECORD_PACK_H
#define HY_RECORD_PACK_H

#include <halyard/base.h>

#define RECORD_PACK_GROUP 8 ///< Bytes that one byte of bits stands before.

/// Most bytes that `size` bytes can become.
#define RECORD_PACKED_MAX(size) ((size) + ((size) + RECORD_PACK_GROUP - 1) / RECORD_PACK_GROUP)

/// Packs into `out`, which has room for RECORD_PACKED_MAX(bytes.size). Returns the packed size. O(size).
size_t record_pack(hy_bytes bytes, uint8_t *out);

/// The reverse, with zeros up to a whole number of groups. False: it is not what record_pack() writes, or `room` is too small.
bool record_unpack(hy_bytes packed, hy_room room, size_t *size);

#endif
