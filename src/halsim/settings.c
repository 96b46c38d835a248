#include "settings.h"

#include <halyard/link.h>

#include <stdio.h>
#include <string.h>

#define PORT_DIGITS 5

// What people write who paste a URL, a list, or an address with its port. The resolver judges the rest.
#define NEVER_IN_A_NAME " \t/:[],;@"

/// 1..65535 in decimal digits and nothing else; 0 if `text` is not that.
static unsigned read_port(const char *text)
{
    const size_t length = strlen(text);
    if (length == 0 || length > PORT_DIGITS || strspn(text, "0123456789") != length) {
        return 0;
    }
    unsigned port = 0;
    for (const char *c = text; *c != '\0'; c++) {
        port = port * 10 + (unsigned)(*c - '0');
    }
    return port <= UINT16_MAX ? port : 0;
}

/// This machine needs no resolver. "Any address" is where one listens, not where one sends to; people
/// write it for this machine, and WPILib's own extension sends there.
static const char *mean_this_machine(const char *host)
{
    static const char *const names[] = { "", "localhost", "0.0.0.0" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (host == NULL || strcmp(host, names[i]) == 0) {
            return "127.0.0.1";
        }
    }
    return strcmp(host, "::") == 0 ? "::1" : host;
}

/// An address that is not whole, "192.168.42" or "10.0.0.300", is no name either: nobody will ever know it.
static bool may_be_name(const char *host)
{
    return strpbrk(host, NEVER_IN_A_NAME) == NULL && strspn(host, "0123456789.") != strlen(host);
}

static bool read_place(hy_halsim_settings *out, const hy_halsim_board *board, const char *host,
                       const char *port, const char *otherwise)
{
    *out = (hy_halsim_settings){ .host = "" };
    const bool is_default_port = port == NULL || port[0] == '\0';
    const unsigned number = is_default_port ? HY_WIRE_PORT : read_port(port);
    if (number == 0) {
        fprintf(stderr, "%s: %s: %s is \"%s\", but a port is a number from 1 to 65535\n",
                board->name, otherwise, board->port_variable, port);
        return false;
    }
    const char *const meant = mean_this_machine(host);
    const char *const colon = strchr(meant, ':');
    const bool is_ipv6 = colon != NULL && strchr(colon + 1, ':') != NULL && meant[0] != '[';
    const int length =
        snprintf(out->host, sizeof out->host, is_ipv6 ? "[%s]:%u" : "%s:%u", meant, number);
    hy_endpoint found;
    const bool is_literal = hy_endpoint_parse(out->host, HY_WIRE_PORT, &found) == HY_OK;
    if (length < 0 || (size_t)length >= sizeof out->host || (!is_literal && !may_be_name(meant))) {
        fprintf(stderr, "%s: %s: %s is \"%s\", which is neither an address nor a host name\n",
                board->name, otherwise, board->host_variable, meant);
        return false;
    }
    if (is_literal) {
        out->literal = found;
    }
    return true;
}

bool hy_halsim_settings_read(hy_halsim_settings *out, const hy_halsim_board *board,
                             const char *host, const char *port)
{
    return read_place(out, board, host, port, "not loaded");
}

bool hy_halsim_settings_read_again(hy_halsim_settings *out, const hy_halsim_settings *before,
                                   const hy_halsim_board *board, const char *host, const char *port)
{
    // Better no robot than another one than the program means.
    const bool make_sense = read_place(out, board, host, port, "no command is sent");
    if (make_sense && strcmp(out->host, before->host) != 0) {
        const size_t size = (size_t)(strrchr(out->host, ':') - out->host) + 1;
        const bool is_same_host = strncmp(out->host, before->host, size) == 0;
        out->late = is_same_host ? board->port_variable : board->host_variable;
    }
    return make_sense;
}
