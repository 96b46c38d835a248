/// @file sonar.h
/// A rangefinder as it really is: it loses echoes, is disturbed by motors, and waits for its echo. docs/spec/robot.md has the figures.
#ifndef HY_WORLD_SONAR_H
#define HY_WORLD_SONAR_H

#include "state.h"

/// Measures if the last measurement is over: the reading of the wired range sensor. For a vehicle whose model has a sonar.
void hy_sonar_sense(const hy_world_model *model, hy_world_state *state, size_t index);

/// Whether the last measurement is over at the end of step `steps`.
bool hy_sonar_is_due(const hy_world_model *model, const hy_sonar_state *sonar, uint64_t steps);

/// The reading of one that is due for an echo at `heard_m`, `far_m` of its range if none comes. `runs`: a wheel's motor is driven.
double hy_sonar_read(const hy_vehicle_model *vehicle, hy_sonar_state *sonar, double heard_m,
                     bool runs, hy_random *random);

#endif
