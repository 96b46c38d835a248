#include <halyard/link.h>
#include <halyard/program_nt.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST_MAX 1024

static bool read_network(hy_nt_network *out, char *text)
{
    hy_endpoint address;
    char *const slash = strchr(text, '/');
    char *end = NULL;
    if (slash != NULL) {
        *slash = '\0';
    }
    if (hy_endpoint_parse(text, 0, &address) != HY_OK || address.port != 0) {
        return false;
    }
    const unsigned all = hy_endpoint_is_ipv4(&address) ? 32 : 128;
    const unsigned long bits = slash != NULL ? strtoul(slash + 1, &end, 10) : all;
    memcpy(out->ip, address.ip, sizeof out->ip);
    out->bits = (unsigned)bits + 128 - all;
    return bits <= all && (slash == NULL || (slash[1] >= '0' && slash[1] <= '9' && *end == '\0'));
}

bool hy_program_nt_networks(const char *list, hy_nt_network networks[HY_NT_ALLOW_MAX], size_t *count)
{
    char text[LIST_MAX];
    *count = 0;
    if (strlen(list) >= sizeof text) {
        return false;
    }
    (void)snprintf(text, sizeof text, "%s", list);
    for (char *at = text, *comma; at != NULL; at = comma != NULL ? comma + 1 : NULL) {
        comma = strchr(at, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        if (*count == HY_NT_ALLOW_MAX || !read_network(&networks[*count], at)) {
            return false;
        }
        (*count)++;
    }
    return true;
}
