#include "help.h"

#include <stdio.h>
#include <string.h>

#include "table.h"

#define HELP_COLUMN 26  // where the explanations start
#define HELP_WIDTH  100 // columns of a line

// --------------------------------------------------------------------------- filling lines

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

void hy_print_wrapped(const char *text, size_t width, int indent)
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

// Prints paragraphs to stdout, each filled up to lines of at most `width` bytes. An empty line ends a paragraph; a line that begins with
// a blank or with '{' is an example and printed as it is.
static void print_paragraphs(const char *text, size_t width)
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

// --------------------------------------------------------------------------- the parts of --help

// "--bugs none|stock", "--world NAME|FILE", "--nt[=ADDR:PORT]", "URL"; returns the width.
static int print_syntax(const hy_option *o)
{
    int width = o->name != NULL ? printf("--%s", o->name) : 0;
    const char *gap = o->name != NULL ? " " : "";
    if (o->kind == HY_OPTION_OPTIONAL) {
        width += printf("[=%s]", o->value);
    } else if (o->value != NULL) {
        width += printf("%s%s", gap, o->value);
    } else if (o->kind == HY_OPTION_CHOICE) {
        for (size_t i = 0; o->choices[i] != NULL; i++) {
            width += printf("%s%s", i == 0 ? gap : "|", o->choices[i]);
        }
    }
    return width;
}

static void print_usage(const hy_command_line *line)
{
    printf("Usage: %s", line->program);
    bool has_named = false;
    for (size_t g = 0; g < line->group_count; g++) {
        for (size_t i = 0; i < line->groups[g].count; i++) {
            const hy_option *o = &line->groups[g].options[i];
            if (o->name != NULL && !o->required) {
                has_named = true;
                continue;
            }
            printf(o->required ? " " : " [");
            print_syntax(o);
            printf(o->required ? "" : "]");
        }
    }
    printf(has_named ? " [OPTION...]\n" : "\n");
}

// `needed`: the name of an option without which this one is refused, or NULL.
static void print_explained(int width, const char *needed, const char *help)
{
    char text[1024];
    if (width >= HELP_COLUMN - 1) {
        putchar('\n');
        width = 0;
    }
    printf("%*s", HELP_COLUMN - width, "");
    (void)snprintf(text, sizeof text, "%s%s%s%s", needed != NULL ? "with --" : "",
                   needed != NULL ? needed : "", needed != NULL ? ": " : "", help);
    hy_print_wrapped(text, HELP_WIDTH - HELP_COLUMN, HELP_COLUMN);
}

void hy_options_help(const hy_command_line *line)
{
    print_usage(line);
    if (line->summary != NULL) {
        printf("\n%s %s.\n", line->program, line->summary);
    }
    size_t index = 0;
    for (size_t g = 0; g < line->group_count; g++) {
        const hy_option_group *const group = &line->groups[g];
        if (group->title != NULL) {
            printf("\n%s:\n", group->title);
        } else if (g == 0) {
            putchar('\n');
        }
        for (size_t i = 0; i < group->count; i++, index++) {
            const int width = printf("  ") + print_syntax(&group->options[i]);
            const option_entry needed = option_needed(line, option_at(line, index));
            print_explained(width, needed.option != NULL ? needed.option->name : NULL,
                            group->options[i].help);
        }
    }
    putchar('\n');
    print_explained(printf("  --help"), NULL, "print this help and exit");
    if (line->notes != NULL) {
        putchar('\n');
        print_paragraphs(line->notes, HELP_WIDTH);
    }
}
