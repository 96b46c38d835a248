/// @file conform.h
/// Private: a robot under test: what is sent to it, and what it says meanwhile.
#ifndef HALYARD_ROBOT_CONFORM_PRIVATE_H
#define HALYARD_ROBOT_CONFORM_PRIVATE_H

#include <halyard/link.h>
#include <halyard/robot_check.h>

#include <math.h>

#define CONFORM_COMMAND_US  20000
#define CONFORM_WATCHDOG_US 500000 // SPEC xrp 2.3, teensy 5.3
#define CONFORM_SILENCE_US  650000 // ends the ownership and runs out the watchdog of every robot
#define CONFORM_NO_EFFORT   NAN    // a command without motor blocks
#define CONFORM_HISTORY     256

/// A status, and what was wrong with it.
typedef struct {
    hy_wire_status status;
    int64_t at_us;
} conform_status;

/// What a stretch of statuses was like.
typedef struct {
    uint64_t statuses, repeated, backwards, lost, malformed, unknown, bad_values, missing_blocks,
        restarts;
    size_t least_size, most_size;
    uint64_t with_period, without_period; // encoder blocks
    int64_t first_us, last_us;            // of the numbered ones ...
    uint32_t numbers;                     // ... and how many numbers passed between
    char bad_value[64];
} conform_survey;

typedef struct conform_session {
    const hy_dialect *dialect;
    hy_endpoint address;
    const hy_conform_options *options;
    hy_link owner, stranger; // the stranger's is closed unless a test has opened it
    uint16_t seq;            // of the owner's newest command
    uint8_t motors;          // bit n: motor n is driven in the tests
    unsigned encoder;        // which of the robot's shows it; it rises with a positive effort
    float effort;
    int64_t status_period_us;                // of this type of robot
    conform_status history[CONFORM_HISTORY]; // of what came to the owner, newest at (count - 1) % CONFORM_HISTORY
    size_t count;
    size_t stranger_count; // statuses that came to the stranger
    conform_survey survey; // since conform_survey_start()
    int64_t pumped_us,
        held_us;    // when this program last looked; its longest pause since the test began
    int64_t gap_us; // the longest time between two statuses since the test began
    bool is_over, is_dead;
    hy_conform_result *result; // of the test that runs
    size_t index, test_count;
} conform_session;

/// What a command says beside its number.
typedef struct {
    uint8_t control;
    float effort; // of the driven motors; CONFORM_NO_EFFORT: no motor blocks
} conform_command;

typedef void conform_case(conform_session *self);

// --------------------------------------------------------------------------- sending and listening

/// Sends bytes as they are.
void conform_send_bytes(conform_session *self, hy_link *from, hy_bytes bytes);

/// Sends a command with number `seq`.
void conform_send(conform_session *self, hy_link *from, uint16_t seq, conform_command command);

/// A header in `room`, to which a test adds blocks of its own. Its number is the owner's next.
hy_block_writer conform_write(conform_session *self, hy_room room, uint8_t control);

/// Takes in what comes for `duration_us`, and sends nothing.
void conform_listen(conform_session *self, int64_t duration_us);

/// Sends `command` 50 times a second for `duration_us`, each with the next number, and takes in what comes.
void conform_command_for(conform_session *self, conform_command command, int64_t duration_us);

/// 50 times a second for 0.3 s: disabled, efforts 0.
void conform_rest(conform_session *self);

/// Disables the robot, with the copies that a stop is sent in.
void conform_stop(conform_session *self);

/// Silence until every robot has stopped and forgets its owner, then a new socket that counts from 1 again.
void conform_reopen(conform_session *self);

/// Opens the stranger's socket. False if the system refuses one.
bool conform_open_stranger(conform_session *self);

/// Starts the survey of statuses anew.
void conform_survey_start(conform_session *self);

// --------------------------------------------------------------------------- what the wheel does

/// The count of the watched encoder in the newest status.
int32_t conform_encoder_count(const conform_session *self);

/// Its rate in counts per second over the statuses of the last `window_us`, from counts and arrival times; NaN if fewer than two
/// came.
double conform_rate(const conform_session *self, int64_t window_us);

/// Drives with the test's effort until the wheel turns steadily; the rate then, counts per second, or 0 if it does not turn.
double conform_drive_steadily(conform_session *self);

/// Sends `command` until the encoder has risen by a few counts, at most for `limit_us`.
bool conform_moves(conform_session *self, conform_command command, int64_t limit_us);

// --------------------------------------------------------------------------- judging

/// Notes what came, and fails the test unless `is_good`. The first failure of a test counts. Returns `is_good`.
__attribute__((format(printf, 3, 4))) bool conform_check(conform_session *self, bool is_good,
                                                         const char *format, ...);

/// Marks the test as one that cannot be made with this robot.
__attribute__((format(printf, 2, 3))) void conform_skip(conform_session *self, const char *format,
                                                        ...);

// --------------------------------------------------------------------------- the tests

/// A test and how it is done.
typedef struct {
    hy_conform_test test;
    conform_case *run;
} conform_entry;

/// The tests, in conform_still.c and conform_motion.c; each list ends with a NULL id.
extern const conform_entry conform_still_tests[], conform_motion_tests[];

#endif
