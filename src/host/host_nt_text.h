// What follows `--nt` and `--nt-allow`, and what is said of a server or client of NetworkTables.
#ifndef HALYARD_HOST_NT_TEXT_H
#define HALYARD_HOST_NT_TEXT_H

#include <halyard/nt.h>

#define HY_NT_TEXT_HOST_MAX 255 ///< Bytes of the text behind "--nt=".
#define HY_NT_SAID_MAX      400 ///< Room for a sentence or an address of hy_nt_text_*().

/// Whether `text` has the form that hy_nt_text_address() reads. Asks no network.
bool hy_nt_text_is_address(const char *text);

/// Whether `text` names a server to publish in: "nt://HOST[:PORT]".
bool hy_nt_text_is_client(const char *text);

/// Reads "" (127.0.0.1:5810) or "ADDR[:PORT]" into `listen`, "nt://HOST[:PORT]" into `publish_to`;
/// the port is 5810 unless it is named. HOST may be a name, for which this may wait for seconds.
/// HY_OK, or why not, as hy_link_resolve().
hy_status hy_nt_text_address(const char *text, hy_nt_options *out);

/// Where it serves, "127.0.0.1:5810" (if that is every address, one that this machine can use), or
/// publishes, "nt://127.0.0.1:5810".
const char *hy_nt_text_place(const hy_nt *nt, char text[HY_NT_SAID_MAX]);

/// Whether there is something new to tell, as a sentence: of a client of another server that it is
/// connected, or that no server is there; of a server what hy_nt_next_notice() says, and how to let
/// a page in that was refused. Call it in the loop; it costs two atomic reads.
bool hy_nt_text_report(hy_nt *nt, char text[HY_NT_SAID_MAX]);

/// Reads "ADDR[/BITS],..." into `networks`; false if it is something else, or over HY_NT_ALLOW_MAX
/// of them.
bool hy_nt_text_networks(const char *list, hy_nt_network networks[HY_NT_ALLOW_MAX], size_t *count);

/// Whether what follows `--nt` goes together with `--nt-allow` and `--nt-write`: NULL, or a
/// sentence that says what is missing. `nt` is NULL if nobody asked for a server.
const char *hy_nt_text_conflict(const char *nt, bool allows_others, bool others_may_write);

/// Why hy_nt_text_address() or hy_nt_open() failed, of `--nt=`text.
const char *hy_nt_text_failure(const char *text, hy_status status);

/// What to tell whoever started a server that other machines can reach: who may connect, and what
/// they may do. False: only this machine reaches it, or it is a client of another server.
bool hy_nt_text_notice(const hy_nt *nt, bool allows_others, bool others_may_write,
                       char text[HY_NT_SAID_MAX]);

#endif
