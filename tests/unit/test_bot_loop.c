// The timed robot and the scheduler: who is called when, told by a log of letters.
#include "bot_checks.h"

#include <string.h>

static char log_text[512];

static void note(char letter)
{
    const size_t length = strlen(log_text);
    assert_true(length + 1 < sizeof log_text);
    log_text[length] = letter;
    log_text[length + 1] = '\0';
}

/// What has been noted since the last call must be `wanted`.
static void expect_log(const char *wanted)
{
    assert_string_equal(log_text, wanted);
    log_text[0] = '\0';
}

static int set_up(void **state)
{
    (void)state;
    log_text[0] = '\0';
    return 0;
}

// --------------------------------------------------------------------------- the timed robot

#define CALL(name, letter)                                \
    static void name(void *context, int64_t now_us)       \
    {                                                     \
        (void)now_us;                                     \
        assert_string_equal((const char *)context, "me"); \
        note(letter);                                     \
    }
CALL(disabled_init, 'D')
CALL(disabled_periodic, 'd')
CALL(disabled_exit, '-')
CALL(teleop_init, 'T')
CALL(teleop_periodic, 't')
CALL(teleop_exit, '_')
CALL(auto_init, 'A')
CALL(test_periodic, 'x')
CALL(robot_init, 'R')
CALL(robot_periodic, 'r')
CALL(simulation_init, 'S')
CALL(simulation_periodic, 's')

static const hy_robot_program program = {
    .mode = { [HY_MODE_DISABLED] = { disabled_init, disabled_periodic, disabled_exit },
              [HY_MODE_AUTONOMOUS] = { .init = auto_init },
              [HY_MODE_TELEOP] = { teleop_init, teleop_periodic, teleop_exit },
              [HY_MODE_TEST] = { .periodic = test_periodic } },
    .robot_init = robot_init,
    .robot_periodic = robot_periodic,
    .simulation_init = simulation_init,
    .simulation_periodic = simulation_periodic,
    .context = (char[]){ "me" },
};

static void modes_are_entered_run_and_left(void **state)
{
    (void)state;
    hy_timed_robot self;
    hy_timed_robot_init(&self, &program, 0, false, 1000);
    expect_log("");
    assert_true(hy_timed_robot_begin(&self, HY_MODE_DISABLED, 1000));
    expect_log("RDdr");
    assert_false(hy_timed_robot_begin(&self, HY_MODE_TELEOP, 20999));
    assert_true(hy_timed_robot_begin(&self, HY_MODE_TELEOP, 21000));
    expect_log("-Ttr");
    assert_int_equal(self.mode, HY_MODE_TELEOP);
    hy_timed_robot_begin(&self, HY_MODE_TELEOP, 41000);
    expect_log("tr");
    hy_timed_robot_begin(&self, HY_MODE_AUTONOMOUS, 61000);
    expect_log("_Ar");
    hy_timed_robot_begin(&self, HY_MODE_TEST, 81000);
    expect_log("xr");
    hy_timed_robot_begin(&self, (hy_mode)77, 101000); // nonsense is no reason to drive
    expect_log("Ddr");
    hy_timed_robot_exit(&self, 102000);
    hy_timed_robot_exit(&self, 102000);
    expect_log("-");
    assert_int_equal(self.loops, 6);
}

// A log of what the watcher was told: a name in brackets when a call begins, '.' when it has returned.
static void watch_calls(void *context, const char *call)
{
    assert_string_equal((const char *)context, "watcher");
    const char *const text = call != NULL ? call : ".";
    for (size_t i = 0; text[i] != '\0'; i++) {
        note(text[i]);
    }
}

static void a_watcher_is_told_each_call_by_name(void **state)
{
    (void)state;
    char name[] = "watcher";
    hy_timed_robot self;
    hy_timed_robot_init(&self, &program, 10000, true, 0);
    self.watcher = watch_calls;
    self.watcher_context = name;
    hy_timed_robot_begin(&self, HY_MODE_DISABLED, 0);
    expect_log("robot initR.simulation initS.disabled initD.disabled periodicd.robot periodicr."
               "simulation periodics.");
    hy_timed_robot_begin(&self, HY_MODE_TELEOP, 10000);
    expect_log(
        "disabled exit-.teleop initT.teleop periodict.robot periodicr.simulation periodics.");
    hy_timed_robot_begin(&self, HY_MODE_AUTONOMOUS, 20000); // calls that are NULL are none
    expect_log("teleop exit_.autonomous initA.robot periodicr.simulation periodics.");
    hy_timed_robot_begin(&self, HY_MODE_TEST, 30000);
    expect_log("test periodicx.robot periodicr.simulation periodics.");
    hy_timed_robot_exit(&self, 40000);
    expect_log("");
}

