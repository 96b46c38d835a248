// Channels: declared once, and their values handed to all sinks.
#include "base/base_bytes.h"
#include "structs.h"

#include <halyard/telemetry.h>

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA_MAX       1024 // bytes of a schema's text
#define UNIT_MAX         64   // bytes of {"unit":"..."}
#define NESTED_MAX       8    // levels of structs in structs
#define FIRST_ROOM       32
#define TEXT_LENGTH_SIZE 4 // of the count of an array of texts, and of each length
#define SCHEMA_PREFIX    "/.schema/struct:"

static const char *const type_names[] = {
    [HY_CHANNEL_BOOLEAN] = "boolean",
    [HY_CHANNEL_INT64] = "int64",
    [HY_CHANNEL_FLOAT] = "float",
    [HY_CHANNEL_DOUBLE] = "double",
    [HY_CHANNEL_STRING] = "string",
    [HY_CHANNEL_JSON] = "json",
    [HY_CHANNEL_RAW] = "raw",
    [HY_CHANNEL_SCHEMA] = "structschema",
    [HY_CHANNEL_BOOLEAN_ARRAY] = "boolean[]",
    [HY_CHANNEL_INT64_ARRAY] = "int64[]",
    [HY_CHANNEL_FLOAT_ARRAY] = "float[]",
    [HY_CHANNEL_DOUBLE_ARRAY] = "double[]",
    [HY_CHANNEL_STRING_ARRAY] = "string[]",
};

typedef struct {
    hy_channel_info info;
    const hy_struct_type *type;
    size_t packed_size;
    bool is_packed_in_memory; // the C struct need not be packed
    char *schema;             // of a HY_CHANNEL_SCHEMA, to tell later sinks
    char *strings;            // what info points to
    hy_channel_rate rate;
    uint64_t put_turn; // of HY_CHANNEL_REPEAT_US, in which the last value went to the sinks; UINT64_MAX: none did
    uint64_t put_mark; // of that value
} channel_entry;

struct hy_telemetry {
    channel_entry **channels; // each allocated alone: sinks keep pointers to their info
    size_t count, room;
    hy_telemetry_sink sinks[HY_TELEMETRY_SINKS_MAX];
    size_t sink_count;
    hy_nt_dialect dialect;
    uint64_t now_us;
    uint64_t turn; // of HY_CHANNEL_REPEAT_US
    uint8_t packed[HY_TELEMETRY_ARRAY_MAX];
};

// --------------------------------------------------------------------------- start and end

hy_status hy_telemetry_open(hy_telemetry **out)
{
    *out = calloc(1, sizeof **out);
    return *out == NULL ? HY_EMEMORY : HY_OK;
}

static void channel_free(channel_entry *channel)
{
    if (channel != NULL) {
        free(channel->schema);
        free(channel->strings);
        free(channel);
    }
}

void hy_telemetry_close(hy_telemetry *self)
{
    if (self == NULL) {
        return;
    }
    for (size_t i = 0; i < self->count; i++) {
        channel_free(self->channels[i]);
    }
    free(self->channels);
    free(self);
}

// --------------------------------------------------------------------------- dialects

static const hy_nt_names dialects[] = {
    [HY_NT_DIALECT_2026] = { "/SmartDashboard", "/SmartDashboard", "/FMSInfo", false },
    [HY_NT_DIALECT_2027] = { "/Telemetry", "/Tunables", "/DriverStation", true },
};

void hy_telemetry_set_dialect(hy_telemetry *self, hy_nt_dialect dialect)
{
    self->dialect = dialect;
}

const hy_nt_names *hy_telemetry_names(const hy_telemetry *self)
{
    return &dialects[self->dialect];
}

// --------------------------------------------------------------------------- sinks

static void tell_sink(const hy_telemetry *self, const hy_telemetry_sink *sink,
                      const channel_entry *channel)
{
    sink->declare(sink->context, &channel->info, self->now_us);
    if (channel->schema != NULL) {
        const hy_bytes schema = { (const uint8_t *)channel->schema, strlen(channel->schema) };
        sink->put(sink->context, &channel->info, self->now_us, schema);
    }
}

