#include "origin.h"

#include <stddef.h>
#include <string.h>

#include "system/system_sockets.h"
#include "text/text.h"

#define SCHEME_END "://"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._"

// --------------------------------------------------------------------------- what the owner trusts

/// Adds a text whose part behind the first bytes is not empty, and has only these letters.
static bool add(hy_web_names *self, const char *text, const char *rest, const char *letters)
{
    if (rest[0] == '\0' || rest[strspn(rest, letters)] != '\0' || self->count == HY_WEB_NAMES_MAX ||
        strlen(text) >= HY_WEB_NAME_SIZE) {
        return false;
    }
    self->at[self->count++] = text;
    return true;
}

bool hy_web_allow_host(hy_web_names *self, const char *name)
{
    return add(self, name, name, LETTERS);
}

bool hy_web_allow_origin(hy_web_names *self, const char *origin)
{
    const size_t scheme = strspn(origin, LETTERS);
    return scheme > 0 && strncmp(origin + scheme, SCHEME_END, strlen(SCHEME_END)) == 0 &&
           add(self, origin, origin + scheme + strlen(SCHEME_END), LETTERS ":[]");
}

bool hy_web_trust(hy_web_names *self, const char *text)
{
    return (strstr(text, SCHEME_END) != NULL ? hy_web_allow_origin : hy_web_allow_host)(self, text);
}

const char *web_origin_find(const hy_web_names *names, const char *origin)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strstr(origin, SCHEME_END) != NULL && hy_text_is_alike(names->at[i], origin)) {
            return names->at[i];
        }
    }
    return NULL;
}

// --------------------------------------------------------------------------- this server's own

static bool is_name(const char *name, const char *host, size_t length)
{
    return strlen(name) == length && hy_text_begins_alike(name, host, length);
}

bool web_host_is_own(const hy_web_names *names, const char *host)
{
    const char *const end = strchr(host, ']');
    if (host[0] == '[') { // "[::1]:5800"
        return end != NULL && (end[1] == '\0' || end[1] == ':') &&
               hy_address_is_valid(host + 1, (size_t)(end - host) - 1, true);
    }
    const size_t length = strcspn(host, ":");
    bool is_own = hy_address_is_valid(host, length, false) || is_name("localhost", host, length);
    for (size_t i = 0; i < names->count; i++) {
        is_own = is_own || is_name(names->at[i], host, length);
    }
    return is_own;
}

bool web_origin_is_own(const hy_web_names *names, const char *origin, const char *host)
{
    static const char *const schemes[] = { "http://", "https://" }; // the latter behind a proxy
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        const size_t length = strlen(schemes[i]);
        if (hy_text_begins_alike(origin, schemes[i], length)) {
            return hy_text_is_alike(origin + length, host) && web_host_is_own(names, host);
        }
    }
    return false;
}
