/// @file view_page.h
/// Serves the built page: where its files lie, on which address, with which token. What every
/// program with a page shares.
///
///     static hy_view *serve(const hy_scene *scene)
///     {
///         const hy_view_place place = { .listen = "127.0.0.1:0" };
///         const hy_view_options options = { .can_reset = true };
///         hy_view *view;
///         hy_view_error error;
///         if (hy_view_serve(&view, &place, &options, scene, &error) != HY_OK) {
///             puts(error.text);
///             return NULL;
///         }
///         char url[HY_VIEW_URL_MAX];
///         printf("open %s\n", hy_view_url(view, url));
///         return view;
///     }
#ifndef HALYARD_VIEW_PAGE_H
#define HALYARD_VIEW_PAGE_H

#include "view.h"

#define HY_VIEW_LISTEN "127.0.0.1:5800" ///< HY_VIEW_PORT
/// In the environment: the token to use, so that pages find back after a restart.
#define HY_VIEW_TOKEN_NAME "HALYARD_TOKEN"
#define HY_VIEW_PAGE_NAME  "HALYARD_PAGE" ///< In the environment: the folder of the built page.
#define HY_VIEW_URL_MAX    128

/// Why there is no page, or not all of it: a sentence; "" if all is well.
typedef struct {
    char text[1400];
} hy_view_error;

/// Where a page is served, and where its files lie.
typedef struct {
    const char *listen; ///< ADDR[:PORT]; NULL: HY_VIEW_LISTEN.
    /// The folder of the built page. NULL: HY_VIEW_PAGE_NAME in the environment; else the first
    /// that has an index.html of `installed`, where the page was built, and where the build
    /// installs it.
    const char *folder;
    const char *installed; ///< Where it lies beside this program or library; may be NULL.
    bool watchers;         ///< As in hy_view_options, where it may be set as well.
    hy_web_names names;    ///< As in hy_view_options.
} hy_view_place;

/// Serves `scene` as hy_view_open(), which says how it fails: `place` and the environment give
/// what `options` say of address, folder and token. HY_OK with a sentence in `error`: the page was
/// not built, and that is what browsers are told. HY_EFORMAT: HY_VIEW_TOKEN_NAME is no token.
hy_status hy_view_serve(hy_view **out, const hy_view_place *place, const hy_view_options *options,
                        const hy_scene *scene, hy_view_error *error);

/// The address of the page on this machine, with its token. Returns `out`.
const char *hy_view_url(const hy_view *view, char out[HY_VIEW_URL_MAX]);

#endif
