// A joystick against cores that take its messages one a turn, and against one that takes them all.
#include "../../apps/sim/stick_pace.h"

#include "cmocka_all.h"

#define TICK_US  1000
#define LEAST_US 9000
#define SECONDS  20

typedef struct {
    int64_t turn_us, next_us;
    int64_t asleep_from_us, asleep_until_us;
    bool replies; // takes what there is, and answers each message; else one a turn, and an answer a turn
    unsigned lose;                           // every so many of its answers
    unsigned queue, sent, answered, longest; // the longest queue of the last second
} core;

static void answer(core *self, stick_pace *pace, int64_t now_us)
{
    self->answered++;
    if (self->lose == 0 || self->answered % self->lose != 0) {
        stick_pace_answered(pace, 1, now_us);
    }
}

static void turn(core *self, stick_pace *pace, int64_t now_us)
{
    const bool sleeps = now_us >= self->asleep_from_us && now_us < self->asleep_until_us;
    if (now_us < self->next_us || sleeps) {
        return;
    }
    self->next_us = now_us + self->turn_us;
    if (!self->replies) {
        self->queue -= self->queue > 0 ? 1 : 0;
        answer(self, pace, now_us);
    }
    for (; self->replies && self->queue > 0; self->queue--) {
        answer(self, pace, now_us);
    }
}

static void play(core *self)
{
    stick_pace pace = { 0 };
    for (int64_t now_us = 0; now_us < SECONDS * 1000000LL; now_us += TICK_US) {
        turn(self, &pace, now_us);
        if (stick_pace_is_due(&pace, LEAST_US, now_us)) {
            stick_pace_sent(&pace, now_us);
            self->queue++;
            self->sent++;
        }
        if (now_us >= (SECONDS - 1) * 1000000LL && self->queue > self->longest) {
            self->longest = self->queue;
        }
    }
}

static void a_slow_core_is_not_overrun(void **state)
{
    (void)state;
    static const int64_t turns_us[] = { 12000, 23000, 35000, 80000 };
    for (size_t i = 0; i < sizeof turns_us / sizeof turns_us[0]; i++) {
        core slow = { .turn_us = turns_us[i] };
        play(&slow);
        assert_true(slow.longest <= 2);
        assert_in_range(slow.sent, slow.answered * 9 / 10, slow.answered + 5);
    }
}

static void what_a_core_slept_through_is_made_up_for(void **state)
{
    (void)state;
    core sleepy = { .turn_us = 13000, .asleep_from_us = 3000000, .asleep_until_us = 4500000 };
    play(&sleepy);
    assert_true(sleepy.longest <= 1);
}

static void a_core_that_takes_everything_gets_all_there_is(void **state)
{
    (void)state;
    core ours = { .turn_us = TICK_US, .replies = true };
    play(&ours);
    assert_in_range(ours.sent, SECONDS * 95, SECONDS * 112);
}

static void what_the_air_swallows_slows_down_but_little(void **state)
{
    (void)state;
    core wireless = { .turn_us = TICK_US, .replies = true, .lose = 5 };
    play(&wireless);
    assert_true(wireless.sent > SECONDS * 40);
    core reference = { .turn_us = 13000, .lose = 5 };
    play(&reference);
    assert_true(reference.sent > SECONDS * 40);
    assert_true(reference.longest <= 4);
}

static void silence_is_broken_ten_times_a_second(void **state)
{
    (void)state;
    core away = { .turn_us = 10000, .asleep_until_us = SECONDS * 1000000LL };
    play(&away);
    assert_in_range(away.sent, SECONDS * 10, SECONDS * 10 + 3);
}

static void who_comes_back_is_steered_within_half_a_second(void **state)
{
    (void)state;
    stick_pace pace = { 0 };
    int64_t now_us = 0;
    for (; now_us < 60000000; now_us += 100000) {
        stick_pace_sent(&pace, now_us);
    }
    now_us = pace.sent_us;
    unsigned answers = 0;
    while (!stick_pace_is_due(&pace, LEAST_US, now_us + LEAST_US)) {
        now_us += 10000;
        stick_pace_answered(&pace, 1, now_us);
        answers++;
    }
    assert_in_range(answers, 1, 50); // of 10 ms each
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_core_is_not_overrun),
        cmocka_unit_test(what_a_core_slept_through_is_made_up_for),
        cmocka_unit_test(a_core_that_takes_everything_gets_all_there_is),
        cmocka_unit_test(what_the_air_swallows_slows_down_but_little),
        cmocka_unit_test(silence_is_broken_ten_times_a_second),
        cmocka_unit_test(who_comes_back_is_steered_within_half_a_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
