// Which robots are open, and what stops them when the program ends or is suspended. This is the
// process's state, not a robot's: exit() and signals know no arguments.
#include "ending.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define HARD_END_MS 200 // an interrupt so long after the first one is meant: the stop has gone out

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hy_robot *open_robots; // linked by next_open
static pid_t owner;           // a fork's exit() must not stop its parent's robots
static volatile sig_atomic_t ending, suspending, continued;

bool hy_robot_is_ending(void)
{
    return ending != 0;
}

bool hy_robot_is_suspending(void)
{
    return suspending != 0;
}

static void sleep_us(int64_t duration_us)
{
    if (duration_us > 0) {
        const struct timespec pause = { .tv_nsec = (long)(duration_us * 1000) };
        nanosleep(&pause, NULL); // a signal cuts it short, which does no harm
    }
}

// Lets the stops of `robots` run out; at most about 100 ms.
static void flush(hy_robot *robots)
{
    for (bool done = false; !done;) {
        done = true;
        int64_t due_us = INT64_MAX;
        for (hy_robot *robot = robots; robot != NULL; robot = robot->next_open) {
            hy_robot_exchange(robot, hy_clock_now_us());
            if (!hy_robot_is_stopped(robot)) {
                done = false;
                due_us = hy_robot_due_us(robot) < due_us ? hy_robot_due_us(robot) : due_us;
            }
        }
        if (!done) {
            const int64_t wait_us = due_us - hy_clock_now_us();
            sleep_us(wait_us < HY_STOP_REPEAT_US ? wait_us : HY_STOP_REPEAT_US);
        }
    }
}

static void on_exit_stop(void)
{
    if (owner != getpid()) {
        return;
    }
    pthread_mutex_lock(&lock);
    for (hy_robot *robot = open_robots; robot != NULL; robot = robot->next_open) {
        hy_robot_disable(robot);
    }
    flush(open_robots);
    pthread_mutex_unlock(&lock);
}

// --------------------------------------------------------------------------- signals

static void on_end(int number)
{
    (void)number;
    ending = 1;
}

// Whoever presses Ctrl-C twice in a hurry must not cut the stop short: only one that comes when that is
// over ends a program that does not heed the first.
static void on_interrupt(int number)
{
    static _Atomic uint32_t first_ms; // 0: none yet
    const uint32_t now_ms = (uint32_t)(hy_clock_now_us() / 1000) | 1u;
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

// Only where the signal would do what the system does by default: a program's own handler, or "ignore",
// is its decision.
static void watch_signals(void)
{
    for (size_t i = 0; i < SIGNALS; i++) {
        struct sigaction action = { .sa_handler = signals[i].handler, .sa_flags = signals[i].flags };
        sigemptyset(&action.sa_mask);
        signals[i].is_watched = has_handler(signals[i].number, SIG_DFL) &&
                                sigaction(signals[i].number, &action, NULL) == 0;
    }
}

// Without a robot nothing would heed them.
static void give_back_signals(void)
{
    for (size_t i = 0; i < SIGNALS; i++) {
        if (signals[i].is_watched && has_handler(signals[i].number, signals[i].handler)) {
            signal(signals[i].number, SIG_DFL);
        }
        signals[i].is_watched = false;
    }
}

// --------------------------------------------------------------------------- suspended

static int64_t suspend_due_us; // 0: no suspension is under way; guarded by the lock, as `suspension` is

// The default action, which leaves alone a process that no shell could continue. Returns when the
// process goes on; at once if somebody has continued it since it was asked to pause.
static void pause_process(void)
{
    if (continued) {
        return;
    }
    struct sigaction ours;
    const struct sigaction standard = { .sa_handler = SIG_DFL };
    sigaction(SIGTSTP, &standard, &ours);
    raise(SIGTSTP);
    sigaction(SIGTSTP, &ours, NULL);
}

static void suspend(void)
{
    for (hy_robot *robot = open_robots; robot != NULL; robot = robot->next_open) {
        robot->suspension = HY_ROBOT_RUNS;
    }
    suspend_due_us = 0;
    pause_process();
    suspending = 0;
}

static bool all_have_stopped(void)
{
    for (const hy_robot *robot = open_robots; robot != NULL; robot = robot->next_open) {
        if (robot->suspension != HY_ROBOT_HAS_STOPPED) {
            return false;
        }
    }
    return true;
}

static void advance_suspension(hy_robot *self, int64_t now_us)
{
    if (suspend_due_us == 0) {
        suspend_due_us = now_us + HY_ROBOT_PAUSE_US; // a robot that nobody polls is not waited for
    }
    if (self->suspension == HY_ROBOT_RUNS) {
        self->suspension = HY_ROBOT_STOPS;
        hy_robot_disable(self); // also when it is disabled: a stop too many never hurts
    } else if (hy_robot_is_stopped(self)) {
        self->suspension = HY_ROBOT_HAS_STOPPED;
    }
    if (all_have_stopped() || now_us >= suspend_due_us) {
        suspend();
    }
}

void hy_ending_suspend(hy_robot *self, int64_t now_us)
{
    if (!suspending) {
        return;
    }
    pthread_mutex_lock(&lock);
    if (suspending) { // another thread may just have been through it
        advance_suspension(self, now_us);
    }
    pthread_mutex_unlock(&lock);
}

// --------------------------------------------------------------------------- open robots

hy_status hy_ending_add(hy_robot *robot)
{
    static bool is_registered;
    pthread_mutex_lock(&lock);
    is_registered = is_registered || atexit(on_exit_stop) == 0;
    const bool is_ready = is_registered;
    if (is_ready) {
        if (open_robots == NULL) {
            watch_signals();
        }
        owner = getpid();
        robot->next_open = open_robots;
        open_robots = robot;
    }
    pthread_mutex_unlock(&lock);
    return is_ready ? HY_OK : HY_ESYSTEM;
}

void hy_ending_remove(hy_robot *robot)
{
    pthread_mutex_lock(&lock);
    hy_robot **place = &open_robots;
    while (*place != NULL && *place != robot) {
        place = &(*place)->next_open;
    }
    if (*place != NULL) {
        *place = robot->next_open;
    }
    robot->next_open = NULL;
    pthread_mutex_unlock(&lock);
    flush(robot);
    pthread_mutex_lock(&lock);
    if (open_robots == NULL) {
        if (suspending) {
            suspend();
        }
        give_back_signals();
    }
    pthread_mutex_unlock(&lock);
}
