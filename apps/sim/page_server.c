#include "page_server.h"

#include <halyard/link.h>
#include <halyard/worldfile.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/app.h"
#include "cli/network_notice.h"

static const char not_built[] = "The page has not been built: 'make build' does that once Node.js "
                                "20.19 or newer is there. Or name a folder that has it "
                                "with --page. Then start this program again.";

// --------------------------------------------------------------------------- the folder

static bool has_page(const char *folder)
{
    char index[HY_WORLDFILE_PATH_MAX];
    return folder != NULL &&
           snprintf(index, sizeof index, "%s/index.html", folder) < (int)sizeof index &&
           access(index, R_OK) == 0;
}

/// Where the page lies; NULL if it was not built. A folder that somebody named counts, whatever it has.
static const char *find_folder(const char *named, char installed[HY_WORLDFILE_PATH_MAX])
{
    if (named != NULL) {
        return named;
    }
    const char *const wanted = getenv(PAGE_FOLDER_NAME);
    if (wanted != NULL) {
        return wanted;
    }
    if (has_page(HALYARD_BUILD_PAGE)) {
        return HALYARD_BUILD_PAGE;
    }
    return hy_worldfile_installed(HALYARD_INSTALLED_PAGE, installed) && has_page(installed)
               ? installed
               : NULL;
}

// --------------------------------------------------------------------------- starting

static bool complain(const char *command, const page_place *place, const char *folder,
                     hy_status status)
{
    if (status == HY_EFILE || status == HY_EFULL) {
        app_error(
            command,
            "the page in %s cannot be read: %s; name the folder that it was built into with --page",
            folder, hy_status_text(status));
    } else {
        app_error(
            command,
            "cannot serve the page on %s: %s; choose another port, or port 0 for any free one",
            place->listen,
            status == HY_EADDRESS ? "it is not an address of this machine" : hy_status_text(status));
    }
    return false;
}

static bool find_address(const char *command, const page_place *place, hy_endpoint *out)
{
    const int found = hy_link_resolve(place->listen, HY_VIEW_PORT, out, 1);
    if (found < 1) {
        app_error(
            command, "'%s' is no place to serve the page: %s; give an address of this machine, as in " PAGE_LISTEN,
            place->listen, hy_status_text(found < 0 ? (hy_status)found : HY_ENAME));
    }
    return found >= 1;
}

hy_view *page_server_start(const char *command, const page_place *place, hy_view_options *options,
                           const hy_scene *scene)
{
    char installed[HY_WORLDFILE_PATH_MAX];
    hy_view *view = NULL;
    options->folder = find_folder(place->folder, installed);
    options->without_folder = not_built;
    options->token = getenv(PAGE_TOKEN_NAME);
    if (!find_address(command, place, &options->listen)) {
        return NULL;
    }
    const hy_status status = hy_view_start(&view, options, scene);
    if (status != HY_OK) {
        complain(command, place, options->folder, status);
    } else if (options->folder == NULL) {
        app_error(command, "%s", not_built);
    }
    return view;
}

bool page_server_check_token(const char *command)
{
    const char *const token = getenv(PAGE_TOKEN_NAME);
    const bool ok = token == NULL || hy_view_is_token(token);
    if (!ok) {
        app_error(command,
                  PAGE_TOKEN_NAME
                  " in the environment is not a token: it needs %d hexadecimal digits "
                  "in lower case; without it a fresh one is made",
                  HY_VIEW_TOKEN_SIZE - 1);
    }
    return ok;
}

bool page_server_keep_token(void)
{
    char token[HY_VIEW_TOKEN_SIZE];
    return getenv(PAGE_TOKEN_NAME) != NULL ||
           (hy_view_new_token(token) && setenv(PAGE_TOKEN_NAME, token, 1) == 0);
}

// --------------------------------------------------------------------------- saying so

const char *page_server_url(const hy_view *view, char out[PAGE_URL_MAX])
{
    char text[HY_ENDPOINT_TEXT_MAX];
    const hy_endpoint address = hy_view_address(view);
    const hy_endpoint usable = network_usable(&address);
    snprintf(out, PAGE_URL_MAX, "http://%s/#%s", hy_endpoint_format(&usable, text),
             hy_view_token(view));
    return out;
}

void page_server_announce(const hy_view *view)
{
    char url[PAGE_URL_MAX], others[NETWORK_ADDRESSES_MAX];
    const hy_endpoint address = hy_view_address(view);
    printf("open %s\n", page_server_url(view, url));
    if (network_is_every_address(&address)) {
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
