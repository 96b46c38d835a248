// WPILOG 1.0 read from memory, up to its end or to where it is cut.
#include "base/base_bytes.h"
#include "wpilog.h"

#include <halyard/telemetry.h>

#include <inttypes.h>
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
    *out = hy_load_le(bytes.data, size);
    return true;
}

// Bytes behind their length, which has four bytes.
static bool take_text(hy_bytes *rest, hy_bytes *out)
{
    uint64_t size;
    return take_number(rest, 4, &size) && take_bytes(rest, (size_t)size, out);
}

// --------------------------------------------------------------------------- the header

// Why a file that does not begin as a log is none.
static const char *name_format(hy_bytes file)
{
#define PACKED(name, how) "it is packed by " name ": unpack it with " how
    static const struct {
        const char *magic, *why;
    } formats[] = {
        { "\3757zXZ", PACKED("xz", "xz -d <FILE >NEW.wpilog") },
        { "\037\213", PACKED("gzip", "gzip -d <FILE >NEW.wpilog") },
        { "\050\265\057\375", PACKED("zstd", "zstd -d <FILE >NEW.wpilog") },
        { "BZh", PACKED("bzip2", "bzip2 -d <FILE >NEW.wpilog") },
        { "PK\003\004", PACKED("zip", "unzip FILE") },
    };
#undef PACKED
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const size_t size = strlen(formats[i].magic);
        if (file.size >= size && memcmp(file.data, formats[i].magic, size) == 0) {
            return formats[i].why;
        }
    }
    return "the file does not begin with \"WPILOG\"";
}

hy_status hy_wpilog_reader_init(hy_wpilog_reader *self, hy_bytes file)
{
    static const uint8_t header[] = WPILOG_HEADER;
    *self = (hy_wpilog_reader){ .file = file };
    hy_bytes rest = file, fixed;
    if (!take_bytes(&rest, HEADER_SIZE, &fixed) || memcmp(fixed.data, header, EXTRA_AT - 2) != 0) {
        self->damage = name_format(file);
        return HY_EFORMAT;
    }
    if (memcmp(fixed.data, header, EXTRA_AT) != 0) {
        self->damage = "the file's version is not 1.0";
        return HY_EFORMAT;
    }
    if (!take_bytes(&rest, (size_t)hy_load_le(fixed.data + EXTRA_AT, 4), &self->extra_header)) {
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
    *entry = hy_load_le_of_8(rest->data, entry_size);
    *size = hy_load_le_of_8(rest->data + entry_size, size_size);
    *at_us = hy_load_le_of_8(rest->data + entry_size + size_size, time_size);
    const size_t head = entry_size + size_size + time_size;
    *rest = (hy_bytes){ rest->data + head, rest->size - head };
    return true;
}

// A control record; its payload must be used up by what it says.
static const char *read_control(hy_wpilog_record *record)
{
    hy_bytes rest = record->value;
    uint64_t kind, entry;
    bool is_whole = take_number(&rest, 1, &kind) && take_number(&rest, 4, &entry);
    if (!is_whole) {
        return "it is too short for a control record";
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
    default: return "it is a control record of an unknown kind";
    }
    return is_whole ? NULL : "it is too short for a control record";
}

// The next record of any kind, of which there is a byte. False: the file ends in it.
static bool take_record(hy_bytes *rest, hy_wpilog_record *record)
{
    uint64_t entry, size;
    const uint8_t lengths = rest->data[0];
    *rest = (hy_bytes){ rest->data + 1, rest->size - 1 };
    if (!read_head(rest, lengths, &entry, &size, &record->at_us) || // neither has more than 32 bits
        !take_bytes(rest, (size_t)size, &record->value)) {
        return false;
    }
    record->entry = (uint32_t)entry;
    return true;
}

bool hy_wpilog_next(hy_wpilog_reader *self, hy_wpilog_record *record)
{
    while (self->damage == NULL && self->offset < self->file.size) {
        hy_bytes rest = { self->file.data + self->offset, self->file.size - self->offset };
        *record = (hy_wpilog_record){ .kind = HY_WPILOG_VALUE };
        if (!take_record(&rest, record)) {
            self->damage = "the file ends in a record";
            return false;
        }
        self->begin = self->offset;
        const char *const why = (self->file.data[self->begin] & 0x80) != 0
                                    ? "its first byte is not one of WPILOG 1.0"
                                : record->entry == WPILOG_CONTROL_ENTRY ? read_control(record)
                                                                        : NULL;
        self->offset = self->file.size - rest.size;
        if (why == NULL) {
            return true;
        }
        self->skipped++;
        if (self->why_skipped == NULL) {
            self->why_skipped = why;
            self->first_skipped = self->begin;
        }
    }
    return false;
}

void hy_wpilog_describe_damage(const hy_wpilog_reader *self, char *out, size_t size)
{
    int length = 0;
    out[0] = '\0';
    if (self->skipped > 0) {
        length = snprintf(out, size,
                          "%" PRIu64 " record%s cannot be read and %s skipped, the first at offset "
                          "%zu: %s",
                          self->skipped, self->skipped == 1 ? "" : "s",
                          self->skipped == 1 ? "is" : "are", self->first_skipped, self->why_skipped);
    }
    if (self->damage != NULL && length >= 0 && (size_t)length < size) {
        (void)snprintf(out + length, size - (size_t)length,
                       "%sbehind offset %zu nothing can be read: %s", length > 0 ? "; " : "",
                       self->offset, self->damage);
    }
}

void hy_wpilog_list_name(char *list, size_t room, hy_bytes name)
{
    static const char join[] = ", ", more[] = " ..";
    const size_t size = strlen(list), head = size > 0 ? strlen(join) : 0;
    const size_t kept = strlen(more) + 1; // what there must be room for behind this name
    if (size >= strlen(more) && strcmp(list + size - strlen(more), more) == 0) {
        return;
    }
    if (name.size + head + kept > room - size) {
        memcpy(list + size, more, sizeof more);
        return;
    }
    memcpy(list + size, join, head);
    hy_wpilog_copy_text(name, list + size + head, name.size + 1);
}
