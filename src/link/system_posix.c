#include "system_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int64_t hy_clock_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

// --------------------------------------------------------------------------- errors

static hy_status open_status(int error)
{
    switch (error) {
    case EADDRINUSE: return HY_EINUSE;
    case EADDRNOTAVAIL:
    case EAFNOSUPPORT: // no IPv6 on this machine
    case EINVAL:       // link-local without its interface
    case ENODEV: return HY_EADDRESS;
    case EACCES:
    case EPERM: return HY_EPERMISSION;
    default: return HY_ESYSTEM;
    }
}

hy_status hy_system_send_status(int error)
{
    // EAGAIN and EWOULDBLOCK are one number on some systems, so this is no switch.
    if (error == EAGAIN || error == EWOULDBLOCK || error == ENOBUFS) {
        return HY_AGAIN;
    }
    if (error == ENETUNREACH || error == EHOSTUNREACH || error == ECONNREFUSED ||
        error == ENETDOWN || error == EHOSTDOWN || error == EAFNOSUPPORT || error == EADDRNOTAVAIL) {
        return HY_EUNREACHABLE;
    }
    return HY_ESYSTEM;
}

hy_status hy_system_receive_status(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK ? HY_AGAIN : HY_ESYSTEM;
}

// --------------------------------------------------------------------------- sockets

static bool set_option(int fd, int level, int name, int value)
{
    return setsockopt(fd, level, name, &value, sizeof value) == 0;
}

static bool prepare_socket(int fd, bool is_ipv6)
{
    const int status_flags = fcntl(fd, F_GETFL);
    if (status_flags < 0 || fcntl(fd, F_SETFL, status_flags | O_NONBLOCK) < 0 ||
        fcntl(fd, F_SETFD, FD_CLOEXEC) < 0) {
        return false;
    }
    return !is_ipv6 || set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0); // [::] serves IPv4 too
}

hy_status hy_system_open(const hy_endpoint *local, intptr_t *out, hy_endpoint *bound)
{
    const bool is_ipv6 = !hy_endpoint_is_ipv4(local);
    const int fd = socket(is_ipv6 ? AF_INET6 : AF_INET, SOCK_DGRAM, 0);
    if (fd < 0) {
        return open_status(errno);
    }
    hy_system_address address;
    socklen_t size = hy_system_address_of(local, is_ipv6, &address);
    if (!prepare_socket(fd, is_ipv6) || bind(fd, &address.any, size) < 0) {
        const hy_status status = open_status(errno);
        close(fd);
        return status;
    }
    size = sizeof address;
    if (getsockname(fd, &address.any, &size) < 0) {
        close(fd);
        return HY_ESYSTEM;
    }
    *out = fd;
    hy_system_endpoint_of(&address, bound);
    return HY_OK;
}

void hy_system_close(intptr_t socket)
{
    close((int)socket);
}

// --------------------------------------------------------------------------- one datagram

int hy_system_send_one(intptr_t socket, bool is_ipv6, const hy_endpoint *to, hy_bytes bytes)
{
    hy_system_address peer;
    const socklen_t peer_size = hy_system_address_of(to, is_ipv6, &peer);
    ssize_t sent;
    do {
        sent = sendto((int)socket, bytes.data, bytes.size, 0, &peer.any, peer_size);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? (int)hy_system_send_status(errno) : 1;
}

int hy_system_receive_one(intptr_t socket, hy_system_slot memory, hy_datagram *out)
{
    hy_system_address peer;
    socklen_t peer_size;
    ssize_t size;
    do {
        peer_size = sizeof peer;
        size = recvfrom((int)socket, memory, HY_SYSTEM_SLOT_SIZE, 0, &peer.any, &peer_size);
    } while (size < 0 && errno == EINTR);
    if (size < 0) {
        return (int)hy_system_receive_status(errno);
    }
    hy_system_endpoint_of(&peer, &out->peer);
    out->bytes = (hy_bytes){ memory, (size_t)size };
    return 1;
}

// --------------------------------------------------------------------------- reports

void hy_system_keep_reports(intptr_t socket, bool is_ipv6)
{
    // A refusal only means that a silent peer stays unexplained.
#if defined(IP_RECVERR) && defined(IPV6_RECVERR)
    (void)set_option((int)socket, is_ipv6 ? IPPROTO_IPV6 : IPPROTO_IP,
                     is_ipv6 ? IPV6_RECVERR : IP_RECVERR, 1);
#else
    (void)socket;
    (void)is_ipv6;
#endif
}

// As many as a socket's buffer of the usual size holds: those that come meanwhile are left for the next time.
#define REPORTS_MOST 512

size_t hy_system_take_reports(intptr_t socket)
{
    size_t count = 0;
#if defined(MSG_ERRQUEUE)
    // What a report says does not matter, so it gets no room; reading it takes it off the queue.
    struct msghdr none = { .msg_iov = NULL };
    while (count < REPORTS_MOST && recvmsg((int)socket, &none, MSG_ERRQUEUE | MSG_DONTWAIT) >= 0) {
        count++;
        none = (struct msghdr){ .msg_iov = NULL };
    }
#else
    (void)socket;
#endif
    return count;
}

// --------------------------------------------------------------------------- names

hy_status hy_system_ask(const char *host, struct addrinfo **out)
{
    const struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM };
    const int error = getaddrinfo(host, NULL, &hints, out);
    if (error == 0) {
        return HY_OK;
    }
    return error == EAI_MEMORY ? HY_EMEMORY : error == EAI_SYSTEM ? HY_ESYSTEM : HY_ENAME;
}

uint32_t hy_system_interface_number(const char *name)
{
    return if_nametoindex(name);
}

_Static_assert(IF_NAMESIZE <= HY_SYSTEM_INTERFACE_MAX, "room for the system's names of interfaces");

bool hy_system_interface_name(uint32_t number, char name[HY_SYSTEM_INTERFACE_MAX])
{
    return if_indextoname(number, name) != NULL;
}
