// recvmmsg, sendmmsg and ppoll are Linux's own.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "system_posix.h"

#include <errno.h>
#include <linux/sock_diag.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int hy_system_send(intptr_t socket, bool is_ipv6, const hy_datagram *datagrams, size_t count)
{
    if (count == 1) { // the plain call is faster
        return hy_system_send_one(socket, is_ipv6, &datagrams->peer, datagrams->bytes);
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

// --------------------------------------------------------------------------- stamps

/// Whether what is read comes with its stamp. The system goes on stamping what arrives once this was on.
static void set_stamps(intptr_t socket, int wanted)
{
    (void)setsockopt((int)socket, SOL_SOCKET, SO_TIMESTAMPNS, &wanted, sizeof wanted);
}

void hy_system_ask_for_stamps(intptr_t socket)
{
    const int wanted = 1; // a refusal only makes ages less exact
    set_stamps(socket, wanted);
    (void)setsockopt((int)socket, SOL_SOCKET, SO_RXQ_OVFL, &wanted, sizeof wanted); // losses until then
}

/// Room for what a datagram is stamped with, aligned as the macros for it want.
typedef union {
    size_t alignment; // that of struct cmsghdr, which pedantic compilers put into no array
    uint8_t bytes[CMSG_SPACE(sizeof(struct timespec)) + CMSG_SPACE(sizeof(uint32_t))];
} stamp_room;

static bool take_stamp(const struct cmsghdr *stamp, int type, void *out, size_t size)
{
    if (stamp->cmsg_level != SOL_SOCKET || stamp->cmsg_type != type ||
        stamp->cmsg_len < CMSG_LEN(size)) {
        return false;
    }
    memcpy(out, CMSG_DATA(stamp), size);
    return true;
}

/// Returns how long a datagram had waited at `now`, negative if it has no such stamp. `*overflowed` is how many were lost before it,
/// if there are any.
static int64_t read_stamps(struct msghdr *message, const struct timespec *now, uint32_t *overflowed)
{
    int64_t waited_us = -1;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR(message, c)) {
        struct timespec arrived;
        if (take_stamp(c, SO_TIMESTAMPNS, &arrived, sizeof arrived)) {
            const int64_t ns = ((int64_t)now->tv_sec - arrived.tv_sec) * 1000000000 +
                               (now->tv_nsec - arrived.tv_nsec);
            waited_us = ns < 0 ? -1 : ns / 1000;
        }
        (void)take_stamp(c, SO_RXQ_OVFL, overflowed, sizeof *overflowed);
    }
    return waited_us;
}

// --------------------------------------------------------------------------- receiving

/// What recvmmsg is told is the same for every call, so it is filled in once.
struct hy_link_inbox {
    struct mmsghdr messages[HY_LINK_BATCH];
    struct iovec rooms[HY_LINK_BATCH];
    hy_system_address peers[HY_LINK_BATCH];
    stamp_room stamps[HY_LINK_BATCH];
    hy_system_slot slots[HY_LINK_BATCH];
    bool has_stamps;
};

hy_link_inbox *hy_system_inbox_open(void)
{
    hy_link_inbox *const self = malloc(sizeof *self); // not calloc: untouched pages cost nothing
    if (self == NULL) {
        return NULL;
    }
    self->has_stamps = true; // hy_system_ask_for_stamps()
    for (size_t i = 0; i < HY_LINK_BATCH; i++) {
        self->rooms[i] = (struct iovec){ self->slots[i], sizeof self->slots[i] };
        self->messages[i].msg_hdr = (struct msghdr){ .msg_name = &self->peers[i],
                                                     .msg_namelen = sizeof self->peers[i],
                                                     .msg_iov = &self->rooms[i],
                                                     .msg_iovlen = 1,
                                                     .msg_control = &self->stamps[i],
                                                     .msg_controllen = sizeof self->stamps[i] };
    }
    return self;
}

void hy_system_inbox_close(hy_link_inbox *inbox)
{
    free(inbox);
}

int hy_system_receive(intptr_t socket, hy_link_inbox *inbox, hy_system_batch *batch)
{
    if (inbox->has_stamps != batch->wants_stamps) {
        inbox->has_stamps = batch->wants_stamps;
        set_stamps(socket, inbox->has_stamps);
        for (size_t i = 0; i < HY_LINK_BATCH; i++) {
            inbox->messages[i].msg_hdr.msg_controllen =
                inbox->has_stamps ? sizeof inbox->stamps[i] : 0;
        }
    }
    if (batch->room == 1 && !batch->wants_stamps) { // the plain call is faster
        const int status = hy_system_receive_one(socket, inbox->slots[0], batch->out);
        batch->emptied = status == HY_AGAIN;
        return status;
    }
    int received;
    do {
        received = recvmmsg((int)socket, inbox->messages, (unsigned)batch->room, 0, NULL);
    } while (received < 0 && errno == EINTR);
    if (received < 0) {
        const hy_status status = hy_system_receive_status(errno);
        batch->emptied = status == HY_AGAIN;
        return (int)status;
    }
    batch->emptied = received < (int)batch->room;
    for (int i = 0; i < received; i++) {
        hy_system_endpoint_of(&inbox->peers[i], &batch->out[i].peer);
        batch->out[i].bytes = (hy_bytes){ inbox->slots[i], inbox->messages[i].msg_len };
        inbox->messages[i].msg_hdr.msg_namelen = sizeof inbox->peers[i]; // the call wrote the real one
    }
    if (batch->wants_stamps) {
        // In this order: a process that is stopped between the two takes the datagrams for older than they are, never for newer.
        struct timespec now;
        batch->read_us = hy_clock_now_us();
        clock_gettime(CLOCK_REALTIME, &now);
        for (int i = 0; i < received; i++) {
            struct msghdr *const message = &inbox->messages[i].msg_hdr;
            batch->waited_us[i] = read_stamps(message, &now, &batch->overflowed);
            message->msg_controllen = sizeof inbox->stamps[i]; // the call wrote the real one
        }
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

size_t hy_system_receive_room(intptr_t socket)
{
    int bytes = 0;
    socklen_t size = sizeof bytes;
    const int result = getsockopt((int)socket, SOL_SOCKET, SO_RCVBUF, &bytes, &size);
    return result == 0 && bytes > 0 ? (size_t)bytes : 0;
}

int hy_system_wait(struct pollfd *descriptors, size_t count, int64_t wait_us)
{
    const struct timespec wait = { .tv_sec = (time_t)(wait_us / 1000000),
                                   .tv_nsec = (long)(wait_us % 1000000) * 1000 };
    // Without an end the system need not set a timer.
    return ppoll(descriptors, (nfds_t)count, wait_us == INT64_MAX ? NULL : &wait, NULL);
}
