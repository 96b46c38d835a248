/// @file substeps.h
/// How near a vehicle is to what it may touch, and into how many substeps the engine must cut a step for that.
#ifndef HY_WORLD_SUBSTEPS_H
#define HY_WORLD_SUBSTEPS_H

#include "state.h"

/// At most the gap between a vehicle's outline, at `pose`, and the nearest edge of walls and obstacles. O(edges).
double hy_gap_to_edges(const hy_world_model *model, size_t index, const hy_pose *pose);

/// The engine sees a contact once a step, and by then fast bodies would lie deep in each other. Where
/// something fast is about to hit something, the step is cut into as many substeps as keep that to
/// about a centimetre. 1 in almost all steps. `before`: the vehicles at the step's beginning.
int hy_substeps(const hy_world_model *model, hy_world_state *state, const hy_engine_body *before);

#endif
