// `halyard replay`: what a recording holds.
#include <errno.h>
#include <halyard/link.h>
#include <halyard/replay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app.h"
#include "export.h"
#include "host/host_page.h"
#include "host/host_record.h"
#include "options/options.h"
#include "serve.h"
#include "system/system.h"
#include "system/system_child.h"
#include "text/text_plain.h"

#define COMMAND "halyard replay"

typedef struct {
    const char *path;
    const char *with;
    hy_host_record record; // of what it does
    bool verify;
    int export_as; // -1: nothing is exported
    serve_options serve;
} replay_options;

// What does not go together.
static bool check(const char *program, void *to)
{
    replay_options *const o = to;
    const bool has_part = o->serve.from_s > 0 || o->serve.to_s < EXPORT_TO_END_S;
    const bool shows = !o->verify && o->export_as < 0 && o->with == NULL;
    const struct {
        bool is_wrong;
        const char *why;
    } rules[] = {
        { o->verify && o->export_as >= 0, "--verify and --export do not go together" },
        { has_part && (o->verify || o->with != NULL),
          "--from and --to choose what is shown or exported: leave out --verify and --with" },
        { o->serve.from_s > o->serve.to_s, "--from is behind --to: nothing is left" },
        { o->with != NULL && (o->verify || o->export_as >= 0),
          "--with goes together with --record and --overwrite only" },
        { !shows && o->serve.nt.listen != NULL,
          "--nt plays the recording: leave out --verify, --export and --with" },
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].is_wrong) {
            hy_print_error(program, "%s", rules[i].why);
            return false;
        }
    }
    o->serve.page.view = shows ? o->serve.page.view : NULL;
    return true;
}

static hy_options_result read_options(int argc, char **argv, replay_options *out)
{
    // clang-format off
    static const char notes[] =
        "Shows the recording in the browser, with a time line to play, pause, jump and slow down. Its picture comes from recorded values;\n"
        "nothing is simulated for it. --nt also serves its channels, at the pace of the page, to AdvantageScope, Elastic and other clients\n"
        "of NetworkTables; of a file without poses these alone. Their names are those that were recorded, of WPILib 2026 or 2027\n"
        "(--nt-dialect of the program that recorded them).\n\n"
        "--verify runs the recorded simulation again, from its recorded inputs, and compares its state every 0.5 s. It ends with 0 if\n"
        "all states agree up to the end of the file, or to where it was cut; with 1 if one differs, which it names; and with 2 if that\n"
        "cannot be decided: another version has recorded the file, or Halyard has not.";
    static const char *const formats[] = { "csv", NULL };
    *out = (replay_options){ .serve = { .page.view = "", .speed = 1, .to_s = EXPORT_TO_END_S }, .export_as = -1 };
    const hy_option table[] = {
        { HY_OPTION(TEXT, replay_options, path), .value = "FILE", .reads = true, .required = true, .help = "a recording (--record FILE)" },
        { HY_OPTION(NUMBER, replay_options, serve.speed), .name = "speed", .value = "X", .low = 0.1, .high = 16, .help = "how fast it is played at the start, 0.1..16 times real time (default 1)" },
        { HY_OPTION(CHOICE, replay_options, export_as), .name = "export", .choices = formats, .help = "print every value: a line of Timestamp,Key,Value each" },
        { HY_OPTION(NUMBER, replay_options, serve.from_s), .name = "from", .value = "SECONDS", .high = EXPORT_TO_END_S, .help = "begin there, in the file's time; with --export: leave out what is earlier" },
        { HY_OPTION(NUMBER, replay_options, serve.to_s), .name = "to", .value = "SECONDS", .high = EXPORT_TO_END_S, .help = "end there; with --export: leave out what is later" },
        { HY_OPTION(TEXT, replay_options, with), .name = "with", .value = "PROGRAM", .reads = true, .help = "run its simulation again with this robot program in it, and print what is different; --record records that" },
        { HY_OPTION(FLAG, replay_options, verify), .name = "verify", .help = "run its simulation again and compare; exit 0 equal, 1 different, 2 undecided" },
    };
    // clang-format on
    hy_option_group page = hy_host_page_group(&out->serve.page);
    page.count = 2; // it has no seats
    hy_option_group record = hy_host_record_group(&out->record, HY_HOST_RECORD_FILE);
    record.needs = "with";
    hy_option_group groups[] = { HY_OPTION_GROUP_CHECKED(NULL, table, out, check), record, page,
                                 hy_host_nt_group(&out->serve.nt),
                                 hy_host_names_group(&out->serve.names, true) };
    const hy_command_line line = { COMMAND, "shows what a recording holds, and runs it again",
                                   groups, sizeof groups / sizeof groups[0], notes };
    return hy_options_parse(&line, argc, argv);
}

static int verify(const char *path, hy_bytes file)
{
    hy_replay_report report;
    const int64_t start_us = hy_clock_now_us();
    hy_replay_verify(file, &report);
    const double took_s = (double)(hy_clock_now_us() - start_us) * 1e-6;
    if (report.result != HY_REPLAY_EQUAL) {
        hy_print_error(COMMAND, "%s: %s", path, report.text);
        return report.result == HY_REPLAY_DIFFERS ? 1 : 2;
    }
    hy_print(stdout, "%s: %s\n", path, report.text);
    if (took_s > 0 && report.simulated_s >= 1) {
        hy_print_error(COMMAND, "took %.3f s, %.0f times real time", took_s,
                       report.simulated_s / took_s);
    }
    return 0;
}

// The program has the whole library in it: it runs the simulation itself. Returns only if it cannot be started.
static int run_with_program(const replay_options *options)
{
    const char *words[] = { options->with, "--what-if", options->path, NULL, NULL, NULL, NULL };
    if (options->record.path != NULL) {
        words[3] = "--record";
        words[4] = options->record.path;
        words[5] = options->record.overwrite ? "--overwrite" : NULL;
    }
    hy_child_become(words);
    hy_print_error(COMMAND, "%s: cannot be started: %s", options->with, strerror(errno));
    return APP_USAGE;
}

static int run(const replay_options *options, hy_bytes file)
{
    if (options->verify) {
        return verify(options->path, file);
    }
    if (options->export_as >= 0) {
        const export_part part = { options->serve.from_s, options->serve.to_s };
        return export_csv(COMMAND, options->path, file, &part) ? APP_OK : APP_FAILED;
    }
    return serve_recording(COMMAND, options->path, file, &options->serve);
}

int app_replay(int argc, char **argv)
{
    replay_options options;
    const hy_options_result result = read_options(argc, argv, &options);
    if (result != HY_OPTIONS_OK) {
        return app_status(result);
    }
    if (options.with != NULL) {
        return run_with_program(&options);
    }
    hy_bytes file;
    char why[HY_SYSTEM_ERROR_MAX];
    if (!hy_file_map(options.path, &file, why)) {
        hy_print_error(COMMAND, "%s", why);
        return APP_USAGE; // 1 says that something differs
    }
    const int exit_status = run(&options, file);
    hy_file_unmap(&file);
    return exit_status;
}
