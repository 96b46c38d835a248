#include "sockets.h"

#include <string.h>

// Of <mswsock.h>, which Winsock's documents say and not all headers have.
#ifndef SIO_UDP_CONNRESET
#define SIO_UDP_CONNRESET _WSAIOW(IOC_VENDOR, 12)
#endif

int64_t hy_clock_now_us(void)
{
    LARGE_INTEGER ticks;
    LARGE_INTEGER per_second;
    QueryPerformanceCounter(&ticks); // neither can fail since Windows XP
    QueryPerformanceFrequency(&per_second);
    const int64_t seconds = ticks.QuadPart / per_second.QuadPart;
    const int64_t rest = ticks.QuadPart % per_second.QuadPart;
    return seconds * 1000000 + rest * 1000000 / per_second.QuadPart;
}

// --------------------------------------------------------------------------- Winsock

static BOOL CALLBACK start(INIT_ONCE *once, void *ready, void **context)
{
    (void)once;
    (void)context;
    WSADATA about;
    *(bool *)ready = WSAStartup(MAKEWORD(2, 2), &about) == 0;
    return *(bool *)ready; // FALSE: the next caller tries again
}

/// Winsock has to be started once a process. It is never ended: a link may still send while the process
/// ends, and the system cleans up after it.
static bool has_winsock(void)
{
    static INIT_ONCE once = INIT_ONCE_STATIC_INIT;
    bool ready = true; // by an earlier call, unless this one has to do it
    return InitOnceExecuteOnce(&once, start, &ready, NULL) && ready;
}

// --------------------------------------------------------------------------- errors

static hy_status open_status(int error)
{
    switch (error) {
    case WSAEADDRINUSE: return HY_EINUSE;
    case WSAEADDRNOTAVAIL:
    case WSAEAFNOSUPPORT: // no IPv6 on this machine
    case WSAEINVAL: return HY_EADDRESS;
    case WSAEACCES: return HY_EPERMISSION;
    default: return HY_ESYSTEM;
    }
}

static hy_status send_status(int error)
{
    switch (error) {
    case WSAEWOULDBLOCK:
    case WSAENOBUFS: return HY_AGAIN;
    case WSAENETUNREACH:
    case WSAEHOSTUNREACH:
    case WSAECONNREFUSED:
    case WSAECONNRESET:
    case WSAENETRESET:
    case WSAENETDOWN:
    case WSAEHOSTDOWN:
    case WSAEAFNOSUPPORT:
    case WSAEFAULT: // an IPv6 address on an IPv4 socket: too long for it
    case WSAEINVAL:
    case WSAEADDRNOTAVAIL: return HY_EUNREACHABLE;
    default: return HY_ESYSTEM;
    }
}

// --------------------------------------------------------------------------- sockets

static bool set_option(SOCKET socket, int level, int name, DWORD value)
{
    return setsockopt(socket, level, name, (const char *)&value, sizeof value) == 0;
}

/// Tells Winsock to keep to itself that an earlier datagram found nobody: it would fail the next
/// receive for that.
static bool drop_reports(SOCKET socket)
{
    BOOL wanted = FALSE;
    DWORD written = 0;
    return WSAIoctl(socket, SIO_UDP_CONNRESET, &wanted, sizeof wanted, NULL, 0, &written, NULL,
                    NULL) == 0;
}

static bool prepare_socket(SOCKET socket, bool is_ipv6)
{
    u_long non_blocking = 1;
    return ioctlsocket(socket, (long)FIONBIO, &non_blocking) == 0 && drop_reports(socket) &&
           // Else another program may bind the same port and take what comes.
           set_option(socket, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, 1) &&
           (!is_ipv6 || set_option(socket, IPPROTO_IPV6, IPV6_V6ONLY, 0)); // [::] serves IPv4 too
}

hy_status hy_system_open(const hy_endpoint *local, intptr_t *out, hy_endpoint *bound)
{
    if (!has_winsock()) {
        return HY_ESYSTEM;
    }
    const bool is_ipv6 = !hy_endpoint_is_ipv4(local);
    const SOCKET opened = WSASocketW(is_ipv6 ? AF_INET6 : AF_INET, SOCK_DGRAM, IPPROTO_UDP, NULL, 0,
                                     WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
    if (opened == INVALID_SOCKET) {
        return open_status(WSAGetLastError());
    }
    hy_system_address address;
    socklen_t size = hy_system_address_of(local, is_ipv6, &address);
    if (!prepare_socket(opened, is_ipv6) || bind(opened, &address.any, size) != 0) {
        const hy_status status = open_status(WSAGetLastError());
        closesocket(opened);
        return status;
    }
    size = sizeof address;
    if (getsockname(opened, &address.any, &size) != 0) {
        closesocket(opened);
        return HY_ESYSTEM;
    }
    *out = (intptr_t)opened;
    hy_system_endpoint_of(&address, bound);
    return HY_OK;
}

void hy_system_close(intptr_t socket)
{
    closesocket((SOCKET)socket);
}

// --------------------------------------------------------------------------- one datagram

int hy_system_send_one(intptr_t socket, bool is_ipv6, const hy_endpoint *to, hy_bytes bytes)
{
    hy_system_address peer;
    const socklen_t peer_size = hy_system_address_of(to, is_ipv6, &peer);
    const int sent =
        sendto((SOCKET)socket, (const char *)bytes.data, (int)bytes.size, 0, &peer.any, peer_size);
    return sent < 0 ? (int)send_status(WSAGetLastError()) : 1;
}

int hy_system_receive_one(intptr_t socket, hy_system_slot memory, hy_datagram *out)
{
    hy_system_address peer;
    socklen_t peer_size = sizeof peer;
    const int size =
        recvfrom((SOCKET)socket, (char *)memory, HY_SYSTEM_SLOT_SIZE, 0, &peer.any, &peer_size);
    if (size < 0) {
        return WSAGetLastError() == WSAEWOULDBLOCK ? HY_AGAIN : HY_ESYSTEM;
    }
    hy_system_endpoint_of(&peer, &out->peer);
    out->bytes = (hy_bytes){ memory, (size_t)size };
    return 1;
}

// --------------------------------------------------------------------------- reports

void hy_system_keep_reports(intptr_t socket, bool is_ipv6)
{
    (void)socket; // they would come as failed receives, and say nothing about whose datagram it was
    (void)is_ipv6;
}

size_t hy_system_take_reports(intptr_t socket)
{
    (void)socket;
    return 0;
}

// --------------------------------------------------------------------------- names

hy_status hy_system_ask(const char *host, struct addrinfo **out)
{
    if (!has_winsock()) {
        return HY_ESYSTEM;
    }
    const struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM };
    const int error = getaddrinfo(host, NULL, &hints, out);
    return error == 0 ? HY_OK : error == EAI_MEMORY ? HY_ESYSTEM : HY_ENAME;
}

// Windows writes interfaces as numbers: "fe80::1%12".

uint32_t hy_system_interface_number(const char *name)
{
    (void)name;
    return 0;
}

bool hy_system_interface_name(uint32_t number, char name[HY_SYSTEM_INTERFACE_MAX])
{
    (void)number;
    name[0] = '\0';
    return false;
}
