// Values of NetworkTables 4.1: MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md), the 12 kinds that NT4 sends, and
// all others to be passed over.
#include "base/base_bytes.h"

#include <assert.h>
#include <string.h>

#include "telemetry_nt4.h"

#define MESSAGE_ITEMS 4

// --------------------------------------------------------------------------- types

static const struct {
    const char *name;
    unsigned type;
} types[] = {
    { "boolean", HY_NT4_BOOLEAN },
    { "double", HY_NT4_DOUBLE },
    { "int", HY_NT4_INT },
    { "float", HY_NT4_FLOAT },
    { "string", HY_NT4_STRING },
    { "json", HY_NT4_STRING },
    { "boolean[]", HY_NT4_BOOLEAN_ARRAY },
    { "double[]", HY_NT4_DOUBLE_ARRAY },
    { "int[]", HY_NT4_INT_ARRAY },
    { "float[]", HY_NT4_FLOAT_ARRAY },
    { "string[]", HY_NT4_STRING_ARRAY },
};

unsigned hy_nt4_type(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(types[i].name, name) == 0) {
            return types[i].type;
        }
    }
    return HY_NT4_RAW;
}

const char *hy_nt4_type_name(const char *type)
{
    return strcmp(type, "int64") == 0 ? "int" : strcmp(type, "int64[]") == 0 ? "int[]" : type;
}

// --------------------------------------------------------------------------- reading MessagePack

typedef enum {
    ITEM_NIL,
    ITEM_BOOLEAN,
    ITEM_UINT, // in `bits`
    ITEM_INT,  // below 0: the bits of an int64_t
    ITEM_FLOAT,
    ITEM_DOUBLE,
    ITEM_STRING,
    ITEM_BYTES,
    ITEM_ARRAY, // `bits` items follow
    ITEM_MAP,   // twice as many
    ITEM_OTHER, // an extension
} item_kind;

typedef struct {
    item_kind kind;
    uint64_t bits;
    hy_bytes bytes; // of strings and bytes
} pack_item;

// What the first byte says: how many bytes of a number follow it, whether a payload of that length follows, and how much longer that is.
typedef struct {
    item_kind kind;
    uint8_t number;
    bool has_payload;
    uint8_t extra;
} item_head;

static const item_head heads[] = {
    // c0 nil, c1 is not used, c2 false, c3 true
    [0x04] = { ITEM_BYTES, 1, true, 0 },   [0x05] = { ITEM_BYTES, 2, true, 0 },
    [0x06] = { ITEM_BYTES, 4, true, 0 },   [0x07] = { ITEM_OTHER, 1, true, 1 },
    [0x08] = { ITEM_OTHER, 2, true, 1 },   [0x09] = { ITEM_OTHER, 4, true, 1 },
    [0x0a] = { ITEM_FLOAT, 4, false, 0 },  [0x0b] = { ITEM_DOUBLE, 8, false, 0 },
    [0x0c] = { ITEM_UINT, 1, false, 0 },   [0x0d] = { ITEM_UINT, 2, false, 0 },
    [0x0e] = { ITEM_UINT, 4, false, 0 },   [0x0f] = { ITEM_UINT, 8, false, 0 },
    [0x10] = { ITEM_INT, 1, false, 0 },    [0x11] = { ITEM_INT, 2, false, 0 },
    [0x12] = { ITEM_INT, 4, false, 0 },    [0x13] = { ITEM_INT, 8, false, 0 },
    [0x14] = { ITEM_OTHER, 0, false, 2 },  [0x15] = { ITEM_OTHER, 0, false, 3 },
    [0x16] = { ITEM_OTHER, 0, false, 5 },  [0x17] = { ITEM_OTHER, 0, false, 9 },
    [0x18] = { ITEM_OTHER, 0, false, 17 }, [0x19] = { ITEM_STRING, 1, true, 0 },
    [0x1a] = { ITEM_STRING, 2, true, 0 },  [0x1b] = { ITEM_STRING, 4, true, 0 },
    [0x1c] = { ITEM_ARRAY, 2, false, 0 },  [0x1d] = { ITEM_ARRAY, 4, false, 0 },
    [0x1e] = { ITEM_MAP, 2, false, 0 },    [0x1f] = { ITEM_MAP, 4, false, 0 },
};

static uint64_t load_be(const uint8_t *bytes, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) {
        value = value << 8 | bytes[i];
    }
    return value;
}

