// `halyard calibrate`: measures one XRP, and writes a robot file.
#include <halyard/robot.h>
#include <halyard/worldfile.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"
#include "cli/app.h"
#include "host/host_record.h"
#include "host/host_traits.h"
#include "host/host_world.h"
#include "input/input.h"
#include "options/options.h"
#include "record/record.h"
#include "robot_world.h"
#include "system/system.h"
#include "system/system_terminal.h"
#include "text/text_plain.h"

#define COMMAND "halyard calibrate"
#define SIM     "sim://"

#define PATH_ROOM 4096

static const char notes[] =
    "Drives an XRP for 60 seconds by a script (steps, pivots, single wheels, ramps, turns, "
    "curves), "
    "records its\n"
    "commands, encoders and gyro, and finds the numbers with which a virtual XRP does the same: "
    "strength,\n"
    "speed and friction of both motors, the distance between the wheels, the battery, and whether "
    "the motors\n"
    "coast or brake at effort 0. The report says how well each is known, and what is not, and why. "
    "Then\n"
    "\n"
    "  halyard drive virtual --robot my_xrp.yaml\n"
    "\n"
    "drives a virtual robot that behaves like it. docs/spec/robot.md has the file.\n"
    "\n"
    "The robot needs 1.5 m by 1.5 m of free level floor, and drives at full speed: stay beside it. "
    "Any key\n"
    "and Ctrl-C stop it. Charge or replace the batteries before, and measure them: with --volts "
    "the speed\n"
    "of the motors is told apart from the battery.\n"
    "\n"
    "No robot? 'halyard calibrate sim://xrp-open --robot 7 --out seven.yaml' calibrates robot 7 in "
    "this\n"
    "process; compare with what docs/spec/robot.md draws for it.\n"
    "\n"
    "A recording (--from) begins with a robot that stands. Of one that has no pivots the track is "
    "not\n"
    "determined, and so on: the report says it.";

typedef struct {
    const char *url, *from, *out;
    char plots[PATH_ROOM]; // beside the robot file
    double volts;
    uint64_t seed;
    int hardware;
    bool yes, overwrite;
    hy_host_traits robot;
    hy_host_record record;
} calibrate_wishes;

// --------------------------------------------------------------------------- what is calibrated

static bool is_virtual(const calibrate_wishes *wishes)
{
    return wishes->url != NULL && strncmp(wishes->url, SIM, strlen(SIM)) == 0;
}

static const hy_robot_type *xrp(void)
{
    return hy_robot_type_of_devices(&hy_xrp_devices);
}

// A person says that there is room; without one --yes does.
static bool is_agreed(const calibrate_wishes *wishes)
{
    if (wishes->yes || is_virtual(wishes)) {
        return true;
    }
    if (!hy_terminal_is_stream(stdin) || !hy_terminal_is_stream(stderr)) {
        hy_print_error(COMMAND,
                       "the robot will drive for %.0f s; without a terminal to ask at, give "
                       "--yes if it has room",
                       hy_calibration_script_s());
        return false;
    }
    fprintf(stderr,
            "The robot will drive for %.0f s and needs 1.5 m by 1.5 m of free level floor, itself "
            "in the middle.\n"
            "Press Enter to begin, Ctrl-C to give up. ",
            hy_calibration_script_s());
    const int key = getchar();
    if (key != '\n') {
        hy_print_error(COMMAND, "nothing was begun");
    }
    return key == '\n';
}

static int check_url(const calibrate_wishes *wishes)
{
    if (!is_virtual(wishes) && hy_robot_dialect(wishes->url) != xrp()->dialect) {
        hy_print_error(COMMAND,
                       "'%s' is no XRP's address; one looks like xrp://192.168.42.1, a virtual "
                       "one like sim://xrp-open",
                       wishes->url);
        return APP_USAGE;
    }
    if (!is_virtual(wishes) && wishes->robot.text != NULL) {
        hy_print_error(COMMAND, "--robot is for a virtual robot, but %s is a real one's address",
                       wishes->url);
        return APP_USAGE;
    }
    return APP_OK;
}

static int permissions(const calibrate_wishes *wishes)
{
    return wishes->overwrite ? HY_FILE_OVERWRITE : 0;
}

