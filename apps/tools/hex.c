#include "hex.h"

#include <stdio.h>
#include <string.h>

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *const found = c != '\0' ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;
    return found != NULL ? (int)(found - digits) : -1;
}

static int refuse_digit(const char *text, const char *wrong, hex_error *error)
{
    if (*wrong == '\0') {
        (void)snprintf(error->text, sizeof error->text,
                       "ends with half a byte; every byte has two hex digits");
    } else {
        (void)snprintf(error->text, sizeof error->text, "character %d, '%c', is no hex digit",
                       (int)(wrong - text) + 1, *wrong);
    }
    return -1;
}

int hex_read(const char *text, uint8_t *bytes, size_t room, hex_error *error)
{
    size_t size = 0;
    const char *p = strncmp(text, "0x", 2) == 0 ? text + 2 : text;
    while (*p != '\0') {
        if (strchr(" \t:-,", *p) != NULL) {
            p++;
            continue;
        }
        const int high = hex_digit(p[0]);
        const int low = high >= 0 ? hex_digit(p[1]) : -1;
        if (low < 0) {
            return refuse_digit(text, high < 0 ? p : p + 1, error);
        }
        if (size == room) {
            (void)snprintf(error->text, sizeof error->text,
                           "longer than %zu bytes, the longest UDP datagram", room);
            return -1;
        }
        bytes[size++] = (uint8_t)(high << 4 | low);
        p += 2;
    }
    return (int)size;
}