static uint64_t extend_sign(uint64_t bits, unsigned bytes)
{
    assert(bytes > 0 && bytes <= 8);
    const uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
    return (bits ^ sign) - sign;
}

static bool take_bytes(hy_bytes *rest, uint64_t size, hy_bytes *out)
{
    if (size > rest->size) {
        return false;
    }
    *out = (hy_bytes){ rest->data, (size_t)size };
    *rest = (hy_bytes){ rest->data + (size_t)size, rest->size - (size_t)size };
    return true;
}

static pack_item plain_item(item_kind kind, uint64_t bits)
{
    return (pack_item){ .kind = kind, .bits = bits };
}

// Items of two bytes and more: 0xc4 .. 0xdf.
static bool take_long_item(hy_bytes *rest, uint8_t first, pack_item *out)
{
    const item_head *const head = &heads[first & 0x1f];
    hy_bytes number;
    if (!take_bytes(rest, head->number, &number)) {
        return false;
    }
    *out = plain_item(head->kind, load_be(number.data, number.size));
    const uint64_t payload = (head->has_payload ? out->bits : 0) + head->extra;
    if (!take_bytes(rest, payload, &out->bytes)) {
        return false;
    }
    if (head->kind == ITEM_INT) {
        out->bits = extend_sign(out->bits, head->number);
        out->kind = out->bits >> 63 != 0 ? ITEM_INT : ITEM_UINT;
    }
    return true;
}

// The next item's head, and its bytes if it is a string. False: there is none.
static bool take_item(hy_bytes *rest, pack_item *out)
{
    hy_bytes byte;
    if (!take_bytes(rest, 1, &byte) || byte.data[0] == 0xc1) {
        return false;
    }
    const uint8_t first = byte.data[0];
    if (first >= 0xe0) {
        *out = plain_item(ITEM_INT, extend_sign(first, 1));
    } else if (first >= 0xc4) {
        return take_long_item(rest, first, out);
    } else if (first >= 0xc0) {
        *out = plain_item(first == 0xc0 ? ITEM_NIL : ITEM_BOOLEAN, first & 1);
    } else if (first >= 0xa0) {
        *out = plain_item(ITEM_STRING, first & 0x1f);
        return take_bytes(rest, out->bits, &out->bytes);
    } else if (first >= 0x80) {
        *out = plain_item(first >= 0x90 ? ITEM_ARRAY : ITEM_MAP, first & 0x0f);
    } else {
        *out = plain_item(ITEM_UINT, first);
    }
    return true;
}

// A whole value with all that is in it.
static bool skip_value(hy_bytes *rest)
{
    uint64_t items = 1;
    while (items > 0) {
        pack_item item;
        if (items > rest->size || !take_item(rest, &item)) { // each has a byte at least
            return false;
        }
        items--;
        items += item.kind == ITEM_ARRAY ? item.bits : item.kind == ITEM_MAP ? 2 * item.bits : 0;
    }
    return true;
}

// --------------------------------------------------------------------------- messages

static bool take_whole(hy_bytes *rest, int64_t *out)
{
    pack_item item;
    const bool is_whole =
        take_item(rest, &item) &&
        ((item.kind == ITEM_UINT && item.bits <= INT64_MAX) || item.kind == ITEM_INT);
    *out = is_whole ? (int64_t)item.bits : 0;
    return is_whole;
}

bool hy_nt4_next(hy_nt4_values *frame, hy_nt4_value *out)
{
    if (frame->rest.size == 0 || frame->is_malformed) {
        return false;
    }
    hy_bytes rest = frame->rest;
    pack_item array;
    frame->is_malformed = !take_item(&rest, &array) || array.kind != ITEM_ARRAY ||
                          array.bits != MESSAGE_ITEMS || !take_whole(&rest, &out->id) ||
                          !take_whole(&rest, &out->time_us) || !take_whole(&rest, &out->type);
    if (frame->is_malformed) {
        return false;
    }
    out->value = rest;
    frame->is_malformed = !skip_value(&rest);
    out->value.size -= rest.size;
    frame->rest = rest;
    return !frame->is_malformed;
}

// --------------------------------------------------------------------------- values

