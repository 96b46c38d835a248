/// @file record_phantoms.h
/// Earlier runs beside the living one: where the robots of up to ten recordings were, the same time
/// after their start as the living robot is after its own, and how far ahead of them or behind them
/// it is. No file is opened here and no clock is read.
///
///     static hy_phantoms *start(hy_bytes file, hy_scene *scene)
///     {
///         hy_phantoms *phantoms;
///         hy_world_error error;
///         if (hy_phantoms_open(&phantoms) == HY_OK &&
///             hy_phantoms_add(phantoms, "best", file, scene, &error) == HY_OK) {
///             hy_phantoms_show(phantoms, scene); // before the scene is shown
///         }
///         return phantoms;
///     }
///
///     static void step(hy_phantoms *phantoms, const hy_phantoms_living *robot,
///                      hy_scene_state *state)
///     {
///         hy_phantoms_move(phantoms, robot); // after every step
///         hy_phantoms_put(phantoms, state);  // before a state is shown
///     }
#ifndef HALYARD_RECORD_PHANTOMS_H
#define HALYARD_RECORD_PHANTOMS_H

#include "scene/scene.h"

#define HY_PHANTOMS_MAX  10  ///< Most recordings.
#define HY_PHANTOMS_LAPS 100 ///< Most laps of a run that are kept.

typedef struct hy_phantoms hy_phantoms;

/// The robot that races against the phantoms: the first one of the scene.
typedef struct {
    double t_s;                   ///< Simulated time.
    double x_m, y_m, heading_rad; ///< In the frame of the scene.
    /// A board's robot is enabled; the clock of a match runs. Where that begins the run starts; it
    /// goes on after an interruption of up to a second.
    bool is_running;
} hy_phantoms_living;

/// Without phantoms. HY_OK, or HY_EMEMORY and `*out` is NULL. End it with hy_phantoms_close().
hy_status hy_phantoms_open(hy_phantoms **out);
void hy_phantoms_close(hy_phantoms *self); ///< NULL is harmless.

#define HY_PHANTOMS_NAME 64 ///< Bytes of a name, with its NUL.

/// Adds the first robot of the recording in `file`, the bytes of a whole file, which are not needed
/// any more afterwards. `name` is copied, at most 63 bytes of it. HY_OK: `error` is then "" or one
/// sentence about what of the file cannot be read. Otherwise `error` has a sentence: HY_EFORMAT (it
/// is no recording of a simulation), HY_ERANGE (of another world than `scene`), HY_EFULL
/// (HY_PHANTOMS_MAX are there), HY_EMEMORY. Costs hy_playback_open() and a state for every 20 ms.
hy_status hy_phantoms_add(hy_phantoms *self, const char *name, hy_bytes file, const hy_scene *scene,
                          hy_world_error *error);

/// Adds names, times and looks of the phantoms to `scene`; they stay `self`'s.
void hy_phantoms_show(hy_phantoms *self, hy_scene *scene);

/// Where the living robot is now. Call it after every step, also while nobody looks: laps are
/// counted here. A robot that was put somewhere else, or a time that went back, ends its run.
/// O(phantoms), no allocation.
void hy_phantoms_move(hy_phantoms *self, const hy_phantoms_living *now);

/// Adds the phantoms and the living robot's run to `state`, as they were at the last
/// hy_phantoms_move(); they stay `self`'s. O(phantoms).
void hy_phantoms_put(hy_phantoms *self, hy_scene_state *state);

#endif
