/// @file replay_values.h
/// Private: the values that a program publishes in a replay, beside those that its recording has.
#ifndef PROGRAM_REPLAY_VALUES_H
#define PROGRAM_REPLAY_VALUES_H

#include <halyard/telemetry.h>

/// All zero is the start.
typedef struct {
    bool is_capturing; ///< The caller sets it while the program is called: values of others do not count.
    // Private.
    struct replay_entry *entries; // of the file, by their numbers
    struct replay_value *recorded, *published;
    uint8_t *bytes; // of what was published
    size_t entry_room, recorded_count, recorded_room, published_count, published_room, byte_count,
        byte_room;
    bool is_incomplete; // no memory: nothing is compared any more
} replay_values;

typedef enum { VALUES_EQUAL, VALUES_DIFFER, VALUES_UNKNOWN } replay_values_result;

/// A record of the file: an entry that begins, or a value.
void replay_values_take(replay_values *self, const hy_wpilog_record *record);

/// The sink for the program's telemetry.
hy_telemetry_sink replay_values_sink(replay_values *self);

/// A call has published what was captured; in the recording it published the newest `puts` values that were taken. VALUES_DIFFER
/// leaves what differs first in `text`; VALUES_UNKNOWN: not all of them are there.
replay_values_result replay_values_compare(const replay_values *self, uint32_t puts, hy_room text);

/// Forgets all values, for the next call.
void replay_values_clear(replay_values *self);

void replay_values_free(replay_values *self);

#endif
