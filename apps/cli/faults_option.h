/// @file faults_option.h
/// `--faults SPEC|FILE|PRESET`: what goes wrong on purpose.
#ifndef HALYARD_APPS_FAULTS_OPTION_H
#define HALYARD_APPS_FAULTS_OPTION_H

#include <halyard/faults.h>
#include <halyard/sim.h>

/// The help of the option, for the table of a subcommand.
#define FAULTS_HELP                                                                          \
    "inject faults, such as loss=5%,jitter=40ms,outage=5s+2s; a file of them; or a preset: " \
    "bad-wifi, "                                                                             \
    "gym-full-of-phones, wifi-stalls, dying-battery"

/// Reads what stands behind --faults; NULL is no faults. False with a sentence printed for `command`.
bool faults_option_read(const char *command, const char *text, hy_faults_spec *out);

/// False, with a sentence printed for `command`, if there are faults and none of the `boards` that they are for.
bool faults_option_has_board(const char *command, const char *text, size_t boards);

/// Says on stderr what is injected; nothing without faults.
void faults_option_announce(const char *command, const char *text);

/// Adds what the faults did to the boards of `sim`.
void faults_option_add(hy_sim_fault_counts *sum, const hy_sim *sim);

/// Says such a sum on stderr.
void faults_option_print_sum(const char *command, const hy_sim_fault_counts *sum);

/// Says on stderr what the faults did to each of the boards of `sim`; nothing if `text` is NULL.
void faults_option_sum_up(const char *command, const char *text, const hy_sim *sim);

#endif
