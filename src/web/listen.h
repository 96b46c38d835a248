/// @file listen.h
/// The socket that connections come to.
#ifndef HY_WEB_LISTEN_H
#define HY_WEB_LISTEN_H

#include <halyard/base.h>

/// A non-blocking socket that listens at `local`, or -1 and the reason in `status`.
int web_listen(const hy_endpoint *local, hy_status *status);

/// Where a socket listens.
hy_endpoint web_listen_address(int listener);

/// The next connection, ready for quick small messages, and where it is from; -1 if none waits, or the system has no descriptors left
/// (`*is_exhausted`).
int web_accept(int listener, uint8_t ip[16], bool *is_exhausted);

/// Begins to connect to a server, without waiting: the socket becomes writable when that has ended. -1: the system refuses.
int web_call(const hy_endpoint *server);

#endif
