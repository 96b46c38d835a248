/// @file board_print.h
/// What `halyard board` says: how its robots can be reached, and what became of them.
#ifndef HALYARD_APPS_BOARD_PRINT_H
#define HALYARD_APPS_BOARD_PRINT_H

#include "board_robots.h"

/// One robot is ready.
void board_print_one(const board_options *options, const board_robot *robot,
                     const hy_host_page *page);

/// `options->count` robots are ready, from `first` on.
void board_print_many(const board_options *options, const hy_endpoint *first);

/// What the robots have received and sent together, and what faults did to it: a sentence, or all figures with --json.
void board_print_end(const board_options *options, board_robot *robots, double ran_s);

#endif
