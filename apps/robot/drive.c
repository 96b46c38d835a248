// `halyard drive`: a robot by keyboard or script.
#include <halyard/robot.h>
#include <halyard/worldfile.h>

#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "cli/app.h"
#include "drive.h"
#include "host/host_faults.h"
#include "host/host_record.h"
#include "host/host_traits.h"
#include "host/host_world.h"
#include "options/options.h"
#include "system/system_terminal.h"
#include "view/view_page.h"

#define COMMAND     "halyard drive"
#define VIRTUAL     "virtual" // instead of a URL: the first type of the table in its own world
#define SIM         "sim://"
#define LIMIT_START 0.6 // an XRP at full speed is hard to steer by keys

static const char keys_notes[] =
    "Keys: W A S D or the arrows drive; Enter enables; Space or Esc stops; Backspace is the "
    "emergency\n"
    "stop, after which only a new start enables; + and - change the speed; L switches the LED; "
    "1-4\n"
    "choose a servo, ',' and '.' move it; Q quits. Losing the window's focus, Ctrl-Z, a closed "
    "terminal\n"
    "or half a second without the robot stop it as well, and nothing but Enter enables again.\n"
    "\n"
    "A script has one command a line, behind its time in seconds since the start, or '+' and the "
    "time\n"
    "since the line before; '#' begins a comment. Channels count from 0, efforts are -1..1, servo\n"
    "positions 0..1; drive, arcade and led are for an XRP:\n";

static const char script_notes[] =
    "\n"
    "  0     enable\n"
    "  0.5   drive 0.4 0.4\n"
    "  +2    arcade 0 0.3\n"
    "  +1    quit\n"
    "\n"
    "No robot? 'halyard drive virtual' brings its own; without a terminal it drives a lap.\n"
    "\n"
    "In the background of a script ('halyard drive ... &') a shell without job control makes "
    "programs\n"
    "ignore Ctrl-C and SIGINT: end it with SIGTERM ('kill PID'), which stops the robot just the "
    "same.";

// The notes of --help, with a line for each command that a script knows.
static const char *notes(void)
{
    static char text[4096];
    int size = snprintf(text, sizeof text, "%s", keys_notes);
#define DRIVE_NOTE(verb, name, arguments, help) \
    size += snprintf(text + size, sizeof text - (size_t)size, "  %-9s%s\n", name, help);
    SCRIPT_VERBS(DRIVE_NOTE)
#undef DRIVE_NOTE
    snprintf(text + size, sizeof text - (size_t)size, "%s", script_notes);
    return text;
}

// --------------------------------------------------------------------------- the robot

// What is driven: a robot at a URL, or one in a world of this process.
typedef struct {
    const char *url, *world; // one of the two; the other is NULL
    const hy_robot_type *type;
    const hy_robot_traits *traits; // of a virtual robot; NULL: as its world has it
    const char *hardware;          // of a virtual robot; NULL: the first version
    hy_world_model *model;
    bool is_virtual;
} target;

static const hy_robot_type *type_of_vehicle(const char *kind)
{
    const hy_robot_type *type = NULL;
    for (size_t i = 0; (type = hy_robot_type_at(i)) != NULL; i++) {
        if (strcmp(type->variants[0].vehicle, kind) == 0) {
            break;
        }
    }
    return type;
}

static bool load_model(target *self, const hy_robot_variant *variant)
{
    char path[HY_WORLDFILE_PATH_MAX];
    hy_world_error error;
    const hy_worldfile_robots robots = { .variant = variant, .traits = self->traits };
    hy_world_free(self->model);
    self->model = NULL;
    if (!hy_worldfile_find(self->world, path, &error) ||
        hy_worldfile_load_robots(path, &robots, &self->model, &error) != HY_OK) {
        hy_print_error(COMMAND, "%s", error.text);
        return false;
    }
    return true;
}

static int load_world(target *self)
{
    if (!load_model(self, NULL)) {
        return APP_FAILED;
    }
    if (self->type == NULL && hy_world_describe(self->model).vehicles > 0) {
        self->type = type_of_vehicle(hy_world_vehicle_kind(self->model, 0));
    }
    if (self->type == NULL) {
        hy_print_error(COMMAND, "%s: has no vehicle that a robot program drives", self->world);
        return APP_FAILED;
    }
    if (self->hardware == NULL) {
        return APP_OK;
    }
    const hy_robot_variant *const variant = hy_robot_variant_find(self->type, self->hardware);
    if (variant == NULL) {
        hy_print_error(COMMAND, "--hardware %s: there is no such %s; leave it out for a %s",
                       self->hardware, self->type->title, self->type->name);
        return APP_USAGE;
    }
    return load_model(self, variant) ? APP_OK : APP_FAILED; // again, now that its type is known
}

