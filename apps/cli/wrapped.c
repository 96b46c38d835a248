#include "wrapped.h"

#include <stdio.h>
#include <string.h>

// Bytes of `text` that go into its next line.
static size_t line_length(const char *text, size_t width)
{
    size_t length = strlen(text);
    if (length > width) {
        length = width;
        while (length > 0 && text[length] != ' ') {
            length--;
        }
        length = length > 0 ? length : width;
    }
    return length;
}

void print_wrapped(const char *text, size_t width, int indent)
{
    for (int before = 0; *text != '\0'; before = indent) {
        const size_t length = line_length(text, width);
        printf("%*s%.*s\n", before, "", (int)length, text);
        text += length + strspn(text + length, " ");
    }
}
