// The tester of programs that drive robots, in simulated time.
#include "cmocka_all.h"

#include <halyard/wire.h>

#include <string.h>

#include "robot/robot_conform_client.h"

#define STEP_US 20000

// A program that does as it is asked; what it does wrong is chosen.
typedef struct {
    hy_commander commander;
    uint32_t commands;
    bool counts_on;                   // without copies behind the wrap
    bool stays_enabled;               // when it ends
    bool is_disabled_early;           // two seconds before it ends
    uint64_t dies_of;                 // so many damaged statuses; 0: of none
    bool counts_anew, has_begun_anew; // from 1 after the robot's silence ...
    uint32_t disabled_anew; // ... with so many commands that disable before it enables again
    bool wants_newer;       // statuses, as WPILib's extension does
    bool never_stops;       // for the robot's silence
    bool is_not_told;       // to enable after the robot's silence
} driver;

typedef struct {
    hy_conform_client tester;
    hy_conform_report report;
    int64_t now_us, last_status_us;
    uint64_t statuses, damaged;
    uint16_t newest; // number of a status
} bench;

static void send_command(bench *self, driver *program)
{
    hy_wire_datagram datagrams[2];
    const unsigned count = hy_commander_write(&program->commander, self->now_us, datagrams);
    program->commands++;
    if (program->counts_on) {
        datagrams[0].data[0] = (uint8_t)(program->commands >> 8);
        datagrams[0].data[1] = (uint8_t)program->commands;
    }
    for (unsigned i = 0; i < (program->counts_on ? 1 : count); i++) {
        hy_conform_client_receive(&self->tester, (hy_bytes){ datagrams[i].data, datagrams[i].size },
                                  self->now_us);
    }
}

static void take_statuses(bench *self, const driver *program)
{
    uint8_t status[HY_WIRE_STATUS_MAX];
    hy_wire_status decoded;
    size_t size;
    while ((size = hy_conform_client_send(&self->tester, self->now_us,
                                          (hy_room){ status, sizeof status })) > 0) {
        const hy_wire_report report =
            hy_dialect_xrp.status_decode((hy_bytes){ status, size }, &decoded);
        self->statuses++;
        self->damaged += report.error != HY_WIRE_WELL_FORMED;
        if (!program->wants_newer || decoded.seq > self->newest) {
            self->newest = decoded.seq;
            self->last_status_us = self->now_us;
        }
    }
}

// A program that has forgotten its count when its robot is back.
static void count_anew(bench *self, driver *program)
{
    static const hy_conform_client_stage back = HY_CONFORM_CLIENT_AWAITS_ENABLE_AGAIN;
    if (hy_conform_client_stage_of(&self->tester) < back) {
        return;
    }
    if (!program->has_begun_anew) {
        hy_commander_init(&program->commander, &hy_dialect_xrp);
        program->commander.command.motor[0] = 0.5F;
        program->has_begun_anew = true;
        program->commands = 0;
    }
    if (program->commands == program->disabled_anew) {
        hy_commander_enable(&program->commander);
    }
}

// A program that the robot's silence has stopped is enabled again, and does so if it hears the robot.
static void enable_again(bench *self, driver *program)
{
    if (hy_conform_client_stage_of(&self->tester) != HY_CONFORM_CLIENT_AWAITS_ENABLE_AGAIN ||
        program->is_not_told || program->counts_anew) {
        return;
    }
    if (self->tester.told_us == 0) {
        hy_conform_client_told_to_enable(&self->tester, self->now_us);
    }
    if (self->now_us - self->last_status_us <= 500000) {
        hy_commander_enable(&program->commander);
    }
}

static void step(bench *self, driver *program)
{
    if (program->counts_anew) {
        count_anew(self, program);
    }
    enable_again(self, program);
    send_command(self, program);
    take_statuses(self, program);
    self->now_us += STEP_US;
}

static void run_for(bench *self, driver *program, double seconds)
{
    for (int i = 0; i < (int)(seconds * 50); i++) {
        step(self, program);
    }
}

// Waits for `stage` with the program as it is; false if it dies of damaged statuses before.
static bool run_to(bench *self, driver *program, hy_conform_client_stage stage)
{
    for (int i = 0; i < 1000; i++) {
        if (hy_conform_client_stage_of(&self->tester) == stage) {
            return true;
        }
        if (program->dies_of > 0 && self->damaged >= program->dies_of) {
            return false;
        }
        step(self, program);
        if (!program->never_stops &&
            self->now_us - self->last_status_us > 500000) { // as the library's programs do
            hy_commander_stop(&program->commander, self->now_us);
        }
    }
    fail_msg("stage %d never comes", (int)stage);
    return false;
}

static void end_normally(bench *self, driver *program)
{
    hy_commander_enable(&program->commander);
    run_for(self, program, 0.3);
    if (!program->stays_enabled) {
        hy_commander_stop(&program->commander, self->now_us);
        run_for(self, program, program->is_disabled_early ? 2.0 : 0.12);
    }
    hy_conform_client_program_ended(&self->tester, 0);
}

