/// What the files on top of Berkeley sockets share: every system has them, each under headers of its
/// own.
#ifndef HALYARD_LINK_SOCKETS_H
#define HALYARD_LINK_SOCKETS_H

#include "system.h"

#ifdef _WIN32
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN // an older <winsock.h> comes otherwise, and names such as `interface`
#endif
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#endif

/// A socket address of either family.
typedef union {
    struct sockaddr any;
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
} hy_system_address;

/// Where one datagram of an inbox goes: the longest one, and three cache lines more. Without these
/// 192 bytes slots would be 64 KiB apart, and the beginnings of all of them, which are what short
/// datagrams use, would compete for the same few places of every cache.
#define HY_SYSTEM_SLOT_SIZE (65536 + 192)
typedef uint8_t hy_system_slot[HY_SYSTEM_SLOT_SIZE];

/// `endpoint` as an address for a socket of the family `is_ipv6`; returns its length. An IPv6
/// address stays one on an IPv4 socket, and the system refuses it.
socklen_t hy_system_address_of(const hy_endpoint *endpoint, bool is_ipv6, hy_system_address *out);

void hy_system_endpoint_of(const hy_system_address *address, hy_endpoint *out);

/// hy_system_receive() for one datagram.
int hy_system_receive_one(intptr_t socket, hy_system_slot memory, hy_datagram *out);

/// Asks the system's resolver for the addresses of `host`, which may block for seconds. HY_OK: `out`
/// is for freeaddrinfo() then. HY_ENAME, HY_ESYSTEM.
hy_status hy_system_ask(const char *host, struct addrinfo **out);

#endif
