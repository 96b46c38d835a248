/// @file figures.h
/// How a program that runs until Ctrl-C ends with --json: one line of figures. Without, it ends with a sentence.
#ifndef HALYARD_APPS_FIGURES_H
#define HALYARD_APPS_FIGURES_H

#include <stddef.h>

#define FIGURES_HELP "print the figures of the run at its end, as one line of JSON"

typedef struct {
    const char *name; ///< Needs no quoting.
    double value;     ///< A count, or with up to six places.
} figure;

/// Prints {"NAME":VALUE,...} to stdout.
void figures_print(const figure *figures, size_t count);

#define FIGURES_PRINT(figures) figures_print(figures, sizeof(figures) / sizeof(figures)[0])

#endif
