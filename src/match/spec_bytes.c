// The byte form of a match's spec: SPEC world-spec, 3.
#include <halyard/match.h>

#include <string.h>

#include "base/base_bytes.h"

#define HEADER 22 // magic, version, two doubles

static const uint8_t begin[6] = { 'H', 'Y', 'M', 'S', 1, 0 }; // with its version

size_t hy_match_spec_write(const hy_match_spec *spec, hy_room room)
{
    if (room.size >= HEADER) {
        memcpy(room.data, begin, sizeof begin);
        hy_store_f64_le(room.data + 6, spec->middle.x_m);
        hy_store_f64_le(room.data + 14, spec->middle.y_m);
        room = (hy_room){ room.data + HEADER, room.size - HEADER };
    } else {
        room = (hy_room){ NULL, 0 };
    }
    return HEADER + hy_world_spec_write(&spec->world, room);
}

hy_status hy_match_spec_read(hy_bytes bytes, hy_match_spec *spec)
{
    spec->middle = (hy_point){ 0, 0 };
    if (bytes.size < HEADER || memcmp(bytes.data, begin, sizeof begin) != 0) {
        hy_world_spec_init(&spec->world);
        return HY_EFORMAT;
    }
    spec->middle = (hy_point){ hy_load_f64_le(bytes.data + 6), hy_load_f64_le(bytes.data + 14) };
    return hy_world_spec_read((hy_bytes){ bytes.data + HEADER, bytes.size - HEADER }, &spec->world);
}
