/// @file listen.h
/// The socket that connections come to. libwebsockets could open it, but 4.1 then listens on every interface when told
/// 127.0.0.1, and does not say why a port is refused.
#ifndef HY_WEB_LISTEN_H
#define HY_WEB_LISTEN_H

#include <halyard/base.h>

/// A non-blocking socket that listens at `local`, or -1 and the reason in `status`.
int web_listen(const hy_endpoint *local, hy_status *status);

/// Where a socket listens.
hy_endpoint web_listen_address(int listener);

/// The next connection, ready for quick small messages, or -1 if none waits.
int web_accept(int listener);

#endif
