/// Where the robot is, as the environment says.
#ifndef HALYARD_HALSIM_SETTINGS_H
#define HALYARD_HALSIM_SETTINGS_H

#include <halyard/halsim.h>

#define HY_HALSIM_HOST_MAX \
    272 ///< A DNS name or an IPv6 address in brackets, ":65535", and the end.

typedef struct {
    char host[HY_HALSIM_HOST_MAX]; ///< "HOST:PORT", as hy_link_resolve() takes it.
    hy_endpoint literal;           ///< Nobody if HOST is a name.
    const char *late; ///< The variable that the program has set after it loaded the extension; NULL: none.
} hy_halsim_settings;

/// Reads `host` and `port`, as the environment has them; NULL: it has none. False if one makes no sense; then one sentence
/// with the variable and its value went to stderr.
bool hy_halsim_settings_read(hy_halsim_settings *out, const hy_halsim_board *board,
                             const char *host, const char *port);

/// The same when the first command is due: many programs set the variables in their own code, behind what loads us. `before` is
/// what was read at loading.
bool hy_halsim_settings_read_again(hy_halsim_settings *out, const hy_halsim_settings *before,
                                   const hy_halsim_board *board, const char *host, const char *port);

#endif
