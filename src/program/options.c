#include "options.h"

#include "host/host_nt_text.h"
#include "host/host_world.h"
#include <halyard/robot.h>
#include <halyard/robots.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUNS       (-1)
#define DONE       0
#define FAILED     1
#define MISTAKE    2
#define SIM_SCHEME "sim://" // means --sim

// --------------------------------------------------------------------------- the tables

static const char *const as_fast_as_it_goes[] = { "max", NULL };

// clang-format off
static const hy_option own[] = {
    { HY_OPTION(LIST, program_options, urls), .value = "URL", .help = "the robot's address, as xrp://HOST[:PORT] or teensy://HOST[:PORT] (default: this computer's, 127.0.0.1); one for each robot that the program drives. sim://WORLD means --sim WORLD" },
    { HY_OPTION(FLAG, program_options, run.enable), .name = "enable", .help = "enable as soon as the robot answers, for scripts" },
    { HY_OPTION(NUMBER, program_options, run.duration_s), .name = "duration", .value = "SECONDS", .low = 0.001, .high = 1e6, .help = "end after that time" },
    { HY_OPTION(TEXT, program_options, run.replay), .name = "replay", .value = "FILE", .reads = true, .help = "run the program again on what it read in a recording, without a robot, and compare what it commands and publishes; --record NEW: a copy with what it does now" },
    { HY_OPTION(TEXT, program_options, run.what_if), .name = "what-if", .value = "FILE", .reads = true, .help = "run in the simulation of a recording, in the place of whoever drove the robot, and print what is different" },
    { HY_OPTION(TEXT, program_options, run.tunables), .name = "tunables", .value = "FILE", .reads = true, .help = "begin with the tunables in that file" },
    { HY_OPTION(TEXT, program_options, run.save_tunables), .name = "save-tunables", .value = "FILE", .writes = true, .same = "tunables", .help = "keep the tunables at the end of the run" },
};

static const hy_option of_sim[] = {
    { HY_OPTION(TEXT, program_options, run.world), .name = "sim", .value = "WORLD", .reads = true, .names = hy_host_world_names, .help = "run with a virtual robot in this process, in simulated time, for 60 s if --duration says nothing else; a world is a name, as xrp-line, or a file. Keys work as with a robot, unless --speed is max" },
    { HY_OPTION(NUMBER, program_options, run.speed), .name = "speed", .value = "X|max", .low = 0.01, .high = 1e6, .choices = as_fast_as_it_goes, .needs = "sim", .help = "times real time (default 1); the outcome is the same" },
    { HY_OPTION(WHOLE, program_options, run.seed), .name = "seed", .value = "N", .needs = "sim", .help = "seed for all sensor noise (default 1)" },
    { HY_OPTION(TEXT, program_options, run.hardware), .name = "hardware", .value = "NAME", .needs = "sim", .help = "which version of the robots' controllers: of XRPs prod (default) or beta, which brakes its motors" },
    { HY_OPTION(NUMBER, program_options, run.pwm_hz), .name = "pwm", .value = "HZ", .low = 20, .high = 100000, .needs = "sim", .help = "frequency of the PWM of the robots' motors: 50 as XRPLib has it (default: that of WPILib's firmware, 1000)" },
    { HY_OPTION(FLAG, program_options, run.json), .name = "json", .help = "print the outcome, or the figures of a run with a robot, as one line of JSON" },
};

static const hy_option of_nt[] = {
    { HY_OPTION(FLAG, program_options, no_nt), .name = "no-nt", .help = "serve NetworkTables only if asked to, as with HALYARD_NT=off in the environment; without it a run in real time is served" },
};
// clang-format on

enum group { OWN, SIM, TRAITS, FAULTS, PAGE, PHANTOMS, RECORD, NT, NO_NT, NAMES, GROUPS };

static void list_groups(program_options *to, hy_option_group groups[GROUPS])
{
    groups[OWN] = (hy_option_group)HY_OPTION_GROUP(NULL, own, to);
    groups[SIM] = (hy_option_group)HY_OPTION_GROUP("Simulation", of_sim, to);
    groups[TRAITS] = hy_host_traits_group(&to->traits);
    groups[TRAITS].needs = "sim";
    groups[FAULTS] = hy_host_faults_group(&to->faults);
    groups[PAGE] = hy_host_page_group(&to->page);
    groups[PAGE].needs = "sim";
    groups[PAGE].count = 1; // --view
    groups[PHANTOMS] = hy_host_phantoms_group(&to->phantoms);
    groups[RECORD] = hy_host_record_group(&to->record, HY_HOST_RECORD_DIALECT);
    groups[NT] = hy_host_nt_group(&to->nt);
    groups[NAMES] = hy_host_names_group(&to->names, true);
    groups[NO_NT] = (hy_option_group)HY_OPTION_GROUP(NULL, of_nt, to);
}

// --------------------------------------------------------------------------- robots

// The scheme of the robot's URL.
static const char *scheme_of(const hy_program_robot *robot)
{
    return hy_program_robot_type(robot)->name;
}

static size_t count_robots(const hy_program *program)
{
    size_t count = 0;
    while (count < HY_PROGRAM_ROBOTS && hy_program_device_class(&program->robots[count]) != NULL) {
        count++;
    }
    return count;
}

