/// @file pose_log.h
/// A log file that Halyard did not record, as pictures: robots where its poses say they are, on a plain floor.
#ifndef HY_RECORD_POSE_LOG_H
#define HY_RECORD_POSE_LOG_H

#include <halyard/telemetry.h>

#include "scene/scene.h"

typedef struct pose_log pose_log;

/// Poses are channels of the types struct:Pose2d and struct:Pose3d, and the double[] of a Field2d with one pose (x, y, degrees). HY_OK;
/// or `*out` is NULL and `error` has a sentence: HY_EFORMAT (no poses), HY_EMEMORY. `file` is a log file of any content, and must stay as
/// its times must: outliers are not shown.
hy_status pose_log_open(hy_bytes file, const hy_wpilog_times *times, pose_log **out,
                        hy_world_error *error);
void pose_log_close(pose_log *self); ///< NULL is harmless.

const char *pose_log_damage(const pose_log *self); ///< As hy_playback_damage(), without outliers.
double pose_log_start_s(const pose_log *self);     ///< What the file calls the moment 0.
const hy_scene *pose_log_scene(const pose_log *self);

/// As hy_playback_state().
hy_scene_state *pose_log_state(pose_log *self, double at_s);

#endif