hy_status hy_telemetry_attach(hy_telemetry *self, hy_telemetry_sink sink)
{
    if (self->sink_count == HY_TELEMETRY_SINKS_MAX) {
        return HY_EFULL;
    }
    self->sinks[self->sink_count++] = sink;
    for (size_t i = 0; i < self->count; i++) {
        tell_sink(self, &sink, self->channels[i]);
    }
    return HY_OK;
}

bool hy_telemetry_has_sinks(const hy_telemetry *self)
{
    return self->sink_count > 0;
}

void hy_telemetry_set_time(hy_telemetry *self, uint64_t now_us)
{
    self->now_us = now_us;
    self->turn = now_us / HY_CHANNEL_REPEAT_US;
}

// --------------------------------------------------------------------------- declaring

hy_channel hy_telemetry_find(const hy_telemetry *self, const char *name)
{
    for (size_t i = 0; i < self->count; i++) {
        if (strcmp(self->channels[i]->info.name, name) == 0) {
            return (hy_channel)(i + 1);
        }
    }
    return 0;
}

static bool is_struct(hy_channel_kind kind)
{
    return kind == HY_CHANNEL_STRUCT || kind == HY_CHANNEL_STRUCT_ARRAY;
}

// The three strings of a channel in one allocation. False: no memory.
static bool set_strings(channel_entry *channel, const hy_channel_spec *spec)
{
    char type[HY_CHANNEL_NAME_MAX + 16], unit[UNIT_MAX] = "";
    if (spec->type != NULL) {
        (void)snprintf(type, sizeof type, "struct:%s%s", spec->type->name,
                       spec->kind == HY_CHANNEL_STRUCT ? "" : "[]");
    } else {
        (void)snprintf(type, sizeof type, "%s", type_names[spec->kind]);
    }
    if (spec->unit != NULL || spec->is_tunable) {
        const int length =
            snprintf(unit, sizeof unit, "{%s%s%s%s%s}", spec->unit != NULL ? "\"unit\":\"" : "",
                     spec->unit != NULL ? spec->unit : "", spec->unit != NULL ? "\"" : "",
                     spec->unit != NULL && spec->is_tunable ? "," : "",
                     spec->is_tunable ? "\"tunable\":true" : "");
        assert(length > 0 && (size_t)length < sizeof unit &&
               (spec->unit == NULL || strpbrk(spec->unit, "\"\\") == NULL));
        (void)length;
    }
    const char *const metadata = spec->metadata != NULL ? spec->metadata : unit;
    const size_t name_size = strlen(spec->name) + 1, type_size = strlen(type) + 1,
                 metadata_size = strlen(metadata) + 1;
    channel->strings = malloc(name_size + type_size + metadata_size);
    if (channel->strings == NULL) {
        return false;
    }
    memcpy(channel->strings, spec->name, name_size);
    memcpy(channel->strings + name_size, type, type_size);
    memcpy(channel->strings + name_size + type_size, metadata, metadata_size);
    channel->info.name = channel->strings;
    channel->info.type = channel->strings + name_size;
    channel->info.metadata = channel->strings + name_size + type_size;
    return true;
}

static bool make_room(hy_telemetry *self)
{
    if (self->count < self->room || self->count == HY_CHANNELS_MAX) {
        return self->count < HY_CHANNELS_MAX;
    }
    const size_t room = self->room == 0 ? FIRST_ROOM : 2 * self->room;
    channel_entry **const channels = realloc(self->channels, room * sizeof(channel_entry *));
    if (channels == NULL) {
        return false;
    }
    self->channels = channels;
    self->room = room;
    return true;
}

// A channel that no sink knows yet; NULL: no memory.
static channel_entry *new_channel(hy_telemetry *self, const hy_channel_spec *spec)
{
    channel_entry *const channel = make_room(self) ? calloc(1, sizeof *channel) : NULL;
    if (channel == NULL || !set_strings(channel, spec)) {
        channel_free(channel);
        return NULL;
    }
    channel->info.handle = (hy_channel)(self->count + 1);
    channel->info.kind = spec->kind;
    channel->info.is_file_only = spec->is_file_only;
    channel->info.is_input = spec->is_input;
    channel->info.is_tunable = spec->is_tunable;
    channel->type = spec->type;
    channel->rate = spec->rate;
    channel->put_turn = UINT64_MAX;
    if (is_struct(spec->kind)) {
        channel->packed_size = hy_struct_packed_size(spec->type);
        channel->is_packed_in_memory = struct_is_packed_in_memory(spec->type);
    }
    return channel;
}

