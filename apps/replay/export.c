// Elements of arrays and members of structs get lines of their own.
#include "export.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/base_bytes.h"
#include "cli/app.h"
#include "telemetry/telemetry_numbers.h"
#include "text/text_plain.h"

#define KEY_MAX     350
#define ENTRIES_MAX 65536 // hy_log_entries has no more

typedef struct {
    const export_part *part;
    hy_wpilog_times times;
    hy_log_entries *entries;
    uint64_t left_out; // values
    size_t channels;   // of these
    bool is_left_out[ENTRIES_MAX];
    char names[200]; // of the first of them
    double at_s;
} exporter;

// --------------------------------------------------------------------------- lines

// What a spreadsheet would compute. Numbers, names and options (--players 2) stay as they are: behind a sign they call nothing.
static bool is_formula(const uint8_t *text, size_t size)
{
    static const char harmless[] =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ -._,:/";
    if (size == 0 || text[0] == '\0' || strchr("=+-@\t\r", text[0]) == NULL) {
        return false;
    }
    size_t at = 1;
    while (at < size && text[at] != '\0' && strchr(harmless, text[at]) != NULL) {
        at++;
    }
    return at < size || strchr("+-", text[0]) == NULL;
}

// Ends of lines are part of values.
static void print_cell(const char *text, size_t size, bool is_quoted)
{
    const uint8_t *const bytes = (const uint8_t *)text;
    (void)fputs(is_quoted ? "\"" : "", stdout);
    (void)fputs(is_formula(bytes, size) ? "'" : "", stdout);
    for (size_t at = 0; at < size;) {
        const uint8_t *const quote = memchr(bytes + at, '"', size - at);
        const size_t end = quote != NULL ? (size_t)(quote - bytes) + 1 : size;
        hy_print_plain(stdout, (hy_bytes){ bytes + at, end - at }, "\t\n");
        (void)fputs(quote != NULL ? "\"" : "", stdout); // a quotation mark is doubled
        at = end;
    }
    (void)fputs(is_quoted ? "\"" : "", stdout);
}

static void begin_line(const exporter *self, const char *key)
{
    printf("%.6f,", self->at_s);
    print_cell(key, strlen(key), strpbrk(key, ",\"\r\n") != NULL);
    (void)putchar(',');
}

static void print_number(void *context, const hy_log_number *number)
{
    const uint64_t bits = hy_log_number_bits(number);
    begin_line(context, number->key);
    switch (number->form) {
    case HY_LOG_BOOLEAN: (void)puts(bits != 0 ? "true" : "false"); break;
    case HY_LOG_SIGNED: printf("%" PRId64 "\n", (int64_t)bits); break;
    case HY_LOG_UNSIGNED: printf("%" PRIu64 "\n", bits); break;
    case HY_LOG_FLOAT:
        printf("%.*g\n", number->size == 4 ? 9 : 17, hy_log_number_value(number));
        break;
    case HY_LOG_TEXT:
        print_cell((const char *)number->bytes, number->size, true);
        (void)putchar('\n');
        break;
    }
}

// --------------------------------------------------------------------------- values

static void print_text(const exporter *self, const char *key, hy_bytes text)
{
    begin_line(self, key);
    print_cell((const char *)text.data, text.size, true);
    (void)putchar('\n');
}

static bool print_texts(const exporter *self, const char *key, hy_bytes value)
{
    for (size_t i = 0; value.size >= 4; i++) {
        char element[KEY_MAX + 24];
        value = (hy_bytes){ value.data + 4, value.size - 4 }; // the count, then the lengths
        if (value.size < 4) {
            return value.size == 0;
        }
        const size_t size = (size_t)hy_load_le(value.data, 4);
        if (size > value.size - 4) {
            return false;
        }
        (void)snprintf(element, sizeof element, "%s/%zu", key, i);
        print_text(self, element, (hy_bytes){ value.data + 4, size });
        value = (hy_bytes){ value.data + size, value.size - size };
    }
    return true;
}

