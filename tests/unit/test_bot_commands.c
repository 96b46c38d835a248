// Commands that ask for, and cancel, each other and themselves at every moment: what runs then, what waits, and that
// nobody is lost.
#include "bot_checks.h"

#include <string.h>

static void a_group_has_as_many_members_as_it_may(void **state)
{
    (void)state;
    hy_scheduler scheduler = { 0 };
    hy_command waits[HY_COMMAND_MEMBERS + 1], group;
    hy_command *members[HY_COMMAND_MEMBERS + 1];
    for (int i = 0; i <= HY_COMMAND_MEMBERS; i++) {
        hy_command_wait(&waits[i], 1000 * (i + 1));
        members[i] = &waits[i];
    }
    assert_false(hy_command_parallel(&group, members, HY_COMMAND_MEMBERS + 1));
    assert_true(hy_command_parallel(&group, members, HY_COMMAND_MEMBERS));
    assert_true(group.runs_when_disabled && !group.is_uninterruptible);
    assert_true(hy_scheduler_schedule(&scheduler, &group, 0));
    hy_scheduler_run(&scheduler, false, 1000 * HY_COMMAND_MEMBERS - 1);
    assert_true(hy_scheduler_is_scheduled(&scheduler, &group)); // for the last one
    hy_scheduler_run(&scheduler, false, 1000 * HY_COMMAND_MEMBERS);
    assert_false(hy_scheduler_is_scheduled(&scheduler, &group));
}

static bool never(void *context, int64_t now_us)
{
    (void)context, (void)now_us;
    return false;
}

static void conditions_are_waited_for_while_disabled(void **state)
{
    (void)state;
    hy_scheduler scheduler = { 0 };
    hy_command until;
    hy_command_wait_until(&until, never, NULL);
    assert_int_equal(until.requirements, 0);
    assert_true(hy_scheduler_schedule(&scheduler, &until, 0));
    hy_scheduler_run(&scheduler, false, 1);
    assert_true(hy_scheduler_is_scheduled(&scheduler, &until));
}

/// A scheduler and commands that write down what happens to them, and may ask for something when they start, step or end.
typedef struct scene scene;
typedef struct {
    scene *scene;
    char letter; ///< Capital: started; small: stepped; then '.': finished, '!': interrupted.
    void (*on_start)(scene *self, int64_t now_us);
    void (*on_step)(scene *self, int64_t now_us);
    void (*on_end)(scene *self, int64_t now_us);
} player;
struct scene {
    hy_scheduler scheduler;
    player player[4];
    hy_command command[4]; // a, b, c, d
    char log[100];
    bool answer;
};

static void note(scene *self, char letter)
{
    const size_t length = strlen(self->log);
    assert_true(length + 1 < sizeof self->log);
    self->log[length] = letter;
}

static void player_start(void *context, int64_t now_us)
{
    const player *const self = context;
    note(self->scene, (char)(self->letter - 'a' + 'A'));
    if (self->on_start != NULL) {
        self->on_start(self->scene, now_us);
    }
}

static void player_step(void *context, int64_t now_us)
{
    const player *const self = context;
    note(self->scene, self->letter);
    if (self->on_step != NULL) {
        self->on_step(self->scene, now_us);
    }
}

static void player_end(void *context, bool interrupted, int64_t now_us)
{
    const player *const self = context;
    note(self->scene, self->letter);
    note(self->scene, interrupted ? '!' : '.');
    if (self->on_end != NULL) {
        self->on_end(self->scene, now_us);
    }
}

static void set_scene(scene *self)
{
    static const hy_command_calls calls = { .start = player_start,
                                            .step = player_step,
                                            .end = player_end };
    *self = (scene){ 0 };
    for (int i = 0; i < 4; i++) {
        self->player[i] = (player){ .scene = self, .letter = (char)('a' + i) };
        hy_command_init(&self->command[i], &calls, &self->player[i], HY_REQUIRES(i));
    }
}

