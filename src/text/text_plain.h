// Printing texts that somebody else may have written: file names, messages, logs, names of clients. No byte of them steers a terminal or
// begins a line of its own. tests/unit/test_foreign_texts.py sees to it that programs print such texts in no other way.
#ifndef HALYARD_TEXT_TEXT_PLAIN_H
#define HALYARD_TEXT_TEXT_PLAIN_H

#include <halyard/base.h>

#include <stdarg.h>
#include <stdio.h>

/// Bytes of the UTF-8 character that begins `text`, which is not empty; 1 if it begins with none. `*is_plain`: it can be printed. Not so
/// are bytes that are no UTF-8, control characters (U+0000 to U+001F, U+007F to U+009F), ends of lines, and what turns the order of others
/// around (U+2028 to U+202E, U+2066 to U+2069).
size_t hy_plain_next(hy_bytes text, bool *is_plain);

/// Prints `text` with '?' for each character that is not plain, unless it is one of `kept`, which may be "\t\n".
void hy_print_plain(FILE *out, hy_bytes text, const char *kept);

/// As fprintf(), with '?' for what is not plain; only tabs, and the ends of lines with which `format` begins and ends, are printed as they
/// are. At most 8,191 bytes.
__attribute__((format(printf, 2, 3))) void hy_print(FILE *out, const char *format, ...);
__attribute__((format(printf, 2, 0))) void hy_print_arguments(FILE *out, const char *format,
                                                              va_list arguments);

#endif
