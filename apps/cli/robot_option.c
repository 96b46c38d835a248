#include "robot_option.h"

#include <halyard/worldfile.h>

#include "app.h"

bool robot_option_read(const char *command, robot_option *self)
{
    hy_world_error error;
    if (self->text == NULL || hy_robot_choose(self->text, &self->traits, &error) == HY_OK) {
        return true;
    }
    app_error(command, "--robot: %s", error.text);
    return false;
}

bool robot_option_has_board(const char *command, const robot_option *self, size_t boards)
{
    if (self->text == NULL || boards > 0) {
        return true;
    }
    app_error(command, "--robot is for the robots of --board, and there is none");
    return false;
}

const hy_robot_traits *robot_option_traits(const robot_option *self)
{
    return self->text != NULL ? &self->traits : NULL;
}
