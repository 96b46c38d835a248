/// @file tracks.h
/// The values of one channel of a log file in the order of time, found by their time.
#ifndef HY_RECORD_TRACKS_H
#define HY_RECORD_TRACKS_H

#include <halyard/telemetry.h>
#include <halyard/world.h>

typedef struct {
    uint64_t at_us;
    uint64_t offset; // of its bytes in the file ...
    uint32_t size;   // ... and how many
} track_value;

/// All values of one channel. All zero is empty; end it with free(values).
typedef struct {
    uint32_t entry; // 0: the file does not have it
    track_value *values;
    size_t count, room;
} track;

/// Adds a value of `file`; one that is earlier than the last counts as of its time. False if memory is used up.
bool track_append(track *self, hy_bytes file, const hy_wpilog_record *record);

/// The newest value at `at_us`; without bytes if there is none. O(log(values)).
hy_bytes track_at(hy_bytes file, const track *of, uint64_t at_us);

/// Reads up to `most` doubles and returns how many; those that the value lacks stay as they are.
size_t track_doubles(hy_bytes value, double *out, size_t most);

/// Reads the value of a struct:Pose2d. False: it has another size, or a number that is not finite.
bool track_pose(hy_bytes value, hy_world_pose *out);

/// These leave `out` as it is if the value has another size.
void track_flag(hy_bytes value, bool *out);
void track_int(hy_bytes value, int *out);

#endif
