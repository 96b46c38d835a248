// What signals ask of the program, for users of the part.
#include <halyard/robot.h>

#include "system/system_signals.h"

bool hy_robot_is_ending(void)
{
    return hy_signals_end();
}

bool hy_robot_is_suspending(void)
{
    return hy_signals_suspend();
}
