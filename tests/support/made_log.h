/// @file made_log.h
/// A WPILOG file, made byte by byte in the longest forms of its records.
#ifndef MADE_LOG_H
#define MADE_LOG_H

#include <stdint.h>
#include <string.h>

#include "cmocka_all.h"

typedef struct {
    uint8_t bytes[1 << 20];
    size_t size;
} made_log;

static inline void put(made_log *log, const void *bytes, size_t size)
{
    assert_true(log->size + size <= sizeof log->bytes);
    if (size > 0) {
        memcpy(log->bytes + log->size, bytes, size);
    }
    log->size += size;
}

static inline void put_number(made_log *log, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const uint8_t byte = (uint8_t)(value >> (8 * i));
        put(log, &byte, 1);
    }
}

/// In front of a value of `size` bytes.
static inline void put_head(made_log *log, uint32_t entry, size_t size, uint64_t at_us)
{
    put_number(log, 0x7f, 1);
    put_number(log, entry, 4);
    put_number(log, size, 4);
    put_number(log, at_us, 8);
}

/// Empty, but for its header.
static inline void start_log(made_log *log)
{
    log->size = 0;
    put(log, "WPILOG\0\1\0\0\0\0", 12);
}

static inline void start_entry(made_log *log, uint32_t entry, const char *name, const char *type)
{
    put_head(log, 0, 17 + strlen(name) + strlen(type), 0);
    put_number(log, 0, 1);
    put_number(log, entry, 4);
    put_number(log, strlen(name), 4);
    put(log, name, strlen(name));
    put_number(log, strlen(type), 4);
    put(log, type, strlen(type));
    put_number(log, 0, 4);
}

static inline void put_doubles(made_log *log, uint32_t entry, uint64_t at_us, const double *values,
                               size_t count)
{
    put_head(log, entry, 8 * count, at_us);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        put_number(log, bits, 8);
    }
}

#endif
