#include "json_text.h"

#include <stdio.h>

// SPEC RFC 8259 7.
void json_text(const char *text)
{
    putchar('"');
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            printf("\\%c", *c);
        } else if ((unsigned char)*c < 0x20) {
            printf("\\u%04x", (unsigned)(unsigned char)*c);
        } else {
            putchar(*c);
        }
    }
    putchar('"');
}

void json_key(const char *key)
{
    json_text(key);
    putchar(':');
}
