
#include <halyard/link.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "system/system.h"
#include "view_page.h"

static const char not_built[] = "The page has not been built: 'make build' does that once Node.js "
                                "20.19 or newer is there. Or name a folder that has it "
                                "with " HY_VIEW_PAGE_NAME ". Then start this program again.";

__attribute__((format(printf, 3, 4))) static hy_status refuse(hy_view_error *error, hy_status status,
                                                              const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return status;
}

// --------------------------------------------------------------------------- the folder

static bool has_page(const char *folder)
{
    char index[1100];
    return folder != NULL &&
           snprintf(index, sizeof index, "%s/index.html", folder) < (int)sizeof index &&
           hy_file_is_readable(index);
}

// NULL if the page was not built. A folder that somebody named counts, whatever it has.
static const char *find_folder(const hy_view_place *place)
{
    if (place->folder != NULL) {
        return place->folder;
    }
    const char *const wanted = getenv(HY_VIEW_PAGE_NAME);
    if (wanted != NULL) {
        return wanted;
    }
    const char *const folders[] = { place->installed, HALYARD_BUILD_PAGE, HALYARD_INSTALLED_PAGE };
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        if (has_page(folders[i])) {
            return folders[i];
        }
    }
    return NULL;
}

// --------------------------------------------------------------------------- starting

static hy_status explain(hy_view_error *error, hy_status status, const char *listen, unsigned port,
                         const char *folder)
{
    char owner[HY_PORT_OWNER_MAX];
    switch (status) {
    case HY_OK: return status;
    case HY_EFORMAT:
        return refuse(error, status,
                      HY_VIEW_TOKEN_NAME
                      " in the environment is not a token: it needs %d hexadecimal digits in lower "
                      "case; without it a fresh one is made",
                      HY_VIEW_TOKEN_SIZE - 1);
    case HY_EFILE:
    case HY_EFULL:
        return refuse(error, status,
                      "the page in %.1000s cannot be read: %s; name the folder that it was built "
                      "into",
                      folder, hy_status_text(status));
    default:
        return refuse(error, status,
                      "cannot serve the page on %.200s: %s; choose another port, or port 0 for any "
                      "free one%s",
                      listen,
                      status == HY_EADDRESS ? "it is not an address of this machine"
                                            : hy_status_text(status),
                      hy_port_owner(status, port, true, owner));
    }
}

hy_status hy_view_serve(hy_view **out, const hy_view_place *place, const hy_view_options *options,
                        const hy_scene *scene, hy_view_error *error)
{
    const char *const listen = place->listen != NULL ? place->listen : HY_VIEW_LISTEN;
    hy_view_options all = *options;
    *out = NULL;
    error->text[0] = '\0';
    all.folder = find_folder(place);
    all.names = place->names;
    all.watchers = options->watchers || place->watchers;
    all.without_folder = not_built;
    all.token = getenv(HY_VIEW_TOKEN_NAME);
    const int found = hy_link_resolve(listen, HY_VIEW_PORT, &all.listen, 1);
    if (found < 0) {
        return refuse(
            error, (hy_status)found,
            "'%.200s' is no place to serve the page: %s; give an address of this machine, "
            "as in " HY_VIEW_LISTEN,
            listen, hy_status_text((hy_status)found));
    }
    const hy_status status = hy_view_open(out, &all, scene);
    if (status == HY_OK && all.folder == NULL) {
        return refuse(error, HY_OK, "%s", not_built);
    }
    return explain(error, status, listen, all.listen.port, all.folder);
}

const char *hy_view_url(const hy_view *view, char out[HY_VIEW_URL_MAX])
{
    char text[HY_ENDPOINT_TEXT_MAX];
    const hy_endpoint address = hy_view_address(view);
    const hy_endpoint usable = hy_endpoint_local(&address);
    (void)snprintf(out, HY_VIEW_URL_MAX, "http://%s/#%s", hy_endpoint_format(&usable, text),
                   hy_view_token(view));
    return out;
}
