/// @file bad_air.h
/// A robot behind a bad network: a board whose motors are watched, and a proxy that loses a fifth of all
/// datagrams and mixes up the rest.
#ifndef HALYARD_TESTS_BAD_AIR_H
#define HALYARD_TESTS_BAD_AIR_H

#include "board_thread.h"
#include "udp_proxy.h"

/// A stop has to arrive within 100 ms of when it was asked for. The air adds its delay; and this machine, which has
/// other things to do, may add this much.
#define BAD_AIR_STOP_US  100000
#define BAD_AIR_DELAY_US 20000
#if defined(__SANITIZE_ADDRESS__) || \
    defined(__SANITIZE_THREAD__) // several times slower, on two busy cores
#define BAD_AIR_MACHINE_US 250000
#else
#define BAD_AIR_MACHINE_US 60000
#endif

typedef struct {
    board_thread *board;
    udp_proxy *proxy;
    udp_proxy_options options;
    char url[96]; ///< Of the robot, through the bad air.
} bad_air;

bad_air bad_air_start(uint64_t seed);
void bad_air_end(bad_air *self);

/// From now on nothing comes back from the robot.
void bad_air_silence(bad_air *self);

/// The worst that may happen to a stop: from now on nothing reaches the robot; and after the second call, half of the
/// time that a stop is repeated later, everything does. A stop that is sent only once is lost.
void bad_air_begin_blackout(bad_air *self);
void bad_air_end_blackout(bad_air *self);

/// Waits for the motors to stand and asserts that they do so `limit_us` after `began_us` and stay so for 300 ms, and disabled.
/// Returns how long it took.
int64_t bad_air_assert_stops(bad_air *self, int64_t began_us, int64_t limit_us);

#endif