static void grade(bench *self, driver *program, uint32_t commands_before)
{
    *self = (bench){ .now_us = 1000000 };
    hy_commander_init(&program->commander, &hy_dialect_xrp);
    program->commander.command.motor[0] = 0.5F;
    hy_conform_client_init(&self->tester, &hy_dialect_xrp, self->now_us);
    for (uint32_t i = 0; i < commands_before; i++) {
        step(self, program);
    }
    run_for(self, program, 0.3);
    hy_commander_enable(&program->commander);
    if (run_to(self, program, HY_CONFORM_CLIENT_AWAITS_END)) {
        run_for(self, program, 0.5);
        end_normally(self, program);
    } else {
        hy_conform_client_program_ended(&self->tester, -11);
    }
    hy_conform_client_finish(&self->tester, false, self->now_us, &self->report);
}

static const hy_conform_result *result_of(const bench *self, const char *id)
{
    for (size_t i = 0; i < self->report.count; i++) {
        if (strcmp(self->report.results[i].test->id, id) == 0) {
            return &self->report.results[i];
        }
    }
    fail_msg("no result of %s", id);
    return NULL;
}

static void expect(const bench *self, const char *id, hy_conform_verdict verdict, const char *came)
{
    const hy_conform_result *const result = result_of(self, id);
    if (result->verdict != verdict || strstr(result->came, came) == NULL) {
        fail_msg("%s: verdict %d, %s", id, (int)result->verdict, result->came);
    }
}

static void our_sender_passes_all_beyond_a_round(void **state)
{
    (void)state;
    driver program = { 0 };
    bench self;
    grade(&self, &program, 65535 + 32769 + 100);
    expect(&self, "client.number", HY_CONFORM_PASSED, "0 repeated, 0 falling");
    expect(&self, "client.number-wrap", HY_CONFORM_PASSED, "commands behind the wrap");
    assert_int_equal(self.report.passed, self.report.count);
    assert_true(self.damaged > 60); // most of the statuses that were cut, and of the random ones
}

static void a_plain_count_fails_at_the_wrap(void **state)
{
    (void)state;
    driver program = { .counts_on = true };
    bench self;
    grade(&self, &program, 65600);
    expect(&self, "client.number", HY_CONFORM_PASSED, "");
    expect(&self, "client.number-wrap", HY_CONFORM_FAILED, " 0 copies 65535");
    assert_int_equal(self.report.failed, 1);
}

static void a_short_run_does_not_test_the_wrap(void **state)
{
    (void)state;
    driver program = { 0 };
    bench self;
    grade(&self, &program, 0);
    expect(&self, "client.number-wrap", HY_CONFORM_NOT_TESTED, "did not count that far");
    expect(&self, "client.exit", HY_CONFORM_PASSED, "control 0; exit status 0");
    assert_int_equal(self.report.failed, 0);
    assert_int_equal(self.report.not_tested, 1);
}

static void a_program_that_a_damaged_status_ends_fails(void **state)
{
    (void)state;
    driver program = { .dies_of = 20 };
    bench self;
    grade(&self, &program, 0);
    expect(&self, "client.damaged-status", HY_CONFORM_FAILED, "signal 11 ended it");
    expect(&self, "client.robot-restarted", HY_CONFORM_PASSED, "");
}

// The robot may only have been out of reach: numbers that fall then must prove that they are a new count.
static void numbers_after_the_restart(void **state)
{
    (void)state;
    driver goes_on = { 0 }, proves = { .counts_anew = true, .disabled_anew = 60 },
           drives_off = { .counts_anew = true, .disabled_anew = 1 };
    bench self;
    grade(&self, &goes_on, 0);
    expect(&self, "client.number-after-restart", HY_CONFORM_PASSED, "they go on");
    grade(&self, &proves, 0);
    expect(&self, "client.number-after-restart", HY_CONFORM_PASSED, "60 commands that disable");
    expect(&self, "client.number", HY_CONFORM_PASSED, "0 falling");
    grade(&self, &drives_off, 0);
    expect(&self, "client.number-after-restart", HY_CONFORM_FAILED, "1 commands that disable");
}

// Before the silence they are around 5000: whoever waits for newer ones holds the robot for silent, and cannot be enabled.
static void statuses_after_the_restart(void **state)
{
    (void)state;
    static const char id[] = "client.status-after-restart";
    driver takes = { 0 }, waits = { .wants_newer = true },
           left = { .wants_newer = true, .is_not_told = true }, drives_on = { .never_stops = true };
    bench self;
    grade(&self, &takes, 0);
    expect(&self, id, HY_CONFORM_PASSED, "enabled again 1.0");
    expect(&self, "client.self-enable", HY_CONFORM_PASSED, "0 enabled commands");
    grade(&self, &waits, 0);
    expect(&self, id, HY_CONFORM_FAILED, "told to enable, and did not");
    expect(&self, "client.damaged-status", HY_CONFORM_PASSED, "damaged statuses, then");
    grade(&self, &left, 0);
    expect(&self, id, HY_CONFORM_NOT_TESTED, "was not enabled again");
    grade(&self, &drives_on, 0);
    expect(&self, id, HY_CONFORM_NOT_TESTED, "drives without statuses");
}

