/// @file drive.h
/// Driving a robot, by keys or by a script: `halyard drive`.
#ifndef HALYARD_APPS_DRIVE_H
#define HALYARD_APPS_DRIVE_H

#include <halyard/robots.h>

#include "script.h"
#include "session.h"

typedef struct {
    const char *title;       ///< What the screen calls the robot: its URL.
    double max_effort;       ///< (0, 1].
    double duration_s;       ///< Ends after that long; 0 has no end.
    bool enable;             ///< Enables as soon as the robot answers, once.
    const script *script;    ///< NULL: none.
    const char *faults_text; ///< What is injected, for the screen; NULL: nothing.
    hy_faults_spec faults;
} drive_plan;

/// Drives from the terminal until somebody quits. What goes wrong is noted in the session.
void drive_by_keys(session *on, const drive_plan *plan);

/// Drives by the plan's script, or without one lets its duration pass. What goes wrong is noted in the session.
void drive_by_script(session *on, const drive_plan *plan);

/// The type of the robot that drive_virtual() brings: the first of the table.
const hy_robot_type *drive_virtual_type(void);

/// A virtual robot in its world: by keys, by the plan's script, for the plan's duration, or, with none of these, one lap that is
/// measured. Returns the exit status.
int drive_virtual(const drive_plan *plan, bool by_keys);

#endif
