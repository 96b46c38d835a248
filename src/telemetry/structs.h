// Values that need not be packed, because they lie in memory as they do in a log.
#ifndef TELEMETRY_STRUCTS_H
#define TELEMETRY_STRUCTS_H

#include <halyard/telemetry.h>

bool machine_is_little_endian(void);

// Whether the C struct has the bytes of its packed form: no padding, members in the table's order, a little-endian machine.
bool struct_is_packed_in_memory(const hy_struct_type *type);

#endif