static void expect_log(scene *self, const char *wanted)
{
    assert_string_equal(self->log, wanted);
    memset(self->log, 0, sizeof self->log);
}

static void ask_for_b(scene *self, int64_t now_us)
{
    self->answer = hy_scheduler_schedule(&self->scheduler, &self->command[1], now_us);
}

static void cancel_a_and_ask_again(scene *self, int64_t now_us)
{
    hy_scheduler_cancel(&self->scheduler, &self->command[0], now_us);
    self->answer = hy_scheduler_schedule(&self->scheduler, &self->command[0], now_us);
}

static void ask_for_b_and_cancel_all(scene *self, int64_t now_us)
{
    ask_for_b(self, now_us);
    hy_scheduler_cancel_all(&self->scheduler, now_us);
}

static void only_what_needs_the_same_waits(void **state)
{
    (void)state;
    scene self;
    set_scene(&self);
    self.command[2].is_uninterruptible = true;
    assert_true(hy_scheduler_schedule(&self.scheduler, &self.command[2], 0));
    assert_true(hy_scheduler_schedule(&self.scheduler, &self.command[3], 0));
    assert_true(hy_scheduler_schedule(&self.scheduler, &self.command[0], 0));
    expect_log(&self, "CDA");
    hy_command other = self.command[2];
    other.scheduled = false;
    assert_false(hy_scheduler_schedule(&self.scheduler, &other, 0)); // needs what c has
    assert_int_equal(self.scheduler.refused, 1);
    expect_log(&self, "");
}

static void defaults_of_every_subsystem(void **state)
{
    (void)state;
    scene self;
    set_scene(&self);
    assert_false(hy_scheduler_set_default(&self.scheduler, HY_SUBSYSTEMS, NULL));
    assert_true(hy_scheduler_set_default(&self.scheduler, 0, &self.command[0]));
    assert_true(hy_scheduler_schedule(&self.scheduler, &self.command[1], 0)); // its neighbour is busy
    hy_scheduler_run(&self.scheduler, true, 1);
    expect_log(&self, "BbA");
    hy_command last;
    hy_command_wait(&last, 5);
    last.requirements = HY_REQUIRES(HY_SUBSYSTEMS - 1);
    assert_true(hy_scheduler_set_default(&self.scheduler, HY_SUBSYSTEMS - 1, &last));
    hy_scheduler_run(&self.scheduler, true, 2);
    assert_true(hy_scheduler_is_scheduled(&self.scheduler, &last));
}

static void a_default_waits_while_its_subsystem_is_busy(void **state)
{
    (void)state;
    scene self;
    set_scene(&self);
    self.command[1].requirements = HY_REQUIRES(0);
    assert_true(hy_scheduler_set_default(&self.scheduler, 0, &self.command[0]));
    assert_true(hy_scheduler_schedule(&self.scheduler, &self.command[1], 0));
    hy_scheduler_run(&self.scheduler, true, 1);
    hy_scheduler_run(&self.scheduler, true, 2);
    expect_log(&self, "Bbb");
    hy_scheduler_cancel(&self.scheduler, &self.command[1], 3);
    hy_scheduler_run(&self.scheduler, true, 3);
    expect_log(&self, "b!A");
}

static void what_ended_does_not_come_back(void **state)
{
    (void)state;
    scene self;
    set_scene(&self);
    hy_scheduler_schedule(&self.scheduler, &self.command[0], 0);
    hy_scheduler_schedule(&self.scheduler, &self.command[1], 0);
    hy_scheduler_cancel_all(&self.scheduler, 0);
    expect_log(&self, "ABa!b!");
    hy_scheduler_schedule(&self.scheduler, &self.command[0], 0); // starts at once, and alone
    expect_log(&self, "A");
    hy_scheduler_run(&self.scheduler, true, 1);
    expect_log(&self, "a");
}

