// `halyard extension`: where the WPILib extensions lie.
#include <halyard/worldfile.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/app.h"
#include "cli/robot_choices.h"
#include "options/options.h"
#include "system/system.h"
#include "text/text_plain.h"

#define COMMAND "halyard extension"

typedef struct {
    int which;
} extension_options;

// Beside this program or, before it was installed, where both were built.
static bool find_extension(const char *name, char path[HY_WORLDFILE_PATH_MAX])
{
    char installed[128];
    (void)snprintf(installed, sizeof installed, HALYARD_EXT_FROM_DATA "/libhalsim_%s.so", name);
    if (hy_worldfile_installed(installed, path)) {
        return true;
    }
    (void)snprintf(path, HY_WORLDFILE_PATH_MAX, HALYARD_BUILD_EXT "/libhalsim_%s.so", name);
    return hy_file_is_readable(path);
}

int app_extension(int argc, char **argv)
{
    robot_choices choices;
    robot_choices_fill(&choices);
    extension_options o = { 0 };
    char path[HY_WORLDFILE_PATH_MAX];
    const hy_option table[] = {
        { HY_OPTION(CHOICE, extension_options, which), .choices = choices.types, .required = true,
          .help = "for which robot" },
    };
    hy_option_group groups[] = { HY_OPTION_GROUP(NULL, table, &o) };
    const hy_command_line line = {
        .program = COMMAND,
        .summary = "prints the path of an extension of WPILib's simulation, for HALSIM_EXTENSIONS",
        .groups = groups,
        .group_count = 1
    };
    const hy_options_result result = hy_options_parse(&line, argc, argv);
    if (result != HY_OPTIONS_OK) {
        return app_status(result);
    }
    if (!find_extension(choices.types[o.which], path)) {
        hy_print_error(
            COMMAND, "libhalsim_%s.so is not beside this program; install it whole, or 'make build'",
            choices.types[o.which]);
        return APP_FAILED;
    }
    char whole[PATH_MAX];
    hy_print(stdout, "%s\n", realpath(path, whole) != NULL ? whole : path);
    return APP_OK;
}