static bool item_fits(const pack_item *item, int64_t type)
{
    switch (type) {
    case HY_NT4_BOOLEAN: return item->kind == ITEM_BOOLEAN;
    case HY_NT4_INT:
        return item->kind == ITEM_INT || (item->kind == ITEM_UINT && item->bits <= INT64_MAX);
    case HY_NT4_DOUBLE:
    case HY_NT4_FLOAT:
        return item->kind == ITEM_UINT || item->kind == ITEM_INT || item->kind == ITEM_FLOAT ||
               item->kind == ITEM_DOUBLE;
    case HY_NT4_STRING: return item->kind == ITEM_STRING && hy_utf8_is_valid(item->bytes);
    case HY_NT4_RAW: return item->kind == ITEM_BYTES;
    default: return false;
    }
}

bool hy_nt4_value_fits(const hy_nt4_value *value)
{
    hy_bytes rest = value->value;
    pack_item item;
    if (!take_item(&rest, &item)) {
        return false;
    }
    if (value->type < HY_NT4_BOOLEAN_ARRAY) {
        return item_fits(&item, value->type);
    }
    bool fits = item.kind == ITEM_ARRAY;
    for (uint64_t left = item.bits; fits && left > 0; left--) {
        fits = take_item(&rest, &item) && item_fits(&item, value->type - HY_NT4_BOOLEAN_ARRAY);
    }
    return fits;
}

static double float_of(uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float number;
    memcpy(&number, &word, sizeof number);
    return (double)number;
}

