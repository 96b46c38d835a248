// `halyard doctor`: finds robots, and looks closer at those that are named.
#include <halyard/robot.h>
#include <halyard/robot_check.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app.h"
#include "doctor_print.h"
#include "options/options.h"
#include "system/system.h"
#include "system/system_terminal.h"
#include "text/text_plain.h"

#define COMMAND      "halyard doctor"
#define NETWORKS     32
#define SWEEPS       4 // networks that one sweep asks
#define CANDIDATES   (2 + SWEEPS * HY_ROBOT_SWEEP_MAX)
#define PROGRESS_US  200000
#define SECOND_US    1e6
#define DURATION_S   3.0
#define DURATION_LOW 0.2
#define DURATION_TOP 600.0

static const char notes[] =
    "Without a URL it asks at 192.168.42.1, where an XRP is in its own Wi-Fi, and on this "
    "computer. "
    "--sweep also asks every address of\n"
    "the networks that this computer is in, if they have at most 254 (a /24): each once, 100 a "
    "second. "
    "Use it only where scanning the network is allowed.\n"
    "\n"
    "A probe is one byte, which no robot can take for a command. A robot with the stock "
    "firmware sends "
    "its next status to the sender of the probe,\n"
    "so the program that drives it may miss one; Halyard's boards answer and their owner misses "
    "none. "
    "With a URL, doctor first finds out which\n"
    "of the two it is, then measures without taking anything from anybody. Only --exclusive sends "
    "commands, "
    "and those keep the robot disabled;\n"
    "use it only on a robot that nobody else uses.\n"
    "\n"
    "What it measures, over --duration:\n"
    "  statuses       how many came, and how many numbers between them are missing\n"
    "  rate           an XRP sends 20 a second, a Teensy 50\n"
    "  interval       from one status to the next; jitter is how much that varies\n"
    "  longest pause  commands wait in the same way, and a robot stops after 500 ms without one\n"
    "  age            of the newest status at the end\n"
    "  round trip     of a question and its answer, where a robot answers at once\n"
    "\n"
    "Exit status: 0 healthy (without a URL: a robot was found), 1 trouble, 2 a wrong command line.";

typedef struct {
    hy_option_list urls;
    double duration_s;
    const char *report, *calibration;
    hy_file_output output; // of --report
    bool is_sweep, is_json, is_exclusive;
} wishes;

// --------------------------------------------------------------------------- progress

static bool shows_progress(void)
{
    return hy_terminal_is_stream(stderr);
}

static void end_progress(void)
{
    if (shows_progress()) {
        fprintf(stderr, "\r\033[K");
        fflush(stderr);
    }
}

static void show_search(const hy_robot_search *search)
{
    if (shows_progress()) {
        fprintf(stderr, "\r\033[Kasked %zu of %zu addresses, %zu robots so far ...", search->asked,
                search->count, search->found);
        fflush(stderr);
    }
}

static void show_check(const hy_robot_checkup *checkup, const char *url)
{
    if (shows_progress()) {
        fputs("\r\033[K", stderr);
        hy_print(stderr, "measuring %s: %3.0f %% ...", url,
                 100.0 * hy_robot_checkup_progress(checkup));
        fflush(stderr);
    }
}

// --------------------------------------------------------------------------- finding robots

typedef struct {
    hy_robot_search search;
    hy_robot_network networks[NETWORKS], too_large[NETWORKS];
    hy_robot_candidate candidates[CANDIDATES];
} expedition;

static void add_usual_places(hy_robot_search *search)
{
    static const char *const places[] = { HY_ROBOT_ACCESS_POINT, "127.0.0.1" };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        hy_endpoint place;
        if (hy_endpoint_parse(places[i], HY_WIRE_PORT, &place) == HY_OK) {
            hy_robot_search_add(search, &place);
        }
    }
}

static void add_networks(expedition *self, size_t count, doctor_search *found)
{
    size_t swept = 0;
    for (size_t i = 0; i < count; i++) {
        const hy_robot_network *const network = &self->networks[i];
        if (network->is_loopback || swept == SWEEPS) {
            continue;
        }
        if (hy_robot_search_add_network(&self->search, network, HY_WIRE_PORT) == HY_ERANGE) {
            self->too_large[found->too_large_count++] = *network;
        } else {
            swept++;
        }
    }
    found->too_large = self->too_large;
    if (swept == 0) {
        hy_print_error(
            COMMAND,
            "there is no network to sweep: this computer is in none with at most 254 addresses");
    }
}

static void announce(const hy_robot_search *search)
{
    const double seconds =
        ((double)search->count * HY_ROBOT_PROBE_PERIOD_US + HY_ROBOT_ANSWER_US) / SECOND_US;
    fprintf(stderr, "asking %zu addresses once each, for about %.0f s\n", search->count, seconds);
}

