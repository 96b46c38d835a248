/// @file play_program.h
/// The programs of `halyard play`: sim, view, and a core and perhaps a joystick for each player.
#ifndef HALYARD_APPS_PLAY_PROGRAM_H
#define HALYARD_APPS_PLAY_PROGRAM_H

#include <halyard/icd.h>

#include "host/host_nt_text.h"
#include "process/service.h"
#include "view/view_page.h"

#define PLAY_COMMAND "halyard play"

typedef struct {
    service service;
    char page[HY_VIEW_URL_MAX];           ///< The view's.
    char nt[HY_NT_TEXT_HOST_MAX + 1];     ///< Where the sim serves NetworkTables.
    long blue, red;                       ///< Points, as the sim's last line has them.
    const char *record;                   ///< The first log file.
    unsigned record_word;                 ///< Of its words: its log file; 0: none.
    char joined[HY_NT_TEXT_HOST_MAX + 8]; ///< For a word such as "--nt=ADDR:PORT".
    char next_record[512];                // private
} play_program;

/// Starts the description of one: `run`, whose name is `name`, of a player; 0: of all.
void play_program_init(play_program *self, const char *name, app_run *run, unsigned player);

#endif