static hy_channel add_channel(hy_telemetry *self, channel_entry *channel)
{
    self->channels[self->count++] = channel;
    for (size_t i = 0; i < self->sink_count; i++) {
        tell_sink(self, &self->sinks[i], channel);
    }
    return channel->info.handle;
}

// The schemas of the structs in `type`, and then its own, unless they are there already. False: no memory.
static bool declare_schemas(hy_telemetry *self, const hy_struct_type *type, int level)
{
    char name[HY_CHANNEL_NAME_MAX + 1], schema[SCHEMA_MAX];
    assert(level < NESTED_MAX);
    for (size_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].kind == HY_FIELD_STRUCT &&
            !declare_schemas(self, type->fields[i].type, level + 1)) {
            return false;
        }
    }
    (void)snprintf(name, sizeof name, SCHEMA_PREFIX "%s", type->name);
    if (hy_telemetry_find(self, name) != 0) {
        return true;
    }
    const size_t length = hy_struct_schema(type, schema, sizeof schema);
    assert(length < sizeof schema);
    channel_entry *const channel = new_channel(
        self, &(hy_channel_spec){ .name = name, .kind = HY_CHANNEL_SCHEMA, .is_input = true });
    if (channel == NULL) {
        return false;
    }
    channel->schema = malloc(length + 1);
    if (channel->schema == NULL) {
        channel_free(channel);
        return false;
    }
    memcpy(channel->schema, schema, length + 1);
    add_channel(self, channel);
    return true;
}

hy_channel hy_telemetry_declare(hy_telemetry *self, const hy_channel_spec *spec)
{
    assert(spec->name[0] != '\0' && strlen(spec->name) <= HY_CHANNEL_NAME_MAX);
    assert(is_struct(spec->kind) == (spec->type != NULL) && spec->kind != HY_CHANNEL_SCHEMA);
    const hy_channel known = hy_telemetry_find(self, spec->name);
    if (known != 0) {
        const channel_entry *const channel = self->channels[known - 1];
        return channel->info.kind == spec->kind && channel->type == spec->type ? known : 0;
    }
    assert(spec->type == NULL || (hy_struct_packed_size(spec->type) > 0 &&
                                  hy_struct_packed_size(spec->type) <= HY_TELEMETRY_ARRAY_MAX));
    if (spec->type != NULL && !declare_schemas(self, spec->type, 0)) {
        return 0;
    }
    channel_entry *const channel = new_channel(self, spec);
    return channel == NULL ? 0 : add_channel(self, channel);
}

bool hy_telemetry_declare_list(hy_telemetry *self, const char *prefix, hy_channel_list list,
                               unsigned has, void *to)
{
    const hy_channel_row *const rows = list.rows;
    bool is_complete = true;
    for (size_t i = 0; i < list.count; i++) {
        char name[HY_CHANNEL_NAME_MAX + 1];
        hy_channel_spec spec = rows[i].spec;
        const int length = snprintf(name, sizeof name, "%s%s", prefix, spec.name);
        const bool is_wanted = rows[i].when == 0 || (rows[i].when & has) != 0;
        const bool fits = length > 0 && (size_t)length < sizeof name;
        spec.name = name;
        const hy_channel channel = is_wanted && fits ? hy_telemetry_declare(self, &spec) : 0;
        memcpy((uint8_t *)to + rows[i].offset, &channel, sizeof channel);
        is_complete = is_complete && (channel != 0 || !is_wanted);
    }
    return is_complete;
}

// --------------------------------------------------------------------------- putting values

static bool is_due(const hy_telemetry *self, const channel_entry *channel)
{
    return channel->rate == HY_CHANNEL_ALWAYS || channel->put_turn != self->turn;
}

bool hy_telemetry_is_due(const hy_telemetry *self, hy_channel channel)
{
    return channel != 0 && self->sink_count > 0 && is_due(self, self->channels[channel - 1]);
}

