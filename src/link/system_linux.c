// recvmmsg, sendmmsg and ppoll are Linux's own.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "system_posix.h"

#include <errno.h>
#include <linux/sock_diag.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>

int hy_system_send(intptr_t socket, bool is_ipv6, const hy_datagram *datagrams, size_t count)
{
    if (count == 1) { // the plain call is faster
        return hy_system_send_one(socket, is_ipv6, datagrams);
    }
    struct mmsghdr messages[HY_LINK_BATCH];
    struct iovec views[HY_LINK_BATCH];
    hy_system_address peers[HY_LINK_BATCH];
    const size_t batch = count < HY_LINK_BATCH ? count : HY_LINK_BATCH;
    for (size_t i = 0; i < batch; i++) {
        const hy_datagram *datagram = &datagrams[i];
        const socklen_t peer_size = hy_system_address_of(&datagram->peer, is_ipv6, &peers[i]);
        // The system's type has no const; sending does not write.
        views[i] = (struct iovec){ (void *)datagram->bytes.data, datagram->bytes.size };
        messages[i].msg_hdr = (struct msghdr){
            .msg_name = &peers[i], .msg_namelen = peer_size, .msg_iov = &views[i], .msg_iovlen = 1
        };
    }
    int sent;
    do {
        sent = sendmmsg((int)socket, messages, (unsigned)batch, 0);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? (int)hy_system_send_status(errno) : sent;
}

/// What recvmmsg is told is the same for every call, so it is filled in once.
struct hy_link_inbox {
    struct mmsghdr messages[HY_LINK_BATCH];
    struct iovec rooms[HY_LINK_BATCH];
    hy_system_address peers[HY_LINK_BATCH];
    hy_system_slot slots[HY_LINK_BATCH];
};

hy_link_inbox *hy_system_inbox_new(void)
{
    hy_link_inbox *const self = malloc(sizeof *self); // not calloc: untouched pages cost nothing
    if (self == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < HY_LINK_BATCH; i++) {
        self->rooms[i] = (struct iovec){ self->slots[i], sizeof self->slots[i] };
        self->messages[i].msg_hdr = (struct msghdr){ .msg_name = &self->peers[i],
                                                     .msg_namelen = sizeof self->peers[i],
                                                     .msg_iov = &self->rooms[i],
                                                     .msg_iovlen = 1 };
    }
    return self;
}

void hy_system_inbox_free(hy_link_inbox *inbox)
{
    free(inbox);
}

int hy_system_receive(intptr_t socket, hy_link_inbox *inbox, hy_datagram *out, size_t room)
{
    if (room == 1) {
        return hy_system_receive_one(socket, inbox->slots[0], out);
    }
    int received;
    do {
        received = recvmmsg((int)socket, inbox->messages, (unsigned)room, 0, NULL);
    } while (received < 0 && errno == EINTR);
    if (received < 0) {
        return (int)hy_system_receive_status(errno);
    }
    for (int i = 0; i < received; i++) {
        out[i].peer = hy_system_endpoint_of(&inbox->peers[i]);
        out[i].bytes = (hy_bytes){ inbox->slots[i], inbox->messages[i].msg_len };
        inbox->messages[i].msg_hdr.msg_namelen = sizeof inbox->peers[i]; // the call wrote the real one
    }
    return received;
}

uint32_t hy_system_overflowed(intptr_t socket)
{
    uint32_t figures[SK_MEMINFO_VARS] = { 0 };
    socklen_t size = sizeof figures;
    const int result = getsockopt((int)socket, SOL_SOCKET, SO_MEMINFO, figures, &size);
    return result == 0 ? figures[SK_MEMINFO_DROPS] : 0; // older kernels tell fewer
}

int hy_system_wait(struct pollfd *descriptors, size_t count, int64_t wait_us)
{
    const struct timespec wait = { .tv_sec = (time_t)(wait_us / 1000000),
                                   .tv_nsec = (long)(wait_us % 1000000) * 1000 };
    // Without an end the system need not set a timer.
    return ppoll(descriptors, (nfds_t)count, wait_us == INT64_MAX ? NULL : &wait, NULL);
}
