/// @file origin.h
/// Who may open a WebSocket: only a page that came from this server.
#ifndef HY_WEB_ORIGIN_H
#define HY_WEB_ORIGIN_H

#include <stdbool.h>

/// Whether a browser's page of `origin` (the header's value, "http://127.0.0.1:5800") may connect to `host` (the Host header's,
/// "127.0.0.1:5800"): the two must be the same place, and the host no name that somebody far away could have pointed at this
/// machine: an address, a name without a dot, or one of .local and .localhost.
bool web_origin_is_own(const char *origin, const char *host);

#endif