static void a_cancelled_command_can_run_again(void **state)
{
    (void)state;
    scene self;
    set_scene(&self);
    self.player[0].on_step = cancel_a_and_ask_again;
    hy_scheduler_schedule(&self.scheduler, &self.command[0], 0);
    hy_scheduler_run(&self.scheduler, true, 1);
    expect_log(&self, "Aaa!"); // in this very loop
    assert_false(self.answer); // it has to end first
    assert_int_equal(self.scheduler.refused, 1);
    self.player[0].on_step = NULL;
    self.player[1].on_step = NULL;
    assert_true(hy_scheduler_schedule(&self.scheduler, &self.command[0], 2));
    hy_scheduler_run(&self.scheduler, true, 3);
    expect_log(&self, "Aa");
}

static void what_comes_later_in_a_loop_ends_what_came_before(void **state)
{
    (void)state;
    scene self;
    set_scene(&self);
    self.player[1].on_step = cancel_a_and_ask_again;
    hy_scheduler_schedule(&self.scheduler, &self.command[0], 0);
    hy_scheduler_schedule(&self.scheduler, &self.command[1], 0);
    hy_scheduler_run(&self.scheduler, true, 1);
    expect_log(&self, "ABaba!");
    self.player[1].on_step = NULL;
    self.player[2].on_step = ask_for_b; // runs already
    hy_scheduler_schedule(&self.scheduler, &self.command[2], 1);
    hy_scheduler_run(&self.scheduler, true, 2);
    assert_true(self.answer);
    expect_log(&self, "Cbc");
}

static void everything_can_be_cancelled_from_within(void **state)
{
    (void)state;
    scene self;
    set_scene(&self);
    self.player[0].on_step = ask_for_b_and_cancel_all;
    hy_scheduler_schedule(&self.scheduler, &self.command[0], 0);
    hy_scheduler_schedule(&self.scheduler, &self.command[2], 0);
    hy_scheduler_run(&self.scheduler, true, 1);
    assert_true(self.answer); // it was taken, and then cancelled with the rest
    expect_log(&self, "ACaa!c!");
    hy_scheduler_run(&self.scheduler, true, 2);
    expect_log(&self, "");
    assert_true(hy_scheduler_schedule(&self.scheduler, &self.command[1], 3)); // none of them is lost
    self.player[0].on_step = ask_for_b;
    assert_true(hy_scheduler_schedule(&self.scheduler, &self.command[0], 3));
    hy_scheduler_run(&self.scheduler, true, 4);
    expect_log(&self, "BAba");
}

static void what_an_end_asks_for_waits_for_the_next_loop(void **state)
{
    (void)state;
    for (int all = 0; all < 2; all++) {
        scene self;
        set_scene(&self);
        self.player[0].on_end = ask_for_b;
        hy_scheduler_schedule(&self.scheduler, &self.command[0], 0);
        if (all != 0) {
            hy_scheduler_cancel_all(&self.scheduler, 1);
        } else {
            hy_scheduler_cancel(&self.scheduler, &self.command[0], 1);
        }
        expect_log(&self, "Aa!");
        hy_scheduler_run(&self.scheduler, true, 2);
        expect_log(&self, "B");
    }
}

static void what_waits_is_free_again_when_it_cannot_start(void **state)
{
    (void)state;
    scene self;
    set_scene(&self);
    self.player[0].on_step = ask_for_b;
    self.command[0].runs_when_disabled = true;
    hy_scheduler_schedule(&self.scheduler, &self.command[0], 0);
    hy_scheduler_run(&self.scheduler, false, 1); // b may not run while disabled
    assert_false(hy_scheduler_is_scheduled(&self.scheduler, &self.command[1]));
    self.player[0].on_step = NULL;
    hy_scheduler_run(&self.scheduler, true, 2);
    expect_log(&self, "Aaa");
    assert_true(hy_scheduler_schedule(&self.scheduler, &self.command[1], 3));
    expect_log(&self, "B");
    // Nor is one lost that is cancelled before it has started.
    hy_scheduler_cancel(&self.scheduler, &self.command[1], 4);
    self.player[2].on_end = ask_for_b;
    hy_scheduler_schedule(&self.scheduler, &self.command[2], 4);
    hy_scheduler_cancel(&self.scheduler, &self.command[2], 4);
    hy_scheduler_cancel(&self.scheduler, &self.command[1], 4);
    assert_true(hy_scheduler_schedule(&self.scheduler, &self.command[1], 5));
    expect_log(&self, "b!Cc!B");
}