static void simulation_has_its_own_calls(void **state)
{
    (void)state;
    hy_timed_robot self;
    hy_timed_robot_init(&self, &program, 10000, true, 0);
    hy_timed_robot_begin(&self, HY_MODE_TELEOP, 0);
    hy_timed_robot_begin(&self, HY_MODE_TELEOP, 10000);
    expect_log("RSTtrstrs");
}

static void a_program_that_does_nothing_runs(void **state)
{
    (void)state;
    static const hy_robot_program nothing = { 0 };
    hy_timed_robot self;
    hy_timed_robot_init(&self, &nothing, 0, true, 0);
    assert_true(hy_timed_robot_begin(&self, HY_MODE_AUTONOMOUS, 0));
    assert_true(hy_timed_robot_begin(&self, HY_MODE_TEST, 20000));
    hy_timed_robot_exit(&self, 20000);
}

static void overruns_are_measured_and_loops_not_made_up_for(void **state)
{
    (void)state;
    hy_timed_robot self;
    hy_timed_robot_init(&self, &program, 20000, false, 0);
    hy_timed_robot_begin(&self, HY_MODE_DISABLED, 0);
    assert_false(hy_timed_robot_end(&self, 20000)); // just in time
    assert_int_equal(self.last_us, 20000);
    hy_timed_robot_begin(&self, HY_MODE_DISABLED, 20005);
    assert_true(hy_timed_robot_end(&self, 75005));
    assert_int_equal(self.overruns, 1);
    assert_int_equal(self.worst_us, 55000);
    assert_int_equal(self.due_us, 40000);
    assert_true(hy_timed_robot_begin(&self, HY_MODE_DISABLED, 75005)); // 40000 is late, 60000 is left out
    assert_int_equal(self.skipped, 1);
    assert_int_equal(self.due_us, 80000);
    assert_false(hy_timed_robot_end(&self, 75006));
    assert_int_equal(self.worst_us, 55000);
    assert_int_equal(self.loops, 3);
}

static void modes_have_names(void **state)
{
    (void)state;
    assert_string_equal(hy_mode_name(HY_MODE_DISABLED), "disabled");
    assert_string_equal(hy_mode_name(HY_MODE_AUTONOMOUS), "autonomous");
    assert_string_equal(hy_mode_name(HY_MODE_TELEOP), "teleop");
    assert_string_equal(hy_mode_name(HY_MODE_TEST), "test");
    assert_string_equal(hy_mode_name((hy_mode)99), "disabled");
}

// --------------------------------------------------------------------------- commands

/// A command that notes its start (upper case), its steps, and its end: '.' finished, '!'
/// interrupted.
typedef struct {
    char letter;
    int steps; ///< Until it is finished; 0: never.
    int done;
} actor;

static void actor_start(void *context, int64_t now_us)
{
    actor *const self = context;
    (void)now_us;
    self->done = 0;
    note((char)(self->letter - 'a' + 'A'));
}

static void actor_step(void *context, int64_t now_us)
{
    actor *const self = context;
    (void)now_us;
    self->done++;
    note(self->letter);
}

static bool actor_is_finished(void *context, int64_t now_us)
{
    const actor *const self = context;
    (void)now_us;
    return self->steps > 0 && self->done >= self->steps;
}

static void actor_end(void *context, bool interrupted, int64_t now_us)
{
    const actor *const self = context;
    (void)now_us;
    note(self->letter);
    note(interrupted ? '!' : '.');
}

static const hy_command_calls actor_calls = { actor_start, actor_step, actor_is_finished, actor_end };

static hy_command acted(actor *who, uint32_t requirements)
{
    hy_command self;
    hy_command_init(&self, &actor_calls, who, requirements);
    return self;
}

static int64_t now_us;

static void loops(hy_scheduler *scheduler, int count)
{
    for (int i = 0; i < count; i++) {
        now_us += 20000;
        hy_scheduler_run(scheduler, true, now_us);
    }
}

