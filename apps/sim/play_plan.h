/// @file play_plan.h
/// Which programs a match has, and their command lines.
#ifndef HALYARD_APPS_PLAY_PLAN_H
#define HALYARD_APPS_PLAY_PLAN_H

#include <stdio.h>

#include "host/host_faults.h"
#include "host/host_names.h"
#include "host/host_nt.h"
#include "host/host_page.h"
#include "host/host_phantoms.h"
#include "host/host_record.h"
#include "host/host_traits.h"
#include "play_program.h"
#include "sim_boards.h"

#define PLAY_PROGRAMS_MAX \
    (2 + 2 * HY_ICD_PLAYERS) ///< Sim, view, and a core and a joystick a player.

typedef struct {
    uint64_t players, shift;
    uint64_t bots; ///< beside the players
    const char *bots_text, *skill;
    const char *config, *ports;
    double seconds;  ///< Of a match.
    int drive, form; ///< Choices of the sim's options.
    hy_option_list boards;
    hy_host_traits traits; ///< of `boards`
    hy_host_faults faults; ///< of the robots of `boards`
    hy_host_record record;
    hy_host_nt nt;
    hy_host_names names;
    hy_host_phantoms phantom;
    const char *board_items[SIM_BOARDS_MAX];
    bool scripted;
    hy_host_page_options page;
    bool unattended; ///< no terminal: bots play one match
} play_options;

/// Of options: those of this program, and those that are handed on to all programs, to sim and view, or to one of them.
enum play_group {
    PLAY_OWN,
    PLAY_MATCH,
    PLAY_SIM,
    PLAY_PORTS,
    PLAY_ROBOT,
    PLAY_FAULTS,
    PLAY_PAGE,
    PLAY_PHANTOM,
    PLAY_RECORD,
    PLAY_NT,
    PLAY_NAMES,
    PLAY_GROUPS
};

typedef struct {
    play_options options;
    hy_option_group groups[PLAY_GROUPS];
    play_program programs[PLAY_PROGRAMS_MAX];
    size_t count;
    FILE *scripts[HY_ICD_PLAYERS];
} play_game;

/// The robots of players and bots.
unsigned play_robots(const play_options *options);

/// Fills `self->programs` from the options. False with a sentence if a script cannot be written, which a joystick reads.
bool play_plan(play_game *self);

/// Closes the scripts.
void play_plan_close(play_game *self);

#endif
