// LINK: telemetry base
// Any bytes are read as a WPILOG file: every record lies within them, and records and damage account for every byte.
#include <halyard/telemetry_wpilog.h>

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_within(hy_bytes part, hy_bytes file)
{
    assert(part.size == 0 || (part.data >= file.data && part.size <= file.size &&
                              (size_t)(part.data - file.data) <= file.size - part.size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const hy_bytes file = { data, size };
    hy_wpilog_reader reader;
    if (hy_wpilog_reader_start(&reader, file) != HY_OK) {
        assert(reader.damage != NULL);
        return 0;
    }
    check_within(reader.extra_header, file);
    size_t at = reader.offset;
    for (hy_wpilog_record record; hy_wpilog_next(&reader, &record);) {
        assert(reader.offset > at);
        at = reader.offset;
        check_within(record.value, file);
        check_within(record.name, file);
        check_within(record.type, file);
        check_within(record.metadata, file);
    }
    assert(reader.offset == at && (reader.damage != NULL || at == size));
    return 0;
}
