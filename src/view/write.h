/// @file write.h
/// The messages to the page, as docs/spec/page.md has them.
#ifndef HY_VIEW_WRITE_H
#define HY_VIEW_WRITE_H

#include <halyard/text.h>
#include <halyard/view.h>

/// The value of "scene" in `hello`.
void view_write_scene(hy_text *out, const hy_view_scene *scene);
void view_write_hello(hy_text *out, bool may_command, hy_bytes scene);
void view_write_state(hy_text *out, const hy_view_state *state);

/// Who drives a player, as one page sees it.
typedef enum {
    VIEW_NOBODY,
    VIEW_YOU,
    VIEW_OTHER,
} view_owner;

/// `owners` has one for each link.
void view_write_players(hy_text *out, const hy_view_link *links, const view_owner *owners,
                        size_t count);

/// {"type":TYPE,"text":TEXT}; the text is cut at what fits.
void view_write_word(hy_text *out, const char *type, const char *text);

#endif
