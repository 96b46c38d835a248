// The event loop: descriptors, timers on a grid, signals through a pipe.
#include "cmocka_all.h"

#include <halyard/link.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

// --------------------------------------------------------------------------- helpers

typedef struct {
    hy_loop *loop;
    int calls, quit_at; ///< Quits at that call; 0: never.
    int64_t at_us[16];
    int64_t busy_us; ///< How long each call takes.
    int last_signal;
    int descriptor;
} witness;

static void note_call(witness *self, int64_t now_us)
{
    if (self->calls < 16) {
        self->at_us[self->calls] = now_us;
    }
    if (++self->calls == self->quit_at) {
        hy_loop_quit(self->loop);
    }
    const int64_t until_us = hy_clock_now_us() + self->busy_us;
    while (hy_clock_now_us() < until_us) {
    }
}

static void on_time(void *context, int64_t now_us)
{
    note_call(context, now_us);
}

static void on_signal(void *context, int number)
{
    witness *self = context;
    self->last_signal = number;
    note_call(self, hy_clock_now_us());
}

static void on_readable(void *context, int64_t now_us)
{
    witness *self = context;
    char byte;
    assert_true(read(self->descriptor, &byte, 1) >= 0);
    note_call(self, now_us);
}

static void on_readable_forget(void *context, int64_t now_us)
{
    witness *self = context;
    hy_loop_forget(self->loop, self->descriptor);
    note_call(self, now_us);
}

static void open_pipe(int ends[2])
{
    assert_int_equal(pipe(ends), 0);
}

static void close_pipe(const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

// --------------------------------------------------------------------------- timers

static void a_timer_keeps_to_its_grid(void **state)
{
    (void)state;
    hy_loop loop;
    hy_loop_init(&loop);
    witness timer = { .loop = &loop, .quit_at = 10, .busy_us = 700 };
    const int64_t first_us = hy_clock_now_us() + 3000, period_us = 2000;
    assert_int_equal(hy_loop_every(&loop, first_us, period_us, on_time, &timer), HY_OK);
    assert_int_equal(hy_loop_run(&loop), HY_OK);
    assert_int_equal(timer.calls, 10);
    int64_t turn = -1;
    for (int i = 0; i < 10; i++) { // never early, and never twice in the same field of the grid
        const int64_t this_turn = (timer.at_us[i] - first_us) / period_us;
        assert_true(timer.at_us[i] >= first_us);
        assert_true(this_turn > turn);
        turn = this_turn;
    }
    // The busy time of the calls does not add up: ten turns take nine periods, unless the machine
    // was so busy that some were missed.
    assert_true(turn >= 9);
}

// No clock decides: the next turn is an hour away, and the grid can be read.
static void missed_turns_are_skipped(void **state)
{
    (void)state;
    hy_loop loop;
    hy_loop_init(&loop);
    witness timer = { .loop = &loop };
    const int64_t start_us = hy_clock_now_us(), period_us = INT64_C(7200000000);
    // Due for 99.5 periods: it runs once, and not again before the next field of its grid.
    hy_loop_every(&loop, start_us - 99 * period_us - period_us / 2, period_us, on_time, &timer);
    assert_int_equal(hy_loop_run_once(&loop, 0), HY_OK);
    assert_int_equal(timer.calls, 1);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(hy_loop_run_once(&loop, 0), HY_AGAIN);
    }
    // Half a period after the start, as the grid has it, and not a whole one.
    assert_int_equal(loop.timers[0].due_us, start_us + period_us / 2);
}

