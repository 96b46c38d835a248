/// @file air.h
/// The network between boards and their clients, and the boards' defects, where a setup asks for faults.
#ifndef HALYARD_SIM_AIR_H
#define HALYARD_SIM_AIR_H

#include <halyard/faults.h>
#include <halyard/sim.h>

/// One for each board. Large.
typedef struct {
    hy_faults to_robot, from_robot;
    hy_faults_pins pins;
} sim_air;

/// Starts the air of board `index` at time 0.
void sim_air_start(sim_air *self, const hy_faults_spec *spec, size_t index);

/// A status leaves the board, with the number that the spec's start number makes of it. `bytes` are changed.
void sim_air_send(sim_air *self, const hy_faults_spec *spec, const hy_endpoint *to, hy_room bytes,
                  int64_t now_us);

/// What the boards' clocks show at `now_us`: the spec's jump forward included.
int64_t sim_air_clock_us(const hy_faults_spec *spec, int64_t now_us);

void sim_air_hash(const sim_air *self, hy_hash *hash);

#endif
