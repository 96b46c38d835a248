#include "json_text.h"

#include <stdio.h>
#include <string.h>

#include "text/text_plain.h"

// SPEC RFC 8259 7: the code point of a character of one to three bytes, to which all belong that are not plain; none for no UTF-8.
static void print_escaped(const uint8_t *at, size_t size)
{
    const unsigned rest = size > 1 ? at[1] & 0x3Fu : 0;
    const unsigned point = size == 1   ? at[0]
                           : size == 2 ? (at[0] & 0x1Fu) << 6 | rest
                                       : (at[0] & 0x0Fu) << 12 | rest << 6 | (at[2] & 0x3Fu);
    if (size == 1 && point >= 0x80) {
        putchar('?');
    } else {
        printf("\\u%04x", point);
    }
}

void json_text(const char *text)
{
    putchar('"');
    hy_bytes rest = { (const uint8_t *)text, strlen(text) };
    while (rest.size > 0) {
        bool is_plain;
        const size_t size = hy_plain_next(rest, &is_plain);
        if (!is_plain) {
            print_escaped(rest.data, size);
        } else if (*rest.data == '"' || *rest.data == '\\') {
            printf("\\%c", *rest.data);
        } else {
            (void)fwrite(rest.data, 1, size, stdout);
        }
        rest = (hy_bytes){ rest.data + size, rest.size - size };
    }
    putchar('"');
}

void json_key(const char *key)
{
    json_text(key);
    putchar(':');
}
