// `--allow-host` and `--nt-allow-origin`: what the servers of a program trust besides this computer's addresses and their own pages.
#ifndef HALYARD_HOST_NAMES_H
#define HALYARD_HOST_NAMES_H

#include "options/options.h"
#include "web/web.h"

typedef struct {
    hy_web_names names; ///< What was asked for, once its group was checked. Points into argv.
    // Private.
    const char *host_items[HY_WEB_NAMES_MAX], *origin_items[HY_WEB_NAMES_MAX];
    hy_option_list hosts, origins;
} hy_host_names;

/// Its options; --nt-allow-origin only for a program that serves NetworkTables. Also gives the lists their room.
hy_option_group hy_host_names_group(hy_host_names *to, bool serves_nt);

#endif
