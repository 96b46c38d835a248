/// @file bad_air.h
/// A robot behind a bad network: a board whose motors are watched, and a proxy that loses a fifth of all
/// datagrams and mixes up the rest (but of the six commands of a stop it loses four at most).
///
/// What a program did is judged by the commands that it sent and by the board's own counters, never by how long it
/// took: a machine that has other things to do makes everything late, and nothing wrong. The times themselves are
/// tested where time is an argument (test_wire_commander, test_robot_connection, test_board_session).
#ifndef HALYARD_TESTS_BAD_AIR_H
#define HALYARD_TESTS_BAD_AIR_H

#include "board_thread.h"
#include "udp_proxy.h"

/// A stop is sent at once and repeated every 20 ms for 100 ms: so many commands.
#define BAD_AIR_STOP_COMMANDS 6
/// More commands than this that still drive are not "at once": one every 20 ms goes out until the program is told, and
/// whoever tells it may be held up meanwhile.
#define BAD_AIR_AT_ONCE 50
/// What a busy machine may take for anything that has to happen.
#define BAD_AIR_PATIENCE_US 30000000

typedef struct bad_air_record bad_air_record;

typedef struct {
    board_thread *board;
    udp_proxy *proxy;
    udp_proxy_options options;
    bad_air_record *record;
    char url[96]; ///< Of the robot, through the bad air.
} bad_air;

/// What has been sent to the robot so far, and how often its watchdog had to stop it. After the wrap of the numbers a
/// command is two datagrams, and still one command.
typedef struct {
    uint64_t driving; ///< Commands that enable.
    uint64_t stops;   ///< Commands that disable, with every motor in them at 0.
    uint64_t crooked; ///< Commands that disable and are not so: there must be none.
    uint64_t trips;
} bad_air_count;

bad_air bad_air_start(uint64_t seed);

/// The same with a robot that programs take for one on another machine: at an address of this machine that is not the loopback's.
/// `board` is NULL if it has none.
bad_air bad_air_start_elsewhere(uint64_t seed);

void bad_air_end(bad_air *self);

bad_air_count bad_air_counts(const bad_air *self);

/// Waits for so many more stops than `before`; fails the test if they do not come.
void bad_air_await_stops(bad_air *self, const bad_air_count *before, uint64_t stops);

/// From now on nothing comes back from the robot.
void bad_air_silence(bad_air *self);

/// The worst that may happen to a stop: the first half of it is lost, and then everything arrives. A stop that is sent
/// only once, or only early, never gets there.
void bad_air_swallow_stops(bad_air *self);

/// Whether the machine has held up the program since bad_air_counts() was called last, so long that both it and the robot
/// have to make sure that nothing drives on: no command came for so long, while programs waited for a processor.
bool bad_air_was_held_up(const bad_air *self);

/// Asserts that the robot's watchdog has not acted since `before`, the last bad_air_counts(), unless the program was held up.
void bad_air_assert_no_trip(bad_air *self, const bad_air_count *before);

/// Waits for the motors to stand, and for the whole of a stop to be sent; asserts that it was the stop, not the robot's
/// watchdog, that made them; that at most `driving` commands to drive were sent since `before`, and that the robot stays
/// disabled.
void bad_air_assert_stops(bad_air *self, const bad_air_count *before, uint64_t driving);

/// Waits for the motors to stand because nothing came any more: the watchdog did it, once.
void bad_air_assert_watchdog_stops(bad_air *self, const bad_air_count *before);

#endif
