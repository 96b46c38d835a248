#include "target.h"

#include <string.h>

void hy_target_set(hy_target *self, const hy_endpoint *addresses, size_t count)
{
    self->count = count < HY_TARGET_ADDRESSES ? count : HY_TARGET_ADDRESSES;
    memcpy(self->addresses, addresses, self->count * sizeof addresses[0]);
}

bool hy_target_knows(const hy_target *self, const hy_endpoint *peer)
{
    const hy_endpoint *addresses;
    const size_t count = hy_target_addresses(self, &addresses);
    for (size_t i = 0; i < count; i++) {
        if (hy_endpoint_equal(&addresses[i], peer)) {
            return true;
        }
    }
    return false;
}

bool hy_target_hear(hy_target *self, const hy_endpoint *peer, int64_t now_us)
{
    const bool was_silent = hy_endpoint_is_nobody(&self->answering);
    self->answering = *peer;
    self->heard_us = now_us;
    return was_silent;
}

bool hy_target_watch(hy_target *self, int64_t now_us)
{
    if (hy_endpoint_is_nobody(&self->answering) || now_us - self->heard_us < HY_TARGET_SILENCE_US) {
        return false;
    }
    self->answering = (hy_endpoint){ .port = 0 };
    return true;
}

size_t hy_target_addresses(const hy_target *self, const hy_endpoint **out)
{
    if (hy_endpoint_is_nobody(&self->answering)) {
        *out = self->addresses;
        return self->count;
    }
    *out = &self->answering;
    return 1;
}
