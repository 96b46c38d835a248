// `halyard conform`: grades the firmware of a robot.
#include <halyard/robot.h>
#include <halyard/robot_check.h>

#include <stdio.h>
#include <string.h>

#include "cli/app.h"
#include "cli/robot_choices.h"
#include "conform_client.h"
#include "conform_print.h"
#include "options/options.h"
#include "system/system.h"
#include "system/system_signals.h"
#include "system/system_terminal.h"
#include "text/text_plain.h"

#define COMMAND   "halyard conform"
#define NOT_RUN   2
#define HAS_FLAWS 1
#define CLIENT    "client" // instead of a URL
#define LISTEN    "127.0.0.1:3540"

static const char notes[] =
    "Sends packets to the robot, good and malformed ones, and judges what it does: framing, "
    "statuses,\n"
    "sequence numbers, who may drive it, stop, watchdog, encoders. Each defect is reported with "
    "what was\n"
    "sent, what was expected, what came and why it matters.\n"
    "\n"
    "Without --allow-motion every packet disables (control 0), and what cannot be judged that way "
    "is listed\n"
    "as not tested. With it an XRP turns on the spot and a Teensy's modules turn, at most 1.5 s at "
    "a\n"
    "time: put the robot on blocks, or give it a metre of free floor. Nobody else may drive it "
    "meanwhile.\n"
    "Ctrl-C stops the robot.\n"
    "\n"
    "'halyard conform client' grades a program that drives robots (WPILib's extension, XRP-rs, one "
    "of yours)\n"
    "instead: it listens like a robot, says what to do next, and judges every command: numbering, "
    "values,\n"
    "stops, what the program does when the robot falls silent, starts again and sends damaged "
    "statuses, and its last "
    "command.\n"
    "'halyard conform client [OPTION...] -- COMMAND [ARGUMENT...]' starts the program, which finds "
    "the "
    "port in\n"
    "HALYARD_CONFORM_PORT, writes into its standard input what it has to do, and ends it: about 6 "
    "s, "
    "without a person.\n"
    "\n"
    "Exit status: 0 all that was tested passed, 1 the robot or the program has defects, 2 it could "
    "not be "
    "tested.";

typedef struct {
    const char *url, *junit, *listen, *enable, *disable, *end;
    const char *const *command; // behind "--"
    double effort, duration_s;
    int robot;
    bool allow_motion, is_json;
    hy_file_output output; // of --junit
} conform_wishes;

// --------------------------------------------------------------------------- progress

static bool show_progress(void *context, const hy_conform_test *test, size_t index, size_t count)
{
    (void)context;
    if (hy_terminal_is_stream(stderr)) {
        fputs("\r\033[K", stderr);
        hy_print(stderr, "%zu of %zu: %s ...", index + 1, count, test->id);
        fflush(stderr);
    }
    return hy_signals_end();
}

static void end_progress(void)
{
    if (hy_terminal_is_stream(stderr)) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}

// --------------------------------------------------------------------------- the run

/// Opens the file of the results before the run, so that nobody waits a minute for what cannot be written.
static bool open_junit(conform_wishes *wishes)
{
    if (wishes->junit == NULL) {
        return true;
    }
    char error[HY_SYSTEM_ERROR_MAX];
    const bool is_open =
        hy_file_create(&wishes->output, wishes->junit, HY_FILE_OVERWRITE | HY_FILE_PIPES, error);
    if (!is_open) {
        hy_print_error(COMMAND, "--junit %s", error);
    }
    return is_open;
}

static bool close_junit(conform_wishes *wishes)
{
    char error[HY_SYSTEM_ERROR_MAX];
    const bool is_written = hy_file_close(&wishes->output, true, error);
    if (!is_written) {
        hy_print_error(COMMAND, "--junit %s", error);
    }
    return is_written;
}

/// CI systems read what was written whatever the exit status: an empty file is no XML, and nothing no JSON. Returns the exit status.
static int could_not_run(const conform_wishes *wishes, const char *why)
{
    if (wishes->is_json) {
        conform_print_json_error(wishes->url, why);
    }
    if (wishes->output.stream != NULL) {
        conform_print_junit_error(wishes->output.stream, wishes->url, why);
    }
    return NOT_RUN;
}

static int refuse(const conform_wishes *wishes, hy_status status)
{
    char help[HY_ROBOT_MISSING_MAX], missing[HY_ROBOT_MISSING_MAX + 32];
    (void)snprintf(missing, sizeof missing, "no robot answers there; %s",
                   status == HY_EUNREACHABLE ? hy_robot_missing(wishes->url, help) : "");
    const char *const why =
        status == HY_EADDRESS       ? "not a robot's address; one looks like xrp://192.168.42.1"
        : status == HY_EUNREACHABLE ? missing
        : status == HY_EINUSE       ? "another program drives this robot; end it first"
                                    : hy_status_text(status);
    hy_print_error(COMMAND, "%s: %s", wishes->url, why);
    return could_not_run(wishes, why);
}

static int print_report(const conform_wishes *wishes, const hy_conform_report *report)
{
    wishes->is_json ? conform_print_json(report, wishes->url) : conform_print(report, wishes->url);
    if (wishes->output.stream != NULL) {
        conform_print_junit(wishes->output.stream, report, wishes->url);
    }
    return report->failed > 0 ? HAS_FLAWS : APP_OK;
}

