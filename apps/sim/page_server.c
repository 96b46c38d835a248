#include "page_server.h"

#include <halyard/link.h>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/app.h"
#include "cli/installed_path.h"

static const char not_built[] = "The page has not been built: 'make build' does that once Node.js "
                                "20.19 or newer is there. Or name a folder that has it "
                                "with --page. Then start this program again.";

// --------------------------------------------------------------------------- the folder

static bool has_page(const char *folder)
{
    char index[INSTALLED_PATH_MAX];
    return folder != NULL &&
           snprintf(index, sizeof index, "%s/index.html", folder) < (int)sizeof index &&
           access(index, R_OK) == 0;
}

/// Where the page lies; NULL if it was not built. A folder that somebody named counts, whatever it has.
static const char *find_folder(const char *named, char installed[INSTALLED_PATH_MAX])
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
    return installed_path_find(HALYARD_INSTALLED_PAGE, installed) && has_page(installed) ? installed
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
                           const hy_view_scene *scene)
{
    char installed[INSTALLED_PATH_MAX];
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

static bool is_every_interface(const hy_endpoint *address)
{
    static const uint8_t ipv6[16] = { 0 };
    static const uint8_t ipv4[16] = { [10] = 0xff, 0xff };
    return memcmp(address->ip, ipv6, sizeof ipv6) == 0 || memcmp(address->ip, ipv4, sizeof ipv4) == 0;
}

static void announce_others(const hy_view *view, uint16_t port)
{
    struct ifaddrs *all;
    if (getifaddrs(&all) != 0) {
        return;
    }
    for (const struct ifaddrs *one = all; one != NULL; one = one->ifa_next) {
        struct sockaddr_in in;
        char text[INET_ADDRSTRLEN];
        if (one->ifa_addr == NULL || one->ifa_addr->sa_family != AF_INET ||
            (one->ifa_flags & IFF_LOOPBACK) != 0) {
            continue;
        }
        memcpy(&in, one->ifa_addr, sizeof in);
        if (inet_ntop(AF_INET, &in.sin_addr, text, sizeof text) != NULL) {
            printf("or, from another device, http://%s:%u/#%s\n", text, port, hy_view_token(view));
        }
    }
    freeifaddrs(all);
}

void page_server_announce(const hy_view *view)
{
    char text[HY_ENDPOINT_TEXT_MAX];
    const hy_endpoint address = hy_view_address(view);
    const bool is_open = is_every_interface(&address);
    if (is_open) {
        snprintf(text, sizeof text, "127.0.0.1:%u", address.port);
    } else {
        hy_endpoint_format(&address, text);
    }
    printf("open http://%s/#%s\n", text, hy_view_token(view));
    if (is_open) {
        announce_others(view, address.port);
    }
    fflush(stdout);
}
