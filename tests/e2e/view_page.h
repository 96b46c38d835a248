/// @file view_page.h
/// A page without a browser: the address that a program printed, and the first words.
#ifndef HALYARD_TESTS_VIEW_PAGE_H
#define HALYARD_TESTS_VIEW_PAGE_H

#include "ws_client.h"

typedef struct {
    uint16_t port;
    char token[64];
} view_page_place;

/// Reads the ready line's page=http://127.0.0.1:PORT/#TOKEN out of what a program printed.
bool view_page_find(const char *output, view_page_place *out);

/// Connects and says the token; then `page->text` is the `hello`.
bool view_page_open(ws_client *page, const view_page_place *place);

#endif