static void members_are_nobody_elses(void **state)
{
    (void)state;
    scene self;
    set_scene(&self);
    hy_command group;
    hy_command *const members[] = { &self.command[0], &self.command[1] };
    assert_true(hy_command_sequence(&group, members, 2));
    assert_false(hy_scheduler_schedule(&self.scheduler, &self.command[0], 0));
    assert_int_equal(self.scheduler.refused, 1);
    expect_log(&self, "");
}

// --------------------------------------------------------------------------- calls that ask for what concerns them

static void ask_for_a(scene *self, int64_t now_us)
{
    self->answer = hy_scheduler_schedule(&self->scheduler, &self->command[0], now_us);
}

static void cancel_a(scene *self, int64_t now_us)
{
    hy_scheduler_cancel(&self->scheduler, &self->command[0], now_us);
}

static void cancel_b(scene *self, int64_t now_us)
{
    hy_scheduler_cancel(&self->scheduler, &self->command[1], now_us);
}

static void cancel_all(scene *self, int64_t now_us)
{
    hy_scheduler_cancel_all(&self->scheduler, now_us);
}

static void ask_for_b_anew(scene *self, int64_t now_us)
{
    ask_for_b(self, now_us);
    cancel_b(self, now_us);
    ask_for_b(self, now_us);
}

static void run_a_loop(scene *self, int64_t now_us)
{
    hy_scheduler_run(&self->scheduler, true, now_us);
}

/// A scene in which a and b need the same.
static void set_rivals(scene *self)
{
    set_scene(self);
    self->command[1].requirements = self->command[0].requirements;
}

// A trigger schedules "hold" while "intake" runs, whose end schedules "hold", too.
static void an_end_asks_for_what_makes_it_end(void **state)
{
    (void)state;
    scene self;
    set_rivals(&self);
    self.player[0].on_end = ask_for_b;
    ask_for_a(&self, 0);
    ask_for_b(&self, 0);
    assert_true(hy_scheduler_schedule(&self.scheduler, &self.command[2], 0));
    expect_log(&self, "Aa!BC");
    run_a_loop(&self, 1);
    expect_log(&self, "bc");
    cancel_all(&self, 1);
    expect_log(&self, "b!c!");
    // The same with a command that waited.
    self.player[2].on_step = ask_for_b;
    ask_for_a(&self, 2);
    assert_true(hy_scheduler_schedule(&self.scheduler, &self.command[2], 2));
    run_a_loop(&self, 3);
    expect_log(&self, "ACaca!B");
    run_a_loop(&self, 4);
    expect_log(&self, "cb");
}

static void an_end_cancels_what_makes_it_end(void **state)
{
    (void)state;
    void (*const ends[])(scene *, int64_t) = { cancel_b, cancel_all, ask_for_b_anew };
    for (size_t i = 0; i < 3; i++) {
        scene self;
        set_rivals(&self);
        self.player[0].on_end = ends[i];
        ask_for_a(&self, 0);
        ask_for_b(&self, 0);
        expect_log(&self, "Aa!");
        assert_true(self.answer == (i == 2));
        assert_true(hy_scheduler_is_scheduled(&self.scheduler, &self.command[1]) == (i == 2));
        run_a_loop(&self, 1); // for which b waited if it was asked for again
        expect_log(&self, i == 2 ? "B" : "");
    }
}

