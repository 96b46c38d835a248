/// What the Unix files of the part share.
#ifndef HALYARD_LINK_SYSTEM_POSIX_H
#define HALYARD_LINK_SYSTEM_POSIX_H

#include "sockets.h"

/// What an errno of a send, of a receive means.
hy_status hy_system_send_status(int error);
hy_status hy_system_receive_status(int error);

#endif
