/// @file host_ready.h
/// The line that a program prints once it can be reached, for other programs to read (docs/spec/ready.md):
/// "halyard: ready KEY=VALUE ...". Sentences are for people and may change.
#ifndef HALYARD_HOST_READY_H
#define HALYARD_HOST_READY_H

#include <halyard/base.h>

#include <stdbool.h>
#include <stdio.h>

#define HY_READY_LINE_MAX 512

/// All zero: nothing to tell but that it is ready.
typedef struct {
    char pairs[HY_READY_LINE_MAX];
} hy_ready_line;

/// Adds KEY=VALUE; no blanks in either. What does not fit is left out.
__attribute__((format(printf, 3, 4))) void hy_ready_line_add(hy_ready_line *self, const char *key,
                                                             const char *format, ...);

/// Adds KEY=ADDR:PORT, an address to connect to from this machine: loopback if `listen` stands for every address; then KEY_others has
/// those that other machines can use, if there are any.
void hy_ready_line_add_address(hy_ready_line *self, const char *key, const hy_endpoint *listen);

/// Prints it, at once.
void hy_ready_line_print(const hy_ready_line *self, FILE *out);

/// Whether a line without its end is one.
bool hy_ready_line_is(const char *line);

/// The first value of `key` in such a line. False, and `out` is "", if there is none or it does not fit.
bool hy_ready_line_find(const char *line, const char *key, char *out, size_t size);

#endif
