/// @file export.h
/// `halyard replay FILE --export csv`: every value of a WPILOG file as a line of text.
#ifndef HALYARD_APPS_REPLAY_EXPORT_H
#define HALYARD_APPS_REPLAY_EXPORT_H

#include <halyard/base.h>

#define EXPORT_TO_END_S 1e12

/// What is exported, in seconds of the file's time; both ends included.
typedef struct {
    double from_s, to_s;
} export_part;

/// Prints "Timestamp,Key,Value" and the values of `file`, whose name is `path`, to stdout. What cannot be printed or read is said on
/// stderr. False with a sentence for `command` if it is no WPILOG file.
bool export_csv(const char *command, const char *path, hy_bytes file, const export_part *part);

#endif
