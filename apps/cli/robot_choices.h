/// @file robot_choices.h
/// The robots of the table as choices of a command line.
#ifndef HALYARD_APPS_ROBOT_CHOICES_H
#define HALYARD_APPS_ROBOT_CHOICES_H

#include <halyard/robots.h>

#define ROBOT_CHOICES_MAX 16

typedef struct {
    const char *types[ROBOT_CHOICES_MAX + 1]; ///< Names in the order of the table; ends with NULL.
    const char *variants[ROBOT_CHOICES_MAX + 1]; ///< Names that any type has, each once; ends with NULL.
} robot_choices;

/// Fills both lists. What does not fit is left out.
void robot_choices_fill(robot_choices *out);

#endif
