#ifndef HALYARD_OPTIONS_TABLE_H
#define HALYARD_OPTIONS_TABLE_H

#include "options.h"

/// An option in the group that has it.
typedef struct {
    hy_option_group *group;
    const hy_option *option; ///< NULL: there is none.
} option_entry;

/// The `index`-th of all groups' options.
option_entry option_at(const hy_command_line *line, size_t index);

/// The option of that name, `size` bytes.
option_entry option_find(const hy_command_line *line, const char *name, size_t size);

/// Without which the option `e` is refused.
option_entry option_needed(const hy_command_line *line, option_entry e);

#endif
