/// @file ws_client.h
/// A browser's side of HTTP and WebSocket, made by hand, so that a test can also do what no browser does. Over loopback, and
/// blocking with limits.
#ifndef HALYARD_TESTS_WS_CLIENT_H
#define HALYARD_TESTS_WS_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WS_TEXT_MAX (1 << 20)

typedef struct {
    int socket;     ///< -1: closed.
    int status;     ///< What the server answered: 101 is a WebSocket; 0: nothing.
    int close_code; ///< Of the server's closing frame; 0: none came.
    char *text;     ///< The last message, ended by a NUL.
    size_t size;
    // Private.
    uint8_t *bytes;
    size_t used;
} ws_client;

/// NULL takes what is right.
typedef struct {
    const char *address; ///< "127.0.0.1"
    const char *source;  ///< The address that it comes from, another of this machine's.
    const char *path, *protocol, *origin, *host;
    int receive_room; ///< Bytes that the system keeps for us; 0: its own choice.
} ws_options;

/// Connects; true if it is a WebSocket then.
bool ws_open(ws_client *self, uint16_t port, const ws_options *options);
void ws_close(ws_client *self);

/// Says a text; false if the connection has ended.
bool ws_say(ws_client *self, const char *text);

/// One frame of any kind, masked as a client's must be; `opcode` with the bits of the first byte (0x81: a text, 0x01: its
/// beginning). False if the connection has ended.
bool ws_frame(ws_client *self, uint8_t opcode, const void *bytes, size_t size);

/// Bytes as they are.
bool ws_raw(ws_client *self, const void *bytes, size_t size);

/// The next message into `text`; answers pings. False if none came within `limit_us`, or the connection has ended: then `socket` is -1.
bool ws_hear(ws_client *self, int64_t limit_us);

/// Hears until a message contains `part`; false if none did within `limit_us`.
bool ws_await(ws_client *self, const char *part, int64_t limit_us);

/// Waits for the server to end the connection.
bool ws_await_end(ws_client *self, int64_t limit_us);

/// Bytes as they are over a connection of their own to 127.0.0.1, whatever they say; what came until the server closed it, to be
/// freed, or NULL if there was no connection.
char *http_exchange(uint16_t port, const void *bytes, size_t bytes_size, size_t *size);

/// Connects, says something, and leaves it at that; the socket, or -1.
int http_begin(const char *address, uint16_t port, const char *bytes);

/// One HTTP request of its own connection; the whole answer, to be freed, or NULL if there was none.
char *http_get(const char *address, uint16_t port, const char *request, size_t *size);

#endif
