/// @file ready_line.h
/// The line that a program prints once it can be reached, for other programs to read (docs/spec/ready.md):
/// "halyard: ready KEY=VALUE ...". Sentences are for people and may change.
#ifndef HALYARD_APPS_READY_LINE_H
#define HALYARD_APPS_READY_LINE_H

#include <halyard/base.h>

#include <stdbool.h>
#include <stdio.h>

#define READY_LINE_MAX 512

/// All zero: nothing to tell but that it is ready.
typedef struct {
    char pairs[READY_LINE_MAX];
} ready_line;

/// Adds KEY=VALUE; no blanks in either. What does not fit is left out.
__attribute__((format(printf, 3, 4))) void ready_line_add(ready_line *self, const char *key,
                                                          const char *format, ...);

/// Adds KEY=ADDR:PORT, an address to connect to from this machine: loopback if `listen` stands for every address.
void ready_line_add_address(ready_line *self, const char *key, const hy_endpoint *listen);

/// Prints it, at once.
void ready_line_print(const ready_line *self, FILE *out);

/// Whether a line without its end is one.
bool ready_line_is(const char *line);

/// The first value of `key` in such a line. False, and `out` is "", if there is none or it does not fit.
bool ready_line_find(const char *line, const char *key, char *out, size_t size);

#endif
