/// @file telemetry_numbers.h
/// The numbers in the values of a log file (WPILOG): elements of arrays one by one, and members of
/// structs by the schemas that the file has. For plots, and for tables of text.
///
///     static void print(void *context, const hy_log_number *number)
///     {
///         fprintf(context, "%s = %g\n", number->key, hy_log_number_value(number));
///     }
///
///     static hy_status print_all(hy_wpilog_reader *reader, FILE *file)
///     {
///         hy_log_entries *entries;
///         hy_wpilog_record record;
///         const hy_log_visitor printer = { print, file, SIZE_MAX };
///         const hy_status status = hy_log_entries_open(&entries);
///         while (status == HY_OK && hy_wpilog_next(reader, &record)) {
///             hy_log_entries_take(entries, &record);
///             if (record.kind == HY_WPILOG_VALUE) {
///                 hy_log_visit_numbers(entries, record.entry, record.value, &printer);
///             }
///         }
///         hy_log_entries_close(entries);
///         return status;
///     }
#ifndef HALYARD_TELEMETRY_NUMBERS_H
#define HALYARD_TELEMETRY_NUMBERS_H

#include <halyard/telemetry.h>

/// What a log says of one of its entries. The bytes are the log's.
typedef struct {
    hy_bytes name, type; ///< Without bytes: it was not started.
    hy_bytes first;      ///< Its first value, unless it is the schema of a struct.
    bool has_value;
} hy_log_entry;

/// The entries of a log, and the layouts of its structs: of each, the first schema counts. Entries
/// with numbers from 65536, and those that no memory is left for, are left out.
typedef struct hy_log_entries hy_log_entries;

/// Without entries. HY_OK or HY_EMEMORY; `*out` is NULL then. End it with hy_log_entries_close(),
/// where NULL is harmless. The log's bytes must stay.
hy_status hy_log_entries_open(hy_log_entries **out);
void hy_log_entries_close(hy_log_entries *self);

/// Takes in the log's next record. True: an entry or a layout changed by it; records that it
/// returns false for need not be taken. O(1); a schema O(its size), whatever schemas there are.
bool hy_log_entries_take(hy_log_entries *self, const hy_wpilog_record *record);

/// One more than the highest number of an entry. O(1).
uint32_t hy_log_entries_count(const hy_log_entries *self);

/// The entry; NULL: it was not started. O(1).
const hy_log_entry *hy_log_entries_get(const hy_log_entries *self, uint32_t number);

/// How the bytes of a number are to be read.
typedef enum {
    HY_LOG_BOOLEAN,
    HY_LOG_SIGNED,
    HY_LOG_UNSIGNED,
    HY_LOG_FLOAT,
    HY_LOG_TEXT, ///< No number: characters of a struct, UTF-8.
} hy_log_form;

/// One number of a value.
typedef struct {
    const char *key; ///< "NT:/Pose/translation/x", "NT:/Motors/1". The visitor must copy it.
    hy_log_form form;
    size_t size;          ///< Bytes: 1, 2, 4 or 8; of a text, without the NULs behind it.
    const uint8_t *bytes; ///< In the value.
    uint8_t shift;        ///< Of a bit-field: bits of the bytes that are below it.
    uint8_t width;        ///< Its bits; 0: all.
} hy_log_number;

/// Its bits; those of a signed one extended to 64. 0 of a text. O(1).
uint64_t hy_log_number_bits(const hy_log_number *self);

/// Its value, rounded where a double has too few digits; a boolean's is 0 or 1, a text's 0. O(1).
double hy_log_number_value(const hy_log_number *self);

/// What hy_log_visit_numbers() calls for each number.
typedef struct {
    void (*visit)(void *context, const hy_log_number *number);
    void *context;
    size_t elements_max; ///< Most elements of an array channel that are visited.
} hy_log_visitor;

/// Visits the numbers of a value in the order of its bytes. False: it has something else than
/// numbers, or it is cut; the numbers before that were visited. Structs are WPILib's (wpiutil,
/// doc/struct.adoc), with bit-fields and enumerations, which are numbers, and characters; of one
/// whose schema is wrong, or needs one that the log has not had so far, nothing is visited. Any
/// bytes will do. O(size of the value).
bool hy_log_visit_numbers(const hy_log_entries *self, uint32_t number, hy_bytes value,
                          const hy_log_visitor *visitor);

#endif
