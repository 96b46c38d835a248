#include "endpoint_text.h"
#include "sockets.h"

#include <string.h>

/// True for "127.1", "3540" and "0x7f.1": the system would take them for addresses, which is never
/// what was meant, or ask the network for them, which takes seconds.
static bool is_numeric(const char *host)
{
    const char *last_dot = strrchr(host, '.');
    const char *label = last_dot != NULL ? last_dot + 1 : host;
    return strspn(label, "0123456789") == strlen(label) ||
           (label[0] == '0' && (label[1] == 'x' || label[1] == 'X'));
}

/// Letters, digits, dots, dashes, underscores, and everything beyond ASCII.
static bool may_be_name(const char *host)
{
    for (const char *c = host; *c != '\0'; c++) {
        const bool is_plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                              (*c >= '0' && *c <= '9') || strchr(".-_", *c) != NULL;
        if (!is_plain && (unsigned char)*c < 0x80) {
            return false;
        }
    }
    return !is_numeric(host);
}

typedef struct {
    hy_endpoint *endpoints;
    size_t count, room;
} found;

/// Appends the answers of one family.
static void take_family(found *self, const struct addrinfo *answers, int family, uint16_t port)
{
    for (; answers != NULL && self->count < self->room; answers = answers->ai_next) {
        if (answers->ai_family != family || answers->ai_addrlen > sizeof(hy_system_address)) {
            continue;
        }
        hy_system_address address;
        memcpy(&address, answers->ai_addr, answers->ai_addrlen);
        hy_system_endpoint_of(&address, &self->endpoints[self->count]);
        self->endpoints[self->count++].port = port;
    }
}

int hy_link_resolve(const char *host, uint16_t default_port, hy_endpoint *out, size_t room)
{
    hy_host_port parts;
    hy_endpoint literal;
    if (!hy_host_port_split(host, default_port, &parts)) {
        return HY_EADDRESS;
    }
    if (hy_host_port_literal(&parts, &literal)) {
        if (room > 0) {
            out[0] = literal;
        }
        return room > 0 ? 1 : 0;
    }
    if (parts.in_brackets || !may_be_name(parts.host)) {
        return HY_EADDRESS;
    }
    struct addrinfo *answers = NULL;
    const hy_status status = hy_system_ask(parts.host, &answers);
    if (status != HY_OK) {
        return status;
    }
    found all = { out, 0, room };
    take_family(&all, answers, AF_INET, parts.port);
    take_family(&all, answers, AF_INET6, parts.port);
    freeaddrinfo(answers);
    return all.count > 0 || room == 0 ? (int)all.count : HY_ENAME;
}
