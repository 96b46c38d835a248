// `halyard drive`: a robot by keyboard or script.
#include <halyard/input.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/app.h"
#include "cli/faults_option.h"
#include "cli/options.h"
#include "drive.h"

#define COMMAND "drive"
#define VIRTUAL "virtual" // instead of a URL

static const char keys_notes[] =
    "Keys: W A S D or the arrows drive; Enter enables; Space or Esc stops; Backspace is the "
    "emergency\n"
    "stop, after which only a new start enables; + and - change the speed; L switches the LED; "
    "1-4\n"
    "choose a servo, ',' and '.' move it; Q quits. Losing the window's focus, Ctrl-Z, a closed "
    "terminal\n"
    "or half a second without the robot stop it as well, and nothing but Enter enables again.\n"
    "\n"
    "A script has one command a line, behind its time in seconds since the start, or '+' and the "
    "time\n"
    "since the line before; '#' begins a comment. Channels count from 0, efforts are -1..1, servo\n"
    "positions 0..1; drive, arcade and led are for an XRP:\n";

static const char script_notes[] =
    "\n"
    "  0     enable\n"
    "  0.5   drive 0.4 0.4\n"
    "  +2    arcade 0 0.3\n"
    "  +1    quit\n"
    "\n"
    "No robot? 'halyard drive virtual' brings its own; without a terminal it drives a lap.\n"
    "\n"
    "In the background of a script ('halyard drive ... &') a shell without job control makes "
    "programs\n"
    "ignore Ctrl-C and SIGINT: end it with SIGTERM ('kill PID'), which stops the robot just the "
    "same.";

// The notes of --help, with a line for each command that a script knows.
static const char *notes(void)
{
    static char text[4096];
    int size = snprintf(text, sizeof text, "%s", keys_notes);
#define DRIVE_NOTE(verb, name, arguments, help) \
    size += snprintf(text + size, sizeof text - (size_t)size, "  %-9s%s\n", name, help);
    SCRIPT_VERBS(DRIVE_NOTE)
#undef DRIVE_NOTE
    snprintf(text + size, sizeof text - (size_t)size, "%s", script_notes);
    return text;
}

static int run(const char *url, const drive_plan *plan, bool by_keys)
{
    if (strcmp(url, VIRTUAL) == 0) {
        return drive_virtual(plan, by_keys);
    }
    session on;
    const int result = session_open(&on, COMMAND, url);
    if (result != APP_OK) {
        return result;
    }
    if (session_inject(&on, &plan->faults)) {
        by_keys ? drive_by_keys(&on, plan) : drive_by_script(&on, plan);
    }
    return session_close(&on);
}

static int run_script(const char *url, const hy_dialect *dialect, const drive_plan *plan,
                      const char *path)
{
    script commands;
    char error[512];
    if (script_load(&commands, dialect, path, error, sizeof error) != HY_OK) {
        app_error(COMMAND, "%s", error);
        return APP_FAILED;
    }
    drive_plan with_script = *plan;
    with_script.script = &commands;
    const int result = run(url, &with_script, false);
    script_free(&commands);
    return result;
}

static int run_checked(const char *url, const drive_plan *plan, const char *script_path)
{
    const bool is_virtual = strcmp(url, VIRTUAL) == 0;
    const hy_dialect *const dialect =
        is_virtual ? drive_virtual_type()->dialect : hy_robot_dialect(url);
    if (dialect == NULL) {
        return session_refuse_url(COMMAND, url);
    }
    if (script_path != NULL) {
        return run_script(url, dialect, plan, script_path);
    }
    const bool is_interactive = hy_terminal_is_there(STDIN_FILENO, STDOUT_FILENO);
    if (is_interactive && hy_robot_type_of_dialect(dialect)->wheels == NULL) {
        app_error(COMMAND,
                  "the keyboard drives two-wheeled robots; a %s:// robot needs --script with "
                  "motor lines",
                  dialect->name);
        return APP_FAILED;
    }
    if (!is_interactive && !is_virtual && plan->duration_s <= 0.0) {
        app_error(COMMAND, "there is no terminal to read keys from; give --script FILE, or "
                           "--duration SECONDS to look on");
        return APP_FAILED;
    }
    return run(url, plan, is_interactive);
}

int app_drive(int argc, char **argv)
{
    const char *url = "", *script_path = NULL;
    drive_plan plan = { .max_effort = 1.0 };
    // clang-format off
    const option options[] = {
        { .value = "URL", .text = &url, .required = true, .help = "the robot: xrp://HOST[:PORT] or teensy://HOST[:PORT], port 3540 if there is none; or 'virtual', an XRP of its own in an arena" },
        { .name = "script", .value = "FILE", .text = &script_path, .help = "execute a script instead of reading keys" },
        { .name = "enable", .flag = &plan.enable, .help = "enable as soon as the robot answers" },
        { .name = "duration", .value = "SECONDS", .number = &plan.duration_s, .low = 0.001, .high = 1e6, .help = "exit after that time" },
        { .name = "faults", .value = "SPEC|FILE|PRESET", .text = &plan.faults_text, .help = FAULTS_HELP " (of the network)" },
        { .name = "max", .value = "EFFORT", .number = &plan.max_effort, .low = 0.1, .high = 1.0, .help = "limit of every motor effort, 0.1..1 (default 1)" },
    };
    // clang-format on
    const command_line line = { COMMAND, "drives a robot from the keyboard or a script", options,
                                sizeof options / sizeof options[0], notes() };
    const options_result result = options_parse(&line, argc, argv);
    if (result != OPTIONS_OK) {
        return result == OPTIONS_HELP ? APP_OK : APP_USAGE;
    }
    if (!faults_option_read(COMMAND, plan.faults_text, &plan.faults)) {
        return APP_USAGE;
    }
    faults_option_announce(COMMAND, plan.faults_text);
    plan.title = url;
    return run_checked(url, &plan, script_path);
}
