#include "options.h"

#include <halyard/link.h>
#include <halyard/program_nt.h>
#include <halyard/robot.h>
#include <halyard/robots.h>
#include <halyard/text_decimal.h>
#include <halyard/view_page.h>
#include <halyard/worldfile.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUNS           (-1)
#define DONE           0
#define MISTAKE        2
#define DURATION_MAX_S 1e6
#define SPEED_MIN      0.01
#define SPEED_MAX      1e6
#define PWM_MIN_HZ     20.0
#define PWM_MAX_HZ     100000.0
#define SIM_SCHEME     "sim://" // means --sim

void program_complain(const hy_program *program, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", program->name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

// The scheme of the robot's URL.
static const char *scheme_of(const hy_program_robot *robot)
{
    return hy_program_robot_type(robot)->name;
}

static void help(const hy_program *program)
{
    printf("usage: %s [URL%s] [--enable] [--duration SECONDS]\n", program->name,
           hy_program_device_class(&program->robots[1]) != NULL ? " URL ..." : "");
    if (program->about != NULL) {
        printf("%s\n", program->about);
    }
    printf(
        "\n  URL                 %s://HOST[:PORT], the robot (default %s://127.0.0.1); sim://WORLD "
        "means\n"
        "                      --sim WORLD\n"
        "  --enable            enables as soon as the robot answers, for scripts\n"
        "  --duration SECONDS  ends after that long\n"
        "  --faults SPEC       loses, delays, repeats datagrams on purpose: loss=5%%,jitter=40ms, "
        "a preset such "
        "as\n"
        "                      bad-wifi, or a file of them; with --sim also reboot=10s, slip=1 and "
        "more\n"
        "  --record FILE       a log of the run (WPILOG) that AdvantageScope opens; with --sim "
        "equal runs give equal files\n"
        "  --overwrite         with --record: replaces FILE if it is there\n"
        "  --replay FILE       runs the program again on what it read in a recording, without a "
        "robot,\n"
        "                      and compares what it commands and publishes; --record NEW: a copy "
        "with\n"
        "                      what it does now\n"
        "  --what-if FILE      runs in the simulation of a recording, in the place of whoever "
        "drove the\n"
        "                      robot, and prints what is different\n"
        "  --nt[=ADDR:PORT]    serves the run to AdvantageScope, Elastic and other clients of "
        "NetworkTables\n"
        "                      (default 127.0.0.1:5810; port 0: any free one); in real time also "
        "without the\n"
        "                      option; --no-nt, or HALYARD_NT=off in the environment: only if "
        "asked\n"
        "  --nt=nt://HOST[:PORT]  publishes it in the server that is there instead, such as that "
        "of "
        "a WPILib program\n"
        "  --nt-allow LIST     with --nt=ADDR, an address that they can reach: other machines that "
        "may look,\n"
        "                      as ADDR[/BITS],...; with --nt-write they may also change tunables\n"
        "  --nt-allow-origin ORIGIN  lets web pages of that origin in, such as "
        "http://localhost:5173; --allow-host NAME\n"
        "                      serves browsers that call this computer so; both may be repeated\n"
        "  --nt-dialect YEAR   the names and types of WPILib 2026 (default) or 2027, live and "
        "recorded\n"
        "  --save-tunables FILE  keeps the tunables at the end of the run; --tunables FILE begins "
        "with them\n\n"
        "  --sim WORLD         runs with a virtual robot in this process, in simulated time, for "
        "60 s if\n"
        "                      --duration says nothing else; a world is a name, as xrp-line, or a "
        "file;\n"
        "                      keys work as with a robot, unless --speed is max\n"
        "  --speed X|max       with --sim: times real time (default 1); the outcome is the same\n"
        "  --seed N            with --sim: seed for all sensor noise (default 1)\n"
        "  --robot ideal|typical|SEED|FILE  with --sim: which robot of all that are built alike: "
        "one "
        "without\n"
        "                      differences, one with ordinary ones, the one of that number, or "
        "that "
        "of a\n"
        "                      robot file (default: the one that the world names, else ideal)\n"
        "  --hardware NAME     with --sim: which version of the robots' controllers: of XRPs prod "
        "(default)\n"
        "                      or beta, which brakes its motors\n"
        "  --pwm HZ            with --sim: frequency of the PWM of the robots' motors, from 20; 50 "
        "as XRPLib\n"
        "                      has it (default: that of WPILib's firmware, 1000)\n"
        "  --view[=ADDR:PORT]  with --sim: shows the world in the browser, with the robot's button "
        "and "
        "Reset\n"
        "                      (default " HY_VIEW_LISTEN "; port 0: any free one)\n"
        "  --phantom FILE      with --view: shows an earlier run (--record FILE) beside this one, "
        "how "
        "far\n"
        "                      ahead it is, and its lap times; up to 10\n"
        "  --json              with --sim: prints the outcome as one line of JSON\n"
        "Enter enables, Space or Esc stops at once, Backspace is the emergency stop, q ends.\n",
        scheme_of(&program->robots[0]), scheme_of(&program->robots[0]));
}

static bool read_duration(program_options *out, const hy_program *program, const char *text)
{
    double value = 0.0;
    if (text == NULL || !hy_decimal_read(text, &value) || !(value > 0.0) ||
        !(value <= DURATION_MAX_S)) {
        program_complain(program, "--duration needs a number of seconds above 0, not '%s'",
                         text != NULL ? text : "");
        return false;
    }
    out->run.duration_s = value;
    return true;
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
    if (strncmp(url, SIM_SCHEME, strlen(SIM_SCHEME)) == 0 && url[strlen(SIM_SCHEME)] != '\0') {
        out->run.world = url + strlen(SIM_SCHEME);
        return true;
    }
    const hy_dialect *const dialect = hy_robot_dialect(url);
    const size_t robots = count_robots(program);
    if (index >= robots) {
        program_complain(program, "unexpected robot '%s': this program drives %zu", url, robots);
        return false;
    }
    const char *const wanted = scheme_of(&program->robots[index]);
    if (dialect == NULL) {
        program_complain(program, "'%s' is not a robot's address: write %s://HOST or %s://HOST:PORT",
                         url, wanted, wanted);
        return false;
    }
    if (strcmp(dialect->name, wanted) != 0) {
        program_complain(program, "'%s' is a robot of another kind: this program drives %s://...",
                         url, wanted);
        return false;
    }
    out->run.url[index] = url;
    return true;
}

// A version of one of the program's robots, at least.
static bool read_hardware(program_options *out, const hy_program *program, const char *name)
{
    const size_t robots = count_robots(program);
    out->run.hardware = name;
    for (size_t i = 0; i < robots; i++) {
        if (hy_robot_variant_find(hy_program_robot_type(&program->robots[i]), name) != NULL) {
            return true;
        }
    }
    const hy_robot_type *const type = hy_program_robot_type(&program->robots[0]);
    const bool has_two = type->variant_count > 1;
    program_complain(program, "--hardware of a robot of type %s is %s%s%s, not '%s'", type->name,
                     type->variants[0].name, has_two ? " or " : "",
                     has_two ? type->variants[1].name : "", name);
    return false;
}

// What --sim, --speed, --seed, --robot, --hardware and --pwm are followed by.
static bool read_sim_value(program_options *out, const hy_program *program, const char *option,
                           const char *text)
{
    char *end = NULL;
    if (text == NULL) {
        program_complain(program, "%s needs a value", option);
        return false;
    }
    if (strcmp(option, "--sim") == 0) {
        out->run.world = text;
        return true;
    }
    if (strcmp(option, "--seed") == 0) {
        out->run.seed = strtoull(text, &end, 10);
        if (*text >= '0' && *text <= '9' && *end == '\0') {
            return true;
        }
        program_complain(program, "--seed needs a whole number, not '%s'", text);
        return false;
    }
    if (strcmp(option, "--robot") == 0) {
        hy_robot_traits traits; // read here, so that a mistake in it is one of the command line
        hy_world_error error;
        out->run.robot = text;
        if (hy_robot_choose(text, &traits, &error) == HY_OK) {
            return true;
        }
        program_complain(program, "--robot: %s", error.text);
        return false;
    }
    if (strcmp(option, "--hardware") == 0) {
        return read_hardware(out, program, text);
    }
    if (strcmp(option, "--pwm") == 0) {
        if (hy_decimal_read(text, &out->run.pwm_hz) && out->run.pwm_hz >= PWM_MIN_HZ &&
            out->run.pwm_hz <= PWM_MAX_HZ) {
            return true;
        }
        program_complain(program, "--pwm needs a frequency from %g to %g Hz, not '%s'", PWM_MIN_HZ,
                         PWM_MAX_HZ, text);
        return false;
    }
    if (strcmp(text, "max") == 0) {
        out->run.speed = 0.0;
        return true;
    }
    if (!hy_decimal_read(text, &out->run.speed) || !(out->run.speed >= SPEED_MIN) ||
        !(out->run.speed <= SPEED_MAX)) {
        program_complain(program, "--speed needs a factor from %g to %g, or max, not '%s'",
                         SPEED_MIN, SPEED_MAX, text);
        return false;
    }
    return true;
}

static bool is_sim_value(const char *option)
{
    return strcmp(option, "--sim") == 0 || strcmp(option, "--speed") == 0 ||
           strcmp(option, "--seed") == 0 || strcmp(option, "--pwm") == 0 ||
           strcmp(option, "--robot") == 0 || strcmp(option, "--hardware") == 0;
}

static bool fits_nt(const program_options *out, const hy_program *program)
{
    const char *const conflict =
        hy_program_nt_conflict(out->run.nt_by_default ? NULL : out->run.nt,
                               out->run.nt_allowed_count > 0, out->run.nt_write);
    if (conflict != NULL) {
        program_complain(program, "%s", conflict);
    }
    return conflict == NULL;
}

static bool fits_sim(const program_options *out, const hy_program *program, bool has_sim_option)
{
    if (has_sim_option && out->run.world == NULL) {
        program_complain(
            program, "--speed, --seed, --robot, --hardware, --pwm, --view and --json need --sim "
                     "WORLD");
        return false;
    }
    if (out->run.phantom_count > 0 && out->run.view == NULL) {
        program_complain(program, "--phantom is shown on the page: add --sim WORLD and --view");
        return false;
    }
    const char *const recording = out->run.replay != NULL    ? "--replay"
                                  : out->run.what_if != NULL ? "--what-if"
                                                             : NULL;
    if (recording != NULL && (out->run.world != NULL || out->run.url[0] != NULL)) {
        program_complain(program, "%s needs no robot: leave %s out", recording,
                         out->run.world != NULL ? "--sim" : "the address");
        return false;
    }
    if (out->run.replay != NULL && out->run.what_if != NULL) {
        program_complain(program, "--replay and --what-if do not go together");
        return false;
    }
    if (out->run.overwrite && out->run.record == NULL) {
        program_complain(program, "--overwrite needs --record FILE");
        return false;
    }
    if (out->run.world != NULL && out->run.url[0] != NULL) {
        program_complain(program, "--sim has its own robot: leave the address out");
        return false;
    }
    return true;
}

static bool read_faults(program_options *out, const hy_program *program, const char *text)
{
    hy_faults_error error = { "needs faults, such as loss=5% or bad-wifi" };
    if (text == NULL || hy_robot_read_faults(text, &out->faults, &error) != HY_OK) {
        program_complain(program, "--faults: %s", error.text);
        return false;
    }
    out->run.faults_text = text;
    out->run.faults = &out->faults;
    return true;
}

static bool read_path(const char **out, const hy_program *program, const char *option,
                      const char *path)
{
    if (path == NULL) {
        program_complain(program, "%s needs the name of a file", option);
        return false;
    }
    *out = path;
    return true;
}

static bool read_networks(program_options *out, const hy_program *program, const char *list)
{
    out->run.nt_allowed = out->networks;
    if (list != NULL && hy_program_nt_networks(list, out->networks, &out->run.nt_allowed_count)) {
        return true;
    }
    program_complain(program, "--nt-allow needs addresses, such as 10.12.34.0/24, not '%s'",
                     list != NULL ? list : "");
    return false;
}

static bool read_name(program_options *out, const hy_program *program, const char *option,
                      const char *text)
{
    const bool is_host = strcmp(option, "--allow-host") == 0;
    if (text != NULL && (is_host ? hy_web_allow_host(&out->run.names, text)
                                 : hy_web_allow_origin(&out->run.names, text))) {
        return true;
    }
    program_complain(program, "%s needs %s, up to %d times in all, not '%s'", option,
                     is_host ? "NAME" : "SCHEME://HOST[:PORT]", HY_WEB_NAMES_MAX,
                     text != NULL ? text : "");
    return false;
}

static bool read_dialect(program_options *out, const hy_program *program, const char *year)
{
    if (year == NULL || (strcmp(year, "2026") != 0 && strcmp(year, "2027") != 0)) {
        program_complain(program, "--nt-dialect is 2026 or 2027, not '%s'", year != NULL ? year : "");
        return false;
    }
    out->run.nt_dialect = strcmp(year, "2027") == 0 ? HY_NT_DIALECT_2027 : HY_NT_DIALECT_2026;
    return true;
}

// True for those options of read_nt() that take what follows them.
static bool takes_next(const char *option)
{
    return strcmp(option, "--what-if") == 0 || strcmp(option, "--nt-allow") == 0 ||
           strcmp(option, "--nt-allow-origin") == 0 || strcmp(option, "--allow-host") == 0 ||
           strcmp(option, "--nt-dialect") == 0 || strcmp(option, "--tunables") == 0 ||
           strcmp(option, "--save-tunables") == 0;
}

static bool add_phantom(program_options *out, const hy_program *program, const char *path)
{
    if (out->run.phantom_count == HY_PHANTOMS_MAX) {
        program_complain(program, "there is room for %d phantoms", HY_PHANTOMS_MAX);
        return false;
    }
    return read_path(&out->run.phantoms[out->run.phantom_count++], program, "--phantom", path);
}

// --nt and its like, and where tunables are kept; false: it is none of them.
static bool read_nt(program_options *out, const hy_program *program, const char *option,
                    const char *next, bool *fine)
{
    if (strcmp(option, "--nt") == 0 || strncmp(option, "--nt=", 5) == 0) {
        out->run.nt = option + strlen(option[4] == '=' ? "--nt=" : "--nt");
        out->run.nt_by_default = false;
        *fine = hy_program_nt_is_address(out->run.nt);
        if (!*fine) {
            program_complain(program, "--nt needs an address of this machine, or nt://HOST, not '%s'",
                             out->run.nt);
        }
    } else if (strcmp(option, "--no-nt") == 0) {
        out->run.nt = NULL;
    } else if (strcmp(option, "--nt-write") == 0) {
        out->run.nt_write = true;
    } else if (strcmp(option, "--nt-allow") == 0) {
        *fine = read_networks(out, program, next);
    } else if (strcmp(option, "--nt-allow-origin") == 0 || strcmp(option, "--allow-host") == 0) {
        *fine = read_name(out, program, option, next);
    } else if (strcmp(option, "--nt-dialect") == 0) {
        *fine = read_dialect(out, program, next);
    } else if (strcmp(option, "--tunables") == 0) {
        *fine = read_path(&out->run.tunables, program, option, next);
    } else if (strcmp(option, "--what-if") == 0) {
        *fine = read_path(&out->run.what_if, program, option, next);
        out->run.speed = 0.0;
        out->run.unattended = true;
    } else if (strcmp(option, "--save-tunables") == 0) {
        *fine = read_path(&out->run.save_tunables, program, option, next);
    } else {
        return false;
    }
    return true;
}

int program_options_read(program_options *out, const hy_program *program, int argc, char **argv)
{
    *out = (program_options){ .run = { .seed = 1, .speed = 1.0, .nt = "", .nt_by_default = true } };
    size_t urls = 0;
    bool has_sim_option = false;
    for (int i = 1; i < argc; i++) {
        bool fine = true;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            help(program);
            return DONE;
        }
        const char *const next = i + 1 < argc ? argv[i + 1] : NULL;
        if (read_nt(out, program, argv[i], next, &fine)) {
            i += takes_next(argv[i]);
        } else if (strcmp(argv[i], "--enable") == 0) {
            out->run.enable = true;
        } else if (strcmp(argv[i], "--duration") == 0) {
            i++;
            fine = read_duration(out, program, i < argc ? argv[i] : NULL);
        } else if (strcmp(argv[i], "--faults") == 0) {
            i++;
            fine = read_faults(out, program, i < argc ? argv[i] : NULL);
        } else if (is_sim_value(argv[i])) {
            has_sim_option = true;
            fine = read_sim_value(out, program, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
            i++;
        } else if (strcmp(argv[i], "--json") == 0) {
            out->run.json = has_sim_option = true;
        } else if (strcmp(argv[i], "--view") == 0 || strncmp(argv[i], "--view=", 7) == 0) {
            out->run.view = argv[i] + strlen(argv[i][6] == '=' ? "--view=" : "--view");
            has_sim_option = true;
        } else if (strcmp(argv[i], "--record") == 0 || strcmp(argv[i], "--replay") == 0) {
            fine = read_path(argv[i][4] == 'c' ? &out->run.record : &out->run.replay, program,
                             argv[i], next);
            i++;
        } else if (strcmp(argv[i], "--phantom") == 0) {
            fine = add_phantom(out, program, next);
            i++;
        } else if (strcmp(argv[i], "--overwrite") == 0) {
            out->run.overwrite = true;
        } else if (argv[i][0] == '-') {
            program_complain(program, "unknown option '%s'; --help lists the options", argv[i]);
            fine = false;
        } else {
            fine = read_url(out, program, urls++, argv[i]);
        }
        if (!fine) {
            return MISTAKE;
        }
    }
    return fits_nt(out, program) && fits_sim(out, program, has_sim_option) ? RUNS : MISTAKE;
}
