// WPILOG 1.0 as a sink: records into a ring buffer of one producer and one consumer.
#include "base/base_bytes.h"
#include "wpilog.h"

#include <halyard/telemetry.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define DROPPED_ENTRY 1 // "/Halyard/Dropped"; the channels' entries follow
#define FIRST_ENTRY   2
#define INPUT_SHARE   4 // one in so many bytes is kept for inputs

struct hy_wpilog {
    hy_wpilog_options options;
    uint8_t *ring;
    size_t mask;             // the ring's size, a power of two, - 1
    size_t head;             // bytes put so far; the producer's own count
    size_t tail_seen;        // of `consumed` when the producer last looked
    _Atomic size_t put;      // `head` as the consumer may see it
    _Atomic size_t consumed; // bytes that the consumer gave back
    hy_wpilog_drops drops;
    uint64_t drops_told;                         // their sum, as the file has it
    uint8_t is_started[HY_CHANNELS_MAX / 8 + 1]; // a bit for each channel: its start record is in the ring
};

// --------------------------------------------------------------------------- the ring

static void ring_write(hy_wpilog *self, hy_bytes bytes)
{
    const size_t at = self->head & self->mask, to_end = self->mask + 1 - at;
    const size_t first = bytes.size < to_end ? bytes.size : to_end;
    if (first > 0) {
        memcpy(&self->ring[at], bytes.data, first);
    }
    if (first < bytes.size) {
        memcpy(self->ring, bytes.data + first, bytes.size - first);
    }
    self->head += bytes.size;
}

// Whether `size` bytes fit and leave `reserve` free.
static bool ring_fits(hy_wpilog *self, size_t size, size_t reserve)
{
    const size_t room = self->mask + 1;
    if (size > room - reserve) {
        return false;
    }
    if (room - reserve - size >= self->head - self->tail_seen) {
        return true;
    }
    self->tail_seen = atomic_load_explicit(&self->consumed, memory_order_acquire);
    const size_t used = self->head - self->tail_seen;
    return used <= room - reserve && size <= room - reserve - used;
}

// Waits for room, if the options say how.
static bool ring_makes_room(hy_wpilog *self, size_t size, size_t reserve)
{
    while (!ring_fits(self, size, reserve)) {
        if (self->options.wait == NULL || size > self->mask + 1 - reserve ||
            !self->options.wait(self->options.context)) {
            return false;
        }
    }
    return true;
}

hy_bytes hy_wpilog_peek(const hy_wpilog *self)
{
    const size_t from = atomic_load_explicit(&self->consumed, memory_order_relaxed);
    const size_t size = atomic_load_explicit(&self->put, memory_order_acquire) - from;
    const size_t at = from & self->mask, to_end = self->mask + 1 - at;
    return (hy_bytes){ &self->ring[at], size < to_end ? size : to_end };
}

void hy_wpilog_consume(hy_wpilog *self, size_t size)
{
    const size_t from = atomic_load_explicit(&self->consumed, memory_order_relaxed);
    atomic_store_explicit(&self->consumed, from + size, memory_order_release);
}

// --------------------------------------------------------------------------- records

static size_t bytes_of_number(uint64_t value)
{
    size_t size = 1;
    for (value >>= 8; value > 0; value >>= 8) {
        size++;
    }
    return size;
}

typedef struct {
    uint32_t entry;
    uint64_t at_us;
    bool is_kept; // may use what is kept for inputs
    hy_bytes parts[7];
    size_t part_count;
} log_record;

// The lengths and numbers before a payload. Each number is stored in full, and what is not needed of it overwritten by the next: that
// is quicker than byte by byte. Writes to WPILOG_RECORD_HEAD_MAX bytes; returns how many of them count.
static size_t put_head(uint8_t *out, uint32_t entry, size_t payload, uint64_t at_us)
{
    const size_t entry_size = bytes_of_number(entry), size_size = bytes_of_number(payload),
                 time_size = bytes_of_number(at_us);
    out[0] = (uint8_t)((entry_size - 1) | (size_size - 1) << 2 | (time_size - 1) << 4);
    hy_store_le(&out[1], entry, 4);
    hy_store_le(&out[1 + entry_size], payload, 4);
    hy_store_le(&out[1 + entry_size + size_size], at_us, 8);
    return 1 + entry_size + size_size + time_size;
}

// What ordinary channels leave free.
static size_t reserve_of(const hy_wpilog *self, bool is_kept)
{
    return is_kept ? 0 : (self->mask + 1) / INPUT_SHARE;
}

// A value, which is what nearly all records are: straight into the ring where it fits before the ring's end. False as below.
static bool value_write(hy_wpilog *self, uint32_t entry, uint64_t at_us, bool is_kept, hy_bytes value)
{
    const size_t most = WPILOG_RECORD_HEAD_MAX + value.size;
    if (value.size > UINT32_MAX || most < value.size) {
        return false;
    }
    uint8_t head[WPILOG_RECORD_HEAD_MAX];
    const size_t head_size = put_head(head, entry, value.size, at_us);
    if (!ring_makes_room(self, head_size + value.size, reserve_of(self, is_kept))) {
        return false;
    }
    const size_t at = self->head & self->mask;
    if (most <= self->mask + 1 - at && ring_fits(self, most, 0)) {
        memcpy(&self->ring[at], head, sizeof head); // its constant size is one or two moves
        if (value.size > 0) {                       // an empty one may have no bytes at all
            memcpy(&self->ring[at + head_size], value.data, value.size);
        }
        self->head += head_size + value.size;
    } else {
        ring_write(self, (hy_bytes){ head, head_size });
        ring_write(self, value);
    }
    atomic_store_explicit(&self->put, self->head, memory_order_release);
    return true;
}

