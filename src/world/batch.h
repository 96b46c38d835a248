/// @file batch.h
/// For tests and measurements: a batch on a path of their choice.
#ifndef HY_WORLD_BATCH_H
#define HY_WORLD_BATCH_H

#include "lanes/xrp_lanes.h"

#include <halyard/world.h>

/// hy_world_batch_open() on that path, which the processor must have; NULL: one by one.
hy_status hy_batch_open(const hy_world_model *model, const uint64_t *seeds, size_t count,
                        const hy_xrp_path *path, hy_world_batch **batch);

#endif
