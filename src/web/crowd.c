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

/// Of two places of one address, whether the first goes before the second.
static bool goes_before(const web_place *a, const web_place *b)
{
    return a->is_leaving != b->is_leaving ? a->is_leaving : a->since_us < b->since_us;
}

/// The first that may go of the address with the most; of one address only, unless `ip` is NULL.
static int find_victim(const web_place *places, size_t count, const uint8_t *ip)
{
    int victim = -1;
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const web_place *const place = &places[i];
        if (!place->is_taken || !place->may_go || (ip != NULL && !web_crowd_is_same(place->ip, ip))) {
            continue;
        }
        const size_t neighbours = count_from(places, count, place->ip);
        if (victim < 0 || neighbours > most ||
            (neighbours == most && goes_before(place, &places[victim]))) {
            victim = (int)i;
            most = neighbours;
        }
    }
    return victim;
}

int web_crowd_choose(const web_place *places, size_t count, const uint8_t ip[16],
                     const web_crowd_limits *limits)
{
    if (count_from(places, count, ip) >= limits->from_one) {
        return find_victim(places, count, ip);
    }
    if (count_all(places, count) >= limits->in_all) {
        return find_victim(places, count, NULL);
    }
    for (size_t i = 0; i < count; i++) {
        if (!places[i].is_taken) {
            return (int)i;
        }
    }
    return find_victim(places, count, NULL);
}