// So that nobody drives for a minute for a file that cannot be written then.
static bool can_write(const calibrate_wishes *wishes, const char *name, const char *path)
{
    hy_file_output output;
    char error[HY_SYSTEM_ERROR_MAX];
    // Only creating it shows that it can be created: for example a file system may be read-only.
    const bool ok = hy_file_create(&output, path, permissions(wishes), error) &&
                    hy_file_close(&output, false, error);
    if (!ok) {
        hy_print_error(COMMAND, "--%s %s", name, error);
    }
    return ok;
}

// my_xrp.yaml: my_xrp.svg
static bool name_plots(calibrate_wishes *wishes)
{
    const size_t length = strlen(wishes->out);
    const char *const dot = strrchr(wishes->out, '.');
    const bool is_yaml = dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
    const size_t stem = is_yaml ? (size_t)(dot - wishes->out) : length;
    if (stem + sizeof ".svg" > sizeof wishes->plots) {
        hy_print_error(COMMAND, "--out: %s", strerror(ENAMETOOLONG));
        return false;
    }
    snprintf(wishes->plots, sizeof wishes->plots, "%.*s.svg", (int)stem, wishes->out);
    return true;
}

static int check(const calibrate_wishes *wishes)
{
    if ((wishes->url == NULL) == (wishes->from == NULL)) {
        hy_print_error(COMMAND, "%s",
                       wishes->url == NULL ? "give a robot's URL, or --from FILE"
                                           : "a robot's URL and --from FILE do not go together");
        return APP_USAGE;
    }
    if (wishes->from != NULL && (wishes->record.path != NULL || wishes->robot.text != NULL)) {
        hy_print_error(COMMAND, "--from drives no robot; leave %s out",
                       wishes->record.path != NULL ? "--record" : "--robot");
        return APP_USAGE;
    }
    const int fits = wishes->url != NULL ? check_url(wishes) : APP_OK;
    if (fits != APP_OK) {
        return fits;
    }
    const char *const others[] = { wishes->record.path, wishes->from, wishes->robot.text };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (others[i] != NULL && hy_file_is_same(others[i], wishes->plots)) {
            hy_print_error(COMMAND, "%s: is the robot file or its plots; give another name",
                           others[i]);
            return APP_USAGE;
        }
    }
    return can_write(wishes, "out", wishes->out) && can_write(wishes, "out", wishes->plots) &&
                   (wishes->record.path == NULL || can_write(wishes, "record", wishes->record.path))
               ? APP_OK
               : APP_FAILED;
}

// --------------------------------------------------------------------------- the drive

static bool drive_real(const calibrate_wishes *wishes, calibrate_drive *drive)
{
    const hy_program_options options = {
        .url = { wishes->url },
        .unattended = !hy_terminal_is_there(),
    };
    return calibrate_drive_script(drive, &options);
}

static bool drive_virtual(const calibrate_wishes *wishes, calibrate_drive *drive)
{
    const hy_worldfile_robots robots = { .traits = hy_host_traits_of(&wishes->robot) };
    hy_world_error error;
    hy_world_model *const model = robot_world_load(
        wishes->url + strlen(SIM), xrp()->variants[wishes->hardware].board, robots, &error);
    if (model == NULL) {
        hy_print_error(COMMAND, "%s", error.text);
        return false;
    }
    const hy_program_options options = { .model = model,
                                         .hardware = xrp()->variants[wishes->hardware].name,
                                         .seed = wishes->seed,
                                         .duration_s = hy_calibration_script_s() + 2,
                                         .unattended = true };
    drive->is_quiet = true;
    const bool is_driven = calibrate_drive_script(drive, &options);
    hy_world_free(model);
    return is_driven;
}

// --------------------------------------------------------------------------- the recording

// The time of the last record, which is the log's when all are published.
static int64_t ended_us(const hy_calibration_log *log)
{
    const int64_t command_us =
        log->command_count > 0 ? log->commands[log->command_count - 1].at_us : 0;
    const int64_t status_us = log->status_count > 0 ? log->statuses[log->status_count - 1].at_us : 0;
    return command_us > status_us ? command_us : status_us;
}

