// line_follow over real sockets, in real time, held to what it is held to in simulated time (tests/unit/test_run.c): a lap, its
// sensors on the tape, nothing touched, no watchdog.
#include <halyard/worldfile.h>

#include "../../src/run/run_line.h"
#include "cmocka_all.h"

#include <halyard/link.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"

#define LIMIT_US 90000000
#define ATTEMPTS 6
#define POLL_US  20000
#define STALL_S  0.1 // at 0.144 m/s: more than a centimetre without looking

// --------------------------------------------------------------------------- what is true

typedef struct {
    double simulated_s, x_m, y_m, heading_rad;
    bool enabled, touching;
} truth_line;

static double number_of(const char *line, const char *key)
{
    const char *const at = strstr(line, key);
    if (at == NULL) {
        fail_msg("no %s in '%s'", key, line);
        return NAN;
    }
    return strtod(at + strlen(key), NULL);
}

static truth_line parse_truth(const char *line)
{
    return (truth_line){ .simulated_s = number_of(line, "\"simulated_s\":"),
                         .x_m = number_of(line, "\"x_m\":"),
                         .y_m = number_of(line, "\"y_m\":"),
                         .heading_rad = number_of(line, "\"heading_rad\":"),
                         .enabled = strstr(line, "\"enabled\":true") != NULL,
                         .touching = strstr(line, "\"touching\":true") != NULL };
}

// --------------------------------------------------------------------------- the judge

typedef struct {
    run_line line;
    hy_point sensor; // the middle of both, in the robot's axes
    truth_line last;
    bool has_last;
    double least_lag_s, most_lag_s; // of simulated time behind this machine's clock
    double driven_m, turned_rad, line_most_m;
    unsigned touches;
} judge;

static void start_judge(judge *self)
{
    char path[512];
    hy_world_model *model = NULL;
    hy_world_error error;
    *self = (judge){ .least_lag_s = INFINITY, .most_lag_s = -INFINITY };
    snprintf(path, sizeof path, "%s/../worlds/xrp-line.yaml", HALYARD_TEST_DATA);
    if (hy_worldfile_load(path, &model, &error) != HY_OK) {
        fail_msg("%s", error.text);
        return;
    }
    const hy_world_fittings fittings = hy_world_fittings_of(model, 0);
    const hy_point *const floor = fittings.reflectance;
    self->sensor = (hy_point){ (floor[0].x_m + floor[1].x_m) / 2, (floor[0].y_m + floor[1].y_m) / 2 };
    assert_true(run_line_find(&self->line, model) && self->line.is_there);
    hy_world_free(model);
}

static double bearing_rad(const judge *self, const truth_line *at)
{
    return atan2(at->y_m - self->line.middle_y_m, at->x_m - self->line.middle_x_m);
}

static void judge_step(judge *self, const truth_line *now)
{
    const truth_line *const last = &self->last;
    const double cos_heading = cos(now->heading_rad), sin_heading = sin(now->heading_rad);
    const double off_m = run_line_distance_m(
        &self->line, now->x_m + self->sensor.x_m * cos_heading - self->sensor.y_m * sin_heading,
        now->y_m + self->sensor.x_m * sin_heading + self->sensor.y_m * cos_heading);
    self->line_most_m = fmax(self->line_most_m, off_m);
    self->driven_m += hypot(now->x_m - last->x_m, now->y_m - last->y_m);
    self->turned_rad += hy_wrap_angle(bearing_rad(self, now) - bearing_rad(self, last));
    self->touches += now->touching && !last->touching;
}

static void take_truth(judge *self, const truth_line *now)
{
    if (self->has_last && now->enabled) {
        judge_step(self, now);
    }
    self->last = *now;
    self->has_last = true;
}

static double laps_of(const judge *self)
{
    return self->turned_rad / (2 * HY_PI);
}

// --------------------------------------------------------------------------- a run

// The whole lines that were added to the file.
static void follow_truth(judge *self, FILE *truth)
{
    char line[4096];
    for (;;) {
        const long at = ftell(truth);
        if (fgets(line, sizeof line, truth) == NULL || strchr(line, '\n') == NULL) {
            fseek(truth, at, SEEK_SET); // also forgets that there was an end
            return;
        }
        const truth_line now = parse_truth(line);
        take_truth(self, &now);
    }
}

