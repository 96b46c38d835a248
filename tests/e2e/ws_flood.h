/// @file ws_flood.h
/// Processes that say as much as they can to a server.
#ifndef HALYARD_TESTS_WS_FLOOD_H
#define HALYARD_TESTS_WS_FLOOD_H

#include <sys/types.h>

#include "ws_client.h"

/// A process that connects, says `first`, and then `text` (at most 125 bytes) as often as it can; when it is disconnected it comes again.
pid_t ws_flood_start(uint16_t port, const ws_options *options, const char *first, const char *text);

/// How many times all of them together have sent 16 kB so far.
unsigned ws_floods_sent(void);

/// Ends them.
void ws_floods_end(const pid_t *floods, size_t count);

#endif