static bool write_recording(calibrate_wishes *wishes, const hy_calibration_log *log)
{
    hy_host host = { .program = COMMAND };
    hy_host_record *const record = &wishes->record;
    record->overwrite = wishes->overwrite;
    record->waits = true;
    record->title = COMMAND;
    const bool ok = hy_host_record_start(record, &host, NULL);
    if (ok) {
        hy_calibration_publish(log, record->sim.telemetry);
        if (!is_virtual(wishes)) {
            hy_record_date(&record->dates, record->sim.telemetry, 0, ended_us(log));
        }
    }
    hy_host_close(&host);
    return ok && !record->has_failed;
}

static bool read_recording(const calibrate_wishes *wishes, hy_calibration_log *log)
{
    hy_bytes file;
    const char *missing;
    char why[HY_SYSTEM_ERROR_MAX];
    if (!hy_file_map(wishes->from, &file, why)) {
        hy_print_error(COMMAND, "%s", why);
        return false;
    }
    const hy_status status = hy_calibration_read(file, log, &missing);
    hy_file_unmap(&file);
    if (log->damage[0] != '\0') {
        hy_print_error(COMMAND, "--from %s: %s%s", wishes->from,
                       status == HY_EFORMAT ? "not a log file (WPILOG): " : "", log->damage);
    }
    if (status == HY_EFORMAT) {
        return false;
    }
    if (status != HY_OK) {
        hy_print_error(
            COMMAND,
            "--from %s: nothing is recorded as %s; needed is what --record of this command "
            "writes, or that of a robot program over a link to one XRP",
            wishes->from, missing);
    } else if (log->is_full) {
        hy_print_error(COMMAND, "--from %s: is too long; its beginning is used, %zu statuses",
                       wishes->from, log->status_count);
    }
    return status == HY_OK;
}

// --------------------------------------------------------------------------- the file

static bool open_file(hy_file_output *self, const calibrate_wishes *wishes, const char *path)
{
    char error[HY_SYSTEM_ERROR_MAX];
    const bool is_open = hy_file_create(self, path, permissions(wishes), error);
    if (!is_open) {
        hy_print_error(COMMAND, "--out %s", error);
    }
    return is_open;
}

static bool close_file(hy_file_output *self)
{
    char error[HY_SYSTEM_ERROR_MAX];
    const bool is_written = hy_file_close(self, true, error);
    if (!is_written) {
        hy_print_error(COMMAND, "--out %s", error);
    }
    return is_written;
}

static bool write_file(const calibrate_wishes *wishes, const hy_robot_traits *traits)
{
    uint8_t text[HY_ROBOT_FILE_MAX];
    const size_t size = hy_robot_file_write(traits, (hy_room){ text, sizeof text });
    hy_file_output output;
    if (!open_file(&output, wishes, wishes->out)) {
        return false;
    }
    (void)fwrite(text, 1, size, output.stream);
    return close_file(&output);
}

static bool write_plots(const calibrate_wishes *wishes, const hy_calibration_log *log,
                        const hy_calibration *result)
{
    hy_file_output output;
    if (!open_file(&output, wishes, wishes->plots)) {
        return false;
    }
    if (!calibrate_plot(output.stream, log, result)) {
        char error[HY_SYSTEM_ERROR_MAX];
        (void)hy_file_close(&output, false, error);
        hy_print_error(COMMAND, "%s", hy_status_text(HY_EMEMORY));
        return false;
    }
    return close_file(&output);
}

// Sensors that no drive measures are like those of most robots: readings without any error are the least likely.
static hy_robot_traits with_typical_sensors(const hy_robot_traits *found)
{
    hy_robot_traits twin = *found, typical;
    hy_robot_traits_typical(&typical);
    for (size_t side = 0; side < 2; side++) {
        twin.white[side] = typical.white[side];
        twin.black[side] = typical.black[side];
    }
    twin.gyro_step_rad_s = typical.gyro_step_rad_s;
    twin.echoes = typical.echoes;
    twin.spikes_per_s = typical.spikes_per_s;
    return twin;
}

