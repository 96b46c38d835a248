
#include "text/text_decimal.h"
#include "writer.h"

static inline uint8_t *put_bytes(uint8_t *p, const char *text, size_t size)
{
    memcpy(p, text, size);
    return p + size;
}

// A literal's size is known to the compiler, which needs a move or two for it.
#define PUT(p, literal) put_bytes(p, literal, sizeof(literal) - 1)

static inline uint8_t *put_azimuth(uint8_t *p, const hy_icd_lidar_point *point)
{
    return hy_decimal_put(p, point->azimuth_rad, 0, 2 * HY_PI, 6);
}

static inline uint8_t *put_elevation(uint8_t *p, const hy_icd_lidar_point *point)
{
    return hy_decimal_put_any(p, point->elevation_rad, -HY_DECIMAL_MOST, HY_DECIMAL_MOST, 6);
}

static inline uint8_t *put_range(uint8_t *p, const hy_icd_lidar_point *point)
{
    return point->range_m == -1 ? PUT(p, "-1.0")
                                : hy_decimal_put(p, point->range_m, -1, HY_DECIMAL_MOST, 4);
}

// Both write a comma first, up to HY_ICD_POINT_MAX bytes in all. The elevation of most points is 0.
static uint8_t *put_object(uint8_t *p, const hy_icd_lidar_point *point)
{
    p = put_azimuth(PUT(p, ",{\"azimuth\":"), point);
    if (point->elevation_rad == 0) {
        p = PUT(p, ",\"elevation\":0.0,\"range\":");
    } else {
        p = PUT(put_elevation(PUT(p, ",\"elevation\":"), point), ",\"range\":");
    }
    return PUT(put_range(p, point), "}");
}

static uint8_t *put_triple(uint8_t *p, const hy_icd_lidar_point *point)
{
    p = put_azimuth(PUT(p, ",["), point);
    if (point->elevation_rad == 0) {
        p = PUT(p, ",0.0,");
    } else {
        p = PUT(put_elevation(PUT(p, ","), point), ",");
    }
    return PUT(put_range(p, point), "]");
}

static uint8_t *put_point(uint8_t *p, const hy_icd_lidar_point *point, bool is_sweep)
{
    return is_sweep ? put_object(p, point) : put_triple(p, point);
}

// Writes points of `gap` from number `first` on until one does not fit before `end`; returns how many.
static size_t put_points(uint8_t **at, const uint8_t *end, const hy_json_gap *gap, size_t first)
{
    const hy_icd_lidar_point *point = gap->lidar.points + first;
    const hy_icd_lidar_point *const last = gap->lidar.points + gap->lidar.count;
    const uint8_t *const begin = *at;
    uint8_t *p = *at;
    for (; point < last; point++) {
        uint8_t apart[1 + HY_ICD_POINT_MAX];
        // The first one goes without its comma; near the end each is tried elsewhere.
        const bool is_close = (size_t)(end - p) < HY_ICD_POINT_MAX;
        if (p != begin && !is_close) {
            p = put_point(p, point, gap->is_objects);
            continue;
        }
        const size_t comma = p == begin;
        const size_t size = (size_t)(put_point(apart, point, gap->is_objects) - apart) - comma;
        if (size > (size_t)(end - p)) {
            break;
        }
        memcpy(p, apart + comma, size);
        p += size;
    }
    *at = p;
    return (size_t)(point - gap->lidar.points) - first;
}

static size_t points_of(const hy_json_text *state)
{
    size_t sum = 0;
    for (size_t i = 0; i < state->gap_count; i++) {
        sum += state->gaps[i].lidar.count;
    }
    return sum;
}

// Copies the state's text between two places.
static uint8_t *put_between(uint8_t *p, const hy_json_text *state, size_t from, size_t to)
{
    memcpy(p, state->text + from, to - from);
    return p + (to - from);
}

size_t hy_icd_weave(const hy_json_text *state, size_t *from, hy_room room)
{
    if (state->size > room.size) {
        return 0;
    }
    const uint8_t *const end = room.data + room.size;
    uint8_t *p = room.data;
    size_t at = 0, next = *from, before = 0; // of the text; of all points; points of earlier gaps
    for (size_t i = 0; i < state->gap_count; i++) {
        const hy_json_gap *const gap = &state->gaps[i];
        p = put_between(p, state, at, gap->at);
        at = gap->at;
        if (next >= before && next - before < gap->lidar.count) { // else gone, or not yet
            next += put_points(&p, end - (state->size - at), gap, next - before);
        }
        before += gap->lidar.count;
    }
    p = put_between(p, state, at, state->size);
    if (next == *from && next < points_of(state)) {
        return 0; // or the caller would go on for ever
    }
    *from = next;
    return (size_t)(p - room.data);
}
