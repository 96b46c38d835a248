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
///         const hy_status status = hy_log_entries_create(&entries);
///         while (status == HY_OK && hy_wpilog_next(reader, &record)) {
///             hy_log_entries_take(entries, &record);
///             if (record.kind == HY_WPILOG_VALUE) {
///                 hy_log_visit_numbers(entries, record.entry, record.value, &printer);
///             }
///         }
///         hy_log_entries_destroy(entries);
///         return status;
///     }
#ifndef HALYARD_TELEMETRY_NUMBERS_H
#define HALYARD_TELEMETRY_NUMBERS_H

#include <halyard/telemetry_wpilog.h>

HY_API_BEGIN

/// What a log says of one of its entries. The bytes are the log's.
typedef struct {
    hy_bytes name, type; ///< Without bytes: it was not started.
    hy_bytes schema;     ///< The newest value of an entry that is the schema of a struct.
    hy_bytes first;      ///< The first value of any other entry.
    bool has_value;
} hy_log_entry;

/// The entries of a log. Those with numbers from 65536, and those that no memory is left for, are
/// left out.
typedef struct hy_log_entries hy_log_entries;

/// Without entries. HY_OK or HY_EMEMORY; `*out` is NULL then. End it with hy_log_entries_destroy(),
/// where NULL is harmless. The log's bytes must stay.
hy_status hy_log_entries_create(hy_log_entries **out);
void hy_log_entries_destroy(hy_log_entries *self);

/// Takes in the log's next record. True: an entry changed by it; records that it returns false for
/// need not be taken. O(1).
bool hy_log_entries_take(hy_log_entries *self, const hy_wpilog_record *record);

/// One more than the highest number of an entry. O(1).
uint32_t hy_log_entries_count(const hy_log_entries *self);

/// The entry; NULL: it was not started. O(1).
const hy_log_entry *hy_log_entries_get(const hy_log_entries *self, uint32_t number);

/// How the bytes of a number are to be read.
typedef enum { HY_LOG_BOOLEAN, HY_LOG_SIGNED, HY_LOG_UNSIGNED, HY_LOG_FLOAT } hy_log_form;

/// One number of a value.
typedef struct {
    const char *key; ///< "NT:/Pose/translation/x", "NT:/Motors/1". The visitor must copy it.
    hy_log_form form;
    size_t size;          ///< Bytes: 1, 2, 4 or 8.
    const uint8_t *bytes; ///< In the value.
} hy_log_number;

/// Its bits; those of a signed one extended to 64. O(1).
uint64_t hy_log_number_bits(const hy_log_number *self);

/// Its value, rounded where a double has too few digits; a boolean's is 0 or 1. O(1).
double hy_log_number_value(const hy_log_number *self);

/// What hy_log_visit_numbers() calls for each number.
typedef struct {
    void (*visit)(void *context, const hy_log_number *number);
    void *context;
    size_t elements_max; ///< Most elements of an array channel that are visited.
} hy_log_visitor;

/// Visits the numbers of a value in the order of its bytes. False: it has something else than
/// numbers, or it is cut; the numbers before that were visited. Arrays in structs are understood;
/// bit-fields and enumerations are not. Any bytes will do. O(size of the value and of the schemas).
bool hy_log_visit_numbers(const hy_log_entries *self, uint32_t number, hy_bytes value,
                          const hy_log_visitor *visitor);

HY_API_END

#endif