static int find_target(target *self, const char *url)
{
    if (strcmp(url, VIRTUAL) == 0) {
        self->type = hy_robot_type_at(0);
        self->is_virtual = true;
        self->world = self->type->world;
        return load_world(self);
    }
    if (strncmp(url, SIM, strlen(SIM)) == 0 && url[strlen(SIM)] != '\0') {
        self->world = url + strlen(SIM);
        return load_world(self);
    }
    if (self->traits != NULL || self->hardware != NULL) {
        hy_print_error(COMMAND, "--%s is for a virtual robot, but %s is a real one's address",
                       self->traits != NULL ? "robot" : "hardware", url);
        return APP_USAGE;
    }
    self->url = url;
    const hy_dialect *const dialect = hy_robot_dialect(url);
    self->type = dialect != NULL ? hy_robot_type_of_dialect(dialect) : NULL;
    if (self->type == NULL) {
        hy_print_error(
            COMMAND,
            "'%s' is no robot's address; one looks like xrp://localhost or xrp://192.168.42.1:3540",
            url);
        return APP_USAGE;
    }
    return APP_OK;
}

// --------------------------------------------------------------------------- the drive

static void print_summary(drive *self)
{
    const hy_program_link *const link = &self->state.link[0];
    const drive_pose at = drive_where(self);
    char learnt[160] = "";
    if (link->statuses > 0) {
        const int size = snprintf(learnt, sizeof learnt, ", lost %.1f %%", 100.0 * link->loss_total);
        if (self->type->wheels != NULL) {
            snprintf(learnt + size, sizeof learnt - (size_t)size,
                     "; by odometry %.3f m ahead, %.3f m to the left, turned %+.1f degrees",
                     at.ahead_m, at.left_m, hy_deg_from_rad(at.turned_rad));
        }
    }
    output_line(&self->output, "sent %" PRIu64 " commands, received %" PRIu64 " statuses%s",
                link->commands, link->statuses, learnt);
}

static int end_drive(drive *self, int result)
{
    output_close(&self->output);
    if (self->failure[0] != '\0') {
        hy_print_error(COMMAND, "%s", self->failure);
    }
    const bool is_printed = output_complain(&self->output, COMMAND);
    return result == APP_OK && (!is_printed || self->failure[0] != '\0') ? APP_FAILED : result;
}

static int execute(drive *self, const hy_program_options *options)
{
    drive_init(self);
    const hy_program program = drive_program(self);
    const bool is_lap = self->plan == drive_a_lap;
    if (is_lap) {
        output_line(&self->output, "no terminal: the virtual %s drives a lap by itself",
                    self->type->title);
    }
    hy_program_outcome outcome = { .error = "" };
    const int result = hy_program_execute(&program, options, &outcome);
    if (self->state.robots > 0) { // it ran
        print_summary(self);
        if (is_lap) {
            (void)drive_judge_lap(self, &outcome.run);
        }
    }
    return end_drive(self, result);
}

static int run_script(drive *how, const hy_program_options *options, const char *path)
{
    script commands;
    char error[512];
    if (script_load(&commands, how->type->dialect, path, error, sizeof error) != HY_OK) {
        hy_print_error(COMMAND, "%s", error);
        return APP_FAILED;
    }
    how->script = commands;
    how->plan = drive_by_script;
    const int result = execute(how, options);
    script_free(&how->script);
    return result;
}

// By keys, or without a person: for a while, or a lap of the virtual robot's arena.
static int run_without_script(drive *how, hy_program_options *options, const target *at)
{
    if (!options->unattended && at->type->wheels == NULL) {
        hy_print_error(COMMAND,
                       "the keyboard drives two-wheeled robots; a %s:// robot needs --script with "
                       "motor lines",
                       at->type->name);
        return APP_FAILED;
    }
    if (options->unattended && options->duration_s > 0.0) {
        how->plan = drive_wait;
    } else if (options->unattended && at->is_virtual) {
        how->plan = drive_a_lap;
    } else if (options->unattended) {
        hy_print_error(COMMAND, "there is no terminal to read keys from; give --script FILE, or "
                                "--duration SECONDS to look on");
        return APP_FAILED;
    }
    return execute(how, options);
}

