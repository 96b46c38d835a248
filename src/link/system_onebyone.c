// One datagram a call: what every system can do.
#include "sockets.h"

#include <stdlib.h>

int hy_system_send(intptr_t socket, bool is_ipv6, const hy_datagram *datagrams, size_t count)
{
    (void)count;
    return hy_system_send_one(socket, is_ipv6, datagrams);
}

uint32_t hy_system_overflowed(intptr_t socket)
{
    (void)socket;
    return 0;
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
