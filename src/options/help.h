#ifndef HALYARD_OPTIONS_HELP_H
#define HALYARD_OPTIONS_HELP_H

#include "options.h"

/// Prints --help to stdout.
void hy_options_help(const hy_command_line *line);

#endif