static bool read_url(program_options *out, const hy_program *program, size_t index, const char *url)
{
    const hy_dialect *const dialect = hy_robot_dialect(url);
    const size_t robots = count_robots(program);
    if (index >= robots) {
        hy_print_error(program->name, "unexpected robot '%s': this program drives %zu", url, robots);
        return false;
    }
    const char *const wanted = scheme_of(&program->robots[index]);
    if (dialect == NULL) {
        hy_print_error(program->name,
                       "'%s' is not a robot's address: write %s://HOST or %s://HOST:PORT", url,
                       wanted, wanted);
        return false;
    }
    if (strcmp(dialect->name, wanted) != 0) {
        hy_print_error(program->name,
                       "'%s' is a robot of another kind: this program drives %s://...", url, wanted);
        return false;
    }
    out->run.url[index] = url;
    return true;
}

// A version of one of the program's robots, at least.
static bool has_hardware(const hy_program *program, const char *name)
{
    const size_t robots = count_robots(program);
    for (size_t i = 0; i < robots; i++) {
        if (hy_robot_variant_find(hy_program_robot_type(&program->robots[i]), name) != NULL) {
            return true;
        }
    }
    const hy_robot_type *const type = hy_program_robot_type(&program->robots[0]);
    const bool has_two = type->variant_count > 1;
    hy_print_error(program->name, "--hardware of a robot of type %s is %s%s%s, not '%s'",
                   type->name, type->variants[0].name, has_two ? " or " : "",
                   has_two ? type->variants[1].name : "", name);
    return false;
}

// --------------------------------------------------------------------------- what goes together

static bool fits_together(const program_options *o, const hy_program *program)
{
    const char *const recording = o->run.replay != NULL    ? "--replay"
                                  : o->run.what_if != NULL ? "--what-if"
                                                           : NULL;
    if (recording != NULL && (o->run.world != NULL || o->run.url[0] != NULL)) {
        hy_print_error(program->name, "%s needs no robot: leave %s out", recording,
                       o->run.world != NULL ? "--sim" : "the address");
        return false;
    }
    if (o->run.replay != NULL && o->run.what_if != NULL) {
        hy_print_error(program->name, "--replay and --what-if do not go together");
        return false;
    }
    if (o->run.world != NULL && o->run.url[0] != NULL) {
        hy_print_error(program->name, "--sim has its own robot: leave the address out");
        return false;
    }
    return true;
}

static bool fits(program_options *o, const hy_program *program)
{
    for (size_t i = 0; i < o->urls.count; i++) {
        if (!read_url(o, program, i, o->urls.items[i])) {
            return false;
        }
    }
    return (o->run.hardware == NULL || has_hardware(program, o->run.hardware)) &&
           fits_together(o, program);
}

// What the groups that other programs have, too, mean for a run.
static void fill_run(program_options *o)
{
    hy_program_options *const run = &o->run;
    run->robot = o->traits.text;
    run->faults_text = o->faults.text;
    run->faults = o->faults.text != NULL ? &o->faults.spec : NULL;
    run->view = o->page.view;
    memcpy(run->phantoms, o->phantoms.items, sizeof run->phantoms);
    run->phantom_count = o->phantoms.files.count;
    run->record = o->record.path;
    run->overwrite = o->record.overwrite;
    run->nt_dialect = (hy_nt_dialect)o->record.dialect;
    run->nt_by_default = o->nt.listen == NULL;
    run->nt = o->nt.listen != NULL ? o->nt.listen : o->no_nt ? NULL : "";
    run->nt_write = o->nt.write;
    run->trusted = o->names.names.at;
    run->trusted_count = o->names.names.count;
    run->nt_allowed = o->networks;
    if (o->nt.allow != NULL) {
        (void)hy_nt_text_networks(o->nt.allow, o->networks, &run->nt_allowed_count);
    }
    if (run->what_if != NULL) {
        run->speed = 0.0;
        run->unattended = true;
    }
}

// --------------------------------------------------------------------------- the command line

// The same words with --sim WORLD for sim://WORLD. NULL: there is no memory.
static char **with_sim_option(int *argc, char **argv)
{
    static char sim[] = "--sim";
    char **const words = calloc(2 * (size_t)*argc + 1, sizeof *words);
    int count = 0;
    for (int i = 0; i < *argc && words != NULL; i++) {
        const bool is_sim = strncmp(argv[i], SIM_SCHEME, strlen(SIM_SCHEME)) == 0 &&
                            argv[i][strlen(SIM_SCHEME)] != '\0';
        if (is_sim) {
            words[count++] = sim;
        }
        words[count++] = is_sim ? argv[i] + strlen(SIM_SCHEME) : argv[i];
    }
    *argc = count;
    return words;
}

int program_options_read(program_options *out, const hy_program *program, int argc, char **argv)
{
    *out = (program_options){ .run = { .seed = 1, .speed = 1.0 } };
    out->urls = (hy_option_list){ .items = out->url_items, .room = HY_PROGRAM_ROBOTS + 1 };
    hy_option_group groups[GROUPS];
    list_groups(out, groups);
    const hy_command_line line = {
        .program = program->name,
        .summary = program->about,
        .groups = groups,
        .group_count = GROUPS,
        .notes =
            "Enter enables, Space or Esc stops at once, Backspace is the emergency stop, q ends.",
    };
    char **const words = with_sim_option(&argc, argv);
    if (words == NULL) {
        hy_print_error(program->name, "%s", hy_status_text(HY_EMEMORY));
        return FAILED;
    }
    const hy_options_result result = hy_options_parse(&line, argc, words);
    free(words);
    if (result != HY_OPTIONS_OK) {
        return result == HY_OPTIONS_HELP ? DONE : MISTAKE;
    }
    if (!fits(out, program)) {
        return MISTAKE;
    }
    fill_run(out);
    return RUNS;
}
