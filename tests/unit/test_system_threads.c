// Signals are for the thread of the program, but what a crash raises is for the thread that crashed: its handlers give the terminal back.
#include "cmocka_all.h"

#include <signal.h>

#include "system/system_threads.h"

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
}

static void raise_number(void *number)
{
    (void)raise(*(const int *)number);
}

static bool is_caught_in_thread(int number)
{
    hy_thread thread;
    void (*const before)(int) = signal(number, on_signal);
    caught = 0;
    assert_true(hy_thread_start(&thread, raise_number, &number));
    hy_thread_join(&thread);
    (void)signal(number, before);
    return caught == number;
}

static void crashes_are_caught(void **state)
{
    (void)state;
    assert_true(is_caught_in_thread(SIGSEGV));
    assert_true(is_caught_in_thread(SIGBUS));
    assert_true(is_caught_in_thread(SIGFPE));
    assert_true(is_caught_in_thread(SIGILL));
}

static void other_signals_are_not(void **state)
{
    (void)state;
    assert_false(is_caught_in_thread(SIGTERM));
    assert_false(is_caught_in_thread(SIGINT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crashes_are_caught),
        cmocka_unit_test(other_signals_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
