#include "sockets.h"

#include <string.h>

bool hy_link_can_reach(const hy_endpoint *local, const hy_endpoint *peer)
{
    static const uint8_t every_address[16] = { 0 };
    return hy_endpoint_is_ipv4(local) == hy_endpoint_is_ipv4(peer) ||
           memcmp(local->ip, every_address, sizeof every_address) == 0;
}

socklen_t hy_system_address_of(const hy_endpoint *endpoint, bool is_ipv6, hy_system_address *out)
{
    if (!is_ipv6 && hy_endpoint_is_ipv4(endpoint)) {
        out->ipv4 = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(endpoint->port) };
        memcpy(&out->ipv4.sin_addr, endpoint->ip + 12, 4);
        return sizeof out->ipv4;
    }
    out->ipv6 = (struct sockaddr_in6){ .sin6_family = AF_INET6, .sin6_port = htons(endpoint->port) };
    out->ipv6.sin6_scope_id = endpoint->scope;
    memcpy(&out->ipv6.sin6_addr, endpoint->ip, 16);
    return sizeof out->ipv6;
}

void hy_system_endpoint_of(const hy_system_address *address, hy_endpoint *out)
{
    if (address->any.sa_family == AF_INET) {
        *out = (hy_endpoint){ .ip = { HY_IPV4_PREFIX }, .port = ntohs(address->ipv4.sin_port) };
        memcpy(out->ip + 12, &address->ipv4.sin_addr, 4);
    } else if (address->any.sa_family == AF_INET6) {
        *out = (hy_endpoint){ .scope = address->ipv6.sin6_scope_id,
                              .port = ntohs(address->ipv6.sin6_port) };
        memcpy(out->ip, &address->ipv6.sin6_addr, 16);
    } else {
        *out = (hy_endpoint){ .port = 0 };
    }
}
