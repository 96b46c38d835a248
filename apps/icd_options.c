#include "icd_options.h"

#include <inttypes.h>

#include "app.h"

bool icd_options_check(const icd_options *options, const char *command)
{
    const uint64_t most = UINT16_MAX - hy_icd_port_of(HY_ICD_VIEW_STATUS, HY_ICD_PLAYERS);
    if (options->player < 1 || options->player > HY_ICD_PLAYERS) {
        app_error(command, "--player %" PRIu64 ": players are 1 to %d", options->player,
                  HY_ICD_PLAYERS);
        return false;
    }
    if (options->shift > most) {
        app_error(command,
                  "--shift %" PRIu64
                  ": the highest port would be above 65535; give at most %" PRIu64,
                  options->shift, most);
        return false;
    }
    return true;
}

bool icd_find(const icd_options *options, const char *command, const char *host, uint16_t port,
              hy_endpoint *out)
{
    const uint16_t number = (uint16_t)(port + options->shift);
    const char *const name = host != NULL ? host : "127.0.0.1";
    const int found = hy_link_resolve(name, number, out, 1);
    if (found < 1) {
        app_error(command, "%s: %s; give an address or a name, without a port", name,
                  hy_status_text(found < 0 ? (hy_status)found : HY_ENAME));
        return false;
    }
    out->port = number;
    return true;
}

bool icd_open(const icd_options *options, const char *command, hy_icd_port port, unsigned player,
              hy_link *out)
{
    hy_endpoint local;
    if (!icd_find(options, command, options->listen, hy_icd_port_of(port, player), &local)) {
        return false;
    }
    const hy_status status = hy_link_open(out, &local);
    if (status == HY_OK) {
        return true;
    }
    char text[HY_ENDPOINT_TEXT_MAX];
    app_error(command, "cannot listen on %s: %s; %s", hy_endpoint_format(&local, text),
              status == HY_EADDRESS ? "it is not an address of this machine" : hy_status_text(status),
              status == HY_EINUSE ? "end the program that has it, or play beside it with --shift 1"
                                  : "choose another address with --listen");
    return false;
}

bool icd_is_from(const icd_options *options, const hy_datagram *datagram, const hy_endpoint *peer)
{
    return options->any_address ? datagram->peer.port == peer->port
                                : hy_endpoint_equal(&datagram->peer, peer);
}
