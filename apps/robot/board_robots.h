/// @file board_robots.h
/// `halyard board`: virtual robots in this process, each with a world and a UDP port of its own, in real time.
#ifndef HALYARD_APPS_BOARD_ROBOTS_H
#define HALYARD_APPS_BOARD_ROBOTS_H

#include "host/host_boards.h"
#include "host/host_faults.h"
#include "host/host_names.h"
#include "host/host_nt.h"
#include "host/host_page.h"
#include "host/host_phantoms.h"
#include "host/host_record.h"
#include "host/host_traits.h"
#include "host/host_truth.h"

#define BOARD_COMMAND     "halyard board"
#define BOARD_PRESSES_MAX 64

typedef struct {
    double from_s, to_s;
} board_press;

typedef struct {
    const char *listen; ///< ADDR:PORT of the first; the others follow.
    uint64_t count;     ///< Of robots.
    const char *world;
    uint64_t seed; ///< Of the first; the others' follow.
    hy_board_options robot;
    double pwm_hz; ///< Of the PWM of its motors; 0: its controller's.
    double duration_s;
    bool is_json; ///< How its end is reported.
    hy_host_traits traits;
    hy_host_faults faults;
    hy_host_names names;
    // For one robot alone.
    hy_host_truth truth;
    hy_host_record record;
    hy_host_nt nt;
    hy_host_page_options page;
    hy_host_phantoms phantom;
    board_press presses[BOARD_PRESSES_MAX];
    const char *press_items[BOARD_PRESSES_MAX];
    hy_option_list press_texts;
    // Indices of choices; `hardware` is -1 for the first that the type has.
    int type, hardware, encoder, stock_bugs;
} board_options;

/// One of them, while it runs.
typedef struct {
    hy_host_boards boards; ///< One.
    hy_sim *sim;
} board_robot;

/// Runs them until a signal or the end of their time. False with a sentence on stderr if something was refused.
bool board_robots_run(board_options *options);

#endif
