/// @file capture.h
/// The UDP datagram inside a captured frame. Pure: bytes in, views of them out.
#ifndef HALYARD_APPS_CAPTURE_H
#define HALYARD_APPS_CAPTURE_H

#include <halyard/base.h>

typedef enum {
    CAPTURE_DATAGRAM, ///< A whole UDP datagram: `out` is set.
    CAPTURE_OTHER,    ///< Something else: ARP, TCP ...
    CAPTURE_FRAGMENT, ///< A piece of an IP packet; its other pieces are elsewhere.
    CAPTURE_CUT,      ///< The frame ends before what its headers promise.
} capture_kind;

typedef struct {
    hy_endpoint from, to;
    hy_bytes payload; ///< Points into the frame.
} capture_datagram;

/// True if frames of this link type (libpcap's DLT_ number) can be read.
bool capture_knows(int link_type);

/// Reads one frame of a link type that capture_knows(). O(headers).
capture_kind capture_read(int link_type, hy_bytes frame, capture_datagram *out);

#endif
