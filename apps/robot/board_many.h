/// @file board_many.h
/// `halyard board --count N`: many virtual robots at once, each in a world of its own.
#ifndef HALYARD_APPS_BOARD_MANY_H
#define HALYARD_APPS_BOARD_MANY_H

#include <halyard/board.h>
#include <halyard/faults.h>
#include <halyard/worldfile.h>

#include <stdbool.h>

#define BOARD_MANY_MAX 1000

typedef struct {
    const char *command; // its name, for what it says
    const char *listen;  // ADDR:PORT of the first; the others follow
    size_t count;
    const char *world;
    uint64_t seed; // of the first; the others' follow
    hy_board_options robot;
    const char *faults_text; // NULL: none
    const hy_faults_spec *faults;
    hy_worldfile_robots robots; // what they bring into their worlds
    double duration_s;          // 0: until a signal comes
    // The command line, for further processes: an engine's table of worlds has room for 128.
    int (*run)(int argc, char **argv); // the whole command
    int argc;
    char **argv;
} board_many_options;

/// Runs them until a signal or the end of their time. False with a sentence on stderr if something was refused.
bool board_many_run(const board_many_options *options);

#endif
