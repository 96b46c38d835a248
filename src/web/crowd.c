#include "crowd.h"

#include <halyard/base.h>

#include <string.h>

size_t web_crowd_share(size_t places)
{
    return places / 2 - 2;
}

bool web_crowd_is_same(const uint8_t a[16], const uint8_t b[16])
{
    static const uint8_t ipv4[12] = { HY_IPV4_PREFIX };
    const bool is_ipv4 = memcmp(a, ipv4, sizeof ipv4) == 0;
    return memcmp(a, b, is_ipv4 ? 16 : 8) == 0;
}

static size_t count_from(const web_place *places, size_t count, const uint8_t ip[16])
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        found += places[i].is_taken && places[i].is_counted && web_crowd_is_same(places[i].ip, ip);
    }
    return found;
}

static size_t count_all(const web_place *places, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        found += places[i].is_taken && places[i].is_counted;
    }
    return found;
}

/// Who goes last of an address. Newcomers go by age only among themselves: who fills the places within a round trip has to be that fast.
static int last_of(const web_place *place, int64_t now_us)
{
    const bool is_new = !place->has_spoken && now_us - place->came_us < WEB_CROWD_GRACE_US;
    return place->is_leaving ? 0 : is_new ? 3 : place->is_served ? 2 : 1;
}

/// Of two places of one address, whether the first goes before the second.
static bool goes_before(const web_place *a, const web_place *b, int64_t now_us)
{
    const int of_a = last_of(a, now_us), of_b = last_of(b, now_us);
    return of_a != of_b ? of_a < of_b : a->came_us < b->came_us;
}

/// The first that may go of the address with the most; of one address only, unless `ip` is NULL.
static int find_victim(const web_place *places, size_t count, const uint8_t *ip, int64_t now_us)
{
    int victim = -1;
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const web_place *const place = &places[i];
        if (!place->is_taken || !place->may_go || (ip != NULL && !web_crowd_is_same(place->ip, ip))) {
            continue;
        }
        const size_t neighbours = ip != NULL ? 0 : count_from(places, count, place->ip);
        if (victim < 0 || neighbours > most ||
            (neighbours == most && goes_before(place, &places[victim], now_us))) {
            victim = (int)i;
            most = neighbours;
        }
    }
    return victim;
}

int web_crowd_choose(const web_place *places, size_t count, const uint8_t ip[16],
                     const web_crowd_limits *limits, int64_t now_us)
{
    if (count_from(places, count, ip) >= limits->from_one) {
        return find_victim(places, count, ip, now_us);
    }
    if (count_all(places, count) >= limits->in_all) {
        return find_victim(places, count, NULL, now_us);
    }
    for (size_t i = 0; i < count; i++) {
        if (!places[i].is_taken) {
            return (int)i;
        }
    }
    return find_victim(places, count, NULL, now_us);
}
