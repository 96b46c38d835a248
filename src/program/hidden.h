/// @file hidden.h
/// Private: catches calls of the program to functions whose results no recording has, such as time() and rand(). While a replay
/// runs, what the program's executable and libraries have bound these names to is replaced by functions that note the call and
/// hand it on. Elsewhere than on Linux nothing is caught.
#ifndef HALYARD_PROGRAM_HIDDEN_H
#define HALYARD_PROGRAM_HIDDEN_H

#include <stdbool.h>

/// Finds the functions; to be called before other threads begin, which then may call them during a replay.
void program_hidden_prepare(void);

/// Begins to replace. Once at a time in a process.
void program_hidden_start(void);

/// Puts back what was there.
void program_hidden_end(void);

/// From now on calls of this thread are noted, or no longer.
void program_hidden_watch(bool is_watching);

/// The first function that was noted since the last program_hidden_take(), such as "rand"; NULL: none. Static.
const char *program_hidden_take(void);

#endif
