#include "origin.h"

#include <arpa/inet.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

static bool ends_with(const char *text, size_t length, const char *ending)
{
    const size_t ending_length = strlen(ending);
    return length >= ending_length &&
           strncasecmp(text + length - ending_length, ending, ending_length) == 0;
}

/// "[::1]" or "[fe80::1]:5800": what stands between the brackets is an IPv6 address, not a name.
static bool is_ipv6(const char *host)
{
    char address[INET6_ADDRSTRLEN];
    struct in6_addr parsed;
    const char *const end = strchr(host, ']');
    const size_t length = end != NULL ? (size_t)(end - host) - 1 : 0;
    if (end == NULL || length >= sizeof address || (end[1] != '\0' && end[1] != ':')) {
        return false;
    }
    memcpy(address, host + 1, length);
    address[length] = '\0';
    return inet_pton(AF_INET6, address, &parsed) == 1;
}

/// "192.168.1.5": nothing but digits and dots, of which there is one. A top-level domain is never a number.
static bool is_ipv4(const char *name, size_t length)
{
    return strspn(name, "0123456789.") >= length;
}

// A web site can have its own name lead to 127.0.0.1 and then is, for the browser, where this server is ("DNS
// rebinding"). It cannot have an address for a name, nor a name that the public name service does not give out.
static bool is_near(const char *host)
{
    if (host[0] == '[') {
        return is_ipv6(host);
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
