#include "icd_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/app.h"
#include "cli/network_notice.h"
#include "host/host_refusals.h"
#include "system/system.h"
#include "text/text_plain.h"

#define PORTS_NEEDED \
    (HY_ICD_PORTS - 2) // the last two are ours, and have ports of their own by default

static const hy_icd_port kinds[HY_ICD_PORTS] = { HY_ICD_JOYSTICK,    HY_ICD_CORE_JOYSTICK,
                                                 HY_ICD_CORE_SIM,    HY_ICD_SIM_CORE,
                                                 HY_ICD_SIM_VIEW,    HY_ICD_VIEW,
                                                 HY_ICD_VIEW_STATUS, HY_ICD_SIM_STICKS };

// --------------------------------------------------------------------------- ports

// Six to eight numbers with commas between. False if it is anything else.
static bool read_ports(const char *text, hy_icd_ports *out)
{
    size_t count = 0;
    for (const char *at = text; count < HY_ICD_PORTS; at++) {
        char *end = NULL;
        const unsigned long number = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : 0;
        if (number == 0 || number > UINT16_MAX) {
            return false;
        }
        out->first[count++] = (uint16_t)number;
        at = end;
        if (*at == '\0') {
            return count >= PORTS_NEEDED;
        }
        if (*at != ',') {
            return false;
        }
    }
    return false;
}

// Whether two of them would be the same for some players.
static bool ports_meet(const hy_icd_ports *ports)
{
    for (size_t i = 0; i < HY_ICD_PORTS; i++) {
        for (size_t k = 0; k < i; k++) {
            const int apart = (int)hy_icd_port_under(ports, kinds[i], 1) -
                              (int)hy_icd_port_under(ports, kinds[k], 1);
            if (apart % 10 == 0 && abs(apart) < 10 * HY_ICD_PLAYERS) {
                return true;
            }
        }
    }
    return false;
}

static unsigned highest_port(const hy_icd_ports *ports)
{
    unsigned highest = 0;
    for (size_t i = 0; i < HY_ICD_PORTS; i++) {
        const unsigned port = hy_icd_port_under(ports, kinds[i], HY_ICD_PLAYERS);
        highest = port > highest ? port : highest;
    }
    return highest;
}

static bool check_ports(icd_options *options, const char *command)
{
    if (options->ports_text != NULL && !read_ports(options->ports_text, &options->ports)) {
        hy_print_error(
            command,
            "--ports '%s': give player 1's, as in 2000,4000,6000,8000,10000,12000: joystick, "
            "core for joystick, core for sim, sim for core, sim for view, view",
            options->ports_text);
        return false;
    }
    if (ports_meet(&options->ports)) {
        hy_print_error(
            command,
            "--ports %s: two players would share one; every player's are 10 higher, and there are "
            "also %u for the status and %u for sticks that cores used: choose others",
            options->ports_text, hy_icd_port_under(&options->ports, HY_ICD_VIEW_STATUS, 1),
            hy_icd_port_under(&options->ports, HY_ICD_SIM_STICKS, 1));
        return false;
    }
    return true;
}

bool icd_options_check(icd_options *options, const char *command)
{
    options->command = command;
    if (!check_ports(options, command)) {
        return false;
    }
    const unsigned highest = highest_port(&options->ports);
    if (highest > UINT16_MAX) {
        hy_print_error(command,
                       "--ports %s: player 6 would have port %u; the highest there is is 65535",
                       options->ports_text, highest);
        return false;
    }
    if (options->shift > UINT16_MAX - highest) {
        hy_print_error(
            command, "--shift %" PRIu64 ": the highest port would be above 65535; give at most %u",
            options->shift, UINT16_MAX - highest);
        return false;
    }
    return true;
}

uint16_t icd_port(const icd_options *options, hy_icd_port port, unsigned player)
{
    return (uint16_t)(hy_icd_port_under(&options->ports, port, player) + options->shift);
}

