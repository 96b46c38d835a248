/// @file script.h
/// A drive as a text file, for machines: what to do, and when.
///
///     # a comment
///     0    enable
///     0.5  drive 0.4 0.4        # efforts of the left and right wheel, forward positive
///     +1   arcade 0.3 0.2       # one second after the line before: speed and turn, left positive
///     +1   quit
///
/// A line is a time and a command. The time is in seconds since the start, or, with '+', since the time of the line
/// before; it never falls. The script's clock starts with the robot's first answer, and stands while `enable` waits for the
/// robot to be there. Channels count from 0, efforts are -1..1, servo positions 0..1.
#ifndef HALYARD_APPS_SCRIPT_H
#define HALYARD_APPS_SCRIPT_H

#include <halyard/wire.h>

#define SCRIPT_TEXT_MAX 500 ///< Bytes of what one line says.

/// Every command: its name, its arguments (their letters: e effort, p position, m motor, s servo, b on or off, t text) and
/// what --help says.
#define SCRIPT_VERBS(X)                                                                   \
    X(SCRIPT_ENABLE, "enable", "", "let the robot obey; fails if it is silent for 5 s")   \
    X(SCRIPT_DISABLE, "disable", "", "stop it")                                           \
    X(SCRIPT_DRIVE, "drive", "ee", "LEFT RIGHT: efforts of the wheels, forward positive") \
    X(SCRIPT_ARCADE, "arcade", "ee", "SPEED TURN: the same, turn to the left positive")   \
    X(SCRIPT_MOTOR, "motor", "me", "N EFFORT: one motor as it is on the wire")            \
    X(SCRIPT_SERVO, "servo", "sp", "N POSITION")                                          \
    X(SCRIPT_LED, "led", "b", "on or off")                                                \
    X(SCRIPT_WAIT, "wait", "", "nothing: the time of this line has to pass")              \
    X(SCRIPT_SAY, "say", "t", "TEXT: print it")                                           \
    X(SCRIPT_QUIT, "quit", "", "end, before the end of the script")

typedef enum {
#define SCRIPT_ENUM(verb, name, arguments, help) verb,
    SCRIPT_VERBS(SCRIPT_ENUM)
#undef SCRIPT_ENUM
        SCRIPT_VERB_COUNT
} script_verb;

typedef struct {
    double time_s;
    script_verb verb;
    unsigned channel;
    double number[2]; ///< Efforts or position, in their order on the line; led: 1 on, 0 off.
    hy_bytes text;    ///< say: points into the script's text.
} script_command;

typedef struct {
    unsigned line, column; ///< From 1; the column counts bytes.
    char what[160];        ///< One sentence without a full stop.
} script_error;

/// A script under way; start it with its text and the dialect of the robot that it is for.
typedef struct {
    hy_bytes text;
    const hy_dialect *dialect;
    size_t at;     ///< Where the next line begins.
    double time_s; ///< Of the line before.
} script_reader;

/// Reads the next line. Returns 1 if it held a command, 0 if it is blank or a comment, -1 if it is wrong: `error` then tells
/// why, but for the line's number. Pure: `out` points into the text. A command that the robot cannot obey is wrong.
int script_read_line(script_reader *self, script_command *out, script_error *error);

/// A whole script; zero-initialised is an empty one.
typedef struct {
    script_command *commands;
    size_t count;
    uint8_t *text; // private
} script;

/// Reads a file, up to 1 MB, for a robot of `dialect`. On failure `error` is a sentence that begins with
/// "PATH:LINE:COLUMN:" and `self` is empty.
hy_status script_load(script *self, const hy_dialect *dialect, const char *path, char *error,
                      size_t error_size);
void script_free(script *self);

#endif
