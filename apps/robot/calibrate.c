// `halyard calibrate`: measures one XRP, and writes a robot file.
#include <halyard/robot.h>
#include <halyard/worldfile.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate.h"
#include "cli/app.h"
#include "cli/options.h"
#include "cli/robot_option.h"
#include "robot_world.h"

#define COMMAND "calibrate"
#define SIM     "sim://"

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
    "process; compare with what docs/spec/robot.md draws for it.";

typedef struct {
    const char *url, *out;
    double volts;
    uint64_t seed;
    int hardware;
    bool yes, overwrite;
    robot_option robot;
} calibrate_wishes;

// --------------------------------------------------------------------------- what is calibrated

static bool is_virtual(const calibrate_wishes *wishes)
{
    return strncmp(wishes->url, SIM, strlen(SIM)) == 0;
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
    if (isatty(STDIN_FILENO) != 1 || isatty(STDERR_FILENO) != 1) {
        app_error(COMMAND,
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
        app_error(COMMAND, "nothing was begun");
    }
    return key == '\n';
}

static int check(const calibrate_wishes *wishes)
{
    if (!is_virtual(wishes) && hy_robot_dialect(wishes->url) != xrp()->dialect) {
        app_error(COMMAND,
                  "'%s' is no XRP's address; one looks like xrp://192.168.42.1, a virtual "
                  "one like sim://xrp-open",
                  wishes->url);
        return APP_USAGE;
    }
    if (!is_virtual(wishes) && wishes->robot.text != NULL) {
        app_error(COMMAND, "--robot is for a virtual robot, but %s is a real one's address",
                  wishes->url);
        return APP_USAGE;
    }
    if (!wishes->overwrite && access(wishes->out, F_OK) == 0) {
        app_error(COMMAND, "--out %s: is there already; --overwrite replaces it", wishes->out);
        return APP_FAILED;
    }
    return is_agreed(wishes) ? APP_OK : APP_USAGE;
}

// --------------------------------------------------------------------------- the drive

static bool drive_real(const calibrate_wishes *wishes, calibrate_drive *drive)
{
    const hy_program_options options = {
        .url = { wishes->url },
        .unattended = !hy_terminal_is_there(STDIN_FILENO, STDOUT_FILENO),
    };
    return calibrate_drive_script(drive, &options);
}

static bool drive_virtual(const calibrate_wishes *wishes, calibrate_drive *drive)
{
    const hy_worldfile_robots robots = { .traits = robot_option_traits(&wishes->robot) };
    hy_world_error error;
    hy_world_model *const model = robot_world_load(
        wishes->url + strlen(SIM), xrp()->variants[wishes->hardware].board, robots, &error);
    if (model == NULL) {
        app_error(COMMAND, "%s", error.text);
        return false;
    }
    const hy_program_options options = { .model = model,
                                         .seed = wishes->seed,
                                         .duration_s = hy_calibration_script_s() + 2,
                                         .unattended = true };
    drive->is_quiet = true;
    const bool is_driven = calibrate_drive_script(drive, &options);
    hy_world_free(model);
    return is_driven;
}

// --------------------------------------------------------------------------- the file

static int write_file(const calibrate_wishes *wishes, const hy_robot_traits *traits)
{
    uint8_t text[HY_ROBOT_FILE_MAX];
    const size_t size = hy_robot_file_write(traits, (hy_room){ text, sizeof text });
    FILE *const file = fopen(wishes->out, wishes->overwrite ? "w" : "wx");
    if (file == NULL) {
        app_error(COMMAND, "--out %s: cannot be written (%s)", wishes->out, strerror(errno));
        return APP_FAILED;
    }
    const bool is_written = fwrite(text, 1, size, file) == size;
    if (fclose(file) != 0 || !is_written) {
        app_error(COMMAND, "--out %s: not all of it could be written; is the disk full?",
                  wishes->out);
        return APP_FAILED;
    }
    printf("written: %s; 'halyard drive virtual --robot %s' drives it\n", wishes->out, wishes->out);
    return APP_OK;
}

static int fit(const calibrate_wishes *wishes, const hy_calibration_log *log)
{
    hy_calibration result;
    const hy_status status = hy_calibrate(log, wishes->volts, &result);
    if (status != HY_OK) {
        app_error(COMMAND, "%s",
                  status == HY_ERANGE ? "the robot hardly moved; are its batteries in, and its "
                                        "wheels on the floor?"
                                      : hy_status_text(status));
        return APP_FAILED;
    }
    printf("%s: %zu statuses of the encoders and the gyro\n", wishes->url, log->status_count);
    calibrate_print(stdout, &result);
    hy_path_name(wishes->out, result.traits.name, sizeof result.traits.name);
    return write_file(wishes, &result.traits);
}

static int run(const calibrate_wishes *wishes)
{
    const int ready = check(wishes);
    if (ready != APP_OK) {
        return ready;
    }
    hy_calibration_log *const log = calloc(1, sizeof *log);
    if (log == NULL) {
        app_error(COMMAND, "%s", hy_status_text(HY_EMEMORY));
        return APP_FAILED;
    }
    calibrate_drive drive = { .log = log };
    const bool is_driven =
        is_virtual(wishes) ? drive_virtual(wishes, &drive) : drive_real(wishes, &drive);
    const int result = is_driven ? fit(wishes, log) : APP_FAILED;
    free(log);
    return result;
}

int app_calibrate(int argc, char **argv)
{
    calibrate_wishes wishes = { .seed = 1 };
    const char *hardware[] = { xrp()->variants[0].name, xrp()->variants[1].name, NULL };
    // clang-format off
    const option options[] = {
        { .value = "URL", .text = &wishes.url, .required = true, .help = "the robot: xrp://HOST[:PORT]; or sim://WORLD, a virtual one in this process (sim://xrp-open has room)" },
        { .name = "out", .value = "FILE", .text = &wishes.out, .required = true, .help = "the robot file to be written, for example my_xrp.yaml" },
        { .name = "overwrite", .flag = &wishes.overwrite, .help = "replace FILE if it is there" },
        { .name = "volts", .value = "VOLTS", .number = &wishes.volts, .low = 2, .high = 24, .help = "of the battery without load, as measured" },
        { .name = "yes", .flag = &wishes.yes, .help = "the robot has room: do not ask" },
        { .name = "hardware", .choice = &wishes.hardware, .choices = hardware, .help = "which controller a virtual robot has (default the first)" },
        { .name = "seed", .value = "N", .whole = &wishes.seed, .help = "seed for all sensor noise of a virtual robot (default 1)" },
        ROBOT_OPTION(&wishes.robot, ""),
    };
    // clang-format on
    const command_line line = { COMMAND, "measures an XRP, so that a virtual one behaves like it",
                                options, sizeof options / sizeof options[0], notes };
    const options_result parsed = options_parse(&line, argc, argv);
    if (parsed != OPTIONS_OK) {
        return parsed == OPTIONS_HELP ? APP_OK : APP_USAGE;
    }
    return robot_option_read(COMMAND, &wishes.robot) ? run(&wishes) : APP_USAGE;
}
