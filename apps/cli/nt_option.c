#include "nt_option.h"

#include <halyard/link.h>
#include <halyard/program_nt.h>

#include <stdio.h>
#include <string.h>

#include "app.h"

static const char *address_of(const nt_option *asked)
{
    return asked->listen != NULL ? asked->listen : "";
}

bool nt_option_check(const char *command, const nt_option *asked)
{
    hy_nt_network networks[HY_NT_ALLOW_MAX];
    size_t count;
    if (!hy_program_nt_is_address(address_of(asked))) {
        app_error(command, "--nt: '%s' is neither an address of this machine nor nt://HOST",
                  asked->listen);
        return false;
    }
    if (asked->allow != NULL && !hy_program_nt_networks(asked->allow, networks, &count)) {
        app_error(command, "--nt-allow needs addresses, such as 10.12.34.0/24, not '%s'",
                  asked->allow);
        return false;
    }
    const char *const conflict = hy_program_nt_conflict(asked->is_asked ? address_of(asked) : NULL,
                                                        asked->allow != NULL, asked->write);
    if (conflict != NULL) {
        app_error(command, "%s", conflict);
    }
    return conflict == NULL;
}

hy_nt *nt_option_start(const char *command, const nt_option *asked)
{
    hy_nt_network networks[HY_NT_ALLOW_MAX];
    hy_nt_options options = { .allowed = networks,
                              .others_may_write = asked->write,
                              .names = asked->names };
    char text[HY_ENDPOINT_TEXT_MAX];
    hy_nt *nt = NULL;
    if (!asked->is_asked ||
        (asked->allow != NULL &&
         !hy_program_nt_networks(asked->allow, networks, &options.allowed_count))) {
        return NULL;
    }
    hy_status status = hy_program_nt_address(address_of(asked), &options);
    status = status == HY_OK ? hy_nt_start(&nt, &options) : status;
    if (status != HY_OK) {
        app_error(command, "no NetworkTables at %s: %s; it runs on without",
                  hy_program_nt_is_client(address_of(asked))
                      ? asked->listen
                      : hy_endpoint_format(&options.listen, text),
                  hy_program_nt_failure(address_of(asked), status));
    }
    return nt;
}

void nt_option_announce(const hy_nt *nt, ready_line *ready)
{
    char text[HY_PROGRAM_NT_TEXT_MAX];
    if (nt != NULL && hy_nt_is_client(nt)) {
        ready_line_add(ready, "nt", "%s", hy_program_nt_place(nt, text));
    } else if (nt != NULL) {
        const hy_endpoint address = hy_nt_address(nt);
        ready_line_add_address(ready, "nt", &address);
    }
}

void nt_option_notice(const nt_option *asked, const hy_nt *nt)
{
    char text[HY_PROGRAM_NT_TEXT_MAX];
    if (nt != NULL && hy_program_nt_notice(nt, asked->allow != NULL, asked->write, text)) {
        puts(text);
        fflush(stdout);
    }
}

void nt_option_report(const char *command, hy_nt *nt)
{
    char text[HY_PROGRAM_NT_TEXT_MAX];
    if (nt != NULL && hy_program_nt_report(nt, text)) {
        app_error(command, "%s", text);
    }
}
