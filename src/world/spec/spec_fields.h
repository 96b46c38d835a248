/// @file spec_fields.h
/// Walking over the fields of a spec by their tables.
#ifndef HY_WORLD_SPEC_FIELDS_H
#define HY_WORLD_SPEC_FIELDS_H

#include <halyard/world_spec.h>

#include <stddef.h>

// For writing the tables: a row, one that a file must give, and a list, of which `tables_` has a table for each type.
#define HY_SPEC_COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define HY_SPEC_TABLE(type, what, fields)                 \
    {                                                     \
        what, sizeof(type), fields, HY_SPEC_COUNT(fields) \
    }
// clang-format off
#define HY_SPEC_ROW(T, type_, section_, name_, member_, low_, high_, unit_)                                \
    { .section = section_, .name = name_, .type = HY_SPEC_##type_, .offset = offsetof(T, member_), \
      .low = low_, .high = high_, .unit = unit_ }
#define HY_SPEC_NEEDED_ROW(T, type_, section_, name_, member_, low_, high_)                                \
    { .section = section_, .name = name_, .type = HY_SPEC_##type_, .offset = offsetof(T, member_), \
      .low = low_, .high = high_, .needed = true }
#define HY_SPEC_LIST_ROW(T, section_, name_, member_, count_, low_, high_, tables_)                        \
    { .section = section_, .name = name_, .type = HY_SPEC_LIST, .offset = offsetof(T, member_),    \
      .count_offset = offsetof(T, count_), .low = low_, .high = high_, .tables = tables_,          \
      .table_count = HY_SPEC_COUNT(tables_) }
// clang-format on

/// How many structs a list has, and where they begin; NULL if a list by pointer is empty.
size_t hy_spec_list_count(const hy_spec_field *field, const void *of);
const void *hy_spec_list_items(const hy_spec_field *field, const void *of);

/// The table of a list's struct: by the enum that it begins with, if there are several. NULL if that enum
/// has no table.
const hy_spec_table *hy_spec_item_table(const hy_spec_field *field, const void *item);

/// The value of an enum or a bool; out of range for what is neither 0 nor 1.
unsigned hy_spec_choice(const void *at);

/// Why a spec is refused.
typedef struct {
    char text[240];
} hy_spec_sentence;

/// Whether every field of a struct is in its range. If not, `why` says which is not: "wheels: grip must be from
/// 0.05 to 2, not 3".
bool hy_spec_check(const hy_spec_table *table, const void *of, hy_spec_sentence *why);

#endif
