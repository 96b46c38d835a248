#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "help.h"
#include "table.h"
#include "text/text.h"
#include "text/text_decimal.h"
#include "text/text_plain.h"

void hy_print_error(const char *program, const char *format, ...)
{
    va_list arguments;
    fflush(stdout);
    hy_print(stderr, "%s: ", program);
    va_start(arguments, format);
    hy_print_arguments(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

// --------------------------------------------------------------------------- the tables

// The positional argument number `index`, counted from 0. A list takes all that are left.
static option_entry find_positional(const hy_command_line *line, size_t index)
{
    option_entry found;
    for (size_t i = 0; (found = option_at(line, i)).option != NULL; i++) {
        if (found.option->name == NULL && (found.option->kind == HY_OPTION_LIST || index-- == 0)) {
            break;
        }
    }
    return found;
}

static void mark_given(option_entry e)
{
    e.group->given |= UINT64_C(1) << (e.option - e.group->options);
}

static bool is_given(const hy_option_group *group, const hy_option *option)
{
    return (group->given >> (option - group->options) & 1) != 0;
}

// --------------------------------------------------------------------------- values

// strtoull() takes "-1" and leading blanks; an option does not.
static bool read_whole(const char *text, uint64_t *out)
{
    char *end = NULL;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

static const char *label(const hy_option *o, char room[64])
{
    snprintf(room, 64, o->name != NULL ? "--%s" : "%s",
             o->name != NULL    ? o->name
             : o->value != NULL ? o->value
                                : "the argument");
    return room;
}

static bool store_number(const char *program, const hy_option *o, double *to, const char *value)
{
    char name[64];
    double number;
    const char *const word = o->choices != NULL ? o->choices[0] : NULL;
    const char *const or = word != NULL ? " or " : "";
    if (word != NULL && strcmp(value, word) == 0) {
        *to = 0.0;
        return true;
    }
    if (!hy_decimal_read(value, &number)) {
        hy_print_error(program, "%s needs a number%s%s, not '%s'", label(o, name), or,
                       word != NULL ? word : "", value);
        return false;
    }
    if (number < o->low || number > o->high) {
        hy_print_error(program, "%s must be between %g and %g%s%s, not %s", label(o, name), o->low,
                       o->high, or, word != NULL ? word : "", value);
        return false;
    }
    *to = number;
    return true;
}

static bool store_whole(const char *program, const hy_option *o, uint64_t *to, const char *value)
{
    char name[64];
    uint64_t number;
    if (!read_whole(value, &number)) {
        hy_print_error(program, "%s needs a whole number of 0 or more, not '%s'", label(o, name),
                       value);
        return false;
    }
    if (o->high > 0 && ((double)number < o->low || (double)number > o->high)) {
        hy_print_error(program, "%s must be between %.0f and %.0f, not %s", label(o, name), o->low,
                       o->high, value);
        return false;
    }
    *to = number;
    return true;
}

static bool store_choice(const char *program, const hy_option *o, int *to, const char *value)
{
    char known[256] = "", name[64];
    for (size_t i = 0; o->choices[i] != NULL; i++) {
        if (strcmp(o->choices[i], value) == 0) {
            *to = (int)i;
            return true;
        }
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s'%s'",
                 i == 0                      ? ""
                 : o->choices[i + 1] != NULL ? ", "
                                             : " or ",
                 o->choices[i]);
    }
    hy_print_error(program, "%s must be %s, not '%s'", label(o, name), known, value);
    return false;
}

static bool store_item(const char *program, const hy_option *o, hy_option_list *to, const char *value)
{
    char name[64];
    if (to->count == to->room) {
        hy_print_error(program, "%s can be given at most %zu times", label(o, name), to->room);
        return false;
    }
    to->items[to->count++] = value;
    return true;
}

static bool store(const char *program, option_entry e, const char *value)
{
    const hy_option *const o = e.option;
    void *const to = (char *)e.group->to + o->offset;
    mark_given(e);
    switch (o->kind) {
    case HY_OPTION_FLAG: *(bool *)to = true; return true;
    case HY_OPTION_TEXT:
    case HY_OPTION_OPTIONAL: *(const char **)to = value; return true;
    case HY_OPTION_NUMBER: return store_number(program, o, to, value);
    case HY_OPTION_WHOLE: return store_whole(program, o, to, value);
    case HY_OPTION_CHOICE: return store_choice(program, o, to, value);
    case HY_OPTION_LIST: return store_item(program, o, to, value);
    }
    return false;
}

// --------------------------------------------------------------------------- the command line

static void refuse_unknown(const hy_command_line *line, const char *argument, const char *name)
{
    hy_suggestion meant = hy_suggestion_start(name, strcspn(name, "="));
    option_entry known;
    for (size_t i = 0; (known = option_at(line, i)).option != NULL; i++) {
        if (known.option->name != NULL) {
            hy_suggestion_consider(&meant, known.option->name);
        }
    }
    if (meant.name != NULL) {
        hy_print_error(line->program, "unknown option '%s'; did you mean --%s?", argument,
                       meant.name);
    } else {
        hy_print_error(line->program, "unknown option '%s'; '%s --help' lists the options",
                       argument, line->program);
    }
}

// Reads the option at argv[i]; returns how many arguments it took, 0 if it is wrong.
static int read_named(const hy_command_line *line, int argc, char **argv, int i)
{
    const char *const name = argv[i] + strspn(argv[i], "-");
    const size_t size = argv[i][1] == '-' ? strcspn(name, "=") : 0; // there are no short options
    const char *value = name[size] == '=' ? name + size + 1 : NULL;
    const option_entry e = option_find(line, name, size);
    if (e.option == NULL) {
        refuse_unknown(line, argv[i], name);
        return 0;
    }
    if (e.option->kind == HY_OPTION_FLAG && value != NULL) {
        hy_print_error(line->program, "--%s takes no value, but '%s' was given", e.option->name,
                       value);
        return 0;
    }
    if (e.option->kind == HY_OPTION_FLAG || e.option->kind == HY_OPTION_OPTIONAL) {
        return store(line->program, e, value != NULL ? value : "") ? 1 : 0;
    }
    const int taken = value != NULL ? 1 : 2;
    value = value == NULL && i + 1 < argc ? argv[i + 1] : value;
    if (value == NULL) {
        hy_print_error(line->program, "--%s needs a value; '%s --help' lists the options",
                       e.option->name, line->program);
        return 0;
    }
    return store(line->program, e, value) ? taken : 0;
}

static bool read_positional(const hy_command_line *line, size_t index, const char *argument)
{
    const option_entry e = find_positional(line, index);
    if (e.option == NULL) {
        hy_print_error(line->program, "unexpected argument '%s'; see '%s --help'", argument,
                       line->program);
    }
    return e.option != NULL && store(line->program, e, argument);
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

// What is required, by itself or by another option, was given.
static bool nothing_missing(const hy_command_line *line)
{
    char name[64];
    option_entry e;
    for (size_t i = 0; (e = option_at(line, i)).option != NULL; i++) {
        const hy_option *const o = e.option;
        if (o->required && !is_given(e.group, o)) {
            hy_print_error(line->program, "%s is missing: %s; see '%s --help'", label(o, name),
                           o->help, line->program);
            return false;
        }
        const option_entry needed =
            is_given(e.group, o) ? option_needed(line, e) : (option_entry){ NULL, NULL };
        if (needed.option != NULL && !is_given(needed.group, needed.option)) {
            const char *const value =
                needed.option->kind != HY_OPTION_OPTIONAL ? needed.option->value : NULL;
            hy_print_error(line->program, "%s needs --%s%s%s", label(o, name), needed.option->name,
                           value != NULL ? " " : "", value != NULL ? value : "");
            return false;
        }
    }
    return true;
}

// --------------------------------------------------------------------------- files

typedef struct {
    const hy_option *option;
    const char *value;
} named_file;

// The `index`-th value of an option.
static const char *value_at(option_entry e, size_t index)
{
    const void *const from = (const char *)e.group->to + e.option->offset;
    const hy_option_list *const list = e.option->kind == HY_OPTION_LIST ? from : NULL;
    if (list != NULL) {
        return index < list->count ? list->items[index] : NULL;
    }
    return index == 0 ? *(const char *const *)from : NULL;
}

// The `index`-th file that the command line names. False: there are no more.
static bool find_file(const hy_command_line *line, size_t index, named_file *out)
{
    option_entry e;
    for (size_t i = 0; (e = option_at(line, i)).option != NULL; i++) {
        out->option = e.option;
        for (size_t k = 0;
             (e.option->reads || e.option->writes) && (out->value = value_at(e, k)) != NULL; k++) {
            if (index-- == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool is_written_over(const char *path, const named_file *file)
{
    return file->option->names != NULL ? file->option->names(file->value, path)
                                       : hy_file_is_same(file->value, path);
}

static bool may_share(const hy_option *writes, const hy_option *other)
{
    return writes->same != NULL && other->name != NULL && strcmp(writes->same, other->name) == 0;
}

// What is written is not read, nor written twice.
static bool has_own_files(const hy_command_line *line)
{
    named_file out, other;
    char name[64], of_other[64];
    for (size_t i = 0; find_file(line, i, &out); i++) {
        if (out.option->reads && is_written_over("/dev/stdout", &out)) {
            hy_print_error(line->program, "%s reads the file %s, into which the standard output goes",
                           label(out.option, name), out.value);
            return false;
        }
        for (size_t k = 0; out.option->writes && find_file(line, k, &other); k++) {
            if (k != i && !may_share(out.option, other.option) && is_written_over(out.value, &other)) {
                hy_print_error(line->program, "%s and %s name the same file, %s; give each its own",
                               label(out.option, name), label(other.option, of_other), out.value);
                return false;
            }
        }
    }
    return true;
}

hy_options_result hy_options_parse(const hy_command_line *line, int argc, char **argv)
{
    if (asks_for_help(argc, argv)) {
        hy_options_help(line);
        return HY_OPTIONS_HELP;
    }
    size_t positionals = 0;
    for (int i = 1; i < argc;) {
        const int taken = is_option(argv[i]) ? read_named(line, argc, argv, i)
                                             : read_positional(line, positionals++, argv[i]);
        if (taken == 0) {
            return HY_OPTIONS_WRONG;
        }
        i += taken;
    }
    bool is_right = nothing_missing(line) && has_own_files(line);
    for (size_t i = 0; i < line->group_count && is_right; i++) {
        const hy_option_group *const group = &line->groups[i];
        is_right = group->check == NULL || group->check(line->program, group->to);
    }
    return is_right ? HY_OPTIONS_OK : HY_OPTIONS_WRONG;
}

void hy_options_each_given(const hy_option_group *group,
                           void (*use)(void *context, const hy_option *option, const char *value),
                           void *context)
{
    for (size_t i = 0; i < group->count; i++) {
        const hy_option *const o = &group->options[i];
        const void *const from = (const char *)group->to + o->offset;
        const hy_option_list *const list = o->kind == HY_OPTION_LIST ? from : NULL;
        char number[32];
        if (!is_given(group, o)) {
            continue;
        }
        for (size_t k = 0; list != NULL && k < list->count; k++) {
            use(context, o, list->items[k]);
        }
        if (o->kind == HY_OPTION_TEXT || o->kind == HY_OPTION_OPTIONAL) {
            use(context, o, *(const char *const *)from);
        } else if (o->kind == HY_OPTION_CHOICE) {
            use(context, o, o->choices[*(const int *)from]);
        } else if (o->kind == HY_OPTION_FLAG) {
            use(context, o, NULL);
        } else if (o->kind == HY_OPTION_NUMBER) {
            (void)snprintf(number, sizeof number, "%.17g", *(const double *)from);
            use(context, o, number);
        } else if (o->kind == HY_OPTION_WHOLE) {
            (void)snprintf(number, sizeof number, "%" PRIu64, *(const uint64_t *)from);
            use(context, o, number);
        }
    }
}
