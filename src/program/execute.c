// A robot program as a test or a command line asks for it, and what is printed at the end of a simulation.
#include <halyard/robot.h>

#include <inttypes.h>
#include <stdio.h>

#include "input/input.h"
#include "network.h"
#include "options.h"
#include "options/options.h"
#include "replay.h"
#include "sim.h"
#include "system/system_signals.h"
#include "text/text_plain.h"

#define GIVES_UP_US 5000000 // nobody sits in front of a program that runs as fast as it goes

hy_status hy_program_run(const hy_program *program, const hy_program_options *options,
                         hy_program_outcome *outcome)
{
    int exit_status;
    program_what_if what_if = { .inputs = NULL };
    const program_sim_plan how = { .program = program, .options = options, .what_if = &what_if };
    const hy_status status = program_sim_run(&how, outcome, &exit_status);
    program_what_if_close(&what_if);
    return status;
}

static void print_json(const hy_program_options *options, const hy_run_outcome *o)
{
    printf("{\"seed\":%" PRIu64 ",\"time_s\":%.6f,\"steps\":%" PRIu64 ",\"loops\":%" PRIu64
           ",\"x_m\":%.6f,\"y_m\":%.6f,\"heading_rad\":%.6f,\"driven_m\":%.6f,\"touches\":%" PRIu64
           ",\"watchdog_trips\":%" PRIu64 ",",
           options->seed, o->time_s, o->steps, o->loops, o->x_m, o->y_m, o->heading_rad,
           o->driven_m, o->touches, o->watchdog_trips);
    if (o->has_line) {
        printf("\"laps\":%.6f,\"line_mean_m\":%.6f,\"line_most_m\":%.6f,\"off_line_s\":%.2f,"
               "\"off_line_mean_m\":%.6f,",
               o->laps, o->line_mean_m, o->line_most_m, o->off_line_s, o->off_line_mean_m);
    }
    printf("\"hash\":\"%016" PRIx64 "\"}\n", o->hash);
}

static void print_text(const hy_program *program, const hy_program_outcome *outcome)
{
    const hy_run_outcome *const o = &outcome->run;
    hy_print(stdout,
             "%s: %.2f s simulated, %" PRIu64
             " loops, drove %.3f m to x %.3f m, y %.3f m, %.1f degrees; "
             "touched something %" PRIu64 " times\n",
             program->name, o->time_s, o->loops, o->driven_m, o->x_m, o->y_m,
             hy_deg_from_rad(hy_wrap_angle(o->heading_rad)), o->touches);
    if (o->has_line) {
        char text[HY_RUN_LINE_MAX];
        hy_print(stdout, "%s: %.3f laps, %s\n", program->name, o->laps, hy_run_line_text(o, text));
    }
    hy_print(stdout, "%s: hash %016" PRIx64 "%s%s\n", program->name, o->hash,
             outcome->said[0] != '\0' ? "; " : "", outcome->said);
}

static void print_outcome(const hy_program *program, const hy_program_options *options,
                          const hy_program_outcome *outcome)
{
    if (options->json) {
        print_json(options, &outcome->run);
    } else if (program->supervise == NULL) {
        print_text(program, outcome);
    }
}

// An outcome of a run that was cut short is no outcome, unless a person did it who saw it.
static bool is_interrupted(const program_sim_plan *how)
{
    return !how->with_terminal && how->program->supervise == NULL && hy_robot_is_ending();
}

int program_sim_execute(const hy_program *program, const hy_program_options *options,
                        hy_program_outcome *outcome)
{
    hy_program_outcome own = { .error = "" };
    hy_program_outcome *const out = outcome != NULL ? outcome : &own;
    const bool is_attended = options->speed > 0.0 && !options->json && !options->unattended;
    program_watch watch = { .in_process = true,
                            .gives_up_us = options->speed > 0.0 ? 0 : GIVES_UP_US };
    program_what_if what_if = { .inputs = NULL };
    const program_sim_plan how = { .program = program,
                                   .options = options,
                                   .watch = &watch,
                                   .what_if = &what_if,
                                   .with_terminal = is_attended && hy_terminal_is_there() };
    int exit_status = 1;
    program_watch_start(&watch, program->name);
    hy_robot_watch_signals();
    const hy_status status = program_sim_run(&how, out, &exit_status);
    hy_robot_unwatch_signals();
    program_watch_end(&watch);
    if (status != HY_OK) {
        hy_print_error(program->name, "%s", out->error);
    } else if (is_interrupted(&how)) {
        hy_print_error(program->name, "interrupted after %.2f s of simulated time", out->run.time_s);
        exit_status = 1;
    } else if (options->what_if != NULL && !options->json) {
        program_what_if_print(&what_if, program, &out->run);
    } else {
        print_outcome(program, options, out);
    }
    program_what_if_close(&what_if);
    return exit_status;
}

// --------------------------------------------------------------------------- any run

int hy_program_execute(const hy_program *program, const hy_program_options *options,
                       hy_program_outcome *outcome)
{
    if (options->replay != NULL) {
        return program_replay_execute(program, options);
    }
    return options->what_if != NULL || options->world != NULL || options->model != NULL
               ? program_sim_execute(program, options, outcome)
               : program_network_execute(program, options);
}

int hy_program_main(const hy_program *program, int argc, char **argv)
{
    program_options options;
    hy_signals_ignore_file_limit();
    const int status = program_options_read(&options, program, argc, argv);
    return status >= 0 ? status : hy_program_execute(program, &options.run, NULL);
}
