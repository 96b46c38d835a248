/// @file record_playback.h
/// A recording of a simulation as pictures: the scene, and the state at any moment, from the values
/// that were recorded. Nothing is simulated, so that any moment costs the same. No file is opened
/// here and no clock is read.
///
///     static void show(hy_playback *playback, hy_text *text)
///     {
///         hy_scene_write(text, hy_playback_scene(playback));
///         hy_scene_write_state(text, hy_playback_state(playback, 12.5)); // at 12.5 s
///     }
#ifndef HALYARD_RECORD_PLAYBACK_H
#define HALYARD_RECORD_PLAYBACK_H

#include <halyard/sim.h>

#include "record_series.h"
#include "scene/scene.h"

typedef struct hy_playback hy_playback;

/// Indexes the recording in `file`, the bytes of a whole file, which must stay. Of a log of another
/// program its poses are shown. HY_OK; or `*out` is NULL and `error` has a sentence: HY_EFORMAT (it
/// is no recording that this program can show, and has no poses), HY_EMEMORY. A file that is cut or
/// damaged is indexed as far as it goes. O(size); its index takes about a hundredth of it. Any
/// bytes will do. Close it with hy_playback_close().
hy_status hy_playback_open(hy_bytes file, hy_playback **out, hy_world_error *error);

/// A recording, and the index that was made of it earlier.
typedef struct {
    hy_bytes file;
    /// As hy_playback_index() made it, from wherever it was kept; only read. Without bytes, or if
    /// it is damaged, or of another file or version: a new one is made.
    hy_bytes index;
    uint64_t changed; ///< When the file was changed last, in any unit: an older index is not used.
} hy_playback_source;

/// hy_playback_open() without reading the whole file, if the index is of this file. Any bytes will
/// do for both.
hy_status hy_playback_open_source(const hy_playback_source *source, hy_playback **out,
                                  hy_world_error *error);

/// Whether the index of the source was used. O(1).
bool hy_playback_is_indexed(const hy_playback *self);

/// The index, to be kept for the next time, for the caller to free(); `changed` as in the source.
/// Without bytes: there is no memory, or it is a log of another program. O(its size).
hy_bytes hy_playback_index(hy_playback *self, uint64_t changed);
void hy_playback_close(hy_playback *self); ///< NULL is harmless.

/// One sentence on what of the file cannot be read, with its offset; "" if all of it was. The
/// playback's.
const char *hy_playback_damage(const hy_playback *self);

/// The time that the file gives the playback's moment 0: 0 in a recording of a simulation, the time
/// of the first pose in a log of another program. O(1).
double hy_playback_start_s(const hy_playback *self);

/// The numbers in the file, to be plotted: hy_series_open() without another pass over the file.
/// NULL: a log of another program, and not enough memory. The playback's. O(1).
const hy_series *hy_playback_series(const hy_playback *self);

/// The scene, with the recording's length and events; no page can drive its robots. The playback's.
const hy_scene *hy_playback_scene(const hy_playback *self);

/// The state at `at_s`, limited to the recording's length; the caller sets `t_s` and `pace`.
/// Valid until the next call. O(log(size of the file) + robots and pieces), and reads a ten
/// thousandth of the file. No allocation.
hy_scene_state *hy_playback_state(hy_playback *self, double at_s);

#endif
