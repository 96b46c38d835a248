#include "host_nt.h"

#include "host_nt_text.h"
#include "system/system.h"
#include <halyard/link.h>

#include <stdio.h>
#include <string.h>

#include "text/text_plain.h"

// clang-format off
static const hy_option table[] = {
    { HY_OPTION(OPTIONAL, hy_host_nt, listen), .name = "nt", .value = "ADDR:PORT", .help = "serve it to AdvantageScope, Elastic and other clients of NetworkTables (default 127.0.0.1:5810; port 0: any free one); nt://HOST[:PORT]: publish it in the server there instead" },
    { HY_OPTION(TEXT, hy_host_nt, allow), .name = "nt-allow", .value = "ADDR[/BITS],...", .help = "with --nt=ADDR, an address that they can reach: other machines that may look" },
    { HY_OPTION(FLAG, hy_host_nt, write), .name = "nt-write", .needs = "nt-allow", .help = "they may also publish topics of their own" },
};
// clang-format on

static const char *address_of(const hy_host_nt *asked)
{
    return asked->listen != NULL ? asked->listen : "";
}

static bool check(const char *program, void *to)
{
    const hy_host_nt *const asked = to;
    hy_nt_network networks[HY_NT_ALLOW_MAX];
    size_t count;
    if (!hy_nt_text_is_address(address_of(asked))) {
        hy_print_error(program, "--nt: '%s' is neither an address of this machine nor nt://HOST",
                       asked->listen);
        return false;
    }
    if (asked->allow != NULL && !hy_nt_text_networks(asked->allow, networks, &count)) {
        hy_print_error(program, "--nt-allow needs addresses, such as 10.12.34.0/24, not '%s'",
                       asked->allow);
        return false;
    }
    const char *const conflict =
        hy_nt_text_conflict(asked->listen, asked->allow != NULL, asked->write);
    if (conflict != NULL) {
        hy_print_error(program, "%s", conflict);
    }
    return conflict == NULL;
}

hy_option_group hy_host_nt_group(hy_host_nt *to)
{
    return (hy_option_group)HY_OPTION_GROUP_CHECKED("NetworkTables", table, to, check);
}

static void report(void *context, int64_t now_us)
{
    const hy_host_nt *const self = context;
    char text[HY_NT_SAID_MAX];
    (void)now_us;
    if (hy_nt_text_report(self->nt, text)) {
        hy_print_error(self->program, "%s", text);
    }
}

static void stop(void *context)
{
    hy_host_nt *const self = context;
    hy_nt_close(self->nt);
    self->nt = NULL;
}

void hy_host_nt_start(hy_host_nt *self, hy_host *host)
{
    static const hy_attachment_functions functions = { .on_turn = report, .close = stop };
    hy_nt_network networks[HY_NT_ALLOW_MAX];
    hy_nt_options options = { .allowed = self->allowed,
                              .allowed_count = self->allowed_count,
                              .others_may_write = self->write,
                              .trusted = self->trusted,
                              .trusted_count = self->trusted_count };
    char text[HY_ENDPOINT_TEXT_MAX], owner[HY_PORT_OWNER_MAX];
    if (self->listen == NULL) {
        return;
    }
    if (self->allow != NULL) {
        options.allowed = networks;
        (void)hy_nt_text_networks(self->allow, networks, &options.allowed_count); // it was checked
    }
    hy_status status = hy_nt_text_address(self->listen, &options);
    status = status == HY_OK ? hy_nt_open(&self->nt, &options) : status;
    self->program = host->program;
    if (status == HY_OK) {
        self->sink = hy_nt_sink(self->nt);
        hy_host_attach(host, &functions, self);
        return;
    }
    hy_print_error(self->program, "no NetworkTables at %s: %s; it runs on without%s",
                   hy_nt_text_is_client(self->listen) ? self->listen
                                                      : hy_endpoint_format(&options.listen, text),
                   hy_nt_text_failure(self->listen, status),
                   hy_port_owner(status, options.listen.port, true, owner));
}

const hy_telemetry_sink *hy_host_nt_sink(const hy_host_nt *self)
{
    return self->nt != NULL ? &self->sink : NULL;
}

void hy_host_nt_announce(const hy_host_nt *self, hy_ready_line *ready)
{
    char text[HY_NT_SAID_MAX];
    if (self->nt != NULL) {
        hy_ready_line_add(ready, "nt", "%s", hy_nt_text_place(self->nt, text));
    }
}

void hy_host_nt_notice(const hy_host_nt *self, FILE *out)
{
    char text[HY_NT_SAID_MAX];
    if (self->nt != NULL &&
        hy_nt_text_notice(self->nt, self->allow != NULL || self->allowed_count > 0, self->write,
                          text)) {
        hy_print(out, "%s\n", text);
        fflush(out);
    }
}
