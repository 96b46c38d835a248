// Command lines from tables: one table parses, checks, explains what is wrong and prints --help. The tables are constant: an entry says
// where in the caller's struct its value goes, so that a group of options is written once for all programs that take it.
//
//     typedef struct { const char *url; double duration_s; } wishes;
//     static const hy_option table[] = {
//         { HY_OPTION(TEXT, wishes, url), .value = "URL", .required = true, .help = "the robot, for example xrp://localhost" },
//         { HY_OPTION(NUMBER, wishes, duration_s), .name = "duration", .value = "SECONDS", .high = 1e6, .help = "exit after that time" },
//     };
//     hy_option_group groups[] = { HY_OPTION_GROUP(NULL, table, &wishes), HY_OPTION_GROUP("Recording", hy_record_options, &record) };
//     const hy_command_line line = { .program = "halyard drive", .summary = "drives a robot", .groups = groups, .group_count = 2 };
//
// What is not on the command line keeps the value that its variable had before.
#ifndef HALYARD_OPTIONS_OPTIONS_H
#define HALYARD_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "system/system.h"

typedef enum {
    HY_OPTION_FLAG,     ///< A bool, which is set to true.
    HY_OPTION_TEXT,     ///< A const char *, which points into argv.
    HY_OPTION_OPTIONAL, ///< The same for "--name=VALUE"; "--name" alone makes it "".
    HY_OPTION_NUMBER, ///< A finite double within [low, high]; 0 for the word that `choices` may have.
    HY_OPTION_WHOLE,  ///< A uint64_t, decimal, within [low, high] if high is not 0.
    HY_OPTION_CHOICE, ///< An int, the index in `choices`.
    HY_OPTION_LIST,   ///< A hy_option_list, to which each use adds a text.
} hy_option_kind;

/// The values of an option that may be repeated, in order; they point into argv.
typedef struct {
    const char **items; ///< The caller's; room for argc of them is always enough.
    size_t room, count;
} hy_option_list;

/// One option "--name VALUE" (or "--name=VALUE"), one flag "--name", or, without a name, one positional argument.
typedef struct {
    size_t offset; ///< Of its variable in the struct of its group: HY_OPTION() sets this and `kind`.
    const char *name;  ///< Without the dashes; NULL for a positional argument.
    const char *value; ///< How --help calls the value: "FILE"; may be NULL for a flag or a choice.
    const char *help;  ///< One line, small initial, no full stop.
    const char *needs; ///< The name of an option without which this one is refused; NULL: none.
    double low, high;
    const char *const *choices; ///< End with NULL.
    /// Whether `path` is a file that an option which `reads` means by its value; NULL: the value is its path.
    bool (*names)(const char *value, const char *path);
    const char *same; ///< The name of an option that may name the file that this one writes; NULL: none.
    hy_option_kind kind;
    bool required;
    bool reads, writes; ///< A file, which no other option of the command line may write.
} hy_option;

#define HY_OPTION(kind_, type, member) .kind = HY_OPTION_##kind_, .offset = offsetof(type, member)

/// Options that belong together: a table, and the struct that they fill.
typedef struct {
    const char *title; ///< Above them in --help, NULL: none.
    const hy_option *options;
    size_t count; ///< At most 64.
    void *to;     ///< The caller's struct.
    const char *needs; ///< Of each of them that has no `needs` among the options of its program; NULL: none.
    /// Whether what was given is right; false with a sentence. It may read what the texts mean. NULL: it is.
    bool (*check)(const char *program, void *to);
    uint64_t given; ///< Bit n: options[n] was on the command line. Set by hy_options_parse().
} hy_option_group;

#define HY_OPTION_GROUP(title_, table, to_) HY_OPTION_GROUP_CHECKED(title_, table, to_, NULL)
#define HY_OPTION_GROUP_CHECKED(title_, table, to_, check_)                               \
    {                                                                                     \
        .title = (title_), .options = (table), .count = sizeof(table) / sizeof(table)[0], \
        .to = (to_), .check = (check_)                                                    \
    }

/// A whole command line.
typedef struct {
    const char *program; ///< With its subcommand: "halyard board".
    const char *summary; ///< One sentence for --help, small initial, no full stop; NULL: none.
    hy_option_group *groups;
    size_t group_count;
    const char *notes; ///< Printed at the end of --help; NULL: none.
} hy_command_line;

typedef enum {
    HY_OPTIONS_OK,
    HY_OPTIONS_HELP,  ///< --help was asked for and printed to stdout: exit with 0.
    HY_OPTIONS_WRONG, ///< A sentence went to stderr: exit with 2.
} hy_options_result;

/// Reads `argv[1]` .. `argv[argc - 1]` into the variables of the tables, and has the groups check them, in order.
hy_options_result hy_options_parse(const hy_command_line *line, int argc, char **argv);

/// Calls `use` for each option of the group that was given, with its value: NULL for a flag, "" for a HY_OPTION_OPTIONAL without one; once
/// for each item of a list. The text of a number is only there during the call. For groups that a program hands on to another that it
/// starts.
void hy_options_each_given(const hy_option_group *group,
                           void (*use)(void *context, const hy_option *option, const char *value),
                           void *context);

/// Prints "PROGRAM: " and the sentence to stderr, with the end of the line, after what waits in stdout.
__attribute__((format(printf, 2, 3))) void hy_print_error(const char *program, const char *format,
                                                          ...);

/// Prints `text` to stdout in lines of at most `width` bytes, broken at blanks, each ended; all lines but the first are indented by
/// `indent` columns. A word that is longer than `width` is cut.
void hy_print_wrapped(const char *text, size_t width, int indent);

#endif
