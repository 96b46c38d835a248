// One datagram a call and waits in milliseconds: what every Unix can do.
#include "system_posix.h"

#include <limits.h>
#include <poll.h>
#include <stdlib.h>

int hy_system_send(intptr_t socket, bool is_ipv6, const hy_datagram *datagrams, size_t count)
{
    (void)count;
    return hy_system_send_one(socket, is_ipv6, datagrams);
}

struct hy_link_inbox {
    hy_system_slot slots[HY_LINK_BATCH];
};

hy_link_inbox *hy_system_inbox_new(void)
{
    return malloc(sizeof(hy_link_inbox)); // not calloc: untouched pages cost nothing
}

void hy_system_inbox_free(hy_link_inbox *inbox)
{
    free(inbox);
}

int hy_system_receive(intptr_t socket, hy_link_inbox *inbox, hy_datagram *out, size_t room)
{
    for (size_t i = 0; i < room; i++) {
        const int status = hy_system_receive_one(socket, inbox->slots[i], &out[i]);
        if (status < 0) {
            return i > 0 ? (int)i : status;
        }
    }
    return (int)room;
}

int hy_system_wait(struct pollfd *descriptors, size_t count, int64_t wait_us)
{
    // Rounded up: a wait that ends early would only be started again.
    const int64_t wait_ms = wait_us / 1000 + (wait_us % 1000 != 0 ? 1 : 0);
    const int endless = -1;
    return poll(descriptors, (nfds_t)count, wait_ms > INT_MAX ? endless : (int)wait_ms);
}
