/// @file icd_options.h
/// What the four programs of the simulator share: whose hosts and ports they speak to, and the sockets that they do it with.
#ifndef HALYARD_APPS_ICD_OPTIONS_H
#define HALYARD_APPS_ICD_OPTIONS_H

#include <halyard/icd.h>
#include <halyard/link.h>

#include "cli/figures.h"
#include "options/options.h"

/// Zero-initialised is the usual arrangement on one machine; start from ICD_OPTIONS.
typedef struct {
    uint64_t player;        ///< 1 .. HY_ICD_PLAYERS.
    uint64_t shift;         ///< Added to every port: another match on the same machine.
    const char *listen;     ///< Address to bind, without a port.
    const char *ports_text; ///< NULL: the document's.
    hy_icd_ports ports;     ///< What icd_options_check() read from it,
    const char *command;    ///< and who complains.
    bool any_address;       ///< Check only a sender's port, not its address.
    bool is_json;           ///< What it prints at its end are figures.
} icd_options;

#define ICD_OPTIONS                        \
    {                                      \
        .player = 1, .listen = "127.0.0.1" \
    }

/// Lines of a program's option table, for the member `icd` of its struct `type`.
// clang-format off
#define ICD_OPTION_PLAYER(type, icd) \
    { HY_OPTION(WHOLE, type, icd.player), .name = "player", .value = "N", .low = 1, .high = HY_ICD_PLAYERS, .help = "which player, 1 to 6 (default 1)" }
#define ICD_OPTION_HOST(name_, type, host, what) \
    { HY_OPTION(TEXT, type, host), .name = name_, .value = "HOST", .help = "where the " what " runs (default 127.0.0.1)" }
#define ICD_OPTION_PORTS(type, icd) \
    { HY_OPTION(TEXT, type, icd.ports_text), .name = "ports", .value = "A,B,C,D,E,F", .help = "ports of player 1 (default 2000,4000,6000,8000,10000,12000); the same for all programs" }
#define ICD_OPTION_COMMON(type, icd) \
    { HY_OPTION(TEXT, type, icd.listen), .name = "listen", .value = "ADDR", .help = "address of this machine to listen on (default 127.0.0.1)" }, \
    { HY_OPTION(WHOLE, type, icd.shift), .name = "shift", .value = "N", .help = "add N to every port, to run another match on this machine" }, \
    ICD_OPTION_PORTS(type, icd), \
    { HY_OPTION(FLAG, type, icd.is_json), .name = "json", .help = FIGURES_HELP }, \
    { HY_OPTION(FLAG, type, icd.any_address), .name = "any-address", .help = "accept messages from any address with the right port" }
// clang-format on

/// Reads the ports; call it before the others. False, with a sentence of `command` on stderr, if they are wrong, or the shift is out of range.
bool icd_options_check(icd_options *options, const char *command);

/// The number of `port` of `player`.
uint16_t icd_port(const icd_options *options, hy_icd_port port, unsigned player);

/// The endpoint of `port` of `player` at `host` (a literal or a name without a port; NULL is 127.0.0.1), which must be one that
/// `listen` can reach. Resolving may block. False with a sentence.
bool icd_find(const icd_options *options, const char *host, hy_icd_port port, unsigned player,
              hy_endpoint *out);

/// Opens the socket of this program for `port` of `player`. False with a sentence that names the port and what to do.
bool icd_open(const icd_options *options, hy_icd_port port, unsigned player, hy_link *out);

/// One line on stdout, "network: ...", if other machines can reach this program, or if it checks no address: who can send to it, and what
/// that does; `can` continues "whoever does". Call it behind the line that says that the program is ready.
void icd_notice(const icd_options *options, const char *can);

/// The sentence at the end of `command`: `what` with its `count`, and how many messages were no use.
void icd_print_end(const char *command, const char *what, uint64_t count, uint64_t useless);

/// Whether a datagram comes from `peer`; if not, hy_refusals_say() says so.
bool icd_is_from(const icd_options *options, const hy_datagram *datagram, const hy_endpoint *peer);

/// Says why `reader` has just refused a datagram.
void icd_refuse(const icd_options *options, const hy_datagram *datagram, const hy_icd_reader *reader);

#endif
