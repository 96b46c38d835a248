/// @file hex.h
/// Bytes as people type them and as tools print them.
#ifndef HALYARD_APPS_HEX_H
#define HALYARD_APPS_HEX_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    char text[96]; ///< One sentence.
} hex_error;

/// Reads "0x000101 06 12": hex digits in pairs; blanks, ':', '-' and ',' may stand between the pairs. Returns the number of
/// bytes, or -1 with a sentence.
int hex_read(const char *text, uint8_t *bytes, size_t room, hex_error *error);

#endif
