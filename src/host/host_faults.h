/// @file host_faults.h
/// `--faults SPEC|FILE|PRESET`: what goes wrong on purpose.
#ifndef HALYARD_HOST_FAULTS_H
#define HALYARD_HOST_FAULTS_H

#include <halyard/faults.h>
#include <halyard/sim.h>

#include "options/options.h"

typedef struct {
    const char *text;    ///< What stands behind the option; NULL: no faults.
    hy_faults_spec spec; ///< What it means, once its group was checked.
} hy_host_faults;

/// Its option; with --board, for the robots of that.
hy_option_group hy_host_faults_group(hy_host_faults *to);

/// Says on stderr what is injected; nothing without faults.
void hy_host_faults_announce(const char *program, const char *text);

/// Adds what the faults did to the boards of `sim`.
void hy_host_faults_add(hy_sim_fault_counts *sum, const hy_sim *sim);

/// Says such a sum on stderr.
void hy_host_faults_print_sum(const char *program, const hy_sim_fault_counts *sum);

/// Says on stderr what the faults did to each of the boards of `sim`; nothing if `text` is NULL.
void hy_host_faults_sum_up(const char *program, const char *text, const hy_sim *sim);

#endif
