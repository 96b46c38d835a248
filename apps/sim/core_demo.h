/// @file core_demo.h
/// A core that plays by itself: collects balls and brings them to its alliance's goal, steering by the pose that the sim
/// tells.
#ifndef HALYARD_APPS_CORE_DEMO_H
#define HALYARD_APPS_CORE_DEMO_H

#include <halyard/core.h>

typedef enum {
    DEMO_AHEAD,    ///< To a point, nose first, intakes running.
    DEMO_BACKWARD, ///< To a point, tube first; intakes running as well.
    DEMO_UNLOAD,   ///< Stand, with the tube running.
    DEMO_REST,     ///< Stand, for ever.
} demo_what;

typedef struct {
    demo_what what;
    double x_m,
        y_m; ///< The point, for a blue robot; a red one has it mirrored through the field's middle.
    double near_m; ///< So near is there.
} demo_stage;

/// One ball, from where player 1 or 2 starts.
extern const demo_stage core_demo_one_ball[];

/// Set `stages`, which end with DEMO_REST; everything else zero is before the start.
typedef struct {
    const demo_stage *stages;
    // Private.
    size_t stage;
    int64_t since_us; // of the stage
    bool mirrored;    // red
    bool placed;
    double theta_rad, rate_rad_s; // the newest heading, and how fast it changes
    int64_t theta_us;
} core_demo;

/// What to do now: drive, intakes and tube; the buttons are the joystick's.
hy_icd_commands core_demo_drive(core_demo *self, const hy_core_input *in);

/// Whether it rests.
bool core_demo_is_over(const core_demo *self);

#endif
