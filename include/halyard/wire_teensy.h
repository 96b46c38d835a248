/// @file wire_teensy.h
/// The Teensy's dialect (docs/spec/wire.md 5), for a program that speaks one dialect and links only
/// that. Programs that speak every dialect take them from the table of robots, halyard/robots.h.
///
///     uint8_t bytes[HY_WIRE_COMMAND_MAX];
///     const hy_wire_command command = { .seq = 1, .motors = 1, .motor = { 0.5f } };
///     const size_t size = hy_teensy_command_encode(&command, (hy_room){ bytes, sizeof bytes });
#ifndef HALYARD_WIRE_TEENSY_H
#define HALYARD_WIRE_TEENSY_H

#include <halyard/wire.h>

HY_API_BEGIN

/// The dialect: constant, may be read from any thread.
extern const hy_dialect hy_dialect_teensy;

/// Its codecs by name: as hy_dialect says.
hy_wire_report hy_teensy_command_decode(hy_bytes datagram, hy_wire_command *out);
hy_wire_report hy_teensy_status_decode(hy_bytes datagram, hy_wire_status *out);
size_t hy_teensy_command_encode(const hy_wire_command *command, hy_room room);
size_t hy_teensy_status_encode(const hy_wire_status *status, hy_room room);

HY_API_END

#endif