// A program that ignores lower numbers would never see the damaged statuses, if they did not continue the old count.
static void damaged_statuses_are_newer_than_all_before(void **state)
{
    (void)state;
    driver program = { .wants_newer = true, .never_stops = true };
    bench self;
    grade(&self, &program, 0);
    assert_true(self.newest > 5000 + self.damaged);
}

// Ctrl-C or --duration: a program that drives on has not passed because nobody waited for its stop.
static void a_run_that_ends_in_the_silence_does_not_judge_it(void **state)
{
    (void)state;
    driver program = { 0 };
    bench self = { .now_us = 1000000 };
    hy_commander_init(&program.commander, &hy_dialect_xrp);
    hy_conform_client_init(&self.tester, &hy_dialect_xrp, self.now_us);
    hy_commander_enable(&program.commander);
    run_to(&self, &program, HY_CONFORM_CLIENT_IS_SILENT);
    run_for(&self, &program, 0.1);
    hy_conform_client_finish(&self.tester, true, self.now_us, &self.report);
    expect(&self, "client.robot-silent", HY_CONFORM_NOT_TESTED, "ended in the silence");
    hy_conform_client_program_ended(&self.tester, 1);
    hy_conform_client_finish(&self.tester, true, self.now_us, &self.report);
    expect(&self, "client.robot-silent", HY_CONFORM_PASSED, "then no commands");
}

static void the_end_is_judged_by_the_last_command(void **state)
{
    (void)state;
    driver enabled = { .stays_enabled = true }, early = { .is_disabled_early = true };
    bench self;
    grade(&self, &enabled, 0);
    expect(&self, "client.exit", HY_CONFORM_FAILED, "control 1; exit status 0");
    grade(&self, &early, 0);
    expect(&self, "client.exit", HY_CONFORM_NOT_TESTED, "it was disabled before");
}

// A program that is started again: enabled unless `is_shy`, and stopped before its end if it `stops`.
static bench end_by_signal(bool is_shy, bool stops)
{
    bench self = { .now_us = 1000000 };
    driver program = { 0 };
    hy_commander_init(&program.commander, &hy_dialect_xrp);
    hy_conform_client_init(&self.tester, &hy_dialect_xrp, self.now_us);
    run_for(&self, &program, 0.3);
    if (!is_shy) {
        hy_commander_enable(&program.commander);
    }
    run_for(&self, &program, 0.5);
    if (stops) {
        hy_commander_stop(&program.commander, self.now_us);
        run_for(&self, &program, 0.12);
    }
    return self;
}

static void an_end_by_a_signal_is_judged_by_the_last_command(void **state)
{
    (void)state;
    bench stopped = end_by_signal(false, true), dead = end_by_signal(false, false),
          deaf = end_by_signal(false, false), shy = end_by_signal(true, false);
    hy_conform_client_program_ended(&stopped.tester, 0);
    hy_conform_client_program_ended(&dead.tester, -2);
    hy_conform_client_add_end(&stopped.tester, HY_CONFORM_CLIENT_SIGTERM, &stopped.report);
    expect(&stopped, "client.sigterm", HY_CONFORM_PASSED, "control 0; exit status 0");
    hy_conform_client_add_end(&dead.tester, HY_CONFORM_CLIENT_SIGINT, &dead.report);
    expect(&dead, "client.sigint", HY_CONFORM_FAILED, "control 1; ended by signal 2");
    hy_conform_client_add_end(&deaf.tester, HY_CONFORM_CLIENT_SIGINT, &deaf.report);
    expect(&deaf, "client.sigint", HY_CONFORM_FAILED, "control 1; it did not end");
    hy_conform_client_add_end(&shy.tester, HY_CONFORM_CLIENT_SIGTERM, &shy.report);
    expect(&shy, "client.sigterm", HY_CONFORM_NOT_TESTED, "was not enabled");
    bench none = { .now_us = 0 };
    hy_conform_client_add_end(NULL, HY_CONFORM_CLIENT_SIGTERM, &none.report);
    hy_conform_client_add_end(NULL, HY_CONFORM_CLIENT_SIGKILL, &none.report);
    expect(&none, "client.sigterm", HY_CONFORM_NOT_TESTED, "started here");
    expect(&none, "client.sigkill", HY_CONFORM_NOT_TESTED, "watchdog");
    assert_int_equal(none.report.not_tested, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(our_sender_passes_all_beyond_a_round),
        cmocka_unit_test(a_plain_count_fails_at_the_wrap),
        cmocka_unit_test(a_short_run_does_not_test_the_wrap),
        cmocka_unit_test(a_program_that_a_damaged_status_ends_fails),
        cmocka_unit_test(numbers_after_the_restart),
        cmocka_unit_test(statuses_after_the_restart),
        cmocka_unit_test(damaged_statuses_are_newer_than_all_before),
        cmocka_unit_test(a_run_that_ends_in_the_silence_does_not_judge_it),
        cmocka_unit_test(the_end_is_judged_by_the_last_command),
        cmocka_unit_test(an_end_by_a_signal_is_judged_by_the_last_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
