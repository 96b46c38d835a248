#include "page_option.h"

#include <halyard/worldfile.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "network_notice.h"

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

void page_option_announce(const hy_view *view)
{
    char url[HY_VIEW_URL_MAX], others[NETWORK_ADDRESSES_MAX];
    const hy_endpoint address = hy_view_address(view);
    printf("open %s\n", hy_view_url(view, url));
    if (hy_endpoint_is_every(&address)) {
        network_addresses(&address, others);
        for (char *rest = others, *one; (one = strtok_r(rest, " ", &rest)) != NULL;) {
            printf("or, from another device, http://%s/#%s\n", one, hy_view_token(view));
        }
    }
    network_notice(
        &address, "can load the page, and drive if it has the token that ends these addresses; the "
                  "connection is not encrypted, so the token can be read on the way");
    fflush(stdout);
}
