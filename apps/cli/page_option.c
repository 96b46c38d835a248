#include "page_option.h"

#include <halyard/link.h>
#include <halyard/program_page.h>
#include <halyard/worldfile.h>

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"

#ifdef __APPLE__
#define OPENER "open"
#else
#define OPENER "xdg-open"
#endif

extern char **environ;

hy_view *page_option_serve(const char *command, const hy_view_place *place,
                           const hy_view_options *options, const hy_scene *scene)
{
    char installed[HY_WORLDFILE_PATH_MAX];
    hy_view *view;
    hy_view_error error;
    hy_view_place all = *place;
    all.installed = hy_worldfile_installed("page", installed) ? installed : NULL;
    (void)hy_view_serve(&view, &all, options, scene, &error);
    if (error.text[0] != '\0') {
        app_error(command, "%s", error.text);
    }
    return view;
}

bool page_option_check_token(const char *command)
{
    const char *const token = getenv(HY_VIEW_TOKEN_NAME);
    const bool ok = token == NULL || hy_view_is_token(token);
    if (!ok) {
        app_error(command,
                  HY_VIEW_TOKEN_NAME
                  " in the environment is not a token: it needs %d hexadecimal digits "
                  "in lower case; without it a fresh one is made",
                  HY_VIEW_TOKEN_SIZE - 1);
    }
    return ok;
}

bool page_option_keep_token(void)
{
    char token[HY_VIEW_TOKEN_SIZE];
    return getenv(HY_VIEW_TOKEN_NAME) != NULL ||
           (hy_view_new_token(token) && setenv(HY_VIEW_TOKEN_NAME, token, 1) == 0);
}

void page_option_announce(hy_view *view, const char *may)
{
    char url[HY_VIEW_URL_MAX];
    printf("open %s\n", hy_view_url(view, url));
    hy_program_page_announce(view, may, false);
}

/// Starts the desktop's program that opens addresses, in a process group of its own: Ctrl-C is not for the browser. 0, or why not.
static int start_opener(const char *url)
{
    char *const words[] = { (char[]){ OPENER }, (char *)(uintptr_t)url, NULL };
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    pid_t child;
    if (posix_spawn_file_actions_init(&files) != 0) {
        return ENOMEM;
    }
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&files);
        return ENOMEM;
    }
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++) {
        posix_spawn_file_actions_addopen(&files, file, "/dev/null", O_RDWR, 0);
    }
    const int error = posix_spawnp(&child, OPENER, &files, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

void page_option_open(const char *command, hy_view *view)
{
    char text[HY_ENDPOINT_TEXT_MAX], url[HY_VIEW_URL_MAX];
    const hy_endpoint address = hy_view_address(view);
    const hy_endpoint usable = hy_endpoint_local(&address);
    const char *const once = hy_view_make_once(view);
    int error = EIO;
    if (once != NULL) {
        (void)snprintf(url, sizeof url, "http://%s/#%s", hy_endpoint_format(&usable, text), once);
        error = start_opener(url);
    }
    if (error != 0) {
        app_error(command, "--open: cannot start " OPENER ": %s; open the address yourself",
                  strerror(error));
    }
}