static bool print_value(exporter *self, const hy_wpilog_record *record)
{
    const hy_log_entry *const entry = hy_log_entries_get(self->entries, record->entry);
    const hy_log_visitor visitor = { print_number, self, SIZE_MAX };
    char key[KEY_MAX];
    if (entry == NULL) {
        return false;
    }
    (void)snprintf(key, sizeof key, "%.*s",
                   (int)(entry->name.size < KEY_MAX ? entry->name.size : KEY_MAX),
                   (const char *)entry->name.data);
    if (hy_wpilog_text_is(entry->type, "string") || hy_wpilog_text_is(entry->type, "json")) {
        print_text(self, key, record->value);
        return true;
    }
    if (hy_wpilog_text_is(entry->type, "string[]")) {
        return print_texts(self, key, record->value);
    }
    return hy_wpilog_text_is(entry->type, "structschema") ||
           hy_log_visit_numbers(self->entries, record->entry, record->value, &visitor);
}

static void leave_out(exporter *self, uint32_t number)
{
    const hy_log_entry *const entry = hy_log_entries_get(self->entries, number);
    self->left_out++;
    if (entry != NULL && !self->is_left_out[number]) {
        self->is_left_out[number] = true;
        self->channels++;
        hy_wpilog_list_name(self->names, sizeof self->names, entry->name);
    }
}

// Without --from and --to, outliers are not exported.
static bool is_asked_for(const exporter *self, uint64_t at_us)
{
    const bool is_part = self->part->from_s > 0 || self->part->to_s < EXPORT_TO_END_S;
    return is_part ? self->at_s >= self->part->from_s && self->at_s <= self->part->to_s
                   : !hy_wpilog_is_outlier(&self->times, at_us);
}

static void take_record(exporter *self, const hy_wpilog_record *record)
{
    (void)hy_log_entries_take(self->entries, record);
    self->at_s = (double)record->at_us * 1e-6;
    if (record->kind == HY_WPILOG_VALUE && is_asked_for(self, record->at_us) &&
        !print_value(self, record)) {
        leave_out(self, record->entry);
    }
}

static void report(const exporter *self, const char *command, const char *path, hy_bytes file,
                   const hy_wpilog_reader *reader)
{
    char damage[600];
    hy_wpilog_describe_damage(reader, damage, sizeof damage);
    if (self->part->from_s <= 0 && self->part->to_s >= EXPORT_TO_END_S) {
        hy_wpilog_describe_outliers(&self->times, file, damage, sizeof damage);
    }
    if (damage[0] != '\0') {
        hy_print_error(command, "%s: %s", path, damage);
    }
    if (self->left_out > 0) {
        hy_print_error(
            command,
            "%s: %" PRIu64 " values of %zu channel%s are left out, of raw bytes, unknown "
            "types, or structs without a schema: %s",
            path, self->left_out, self->channels, self->channels == 1 ? "" : "s", self->names);
    }
}

// The schema of a struct may stand behind values of it, so all are read first.
static bool read_schemas(exporter *self, hy_wpilog_reader reader)
{
    hy_wpilog_record record;
    if (hy_log_entries_open(&self->entries) != HY_OK) {
        return false;
    }
    while (hy_wpilog_next(&reader, &record)) {
        (void)hy_log_entries_take(self->entries, &record);
    }
    return true;
}

bool export_csv(const char *command, const char *path, hy_bytes file, const export_part *part)
{
    hy_wpilog_reader reader;
    hy_wpilog_record record;
    if (hy_wpilog_reader_init(&reader, file) != HY_OK) {
        hy_print_error(command, "%s: it is no log file (WPILOG): %s", path, reader.damage);
        return false;
    }
    exporter self = { .part = part, .times = hy_wpilog_find_times(file) };
    if (!read_schemas(&self, reader)) {
        hy_print_error(command, "there is not enough memory");
        return false;
    }
    (void)puts("Timestamp,Key,Value");
    while (hy_wpilog_next(&reader, &record)) {
        take_record(&self, &record);
    }
    report(&self, command, path, file, &reader);
    hy_log_entries_close(self.entries);
    return true;
}
