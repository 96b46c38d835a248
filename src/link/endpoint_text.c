#include "endpoint_text.h"
#include "sockets.h"

#include <stdio.h>
#include <string.h>

// --------------------------------------------------------------------------- reading

#define DIGITS "0123456789"

/// Digits and nothing else, at most `highest`.
static bool read_number(const char *text, uint32_t highest, uint32_t *out)
{
    const size_t length = strlen(text);
    if (length == 0 || length > 10 || strspn(text, DIGITS) != length) {
        return false;
    }
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        value = value * 10 + (uint64_t)(text[i] - '0');
    }
    *out = (uint32_t)value;
    return value <= highest;
}

/// "" or ":PORT"
static bool read_port(const char *text, uint16_t default_port, uint16_t *out)
{
    uint32_t port = default_port;
    if (text[0] != '\0' && (text[0] != ':' || !read_number(text + 1, UINT16_MAX, &port))) {
        return false;
    }
    *out = (uint16_t)port;
    return true;
}

bool hy_host_port_split(const char *text, uint16_t default_port, hy_host_port *out)
{
    out->in_brackets = text[0] == '[';
    const char *host = out->in_brackets ? text + 1 : text;
    const size_t length = strcspn(host, out->in_brackets ? "]" : ":");
    if (length == 0 || length >= HY_HOST_MAX) {
        return false;
    }
    memcpy(out->host, host, length);
    out->host[length] = '\0';
    const char *rest = host + length;
    if (out->in_brackets) {
        if (rest[0] != ']') {
            return false;
        }
        rest++;
    }
    return read_port(rest, default_port, &out->port);
}

/// "eth0" or "2"
static bool read_scope(const char *text, uint32_t *out)
{
    *out = hy_system_interface_number(text);
    return *out != 0 || (read_number(text, UINT32_MAX, out) && *out != 0);
}

static bool is_link_local(const uint8_t ip[16]) // fe80::/10
{
    return ip[0] == 0xfe && (ip[1] & 0xc0) == 0x80;
}

static bool read_ipv6(const char *host, hy_endpoint *out)
{
    char address[INET6_ADDRSTRLEN];
    const size_t length = strcspn(host, "%");
    if (length >= sizeof address) {
        return false;
    }
    memcpy(address, host, length);
    address[length] = '\0';
    if (inet_pton(AF_INET6, address, out->ip) != 1) {
        return false;
    }
    // Only a link-local address means something else on every interface.
    return host[length] == '\0' ||
           (is_link_local(out->ip) && read_scope(host + length + 1, &out->scope));
}

bool hy_host_port_literal(const hy_host_port *parts, hy_endpoint *out)
{
    *out = (hy_endpoint){ .port = parts->port };
    if (parts->in_brackets) {
        return read_ipv6(parts->host, out);
    }
    out->ip[10] = out->ip[11] = 0xff;
    return inet_pton(AF_INET, parts->host, out->ip + 12) == 1;
}

hy_status hy_endpoint_parse(const char *text, uint16_t default_port, hy_endpoint *out)
{
    hy_host_port parts;
    hy_endpoint endpoint;
    if (!hy_host_port_split(text, default_port, &parts) || !hy_host_port_literal(&parts, &endpoint)) {
        return HY_EADDRESS;
    }
    *out = endpoint;
    return HY_OK;
}

// --------------------------------------------------------------------------- writing

const char *hy_endpoint_format(const hy_endpoint *endpoint, char text[HY_ENDPOINT_TEXT_MAX])
{
    char address[INET6_ADDRSTRLEN];
    if (hy_endpoint_is_ipv4(endpoint)) {
        inet_ntop(AF_INET, endpoint->ip + 12, address, sizeof address);
        snprintf(text, HY_ENDPOINT_TEXT_MAX, "%s:%u", address, endpoint->port);
        return text;
    }
    inet_ntop(AF_INET6, endpoint->ip, address, sizeof address);
    char interface[HY_SYSTEM_INTERFACE_MAX];
    if (endpoint->scope == 0) {
        snprintf(text, HY_ENDPOINT_TEXT_MAX, "[%s]:%u", address, endpoint->port);
    } else if (hy_system_interface_name(endpoint->scope, interface)) {
        snprintf(text, HY_ENDPOINT_TEXT_MAX, "[%s%%%s]:%u", address, interface, endpoint->port);
    } else {
        snprintf(text, HY_ENDPOINT_TEXT_MAX, "[%s%%%u]:%u", address, endpoint->scope, endpoint->port);
    }
    return text;
}
