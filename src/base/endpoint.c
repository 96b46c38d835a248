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
