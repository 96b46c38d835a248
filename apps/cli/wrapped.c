#include "wrapped.h"

#include <stdbool.h>
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

// Prints the words of the `length` bytes at `text`, the first of them at `column`; returns the column after the last.
static size_t print_words(const char *text, size_t length, size_t column, size_t width)
{
    for (size_t at = 0; at < length;) {
        const size_t word = strcspn(text + at, " \n");
        const bool fits = column + 1 + word <= width;
        printf("%s%.*s", column == 0 ? "" : fits ? " " : "\n", (int)word, text + at);
        column = column > 0 && fits ? column + 1 + word : word;
        at += word + strspn(text + at + word, " ");
    }
    return column;
}

void print_paragraphs(const char *text, size_t width)
{
    size_t column = 0;
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        if (length > 0 && *text != ' ' && *text != '{') {
            column = print_words(text, length, column, width);
        } else {
            printf("%s%.*s\n", column > 0 ? "\n" : "", (int)length, text);
            column = 0;
        }
        text += length + (text[length] == '\n' ? 1 : 0);
    }
    fputs(column > 0 ? "\n" : "", stdout);
}
