/// @file record_series.h
/// The numbers in a log file (WPILOG) over time, to be plotted: every channel, of any program. No
/// file is opened here.
///
///     static size_t read_first(hy_bytes file, hy_scene_sample *samples, size_t room)
///     {
///         hy_series *series;
///         if (hy_series_open(file, &series) != HY_OK) { return 0; }
///         hy_scene_series one = { .channel = 0, .samples = samples, .room = room };
///         if (hy_series_count(series) > 0) { hy_series_read(series, 0, 60, &one, 1); }
///         hy_series_close(series);
///         return one.count;
///     }
#ifndef HALYARD_RECORD_SERIES_H
#define HALYARD_RECORD_SERIES_H

#include "scene/scene.h"

#define HY_SERIES_CHANNELS 4096 ///< Most numbers that are listed.
#define HY_SERIES_REQUESTS 8    ///< Most numbers that are read at a time.

/// What of a log file can be plotted.
typedef struct hy_series hy_series;

/// Lists the numbers of a log file: values of numeric channels, elements of arrays as many as the
/// first value has (at most 32), and members of structs. Their names are those of `halyard replay
/// --export csv`. Also hy_scene_truth() of the first robot, whose start is its first recorded pose.
/// HY_OK, HY_EFORMAT (it is no log file) or HY_EMEMORY; `*out` is NULL then. `file` must stay. A
/// damaged file is read as far as it goes. O(size of the file). Any bytes will do.
hy_status hy_series_open(hy_bytes file, hy_series **out);
void hy_series_close(hy_series *self); ///< NULL is harmless.

size_t hy_series_count(const hy_series *self); ///< Numbers that can be plotted.

/// The name of each, hy_series_count() of them; the series'.
const char *const *hy_series_names(const hy_series *self);

/// Reads the values from `from_s` to `to_s` of the file's time; a channel that there is not has
/// none. Of more values than a request has room for, the lowest and the highest of each of room /
/// 2 equal parts of the time are kept. At most HY_SERIES_REQUESTS. O(size of the part of the file
/// with that time). No allocation.
void hy_series_read(const hy_series *self, double from_s, double to_s, hy_scene_series *requests,
                    size_t count);

/// Of a request: the part of the time whose lowest and highest value are being looked for.
typedef struct {
    double from_s, part_s;
    double part;  ///< Its number; -1: none yet.
    size_t first; ///< Where its one or two samples begin.
} hy_series_thinning;

/// hy_series_read() in pieces, for those who have other things to do meanwhile.
typedef struct {
    // Private.
    const hy_series *series;
    double from_s, to_s;
    hy_scene_series *requests[HY_SERIES_REQUESTS];
    hy_series_thinning thin[HY_SERIES_REQUESTS];
    size_t count, point;
} hy_series_reading;

/// Begins to read that part of the time: for hy_series_reading_add(), then
/// hy_series_reading_go_on(). Nothing is allocated. O(1).
void hy_series_reading_init(hy_series_reading *self, const hy_series *series, double from_s,
                            double to_s);

/// Adds what is read; it must stay. At most HY_SERIES_REQUESTS, before anything is read. O(1).
void hy_series_reading_add(hy_series_reading *self, hy_scene_series *request);

/// Reads about `most_bytes` of the file, at least 16 KB. False: that was the last of it, and the
/// requests have their values.
bool hy_series_reading_go_on(hy_series_reading *self, size_t most_bytes);

#endif
