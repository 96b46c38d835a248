/// "HOST[:PORT]" taken apart, for literals and names alike.
#ifndef HALYARD_LINK_ENDPOINT_TEXT_H
#define HALYARD_LINK_ENDPOINT_TEXT_H

#include <halyard/base.h>

#define HY_HOST_MAX 256 ///< Longest host name of DNS (253), and its end.

typedef struct {
    char host[HY_HOST_MAX]; ///< Without brackets.
    bool in_brackets;       ///< Must be an IPv6 literal then.
    uint16_t port;
} hy_host_port;

/// False if `text` has not this form.
bool hy_host_port_split(const char *text, uint16_t default_port, hy_host_port *out);

/// Reads the host of `parts` as a literal. False if it is none.
bool hy_host_port_literal(const hy_host_port *parts, hy_endpoint *out);

#endif
