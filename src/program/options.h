// The command line of a robot program.
#ifndef HALYARD_PROGRAM_OPTIONS_H
#define HALYARD_PROGRAM_OPTIONS_H

#include <halyard/faults.h>
#include <halyard/program_run.h>

typedef struct {
    hy_program_options run;
    hy_faults_spec faults; // what `run` points to
    hy_nt_network networks[HY_NT_ALLOW_MAX];
} program_options;

/// -1 if the program is to run, else the exit status with which it ends now; what is wrong was said.
int program_options_read(program_options *out, const hy_program *program, int argc, char **argv);

/// One line to stderr, begun with the program's name.
__attribute__((format(printf, 2, 3))) void program_complain(const hy_program *program,
                                                            const char *format, ...);

#endif
