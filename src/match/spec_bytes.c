// The byte form of a match's spec: SPEC world-spec, 3.
#include <halyard/match.h>

#include <string.h>

#define HEADER 22 // magic, version, two doubles

static const uint8_t begin[6] = { 'H', 'Y', 'M', 'S', 1, 0 }; // with its version

static void put_f64(uint8_t *to, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; i++) {
        to[i] = (uint8_t)(bits >> (8 * i));
    }
}

static double get_f64(const uint8_t *from)
{
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) {
        bits |= (uint64_t)from[i] << (8 * i);
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

size_t hy_match_spec_write(const hy_match_spec *spec, hy_room room)
{
    if (room.size >= HEADER) {
        memcpy(room.data, begin, sizeof begin);
        put_f64(room.data + 6, spec->middle.x_m);
        put_f64(room.data + 14, spec->middle.y_m);
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
    spec->middle = (hy_point){ get_f64(bytes.data + 6), get_f64(bytes.data + 14) };
    return hy_world_spec_read((hy_bytes){ bytes.data + HEADER, bytes.size - HEADER }, &spec->world);
}
