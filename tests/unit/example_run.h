/// @file example_run.h
/// An example's own source file against the world's truth, faster than real time: everything between its loop and the
/// floor is the real code (devices, wire, commander, board, world); only sockets and clock are replaced, by a channel in
/// memory and a count of milliseconds. It stands in for hy_program_main(), so the example's main() starts it.
#ifndef HALYARD_TESTS_EXAMPLE_RUN_H
#define HALYARD_TESTS_EXAMPLE_RUN_H

#include <halyard/world.h>

#define EXAMPLE_ENABLE_US \
    INT64_C(300000) ///< When the program is enabled: before that loop's periodic call.

/// A key that is pressed, and held for `hold_s` (repeated every 50 ms, as a terminal does).
typedef struct {
    double at_s, hold_s;
    uint32_t key;
} example_key;

typedef struct {
    int (*example)(int argc, char **argv);
    const char *world; ///< "xrp-line": a file of worlds/; or YAML itself, if it has a line's end.
    const hy_robot_traits *traits; ///< Of its robots in a world that has a name; NULL: ideal.
    uint64_t seed;                 ///< Of all sensor noise, and of the network's faults.
    bool bad_air;      ///< 5 % of all datagrams are lost both ways, each takes up to 20 ms.
    double off_most_m; ///< Of example_laps(): how far it may be from the line; 0: 30 mm.
    double least_m_s;  ///< Of example_laps(): the least mean speed; 0: 0.12.
    double duration_s; ///< Of the run; it is enabled after EXAMPLE_ENABLE_US.
    const example_key *keys;
    size_t key_count;
    /// Called after every step of the world with what is true then; false ends the run.
    bool (*watch)(void *context, double t_s, const hy_truth *truth);
    /// Gets every status that the program of the first robot has heard, and every datagram that it sends; may be NULL.
    void (*packet)(void *context, bool is_status, int64_t now_us, hy_bytes bytes);
    void *context;
    size_t robots; ///< Boards of the world's first vehicles; 0 counts as 1.
} example_setup;

/// What a run has left behind.
typedef struct {
    hy_truth truth; ///< At its end, of the first robot.
    char said[80];  ///< By hy_program_set_status(), last.
    double end_s;
    uint64_t lost;  ///< Datagrams.
    uint64_t trips; ///< Watchdogs of the first robot: it was not commanded for half a second.
    bool touched;   ///< The first robot touched anything, ever.
} example_result;

/// Runs it; fails the test that called if the world cannot be had.
example_result example_run(const example_setup *setup);

/// What hy_program_set_status() said last, for those who watch.
const char *example_said(void);

#endif
