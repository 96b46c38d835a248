/// @file wire_xrp.h
/// The XRP's dialect (docs/spec/wire.md 4), for a program that speaks one dialect and links only
/// that. Programs that speak every dialect take them from the table of robots, halyard/robots.h.
///
///     uint8_t bytes[HY_WIRE_COMMAND_MAX];
///     const hy_wire_command command = { .seq = 1, .motors = 1, .motor = { 0.5f } };
///     const size_t size = hy_xrp_command_encode(&command, (hy_room){ bytes, sizeof bytes });
#ifndef HALYARD_WIRE_XRP_H
#define HALYARD_WIRE_XRP_H

#include <halyard/wire.h>

HY_API_BEGIN

/// The dialect: constant, may be read from any thread.
extern const hy_dialect hy_dialect_xrp;

/// Its codecs by name: as hy_dialect says. A motor block with id 4..7 moves servo id - 4 with
/// -1..+1 for 0..1, and a servo block with id 0..3 drives that motor with 0..1 for -1..+1: the
/// stock firmware does, and clients rely on it.
hy_wire_report hy_xrp_command_decode(hy_bytes datagram, hy_wire_command *out);
hy_wire_report hy_xrp_status_decode(hy_bytes datagram, hy_wire_status *out);
size_t hy_xrp_command_encode(const hy_wire_command *command, hy_room room);
size_t hy_xrp_status_encode(const hy_wire_status *status, hy_room room);

HY_API_END

#endif
