#include "options.h"

#include <halyard/text_decimal.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "suggest.h"
#include "wrapped.h"

#define HELP_COLUMN 26  // where the explanations of --help start
#define HELP_WIDTH  100 // columns of a line of --help

// --------------------------------------------------------------------------- help

// "--bugs none|stock", "--world NAME|FILE", "URL"; returns the width.
static int print_syntax(const option *o)
{
    int width = o->name != NULL ? printf("--%s", o->name) : 0;
    const char *gap = o->name != NULL ? " " : "";
    if (o->flag != NULL && o->text != NULL) {
        width += printf("[=%s]", o->value);
    } else if (o->value != NULL) {
        width += printf("%s%s", gap, o->value);
    } else if (o->choices != NULL) {
        for (size_t i = 0; o->choices[i] != NULL; i++) {
            width += printf("%s%s", i == 0 ? gap : "|", o->choices[i]);
        }
    }
    return width;
}

static void print_usage(const command_line *line)
{
    printf("Usage: halyard %s", line->command);
    bool has_named = false;
    for (size_t i = 0; i < line->option_count; i++) {
        const option *o = &line->options[i];
        if (o->name != NULL && !o->required) {
            has_named = true;
            continue;
        }
        printf(o->required ? " " : " [");
        print_syntax(o);
        printf(o->required ? "" : "]");
    }
    printf(has_named ? " [OPTION...]\n" : "\n");
}

static void print_explained(int width, const char *help)
{
    if (width >= HELP_COLUMN - 1) {
        putchar('\n');
        width = 0;
    }
    printf("%*s", HELP_COLUMN - width, "");
    print_wrapped(help, HELP_WIDTH - HELP_COLUMN, HELP_COLUMN);
}

static void print_help(const command_line *line)
{
    print_usage(line);
    printf("\nhalyard %s %s.\n\n", line->command, line->summary);
    for (size_t i = 0; i < line->option_count; i++) {
        const option *o = &line->options[i];
        const int width = printf("  ") + print_syntax(o);
        print_explained(width, o->help);
    }
    print_explained(printf("  --help"), "print this help and exit");
    if (line->notes != NULL) {
        putchar('\n');
        print_paragraphs(line->notes, HELP_WIDTH);
    }
}

// --------------------------------------------------------------------------- values

// strtoull() takes "-1" and leading blanks; an option does not.
static bool read_whole(const char *text, uint64_t *out)
{
    if (text[0] < '0' || text[0] > '9') {
        return false;
    }
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (*end != '\0' || errno != 0) {
        return false;
    }
    *out = value;
    return true;
}

static const char *label(const option *o, char room[64])
{
    snprintf(room, 64, o->name != NULL ? "--%s" : "%s",
             o->name != NULL    ? o->name
             : o->value != NULL ? o->value
                                : "the argument");
    return room;
}

static bool store_number(const command_line *line, const option *o, const char *value)
{
    char name[64];
    double number;
    if (!hy_decimal_read(value, &number)) {
        app_error(line->command, "%s needs a number, not '%s'", label(o, name), value);
        return false;
    }
    if (number < o->low || number > o->high) {
        app_error(line->command, "%s must be between %g and %g, not %s", label(o, name), o->low,
                  o->high, value);
        return false;
    }
    *o->number = number;
    return true;
}

static bool store_choice(const command_line *line, const option *o, const char *value)
{
    char known[256] = "";
    for (size_t i = 0; o->choices[i] != NULL; i++) {
        if (strcmp(o->choices[i], value) == 0) {
            *o->choice = (int)i;
            return true;
        }
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s'%s'",
                 i == 0                      ? ""
                 : o->choices[i + 1] != NULL ? ", "
                                             : " or ",
                 o->choices[i]);
    }
    char name[64];
    app_error(line->command, "%s must be %s, not '%s'", label(o, name), known, value);
    return false;
}

static bool store(const command_line *line, const option *o, const char *value)
{
    char name[64];
    if (o->text != NULL) {
        *o->text = value;
        return true;
    }
    if (o->number != NULL) {
        return store_number(line, o, value);
    }
    if (o->choice != NULL) {
        return store_choice(line, o, value);
    }
    if (o->whole != NULL) {
        if (!read_whole(value, o->whole)) {
            app_error(line->command, "%s needs a whole number of 0 or more, not '%s'",
                      label(o, name), value);
            return false;
        }
        return true;
    }
    if (o->names != NULL) {
        const bool ok = o->allow(o->names, value);
        if (!ok) {
            app_error(line->command, "%s needs %s, up to %d times in all, not '%s'", label(o, name),
                      o->value, HY_WEB_NAMES_MAX, value);
        }
        return ok;
    }
    if (o->list->count == o->list->room) {
        app_error(line->command, "%s can be given at most %zu times", label(o, name), o->list->room);
        return false;
    }
    o->list->items[o->list->count++] = value;
    return true;
}

