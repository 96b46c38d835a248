/// @file host_traits.h
/// `--robot ideal|typical|SEED|FILE`: what sets a virtual robot apart from its type.
#ifndef HALYARD_HOST_ROBOT_H
#define HALYARD_HOST_ROBOT_H

#include <halyard/world_spec.h>

#include "options/options.h"

typedef struct {
    const char *text;       ///< What stands behind the option; NULL: the world's file decides.
    hy_robot_traits traits; ///< If there is a text.
} hy_host_traits;

/// Its option; with --board, for the robots of that.
hy_option_group hy_host_traits_group(hy_host_traits *to);

/// The chosen robot; NULL if none was.
const hy_robot_traits *hy_host_traits_of(const hy_host_traits *self);

#endif
