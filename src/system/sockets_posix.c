#include "system_sockets.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <limits.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LONGEST_US 1000000

// Who connects and says nothing is not accepted for so long, where the system does that (Linux).
#define SILENT_S 1

// What the system keeps of what is sent before it says that there is no more room.
#define SEND_ROOM 65536
#define UNSENT    16384

// What it keeps of messages that are not read yet: old sticks are of no use.
#define RECEIVE_ROOM 32768

// --------------------------------------------------------------------------- waiting

int hy_wait(hy_wait_source *sources, size_t count, int64_t wait_us)
{
    struct pollfd polled[HY_WAIT_MAX];
    assert(count <= HY_WAIT_MAX);
    for (size_t i = 0; i < count; i++) {
        polled[i] = (struct pollfd){ .fd = (int)sources[i].handle,
                                     .events = (short)((sources[i].wants_read ? POLLIN : 0) |
                                                       (sources[i].wants_write ? POLLOUT : 0)) };
    }
    const int64_t wait_ms = wait_us <= 0 ? 0 : (wait_us - 1) / 1000 + 1;
    const int ready = poll(polled, (nfds_t)count,
                           wait_us == INT64_MAX ? -1
                           : wait_ms < INT_MAX  ? (int)wait_ms
                                                : INT_MAX);
    for (size_t i = 0; i < count; i++) {
        const int events = ready > 0 ? polled[i].revents : 0;
        sources[i].has_bytes = (events & POLLIN) != 0;
        sources[i].is_broken = (events & (POLLERR | POLLHUP | POLLNVAL)) != 0;
        sources[i].is_readable = (events & (POLLIN | POLLERR | POLLHUP)) != 0;
    }
    return ready >= 0 ? ready : errno == EINTR ? HY_AGAIN : HY_ESYSTEM;
}

bool hy_wait_to_read(intptr_t first, intptr_t second, int64_t wait_us)
{
    hy_wait_source sources[] = { { .handle = first, .wants_read = true },
                                 { .handle = second, .wants_read = true } };
    return hy_wait(sources, 2, wait_us < LONGEST_US ? wait_us : LONGEST_US) > 0;
}

static bool is_prepared(int file)
{
    const int flags = fcntl(file, F_GETFL);
    return flags >= 0 && fcntl(file, F_SETFL, flags | O_NONBLOCK) == 0 &&
           fcntl(file, F_SETFD, FD_CLOEXEC) == 0;
}

bool hy_waker_open(hy_waker *self)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    *self = (hy_waker){ ends[0], ends[1] };
    if (is_prepared(ends[0]) && is_prepared(ends[1])) {
        return true;
    }
    hy_waker_close(self);
    return false;
}

void hy_waker_close(hy_waker *self)
{
    hy_stream_close(self->handle);
    hy_waker_end(self);
    self->handle = -1;
}

bool hy_waker_wake(hy_waker *self)
{
    return write((int)self->end, "", 1) == 1;
}

void hy_waker_clear(hy_waker *self)
{
    char bytes[64];
    const ssize_t drained = read((int)self->handle, bytes, sizeof bytes);
    (void)drained; // nothing there is as good
}

void hy_waker_end(hy_waker *self)
{
    hy_stream_close(self->end);
    self->end = -1;
}

// --------------------------------------------------------------------------- connections

static socklen_t to_system(const hy_endpoint *endpoint, struct sockaddr_storage *out)
{
    memset(out, 0, sizeof *out);
    if (hy_endpoint_is_ipv4(endpoint)) {
        struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(endpoint->port) };
        memcpy(&in.sin_addr, endpoint->ip + 12, 4);
        memcpy(out, &in, sizeof in);
        return sizeof in;
    }
    struct sockaddr_in6 in6 = { .sin6_family = AF_INET6,
                                .sin6_port = htons(endpoint->port),
                                .sin6_scope_id = endpoint->scope };
    memcpy(&in6.sin6_addr, endpoint->ip, sizeof endpoint->ip);
    memcpy(out, &in6, sizeof in6);
    return sizeof in6;
}

static hy_status status_of(int error)
{
    switch (error) {
    case EADDRINUSE: return HY_EINUSE;
    case EADDRNOTAVAIL:
    case EAFNOSUPPORT: return HY_EADDRESS;
    case EACCES: return HY_EPERMISSION;
    default: return HY_ESYSTEM;
    }
}

static bool bind_and_listen(int listener, const hy_endpoint *local)
{
    const int on = 1, off = 0;
    struct sockaddr_storage address;
    const socklen_t size = to_system(local, &address);
    // A restarted server gets its port back though old connections linger.
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (!hy_endpoint_is_ipv4(local)) {
        setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    }
#if defined TCP_DEFER_ACCEPT
    const int silent_s = SILENT_S;
    setsockopt(listener, IPPROTO_TCP, TCP_DEFER_ACCEPT, &silent_s, sizeof silent_s);
#endif
    return is_prepared(listener) && bind(listener, (const struct sockaddr *)&address, size) == 0 &&
           listen(listener, SOMAXCONN) == 0;
}

intptr_t hy_stream_listen(const hy_endpoint *local, hy_status *status)
{
    const int listener = socket(hy_endpoint_is_ipv4(local) ? AF_INET : AF_INET6, SOCK_STREAM, 0);
    if (listener >= 0 && bind_and_listen(listener, local)) {
        *status = HY_OK;
        return listener;
    }
    *status = status_of(errno);
    if (listener >= 0) {
        close(listener);
    }
    return -1;
}

