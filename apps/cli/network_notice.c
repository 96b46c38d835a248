#include "network_notice.h"

#include <halyard/link.h>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

static void add_address(char out[NETWORK_ADDRESSES_MAX], const struct ifaddrs *one, uint16_t port)
{
    struct sockaddr_in in;
    char text[INET_ADDRSTRLEN];
    const size_t used = strlen(out);
    memcpy(&in, one->ifa_addr, sizeof in);
    if (inet_ntop(AF_INET, &in.sin_addr, text, sizeof text) != NULL &&
        used + sizeof text + 8 < NETWORK_ADDRESSES_MAX) {
        snprintf(out + used, NETWORK_ADDRESSES_MAX - used, "%s%s:%u", used > 0 ? " " : "", text,
                 port);
    }
}

const char *network_addresses(const hy_endpoint *listen, char out[NETWORK_ADDRESSES_MAX])
{
    struct ifaddrs *all = NULL;
    out[0] = '\0';
    if (!hy_endpoint_is_every(listen)) {
        char text[HY_ENDPOINT_TEXT_MAX];
        snprintf(out, NETWORK_ADDRESSES_MAX, "%s", hy_endpoint_format(listen, text));
    } else if (getifaddrs(&all) == 0) {
        for (const struct ifaddrs *one = all; one != NULL; one = one->ifa_next) {
            if (one->ifa_addr != NULL && one->ifa_addr->sa_family == AF_INET &&
                (one->ifa_flags & IFF_LOOPBACK) == 0) {
                add_address(out, one, listen->port);
            }
        }
        freeifaddrs(all);
    }
    return out;
}

void network_notice_on(FILE *out, const hy_endpoint *listen, const char *can)
{
    char addresses[NETWORK_ADDRESSES_MAX];
    if (hy_endpoint_is_loopback(listen)) {
        return;
    }
    network_addresses(listen, addresses);
    fprintf(out, "network: other machines can reach this program%s%s; whoever can reach it %s\n",
            addresses[0] != '\0' ? " at " : "", addresses, can);
    fflush(out);
}

void network_notice(const hy_endpoint *listen, const char *can)
{
    network_notice_on(stdout, listen, can);
}
