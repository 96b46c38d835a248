/// @file here.h
/// Private: whether an address is this computer's own, where only virtual robots are.
#ifndef HALYARD_ROBOT_HERE_H
#define HALYARD_ROBOT_HERE_H

#include <halyard/link.h>

#include <string.h>

static inline bool is_here(const hy_endpoint *address)
{
    static const uint8_t ipv4[13] = { [10] = 0xff, [11] = 0xff, [12] = 127 };
    static const uint8_t ipv6[16] = { [15] = 1 };
    return memcmp(address->ip, ipv4, sizeof ipv4) == 0 || memcmp(address->ip, ipv6, sizeof ipv6) == 0;
}

#endif
