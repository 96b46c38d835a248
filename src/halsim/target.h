/// Which addresses the robot may have, and which of them it has. Until one answers, commands go to
/// all of them, so that none is lost while we find out.
#ifndef HALYARD_HALSIM_TARGET_H
#define HALYARD_HALSIM_TARGET_H

#include <halyard/base.h>

#define HY_TARGET_ADDRESSES  4
#define HY_TARGET_SILENCE_US 2000000 ///< Without a status for this long the robot may be elsewhere.

/// Zero-initialised: nowhere. No clock and no socket.
typedef struct {
    hy_endpoint addresses[HY_TARGET_ADDRESSES];
    size_t count;
    hy_endpoint answering; ///< Nobody if none does. Maybe not among the addresses any more.
    int64_t heard_us;
} hy_target;

/// Takes what a name resolves to now. A robot that answers keeps its address whatever names say.
void hy_target_set(hy_target *self, const hy_endpoint *addresses, size_t count);

/// True if a datagram from `peer` may be the robot's.
bool hy_target_knows(const hy_target *self, const hy_endpoint *peer);

/// A status came from `peer`. True if the robot was silent before.
bool hy_target_hear(hy_target *self, const hy_endpoint *peer, int64_t now_us);

/// True if the robot has just fallen silent.
bool hy_target_watch(hy_target *self, int64_t now_us);

/// Where commands go now; returns how many addresses that is.
size_t hy_target_addresses(const hy_target *self, const hy_endpoint **out);

#endif
