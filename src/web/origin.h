/// @file origin.h
/// Which pages are this server's own, and which others its owner trusts. A web site can have its own name lead to this machine and then is,
/// for the browser, where this server is ("DNS rebinding"), whatever the name looks like: a network's name service also gives out names
/// without a dot and names of .local. It cannot have an address for a name, and no name service gives out localhost.
#ifndef HY_WEB_ORIGIN_H
#define HY_WEB_ORIGIN_H

#include "web.h"

/// Whether this server may be called so (the Host header's value, "127.0.0.1:5800"): an address, localhost, or a name that was allowed.
bool web_host_is_own(const hy_web_names *names, const char *host);

/// Whether a browser's page of `origin` (the header's value, "http://127.0.0.1:5800") came from this server, which it calls `host`.
bool web_origin_is_own(const hy_web_names *names, const char *origin, const char *host);

/// The origin of the list that this is; NULL: it is none of them.
const char *web_origin_find(const hy_web_names *names, const char *origin);

#endif