static int run(const conform_wishes *wishes)
{
    const hy_conform_options options = { .allow_motion = wishes->allow_motion,
                                         .effort = wishes->effort,
                                         .progress = show_progress };
    hy_conform_report report;
    hy_signals_note_end();
    const hy_status status = hy_conform_run(wishes->url, &options, &report);
    end_progress();
    if (status == HY_AGAIN) {
        hy_print_error(COMMAND, "interrupted; the robot was stopped");
        return could_not_run(wishes, "interrupted; the robot was stopped");
    }
    if (status != HY_OK) {
        return refuse(wishes, status);
    }
    return print_report(wishes, &report);
}

static int run_client(const conform_wishes *wishes, const hy_dialect *dialect)
{
    const conform_client_plan plan = { .listen = wishes->listen != NULL ? wishes->listen : LISTEN,
                                       .dialect = dialect,
                                       .duration_s = wishes->duration_s,
                                       .is_interrupted = hy_signals_end,
                                       .command = wishes->command,
                                       .enable = wishes->enable,
                                       .disable = wishes->disable,
                                       .end = wishes->end };
    hy_conform_report report;
    hy_signals_note_end();
    if (!conform_client_run(COMMAND, &plan, &report)) {
        return could_not_run(wishes, "the program could not be graded; stderr says why");
    }
    return print_report(wishes, &report);
}

// What is behind "--" is the program's; returns how many arguments are ours.
static int take_command(int argc, char **argv, conform_wishes *wishes)
{
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            wishes->command = (const char *const *)&argv[i + 1];
            return i;
        }
    }
    return argc;
}

/// The first option that is not for what is graded; NULL if there is none.
static const char *foreign_option(const conform_wishes *wishes, bool is_client)
{
    if (is_client) {
        return wishes->allow_motion ? "--allow-motion" : wishes->effort > 0.0 ? "--effort" : NULL;
    }
    return wishes->listen != NULL     ? "--listen"
           : wishes->enable != NULL   ? "--enable"
           : wishes->disable != NULL  ? "--disable"
           : wishes->end != NULL      ? "--end"
           : wishes->duration_s > 0.0 ? "--duration"
                                      : NULL;
}

int app_conform(int argc, char **argv)
{
    conform_wishes wishes = { .url = NULL };
    robot_choices robots;
    robot_choices_fill(&robots);
    // clang-format off
    const hy_option options[] = {
        { HY_OPTION(TEXT, conform_wishes, url), .value = "URL", .required = true, .help = "the robot: xrp://HOST[:PORT] or teensy://HOST[:PORT]; or 'client', to grade a program instead" },
        { HY_OPTION(FLAG, conform_wishes, allow_motion), .name = "allow-motion", .help = "the robot may move: run the tests that drive it, too" },
        { HY_OPTION(NUMBER, conform_wishes, effort), .name = "effort", .value = "EFFORT", .low = 0.1, .high = 1.0, .help = "motor effort of these tests, 0.1..1 (default 0.5); raise it if the robot does not start to move" },
        { HY_OPTION(FLAG, conform_wishes, is_json), .name = "json", .help = "print JSON, one object per line: each result, then the sum; or one with the type error" },
        { HY_OPTION(TEXT, conform_wishes, junit), .name = "junit", .value = "FILE", .writes = true, .help = "also write the results as JUnit XML, for CI systems" },
        { HY_OPTION(TEXT, conform_wishes, listen), .name = "listen", .value = "ADDR:PORT", .help = "with 'client': where to listen (default " LISTEN ")" },
        { HY_OPTION(CHOICE, conform_wishes, robot), .name = "robot", .choices = robots.types, .help = "with 'client': which robot to be (default the first)" },
        { HY_OPTION(TEXT, conform_wishes, enable), .name = "enable", .value = "LINE", .help = "with 'client' and COMMAND: what is written into its standard input to enable it" },
        { HY_OPTION(TEXT, conform_wishes, disable), .name = "disable", .value = "LINE", .help = "the same, to disable it" },
        { HY_OPTION(TEXT, conform_wishes, end), .name = "end", .value = "LINE", .help = "the same, to end it (default: SIGTERM)" },
        { HY_OPTION(NUMBER, conform_wishes, duration_s), .name = "duration", .value = "SECONDS", .low = 0.1, .high = 1e6, .help = "with 'client': exit after that time, even if the program still runs (default: when it has ended)" },
    };
    // clang-format on
    hy_option_group groups[] = { HY_OPTION_GROUP(NULL, options, &wishes) };
    const hy_command_line line = {
        COMMAND, "grades the firmware of a robot, or a program that drives robots", groups,
        sizeof groups / sizeof groups[0], notes
    };
    const hy_options_result parsed = hy_options_parse(&line, take_command(argc, argv, &wishes), argv);
    if (parsed != HY_OPTIONS_OK) {
        return app_status(parsed);
    }
    const bool is_client = strcmp(wishes.url, CLIENT) == 0;
    if (wishes.command != NULL && !is_client) {
        hy_print_error(COMMAND, "-- COMMAND goes with 'client'");
        return APP_USAGE;
    }
    const char *const foreign = foreign_option(&wishes, is_client);
    if (foreign != NULL) {
        hy_print_error(COMMAND, "%s is for %s", foreign, is_client ? "robots" : "'client'");
        return APP_USAGE;
    }
    const hy_robot_type *const type = hy_robot_type_at((size_t)wishes.robot);
    if (!open_junit(&wishes)) {
        return NOT_RUN;
    }
    const int outcome = is_client ? run_client(&wishes, type->dialect) : run(&wishes);
    return close_junit(&wishes) ? outcome : NOT_RUN;
}
