// LINK: telemetry base
// Any bytes are read as a WPILOG file: every record lies within them, and records and damage account for every byte.
// Numbers lie in their values, in the order of their bytes: bit-fields may share some.

#include <assert.h>

#include "telemetry/telemetry_numbers.h"

#define LOW_ENTRIES 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_within(hy_bytes part, hy_bytes file)
{
    assert(part.size == 0 || (part.data >= file.data && part.size <= file.size &&
                              (size_t)(part.data - file.data) <= file.size - part.size));
}

static void check_number(void *context, const hy_log_number *number)
{
    hy_bytes *const rest = context; // from the last number on
    check_within((hy_bytes){ number->bytes, number->size }, *rest);
    assert(number->form == HY_LOG_TEXT || number->size == 1 || number->size == 2 ||
           number->size == 4 || number->size == 8);
    (void)hy_log_number_value(number);
    const size_t before = (size_t)(number->bytes - rest->data);
    *rest = (hy_bytes){ number->bytes, rest->size - before };
}

static void check_numbers(const hy_log_entries *entries, const hy_wpilog_record *record)
{
    hy_bytes rest = record->value;
    const hy_log_visitor visitor = { check_number, &rest, SIZE_MAX };
    (void)hy_log_visit_numbers(entries, record->entry, record->value, &visitor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const hy_bytes file = { data, size };
    hy_wpilog_reader reader;
    if (hy_wpilog_reader_init(&reader, file) != HY_OK) {
        assert(reader.damage != NULL);
        return 0;
    }
    check_within(reader.extra_header, file);
    hy_log_entries *entries;
    if (hy_log_entries_open(&entries) != HY_OK) {
        return 0;
    }
    const hy_wpilog_times times = hy_wpilog_find_times(file);
    uint64_t outliers = 0;
    size_t at = reader.offset;
    for (hy_wpilog_record record; hy_wpilog_next(&reader, &record);) {
        assert(reader.begin >= at && reader.offset > reader.begin); // between them are skipped ones
        at = reader.offset;
        outliers += record.kind == HY_WPILOG_VALUE && hy_wpilog_is_outlier(&times, record.at_us);
        check_within(record.value, file);
        check_within(record.name, file);
        check_within(record.type, file);
        check_within(record.metadata, file);
        if (size % 16 != 0) { // the table of all entries is as long as their highest number
            record.entry %= LOW_ENTRIES;
        }
        (void)hy_log_entries_take(entries, &record);
        if (record.kind == HY_WPILOG_VALUE) {
            check_numbers(entries, &record);
        }
    }
    hy_log_entries_close(entries);
    assert(reader.offset >= at && (reader.damage != NULL || reader.offset == size));
    assert((reader.offset == at || reader.skipped > 0) && outliers == times.outliers);
    char text[300] = "";
    hy_wpilog_describe_damage(&reader, text, sizeof text);
    hy_wpilog_describe_outliers(&times, file, text, sizeof text);
    return 0;
}
