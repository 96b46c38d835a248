/// What the part asks of the operating system. system_posix.c has what all Unix systems share; one
/// more file a system has the calls that move several datagrams and wait with microseconds.
/// system_windows.c has all but what every system can do alike (system_onebyone.c), and no
/// hy_system_wait(): the event loop is for the programs, which are Unix programs.
#ifndef HALYARD_LINK_SYSTEM_H
#define HALYARD_LINK_SYSTEM_H

#include <halyard/link.h>

/// Opens a non-blocking UDP socket bound to `local`; `bound` is where it is then.
hy_status hy_system_open(const hy_endpoint *local, intptr_t *out, hy_endpoint *bound);

void hy_system_close(intptr_t socket);

/// Asks the system to stamp what arrives at a socket with the time. Does nothing where it cannot, or will not.
void hy_system_ask_for_stamps(intptr_t socket);

/// From now on the system keeps the network's reports (ICMP) that a datagram did not arrive. Does
/// nothing where a socket without a fixed peer cannot have them.
void hy_system_keep_reports(intptr_t socket, bool is_ipv6);

/// Takes the reports that have come in since, 512 at most, and returns how many there were.
size_t hy_system_take_reports(intptr_t socket);

/// Sends the first datagram and as many of the following as the system takes in the same call.
/// Returns how many, or why the first one was not sent: HY_AGAIN, HY_EUNREACHABLE, HY_ESYSTEM.
int hy_system_send(intptr_t socket, bool is_ipv6, const hy_datagram *datagrams, size_t count);

/// The same for one datagram.
int hy_system_send_one(intptr_t socket, bool is_ipv6, const hy_endpoint *to, hy_bytes bytes);

/// The memory behind what is received: HY_LINK_BATCH datagrams of any length.
typedef struct hy_link_inbox hy_link_inbox;

/// NULL if there is no memory.
hy_link_inbox *hy_system_inbox_open(void);

void hy_system_inbox_close(hy_link_inbox *inbox);

/// What one hy_system_receive() brings.
typedef struct {
    hy_datagram *out; ///< The caller's, room for `room` <= HY_LINK_BATCH: each gets `peer` and `bytes`.
    size_t room;
    /// The caller's: whether to find out when they arrived, which costs nearly as much as receiving them.
    bool wants_stamps;
    int64_t read_us; ///< The caller's, before the reading; with stamps hy_clock_now_us() behind it.
    /// With stamps how long each had waited at `read_us`, by the clock for dates, which may have been set meanwhile: negative then,
    /// and where the system does not stamp.
    int64_t waited_us[HY_LINK_BATCH];
    bool emptied; ///< Nothing was left to be read.
    uint32_t overflowed; ///< As hy_system_overflowed() when one of them arrived; left alone where the system does not tell.
} hy_system_batch;

/// Receives up to `batch->room` datagrams into `inbox`. Returns how many, or why there is none: HY_AGAIN
/// if none waits, else HY_ESYSTEM.
int hy_system_receive(intptr_t socket, hy_link_inbox *inbox, hy_system_batch *batch);

/// Datagrams that found no room in the system's buffer since `socket` was opened; 0 where the system does not tell.
uint32_t hy_system_overflowed(intptr_t socket);

/// Bytes of that buffer; 0 where the system does not tell.
size_t hy_system_receive_room(intptr_t socket);

#define HY_SYSTEM_INTERFACE_MAX 16 ///< Bytes of the name of a network interface, with its end.

/// The number of the network interface `name`; 0 if there is none, or the system's go by number.
uint32_t hy_system_interface_number(const char *name);

/// The name of interface `number`. False if it has none.
bool hy_system_interface_name(uint32_t number, char name[HY_SYSTEM_INTERFACE_MAX]);

struct pollfd;

/// poll(2) for at most `wait_us` (>= 0; INT64_MAX: without end). Returns how many are ready; -1
/// with errno.
int hy_system_wait(struct pollfd *descriptors, size_t count, int64_t wait_us);

#endif