// --------------------------------------------------------------------------- the command line

static const char *suggest(const command_line *line, const char *name)
{
    suggestion meant = suggestion_start(name, strcspn(name, "="));
    for (size_t i = 0; i < line->option_count; i++) {
        if (line->options[i].name != NULL) {
            suggestion_consider(&meant, line->options[i].name);
        }
    }
    return meant.name;
}

// The option that `argument` names; `*value` is what follows a '=', or NULL.
static const option *find_named(const command_line *line, const char *argument, const char **value)
{
    const char *name = argument + strspn(argument, "-");
    const size_t length = argument[1] == '-' ? strcspn(name, "=") : 0; // there are no short options
    *value = name[length] == '=' ? name + length + 1 : NULL;
    for (size_t i = 0; i < line->option_count; i++) {
        const option *o = &line->options[i];
        if (o->name != NULL && strlen(o->name) == length && memcmp(o->name, name, length) == 0) {
            return o;
        }
    }
    const char *const meant = suggest(line, name);
    if (meant != NULL) {
        app_error(line->command, "unknown option '%s'; did you mean --%s?", argument, meant);
    } else {
        app_error(line->command, "unknown option '%s'; 'halyard %s --help' lists the options",
                  argument, line->command);
    }
    return NULL;
}

// The positional argument number `index`, counted from 0; NULL if there is none.
static const option *find_positional(const command_line *line, size_t index)
{
    for (size_t i = 0; i < line->option_count; i++) {
        const option *o = &line->options[i];
        if (o->name == NULL && (o->list != NULL || index-- == 0)) {
            return o;
        }
    }
    return NULL;
}

// Reads the option at argv[i]; returns how many arguments it took, 0 if it is wrong.
static int read_named(const command_line *line, int argc, char **argv, int i, const option **found)
{
    const char *value = NULL;
    const option *o = find_named(line, argv[i], &value);
    if (o == NULL) {
        return 0;
    }
    *found = o;
    if (o->flag != NULL) {
        if (value != NULL && o->text == NULL) {
            app_error(line->command, "--%s takes no value, but '%s' was given", o->name, value);
            return 0;
        }
        *o->flag = true;
        return value == NULL || store(line, o, value) ? 1 : 0;
    }
    const int taken = value != NULL ? 1 : 2;
    if (value == NULL && i + 1 < argc) {
        value = argv[i + 1];
    }
    if (value == NULL) {
        app_error(line->command, "--%s needs a value; 'halyard %s --help' lists the options",
                  o->name, line->command);
        return 0;
    }
    return store(line, o, value) ? taken : 0;
}

static bool read_positional(const command_line *line, size_t index, const char *argument,
                            const option **found)
{
    const option *o = find_positional(line, index);
    if (o == NULL) {
        app_error(line->command, "unexpected argument '%s'; see 'halyard %s --help'", argument,
                  line->command);
        return false;
    }
    *found = o;
    return store(line, o, argument);
}

static bool is_option(const char *argument)
{
    return argument[0] == '-' && argument[1] != '\0'; // "-" alone is a file: the standard input
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

static bool nothing_missing(const command_line *line, uint64_t seen)
{
    for (size_t i = 0; i < line->option_count; i++) {
        if (line->options[i].required && (seen >> i & 1) == 0) {
            char name[64];
            app_error(line->command, "%s is missing: %s; see 'halyard %s --help'",
                      label(&line->options[i], name), line->options[i].help, line->command);
            return false;
        }
    }
    return true;
}

options_result options_parse(const command_line *line, int argc, char **argv)
{
    if (asks_for_help(argc, argv)) {
        print_help(line);
        return OPTIONS_HELP;
    }
    uint64_t seen = 0; // bit n: option n was given
    size_t positionals = 0;
    for (int i = 1; i < argc;) {
        const option *found = NULL;
        int taken = 1;
        if (is_option(argv[i])) {
            taken = read_named(line, argc, argv, i, &found);
        } else if (!read_positional(line, positionals++, argv[i], &found)) {
            taken = 0;
        }
        if (taken == 0) {
            return OPTIONS_WRONG;
        }
        seen |= UINT64_C(1) << (found - line->options);
        i += taken;
    }
    return nothing_missing(line, seen) ? OPTIONS_OK : OPTIONS_WRONG;
}