// Put off again and again, it never elapses; left alone, it does when it was last said to.
static void a_timer_is_postponed(void **state)
{
    (void)state;
    hy_loop loop;
    hy_loop_init(&loop);
    witness timer = { .loop = &loop }, other = { .loop = &loop };
    const int64_t period_us = INT64_C(3600000000);
    hy_loop_every(&loop, 0, period_us, on_time, &timer);
    int64_t due_us = 0;
    for (int i = 0; i < 20; i++) {
        due_us = hy_clock_now_us() + 60000000;
        hy_loop_postpone(&loop, on_time, &timer, due_us);
        hy_loop_postpone(&loop, on_time, &other, 0); // no timer of this loop
        assert_int_equal(hy_loop_run_once(&loop, 0), HY_AGAIN);
    }
    due_us = hy_clock_now_us() + 3000;
    hy_loop_postpone(&loop, on_time, &timer, due_us);
    assert_int_equal(hy_loop_run_once(&loop, INT64_MAX), HY_OK);
    assert_int_equal(timer.calls, 1);
    assert_int_equal(other.calls, 0);
    assert_true(timer.at_us[0] >= due_us);
    assert_int_equal(hy_loop_run_once(&loop, 0), HY_AGAIN); // the grid goes on from there
    hy_loop_every(&loop, due_us + period_us, period_us, on_time,
                  &other); // any of them, not just the first
    hy_loop_postpone(&loop, on_time, &other, 0);
    assert_int_equal(hy_loop_run_once(&loop, 0), HY_OK);
    assert_int_equal(other.calls, 1);
    assert_int_equal(timer.calls, 1);
}

static void a_turn_waits_no_longer_than_asked(void **state)
{
    (void)state;
    hy_loop loop;
    hy_loop_init(&loop);
    witness timer = { .loop = &loop };
    const int64_t start_us = hy_clock_now_us();
    assert_int_equal(hy_loop_run_once(&loop, 5000), HY_AGAIN);
    const int64_t waited_us = hy_clock_now_us() - start_us;
    assert_in_range(waited_us, 5000, 1000000);
    hy_loop_every(&loop, start_us, INT64_C(3600000000), on_time, &timer);
    assert_int_equal(hy_loop_run_once(&loop, INT64_MAX), HY_OK); // due already: no wait at all
    assert_int_equal(timer.calls, 1);
}

static void timers_and_sources_run_out(void **state)
{
    (void)state;
    hy_loop loop;
    hy_loop_init(&loop);
    for (int i = 0; i < HY_LOOP_TIMERS; i++) {
        assert_int_equal(hy_loop_every(&loop, 0, 1, on_time, NULL), HY_OK);
    }
    assert_int_equal(hy_loop_every(&loop, 0, 1, on_time, NULL), HY_EFULL);
    hy_loop_postpone(&loop, on_time, &loop, 5); // there is no such timer
    for (int i = 0; i < HY_LOOP_SOURCES; i++) {
        assert_int_equal(hy_loop_watch(&loop, i, on_readable, NULL), HY_OK);
    }
    assert_int_equal(hy_loop_watch(&loop, 99, on_readable, NULL), HY_EFULL);
    hy_loop_forget(&loop, 5);
    assert_int_equal(hy_loop_watch(&loop, 99, on_readable, NULL), HY_OK);
    assert_int_equal(hy_loop_watch(&loop, 100, on_readable, NULL), HY_EFULL);
}

// --------------------------------------------------------------------------- sources

static void a_readable_source_is_called(void **state)
{
    (void)state;
    hy_loop loop;
    int a[2], b[2];
    open_pipe(a);
    open_pipe(b);
    hy_loop_init(&loop);
    witness on_a = { .loop = &loop, .descriptor = a[0] },
            on_b = { .loop = &loop, .descriptor = b[0] };
    hy_loop_watch(&loop, a[0], on_readable, &on_a);
    hy_loop_watch(&loop, b[0], on_readable, &on_b);
    assert_int_equal(hy_loop_run_once(&loop, 0), HY_AGAIN);
    assert_int_equal(write(b[1], "xx", 2), 2);
    assert_int_equal(hy_loop_run_once(&loop, 0), HY_OK);
    assert_int_equal(hy_loop_run_once(&loop, 0), HY_OK);
    assert_int_equal(hy_loop_run_once(&loop, 0), HY_AGAIN);
    assert_int_equal(on_a.calls, 0);
    assert_int_equal(on_b.calls, 2);
    close_pipe(a);
    close_pipe(b);
}

static void a_busy_source_does_not_starve_a_timer(void **state)
{
    (void)state;
    hy_loop loop;
    int ends[2];
    open_pipe(ends);
    hy_loop_init(&loop);
    close(ends[1]); // from now on always readable: the end of the file
    witness source = { .loop = &loop, .descriptor = ends[0] },
            timer = { .loop = &loop, .quit_at = 3 };
    hy_loop_watch(&loop, ends[0], on_readable, &source);
    hy_loop_every(&loop, hy_clock_now_us() + 1000, 1000, on_time, &timer);
    assert_int_equal(hy_loop_run(&loop), HY_OK);
    assert_int_equal(timer.calls, 3);
    assert_true(source.calls > 0);
    close(ends[0]);
}

