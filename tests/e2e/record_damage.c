// Reads a log file to its end, or to the damage, which it names with its offset: record_damage FILE. Fails if the damage is another one
// than that the file ends in a record, or if it has no values.
#include <halyard/telemetry.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **arguments)
{
    static uint8_t bytes[1 << 24];
    FILE *const file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    if (file == NULL) {
        return 2;
    }
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    hy_wpilog_reader reader;
    unsigned long values = 0;
    const hy_status status = hy_wpilog_reader_init(&reader, (hy_bytes){ bytes, size });
    for (hy_wpilog_record record; status == HY_OK && hy_wpilog_next(&reader, &record);) {
        values += record.kind == HY_WPILOG_VALUE;
    }
    (void)printf("%lu values in %zu bytes; at byte %zu: %s\n", values, size, reader.offset,
                 reader.damage != NULL ? reader.damage : "the end");
    const bool is_cut =
        reader.damage != NULL && strcmp(reader.damage, "the file ends in a record") == 0;
    return values > 0 && (reader.damage == NULL || is_cut) ? 0 : 1;
}