// False: it did not fit, and nothing of it was written.
static bool record_write(hy_wpilog *self, const log_record *record)
{
    size_t payload = 0;
    for (size_t i = 0; i < record->part_count; i++) {
        payload += record->parts[i].size;
    }
    if (payload > UINT32_MAX) {
        return false;
    }
    uint8_t head[WPILOG_RECORD_HEAD_MAX];
    const size_t head_size = put_head(head, record->entry, payload, record->at_us);
    if (!ring_makes_room(self, head_size + payload, reserve_of(self, record->is_kept))) {
        return false;
    }
    ring_write(self, (hy_bytes){ head, head_size });
    for (size_t i = 0; i < record->part_count; i++) {
        ring_write(self, record->parts[i]);
    }
    atomic_store_explicit(&self->put, self->head, memory_order_release);
    return true;
}

typedef struct {
    uint32_t entry;
    const char *prefix, *name, *type, *metadata;
    uint64_t at_us;
} log_start;

static hy_bytes bytes_of_text(const char *text)
{
    return (hy_bytes){ (const uint8_t *)text, strlen(text) };
}

static bool start_write(hy_wpilog *self, const log_start *start)
{
    uint8_t kind_and_entry[1 + 4 + 4], type_size[4], metadata_size[4];
    const hy_bytes prefix = bytes_of_text(start->prefix), name = bytes_of_text(start->name),
                   type = bytes_of_text(start->type), metadata = bytes_of_text(start->metadata);
    kind_and_entry[0] = WPILOG_CONTROL_START;
    hy_store_le(&kind_and_entry[1], start->entry, 4);
    hy_store_le(&kind_and_entry[5], prefix.size + name.size, 4);
    hy_store_le(type_size, type.size, 4);
    hy_store_le(metadata_size, metadata.size, 4);
    const log_record record = {
        .entry = WPILOG_CONTROL_ENTRY,
        .at_us = start->at_us,
        .is_kept = true,
        .parts = { { kind_and_entry, sizeof kind_and_entry },
                   prefix,
                   name,
                   { type_size, sizeof type_size },
                   type,
                   { metadata_size, sizeof metadata_size },
                   metadata },
        .part_count = 7,
    };
    return record_write(self, &record);
}

// --------------------------------------------------------------------------- the sink

static bool is_started(const hy_wpilog *self, hy_channel channel)
{
    return (self->is_started[channel / 8] & 1U << channel % 8) != 0;
}

// What did not fit when the channel was declared is tried again with its first value.
static bool start_channel(hy_wpilog *self, const hy_channel_info *channel, uint64_t now_us)
{
    const log_start start = {
        .entry = FIRST_ENTRY + channel->handle - 1,
        .prefix = channel->is_file_only ? "" : "NT:",
        .name = channel->name,
        .type = channel->type,
        .metadata = channel->metadata,
        .at_us = now_us,
    };
    if (!start_write(self, &start)) {
        return false;
    }
    self->is_started[channel->handle / 8] |= (uint8_t)(1U << channel->handle % 8);
    return true;
}

static void wpilog_declare(void *context, const hy_channel_info *channel, uint64_t now_us)
{
    (void)start_channel(context, channel, now_us);
}

// How many were dropped, once there is room for it.
static void tell_drops(hy_wpilog *self, uint64_t now_us)
{
    uint8_t bytes[8];
    const uint64_t sum = self->drops.values + self->drops.inputs;
    hy_store_le(bytes, sum, sizeof bytes);
    if (value_write(self, DROPPED_ENTRY, now_us, true, (hy_bytes){ bytes, sizeof bytes })) {
        self->drops_told = sum;
    }
}

static void wpilog_put(void *context, const hy_channel_info *channel, uint64_t now_us, hy_bytes value)
{
    hy_wpilog *const self = context;
    if ((is_started(self, channel->handle) || start_channel(self, channel, now_us)) &&
        value_write(self, FIRST_ENTRY + channel->handle - 1, now_us, channel->is_input, value)) {
        if (self->drops_told != self->drops.values + self->drops.inputs) {
            tell_drops(self, now_us);
        }
        return;
    }
    if (channel->is_input) {
        self->drops.inputs++;
    } else {
        self->drops.values++;
    }
}

hy_telemetry_sink hy_wpilog_sink(hy_wpilog *self)
{
    return (hy_telemetry_sink){ self, wpilog_declare, wpilog_put };
}

hy_wpilog_drops hy_wpilog_dropped(const hy_wpilog *self)
{
    return self->drops;
}

// --------------------------------------------------------------------------- start and end

hy_status hy_wpilog_open(const hy_wpilog_options *options, hy_wpilog **out)
{
    size_t room = HY_WPILOG_ROOM_MIN;
    while (room < options->room && room <= SIZE_MAX / 4) {
        room *= 2;
    }
    *out = NULL;
    hy_wpilog *const self = calloc(1, sizeof *self);
    uint8_t *const ring = self == NULL ? NULL : malloc(room);
    if (ring == NULL) {
        free(self);
        return HY_EMEMORY;
    }
    self->options = *options;
    self->ring = ring;
    self->mask = room - 1;
    static const uint8_t header[] = WPILOG_HEADER;
    ring_write(self, (hy_bytes){ header, sizeof header });
    const log_start dropped = { DROPPED_ENTRY, "", "/Halyard/Dropped", "int64", "", 0 };
    (void)start_write(self, &dropped); // fits: the ring is empty but for the header
    *out = self;
    return HY_OK;
}

void hy_wpilog_close(hy_wpilog *self)
{
    if (self != NULL) {
        free(self->ring);
        free(self);
    }
}
