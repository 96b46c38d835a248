/// @file conform_driver.h
/// The program under test of `halyard conform client`, as a process of ours: what it prints goes to stderr, and what it is to do is
/// written into its standard input.
#ifndef HALYARD_APPS_CONFORM_DRIVER_H
#define HALYARD_APPS_CONFORM_DRIVER_H

#include "system/system_child.h"

/// Zero-initialised is a program that somebody else starts.
typedef struct {
    hy_child process;
    FILE *input; ///< Our end of its standard input.
} conform_driver;

/// Starts `command` (NULL at its end); it finds `port` in HALYARD_CONFORM_PORT. False if the system refuses (errno).
bool conform_driver_start(conform_driver *self, const char *const *command, unsigned port);

/// Copies to stderr what it has printed.
void conform_driver_show(conform_driver *self);

/// Writes `line` into its standard input; NULL writes nothing.
void conform_driver_tell(const conform_driver *self, const char *line);

/// Kills it if it still runs.
void conform_driver_close(conform_driver *self);

#endif
