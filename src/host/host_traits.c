#include "host_traits.h"

#include <halyard/worldfile.h>

// clang-format off
static const hy_option table[] = {
    { HY_OPTION(TEXT, hy_host_traits, text), .name = "robot", .value = "ideal|typical|SEED|FILE", .reads = true, .needs = "board", .help = "unit variation: which of the robots of one type it is. One without differences, one with ordinary ones (unequal motors and wheels, a used battery, sensors that read a little wrong), the one of that number, or that of a robot file, docs/spec/robot.md (default: the one that the world's file names, else ideal)" },
};
// clang-format on

static bool check(const char *program, void *to)
{
    hy_host_traits *const self = to;
    hy_world_error error;
    if (self->text == NULL || hy_robot_choose(self->text, &self->traits, &error) == HY_OK) {
        return true;
    }
    hy_print_error(program, "--robot: %s", error.text);
    return false;
}

hy_option_group hy_host_traits_group(hy_host_traits *to)
{
    return (hy_option_group)HY_OPTION_GROUP_CHECKED(NULL, table, to, check);
}

const hy_robot_traits *hy_host_traits_of(const hy_host_traits *self)
{
    return self->text != NULL ? &self->traits : NULL;
}
