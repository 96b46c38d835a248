#include "nt_option.h"

#include <halyard/link.h>
#include <halyard/program_nt.h>

#include <string.h>

#include "app.h"

static bool read_listen(const nt_option *asked, hy_endpoint *out)
{
    const uint8_t here[] = { 127, 0, 0, 1 };
    *out = hy_endpoint_ipv4(here, HY_NT_PORT);
    return asked->listen == NULL || hy_endpoint_parse(asked->listen, HY_NT_PORT, out) == HY_OK;
}

bool nt_option_check(const char *command, const nt_option *asked)
{
    hy_nt_network networks[HY_NT_ALLOW_MAX];
    hy_endpoint listen;
    size_t count;
    if ((asked->allow != NULL || asked->write) && !asked->is_asked) {
        app_error(command, "--nt-allow and --nt-write need --nt");
        return false;
    }
    if (!read_listen(asked, &listen)) {
        app_error(command, "--nt: '%s' is not an address of this machine", asked->listen);
        return false;
    }
    if (asked->allow != NULL && !hy_program_nt_networks(asked->allow, networks, &count)) {
        app_error(command, "--nt-allow needs addresses, such as 10.12.34.0/24, not '%s'",
                  asked->allow);
        return false;
    }
    return true;
}

hy_nt *nt_option_start(const char *command, const nt_option *asked)
{
    hy_nt_network networks[HY_NT_ALLOW_MAX];
    hy_nt_options options = { .allowed = networks, .others_may_write = asked->write };
    char text[HY_ENDPOINT_TEXT_MAX];
    hy_nt *nt = NULL;
    if (!asked->is_asked || !read_listen(asked, &options.listen) ||
        (asked->allow != NULL &&
         !hy_program_nt_networks(asked->allow, networks, &options.allowed_count))) {
        return NULL;
    }
    const hy_status status = hy_nt_start(&nt, &options);
    if (status != HY_OK) {
        app_error(command, "no NetworkTables at %s: %s; it runs on without",
                  hy_endpoint_format(&options.listen, text), hy_status_text(status));
    }
    return nt;
}

void nt_option_announce(const hy_nt *nt, ready_line *ready)
{
    if (nt != NULL) {
        const hy_endpoint address = hy_nt_address(nt);
        ready_line_add_address(ready, "nt", &address);
    }
}
