// WPILOG 1.0 read from memory, up to its end or to the first damage.
#include "little_endian.h"
#include "wpilog.h"

#include <halyard/telemetry_wpilog.h>

#include <stdio.h>
#include <string.h>

#define HEADER_SIZE 12 // without the extra header
#define EXTRA_AT    8  // where its size is

// --------------------------------------------------------------------------- bytes that are left

static bool take_bytes(hy_bytes *rest, size_t size, hy_bytes *out)
{
    if (size > rest->size) {
        return false;
    }
    *out = (hy_bytes){ rest->data, size };
    *rest = (hy_bytes){ rest->data + size, rest->size - size };
    return true;
}

static bool take_number(hy_bytes *rest, size_t size, uint64_t *out)
{
    hy_bytes bytes;
    if (!take_bytes(rest, size, &bytes)) {
        return false;
    }
    *out = load_le(bytes.data, size);
    return true;
}

// Bytes behind their length, which has four bytes.
static bool take_text(hy_bytes *rest, hy_bytes *out)
{
    uint64_t size;
    return take_number(rest, 4, &size) && take_bytes(rest, (size_t)size, out);
}

// --------------------------------------------------------------------------- the header

hy_status hy_wpilog_reader_start(hy_wpilog_reader *self, hy_bytes file)
{
    static const uint8_t header[] = WPILOG_HEADER;
    *self = (hy_wpilog_reader){ .file = file };
    hy_bytes rest = file, fixed;
    if (!take_bytes(&rest, HEADER_SIZE, &fixed) || memcmp(fixed.data, header, EXTRA_AT - 2) != 0) {
        self->damage = "the file does not begin with \"WPILOG\"";
        return HY_EFORMAT;
    }
    if (memcmp(fixed.data, header, EXTRA_AT) != 0) {
        self->damage = "the file's version is not 1.0";
        return HY_EFORMAT;
    }
    if (!take_bytes(&rest, (size_t)load_le(fixed.data + EXTRA_AT, 4), &self->extra_header)) {
        self->damage = "the file ends in its extra header";
        return HY_EFORMAT;
    }
    self->offset = file.size - rest.size;
    return HY_OK;
}

void hy_wpilog_reader_continue(hy_wpilog_reader *self, hy_bytes bytes)
{
    self->file = bytes;
    self->offset = 0;
    self->damage = NULL;
}

// --------------------------------------------------------------------------- records

#define HEAD_MAX 17 // bytes of a record in front of its value

// The head of a record; false: it is cut.
static bool read_head(hy_bytes *rest, uint64_t lengths, uint64_t *entry, uint64_t *size,
                      uint64_t *at_us)
{
    const size_t entry_size = (lengths & 3) + 1, size_size = (lengths >> 2 & 3) + 1;
    const size_t time_size = (lengths >> 4 & 7) + 1;
    if (rest->size < HEAD_MAX) {
        return take_number(rest, entry_size, entry) && take_number(rest, size_size, size) &&
               take_number(rest, time_size, at_us);
    }
    *entry = load_le_of_8(rest->data, entry_size);
    *size = load_le_of_8(rest->data + entry_size, size_size);
    *at_us = load_le_of_8(rest->data + entry_size + size_size, time_size);
    const size_t head = entry_size + size_size + time_size;
    *rest = (hy_bytes){ rest->data + head, rest->size - head };
    return true;
}

// Why the record cannot be read, of which there is a byte; NULL: it is in `record`, and behind it begins `rest`.
static const char *read_record(hy_bytes *rest, hy_wpilog_record *record)
{
    uint64_t entry, size;
    hy_bytes payload;
    const uint8_t lengths = rest->data[0];
    *rest = (hy_bytes){ rest->data + 1, rest->size - 1 };
    if ((lengths & 0x80) != 0) {
        return "a record's first byte is not one of WPILOG 1.0";
    }
    if (!read_head(rest, lengths, &entry, &size, &record->at_us) || // neither has more than 32 bits
        !take_bytes(rest, (size_t)size, &payload)) {
        return "the file ends in a record";
    }
    record->entry = (uint32_t)entry;
    record->value = payload;
    return NULL;
}

// A control record; its payload must be used up by what it says.
static const char *read_control(hy_wpilog_record *record)
{
    hy_bytes rest = record->value;
    uint64_t kind, entry;
    bool is_whole = take_number(&rest, 1, &kind) && take_number(&rest, 4, &entry);
    if (!is_whole) {
        return "a control record is too short";
    }
    record->entry = (uint32_t)entry;
    record->value = (hy_bytes){ NULL, 0 };
    switch (kind) {
    case WPILOG_CONTROL_START:
        record->kind = HY_WPILOG_START;
        is_whole = take_text(&rest, &record->name) && take_text(&rest, &record->type) &&
                   take_text(&rest, &record->metadata);
        break;
    case WPILOG_CONTROL_FINISH: record->kind = HY_WPILOG_FINISH; break;
    case WPILOG_CONTROL_SET_METADATA:
        record->kind = HY_WPILOG_SET_METADATA;
        is_whole = take_text(&rest, &record->metadata);
        break;
    default: return "a control record is of an unknown kind";
    }
    return is_whole ? NULL : "a control record is too short";
}

bool hy_wpilog_next(hy_wpilog_reader *self, hy_wpilog_record *record)
{
    hy_bytes rest = { self->file.data + self->offset, self->file.size - self->offset };
    if (self->damage != NULL || rest.size == 0) {
        return false;
    }
    *record = (hy_wpilog_record){ .kind = HY_WPILOG_VALUE };
    self->damage = read_record(&rest, record);
    if (self->damage == NULL && record->entry == WPILOG_CONTROL_ENTRY) {
        self->damage = read_control(record);
    }
    if (self->damage != NULL) {
        return false;
    }
    self->offset = self->file.size - rest.size;
    return true;
}

void hy_wpilog_describe_damage(const hy_wpilog_reader *self, char *out, size_t size)
{
    out[0] = '\0';
    if (self->damage != NULL) {
        (void)snprintf(out, size, "behind offset %zu nothing can be read: %s", self->offset,
                       self->damage);
    }
}