static void a_command_starts_steps_and_ends(void **state)
{
    (void)state;
    hy_scheduler scheduler = { 0 };
    actor a = { 'a', 2, 0 };
    hy_command command = acted(&a, HY_REQUIRES(0));
    assert_true(hy_scheduler_schedule(&scheduler, &command, now_us));
    assert_true(hy_scheduler_schedule(&scheduler, &command, now_us)); // runs already
    assert_true(hy_scheduler_is_scheduled(&scheduler, &command));
    loops(&scheduler, 3);
    expect_log("Aaaa.");
    assert_false(hy_scheduler_is_scheduled(&scheduler, &command));
    hy_scheduler_schedule(&scheduler, &command, now_us); // and again
    loops(&scheduler, 2);
    expect_log("Aaaa.");
}

static void two_commands_never_move_the_same_part(void **state)
{
    (void)state;
    hy_scheduler scheduler = { 0 };
    actor a = { 'a', 0, 0 }, b = { 'b', 0, 0 }, c = { 'c', 0, 0 };
    hy_command first = acted(&a, HY_REQUIRES(0) | HY_REQUIRES(31)),
               second = acted(&b, HY_REQUIRES(31)), other = acted(&c, HY_REQUIRES(1));
    hy_scheduler_schedule(&scheduler, &first, now_us);
    hy_scheduler_schedule(&scheduler, &other, now_us);
    loops(&scheduler, 1);
    expect_log("ACac");
    assert_true(hy_scheduler_schedule(&scheduler, &second, now_us));
    loops(&scheduler, 1);
    expect_log("a!Bcb");
    second.is_uninterruptible = true;
    assert_false(hy_scheduler_schedule(&scheduler, &first, now_us));
    assert_int_equal(scheduler.refused, 1);
    hy_scheduler_cancel(&scheduler, &other, now_us);
    expect_log("c!");
    hy_scheduler_cancel_all(&scheduler, now_us);
    expect_log("b!");
    loops(&scheduler, 1);
    expect_log("");
    hy_scheduler_schedule(&scheduler, &other, now_us);
    expect_log("C"); // and the scheduler works on at once
    hy_scheduler_cancel(&scheduler, &other, now_us);
    expect_log("c!");
    hy_scheduler_cancel(&scheduler, &other, now_us); // does not run: nothing happens
    expect_log("");
}

static void disabled_nothing_moves(void **state)
{
    (void)state;
    hy_scheduler scheduler = { 0 };
    actor a = { 'a', 0, 0 }, b = { 'b', 0, 0 };
    hy_command drives = acted(&a, HY_REQUIRES(0)), blinks = acted(&b, HY_REQUIRES(1));
    blinks.runs_when_disabled = true;
    hy_scheduler_schedule(&scheduler, &drives, now_us);
    hy_scheduler_schedule(&scheduler, &blinks, now_us);
    loops(&scheduler, 1);
    expect_log("ABab");
    hy_scheduler_run(&scheduler, false, now_us);
    hy_scheduler_run(&scheduler, false, now_us);
    expect_log("a!bb");
    assert_false(hy_scheduler_is_scheduled(&scheduler, &drives));
}

static void defaults_run_while_nobody_else_does(void **state)
{
    (void)state;
    hy_scheduler scheduler = { 0 };
    actor a = { 'a', 1, 0 }, b = { 'b', 0, 0 };
    hy_command work = acted(&a, HY_REQUIRES(3)), idle = acted(&b, HY_REQUIRES(3));
    assert_true(hy_scheduler_set_default(&scheduler, 3, &idle));
    assert_false(hy_scheduler_set_default(&scheduler, 4, &idle)); // needs another subsystem
    assert_false(hy_scheduler_set_default(&scheduler, HY_SUBSYSTEMS, &idle));
    hy_scheduler_run(&scheduler, false, now_us);
    expect_log("");
    loops(&scheduler, 2);
    expect_log("Bb");
    hy_scheduler_schedule(&scheduler, &work, now_us);
    loops(&scheduler, 2);
    expect_log("b!Aaa.Bb");
    assert_true(hy_scheduler_set_default(&scheduler, 3, NULL));
    hy_scheduler_cancel_all(&scheduler, now_us);
    expect_log("b!");
    loops(&scheduler, 1);
    expect_log("");
}

