/// @file page_option.h
/// What every subcommand with a page shares: its options, and how it says where the page is.
#ifndef HALYARD_APPS_PAGE_OPTION_H
#define HALYARD_APPS_PAGE_OPTION_H

#include <halyard/view_page.h>

#define PAGE_OPTION_WATCHERS(place)                                \
    {                                                              \
        .name = "watchers", .flag = &(place)->watchers,            \
        .help = "let pages without the token watch, but not drive" \
    }

#define PAGE_OPTION_OPEN(opens)                                                         \
    {                                                                                   \
        .name = "open", .flag = (opens), .help = "open the page in this user's browser" \
    }

#define PAGE_OPTION_ALLOW_HOST(to)                                                         \
    {                                                                                      \
        .name = "allow-host", .value = "NAME", .names = (to), .allow = hy_web_allow_host,  \
        .help = "serve browsers that call this computer NAME, not only by its addresses; " \
                "may be repeated"                                                          \
    }

/// hy_view_serve(), with the installed page. NULL with a sentence for `command`.
hy_view *page_option_serve(const char *command, const hy_view_place *place,
                           const hy_view_options *options, const hy_scene *scene);

/// Whether the environment has no token, or one that can be used; else false with a sentence for `command`.
bool page_option_check_token(const char *command);

/// Has every page that this process and its children serve from now on use one token, so that pages find back when a child is
/// restarted. Call it before there are threads. False if the system refuses.
bool page_option_keep_token(void);

/// Prints "open http://ADDR:PORT/#TOKEN"; if every interface is served, then also the addresses for other devices, which pages show as well.
/// `may` is what a page with the token can do: "drive".
void page_option_announce(hy_view *view, const char *may);

/// Opens the page in this user's browser, with what may be used once in place of the token: other users can read command lines. A
/// sentence for `command` if that does not work.
void page_option_open(const char *command, hy_view *view);

#endif
