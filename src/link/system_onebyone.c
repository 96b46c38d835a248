// One datagram a call: what every system can do.
#include "sockets.h"

#include <stdlib.h>

int hy_system_send(intptr_t socket, bool is_ipv6, const hy_datagram *datagrams, size_t count)
{
    (void)count;
    return hy_system_send_one(socket, is_ipv6, &datagrams->peer, datagrams->bytes);
}

void hy_system_ask_for_stamps(intptr_t socket)
{
    (void)socket;
}

uint32_t hy_system_overflowed(intptr_t socket)
{
    (void)socket;
    return 0;
}

size_t hy_system_receive_room(intptr_t socket)
{
    (void)socket;
    return 0;
}

struct hy_link_inbox {
    hy_system_slot slots[HY_LINK_BATCH];
};

hy_link_inbox *hy_system_inbox_open(void)
{
    return malloc(sizeof(hy_link_inbox)); // not calloc: untouched pages cost nothing
}

void hy_system_inbox_close(hy_link_inbox *inbox)
{
    free(inbox);
}

int hy_system_receive(intptr_t socket, hy_link_inbox *inbox, hy_system_batch *batch)
{
    int status = HY_OK;
    size_t count = 0;
    while (count < batch->room && status >= 0) {
        status = hy_system_receive_one(socket, inbox->slots[count], &batch->out[count]);
        if (status >= 0) {
            batch->waited_us[count++] = -1; // no stamp
        }
    }
    batch->emptied = status == HY_AGAIN;
    return count > 0 ? (int)count : status;
}