static void once_and_always(void **state)
{
    (void)state;
    hy_scheduler scheduler = { 0 };
    hy_command once, always, nothing;
    actor a = { 'a', 0, 0 };
    hy_command_once(&once, actor_step, &a, HY_REQUIRES(0));
    hy_command_once(&nothing, NULL, NULL, 0);
    hy_scheduler_schedule(&scheduler, &once, now_us);
    hy_scheduler_schedule(&scheduler, &nothing, now_us);
    loops(&scheduler, 2);
    expect_log("a");
    assert_false(hy_scheduler_is_scheduled(&scheduler, &nothing));
    hy_command_always(&always, actor_step, &a, HY_REQUIRES(0));
    hy_scheduler_schedule(&scheduler, &always, now_us);
    loops(&scheduler, 3);
    expect_log("aaa");
    assert_int_equal(always.requirements, 1);
}

static bool late(void *context, int64_t at_us)
{
    return at_us >= *(const int64_t *)context;
}

static void waiting(void **state)
{
    (void)state;
    hy_scheduler scheduler = { 0 };
    hy_command wait, until;
    int64_t then_us = now_us + 50000;
    hy_command_wait(&wait, 40000);
    hy_command_wait_until(&until, late, &then_us);
    hy_scheduler_schedule(&scheduler, &wait, now_us);
    hy_scheduler_schedule(&scheduler, &until, now_us);
    loops(&scheduler, 1);
    assert_true(hy_scheduler_is_scheduled(&scheduler, &wait));
    loops(&scheduler, 1);
    assert_false(hy_scheduler_is_scheduled(&scheduler, &wait));
    assert_true(hy_scheduler_is_scheduled(&scheduler, &until));
    loops(&scheduler, 1);
    assert_false(hy_scheduler_is_scheduled(&scheduler, &until));
    hy_scheduler_schedule(&scheduler, &wait, now_us); // waits while disabled too
    hy_scheduler_run(&scheduler, false, now_us);
    assert_true(hy_scheduler_is_scheduled(&scheduler, &wait));
}

static void a_sequence(void **state)
{
    (void)state;
    hy_scheduler scheduler = { 0 };
    actor a = { 'a', 2, 0 }, b = { 'b', 1, 0 };
    hy_command first = acted(&a, HY_REQUIRES(0)),
               second = acted(&b, HY_REQUIRES(0) | HY_REQUIRES(1)), group;
    hy_command *const members[] = { &first, &second };
    assert_true(hy_command_sequence(&group, members, 2));
    assert_int_equal(group.requirements, 3);
    hy_scheduler_schedule(&scheduler, &group, now_us);
    loops(&scheduler, 4);
    expect_log("Aaaa.Bbb.");
    hy_scheduler_schedule(&scheduler, &group, now_us);
    loops(&scheduler, 1);
    hy_scheduler_cancel(&scheduler, &group, now_us);
    expect_log("Aaa!");
    assert_false(hy_scheduler_schedule(&scheduler, &first, now_us)); // belongs to the group
}

static void a_parallel_group(void **state)
{
    (void)state;
    hy_scheduler scheduler = { 0 };
    actor a = { 'a', 1, 0 }, b = { 'b', 2, 0 };
    hy_command first = acted(&a, HY_REQUIRES(0)), second = acted(&b, HY_REQUIRES(1)), group;
    hy_command *const members[] = { &first, &second };
    assert_true(hy_command_parallel(&group, members, 2));
    hy_scheduler_schedule(&scheduler, &group, now_us);
    loops(&scheduler, 3);
    expect_log("ABaa.bbb.");
    hy_scheduler_schedule(&scheduler, &group, now_us);
    loops(&scheduler, 1);
    hy_scheduler_cancel_all(&scheduler, now_us);
    expect_log("ABaa.bb!");
}

static void a_race_and_a_deadline(void **state)
{
    (void)state;
    hy_scheduler scheduler = { 0 };
    actor a = { 'a', 2, 0 }, b = { 'b', 3, 0 }, c = { 'c', 2, 0 }, d = { 'd', 0, 0 };
    hy_command commands[] = { acted(&a, 1), acted(&b, 2), acted(&c, 4), acted(&d, 8) }, race,
               deadline;
    hy_command *const racers[] = { &commands[1], &commands[0] };
    hy_command *const others[] = { &commands[2], &commands[3] };
    assert_true(hy_command_race(&race, racers, 2));
    hy_scheduler_schedule(&scheduler, &race, now_us);
    loops(&scheduler, 2);
    expect_log("BAbabaa.b!");
    assert_true(hy_command_deadline(&deadline, others, 2));
    hy_scheduler_schedule(&scheduler, &deadline, now_us);
    loops(&scheduler, 3);
    expect_log("CDcdcc.dd!");
}

