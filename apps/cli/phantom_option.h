/// @file phantom_option.h
/// `--phantom FILE`: earlier runs beside the living one on the page.
#ifndef HALYARD_APPS_PHANTOM_OPTION_H
#define HALYARD_APPS_PHANTOM_OPTION_H

#include <halyard/record_phantoms.h>

#include "options.h"

typedef struct {
    const char *items[HY_PHANTOMS_MAX];
    option_list files;
} phantom_option;

/// Must be initialised with it: the list refers to `to->items`.
#define PHANTOM_LIST(to) ((option_list){ .items = (to)->items, .room = HY_PHANTOMS_MAX })

/// The line of a subcommand's table.
#define PHANTOM_OPTION(to)                                                                       \
    {                                                                                            \
        .name = "phantom", .value = "FILE", .list = &(to)->files,                                \
        .help = "show an earlier run (--record FILE) beside this one, how far ahead it is, and " \
                "its lap times; up to 10"                                                        \
    }

/// Whether the files can be opened; false with a sentence.
bool phantom_option_check(const char *command, const phantom_option *asked);

/// Reads the files, recorded in the world of `scene`, and adds the phantoms to it. A sentence says what of a damaged file cannot be
/// read, and which file is no such recording and is not shown. True with NULL in `*out` if none was asked for; false with a sentence
/// if a file cannot be opened. End it with hy_phantoms_free(), after `scene`.
bool phantom_option_open(const char *command, const phantom_option *asked, hy_scene *scene,
                         hy_phantoms **out);

#endif