static void what_is_cancelled_has_ended_when_the_call_returns(void **state)
{
    (void)state;
    scene self;
    set_scene(&self);
    self.player[0].on_start = cancel_a;
    ask_for_a(&self, 0);
    expect_log(&self, "Aa!");
    assert_false(self.answer);
    self.player[0].on_start = NULL;
    ask_for_a(&self, 0);
    assert_true(self.answer);
    expect_log(&self, "A");
    self.player[2].on_start = cancel_a; // a default, behind all steps
    assert_true(hy_scheduler_set_default(&self.scheduler, 2, &self.command[2]));
    run_a_loop(&self, 1);
    expect_log(&self, "aCa!");
    self.player[2].on_end = cancel_a;
    ask_for_a(&self, 1);
    hy_scheduler_cancel(&self.scheduler, &self.command[2], 1);
    expect_log(&self, "Ac!a!");
}

static void what_waits_can_be_cancelled_and_asked_for_again(void **state)
{
    (void)state;
    scene self;
    set_scene(&self);
    self.player[2].on_step = ask_for_b_anew;
    assert_true(hy_scheduler_schedule(&self.scheduler, &self.command[2], 0));
    run_a_loop(&self, 1);
    assert_true(self.answer);
    expect_log(&self, "CcB");
}

static void an_end_asks_for_itself(void **state)
{
    (void)state;
    scene self;
    set_rivals(&self);
    self.player[0].on_end = ask_for_a;
    self.player[1].on_end = ask_for_b;
    ask_for_a(&self, 0);
    cancel_a(&self, 0);
    assert_true(self.answer);
    ask_for_b(&self, 0);
    expect_log(&self, "Aa!B");
    run_a_loop(&self, 1); // each makes room for the other, once a loop
    expect_log(&self, "bb!A");
    run_a_loop(&self, 2);
    expect_log(&self, "aa!B");
}

static void a_loop_within_a_loop_does_nothing(void **state)
{
    (void)state;
    scene self;
    set_rivals(&self);
    self.player[0] = (player){ &self, 'a', run_a_loop, run_a_loop, run_a_loop };
    self.player[2].on_end = run_a_loop;
    ask_for_a(&self, 0);
    assert_true(hy_scheduler_schedule(&self.scheduler, &self.command[2], 0));
    run_a_loop(&self, 1);
    expect_log(&self, "ACac");
    ask_for_b(&self, 1);
    cancel_all(&self, 1);
    expect_log(&self, "a!Bc!b!");
}

static void a_default_that_became_a_member_does_not_start(void **state)
{
    (void)state;
    scene self;
    set_scene(&self);
    hy_command group;
    hy_command *const members[] = { &self.command[0] };
    assert_true(hy_scheduler_set_default(&self.scheduler, 0, &self.command[0]));
    assert_true(hy_command_sequence(&group, members, 1));
    run_a_loop(&self, 0);
    expect_log(&self, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_has_as_many_members_as_it_may),
        cmocka_unit_test(conditions_are_waited_for_while_disabled),
        cmocka_unit_test(only_what_needs_the_same_waits),
        cmocka_unit_test(defaults_of_every_subsystem),
        cmocka_unit_test(a_default_waits_while_its_subsystem_is_busy),
        cmocka_unit_test(what_ended_does_not_come_back),
        cmocka_unit_test(a_cancelled_command_can_run_again),
        cmocka_unit_test(what_comes_later_in_a_loop_ends_what_came_before),
        cmocka_unit_test(everything_can_be_cancelled_from_within),
        cmocka_unit_test(what_an_end_asks_for_waits_for_the_next_loop),
        cmocka_unit_test(what_waits_is_free_again_when_it_cannot_start),
        cmocka_unit_test(members_are_nobody_elses),
        cmocka_unit_test(an_end_asks_for_what_makes_it_end),
        cmocka_unit_test(an_end_cancels_what_makes_it_end),
        cmocka_unit_test(what_is_cancelled_has_ended_when_the_call_returns),
        cmocka_unit_test(what_waits_can_be_cancelled_and_asked_for_again),
        cmocka_unit_test(an_end_asks_for_itself),
        cmocka_unit_test(a_loop_within_a_loop_does_nothing),
        cmocka_unit_test(a_default_that_became_a_member_does_not_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