static doctor_search explore(expedition *self, const wishes *wish)
{
    doctor_search found = { .search = &self->search, .is_sweep = wish->is_sweep };
    const int networks = hy_robot_networks(self->networks, NETWORKS);
    const size_t count = networks > 0 ? (size_t)networks : 0;
    add_usual_places(&self->search);
    for (size_t i = 0; i < count; i++) { // the access point was added first
        found.is_in_robots_wifi =
            found.is_in_robots_wifi ||
            hy_robot_network_has(&self->networks[i], &self->candidates[0].address);
    }
    if (wish->is_sweep) {
        add_networks(self, count, &found);
        announce(&self->search);
    }
    while (hy_robot_search_wait(&self->search, hy_clock_now_us() + PROGRESS_US)) {
        show_search(&self->search);
    }
    end_progress();
    return found;
}

static int look_around(const wishes *wish)
{
    expedition *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        hy_print_error(COMMAND, "there is not enough memory");
        return APP_FAILED;
    }
    const hy_status status = hy_robot_search_open(&self->search, self->candidates, CANDIDATES);
    if (status != HY_OK) {
        hy_print_error(COMMAND, "cannot open a socket: %s", hy_status_text(status));
        free(self);
        return APP_FAILED;
    }
    const doctor_search found = explore(self, wish);
    wish->is_json ? doctor_print_search_json(&found) : doctor_print_search(&found);
    const int result = self->search.found > 0 ? APP_OK : APP_FAILED;
    hy_robot_search_close(&self->search);
    free(self);
    return result;
}

// --------------------------------------------------------------------------- one robot

static hy_status check(doctor_target *target, const hy_robot_check_options *options)
{
    hy_robot_checkup *checkup;
    const hy_status status = hy_robot_checkup_open(&checkup, &target->address, options);
    if (status != HY_OK) {
        return status;
    }
    while (hy_robot_checkup_wait(checkup, hy_clock_now_us() + PROGRESS_US)) {
        show_check(checkup, target->url);
    }
    end_progress();
    target->report = hy_robot_checkup_close(checkup);
    target->finding_count = hy_robot_findings(&target->report, target->url, &target->address,
                                              target->findings, HY_FINDINGS);
    return HY_OK;
}

static int refuse_url(const char *url)
{
    hy_print_error(
        COMMAND,
        "'%s' is no robot's address; one looks like xrp://192.168.42.1 or teensy://localhost:3540",
        url);
    return APP_USAGE;
}

static int refuse(const char *url, const wishes *wish, const char *what, hy_status status)
{
    char sentence[512];
    snprintf(sentence, sizeof sentence, "cannot %s %s: %s", what, url, hy_status_text(status));
    if (wish->is_json) {
        doctor_print_failure_json(url, sentence);
    }
    hy_print_error(COMMAND, "%s", sentence);
    return APP_FAILED;
}

// The grades need the robot for themselves, so that --exclusive has to allow them.
static int write_report(wishes *wish, const doctor_target *target)
{
    hy_conform_report grades;
    hy_status graded = HY_AGAIN;
    if (wish->is_exclusive && target->report.dialect != NULL) {
        fprintf(stderr, "grading the robot for about 15 s, without motion\n");
        graded = hy_conform_run(target->url, &(hy_conform_options){ 0 }, &grades);
        if (graded != HY_OK) {
            hy_print_error(COMMAND, "the robot could not be graded: %s", hy_status_text(graded));
        }
    }
    char error[HY_SYSTEM_ERROR_MAX];
    doctor_write_report(wish->output.stream, target, wish->calibration,
                        graded == HY_OK ? &grades : NULL);
    if (!hy_file_close(&wish->output, true, error)) {
        hy_print_error(COMMAND, "--report %s", error);
        return APP_FAILED;
    }
    return APP_OK;
}

// A name may have several addresses: the first that answers is the robot's, else the first is as good as any.
static int examine_at(const char *url, wishes *wish, const hy_endpoint *addresses, int count,
                      const hy_robot_check_options *options)
{
    doctor_target target = { .url = url };
    for (int i = 0; i < count; i++) {
        doctor_target next = { .url = url, .address = addresses[i] };
        const hy_status status = check(&next, options);
        if (status != HY_OK && i == count - 1 && hy_endpoint_is_nobody(&target.address)) {
            return refuse(url, wish, "check", status);
        }
        if (status == HY_OK && (i == 0 || next.report.dialect != NULL)) {
            target = next;
        }
        if (target.report.dialect != NULL) {
            break;
        }
    }
    wish->is_json ? doctor_print_target_json(&target) : doctor_print_target(&target);
    if (wish->report != NULL && write_report(wish, &target) != APP_OK) {
        return APP_FAILED;
    }
    return doctor_has_trouble(&target) ? APP_FAILED : APP_OK;
}

