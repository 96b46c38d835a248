/// @file nt_option.h
/// `--nt`, `--nt-allow`, `--nt-allow-origin` and `--nt-write`: a server for AdvantageScope, Elastic and other clients of NetworkTables, or a client of
/// somebody else's.
#ifndef HALYARD_APPS_NT_OPTION_H
#define HALYARD_APPS_NT_OPTION_H

#include <halyard/nt.h>

#include "options.h"
#include "page_option.h"
#include "ready_line.h"

typedef struct {
    bool is_asked;
    const char *listen, *allow;
    bool write;
    hy_web_names names; ///< And `--allow-host`.
} nt_option;

/// The lines of a subcommand's table.
#define NT_OPTIONS(to)                                                                           \
    { .name = "nt",                                                                              \
      .value = "ADDR:PORT",                                                                      \
      .flag = &(to)->is_asked,                                                                   \
      .text = &(to)->listen,                                                                     \
      .help = "serve it to AdvantageScope, Elastic and other clients of NetworkTables "          \
              "(default 127.0.0.1:5810; port 0: any free one); nt://HOST[:PORT]: publish it in " \
              "the server there instead" },                                                      \
        { .name = "nt-allow",                                                                    \
          .value = "ADDR[/BITS],...",                                                            \
          .text = &(to)->allow,                                                                  \
          .help =                                                                                \
              "with --nt=ADDR, an address that they can reach: other machines that may look" },  \
        { .name = "nt-allow-origin",                                                             \
          .value = "SCHEME://HOST[:PORT]",                                                       \
          .names = &(to)->names,                                                                 \
          .allow = hy_web_allow_origin,                                                          \
          .help = "let web pages of that origin connect like programs of their computer, such "  \
                  "as http://localhost:5173; may be repeated" },                                 \
        PAGE_OPTION_ALLOW_HOST(&(to)->names),                                                    \
    {                                                                                            \
        .name = "nt-write", .flag = &(to)->write,                                                \
        .help = "with --nt-allow: they may also publish topics of their own"                     \
    }

/// Whether the options go together and are addresses; false with a sentence.
bool nt_option_check(const char *command, const nt_option *asked);

/// Starts the server, if one was asked for. NULL: none was, or a sentence says why there is none; the program runs on.
hy_nt *nt_option_start(const char *command, const nt_option *asked);

/// Says whether another server is there, once after each change. Call it in the loop; NULL is harmless.
void nt_option_report(const char *command, hy_nt *nt);

/// Adds nt=ADDR:PORT. Does nothing without a server.
void nt_option_announce(const hy_nt *nt, ready_line *ready);

/// After the ready line: who on other machines may connect, if they can reach the server.
void nt_option_notice(const nt_option *asked, const hy_nt *nt);

#endif
