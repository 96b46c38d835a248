/// @file check.h
/// Private: a check as logic alone. Time and datagrams are arguments, so that it is tested without a network.
#ifndef HALYARD_ROBOT_CHECK_LOGIC_H
#define HALYARD_ROBOT_CHECK_LOGIC_H

#include <halyard/robot_check.h>

/// A datagram to send. Probes go from another socket than commands: a robot must take them for a
/// stranger's.
typedef struct {
    uint8_t data[HY_WIRE_COMMAND_MAX];
    size_t size;
    bool is_probe;
} hy_robot_question;

typedef struct {
    int64_t *values_us;
    size_t room, count;
} hy_robot_samples;

/// A check under way.
typedef struct {
    hy_robot_check_options options;
    hy_robot_report report;
    enum { HY_CHECK_ASKS, HY_CHECK_MEASURES, HY_CHECK_IS_OVER } phase;
    int64_t begin_us, end_us; // of the measurement; while asking, end_us is when that is given up

    unsigned rounds, round_left; // while asking
    int64_t round_due_us, asked_us;
    unsigned late_ones, answering_round; // 0: it has not been seen to answer each probe
    uint64_t statuses;

    int64_t probe_due_us, probed_us; // probed_us: INT64_MIN if no answer is awaited
    int64_t command_due_us;
    hy_commander commander;

    hy_seq_gate gate;          // of the stream
    int64_t first_us, last_us; // of the stream; INT64_MIN before
    int64_t asked_again_us;    // INT64_MIN: it was not
    uint64_t statuses_then;

    uint16_t answer_seq;
    bool has_answer;
    uint64_t foreign_statuses;
    int64_t foreign_first_us, foreign_last_us;

    hy_robot_samples intervals, round_trips;
} hy_robot_check;

/// Numbers of memory that a check of so long can need of a robot that sends 100 statuses a second.
size_t hy_robot_check_room(int64_t duration_us);

/// Starts a check at `now_us`. `memory` is room for samples; those beyond it are left out. It must outlive the check.
void hy_robot_check_start(hy_robot_check *self, const hy_robot_check_options *options,
                          hy_robot_samples memory, int64_t now_us);

/// The next datagram that is to be sent at `now_us`; false if none is. Call it until it returns
/// false.
bool hy_robot_check_ask(hy_robot_check *self, int64_t now_us, hy_robot_question *out);

/// A datagram came from the robot, at the socket of the probes or at that of the commands. Any
/// bytes will do. O(size).
void hy_robot_check_take(hy_robot_check *self, bool is_at_probes, hy_bytes datagram, int64_t at_us);

/// When there is something to do even if nothing comes.
int64_t hy_robot_check_due_us(const hy_robot_check *self);

/// True once nothing more will be asked or used. When that will be is known from the beginning of
/// the measurement.
bool hy_robot_check_is_over(const hy_robot_check *self, int64_t now_us);

/// The share that is done, [0, 1].
double hy_robot_check_progress(const hy_robot_check *self, int64_t now_us);

/// Ends the check, also before its time, and says what it has learnt. Sorts the samples: O(n log
/// n).
hy_robot_report hy_robot_check_end(hy_robot_check *self, int64_t now_us);

#endif
