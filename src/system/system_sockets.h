// Connections, and waiting for them. A handle is a socket or the reading end of a waker; -1 is none.
#ifndef HALYARD_SYSTEM_SOCKETS_H
#define HALYARD_SYSTEM_SOCKETS_H

#include <halyard/base.h>

// --------------------------------------------------------------------------- waiting

#define HY_WAIT_MAX 512 ///< Handles.

typedef struct {
    intptr_t handle; ///< -1: skipped.
    bool wants_read, wants_write;
    bool has_bytes;   ///< Something can be read.
    bool is_readable; ///< The same, or it has ended.
    bool is_broken;
} hy_wait_source;

/// Waits until a handle is ready or `wait_us` has passed; INT64_MAX is without end, a negative wait none. Returns how many are ready;
/// HY_AGAIN: a signal came; HY_ESYSTEM.
int hy_wait(hy_wait_source *sources, size_t count, int64_t wait_us);

/// hy_wait() for one or two handles that are read, a second at most: a signal that comes just before it does not end it. True: one is
/// ready.
bool hy_wait_to_read(intptr_t first, intptr_t second, int64_t wait_us);

/// Ends the wait of another thread. All -1 is a closed one.
typedef struct {
    intptr_t handle; ///< Becomes readable.
    intptr_t end;    // private
} hy_waker;

bool hy_waker_open(hy_waker *self);
void hy_waker_close(hy_waker *self);
bool hy_waker_wake(hy_waker *self);  ///< False: the system refused.
void hy_waker_clear(hy_waker *self); ///< What has been woken waits again.
void hy_waker_end(hy_waker *self);   ///< Wakes it for ever, also when the system would refuse.

// --------------------------------------------------------------------------- connections

/// A non-blocking socket that listens at `local`, or -1 and the reason in `status`.
intptr_t hy_stream_listen(const hy_endpoint *local, hy_status *status);

/// Where a socket listens.
hy_endpoint hy_stream_address(intptr_t listener);

/// The next connection, ready for quick small messages, and where it is from; -1 if none waits, or the system has no handles left
/// (`*is_exhausted`).
intptr_t hy_stream_accept(intptr_t listener, uint8_t ip[16], bool *is_exhausted);

/// Begins to connect to a server, without waiting: the socket becomes writable when that has ended. -1: the system refuses.
intptr_t hy_stream_connect(const hy_endpoint *server);

/// Whether that ended well.
bool hy_stream_is_connected(intptr_t socket);

/// Bytes that were received; 0: the other side has ended it; HY_AGAIN: nothing is there; HY_ESYSTEM: it is broken.
int64_t hy_stream_receive(intptr_t socket, hy_room room);

/// Sends `first` and `second`, in one packet where they fit. Bytes that the system took; HY_AGAIN: none; HY_ESYSTEM: it is broken.
int64_t hy_stream_send(intptr_t socket, hy_bytes first, hy_bytes second);

/// Whether the other side has ended it, although not all that it sent has been read. False where the system does not tell.
bool hy_stream_has_hung_up(intptr_t socket);

/// Nothing more is sent; what comes can be read.
void hy_stream_shut(intptr_t socket);

/// -1 is harmless.
void hy_stream_close(intptr_t socket);

// --------------------------------------------------------------------------- addresses

/// Whether the first `length` bytes of a text are an IPv4, or an IPv6, address.
bool hy_address_is_valid(const char *text, size_t length, bool is_ipv6);

/// An IPv4 network of an interface that is up.
typedef struct {
    const char *name;
    uint32_t own, mask; ///< The first number of the address is in the highest byte.
    bool is_loopback;
} hy_network;

/// Calls `found` for each. HY_ESYSTEM. Allocates for the duration of the call.
hy_status hy_network_each(void (*found)(void *context, const hy_network *network), void *context);

#endif
