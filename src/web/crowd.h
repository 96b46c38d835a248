/// @file crowd.h
/// Who gets a place when there are more connections than places. Pure: time is only compared.
#ifndef HY_WEB_CROWD_H
#define HY_WEB_CROWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEB_CROWD_GRACE_US 2000000 ///< In which a newcomer has time to speak: many round trips.

typedef struct {
    bool is_taken;
    bool is_counted; ///< Towards the limits: it has not shown a valid token.
    bool may_go;     ///< It may be ended for a newcomer.
    bool is_leaving; ///< It has been ended already.
    bool has_spoken; ///< It has asked for something, and not shown a valid token with it.
    bool is_served;  ///< It is being sent what it asked for.
    uint8_t ip[16];  ///< As in hy_endpoint.
    int64_t came_us;
} web_place;

typedef struct {
    size_t in_all,
        from_one; ///< Counted places in all, and of one address; of IPv6, of one network of 64 bits.
} web_crowd_limits;

/// The place for a newcomer from `ip` at `now_us`: a free one, or, where a limit is reached, one of those that may go: of its own address if
/// that has too many, else of the address with the most. Of these go first: who is leaving; who has spoken, or has been silent for longer than the
/// grace; who has spoken and is being served; who has had no time to speak. Of equals, who came first. -1: there is none. O(count), or O(count^2) if it
/// is not its own address that has too many.
int web_crowd_choose(const web_place *places, size_t count, const uint8_t ip[16],
                     const web_crowd_limits *limits, int64_t now_us);

/// How many of so many places those of one address may have.
size_t web_crowd_share(size_t places);

/// Whether two addresses are one for the limits.
bool web_crowd_is_same(const uint8_t a[16], const uint8_t b[16]);

#endif
