// The command line of a robot program.
#ifndef HALYARD_PROGRAM_OPTIONS_H
#define HALYARD_PROGRAM_OPTIONS_H

#include <halyard/program.h>

#include "host/host_faults.h"
#include "host/host_names.h"
#include "host/host_nt.h"
#include "host/host_page.h"
#include "host/host_phantoms.h"
#include "host/host_record.h"
#include "host/host_traits.h"

typedef struct {
    hy_program_options run;
    // What `run` is made of, or points to.
    const char *url_items[HY_PROGRAM_ROBOTS + 1];
    hy_option_list urls;
    bool no_nt;
    hy_host_traits traits;
    hy_host_faults faults;
    hy_host_page_options page;
    hy_host_phantoms phantoms;
    hy_host_record record;
    hy_host_nt nt;
    hy_host_names names;
    hy_nt_network networks[HY_NT_ALLOW_MAX];
} program_options;

/// -1 if the program is to run, else the exit status with which it ends now; what is wrong was said.
int program_options_read(program_options *out, const hy_program *program, int argc, char **argv);

#endif
