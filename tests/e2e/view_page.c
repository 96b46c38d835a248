#include "view_page.h"

#include <stdio.h>
#include <string.h>

bool view_page_find(const char *output, view_page_place *out)
{
    unsigned port = 0;
    const char *const ready = strstr(output, "halyard: ready ");
    const char *const line = ready != NULL ? strstr(ready, " page=http://") : NULL;
    const bool ok = line != NULL &&
                    sscanf(line, " page=http://127.0.0.1:%u/#%63[0-9a-f]", &port, out->token) == 2;
    out->port = (uint16_t)port;
    return ok && strlen(out->token) == 32;
}

bool view_page_open(ws_client *page, const view_page_place *place)
{
    char token[80], protocols[96];
    snprintf(token, sizeof token, "token %s", place->token);
    snprintf(protocols, sizeof protocols, "halyard-page, token.%s", place->token);
    return ws_open(page, place->port, &(ws_options){ .protocol = protocols }) &&
           ws_say(page, token) && ws_await(page, "\"type\":\"hello\"", 20000000);
}
