/// @file vectors.h
/// Reads the vector files under tests/golden: lines of "NAME | hex bytes | what they mean".
#ifndef HALYARD_TESTS_VECTORS_H
#define HALYARD_TESTS_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VECTORS_MAX      256
#define VECTOR_BYTES_MAX 512

typedef struct {
    char name[160], meaning[400];
    uint8_t bytes[VECTOR_BYTES_MAX];
    size_t size;
} vector;

typedef struct {
    vector items[VECTORS_MAX];
    size_t count;
} vectors;

/// Loads `file` (relative to tests/golden) into `out`; lines that start with '#' and empty ones are left out.
/// Where `has_bytes` is false, the lines are "NAME | meaning | remark"; remarks are left out.
/// Ends the program with a sentence if the file cannot be read or a line is not of that form.
void vectors_load(const char *file, bool has_bytes, vectors *out);

/// The vector called `name`, or NULL.
const vector *vectors_find(const vectors *self, const char *name);

#endif
