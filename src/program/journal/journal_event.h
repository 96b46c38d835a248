/// @file journal_event.h
/// Private: the byte form of what a program read and commanded: SPEC recording, "The robot program".
#ifndef HALYARD_PROGRAM_JOURNAL_EVENT_H
#define HALYARD_PROGRAM_JOURNAL_EVENT_H

#include <halyard/program.h>

#define JOURNAL_CHANNEL   "/Halyard/Replay/Program"
#define JOURNAL_VERSION   1
#define JOURNAL_HEAD      12   // before an event: u64 number, u32 check
#define JOURNAL_EVENT_MAX 2048 // bytes of an event with its head
#define JOURNAL_TEXT_MAX  256

typedef enum {
    JOURNAL_START = 1, // which program
    JOURNAL_SAVED,     // a tunable of --tunables
    JOURNAL_UPDATE,    // calls of a device class
    JOURNAL_REBASE,
    JOURNAL_STOP,
    JOURNAL_OUTPUTS,
    JOURNAL_CALL, // calls of the program
    JOURNAL_KEY,
    JOURNAL_STATE, // the texts and addresses of the next JOURNAL_SUPERVISE
    JOURNAL_SUPERVISE,
    JOURNAL_TUNE, // what a dashboard changed
    JOURNAL_CHOOSE,
    JOURNAL_END,
    JOURNAL_KINDS
} journal_kind;

// The calls of hy_robot_program: JOURNAL_CALLS_A_MODE for each mode, and these.
enum { CALL_INIT, CALL_PERIODIC, CALL_EXIT, JOURNAL_CALLS_A_MODE };
enum {
    CALL_ROBOT_INIT = HY_MODES * JOURNAL_CALLS_A_MODE,
    CALL_ROBOT_PERIODIC,
    CALL_SIMULATION_INIT,
    CALL_SIMULATION_PERIODIC,
    JOURNAL_CALLS
};

// One event; each kind uses some of its members.
typedef struct {
    journal_kind kind;
    unsigned index; // a robot, a call, or the version of a JOURNAL_START
    int64_t now_us;
    hy_readings readings;
    hy_outputs outputs;
    hy_key_event key;
    hy_program_state state; // its pointers are `text` and `address`, or NULL
    hy_program_wish wish;
    double value;
    // Of what was called: how many values it published, and what was said last, if that has changed.
    uint32_t puts;
    bool has_said;
    char name[JOURNAL_TEXT_MAX], text[JOURNAL_TEXT_MAX];
    char address[HY_PROGRAM_ROBOTS][JOURNAL_TEXT_MAX]; // or types of robots, of a JOURNAL_START
} journal_event;

/// The bytes of `event` into `out`, behind the head for number `number`; how many.
size_t journal_event_write(const journal_event *event, uint64_t number,
                           uint8_t out[JOURNAL_EVENT_MAX]);

/// Reads them; false: they were altered, or are none. Any bytes will do.
bool journal_event_read(hy_bytes bytes, uint64_t *number, journal_event *event);

/// The call with this number in words: "teleop periodic". Static.
const char *journal_call_name(unsigned call);

#endif
