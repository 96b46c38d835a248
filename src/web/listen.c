#include "listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Who connects and says nothing has no place of the server's for so long, where the system does that (Linux).
#define SILENT_S 1

// What the system keeps of a slow client's texts before it says that there is no more room.
#define SEND_ROOM 65536
#define UNSENT    16384

// What it keeps of a client's messages that are not read yet: old sticks are of no use.
#define RECEIVE_ROOM 32768

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

static bool prepare_socket(int socket_)
{
    const int flags = fcntl(socket_, F_GETFL);
    return flags >= 0 && fcntl(socket_, F_SETFL, flags | O_NONBLOCK) == 0 &&
           fcntl(socket_, F_SETFD, FD_CLOEXEC) == 0;
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
    return prepare_socket(listener) && bind(listener, (const struct sockaddr *)&address, size) == 0 &&
           listen(listener, SOMAXCONN) == 0;
}

int web_listen(const hy_endpoint *local, hy_status *status)
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

hy_endpoint web_listen_address(int listener)
{
    struct sockaddr_storage address = { .ss_family = AF_UNSPEC };
    socklen_t size = sizeof address;
    const bool ok = getsockname(listener, (struct sockaddr *)&address, &size) == 0;
    return ok ? from_system(&address) : (hy_endpoint){ .port = 0 };
}

int web_accept(int listener, uint8_t ip[16], bool *is_exhausted)
{
    const int on = 1, send_room = SEND_ROOM, receive_room = RECEIVE_ROOM;
    struct sockaddr_storage address = { .ss_family = AF_UNSPEC };
    socklen_t size = sizeof address;
    const int connection = accept(listener, (struct sockaddr *)&address, &size);
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
    if (!prepare_socket(connection)) {
        close(connection);
        return -1;
    }
    return connection;
}

int web_call(const hy_endpoint *server)
{
    const int on = 1;
    struct sockaddr_storage address;
    const socklen_t size = to_system(server, &address);
    const int connection = socket(hy_endpoint_is_ipv4(server) ? AF_INET : AF_INET6, SOCK_STREAM, 0);
    if (connection < 0) {
        return -1;
    }
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (!prepare_socket(connection) ||
        (connect(connection, (const struct sockaddr *)&address, size) != 0 && errno != EINPROGRESS)) {
        close(connection);
        return -1;
    }
    return connection;
}