static double double_of(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

bool hy_nt4_value_number(const hy_nt4_value *value, double *out)
{
    hy_bytes rest = value->value;
    pack_item item = { .kind = ITEM_NIL };
    const bool is_number = value->type >= HY_NT4_DOUBLE && value->type <= HY_NT4_FLOAT &&
                           take_item(&rest, &item) && item_fits(&item, value->type);
    if (!is_number) {
        return false;
    }
    *out = item.kind == ITEM_UINT    ? (double)item.bits
           : item.kind == ITEM_INT   ? (double)(int64_t)item.bits
           : item.kind == ITEM_FLOAT ? float_of(item.bits)
                                     : double_of(item.bits);
    return true;
}

bool hy_nt4_value_flag(const hy_nt4_value *value, bool *out)
{
    hy_bytes rest = value->value;
    pack_item item;
    if (value->type != HY_NT4_BOOLEAN || !take_item(&rest, &item) || item.kind != ITEM_BOOLEAN) {
        return false;
    }
    *out = item.bits != 0;
    return true;
}

bool hy_nt4_value_bytes(const hy_nt4_value *value, hy_bytes *out)
{
    hy_bytes rest = value->value;
    pack_item item;
    if ((value->type != HY_NT4_STRING && value->type != HY_NT4_RAW) || !take_item(&rest, &item) ||
        !item_fits(&item, value->type)) {
        return false;
    }
    *out = item.bytes;
    return true;
}

// --------------------------------------------------------------------------- writing

// Bytes under way; once something does not fit, nothing more is written.
typedef struct {
    hy_room room;
    size_t size;
    bool is_full;
} pack_writer;

static void put_bytes(pack_writer *self, const void *bytes, size_t size)
{
    if (self->is_full || size > self->room.size - self->size) {
        self->is_full = true;
        return;
    }
    if (size > 0) {
        memcpy(self->room.data + self->size, bytes, size);
        self->size += size;
    }
}

// A first byte and a number of `size` bytes.
static void put_head(pack_writer *self, unsigned first, uint64_t number, size_t size)
{
    uint8_t bytes[9];
    bytes[0] = (uint8_t)first;
    for (size_t i = 0; i < size; i++) {
        bytes[1 + i] = (uint8_t)(number >> (8 * (size - 1 - i)));
    }
    put_bytes(self, bytes, 1 + size);
}

// 0 for one byte, 1 for two, 2 for four, 3 for eight.
static unsigned width_of(uint64_t number)
{
    return number <= UINT8_MAX ? 0 : number <= UINT16_MAX ? 1 : number <= UINT32_MAX ? 2 : 3;
}

static void put_int(pack_writer *self, int64_t value)
{
    if (value >= -32 && value <= 127) {
        put_head(self, (uint8_t)value, 0, 0);
        return;
    }
    const unsigned width = value >= 0 ? width_of((uint64_t)value) : width_of(2 * ~(uint64_t)value);
    put_head(self, (value >= 0 ? 0xcc : 0xd0) + width, (uint64_t)value, (size_t)1 << width);
}

static void put_string(pack_writer *self, hy_bytes text)
{
    if (text.size < 32) {
        put_head(self, 0xa0 + (unsigned)text.size, 0, 0);
    } else {
        put_head(self, 0xd9 + width_of(text.size), text.size, (size_t)1 << width_of(text.size));
    }
    put_bytes(self, text.data, text.size);
}

static void put_binary(pack_writer *self, hy_bytes bytes)
{
    put_head(self, 0xc4 + width_of(bytes.size), bytes.size, (size_t)1 << width_of(bytes.size));
    put_bytes(self, bytes.data, bytes.size);
}

static void put_array_head(pack_writer *self, size_t count)
{
    if (count < 16) {
        put_head(self, 0x90 + (unsigned)count, 0, 0);
    } else {
        const size_t size = count <= UINT16_MAX ? 2 : 4;
        put_head(self, size == 2 ? 0xdc : 0xdd, count, size);
    }
}

static void put_strings(pack_writer *self, hy_bytes value)
{
    hy_bytes rest = value, number, text;
    if (!take_bytes(&rest, 4, &number)) {
        self->is_full = true;
        return;
    }
    const uint64_t count = hy_load_le(number.data, 4);
    put_array_head(self, (size_t)count);
    for (uint64_t i = 0; i < count && !self->is_full; i++) {
        if (take_bytes(&rest, 4, &number) && take_bytes(&rest, hy_load_le(number.data, 4), &text)) {
            put_string(self, text);
        } else {
            self->is_full = true; // not in the form that sinks get
        }
    }
}

static void put_scalar(pack_writer *self, hy_channel_kind kind, const uint8_t *at)
{
    switch (kind) {
    case HY_CHANNEL_BOOLEAN: put_head(self, at[0] != 0 ? 0xc3 : 0xc2, 0, 0); break;
    case HY_CHANNEL_INT64: put_int(self, (int64_t)hy_load_le(at, 8)); break;
    case HY_CHANNEL_FLOAT: put_head(self, 0xca, hy_load_le(at, 4), 4); break;
    default: put_head(self, 0xcb, hy_load_le(at, 8), 8); break;
    }
}

static size_t size_of_scalar(hy_channel_kind kind)
{
    return kind == HY_CHANNEL_BOOLEAN ? 1 : kind == HY_CHANNEL_FLOAT ? 4 : 8;
}

static void put_scalars(pack_writer *self, hy_channel_kind kind, hy_bytes value)
{
    const size_t size = size_of_scalar(kind), count = value.size / size;
    put_array_head(self, count);
    for (size_t i = 0; i < count; i++) {
        put_scalar(self, kind, value.data + i * size);
    }
}

size_t hy_nt4_pack(hy_room room, hy_channel_kind kind, hy_bytes value)
{
    pack_writer writer = { .room = room };
    switch (kind) {
    case HY_CHANNEL_BOOLEAN:
    case HY_CHANNEL_INT64:
    case HY_CHANNEL_FLOAT:
    case HY_CHANNEL_DOUBLE:
        if (value.size != size_of_scalar(kind)) {
            return 0;
        }
        put_scalar(&writer, kind, value.data);
        break;
    case HY_CHANNEL_STRING:
    case HY_CHANNEL_JSON: put_string(&writer, value); break;
    case HY_CHANNEL_RAW:
    case HY_CHANNEL_SCHEMA:
    case HY_CHANNEL_STRUCT:
    case HY_CHANNEL_STRUCT_ARRAY: put_binary(&writer, value); break;
    case HY_CHANNEL_BOOLEAN_ARRAY: put_scalars(&writer, HY_CHANNEL_BOOLEAN, value); break;
    case HY_CHANNEL_INT64_ARRAY: put_scalars(&writer, HY_CHANNEL_INT64, value); break;
    case HY_CHANNEL_FLOAT_ARRAY: put_scalars(&writer, HY_CHANNEL_FLOAT, value); break;
    case HY_CHANNEL_DOUBLE_ARRAY: put_scalars(&writer, HY_CHANNEL_DOUBLE, value); break;
    case HY_CHANNEL_STRING_ARRAY: put_strings(&writer, value); break;
    }
    return writer.is_full ? 0 : writer.size;
}

size_t hy_nt4_write(hy_room room, const hy_nt4_value *value)
{
    pack_writer writer = { .room = room };
    put_array_head(&writer, MESSAGE_ITEMS);
    put_int(&writer, value->id);
    put_int(&writer, value->time_us);
    put_int(&writer, value->type);
    put_bytes(&writer, value->value.data, value->value.size);
    return writer.is_full ? 0 : writer.size;
}