static int fit(const calibrate_wishes *wishes, const hy_calibration_log *log)
{
    hy_calibration result;
    const hy_status status = hy_calibrate(log, wishes->volts, &result);
    if (status != HY_OK) {
        hy_print_error(COMMAND, "%s",
                       status != HY_ERANGE ? hy_status_text(status)
                       : wishes->from != NULL
                           ? "in the recording the robot hardly moves, or the "
                             "connection pauses whenever it does"
                           : "the robot hardly moved; are its batteries in, and its "
                             "wheels on the floor?");
        return APP_FAILED;
    }
    hy_print(stdout, "%s: %zu statuses of the encoders and the gyro\n",
             wishes->from != NULL ? wishes->from : wishes->url, log->status_count);
    calibrate_print(stdout, &result);
    hy_path_name(wishes->out, result.traits.name, sizeof result.traits.name);
    const hy_robot_traits twin = with_typical_sensors(&result.traits);
    if (!write_file(wishes, &twin) || !write_plots(wishes, log, &result)) {
        return APP_FAILED;
    }
    hy_print(stdout, "written: %s; 'halyard drive virtual --robot %s' drives it\n", wishes->out,
             wishes->out);
    hy_print(stdout, "written: %s, measured and fitted, for a browser\n", wishes->plots);
    return APP_OK;
}

static bool drive_robot(calibrate_wishes *wishes, hy_calibration_log *log)
{
    calibrate_drive drive = { .log = log };
    const bool is_driven =
        is_virtual(wishes) ? drive_virtual(wishes, &drive) : drive_real(wishes, &drive);
    return is_driven && (wishes->record.path == NULL || write_recording(wishes, log));
}

static int run(calibrate_wishes *wishes)
{
    const int ready = check(wishes);
    if (ready != APP_OK) {
        return ready;
    }
    if (wishes->url != NULL && !is_agreed(wishes)) {
        return APP_USAGE;
    }
    hy_calibration_log *const log = calloc(1, sizeof *log);
    if (log == NULL) {
        hy_print_error(COMMAND, "%s", hy_status_text(HY_EMEMORY));
        return APP_FAILED;
    }
    const bool has_log =
        wishes->from != NULL ? read_recording(wishes, log) : drive_robot(wishes, log);
    const int result = has_log ? fit(wishes, log) : APP_FAILED;
    free(log);
    return result;
}

int app_calibrate(int argc, char **argv)
{
    calibrate_wishes wishes = { .seed = 1 };
    const char *hardware[] = { xrp()->variants[0].name, xrp()->variants[1].name, NULL };
    // clang-format off
    const hy_option options[] = {
        { HY_OPTION(TEXT, calibrate_wishes, url), .value = "URL", .reads = true, .names = hy_host_world_names, .help = "the robot: xrp://HOST[:PORT]; or sim://WORLD, a virtual one in this process (sim://xrp-open has room)" },
        { HY_OPTION(TEXT, calibrate_wishes, out), .name = "out", .value = "FILE", .writes = true, .required = true, .help = "the robot file to be written, for example my_xrp.yaml; plots go beside it, my_xrp.svg" },
        { HY_OPTION(TEXT, calibrate_wishes, from), .name = "from", .value = "FILE", .reads = true, .help = "drive nothing, take a recording: what --record of this command wrote, or of a robot program on an XRP" },
        { HY_OPTION(FLAG, calibrate_wishes, overwrite), .name = "overwrite", .help = "replace files that are there" },
        { HY_OPTION(NUMBER, calibrate_wishes, volts), .name = "volts", .value = "VOLTS", .low = 2, .high = 24, .help = "of the battery without load, as measured" },
        { HY_OPTION(FLAG, calibrate_wishes, yes), .name = "yes", .help = "the robot has room: do not ask" },
        { HY_OPTION(CHOICE, calibrate_wishes, hardware), .name = "hardware", .choices = hardware, .help = "which controller a virtual robot has (default the first)" },
        { HY_OPTION(WHOLE, calibrate_wishes, seed), .name = "seed", .value = "N", .help = "seed for all sensor noise of a virtual robot (default 1)" },
    };
    // clang-format on
    hy_option_group groups[] = { HY_OPTION_GROUP(NULL, options, &wishes),
                                 hy_host_traits_group(&wishes.robot),
                                 hy_host_record_group(&wishes.record, HY_HOST_RECORD_NEW) };
    const hy_command_line line = { COMMAND, "measures an XRP, so that a virtual one behaves like it",
                                   groups, sizeof groups / sizeof groups[0], notes };
    const hy_options_result parsed = hy_options_parse(&line, argc, argv);
    if (parsed != HY_OPTIONS_OK) {
        return app_status(parsed);
    }
    return name_plots(&wishes) ? run(&wishes) : APP_USAGE;
}
