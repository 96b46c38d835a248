/// @file sonar.h
/// A rangefinder as it really is: it loses echoes, is disturbed by motors, and waits for its echo. docs/spec/robot.md has the figures.
#ifndef HY_WORLD_SONAR_H
#define HY_WORLD_SONAR_H

#include "state.h"

/// Measures if the last measurement is over: the reading of the wired range sensor. For a vehicle whose model has a sonar.
void hy_sonar_sense(const hy_world_model *model, hy_world_state *state, size_t index);

#endif
