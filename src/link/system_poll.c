// Waits in milliseconds: what every Unix can do.
#include "system_posix.h"

#include <limits.h>
#include <poll.h>

int hy_system_wait(struct pollfd *descriptors, size_t count, int64_t wait_us)
{
    // Rounded up: a wait that ends early would only be started again.
    const int64_t wait_ms = wait_us / 1000 + (wait_us % 1000 != 0 ? 1 : 0);
    const int endless = -1;
    return poll(descriptors, (nfds_t)count, wait_ms > INT_MAX ? endless : (int)wait_ms);
}