static void a_timeout(void **state)
{
    (void)state;
    hy_scheduler scheduler = { 0 };
    actor a = { 'a', 0, 0 }, b = { 'b', 1, 0 };
    hy_command forever = acted(&a, HY_REQUIRES(5)), quick = acted(&b, HY_REQUIRES(6)), slow_out,
               quick_out;
    assert_true(hy_command_timeout(&slow_out, &forever, 40000));
    assert_int_equal(slow_out.requirements, HY_REQUIRES(5));
    assert_true(hy_command_timeout(&quick_out, &quick, 1000000));
    hy_scheduler_schedule(&scheduler, &slow_out, now_us);
    loops(&scheduler, 3);
    expect_log("Aaaa!");
    hy_scheduler_schedule(&scheduler, &quick_out, now_us);
    loops(&scheduler, 2);
    expect_log("Bbb.");
    hy_scheduler_schedule(&scheduler, &slow_out, now_us);
    hy_scheduler_cancel(&scheduler, &slow_out, now_us);
    expect_log("Aa!");
}

static void again_and_again(void **state)
{
    (void)state;
    hy_scheduler scheduler = { 0 };
    actor a = { 'a', 1, 0 };
    hy_command inner = acted(&a, 1), repeat;
    assert_true(hy_command_repeat(&repeat, &inner));
    hy_scheduler_schedule(&scheduler, &repeat, now_us);
    loops(&scheduler, 2);
    hy_scheduler_cancel(&scheduler, &repeat, now_us);
    expect_log("Aaa.Aaa.Aa!");
}

static void groups_of_groups(void **state)
{
    (void)state;
    hy_scheduler scheduler = { 0 };
    actor a = { 'a', 1, 0 }, b = { 'b', 0, 0 }, c = { 'c', 1, 0 };
    hy_command first = acted(&a, 1), endless = acted(&b, 2), last = acted(&c, 1), wait, race, all;
    hy_command_wait(&wait, 20000);
    hy_command *const racers[] = { &endless, &wait };
    assert_true(hy_command_race(&race, racers, 2));
    hy_command *const members[] = { &first, &race, &last };
    assert_true(hy_command_sequence(&all, members, 3));
    assert_int_equal(all.requirements, 3);
    hy_scheduler_schedule(&scheduler, &all, now_us);
    loops(&scheduler, 4);
    expect_log("Aaa.Bbb!Ccc.");
}

static void what_cannot_be_a_group_is_refused(void **state)
{
    (void)state;
    hy_scheduler scheduler = { 0 };
    actor a = { 'a', 1, 0 }, b = { 'b', 1, 0 };
    hy_command first = acted(&a, 1), second = acted(&b, 1), third = acted(&b, 2), group,
               unmade = { 0 };
    hy_command *const clash[] = { &first, &second }, *const twice[] = { &third, &third };
    hy_command *const raw[] = { &unmade }, *const one[] = { &first };
    assert_false(hy_command_parallel(&group, clash, 2)); // both need subsystem 0 at the same time
    assert_false(hy_command_race(&group, clash, 2));
    assert_false(hy_command_deadline(&group, clash, 2));
    assert_false(hy_command_sequence(&group, twice, 2));
    assert_false(hy_command_sequence(&group, raw, 1));
    assert_false(hy_command_sequence(&group, one, 0));
    assert_false(hy_command_sequence(&group, one, HY_COMMAND_MEMBERS + 1));
    assert_false(hy_scheduler_schedule(&scheduler, &unmade, now_us));
    hy_scheduler_schedule(&scheduler, &first, now_us);
    assert_false(hy_command_sequence(&group, one, 1)); // runs
    assert_false(hy_command_timeout(&group, &first, 5));
    assert_false(hy_command_repeat(&group, &first));
    hy_scheduler_cancel_all(&scheduler, now_us);
    assert_true(hy_command_sequence(&group, one, 1));
    assert_false(hy_scheduler_set_default(&scheduler, 0, &first));
}