static int examine(const char *url, wishes *wish)
{
    hy_endpoint addresses[HY_ROBOT_ADDRESSES];
    hy_robot_check_options options = {
        .duration_us = (int64_t)(wish->duration_s * SECOND_US),
        .is_exclusive = wish->is_exclusive,
    };
    const int found = hy_robot_resolve(url, &options.dialect, addresses, HY_ROBOT_ADDRESSES);
    if (found == HY_EADDRESS) {
        return refuse_url(url);
    }
    if (found < 0) {
        return refuse(url, wish, "find", (hy_status)found);
    }
    return examine_at(url, wish, addresses, found, &options);
}

// --------------------------------------------------------------------------- the command line

static int check_wishes(wishes *wish)
{
    char error[HY_SYSTEM_ERROR_MAX];
    if (wish->report != NULL ? wish->urls.count != 1 : wish->calibration != NULL) {
        hy_print_error(COMMAND,
                       "--report needs the URL of one robot, and --calibration needs --report");
        return APP_USAGE;
    }
    for (size_t i = 0; i < wish->urls.count; i++) {
        if (hy_robot_dialect(wish->urls.items[i]) == NULL) {
            return refuse_url(wish->urls.items[i]);
        }
    }
    if (wish->is_sweep && wish->urls.count > 0) {
        hy_print_error(COMMAND, "--sweep looks for robots, a URL names one: give one of the two");
        return APP_USAGE;
    }
    if (wish->is_exclusive && wish->urls.count == 0) {
        hy_print_error(COMMAND, "--exclusive needs the URL of the robot that is yours alone");
        return APP_USAGE;
    }
    if (wish->report != NULL &&
        !hy_file_create(&wish->output, wish->report, HY_FILE_OVERWRITE | HY_FILE_PIPES, error)) {
        hy_print_error(COMMAND, "--report %s", error);
        return APP_USAGE;
    }
    return APP_OK;
}

static int run(wishes *wish)
{
    int result = check_wishes(wish);
    if (result != APP_OK) {
        return result;
    }
    if (wish->urls.count == 0) {
        return look_around(wish);
    }
    for (size_t i = 0; i < wish->urls.count; i++) {
        if (i > 0 && !wish->is_json) {
            putchar('\n');
        }
        const int one = examine(wish->urls.items[i], wish);
        result = one > result ? one : result;
    }
    char error[HY_SYSTEM_ERROR_MAX];
    (void)hy_file_close(&wish->output, false, error); // of a robot that was not examined
    return result;
}

int app_doctor(int argc, char **argv)
{
    wishes wish = { .duration_s = DURATION_S };
    wish.urls.room = (size_t)argc;
    wish.urls.items = calloc(wish.urls.room, sizeof *wish.urls.items);
    if (wish.urls.items == NULL) {
        hy_print_error(COMMAND, "there is not enough memory");
        return APP_FAILED;
    }
    // clang-format off
    const hy_option options[] = {
        { HY_OPTION(LIST, wishes, urls), .value = "URL...", .help = "robots to look at: xrp://HOST[:PORT] or teensy://HOST[:PORT]" },
        { HY_OPTION(FLAG, wishes, is_sweep), .name = "sweep", .help = "probe every address of this computer's networks once" },
        { HY_OPTION(NUMBER, wishes, duration_s), .name = "duration", .value = "SECONDS", .low = DURATION_LOW, .high = DURATION_TOP, .help = "how long to measure (default 3)" },
        { HY_OPTION(FLAG, wishes, is_exclusive), .name = "exclusive", .help = "nobody else uses the robot: also send it commands, which keep it disabled" },
        { HY_OPTION(FLAG, wishes, is_json), .name = "json", .help = "print JSON, one object per line, for the search or for each robot" },
        { HY_OPTION(TEXT, wishes, report), .name = "report", .value = "FILE", .writes = true, .help = "also write FILE for an issue, without names and addresses; with --exclusive it has the grades of conform, without motion" },
        { HY_OPTION(TEXT, wishes, calibration), .name = "calibration", .value = "FILE", .reads = true, .needs = "report", .help = "the robot file that calibrate wrote for this robot, whose name is written" },
    };
    // clang-format on
    hy_option_group groups[] = { HY_OPTION_GROUP(NULL, options, &wish) };
    const hy_command_line line = {
        COMMAND, "finds robots, measures how well they answer, and says what is wrong", groups,
        sizeof groups / sizeof groups[0], notes
    };
    const hy_options_result parsed = hy_options_parse(&line, argc, argv);
    const int result = parsed == HY_OPTIONS_OK ? run(&wish) : app_status(parsed);
    free(wish.urls.items);
    return result;
}