// The channel of a handle, whose kind must be `kind`; NULL for the handle 0, and if nobody listens.
static channel_entry *listened(const hy_telemetry *self, hy_channel handle, hy_channel_kind kind)
{
    if (handle == 0 || self->sink_count == 0) {
        return NULL;
    }
    assert(handle <= self->count && self->channels[handle - 1]->info.kind == kind);
    (void)kind;
    return self->channels[handle - 1];
}

__attribute__((noinline)) static uint64_t hash_of(hy_bytes value)
{
    hy_hash hash = hy_hash_start();
    hy_hash_bytes(&hash, value);
    return hash.value;
}

// Of a channel that does not want every value: whether it wants this one, which differs from others by its mark. Out of line, so that other
// channels do not pay for its stack frame.
__attribute__((noinline)) static bool wants(const hy_telemetry *self, channel_entry *channel,
                                            uint64_t mark)
{
    const bool is_wanted = is_due(self, channel) ||
                           (channel->rate == HY_CHANNEL_ON_CHANGE && mark != channel->put_mark);
    channel->put_mark = mark;
    channel->put_turn = is_wanted ? self->turn : channel->put_turn;
    return is_wanted;
}

// Inlined where values are put, as it was before some channels wanted only some of them: a call costs 5 %.
static inline __attribute__((always_inline)) void put_marked(const hy_telemetry *self,
                                                             channel_entry *channel, hy_bytes value,
                                                             uint64_t mark)
{
    if (channel->rate != HY_CHANNEL_ALWAYS && !wants(self, channel, mark)) {
        return;
    }
    for (size_t i = 0; i < self->sink_count; i++) {
        self->sinks[i].put(self->sinks[i].context, &channel->info, self->now_us, value);
    }
}

static inline __attribute__((always_inline)) void put_value(const hy_telemetry *self,
                                                            channel_entry *channel, hy_bytes value)
{
    put_marked(self, channel, value, channel->rate == HY_CHANNEL_ON_CHANGE ? hash_of(value) : 0);
}

// One number of `size` bytes in the machine's own order.
static inline __attribute__((always_inline)) void put_number(const hy_telemetry *self,
                                                             channel_entry *channel,
                                                             const void *number, size_t size)
{
    uint8_t bytes[sizeof(uint64_t)];
    if (channel != NULL) {
        const uint64_t bits =
            hy_load_native(number, size); // its own mark: hashing costs ten times as much
        hy_store_le(bytes, bits, sizeof bytes);
        put_marked(self, channel, (hy_bytes){ bytes, size }, bits);
    }
}

static_assert(sizeof(bool) == 1, "a boolean is one byte in memory as in a log");

void hy_telemetry_put_boolean(hy_telemetry *self, hy_channel channel, bool value)
{
    put_number(self, listened(self, channel, HY_CHANNEL_BOOLEAN), &value, sizeof value);
}

void hy_telemetry_put_int64(hy_telemetry *self, hy_channel channel, int64_t value)
{
    put_number(self, listened(self, channel, HY_CHANNEL_INT64), &value, sizeof value);
}

void hy_telemetry_put_float(hy_telemetry *self, hy_channel channel, float value)
{
    put_number(self, listened(self, channel, HY_CHANNEL_FLOAT), &value, sizeof value);
}

void hy_telemetry_put_double(hy_telemetry *self, hy_channel channel, double value)
{
    put_number(self, listened(self, channel, HY_CHANNEL_DOUBLE), &value, sizeof value);
}

void hy_telemetry_put_text(hy_telemetry *self, hy_channel channel, const char *text)
{
    hy_telemetry_put_bytes(self, channel, (hy_bytes){ (const uint8_t *)text, strlen(text) });
}

void hy_telemetry_put_bytes(hy_telemetry *self, hy_channel channel, hy_bytes value)
{
    if (channel == 0 || self->sink_count == 0) {
        return;
    }
    assert(channel <= self->count);
    channel_entry *const entry = self->channels[channel - 1];
    assert(entry->info.kind == HY_CHANNEL_STRING || entry->info.kind == HY_CHANNEL_JSON ||
           entry->info.kind == HY_CHANNEL_RAW);
    put_value(self, entry, value);
}

