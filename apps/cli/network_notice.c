#include "network_notice.h"

#include <halyard/robot.h>

#include "text/text_plain.h"

void network_notice_on(FILE *out, const hy_endpoint *listen, const char *can)
{
    char text[HY_ROBOT_NOTICE_MAX];
    if (hy_robot_network_notice(listen, can, text)) {
        hy_print(out, "%s\n", text);
        fflush(out);
    }
}

void network_notice(const hy_endpoint *listen, const char *can)
{
    network_notice_on(stdout, listen, can);
}
