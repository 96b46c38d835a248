/// @file haste.h
/// Into how many parts the engine must cut a step.
#ifndef HY_WORLD_HASTE_H
#define HY_WORLD_HASTE_H

#include "state.h"

/// The engine sees a contact once a step, and by then fast bodies would lie deep in each other. Where
/// something fast is about to hit something, the step is cut into as many parts as keep that to
/// about a centimetre. 1 in almost all steps. `before`: the vehicles at the step's beginning.
int hy_haste(const hy_world_model *model, hy_world_state *state, const hy_engine_body *before);

#endif
