/// @file world_batch.h
/// Many worlds of one model, with one robot in each, that take their steps together: for sweeps
/// over seeds and parameters of a controller, and for learning. Each gives, bit for bit, what
/// hy_world_step() gives a world of its own with that seed and those inputs. XRPs with nothing
/// but their wired sensors, on a floor without regions, are computed several at once in the
/// processor's vectors; all others one by one.
///
///     static double mean_distance(const hy_world_model *model, const uint64_t seeds[100])
///     {
///         hy_world_batch *batch;
///         if (hy_world_batch_start(model, seeds, 100, &batch) != HY_OK) { return -1; }
///         const hy_actuators drive = { .motor_duty = { 0.5, -0.5 } };
///         for (size_t i = 0; i < 100; i++) { hy_world_batch_set(batch, i, &drive, false); }
///         for (int step = 0; step < 1000; step++) { hy_world_batch_step(batch); }
///         double sum = 0;
///         for (size_t i = 0; i < 100; i++) { sum += hy_world_batch_pose(batch, i).x_m; }
///         hy_world_batch_end(batch);
///         return sum / 100;
///     }
#ifndef HALYARD_WORLD_BATCH_H
#define HALYARD_WORLD_BATCH_H

#include <halyard/world.h>

HY_API_BEGIN

/// Worlds that take their steps together; to be used by one thread at a time.
typedef struct hy_world_batch hy_world_batch;

/// Most worlds of one batch.
#define HY_WORLD_BATCH_MAX 1000000

/// Starts `count` worlds (1 to HY_WORLD_BATCH_MAX) at step 0, all motors off; `seeds[i]` feeds
/// the noise of world i. HY_OK, or `*batch` is NULL: HY_ERANGE (`count`; a model with more than
/// one vehicle, with game pieces, lidars or other sensors that are not wired, or with a floor
/// whose edge is no rectangle), HY_EMEMORY, or HY_EFULL (hy_world_open()). Needs about 1.5 kB a
/// world. The model must outlive the batch. O(count).
hy_status hy_world_batch_start(const hy_world_model *model, const uint64_t *seeds, size_t count,
                               hy_world_batch **batch);
/// NULL is harmless.
void hy_world_batch_end(hy_world_batch *self);

/// Sets what acts on world `index` (below the batch's count; more is a caller's bug) from the
/// next step on, until it is set again. NaN counts as 0, the rest is clamped to its range.
/// `button`: somebody holds the user button down. O(1).
void hy_world_batch_set(hy_world_batch *self, size_t index, const hy_actuators *actuators,
                        bool button);

/// Advances every world by one fixed step. Allocates nothing.
void hy_world_batch_step(hy_world_batch *self);

/// Where the vehicle of world `index` is. O(1).
hy_world_pose hy_world_batch_pose(const hy_world_batch *self, size_t index);

/// World `index` as it is now, for all functions that read a state: sensors, truth, hash. The
/// batch's; valid until the next call with this batch. Copies about 1 kB.
const hy_world_state *hy_world_batch_look(hy_world_batch *self, size_t index);

/// Starts world `index` anew with that seed, motors off. Costs as much as a start.
void hy_world_batch_restart(hy_world_batch *self, size_t index, uint64_t seed);

/// How the steps are computed, for people: "avx512", "avx2", "sse2", "portable", or "one by
/// one". Static.
const char *hy_world_batch_path(const hy_world_batch *self);

HY_API_END

#endif