static void groups_take_over_what_their_members_may(void **state)
{
    (void)state;
    actor a = { 'a', 1, 0 }, b = { 'b', 1, 0 };
    hy_command first = acted(&a, 1), second = acted(&b, 2), group;
    hy_command *const members[] = { &first, &second };
    first.runs_when_disabled = true;
    first.is_uninterruptible = true;
    assert_true(hy_command_parallel(&group, members, 2));
    assert_false(group.runs_when_disabled);
    assert_true(group.is_uninterruptible);
}

// --------------------------------------------------------------------------- commands about commands

typedef struct {
    hy_scheduler scheduler;
    hy_command asks, other;
} asking;

static void schedule_other(void *context, int64_t at_us)
{
    asking *const self = context;
    note('>');
    hy_scheduler_schedule(&self->scheduler, &self->other, at_us);
}

static void cancel_self(void *context, int64_t at_us)
{
    asking *const self = context;
    note('<');
    hy_scheduler_cancel(&self->scheduler, &self->asks, at_us);
    hy_scheduler_cancel(&self->scheduler, &self->other, at_us);
}

static void commands_may_schedule_and_cancel(void **state)
{
    (void)state;
    asking self = { 0 };
    actor b = { 'b', 0, 0 };
    self.other = acted(&b, 1);
    hy_command_always(&self.asks, schedule_other, &self, 1);
    hy_scheduler_schedule(&self.scheduler, &self.asks, now_us);
    loops(&self.scheduler, 2); // it is interrupted by what it asked for, behind the loop
    expect_log(">Bb");
    assert_false(hy_scheduler_is_scheduled(&self.scheduler, &self.asks));
    hy_command_always(&self.asks, cancel_self, &self, 2);
    hy_scheduler_schedule(&self.scheduler, &self.asks, now_us);
    loops(&self.scheduler, 2);
    expect_log("b<b!");
    assert_false(hy_scheduler_is_scheduled(&self.scheduler, &self.asks));
}

static void start_other(void *context, int64_t at_us)
{
    asking *const self = context;
    note('x');
    hy_scheduler_schedule(&self->scheduler, &self->other, at_us);
    hy_scheduler_schedule(&self->scheduler, &self->asks, at_us);
}

static void commands_that_start_each_other_do_not_hang(void **state)
{
    (void)state;
    asking self = { 0 };
    hy_command_calls calls = { .start = start_other };
    hy_command_init(&self.asks, &calls, &self, 1);
    hy_command_init(&self.other, &calls, &self, 1);
    hy_scheduler_schedule(&self.scheduler, &self.asks, now_us);
    loops(&self.scheduler, 5);
    assert_true(strlen(log_text) <= 10);
    hy_scheduler_cancel_all(&self.scheduler, now_us);
    log_text[0] = '\0';
    loops(&self.scheduler, 1);
    expect_log("");
}

static void what_waits_can_be_cancelled_before_it_starts(void **state)
{
    (void)state;
    asking self = { 0 };
    actor b = { 'b', 0, 0 };
    hy_command_calls calls = { .start = schedule_other };
    self.other = acted(&b, 2);
    hy_command_init(&self.asks, &calls, &self, 1);
    hy_scheduler_schedule(&self.scheduler, &self.asks, now_us); // asks for the other while it starts
    hy_scheduler_cancel(&self.scheduler, &self.other, now_us);
    loops(&self.scheduler, 2);
    expect_log(">"); // the other has neither started nor ended
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(modes_are_entered_run_and_left),
        TEST(a_watcher_is_told_each_call_by_name),
        TEST(simulation_has_its_own_calls),
        TEST(a_program_that_does_nothing_runs),
        TEST(overruns_are_measured_and_loops_not_made_up_for),
        TEST(modes_have_names),
        TEST(a_command_starts_steps_and_ends),
        TEST(two_commands_never_move_the_same_part),
        TEST(disabled_nothing_moves),
        TEST(defaults_run_while_nobody_else_does),
        TEST(once_and_always),
        TEST(waiting),
        TEST(a_sequence),
        TEST(a_parallel_group),
        TEST(a_race_and_a_deadline),
        TEST(a_timeout),
        TEST(again_and_again),
        TEST(groups_of_groups),
        TEST(what_cannot_be_a_group_is_refused),
        TEST(groups_take_over_what_their_members_may),
        TEST(commands_may_schedule_and_cancel),
        TEST(commands_that_start_each_other_do_not_hang),
        TEST(what_waits_can_be_cancelled_before_it_starts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
