/// @file wire_checks.h
/// Compares what the codecs make of a datagram with what a vector file says of it. Runs on a PC and
/// on a bare microcontroller: no test framework, no files.
#ifndef HALYARD_TESTS_WIRE_CHECKS_H
#define HALYARD_TESTS_WIRE_CHECKS_H

#include <halyard/wire.h>

/// Decodes `datagram` and compares with `fields`, such as "seq=1 control=1 motor0=0.5 unknown=1":
/// what is not listed must be absent or 0. Then encodes what was decoded, which must give the bytes
/// in "encodes=", or the datagram itself where that is not listed. NULL if all is so, else a static
/// text that says which part is not.
const char *wire_check_command(const hy_dialect *dialect, hy_bytes datagram, const char *fields);
const char *wire_check_status(const hy_dialect *dialect, hy_bytes datagram, const char *fields);

/// Reads lower-case hexadecimal up to the first other character. Bytes read, at most `room.size`.
size_t wire_bytes_from_hex(const char *text, hy_room room);

#endif
