#include "text_plain.h"

#include "text.h"

#include <string.h>

#include "utf8.h"

#define PRINTED_MAX 8192

// Of the three bytes E2 80 A8 .. E2 80 AE and E2 81 A6 .. E2 81 A9.
static bool turns_order(const uint8_t *at)
{
    return at[0] == 0xE2 && ((at[1] == 0x80 && at[2] >= 0xA8 && at[2] <= 0xAE) ||
                             (at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9));
}

size_t hy_plain_next(hy_bytes text, bool *is_plain)
{
    const uint8_t *const at = text.data;
    const size_t size = *at < 0x80 ? 1 : hy_utf8_sequence(at, text.size);
    *is_plain = size == 1   ? *at >= 0x20 && *at != 0x7F
                : size == 2 ? !(at[0] == 0xC2 && at[1] < 0xA0)
                : size == 3 ? !turns_order(at)
                            : size == 4;
    return size > 0 ? size : 1;
}

void hy_print_plain(FILE *out, hy_bytes text, const char *kept)
{
    size_t begin = 0, at = 0;
    while (at < text.size) {
        bool is_plain;
        const size_t size = hy_plain_next((hy_bytes){ text.data + at, text.size - at }, &is_plain);
        if (!is_plain && (text.data[at] == '\0' || strchr(kept, text.data[at]) == NULL)) {
            (void)fwrite(text.data + begin, 1, at - begin, out);
            (void)fputc('?', out);
            begin = at + size;
        }
        at += size;
    }
    (void)fwrite(text.data + begin, 1, at - begin, out);
}

void hy_print_arguments(FILE *out, const char *format, va_list arguments)
{
    char text[PRINTED_MAX];
    const size_t format_size = strlen(format), head = strspn(format, "\n");
    size_t tail = 0;
    while (tail < format_size - head && format[format_size - 1 - tail] == '\n') {
        tail++;
    }
    (void)vsnprintf(text, sizeof text, format, arguments);
    const size_t size = strlen(text);
    const bool is_cut = size == sizeof text - 1;
    const size_t end = is_cut ? size : size - tail;
    (void)fwrite(format, 1, head, out);
    hy_print_plain(out, (hy_bytes){ (const uint8_t *)text + head, end - head }, "\t");
    (void)fwrite(format + format_size - tail, 1, tail, out);
}

void hy_print(FILE *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    hy_print_arguments(out, format, arguments);
    va_end(arguments);
}
