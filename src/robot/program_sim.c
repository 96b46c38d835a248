#include "program_sim.h"
#include "program_say.h"

#include <halyard/link.h>
#include <halyard/robots.h>
#include <halyard/run.h>
#include <halyard/worldfile.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "program_options.h"
#include "program_watch.h"

#define DURATION_S  60.0
#define GIVES_UP_US 5000000 // nobody sits in front of a program that runs as fast as it goes

// --------------------------------------------------------------------------- devices

static void init(const void *devices)
{
    hy_program_devices_init(devices);
}

static void update(const void *devices, const hy_wire_status *status, int64_t now_us)
{
    hy_program_devices_update(devices, status, now_us);
}

static void rebase(const void *devices)
{
    hy_program_devices_rebase(devices);
}

static void stop(const void *devices, int64_t now_us)
{
    hy_program_devices_stop(devices, now_us);
}

static void command(const void *devices, hy_wire_command *to, int64_t now_us)
{
    hy_program_devices_command(devices, to, now_us);
}

static size_t list_robots(const hy_program *program, hy_run_robot robots[HY_PROGRAM_ROBOTS])
{
    size_t count = 0;
    while (count < HY_PROGRAM_ROBOTS && hy_program_device_class(&program->robots[count]) != NULL) {
        const hy_program_robot *const robot = &program->robots[count];
        robots[count++] = (hy_run_robot){
            .type = hy_robot_type_of_devices(hy_program_device_class(robot)),
            .devices = robot,
            .init = init,
            .update = update,
            .rebase = rebase,
            .stop = stop,
            .command = command,
        };
    }
    return count;
}

// --------------------------------------------------------------------------- the run

// Waits until the clock has come as far as simulated time at `speed`. Nothing that the program sees depends on it.
static void keep_pace(int64_t start_us, int64_t sim_us, double speed)
{
    const int64_t wait_us = start_us + (int64_t)((double)sim_us / speed) - hy_clock_now_us();
    if (wait_us > 0) {
        const struct timespec pause = { .tv_sec = (time_t)(wait_us / 1000000),
                                        .tv_nsec = (long)(wait_us % 1000000) * 1000 };
        nanosleep(&pause, NULL);
    }
}

// A program and who watches that its calls return; NULL: nobody.
typedef struct {
    const hy_program *program;
    program_watch *watch;
} watched_program;

static hy_status run_in(const watched_program *watched, const hy_program_options *options,
                        const hy_world_model *world, hy_program_outcome *out)
{
    const hy_program *const program = watched->program;
    hy_run_robot robots[HY_PROGRAM_ROBOTS];
    const size_t count = list_robots(program, robots);
    const double duration_s = options->duration_s > 0.0 ? options->duration_s : DURATION_S;
    const hy_run_setup setup = { .program = &program->loop,
                                 .mode = hy_program_mode(program),
                                 .robots = robots,
                                 .robot_count = count,
                                 .world = world,
                                 .seed = options->seed,
                                 .faults = options->faults,
                                 .duration_us = (int64_t)(duration_s * 1e6),
                                 .watcher = watched->watch != NULL ? program_watch_call : NULL,
                                 .watcher_context = watched->watch };
    hy_world_error error;
    hy_run *run;
    const hy_status status = hy_run_start(&setup, &run, &error);
    if (status != HY_OK) {
        snprintf(out->error, sizeof out->error, "%s", error.text);
        return status;
    }
    program_say_nothing();
    const int64_t start_us = options->speed > 0.0 ? hy_clock_now_us() : 0;
    while (hy_run_step(run)) {
        if (options->speed > 0.0) {
            keep_pace(start_us, hy_sim_now_us(hy_run_sim(run)), options->speed);
        }
    }
    out->run = hy_run_end(run);
    snprintf(out->said, sizeof out->said, "%s", program_said());
    return HY_OK;
}

static hy_status find_and_run(const watched_program *watched, const hy_program_options *options,
                              hy_program_outcome *outcome)
{
    char path[HY_WORLDFILE_PATH_MAX];
    hy_world_model *model = NULL;
    hy_world_error error;
    memset(outcome, 0, sizeof *outcome);
    hy_status status = HY_EFILE;
    if (hy_worldfile_find(options->world, path, &error)) {
        status = hy_worldfile_load(path, &model, &error);
    }
    if (status != HY_OK) {
        snprintf(outcome->error, sizeof outcome->error, "%s", error.text);
        return status;
    }
    status = run_in(watched, options, model, outcome);
    hy_world_free(model);
    return status;
}

hy_status hy_program_run(const hy_program *program, const hy_program_options *options,
                         hy_program_outcome *outcome)
{
    return find_and_run(&(watched_program){ .program = program }, options, outcome);
}

// --------------------------------------------------------------------------- what is printed

static void print_json(const hy_program_options *options, const hy_run_outcome *o)
{
    printf("{\"seed\":%" PRIu64 ",\"time_s\":%.6f,\"steps\":%" PRIu64 ",\"loops\":%" PRIu64
           ",\"x_m\":%.6f,\"y_m\":%.6f,\"heading_rad\":%.6f,\"driven_m\":%.6f,\"touches\":%" PRIu64
           ",\"watchdog_trips\":%" PRIu64 ",",
           options->seed, o->time_s, o->steps, o->loops, o->x_m, o->y_m, o->heading_rad,
           o->driven_m, o->touches, o->watchdog_trips);
    if (o->has_line) {
        printf("\"laps\":%.6f,\"line_mean_m\":%.6f,\"line_most_m\":%.6f,", o->laps, o->line_mean_m,
               o->line_most_m);
    }
    printf("\"hash\":\"%016" PRIx64 "\"}\n", o->hash);
}

static void print_text(const hy_program *program, const hy_program_outcome *outcome)
{
    const hy_run_outcome *const o = &outcome->run;
    printf("%s: %.2f s simulated, %" PRIu64
           " loops, drove %.3f m to x %.3f m, y %.3f m, %.1f degrees; "
           "touched something %" PRIu64 " times\n",
           program->name, o->time_s, o->loops, o->driven_m, o->x_m, o->y_m,
           hy_deg_from_rad(hy_wrap_angle(o->heading_rad)), o->touches);
    if (o->has_line) {
        printf("%s: %.3f laps, %.1f mm from the line on average, %.1f mm at most\n", program->name,
               o->laps, o->line_mean_m * 1e3, o->line_most_m * 1e3);
    }
    printf("%s: hash %016" PRIx64 "%s%s\n", program->name, o->hash,
           outcome->said[0] != '\0' ? "; " : "", outcome->said);
}

int program_sim_main(const hy_program *program, const hy_program_options *options, bool json)
{
    hy_program_outcome outcome;
    program_watch watch = { .in_process = true,
                            .gives_up_us = options->speed > 0.0 ? 0 : GIVES_UP_US };
    program_watch_start(&watch, program->name);
    const watched_program watched = { program, &watch };
    const hy_status status = find_and_run(&watched, options, &outcome);
    program_watch_end(&watch);
    if (status != HY_OK) {
        program_complain(program, "%s", outcome.error);
        return 1;
    }
    if (json) {
        print_json(options, &outcome.run);
    } else {
        print_text(program, &outcome);
    }
    return 0;
}
