/// @file page_server.h
/// What every subcommand with a page shares: where the built page lies, where it is served, and how that is said.
#ifndef HALYARD_APPS_PAGE_SERVER_H
#define HALYARD_APPS_PAGE_SERVER_H

#include <halyard/view.h>

#include <stdio.h>

#define PAGE_LISTEN "127.0.0.1:5800" ///< HY_VIEW_PORT
#define PAGE_TOKEN_NAME \
    "HALYARD_TOKEN" ///< In the environment: the token to use, so that pages find back after a restart.
#define PAGE_FOLDER_NAME "HALYARD_PAGE" ///< In the environment: the folder of the built page.

typedef struct {
    const char *listen; ///< ADDR[:PORT]
    const char *folder; ///< NULL: where it was built, or installed.
} page_place;

/// Serves `scene`; `options` says what pages may do, the rest of it is filled in here. NULL with a sentence for `command`.
hy_view *page_server_start(const char *command, const page_place *place, hy_view_options *options,
                           const hy_scene *scene);

/// Whether the environment has no token, or one that can be used; else false with a sentence for `command`.
bool page_server_check_token(const char *command);

/// Has every page that this process and its children serve from now on use one token, so that pages find back when a child is
/// restarted. Call it before there are threads. False if the system refuses.
bool page_server_keep_token(void);

#define PAGE_URL_MAX 128

/// The address of the page on this machine, with its token.
const char *page_server_url(const hy_view *view, char out[PAGE_URL_MAX]);

/// Prints "open http://ADDR:PORT/#TOKEN"; if every interface is served, then also the addresses for other devices.
void page_server_announce(const hy_view *view);

#endif
