/// @file text_json.h
/// JSON of any shape, looked at value by value: for messages whose members are not known
/// beforehand. text.h reads objects that a table describes.
///
///     static void print_name(hy_bytes message)
///     {
///         hy_json_reader *reader = hy_json_reader_open(4096);
///         const hy_json_value *root = reader != NULL ? hy_json_parse(reader, message) : NULL;
///         const char *name = hy_json_string(hy_json_member(root, "name"));
///         puts(name != NULL ? name : "no name");
///         hy_json_reader_close(reader);
///     }
///
/// Values live in the reader until it reads again. A NULL value is allowed everywhere, and is of
/// no type.
#ifndef HALYARD_TEXT_JSON_H
#define HALYARD_TEXT_JSON_H

#include "text.h"

/// A value in a reader's memory.
typedef struct hy_json_value hy_json_value;

/// Parses a whole text. NULL if it is no JSON, longer than the reader takes or nested too deep;
/// hy_json_reader_why() says which.
const hy_json_value *hy_json_parse(hy_json_reader *reader, hy_bytes text);

/// The member `key` of an object, the last of several; NULL: no object, or it has none.
/// O(members).
const hy_json_value *hy_json_member(const hy_json_value *object, const char *key);

/// A string; NULL if it is none, or has a NUL inside.
const char *hy_json_string(const hy_json_value *value);

/// A number into `*out`; false if it is none that a double holds.
bool hy_json_number(const hy_json_value *value, double *out);

/// True or false into `*out`; false if it is neither.
bool hy_json_flag(const hy_json_value *value, bool *out);

/// Whether it is a null.
bool hy_json_is_null(const hy_json_value *value);

/// Whether it is an object.
bool hy_json_is_object(const hy_json_value *value);

/// The items of a list, or the members of an object, one after the other.
typedef struct {
    const hy_json_value *at; ///< The next one, or its key.
    size_t left;
    bool has_keys;
} hy_json_items;

/// The items of `value`; none if it is neither a list nor an object. O(1).
hy_json_items hy_json_items_of(const hy_json_value *value);

/// The next item, and in an object its key (else NULL); false at the end. A key with a NUL inside
/// is "". O(1).
bool hy_json_next(hy_json_items *items, const char **key, const hy_json_value **value);

/// Writes a value as JSON again, without spaces. Returns its size; 0 if it does not fit, is nested
/// over 8 levels or has a NUL in a string.
size_t hy_json_copy(const hy_json_value *value, hy_room room);

#endif