static void a_source_may_be_forgotten_in_its_own_call(void **state)
{
    (void)state;
    hy_loop loop;
    int ends[2];
    open_pipe(ends);
    hy_loop_init(&loop);
    witness source = { .loop = &loop, .descriptor = ends[0] };
    hy_loop_watch(&loop, ends[0], on_readable_forget, &source);
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_int_equal(hy_loop_run_once(&loop, 0), HY_OK);
    assert_int_equal(hy_loop_run_once(&loop, 0), HY_AGAIN);
    assert_int_equal(source.calls, 1);
    hy_loop_forget(&loop, ends[0]); // harmless
    close_pipe(ends);
}

static void a_source_closed_but_not_forgotten_ends_the_loop(void **state)
{
    (void)state;
    hy_loop loop;
    int ends[2];
    open_pipe(ends);
    hy_loop_init(&loop);
    witness source = { .loop = &loop, .descriptor = ends[0] };
    hy_loop_watch(&loop, ends[0], on_readable, &source);
    close_pipe(ends);
    assert_int_equal(hy_loop_run(&loop), HY_ESYSTEM);
    assert_int_equal(source.calls, 0);
}

// --------------------------------------------------------------------------- quitting

static void a_quit_is_for_one_run(void **state)
{
    (void)state;
    hy_loop loop;
    hy_loop_init(&loop);
    witness first = { .loop = &loop, .quit_at = 1 }, second = { .loop = &loop };
    hy_loop_quit(&loop); // before the run: it returns at once
    assert_int_equal(hy_loop_run(&loop), HY_OK);
    hy_loop_every(&loop, 0, INT64_C(3600000000), on_time, &first);
    hy_loop_every(&loop, 0, INT64_C(3600000000), on_time, &second);
    assert_int_equal(hy_loop_run(&loop), HY_OK);
    assert_int_equal(first.calls, 1);
    assert_int_equal(second.calls, 0); // not after the quit
    assert_int_equal(hy_loop_run_once(&loop, 0), HY_OK);
    assert_int_equal(second.calls, 1);
}

// --------------------------------------------------------------------------- signals

static volatile sig_atomic_t own_handler_calls;

static void own_handler(int number)
{
    (void)number;
    own_handler_calls++;
}

static void signals_arrive_on_the_loop_and_go_back_to_their_owner(void **state)
{
    (void)state;
    hy_loop loop;
    hy_loop_init(&loop);
    witness signals = { .loop = &loop, .quit_at = 3 };
    own_handler_calls = 0;
    signal(SIGTERM, own_handler);
    signal(SIGHUP, SIG_DFL); // also where nohup(1) runs the tests
    assert_int_equal(hy_loop_on_signals(&loop, on_signal, &signals), HY_OK);
    static const int numbers[] = { SIGINT, SIGHUP, SIGTERM };
    for (int i = 0; i < 3; i++) {
        raise(numbers[i]);
        assert_int_equal(signals.calls, i); // not in the handler, but in the loop
        assert_int_equal(i < 2 ? hy_loop_run_once(&loop, 0) : hy_loop_run(&loop), HY_OK);
        assert_int_equal(signals.last_signal, numbers[i]);
    }
    raise(SIGINT); // two in one turn
    raise(SIGHUP);
    signals.quit_at = 0;
    assert_int_equal(hy_loop_run_once(&loop, 0), HY_OK);
    assert_int_equal(signals.calls, 5);
    assert_int_equal(signals.last_signal, SIGHUP);
    assert_int_equal(own_handler_calls, 0);
    assert_int_equal(hy_loop_on_signals(&loop, NULL, NULL), HY_OK);
    raise(SIGTERM);
    assert_int_equal(own_handler_calls, 1);
    assert_int_equal(signals.calls, 5);
    signal(SIGTERM, SIG_DFL);
}

