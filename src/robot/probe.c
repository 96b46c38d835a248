#include "probe.h"

#include <poll.h>

#define LONGEST_SLEEP_US 1000000

void hy_probe_sleep(intptr_t first, intptr_t second, int64_t wait_us)
{
    const int64_t bounded_us = wait_us < LONGEST_SLEEP_US ? wait_us : LONGEST_SLEEP_US;
    struct pollfd sockets[] = { { .fd = (int)first, .events = POLLIN },
                                { .fd = (int)second, .events = POLLIN } };
    poll(sockets, 2, bounded_us > 0 ? (int)((bounded_us + 999) / 1000) : 0);
}