static hy_endpoint from_system(const struct sockaddr_storage *address)
{
    hy_endpoint out = { .port = 0 };
    if (address->ss_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, address, sizeof in);
        uint8_t bytes[4];
        memcpy(bytes, &in.sin_addr, sizeof bytes);
        return hy_endpoint_ipv4(bytes, ntohs(in.sin_port));
    }
    struct sockaddr_in6 in6;
    memcpy(&in6, address, sizeof in6);
    memcpy(out.ip, &in6.sin6_addr, sizeof out.ip);
    out.scope = in6.sin6_scope_id;
    out.port = ntohs(in6.sin6_port);
    return out;
}

hy_endpoint hy_stream_address(intptr_t listener)
{
    struct sockaddr_storage address = { .ss_family = AF_UNSPEC };
    socklen_t size = sizeof address;
    const bool ok = getsockname((int)listener, (struct sockaddr *)&address, &size) == 0;
    return ok ? from_system(&address) : (hy_endpoint){ .port = 0 };
}

intptr_t hy_stream_accept(intptr_t listener, uint8_t ip[16], bool *is_exhausted)
{
    const int on = 1, send_room = SEND_ROOM, receive_room = RECEIVE_ROOM;
    struct sockaddr_storage address = { .ss_family = AF_UNSPEC };
    socklen_t size = sizeof address;
    const int connection = accept((int)listener, (struct sockaddr *)&address, &size);
    *is_exhausted = connection < 0 &&
                    (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM);
    if (connection < 0) {
        return -1;
    }
    const hy_endpoint peer = from_system(&address);
    memcpy(ip, peer.ip, sizeof peer.ip);
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(connection, SOL_SOCKET, SO_SNDBUF, &send_room, sizeof send_room);
    setsockopt(connection, SOL_SOCKET, SO_RCVBUF, &receive_room, sizeof receive_room);
#if defined TCP_NOTSENT_LOWAT
    const int unsent = UNSENT;
    setsockopt(connection, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
#endif
    if (!is_prepared(connection)) {
        close(connection);
        return -1;
    }
    return connection;
}

intptr_t hy_stream_connect(const hy_endpoint *server)
{
    const int on = 1;
    struct sockaddr_storage address;
    const socklen_t size = to_system(server, &address);
    const int connection = socket(hy_endpoint_is_ipv4(server) ? AF_INET : AF_INET6, SOCK_STREAM, 0);
    if (connection < 0) {
        return -1;
    }
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (!is_prepared(connection) ||
        (connect(connection, (const struct sockaddr *)&address, size) != 0 && errno != EINPROGRESS)) {
        close(connection);
        return -1;
    }
    return connection;
}

bool hy_stream_is_connected(intptr_t socket)
{
    int error = 0;
    socklen_t size = sizeof error;
    return getsockopt((int)socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

static int64_t stream_status(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? HY_AGAIN : HY_ESYSTEM;
}

int64_t hy_stream_receive(intptr_t socket, hy_room room)
{
    const ssize_t got = recv((int)socket, room.data, room.size, 0);
    return got >= 0 ? got : stream_status();
}

int64_t hy_stream_send(intptr_t socket, hy_bytes first, hy_bytes second)
{
    struct iovec pieces[2] = { { (void *)(uintptr_t)first.data, first.size },
                               { (void *)(uintptr_t)second.data, second.size } };
    const struct msghdr message = { .msg_iov = pieces, .msg_iovlen = second.size > 0 ? 2 : 1 };
    const ssize_t sent = sendmsg((int)socket, &message, MSG_NOSIGNAL);
    return sent >= 0 ? sent : stream_status();
}

bool hy_stream_has_hung_up(intptr_t socket)
{
#if defined TCP_INFO && defined __linux__
    struct tcp_info info;
    socklen_t size = sizeof info;
    return getsockopt((int)socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
           info.tcpi_state == TCP_CLOSE_WAIT;
#else
    (void)socket;
    return false;
#endif
}

void hy_stream_shut(intptr_t socket)
{
    (void)shutdown((int)socket, SHUT_WR);
}

void hy_stream_close(intptr_t socket)
{
    if (socket >= 0) {
        (void)close((int)socket);
    }
}

// --------------------------------------------------------------------------- addresses

bool hy_address_is_valid(const char *text, size_t length, bool is_ipv6)
{
    char address[INET6_ADDRSTRLEN];
    struct in6_addr parsed;
    if (length >= sizeof address) {
        return false;
    }
    memcpy(address, text, length);
    address[length] = '\0';
    return inet_pton(is_ipv6 ? AF_INET6 : AF_INET, address, &parsed) == 1;
}

static uint32_t ipv4_of(const struct sockaddr *address)
{
    struct sockaddr_in in;
    memcpy(&in, address, sizeof in);
    return ntohl(in.sin_addr.s_addr);
}

hy_status hy_network_each(void (*found)(void *context, const hy_network *network), void *context)
{
    struct ifaddrs *all = NULL;
    if (getifaddrs(&all) != 0) {
        return HY_ESYSTEM;
    }
    for (const struct ifaddrs *at = all; at != NULL; at = at->ifa_next) {
        if (at->ifa_addr != NULL && at->ifa_netmask != NULL && at->ifa_addr->sa_family == AF_INET &&
            (at->ifa_flags & IFF_UP) != 0) {
            const hy_network network = { at->ifa_name, ipv4_of(at->ifa_addr),
                                         ipv4_of(at->ifa_netmask),
                                         (at->ifa_flags & IFF_LOOPBACK) != 0 };
            found(context, &network);
        }
    }
    freeifaddrs(all);
    return HY_OK;
}
