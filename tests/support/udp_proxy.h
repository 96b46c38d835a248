/// @file udp_proxy.h
/// A bad network between two programs: a UDP proxy on a thread of the test, with the faults of
/// <halyard/faults.h> in each direction. The client speaks to the proxy as if it were the robot; the robot sees the proxy
/// as its one client, from one port that stays the same. It serves one client at a time: who sent
/// last gets the answers.
///
///     udp_proxy_options options = { .seed = 1, .to_robot = { .loss = 0.2 } };
///     hy_endpoint address;                                 // where the client has to send
///     udp_proxy *proxy = udp_proxy_start(&robot_address, &options, &address);
///     ...
///     options.is_stalled = true;                           // change it while it runs
///     udp_proxy_change(proxy, &options);
///     ...
///     const udp_proxy_counters counters = udp_proxy_count(proxy);
///     udp_proxy_stop(proxy);                               // ends the thread, frees everything
#ifndef HALYARD_TESTS_UDP_PROXY_H
#define HALYARD_TESTS_UDP_PROXY_H

#include <halyard/faults.h>

typedef struct udp_proxy udp_proxy;

/// Sees every datagram to the robot, in the order in which they came, before the network does; false loses it. On the
/// proxy's thread: it must not call the proxy.
typedef bool udp_proxy_watch(void *context, hy_bytes datagram);

/// All zero is a perfect wire.
typedef struct {
    uint64_t seed;          ///< Of both directions; only udp_proxy_start() looks at it,
    udp_proxy_watch *watch; ///< and at this (may be NULL),
    void *context;          ///< and at this, which goes to `watch`.
    hy_faults_direction to_robot, to_client;
    bool is_stalled; ///< While set nothing comes out; then all of it at once, as Wi-Fi does.
} udp_proxy_options;

typedef struct {
    hy_faults_counters to_robot, to_client;
} udp_proxy_counters;

/// Starts a proxy for `robot`, which is on this machine, on a free port of the same address, and
/// writes its address to `local`. NULL if the system refuses a socket or a thread.
udp_proxy *udp_proxy_start(const hy_endpoint *robot, const udp_proxy_options *options,
                           hy_endpoint *local);

/// Changes both directions from now on; what is under way keeps its fate. Any thread.
void udp_proxy_change(udp_proxy *self, const udp_proxy_options *options);

/// The counters as they are now. Any thread.
udp_proxy_counters udp_proxy_count(udp_proxy *self);

/// Ends the thread and frees everything; what is under way is lost. NULL is harmless.
void udp_proxy_stop(udp_proxy *self);

#endif
