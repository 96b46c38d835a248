/// @file suggest.h
/// "did you mean ...?": the known name that is nearest to a misspelt one.
#ifndef HALYARD_APPS_SUGGEST_H
#define HALYARD_APPS_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *typed; ///< `size` bytes of what was typed; needs no end of a string.
    size_t size;
    const char *name; ///< The nearest name so far; NULL while none is near enough to be meant. Only read it.
    unsigned distance; // private
} suggestion;

/// Starts a search for what was meant by `size` bytes of `typed`.
suggestion suggestion_start(const char *typed, size_t size);

/// Compares a known name, which must stay valid. A prefix of it counts as one letter wrong; short names may have one letter
/// wrong, longer ones two. The first of several that are equally near is kept.
void suggestion_consider(suggestion *self, const char *name);

#endif
