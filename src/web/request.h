/// @file request.h
/// The head of an HTTP/1.1 request (RFC 9112). Pure: bytes in, fields out.
#ifndef HY_WEB_REQUEST_H
#define HY_WEB_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEB_REQUEST_MAX \
    16384 ///< Bytes of a head; a browser also sends the cookies of other servers on this machine.

/// Texts point into the head; "" if the field was not there.
typedef struct {
    bool is_get, is_head;
    bool keeps_alive; ///< The client wants to send further requests on this connection.
    bool has_body;
    const char *path;  ///< Without the query; begins with '/'. "%41" is not decoded.
    const char *query; ///< What follows the '?'.
    const char *host, *origin, *upgrade, *connection, *known_tag, *encodings;
    const char *key, *version, *protocols; ///< Sec-WebSocket-...
} web_request;

/// Looks for the empty line that ends a head, in bytes from `from` on (those before were searched already). Returns the head's size,
/// 0 if it has not ended yet. `*is_bad` is set if there is a byte that no head may contain. O(size - from).
size_t web_request_find_end(const uint8_t *bytes, size_t from, size_t size, bool *is_bad);

/// Splits a whole head, writing string ends into it. Returns 0, or the HTTP status to refuse it with.
unsigned web_request_parse(char *head, size_t size, web_request *out);

/// Whether a comma-separated list has this element; `ignores_case` compares letters as equal in either case.
bool web_request_lists(const char *list, const char *element, bool ignores_case);

/// Whether a comma-separated list has this element, in a time that does not depend on how much of it is right; never if it is empty.
bool web_request_shows(const char *list, const char *secret);

/// Whether the client decodes gzip: Accept-Encoding names it, with a weight above 0 (RFC 9110, 12.5.3).
bool web_request_accepts_gzip(const web_request *self);

#endif
