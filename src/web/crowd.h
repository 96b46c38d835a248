/// @file crowd.h
/// Who gets a place when there are more connections than places. Pure: time is only compared.
#ifndef HY_WEB_CROWD_H
#define HY_WEB_CROWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    bool is_taken;
    bool is_counted; ///< Towards the limits: it has not shown a valid token.
    bool may_go;     ///< It may be ended for a newcomer.
    bool is_leaving; ///< It has been ended already, and goes before all others of its address.
    uint8_t ip[16];  ///< As in hy_endpoint.
    int64_t since_us;
} web_place;

typedef struct {
    size_t in_all,
        from_one; ///< Counted places in all, and of one address; of IPv6, of one network of 64 bits.
} web_crowd_limits;

/// The place for a newcomer from `ip`: a free one, or, where a limit is reached, the oldest of those that may go, those that are leaving first: of its own
/// address if that has too many, else of the address with the most. -1: there is none. O(count^2).
int web_crowd_choose(const web_place *places, size_t count, const uint8_t ip[16],
                     const web_crowd_limits *limits);

/// How many of so many places those of one address may have.
size_t web_crowd_share(size_t places);

/// Whether two addresses are one for the limits.
bool web_crowd_is_same(const uint8_t a[16], const uint8_t b[16]);

#endif