static void a_signal_wakes_a_waiting_loop(void **state)
{
    (void)state;
    hy_loop loop;
    hy_loop_init(&loop);
    witness signals = { .loop = &loop, .quit_at = 1 };
    hy_loop_on_signals(&loop, on_signal, &signals);
    const int64_t start_us = hy_clock_now_us(); // a busy machine may let the child go first
    const pid_t child = fork();
    if (child == 0) {
        usleep(50000);
        kill(getppid(), SIGINT);
        _exit(0);
    }
    assert_int_equal(hy_loop_run(&loop), HY_OK);
    assert_in_range(hy_clock_now_us() - start_us, 50000, 5000000);
    assert_int_equal(signals.last_signal, SIGINT);
    hy_loop_on_signals(&loop, NULL, NULL);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void note_termination(void *context, int number)
{
    *(bool *)context = *(bool *)context || number == SIGTERM;
}

static void the_last_of_more_signals_than_the_pipe_holds_is_not_lost(void **state)
{
    (void)state;
    hy_loop loop;
    hy_loop_init(&loop);
    bool has_come = false;
    hy_loop_on_signals(&loop, note_termination, &has_come);
    for (int i = 0; i < 70000; i++) {
        raise(SIGINT);
    }
    raise(SIGTERM);
    while (!has_come && hy_loop_run_once(&loop, 0) == HY_OK) {
    }
    assert_true(has_come);
    hy_loop_on_signals(&loop, NULL, NULL);
}

static void more_signals_than_the_pipe_holds_do_not_block(void **state)
{
    (void)state;
    hy_loop loop;
    hy_loop_init(&loop);
    witness signals = { .loop = &loop };
    hy_loop_on_signals(&loop, on_signal, &signals);
    for (int i = 0; i < 100000; i++) {
        raise(SIGINT);
    }
    assert_int_equal(hy_loop_run_once(&loop, 0), HY_OK);
    assert_true(signals.calls > 0);
    hy_loop_on_signals(&loop, NULL, NULL);
}

static void only_one_loop_has_the_signals(void **state)
{
    (void)state;
    hy_loop one, other;
    hy_loop_init(&one);
    hy_loop_init(&other);
    assert_int_equal(hy_loop_on_signals(&one, on_signal, NULL), HY_OK);
    assert_int_equal(hy_loop_on_signals(&other, on_signal, NULL), HY_EFULL);
    assert_int_equal(hy_loop_on_signals(&other, NULL, NULL), HY_EFULL);
    assert_int_equal(hy_loop_on_signals(&one, NULL, NULL), HY_OK);
    assert_int_equal(hy_loop_on_signals(&other, on_signal, NULL), HY_OK);
    assert_int_equal(hy_loop_on_signals(&other, NULL, NULL), HY_OK);
    assert_int_equal(hy_loop_on_signals(&other, NULL, NULL), HY_OK); // harmless
}

static void an_ignored_hangup_stays_ignored(void **state)
{
    (void)state;
    hy_loop loop;
    hy_loop_init(&loop);
    witness signals = { .loop = &loop };
    signal(SIGHUP, SIG_IGN); // as nohup(1) does
    hy_loop_on_signals(&loop, on_signal, &signals);
    raise(SIGHUP);
    assert_int_equal(hy_loop_run_once(&loop, 0), HY_AGAIN);
    assert_int_equal(signals.calls, 0);
    hy_loop_on_signals(&loop, NULL, NULL);
    signal(SIGHUP, SIG_DFL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_timer_keeps_to_its_grid),
        cmocka_unit_test(missed_turns_are_skipped),
        cmocka_unit_test(a_turn_waits_no_longer_than_asked),
        cmocka_unit_test(a_timer_is_postponed),
        cmocka_unit_test(timers_and_sources_run_out),
        cmocka_unit_test(a_readable_source_is_called),
        cmocka_unit_test(a_busy_source_does_not_starve_a_timer),
        cmocka_unit_test(a_source_may_be_forgotten_in_its_own_call),
        cmocka_unit_test(a_source_closed_but_not_forgotten_ends_the_loop),
        cmocka_unit_test(a_quit_is_for_one_run),
        cmocka_unit_test(signals_arrive_on_the_loop_and_go_back_to_their_owner),
        cmocka_unit_test(a_signal_wakes_a_waiting_loop),
        cmocka_unit_test(the_last_of_more_signals_than_the_pipe_holds_is_not_lost),
        cmocka_unit_test(more_signals_than_the_pipe_holds_do_not_block),
        cmocka_unit_test(only_one_loop_has_the_signals),
        cmocka_unit_test(an_ignored_hangup_stays_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
