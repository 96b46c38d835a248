#include "origin.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static bool ends_with(const char *text, size_t length, const char *ending)
{
    const size_t ending_length = strlen(ending);
    return length >= ending_length &&
           strncasecmp(text + length - ending_length, ending, ending_length) == 0;
}

/// "192.168.1.5": nothing but digits and dots. A top-level domain is never a number.
static bool is_ipv4(const char *name, size_t length)
{
    return length > 0 && strspn(name, "0123456789.") >= length;
}

// A web site can have its own name lead to 127.0.0.1 and then is, for the browser, where this server is ("DNS
// rebinding"). It cannot have an address for a name, nor a name that the public name service does not give out.
static bool is_near(const char *host)
{
    if (host[0] == '[') { // an IPv6 address
        return true;
    }
    const size_t length = strcspn(host, ":");
    const bool has_dot = memchr(host, '.', length) != NULL;
    return !has_dot || is_ipv4(host, length) || ends_with(host, length, ".local") ||
           ends_with(host, length, ".localhost");
}

bool web_origin_is_own(const char *origin, const char *host)
{
    static const char *const schemes[] = { "http://", "https://" }; // the latter behind a proxy
    if (host[0] == '\0' || !is_near(host)) {
        return false;
    }
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        const size_t length = strlen(schemes[i]);
        if (strncasecmp(origin, schemes[i], length) == 0) {
            return strcasecmp(origin + length, host) == 0;
        }
    }
    return false;
}
