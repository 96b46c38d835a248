/// @file wrapped.h
/// Sentences that are longer than a line of the terminal.
#ifndef HALYARD_APPS_WRAPPED_H
#define HALYARD_APPS_WRAPPED_H

#include <stddef.h>

/// Prints `text` to stdout in lines of at most `width` bytes, broken at blanks, each ended; all lines but the first are indented by
/// `indent` columns. A word that is longer than `width` is cut.
void print_wrapped(const char *text, size_t width, int indent);

/// Prints paragraphs to stdout, each filled up to lines of at most `width` bytes. An empty line ends a paragraph; a line that begins with a
/// blank or with '{' is an example and printed as it is.
void print_paragraphs(const char *text, size_t width);

#endif
