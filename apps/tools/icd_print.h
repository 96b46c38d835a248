/// @file icd_print.h
/// One message of the four-part simulator as text for people, or as one line of JSON for programs.
///
/// JSON, keys always in this order; "body" is the message as it was sent, null if it was refused:
///   {"message":"commands","player":1,"body":{...},"error":null}
///   {"message":"commands","player":1,"body":null,"error":"reset is not 0 or 1"}
#ifndef HALYARD_APPS_ICD_PRINT_H
#define HALYARD_APPS_ICD_PRINT_H

#include <halyard/icd.h>

#include <stdio.h>

/// What a message is, by the port where it arrives.
typedef struct {
    hy_icd_port port; ///< Of player 1.
    unsigned player;  ///< 1 .. HY_ICD_PLAYERS
} icd_print_meaning;

/// False if `to` is not a port of the interface's document, or if `bytes` does not begin as a message does.
bool icd_print_find(uint16_t to, hy_bytes bytes, icd_print_meaning *out);

/// Writes one line of JSON with its end.
void icd_print_json(FILE *out, hy_icd_reader *reader, icd_print_meaning meaning, hy_bytes bytes);

/// Writes a headline that begins with `title`, and the beginning of the message, in one line.
void icd_print_text(FILE *out, hy_icd_reader *reader, icd_print_meaning meaning, hy_bytes bytes,
                    const char *title);

#endif
