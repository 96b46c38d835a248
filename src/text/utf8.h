#ifndef HALYARD_TEXT_UTF8_H
#define HALYARD_TEXT_UTF8_H

#include <halyard/base.h>

/// Bytes of the sequence of two and more that begins at `at`, of which `left` bytes may be read; 0 if it is none.
size_t hy_utf8_sequence(const uint8_t *at, size_t left);

#endif
