/// @file json_text.h
/// Texts of the JSON that subcommands print for other programs.
#ifndef HALYARD_APPS_JSON_TEXT_H
#define HALYARD_APPS_JSON_TEXT_H

/// Prints `text` as a JSON string to stdout, quoted and escaped.
void json_text(const char *text);

/// Prints the key of a member, with its colon.
void json_key(const char *key);

#endif