static int drive_at(const target *at, hy_program_options *options, double max_effort,
                    const char *script_path)
{
    static drive how; // too large for a stack: the screen is in it
    memset(&how, 0, sizeof how);
    how.type = at->type;
    if (at->world != NULL) {
        snprintf(how.title, sizeof how.title, "virtual %s in %.40s", at->type->title, at->world);
    } else {
        snprintf(how.title, sizeof how.title, "%s", at->url);
    }
    how.max_effort = max_effort;
    how.faults_text = options->faults_text;
    how.limit = hy_clamp(LIMIT_START, 0.0, max_effort, 0.0);
    setlocale(LC_CTYPE, "");
    how.screen.ascii = !hy_terminal_is_utf8();
    options->url[0] = at->url;
    options->model = at->model;
    options->hardware = at->hardware;
    options->world = at->world;
    options->unattended = script_path != NULL || !hy_terminal_is_there();
    return script_path != NULL ? run_script(&how, options, script_path)
                               : run_without_script(&how, options, at);
}

typedef struct {
    const char *url, *script, *hardware;
    double max_effort;
    hy_host_traits traits;
    hy_host_faults faults;
    hy_host_record record;
    hy_program_options plan;
} drive_options;

// clang-format off
static const hy_option table[] = {
    { HY_OPTION(TEXT, drive_options, url), .value = "URL", .reads = true, .names = hy_host_world_names, .required = true, .help = "the robot: xrp://HOST[:PORT] or teensy://HOST[:PORT], port 3540 if there is none; or sim://WORLD, a virtual one in this process; or 'virtual', an XRP in an arena" },
    { HY_OPTION(TEXT, drive_options, script), .name = "script", .value = "FILE", .reads = true, .help = "execute a script instead of reading keys" },
    { HY_OPTION(FLAG, drive_options, plan.enable), .name = "enable", .help = "enable as soon as the robot answers" },
    { HY_OPTION(NUMBER, drive_options, plan.duration_s), .name = "duration", .value = "SECONDS", .low = 0.001, .high = 1e6, .help = "exit after that time" },
    { HY_OPTION(OPTIONAL, drive_options, plan.view), .name = "view", .value = "ADDR:PORT", .help = "show a virtual robot in the browser (default " HY_VIEW_LISTEN "; port 0: any free one)" },
    { HY_OPTION(NUMBER, drive_options, plan.speed), .name = "speed", .value = "X", .low = 0.01, .high = 1e6, .help = "speed of a virtual robot's world, times real time (default 1); changes nothing else" },
    { HY_OPTION(WHOLE, drive_options, plan.seed), .name = "seed", .value = "N", .help = "seed for all sensor noise of a virtual robot (default 1)" },
    { HY_OPTION(TEXT, drive_options, hardware), .name = "hardware", .value = "NAME", .help = "which version of a virtual robot's controller: of an XRP prod (default) or beta, which brakes its motors" },
    { HY_OPTION(NUMBER, drive_options, max_effort), .name = "max", .value = "EFFORT", .low = 0.1, .high = 1.0, .help = "limit of every motor effort, 0.1..1 (default 1)" },
};
// clang-format on

int app_drive(int argc, char **argv)
{
    drive_options o = { .plan = { .seed = 1, .speed = 1.0 }, .max_effort = 1.0 };
    hy_program_options *const plan = &o.plan;
    hy_option_group groups[] = { HY_OPTION_GROUP(NULL, table, &o), hy_host_traits_group(&o.traits),
                                 hy_host_faults_group(&o.faults),
                                 hy_host_record_group(&o.record, HY_HOST_RECORD_FILE) };
    const hy_command_line line = { COMMAND, "drives a robot from the keyboard or a script", groups,
                                   sizeof groups / sizeof groups[0], notes() };
    const hy_options_result result = hy_options_parse(&line, argc, argv);
    if (result != HY_OPTIONS_OK) {
        return app_status(result);
    }
    plan->record = o.record.path;
    plan->overwrite = o.record.overwrite;
    plan->faults_text = o.faults.text;
    plan->faults = o.faults.text != NULL ? &o.faults.spec : NULL;
    target at = { .traits = hy_host_traits_of(&o.traits), .hardware = o.hardware };
    const int status = find_target(&at, o.url);
    const int ended = status == APP_OK ? drive_at(&at, plan, o.max_effort, o.script) : status;
    hy_world_free(at.model);
    return ended;
}