// --------------------------------------------------------------------------- hosts

static bool resolve(const char *command, const char *host, uint16_t port, hy_endpoint *out)
{
    const int found = hy_link_resolve(host, port, out, 1);
    if (found < 1) {
        hy_print_error(command,
                       "'%s': %s; give an address (IPv6 in brackets) or a name, without a port",
                       host, hy_status_text(found < 0 ? (hy_status)found : HY_ENAME));
        return false;
    }
    if (out->port != port) {
        hy_print_error(
            command, "'%s' has a port; give only the host, --ports and --shift say the ports", host);
        return false;
    }
    return true;
}

bool icd_find(const icd_options *options, const char *host, hy_icd_port port, unsigned player,
              hy_endpoint *out)
{
    hy_endpoint local;
    const char *const name = host != NULL ? host : "127.0.0.1";
    const uint16_t number = icd_port(options, port, player);
    if (!resolve(options->command, options->listen, number, &local) ||
        !resolve(options->command, name, number, out)) {
        return false;
    }
    if (!hy_link_can_reach(&local, out)) {
        hy_print_error(
            options->command,
            "'%s' cannot be reached from '%s': one is IPv4, the other IPv6; give two of a kind",
            name, options->listen);
        return false;
    }
    return true;
}

bool icd_open(const icd_options *options, hy_icd_port port, unsigned player, hy_link *out)
{
    hy_endpoint local;
    if (!resolve(options->command, options->listen, icd_port(options, port, player), &local)) {
        return false;
    }
    const hy_status status = hy_link_open(out, &local);
    if (status == HY_OK) {
        return true;
    }
    char text[HY_ENDPOINT_TEXT_MAX], owner[HY_PORT_OWNER_MAX];
    hy_print_error(
        options->command, "cannot listen on %s: %s; %s%s", hy_endpoint_format(&local, text),
        status == HY_EADDRESS ? "it is not an address of this machine" : hy_status_text(status),
        status == HY_EINUSE        ? "end the program that has it, or play beside it with --shift 1"
        : status == HY_EPERMISSION ? "choose ports above 1023 with --ports or --shift"
                                   : "give one that is",
        hy_port_owner(status, local.port, false, owner));
    return false;
}

void icd_print_end(const char *command, const char *what, uint64_t count, uint64_t useless)
{
    char unused[64] = "";
    if (useless > 0) {
        (void)snprintf(unused, sizeof unused, "; %" PRIu64 " messages could not be used", useless);
    }
    hy_print_error(command, "%s: %" PRIu64 "%s", what, count, unused);
}

bool icd_is_from(const icd_options *options, const hy_datagram *datagram, const hy_endpoint *peer)
{
    const bool is_from = options->any_address ? datagram->peer.port == peer->port
                                              : hy_endpoint_equal(&datagram->peer, peer);
    if (!is_from) {
        char why[64 + HY_ENDPOINT_TEXT_MAX], text[HY_ENDPOINT_TEXT_MAX];
        snprintf(why, sizeof why, "messages are expected from %s here",
                 hy_endpoint_format(peer, text));
        hy_refusals_say(options->command, &datagram->peer, "a message", why);
    }
    return is_from;
}

void icd_refuse(const icd_options *options, const hy_datagram *datagram, const hy_icd_reader *reader)
{
    hy_refusals_say(options->command, &datagram->peer, "a message", hy_icd_reader_why(reader));
}

void icd_notice(const icd_options *options, const char *can)
{
    hy_endpoint listen;
    const bool is_near =
        hy_link_resolve(options->listen, 1, &listen, 1) == 1 && hy_endpoint_is_loopback(&listen);
    if (!is_near || options->any_address) {
        hy_print(stdout, "network: %s can send to the UDP ports of this program%s; whoever does %s\n",
                 is_near ? "every program on this machine" : "other machines",
                 options->any_address ? ", which does not check their addresses" : "", can);
        fflush(stdout);
    }
}
