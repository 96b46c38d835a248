/// @file pad_script.h
/// A player's hands as a text file, for machines: which stick, trigger or button, and when.
///
///     # a comment
///     0     left_y=512              # full ahead
///     +1.5  left_y=0 start=1        # one and a half seconds after the line before
///     +0.1  start=0
///     +2    quit                    # the end of the file ends it too
///
/// A line is a time and what changes then; everything keeps its value until it changes again. The time is in seconds since the
/// start, or, with '+', since the time of the line before; it never falls. Axes are -512..512, triggers 0..512, buttons 0 or 1.
#ifndef HALYARD_APPS_PAD_SCRIPT_H
#define HALYARD_APPS_PAD_SCRIPT_H

#include <halyard/icd.h>

/// What a script can set: its name, the member of hy_icd_sticks, its type, its least and largest value.
#define PAD_SCRIPT_KEYS(X)                                 \
    X("left_x", left_x, int, -HY_ICD_FULL, HY_ICD_FULL)    \
    X("left_y", left_y, int, -HY_ICD_FULL, HY_ICD_FULL)    \
    X("right_x", right_x, int, -HY_ICD_FULL, HY_ICD_FULL)  \
    X("right_y", right_y, int, -HY_ICD_FULL, HY_ICD_FULL)  \
    X("left_trigger", left_trigger, int, 0, HY_ICD_FULL)   \
    X("right_trigger", right_trigger, int, 0, HY_ICD_FULL) \
    X("dpad_up", dpad_up, bool, 0, 1)                      \
    X("dpad_down", dpad_down, bool, 0, 1)                  \
    X("dpad_left", dpad_left, bool, 0, 1)                  \
    X("dpad_right", dpad_right, bool, 0, 1)                \
    X("left_bumper", left_bumper, bool, 0, 1)              \
    X("right_bumper", right_bumper, bool, 0, 1)            \
    X("a", a, bool, 0, 1)                                  \
    X("b", b, bool, 0, 1)                                  \
    X("x", x, bool, 0, 1)                                  \
    X("y", y, bool, 0, 1)                                  \
    X("back", back, bool, 0, 1)                            \
    X("start", start, bool, 0, 1)                          \
    X("guide", guide, bool, 0, 1)

/// From when on the sticks are so.
typedef struct {
    double time_s;
    hy_icd_sticks sticks;
} pad_script_step;

/// A whole script; zero-initialised is an empty one, which is over at once.
typedef struct {
    pad_script_step *steps;
    size_t count;
    double end_s; ///< When it is over.
} pad_script;

/// Reads a script from memory. On failure `error` is a sentence that begins with "NAME:LINE:", `self` is empty, and the status is
/// HY_EFORMAT, HY_ERANGE (too long) or HY_EFULL (no memory). Any bytes will do.
hy_status pad_script_parse(pad_script *self, hy_bytes text, const char *name, char *error,
                           size_t error_size);

/// The same from a file, up to 1 MB; also HY_EFILE.
hy_status pad_script_load(pad_script *self, const char *path, char *error, size_t error_size);
void pad_script_free(pad_script *self);

/// What the hands do at `time_s` since the start; nothing before the first line and after the end.
hy_icd_sticks pad_script_at(const pad_script *self, double time_s);

#endif