static program start_board(const char *truth, char url[96])
{
    const char *const arguments[] = {
        HALYARD_BINARY, "board", "xrp",    "--listen", "127.0.0.1:0", "--world", "xrp-line",
        "--truth",      truth,   "--seed", "1",        "--json",      NULL
    };
    program board = program_start(arguments);
    char address[64];
    if (!program_await_ready(&board, "udp", address, sizeof address, LIMIT_US)) {
        fail_msg("%s", board.output);
    }
    snprintf(url, 96, "xrp://%s", address);
    return board;
}

static program start_line_follow(const char *url)
{
    char path[512];
    const char *const end = strrchr(HALYARD_BINARY, '/');
    snprintf(path, sizeof path, "%.*s/examples/line_follow", (int)(end - HALYARD_BINARY),
             HALYARD_BINARY);
    const char *const arguments[] = { path, url, "--enable", "--duration", "120", NULL };
    return program_start(arguments);
}

static void note_lag(judge *self)
{
    const double lag_s = (double)hy_clock_now_us() * 1e-6 - self->last.simulated_s;
    self->least_lag_s = fmin(self->least_lag_s, lag_s);
    self->most_lag_s = fmax(self->most_lag_s, lag_s);
}

static void drive_a_lap(judge *self, program *running, const char *truth)
{
    FILE *const file = fopen(truth, "r");
    assert_non_null(file);
    const int64_t end_us = hy_clock_now_us() + LIMIT_US;
    while (hy_clock_now_us() < end_us && laps_of(self) < 1.0 &&
           !program_await(running, ": disabled", POLL_US)) {
        follow_truth(self, file);
        if (self->last.enabled) {
            note_lag(self);
        }
    }
    fclose(file);
}

static bool keeps_promises(const judge *self, const char *board_said)
{
    return laps_of(self) >= 1.0 && laps_of(self) < 1.5 &&  //
           self->driven_m > 3.9 && self->driven_m < 6.0 && //
           self->line_most_m < 0.01 &&                     // its sensors stay on the tape
           self->touches == 0 && strstr(board_said, "\"watchdog_trips\":0,") != NULL;
}

// Whether a program stood still for so long that it could not follow a line.
static bool stood_still(const judge *self, const char *said)
{
    return self->most_lag_s - self->least_lag_s > STALL_S || strstr(said, ", 0 late,") == NULL;
}

// False if the machine stood still meanwhile, and the robot left the line for that.
static bool attempt(judge *self)
{
    static char said[1 << 16], board_said[1 << 16];
    char truth[] = "/tmp/halyard-line-XXXXXX", url[96];
    const int file = mkstemp(truth);
    assert_true(file >= 0);
    close(file);
    program board = start_board(truth, url);
    program running = start_line_follow(url);
    drive_a_lap(self, &running, truth);
    kill(running.pid, SIGINT);
    const int status = program_end(&running, said, sizeof said);
    kill(board.pid, SIGTERM);
    program_end(&board, board_said, sizeof board_said);
    unlink(truth);
    print_message("%.3f laps, %.3f m, %.1f mm from the line at most, %u touches; stood still for "
                  "up to %.0f ms\n",
                  laps_of(self), self->driven_m, self->line_most_m * 1e3, self->touches,
                  (self->most_lag_s - self->least_lag_s) * 1e3);
    if (status == 0 && keeps_promises(self, board_said)) {
        return true;
    }
    if (!stood_still(self, said)) {
        fprintf(stderr, "%s%s\n", said, board_said); // too long for fail_msg()
        fail_msg("status %d; what they said is printed above", status);
    }
    return false;
}

static void test_line_follow_over_udp(void **state)
{
    (void)state;
    bool done = false;
    for (int i = 0; i < ATTEMPTS && !done; i++) {
        judge j;
        start_judge(&j);
        done = attempt(&j);
        run_line_free(&j.line);
    }
    assert_true(done);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_line_follow_over_udp) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
