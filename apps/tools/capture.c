#include "capture.h"

#include <string.h>

// The link types' numbers are libpcap's; they are part of the file format.
enum {
    LINK_NULL = 0, // BSD loopback: 4 bytes of address family, host order of the writer
    LINK_ETHERNET = 1,
    LINK_RAW = 12,        // IP, v4 or v6
    LINK_LOOP = 108,      // OpenBSD loopback: as LINK_NULL
    LINK_LINUX_SLL = 113, // "any" of older Linux
    LINK_IPV4 = 228,
    LINK_IPV6 = 229,
    LINK_LINUX_SLL2 = 276,
};

enum {
    ETHERNET_IPV4 = 0x0800,
    ETHERNET_IPV6 = 0x86dd,
    ETHERNET_VLAN = 0x8100,    // IEEE 802.1Q
    ETHERNET_SERVICE = 0x88a8, // IEEE 802.1ad
    IP_UDP = 17,
    IPV6_HOP_BY_HOP = 0,
    IPV6_ROUTING = 43,
    IPV6_FRAGMENT = 44,
    IPV6_DESTINATION = 60,
    EXTENSIONS_MAX = 8,
};

static unsigned u16_at(hy_bytes bytes, size_t at)
{
    return (unsigned)bytes.data[at] << 8 | bytes.data[at + 1];
}

// `bytes` without its first `size`, which the caller has checked to be there.
static hy_bytes behind(hy_bytes bytes, size_t size)
{
    return (hy_bytes){ bytes.data + size, bytes.size - size };
}

static capture_kind read_udp(hy_bytes packet, capture_datagram *out)
{
    if (packet.size < 8) {
        return CAPTURE_CUT;
    }
    const size_t length = u16_at(packet, 4); // RFC 768: header and data
    if (length < 8 || length > packet.size) {
        return CAPTURE_CUT;
    }
    out->from.port = (uint16_t)u16_at(packet, 0);
    out->to.port = (uint16_t)u16_at(packet, 2);
    out->payload = (hy_bytes){ packet.data + 8, length - 8 };
    return CAPTURE_DATAGRAM;
}

static capture_kind read_ipv4(hy_bytes packet, capture_datagram *out)
{
    if (packet.size < 20) {
        return CAPTURE_CUT;
    }
    const size_t header = (size_t)(packet.data[0] & 0x0f) * 4;
    const size_t total = u16_at(packet, 2);
    if (packet.data[9] != IP_UDP) {
        return CAPTURE_OTHER;
    }
    if ((u16_at(packet, 6) & 0x3fff) != 0) { // more fragments, or not at offset 0
        return CAPTURE_FRAGMENT;
    }
    if (header < 20 || total < header || total > packet.size) {
        return CAPTURE_CUT;
    }
    out->from = hy_endpoint_ipv4(packet.data + 12, 0);
    out->to = hy_endpoint_ipv4(packet.data + 16, 0);
    return read_udp((hy_bytes){ packet.data + header, total - header }, out);
}

static capture_kind read_ipv6(hy_bytes packet, capture_datagram *out)
{
    if (packet.size < 40) {
        return CAPTURE_CUT;
    }
    const size_t length = u16_at(packet, 4);
    unsigned next = packet.data[6];
    out->from = out->to = (hy_endpoint){ 0 };
    memcpy(out->from.ip, packet.data + 8, 16);
    memcpy(out->to.ip, packet.data + 24, 16);
    hy_bytes rest = behind(packet, 40);
    if (length > rest.size) {
        return next == IPV6_FRAGMENT ? CAPTURE_FRAGMENT : CAPTURE_CUT;
    }
    rest.size = length; // Ethernet pads short frames
    for (int i = 0; i < EXTENSIONS_MAX && next != IP_UDP; i++) {
        if (next == IPV6_FRAGMENT) {
            return CAPTURE_FRAGMENT;
        }
        if (next != IPV6_HOP_BY_HOP && next != IPV6_ROUTING && next != IPV6_DESTINATION) {
            return CAPTURE_OTHER;
        }
        const size_t extension = rest.size < 2 ? SIZE_MAX : ((size_t)rest.data[1] + 1) * 8;
        if (extension > rest.size) {
            return CAPTURE_CUT;
        }
        next = rest.data[0];
        rest = behind(rest, extension);
    }
    return next == IP_UDP ? read_udp(rest, out) : CAPTURE_OTHER;
}

// IP tells its version itself, so that the address families of BSD loopbacks (which differ between
// systems, and in byte order) need not be known.
static capture_kind read_ip(hy_bytes packet, capture_datagram *out)
{
    if (packet.size == 0) {
        return CAPTURE_CUT;
    }
    switch (packet.data[0] >> 4) {
    case 4: return read_ipv4(packet, out);
    case 6: return read_ipv6(packet, out);
    default: return CAPTURE_OTHER;
    }
}

// `type_at` is where the Ethernet type lies in a header of `header` bytes.
static capture_kind read_typed(hy_bytes frame, size_t type_at, size_t header, capture_datagram *out)
{
    if (frame.size < header) {
        return CAPTURE_CUT;
    }
    unsigned type = u16_at(frame, type_at);
    hy_bytes rest = behind(frame, header);
    while ((type == ETHERNET_VLAN || type == ETHERNET_SERVICE) && rest.size >= 4) {
        type = u16_at(rest, 2);
        rest = behind(rest, 4);
    }
    return type == ETHERNET_IPV4 || type == ETHERNET_IPV6 ? read_ip(rest, out) : CAPTURE_OTHER;
}

bool capture_knows(int link_type)
{
    switch (link_type) {
    case LINK_NULL:
    case LINK_ETHERNET:
    case LINK_RAW:
    case LINK_LOOP:
    case LINK_LINUX_SLL:
    case LINK_IPV4:
    case LINK_IPV6:
    case LINK_LINUX_SLL2: return true;
    default: return false;
    }
}

capture_kind capture_read(int link_type, hy_bytes frame, capture_datagram *out)
{
    *out = (capture_datagram){ .payload = { NULL, 0 } };
    switch (link_type) {
    case LINK_ETHERNET: return read_typed(frame, 12, 14, out);
    case LINK_LINUX_SLL: return read_typed(frame, 14, 16, out);
    case LINK_LINUX_SLL2: return read_typed(frame, 0, 20, out);
    case LINK_NULL:
    case LINK_LOOP: return frame.size < 4 ? CAPTURE_CUT : read_ip(behind(frame, 4), out);
    default: return read_ip(frame, out);
    }
}
