// What a program cannot use of others it counts, and says of each sender once why.
#ifndef HALYARD_HOST_REFUSALS_H
#define HALYARD_HOST_REFUSALS_H

#include <halyard/wire.h>

/// Says in one line on stderr that the program cannot use `what` of `from`, and why, the first time for this sender; at most of
/// eight senders a process, for what comes from a network must not flood a terminal.
void hy_refusals_say(const char *program, const hy_endpoint *from, const char *what, const char *why);

/// The same of a datagram to a robot, if it has a block that runs past it, or no header; one byte alone is a probe.
void hy_refusals_check_command(const char *program, const hy_dialect *dialect,
                               const hy_endpoint *from, hy_bytes datagram);

/// While a picture fills the terminal the first line waits, and others are left out; false: says it.
void hy_refusals_wait(bool waits);

#endif
