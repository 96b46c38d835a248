/// @file options.h
/// Command lines from a table: one table parses, checks, explains what is wrong and prints --help.
///
///     double duration_s = 0.0;
///     const char *url = NULL;
///     const option options[] = {
///         { .value = "URL", .text = &url, .required = true, .help = "the robot, for example xrp://localhost" },
///         { .name = "duration", .value = "SECONDS", .number = &duration_s, .high = 1e6, .help = "end after that long" },
///     };
///     const command_line line = { "drive", "drives a robot from the keyboard", options, 2, NULL };
///
/// What is not on the command line keeps the value that its variable had before.
#ifndef HALYARD_APPS_OPTIONS_H
#define HALYARD_APPS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <halyard/web.h>

/// The values of an option that may be repeated, in order; they point into argv.
typedef struct {
    const char **items; ///< The caller's; room for argc of them is always enough.
    size_t room, count;
} option_list;

/// One option "--name VALUE" (or "--name=VALUE"), one flag "--name", or, without a name, one positional argument.
/// Exactly one of the pointers is set: it says which type the option has and where its value goes. Or `flag` and `text` are: then
/// the value is optional, and only "--name=VALUE" gives it.
typedef struct {
    const char *name;  ///< Without the dashes; NULL for a positional argument.
    const char *value; ///< How --help calls the value: "FILE"; may be NULL for a flag or a choice.
    const char *help;  ///< One line, small initial, no full stop.
    bool required;

    bool *flag;        ///< Set to true.
    const char **text; ///< Points into argv.
    option_list *list; ///< Each use adds one text.
    double *number;    ///< Finite, within [low, high].
    uint64_t *whole;   ///< Decimal, 0 .. 2^64 - 1.
    int *choice;       ///< Index in `choices`.

    hy_web_names *names; ///< Each use adds one by `allow`, which refuses what is not as `value` says.
    bool (*allow)(hy_web_names *names, const char *value);

    double low, high;           ///< Of `number`.
    const char *const *choices; ///< Of `choice`; ends with NULL.
} option;

/// A whole command line.
typedef struct {
    const char *command; ///< The subcommand: "board".
    const char *summary; ///< One sentence for --help, small initial, no full stop.
    const option *options;
    size_t option_count;
    const char *notes; ///< Printed at the end of --help; NULL for none.
} command_line;

typedef enum {
    OPTIONS_OK,
    OPTIONS_HELP,  ///< --help was asked for and printed to stdout: exit with APP_OK.
    OPTIONS_WRONG, ///< A sentence went to stderr: exit with APP_USAGE.
} options_result;

/// Reads `argv[1]` .. `argv[argc - 1]` into the variables of the table.
options_result options_parse(const command_line *line, int argc, char **argv);

#endif
