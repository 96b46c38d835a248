// `halyard`: finds the subcommand and runs it.
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <halyard/base.h>

#include "app.h"
#include "system/system.h"
#include "system/system_signals.h"
#include "text/text.h"
#include "text/text_plain.h"

static const struct {
    const char *name, *does;
    app_run *run;
} apps[] = {
    { "board", "runs a virtual robot that behaves like the real hardware", app_board },
    { "calibrate", "measures an XRP, so that a virtual one behaves like it", app_calibrate },
    { "conform", "grades the firmware of a robot, or a program that drives robots", app_conform },
    { "core", "maps a player's sticks to the motor commands of a robot", app_core },
    { "doctor", "finds robots, measures the link to one, and reports problems", app_doctor },
    { "drive", "drives a robot from the keyboard or a script", app_drive },
    { "dump", "decodes robot packets to text or JSON", app_dump },
    { "extension", "prints where the extensions of WPILib's simulation are", app_extension },
    { "joystick", "sends a player's sticks and buttons to the player's core", app_joystick },
    { "play", "runs a whole match on this machine, played in the browser", app_play },
    { "replay", "shows what a recording holds, and runs it again", app_replay },
    { "sim", "simulates the field, its robots and the game", app_sim },
    { "view", "shows a match in the browser", app_view },
    { "xrp", "runs a MicroPython program for the XRP on a virtual one", app_xrp },
};

enum { APPS = sizeof apps / sizeof apps[0] };

static void print_help(void)
{
    printf("Usage: halyard SUBCOMMAND [OPTION...]\n\n"
           "Halyard connects robot code to small robots over UDP, real or virtual.\n\n");
    for (size_t i = 0; i < APPS; i++) {
        hy_print(stdout, "  %-10s %s\n", apps[i].name, apps[i].does);
    }
    printf("\nExamples:\n"
           "  halyard play                    a match in your browser\n"
           "  halyard drive virtual           a virtual XRP in an arena, driven from the keyboard\n"
           "  halyard board xrp --view        a virtual XRP for your robot code, shown in the "
           "browser\n"
           "  halyard doctor                  finds the robots in reach\n"
           "\n'halyard SUBCOMMAND --help' explains one; 'halyard --version' prints the version.\n");
}

static app_run *find(const char *name)
{
    for (size_t i = 0; i < APPS; i++) {
        if (strcmp(name, apps[i].name) == 0) {
            return apps[i].run;
        }
    }
    return NULL;
}

static int refuse(const char *name)
{
    hy_suggestion meant = hy_suggestion_start(name, strlen(name));
    for (size_t i = 0; i < APPS; i++) {
        hy_suggestion_consider(&meant, apps[i].name);
    }
    if (meant.name != NULL) {
        hy_print_error("halyard",
                       "unknown subcommand '%s'; did you mean '%s'? 'halyard --help' lists them",
                       name, meant.name);
    } else {
        hy_print_error("halyard", "unknown subcommand '%s'; 'halyard --help' lists them", name);
    }
    return APP_USAGE;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        hy_print_error("halyard", "a subcommand is missing; 'halyard --help' lists them");
        return APP_USAGE;
    }
    app_run *const app = find(argv[1]);
    if (app != NULL) {
        return app(argc - 1, argv + 1);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_help();
        return APP_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        hy_print(stdout, "halyard %s\n", hy_version());
        return APP_OK;
    }
    return refuse(argv[1]);
}

int main(int argc, char **argv)
{
    hy_process_occupy_streams();
    hy_signals_ignore_file_limit();
    const int result = run(argc, argv);
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return result;
    }
    hy_print_error("halyard", "cannot write to stdout: %s",
                   errno != 0 ? strerror(errno) : "it was refused");
    return result == APP_OK ? APP_FAILED : result;
}
