// Grading a robot: which tests are run, and how often. The tests are in conform_still.c and conform_motion.c.
#include "conform.h"

#include <halyard/robot.h>
#include <halyard/robots.h>

#include <stdlib.h>
#include <string.h>

#include "probe.h"

#define DEFAULT_EFFORT 0.5F
#define ANSWER_US      2000000 // a robot that says nothing for so long is not there, or dead
#define HELD_UP_US     60000 // a pause of this program's in which it may have missed what it judges
#define ATTEMPTS       2     // of a test that fails
#define RUNS_MOST      5     // of one, those in which this program was held up included

// Asks until a status comes. Commands are disabled ones, so that a robot of the stock firmware, too, sends to us.
static bool answers(conform_session *self)
{
    const size_t before = self->count;
    for (int64_t spent_us = 0; spent_us < ANSWER_US && !self->is_over;
         spent_us += 5 * CONFORM_COMMAND_US) {
        conform_command_for(self, (conform_command){ 0, 0.0F }, 5 * CONFORM_COMMAND_US);
        if (self->count > before) {
            return true;
        }
    }
    return false;
}

static void run_once(conform_session *self, const conform_entry *entry)
{
    self->result->verdict = HY_CONFORM_PASSED;
    self->result->came[0] = '\0';
    self->held_us = 0;
    self->pumped_us = hy_clock_now_us();
    conform_survey_start(self);
    entry->run(self);
    if (entry->test.needs_motion) {
        conform_reopen(self);
    }
    hy_link_close(&self->stranger);
}

// A failure counts if this program had its turn in time, and a failed test is repeated: on a busy computer, and in bad air, a test
// may fail for reasons that are not the robot's.
static void run_test(conform_session *self, const conform_entry *entry)
{
    const int64_t began_us = hy_clock_now_us();
    unsigned counted = 0;
    for (unsigned run = 0; run < RUNS_MOST && counted < ATTEMPTS && !self->is_over; run++) {
        run_once(self, entry);
        counted += self->held_us < HELD_UP_US || run >= ATTEMPTS;
        if (self->result->verdict != HY_CONFORM_FAILED || !answers(self)) {
            break;
        }
        conform_reopen(self);
    }
    self->result->attempts = counted > 0 ? counted : 1;
    self->result->took_s = (double)(hy_clock_now_us() - began_us) * 1e-6;
    if (!self->is_over && !answers(self)) {
        self->is_dead = true;
        conform_check(self, false, "the robot stopped answering");
    }
}

static void count_result(hy_conform_report *report, const hy_conform_result *result)
{
    report->passed += result->verdict == HY_CONFORM_PASSED;
    report->failed += result->verdict == HY_CONFORM_FAILED;
    report->not_tested += result->verdict == HY_CONFORM_NOT_TESTED;
}

static void run_list(conform_session *self, const conform_entry *list, hy_conform_report *report)
{
    for (const conform_entry *entry = list; entry->test.id != NULL && !self->is_over; entry++) {
        hy_conform_result *const result = &report->results[report->count];
        *result = (hy_conform_result){ .test = &entry->test };
        self->result = result;
        self->index = report->count;
        if (self->is_dead) {
            conform_skip(self, "the robot does not answer any more");
        } else if (entry->test.needs_motion && !self->options->allow_motion) {
            conform_skip(self, "it needs motion, and --allow-motion was not given");
        } else if (entry->test.needs_motion && self->motors == 0) {
            conform_skip(self, "nothing says which motors of this type of robot may be driven");
        } else {
            run_test(self, entry);
            report->stopped_answering = self->is_dead ? report->count : SIZE_MAX;
        }
        if (self->is_over) {
            return; // half a test says nothing
        }
        count_result(report, result);
        report->count++;
    }
}

const hy_conform_test *hy_conform_test_at(size_t index)
{
    const conform_entry *const lists[] = { conform_still_tests, conform_motion_tests };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        for (const conform_entry *entry = lists[i]; entry->test.id != NULL; entry++) {
            if (index-- == 0) {
                return &entry->test;
            }
        }
    }
    return NULL;
}

size_t hy_conform_test_count(void)
{
    size_t count = 0;
    while (hy_conform_test_at(count) != NULL) {
        count++;
    }
    return count;
}

static hy_status find_robot(conform_session *self, const hy_endpoint *addresses, int count)
{
    hy_status status = HY_EUNREACHABLE;
    for (int i = 0; i < count; i++) {
        self->address = addresses[i];
        hy_link_close(&self->owner);
        status = hy_link_open_to(&self->owner, &self->address);
        self->pumped_us = hy_clock_now_us();
        if (status != HY_OK) { // the system refused the socket
            continue;
        }
        if (answers(self)) {
            return HY_OK;
        }
        // A robot that has an owner answers a probe all the same.
        conform_send_bytes(self, &self->owner, HY_ROBOT_PROBE);
        const size_t before = self->count;
        conform_listen(self, 10 * CONFORM_COMMAND_US);
        if (self->count > before) {
            return HY_EINUSE;
        }
        status = HY_EUNREACHABLE;
    }
    return status;
}

static hy_status run_session(conform_session *self, const char *url, hy_conform_report *report)
{
    hy_endpoint addresses[HY_ROBOT_ADDRESSES];
    const int found = hy_robot_resolve(url, &self->dialect, addresses, HY_ROBOT_ADDRESSES);
    if (found < 0) {
        return (hy_status)found;
    }
    const hy_robot_type *const type = hy_robot_type_of_dialect(self->dialect);
    self->motors = type->test_motors;
    self->encoder = type->test_encoder;
    self->status_period_us = hy_robot_status_period_us(type);
    const hy_status status = find_robot(self, addresses, found);
    if (status != HY_OK) {
        return status;
    }
    report->dialect = self->dialect;
    hy_endpoint_format(&self->address, report->address);
    run_list(self, conform_still_tests, report);
    run_list(self, conform_motion_tests, report);
    conform_stop(self);
    return self->is_over ? HY_AGAIN : HY_OK;
}

hy_status hy_conform_run(const char *url, const hy_conform_options *options,
                         hy_conform_report *report)
{
    memset(report, 0, sizeof *report);
    report->stopped_answering = SIZE_MAX;
    conform_session *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        return HY_EMEMORY;
    }
    self->options = options;
    self->test_count = hy_conform_test_count();
    self->effort = options->effort > 0.0 ? (float)options->effort : DEFAULT_EFFORT;
    const hy_status status = run_session(self, url, report);
    hy_link_close(&self->owner);
    hy_link_close(&self->stranger);
    free(self);
    return status;
}
