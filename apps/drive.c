// `halyard drive`: a robot by keyboard or script.
#include <halyard/input.h>

#include <string.h>
#include <unistd.h>

#include "app.h"
#include "drive.h"
#include "options.h"

#define COMMAND "drive"

static const char notes[] = "Keys: W A S D or the arrows drive; Enter enables; Space or Esc stops; "
                            "Backspace is the emergency stop, after which\n"
                            "only a new start enables; + and - change the speed; L switches the "
                            "LED; 1-4 choose a servo, ',' and '.' move it;\n"
                            "Q quits. Losing the window's focus, Ctrl-Z, a closed terminal or half "
                            "a second without the robot stop it as well,\n"
                            "and nothing but Enter enables again.\n"
                            "\n"
                            "A script has one command a line, behind its time in seconds since the "
                            "start, or '+' and the time since the line\n"
                            "before; '#' begins a comment. Channels count from 0, efforts are "
                            "-1..1, servo positions 0..1; drive, arcade and led are for an XRP:\n"
#define DRIVE_NOTE(verb, name, arguments, help) "  " name "\t" help "\n"
    SCRIPT_VERBS(DRIVE_NOTE)
#undef DRIVE_NOTE
        "\n"
        "  0     enable\n"
        "  0.5   drive 0.4 0.4\n"
        "  +2    arcade 0 0.3\n"
        "  +1    quit";

static int run(const char *url, const drive_plan *plan, bool by_keys)
{
    session on;
    const int result = session_open(&on, COMMAND, url);
    if (result != APP_OK) {
        return result;
    }
    by_keys ? drive_by_keys(&on, plan) : drive_by_script(&on, plan);
    return session_close(&on);
}

static int run_checked(const char *url, const drive_plan *plan, const char *script_path)
{
    if (strcmp(url, "virtual") == 0 && script_path == NULL) {
        return drive_virtual();
    }
    const hy_dialect *const dialect = hy_robot_dialect(url);
    if (dialect == NULL) {
        return session_refuse_url(COMMAND, url);
    }
    const bool is_interactive =
        script_path == NULL && hy_terminal_is_there(STDIN_FILENO, STDOUT_FILENO);
    if (is_interactive && dialect == &hy_dialect_teensy) {
        app_error(COMMAND, "the keyboard drives two-wheeled robots; a teensy:// robot needs "
                           "--script with motor lines");
        return APP_FAILED;
    }
    if (!is_interactive && script_path == NULL && plan->duration_s <= 0.0) {
        app_error(COMMAND, "there is no terminal to read keys from; give --script FILE, or "
                           "--duration SECONDS to look on");
        return APP_FAILED;
    }
    if (script_path == NULL) {
        return run(url, plan, is_interactive);
    }
    script commands;
    char error[512];
    if (script_load(&commands, dialect, script_path, error, sizeof error) != HY_OK) {
        app_error(COMMAND, "%s", error);
        return APP_FAILED;
    }
    drive_plan with_script = *plan;
    with_script.script = &commands;
    const int result = run(url, &with_script, false);
    script_free(&commands);
    return result;
}

int app_drive(int argc, char **argv)
{
    const char *url = "", *script_path = NULL;
    drive_plan plan = { .max_effort = 1.0 };
    // clang-format off
    const option options[] = {
        { .value = "URL", .text = &url, .required = true, .help = "the robot: xrp://HOST[:PORT], port 3540 if there is none; or virtual, for one of its own in an arena" },
        { .name = "script", .value = "FILE", .text = &script_path, .help = "do what the file says instead of reading keys" },
        { .name = "enable", .flag = &plan.enable, .help = "enable as soon as the robot answers" },
        { .name = "duration", .value = "SECONDS", .number = &plan.duration_s, .low = 0.001, .high = 1e6, .help = "end after that long" },
        { .name = "max", .value = "EFFORT", .number = &plan.max_effort, .low = 0.1, .high = 1.0, .help = "the largest effort of a motor, 0.1..1 (default 1)" },
    };
    // clang-format on
    const command_line line = { COMMAND, "drives a robot from the keyboard or a script", options,
                                sizeof options / sizeof options[0], notes };
    const options_result result = options_parse(&line, argc, argv);
    if (result != OPTIONS_OK) {
        return result == OPTIONS_HELP ? APP_OK : APP_USAGE;
    }
    plan.title = url;
    return run_checked(url, &plan, script_path);
}
