/// @file refusal.h
/// What has to be refused: one sentence, and an exit status.
#ifndef HALYARD_TESTS_REFUSAL_H
#define HALYARD_TESTS_REFUSAL_H

/// A command line behind `halyard`, as an array.
#define ARGUMENTS(...)    \
    (const char *const[]) \
    {                     \
        __VA_ARGS__, NULL \
    }

/// `halyard` with `arguments` (at most 30, NULL at the end) has to end with `exit_status` and to say one line, no more, with
/// `sentence` in it: fails the test otherwise.
void check_refusal(const char *const *arguments, int exit_status, const char *sentence);

#endif
