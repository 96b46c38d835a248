// `halyard xrp`: the Python package runs a MicroPython program on a virtual XRP.
#include <errno.h>
#include <halyard/worldfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app.h"
#include "options/options.h"
#include "system/system_child.h"

#define COMMAND "halyard xrp"

#define WORDS_MAX 128

// The package beside this program or, before it was installed, where its source is. It comes before what else Python knows.
static void show_package(void)
{
    char folder[HY_WORLDFILE_PATH_MAX], path[2 * HY_WORLDFILE_PATH_MAX];
    const char *const others = getenv("PYTHONPATH");
    const bool is_installed = hy_worldfile_installed("python", folder);
    (void)snprintf(path, sizeof path, "%s%s%s", is_installed ? folder : HALYARD_SOURCE_PYTHON,
                   others != NULL ? ":" : "", others != NULL ? others : "");
    setenv("PYTHONPATH", path, 1);
    setenv("PYTHONHASHSEED", "0", 0); // else sets have another order in each run
}

int app_xrp(int argc, char **argv)
{
    const char *words[WORDS_MAX] = { "python3", "-m", "halyard_sim" };
    if (argc + 4 > WORDS_MAX) {
        hy_print_error(COMMAND, "too many arguments");
        return APP_USAGE;
    }
    memcpy(words + 3, argv, (size_t)argc * sizeof *argv);
    show_package();
    hy_child_become(words);
    hy_print_error(COMMAND, "cannot start python3: %s; install Python 3.9 or newer", strerror(errno));
    return APP_FAILED;
}