// As many of `count` elements as an array may have.
static size_t array_count(size_t count, size_t element_size)
{
    const size_t most = HY_TELEMETRY_ARRAY_MAX / element_size;
    return count < most ? count : most;
}

typedef struct {
    const void *values;
    size_t count, size; // of each: 1, 4 or 8 bytes
} number_array;

static void put_array(hy_telemetry *self, channel_entry *channel, number_array array)
{
    if (channel == NULL) {
        return;
    }
    const size_t count = array_count(array.count, array.size);
    if (machine_is_little_endian()) {
        put_value(self, channel, (hy_bytes){ array.values, count * array.size });
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const uint8_t *const value = (const uint8_t *)array.values + i * array.size;
        hy_store_le(&self->packed[i * array.size], hy_load_native(value, array.size), array.size);
    }
    put_value(self, channel, (hy_bytes){ self->packed, count * array.size });
}

void hy_telemetry_put_booleans(hy_telemetry *self, hy_channel channel, const bool *values,
                               size_t count)
{
    put_array(self, listened(self, channel, HY_CHANNEL_BOOLEAN_ARRAY),
              (number_array){ values, count, sizeof *values });
}

void hy_telemetry_put_int64s(hy_telemetry *self, hy_channel channel, const int64_t *values,
                             size_t count)
{
    put_array(self, listened(self, channel, HY_CHANNEL_INT64_ARRAY),
              (number_array){ values, count, sizeof *values });
}

void hy_telemetry_put_floats(hy_telemetry *self, hy_channel channel, const float *values,
                             size_t count)
{
    put_array(self, listened(self, channel, HY_CHANNEL_FLOAT_ARRAY),
              (number_array){ values, count, sizeof *values });
}

void hy_telemetry_put_doubles(hy_telemetry *self, hy_channel channel, const double *values,
                              size_t count)
{
    put_array(self, listened(self, channel, HY_CHANNEL_DOUBLE_ARRAY),
              (number_array){ values, count, sizeof *values });
}

void hy_telemetry_put_texts(hy_telemetry *self, hy_channel channel, const char *const *texts,
                            size_t count)
{
    channel_entry *const entry = listened(self, channel, HY_CHANNEL_STRING_ARRAY);
    if (entry == NULL) {
        return;
    }
    size_t size = TEXT_LENGTH_SIZE, put = 0;
    for (; put < count; put++) {
        const size_t length = strlen(texts[put]);
        if (length > sizeof self->packed - TEXT_LENGTH_SIZE ||
            size > sizeof self->packed - TEXT_LENGTH_SIZE - length) {
            break;
        }
        hy_store_le(&self->packed[size], length, TEXT_LENGTH_SIZE);
        memcpy(&self->packed[size + TEXT_LENGTH_SIZE], texts[put], length);
        size += TEXT_LENGTH_SIZE + length;
    }
    hy_store_le(self->packed, put, TEXT_LENGTH_SIZE);
    put_value(self, entry, (hy_bytes){ self->packed, size });
}

static void put_structs(hy_telemetry *self, channel_entry *entry, const void *values, size_t count)
{
    if (entry->is_packed_in_memory) {
        put_value(self, entry, (hy_bytes){ values, count * entry->packed_size });
        return;
    }
    for (size_t i = 0; i < count; i++) {
        hy_struct_pack(entry->type, (const uint8_t *)values + i * entry->type->size,
                       &self->packed[i * entry->packed_size]);
    }
    put_value(self, entry, (hy_bytes){ self->packed, count * entry->packed_size });
}

void hy_telemetry_put_struct(hy_telemetry *self, hy_channel channel, const void *value)
{
    channel_entry *const entry = listened(self, channel, HY_CHANNEL_STRUCT);
    if (entry != NULL) {
        put_structs(self, entry, value, 1);
    }
}

void hy_telemetry_put_structs(hy_telemetry *self, hy_channel channel, const void *values,
                              size_t count)
{
    channel_entry *const entry = listened(self, channel, HY_CHANNEL_STRUCT_ARRAY);
    if (entry != NULL) {
        put_structs(self, entry, values, array_count(count, entry->packed_size));
    }
}
