/// @file start.h
/// SPEC recording: the channels of a recorded simulation, and what stands in front of its first input.
#ifndef HY_RECORD_START_H
#define HY_RECORD_START_H

#include <halyard/telemetry.h>

#define RECORD_VERSION_MAX 64

/// Zero-initialised is ready; end it with record_start_free().
typedef struct {
    uint32_t version_entry, setup_entry, input_entry, plain_entry, hash_entry; // 0: not started
    char version[RECORD_VERSION_MAX]; ///< Of the library that recorded it, as printable text; "": not there yet.
    uint8_t *setup;                   ///< Its parts, joined; NULL: not there yet.
    size_t setup_size;
} record_start;

/// What a record is to a recorded simulation.
typedef enum {
    RECORD_OTHER,         ///< Nothing, or taken in.
    RECORD_SETUP_REFUSED, ///< A part of the setup that is too large, or memory is used up.
    RECORD_INPUT,         ///< An input without its zero bytes (pack.h).
    RECORD_PLAIN_INPUT,   ///< An input as it is.
    RECORD_HASH,          ///< A hash of the state.
} record_kind;

/// What a record is, by the channels that were started. Never RECORD_SETUP_REFUSED. O(1).
record_kind record_start_kind(const record_start *self, const hy_wpilog_record *record);

/// Takes in the start of a channel, the version or a part of the setup; otherwise as record_start_kind(). O(its size).
record_kind record_start_take(record_start *self, const hy_wpilog_record *record);

/// Frees the setup.
void record_start_free(record_start *self);

#endif
