/// @file host_nt.h
/// `--nt`, `--nt-allow` and `--nt-write`: a server for AdvantageScope, Elastic and other clients of NetworkTables, or a client of
/// somebody else's.
#ifndef HALYARD_HOST_NT_H
#define HALYARD_HOST_NT_H

#include <halyard/nt.h>
#include <stdio.h>

#include "host.h"
#include "host_ready.h"
#include "options/options.h"

/// What a program asks for, and what runs. All zero: there is none.
typedef struct {
    const char *listen; ///< NULL: none was asked for.
    const char *allow;
    bool write;
    const char *const *trusted; ///< Whom else to trust, as in hy_nt_options.
    size_t trusted_count;
    const hy_nt_network *allowed; ///< Instead of `allow`, `allowed_count` of them; the caller's.
    size_t allowed_count;
    hy_nt *nt; ///< From hy_host_nt_start() on; NULL: there is none.
    // Private.
    const char *program;
    hy_telemetry_sink sink;
} hy_host_nt;

hy_option_group hy_host_nt_group(hy_host_nt *to);

/// Starts the server, if one was asked for, or says why there is none, and the program runs on; and attaches it to `host`, in whose turns it
/// says whether another server is there, once after each change.
void hy_host_nt_start(hy_host_nt *self, hy_host *host);

/// What sends telemetry there; NULL: there is none.
const hy_telemetry_sink *hy_host_nt_sink(const hy_host_nt *self);

/// Adds nt=ADDR:PORT. Does nothing without a server.
void hy_host_nt_announce(const hy_host_nt *self, hy_ready_line *ready);

/// After the ready line: who on other machines may connect, if they can reach the server.
void hy_host_nt_notice(const hy_host_nt *self, FILE *out);

#endif
