// What a program says of an address that it listens on.
#include <halyard/robot.h>

#include <stdio.h>
#include <string.h>

#define NETWORKS 16

const char *hy_robot_reachable_at(const hy_endpoint *listen, char out[HY_ROBOT_REACHABLE_MAX])
{
    hy_robot_network networks[NETWORKS];
    char text[HY_ENDPOINT_TEXT_MAX];
    out[0] = '\0';
    if (!hy_endpoint_is_every(listen)) {
        (void)snprintf(out, HY_ROBOT_REACHABLE_MAX, "%s", hy_endpoint_format(listen, text));
        return out;
    }
    const int count = hy_robot_networks(networks, NETWORKS);
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(out);
        hy_endpoint own = networks[i].own;
        own.port = listen->port;
        hy_endpoint_format(&own, text);
        if (!networks[i].is_loopback && used + strlen(text) + 2 < HY_ROBOT_REACHABLE_MAX) {
            (void)snprintf(out + used, HY_ROBOT_REACHABLE_MAX - used, "%s%s", used > 0 ? " " : "",
                           text);
        }
    }
    return out;
}

bool hy_robot_network_notice(const hy_endpoint *listen, const char *can,
                             char text[HY_ROBOT_NOTICE_MAX])
{
    char addresses[HY_ROBOT_REACHABLE_MAX];
    text[0] = '\0';
    if (hy_endpoint_is_loopback(listen)) {
        return false;
    }
    hy_robot_reachable_at(listen, addresses);
    (void)snprintf(
        text, HY_ROBOT_NOTICE_MAX,
        "network: other machines can reach this program%s%s; whoever can reach it %.400s",
        addresses[0] != '\0' ? " at " : "", addresses, can);
    return true;
}
