// What the end and the suspension of the program ask for. This is the process's state, not a robot's: signals know no
// arguments.
#include "system_signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "system_threads.h"

#define HARD_END_MS 200 // an interrupt so long after the first one is meant: the stop has gone out

static volatile sig_atomic_t ending, suspending, continued;

bool hy_signals_end(void)
{
    return ending != 0;
}

bool hy_signals_suspend(void)
{
    return suspending != 0;
}

static void on_end(int number)
{
    (void)number;
    ending = 1;
}

// Whoever presses Ctrl-C twice in a hurry must not cut the stop short: only one that comes when that is
// over ends a program that ignores the first.
static void on_interrupt(int number)
{
    static _Atomic uint32_t first_ms; // 0: none yet
    const uint32_t now_ms = (uint32_t)(hy_time_now_us() / 1000) | 1u;
    uint32_t before_ms = 0;
    if (!atomic_compare_exchange_strong(&first_ms, &before_ms, now_ms) &&
        now_ms - before_ms >= HARD_END_MS) {
        signal(number, SIG_DFL);
        raise(number);
    }
    ending = 1;
}

static void on_suspend(int number)
{
    (void)number;
    continued = 0;
    suspending = 1;
}

static void on_continue(int number)
{
    (void)number;
    continued = 1;
}

// Only SIGCONT restarts what it interrupts. Whatever the program waits in must return for the others, so
// that the stop goes out.
static struct {
    int number;
    void (*handler)(int);
    int flags;
    bool is_watched;
} signals[] = {
    { .number = SIGINT, .handler = on_interrupt },
    { .number = SIGTERM, .handler = on_end },
    { .number = SIGHUP, .handler = on_end },
    { .number = SIGQUIT, .handler = on_end },
    { .number = SIGPIPE, .handler = on_end },
    { .number = SIGTSTP, .handler = on_suspend },
    { .number = SIGCONT, .handler = on_continue, .flags = SA_RESTART },
};

enum { SIGNALS = sizeof signals / sizeof signals[0] };

static bool has_handler(int number, void (*handler)(int))
{
    struct sigaction present;
    return sigaction(number, NULL, &present) == 0 && (present.sa_flags & SA_SIGINFO) == 0 &&
           present.sa_handler == handler;
}

void hy_signals_watch(void)
{
    for (size_t i = 0; i < SIGNALS; i++) {
        struct sigaction action = { .sa_handler = signals[i].handler, .sa_flags = signals[i].flags };
        sigemptyset(&action.sa_mask);
        signals[i].is_watched = has_handler(signals[i].number, SIG_DFL) &&
                                sigaction(signals[i].number, &action, NULL) == 0;
    }
}

void hy_signals_note_end(void)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
    struct sigaction action = { .sa_handler = on_end };
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        sigaction(numbers[i], &action, NULL);
    }
}

void hy_signals_ignore_suspend(void)
{
    signal(SIGTSTP, SIG_IGN);
}

void hy_signals_ignore_broken_pipes(void)
{
    signal(SIGPIPE, SIG_IGN);
}

void hy_signals_give_back(void)
{
    for (size_t i = 0; i < SIGNALS; i++) {
        if (signals[i].is_watched && has_handler(signals[i].number, signals[i].handler)) {
            signal(signals[i].number, SIG_DFL);
        }
        signals[i].is_watched = false;
    }
}

static void pause_process(void)
{
    struct sigaction ours;
    const struct sigaction standard = { .sa_handler = SIG_DFL };
    sigaction(SIGTSTP, &standard, &ours);
    raise(SIGTSTP);
    sigaction(SIGTSTP, &ours, NULL);
}

void hy_signals_pause(void)
{
    if (!continued) {
        pause_process();
    }
    suspending = 0;
}

void hy_signals_pause_job(void)
{
    kill(0, SIGTSTP); // whoever started us has to notice, too
}

void hy_signals_ignore_file_limit(void)
{
    signal(SIGXFSZ, SIG_IGN);
}

// --------------------------------------------------------------------------- an end at once

#define ENDING 3

static const int ending_signals[ENDING] = { SIGINT, SIGTERM, SIGHUP };

static struct {
    void (*_Atomic at_end)(void); // stays: a handler may still run when the signals are given back
    struct sigaction before[ENDING];
    bool is_taken;
} at_once;

static void end_now(int number)
{
    atomic_load (&at_once.at_end)();
    _exit(128 + number);
}

void hy_signals_end_at_once(void (*at_end)(void))
{
    struct sigaction action = { .sa_handler = end_now };
    sigfillset(&action.sa_mask);
    atomic_store(&at_once.at_end, at_end);
    at_once.is_taken = true;
    for (size_t i = 0; i < ENDING; i++) {
        sigaction(ending_signals[i], NULL, &at_once.before[i]);
        if (at_once.before[i].sa_handler != SIG_IGN) {
            sigaction(ending_signals[i], &action, NULL);
        }
    }
}

void hy_signals_end_in_order(void)
{
    for (size_t i = 0; at_once.is_taken && i < ENDING; i++) {
        sigaction(ending_signals[i], &at_once.before[i], NULL);
    }
    at_once.is_taken = false;
}

void hy_signals_print(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0) {
        return; // nobody reads it
    }
}

void hy_signals_exit(int status)
{
    _exit(status);
}
