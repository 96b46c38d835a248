/// @file accept_key.h
/// The answer to a WebSocket's key (RFC 6455, 4.2.2): it shows that the server speaks WebSocket. No security depends on it.
#ifndef HY_WEB_ACCEPT_KEY_H
#define HY_WEB_ACCEPT_KEY_H

#include <stdbool.h>

#define WEB_KEY_SIZE    24 ///< Base64 of 16 bytes.
#define WEB_ACCEPT_SIZE 29 ///< Base64 of 20 bytes, and the end of the string.

/// Whether a text can be a Sec-WebSocket-Key.
bool web_key_is_valid(const char *key);

/// The Sec-WebSocket-Accept for a valid key.
void web_accept_key(const char *key, char out[WEB_ACCEPT_SIZE]);

#endif
