#include "url.h"

#include <halyard/robot.h>
#include <halyard/robots.h>

#include <stdio.h>
#include <string.h>

#include "system/system.h"

const hy_dialect *hy_robot_url_split(const char *url, char host[HY_ROBOT_HOST_SIZE])
{
    const char *const colon = strstr(url, "://");
    char scheme[16];
    if (colon == NULL || (size_t)(colon - url) >= sizeof scheme) {
        return NULL;
    }
    memcpy(scheme, url, (size_t)(colon - url));
    scheme[colon - url] = '\0';
    size_t length = strlen(colon + 3);
    if (length > 0 && colon[3 + length - 1] == '/') { // people paste addresses with a slash behind them
        length--;
    }
    if (length == 0 || length >= HY_ROBOT_HOST_SIZE) {
        return NULL;
    }
    memcpy(host, colon + 3, length);
    host[length] = '\0';
    const hy_robot_type *const type = hy_robot_type_find(scheme);
    return type != NULL ? type->dialect : NULL;
}

const hy_dialect *hy_robot_dialect(const char *url)
{
    char host[HY_ROBOT_HOST_SIZE];
    return hy_robot_url_split(url, host);
}

int hy_robot_resolve(const char *url, const hy_dialect **dialect, hy_endpoint *out, size_t room)
{
    char host[HY_ROBOT_HOST_SIZE];
    *dialect = hy_robot_url_split(url, host);
    if (*dialect == NULL) {
        return HY_EADDRESS;
    }
    const int found = hy_link_resolve(host, HY_WIRE_PORT, out, room);
    for (int i = 0; i < found; i++) {
        if (out[i].port == 0) { // "any" is no place to send to
            return HY_EADDRESS;
        }
    }
    return found == 0 ? HY_ENAME : found;
}

const char *hy_robot_missing_at(const hy_dialect *dialect, const hy_endpoint *address,
                                char text[HY_ROBOT_MISSING_MAX])
{
    char listen[HY_ENDPOINT_TEXT_MAX];
    if (!hy_endpoint_is_loopback(address)) {
        (void)snprintf(text, HY_ROBOT_MISSING_MAX, "is it on, and is its address right?");
        return text;
    }
    const bool is_usual = address->port == HY_WIRE_PORT;
    (void)snprintf(
        text, HY_ROBOT_MISSING_MAX, "start one in another terminal: %shalyard board %s --view%s%s",
        hy_file_is_readable("build/halyard") ? "build/" : "", dialect->name,
        is_usual ? "" : " --listen ", is_usual ? "" : hy_endpoint_format(address, listen));
    return text;
}

const char *hy_robot_missing(const char *url, char text[HY_ROBOT_MISSING_MAX])
{
    const hy_dialect *dialect;
    hy_endpoint address = { .port = 0 };
    (void)hy_robot_resolve(url, &dialect, &address, 1);
    return hy_robot_missing_at(dialect, &address, text);
}
