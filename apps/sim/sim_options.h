/// @file sim_options.h
/// The command line of `halyard sim`, and the match that it asks for.
#ifndef HALYARD_APPS_SIM_OPTIONS_H
#define HALYARD_APPS_SIM_OPTIONS_H

#include "host/host_faults.h"
#include "host/host_names.h"
#include "host/host_nt.h"
#include "host/host_record.h"
#include "host/host_traits.h"
#include "sim_boards.h"
#include "sim_players.h"

#define SIM_COMMAND "halyard sim"

typedef struct {
    const char *config;
    uint64_t players, seed, bots, views;
    double speed; ///< Simulated time over real time; 0: as fast as it goes.
    double duration_s, lidar_noise_m, match_s;
    int drive, form, lidar;
    bool headless, once;
    hy_host_faults faults;
    hy_host_record record;
    hy_host_nt nt;
    hy_host_names names;
    const char *board_items[SIM_BOARDS_MAX];
    hy_option_list board_texts;
    sim_board_plan boards[SIM_BOARDS_MAX];
    hy_host_traits traits; ///< Of `boards`.
    sim_players_options players_options;
} sim_options;

/// Reads and checks it.
hy_options_result sim_options_read(int argc, char **argv, sim_options *out);

/// The match of its file, changed as the options say. NULL with a sentence; the caller frees it with hy_match_free().
hy_match_model *sim_options_compile(const sim_options *options);

#endif
