#include "host_nt_text.h"
#include <halyard/link.h>

#include "web/web.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST_MAX      1024
#define CLIENT_SCHEME "nt://"

// --------------------------------------------------------------------------- addresses

bool hy_nt_text_is_client(const char *text)
{
    return strncmp(text, CLIENT_SCHEME, strlen(CLIENT_SCHEME)) == 0;
}

bool hy_nt_text_is_address(const char *text)
{
    hy_endpoint address;
    if (hy_nt_text_is_client(text)) {
        const size_t size = strlen(text);
        return size > strlen(CLIENT_SCHEME) && size <= HY_NT_TEXT_HOST_MAX;
    }
    return text[0] == '\0' || hy_endpoint_parse(text, HY_NT_PORT, &address) == HY_OK;
}

hy_status hy_nt_text_address(const char *text, hy_nt_options *out)
{
    const uint8_t here[] = { 127, 0, 0, 1 };
    if (!hy_nt_text_is_client(text)) {
        out->listen = hy_endpoint_ipv4(here, HY_NT_PORT);
        return text[0] == '\0' ? HY_OK : hy_endpoint_parse(text, HY_NT_PORT, &out->listen);
    }
    const int found = hy_link_resolve(text + strlen(CLIENT_SCHEME), HY_NT_PORT, &out->publish_to, 1);
    if (found <= 0) {
        return found < 0 ? (hy_status)found : HY_ENAME;
    }
    return out->publish_to.port != 0 ? HY_OK : HY_EADDRESS;
}

const char *hy_nt_text_place(const hy_nt *nt, char text[HY_NT_SAID_MAX])
{
    char address[HY_ENDPOINT_TEXT_MAX];
    const hy_endpoint at = hy_nt_address(nt);
    const hy_endpoint endpoint = hy_nt_is_client(nt) ? at : hy_endpoint_local(&at);
    (void)snprintf(text, HY_NT_SAID_MAX, "%s%s", hy_nt_is_client(nt) ? CLIENT_SCHEME : "",
                   hy_endpoint_format(&endpoint, address));
    return text;
}

static void describe(const hy_nt_notice *notice, char text[HY_NT_SAID_MAX])
{
    char address[HY_ENDPOINT_TEXT_MAX];
    hy_web_names names = { .count = 0 };
    hy_endpoint from = { .port = 0 };
    memcpy(from.ip, notice->ip, sizeof from.ip);
    (void)hy_endpoint_format(&from, address);
    *strrchr(address, ':') = '\0'; // there is no port
    if (notice->what == HY_NT_IGNORED) {
        (void)snprintf(
            text, HY_NT_SAID_MAX,
            "a NetworkTables client tried to change %.60s, which is no tunable; this and "
            "all further ones are ignored",
            notice->text);
    } else if (notice->what == HY_NT_OVER_SHARE) {
        (void)snprintf(
            text, HY_NT_SAID_MAX,
            "a NetworkTables client at %s publishes more %s than its share; what is over "
            "it is refused",
            address, notice->text);
    } else if (hy_web_allow_origin(&names, notice->text)) { // so it can be copied into a shell
        (void)snprintf(
            text, HY_NT_SAID_MAX,
            "NetworkTables refused the web page %s; if you trust it, --nt-allow-origin %s "
            "lets it in",
            notice->text, notice->text);
    } else {
        (void)snprintf(text, HY_NT_SAID_MAX,
                       "NetworkTables refused a web page that calls its origin '%s'", notice->text);
    }
}

bool hy_nt_text_report(hy_nt *nt, char text[HY_NT_SAID_MAX])
{
    char address[HY_ENDPOINT_TEXT_MAX];
    const hy_nt_notice *notice;
    hy_nt_state state;
    if (hy_nt_next_notice(nt, &notice)) {
        describe(notice, text);
        return true;
    }
    if (!hy_nt_news(nt, &state)) {
        return false;
    }
    const hy_endpoint endpoint = hy_nt_address(nt);
    (void)hy_endpoint_format(&endpoint, address);
    (void)snprintf(text, HY_NT_SAID_MAX,
                   state == HY_NT_CONNECTED
                       ? "publishes in the NetworkTables server at %s"
                       : "no NetworkTables server at %s; it is tried again while this runs",
                   address);
    return true;
}

const char *hy_nt_text_failure(const char *text, hy_status status)
{
    return status == HY_EADDRESS && !hy_nt_text_is_client(text)
               ? "it is not an address of this machine"
               : hy_status_text(status);
}

// --------------------------------------------------------------------------- other machines

static bool is_reachable(const char *nt)
{
    hy_endpoint address;
    return nt != NULL && !hy_nt_text_is_client(nt) && nt[0] != '\0' &&
           hy_endpoint_parse(nt, HY_NT_PORT, &address) == HY_OK &&
           !hy_endpoint_is_loopback(&address);
}

const char *hy_nt_text_conflict(const char *nt, bool allows_others, bool others_may_write)
{
    if (allows_others && !is_reachable(nt)) {
        return "--nt-allow needs --nt=ADDR, an address that other machines can reach, such as "
               "--nt=0.0.0.0";
    }
    return others_may_write && !allows_others ? "--nt-write needs --nt-allow" : NULL;
}

bool hy_nt_text_notice(const hy_nt *nt, bool allows_others, bool others_may_write,
                       char text[HY_NT_SAID_MAX])
{
    const hy_endpoint address = hy_nt_address(nt);
    if (hy_nt_is_client(nt) || hy_endpoint_is_loopback(&address)) {
        return false;
    }
    (void)snprintf(text, HY_NT_SAID_MAX, "network: %s",
                   !allows_others ? "no other machine may connect to NetworkTables, because "
                                    "--nt-allow names none"
                   : others_may_write
                       ? "the machines that --nt-allow names can read what is published, publish "
                         "topics of their own, and change tunables; nothing is encrypted"
                       : "the machines that --nt-allow names can read what is published; nothing "
                         "is encrypted");
    return true;
}

// --------------------------------------------------------------------------- --nt-allow

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

bool hy_nt_text_networks(const char *list, hy_nt_network networks[HY_NT_ALLOW_MAX], size_t *count)
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
