#include <halyard/base.h>

#include <string.h>

bool hy_endpoint_equal(const hy_endpoint *a, const hy_endpoint *b)
{
    // Field by field: the struct has padding, whose bytes mean nothing.
    return memcmp(a->ip, b->ip, sizeof a->ip) == 0 && a->scope == b->scope && a->port == b->port;
}

bool hy_endpoint_is_nobody(const hy_endpoint *endpoint)
{
    static const hy_endpoint nobody = { .port = 0 };
    return hy_endpoint_equal(endpoint, &nobody);
}

hy_endpoint hy_endpoint_ipv4(const uint8_t address[4], uint16_t port)
{
    hy_endpoint endpoint = { .ip = { HY_IPV4_PREFIX }, .port = port };
    memcpy(endpoint.ip + 12, address, 4);
    return endpoint;
}

bool hy_endpoint_is_ipv4(const hy_endpoint *endpoint)
{
    static const uint8_t prefix[] = { HY_IPV4_PREFIX };
    return memcmp(endpoint->ip, prefix, sizeof prefix) == 0;
}

bool hy_endpoint_is_loopback(const hy_endpoint *endpoint)
{
    static const uint8_t ipv6[16] = { [15] = 1 };
    return hy_endpoint_is_ipv4(endpoint) ? endpoint->ip[12] == 127
                                         : memcmp(endpoint->ip, ipv6, sizeof ipv6) == 0;
}

bool hy_endpoint_is_every(const hy_endpoint *endpoint)
{
    static const uint8_t none[16] = { 0 };
    return hy_endpoint_is_ipv4(endpoint) ? memcmp(endpoint->ip + 12, none, 4) == 0
                                         : memcmp(endpoint->ip, none, sizeof none) == 0;
}

hy_endpoint hy_endpoint_local(const hy_endpoint *endpoint)
{
    static const uint8_t loopback[4] = { 127, 0, 0, 1 }; // [::] serves IPv4 too
    return hy_endpoint_is_every(endpoint) ? hy_endpoint_ipv4(loopback, endpoint->port) : *endpoint;
}
