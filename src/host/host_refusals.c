#include "host_refusals.h"

#include <halyard/link.h>
#include <stdio.h>

#include "options/options.h"

#define SENDERS 8

// One for the process, as its terminal is.
static struct {
    hy_endpoint senders[SENDERS];
    unsigned count;
    bool waits;
    const char *program;
    char line[400]; // that waits
} said;

static void print_line(void)
{
    if (said.line[0] != '\0' && !said.waits) {
        hy_print_error(said.program, "%s", said.line);
        said.line[0] = '\0';
    }
}

void hy_refusals_say(const char *program, const hy_endpoint *from, const char *what, const char *why)
{
    bool is_known = said.count == SENDERS;
    for (unsigned i = 0; i < said.count && !is_known; i++) {
        is_known = hy_endpoint_equal(&said.senders[i], from);
    }
    if (is_known) {
        return;
    }
    said.senders[said.count++] = *from;
    if (said.line[0] == '\0') {
        char text[HY_ENDPOINT_TEXT_MAX];
        said.program = program;
        snprintf(said.line, sizeof said.line,
                 "cannot use %s of %s: %s; further ones of %s are only counted", what,
                 hy_endpoint_format(from, text), why,
                 said.count == SENDERS ? "any sender" : "this sender");
    }
    print_line();
}

void hy_refusals_wait(bool waits)
{
    said.waits = waits;
    print_line();
}

void hy_refusals_check_command(const char *program, const hy_dialect *dialect,
                               const hy_endpoint *from, hy_bytes datagram)
{
    hy_wire_command decoded;
    const hy_wire_report report = dialect->command_decode(datagram, &decoded);
    if (report.error != HY_WIRE_WELL_FORMED && datagram.size != 1) {
        char why[96];
        snprintf(why, sizeof why, "%s (byte %zu of %zu)", hy_wire_error_text(report.error),
                 report.error_at, datagram.size);
        hy_refusals_say(program, from, "all of a command", why);
    }
}
