// Which robots are open, and what stops them when the program ends or is suspended. This is the
// process's state, not a robot's: exit() takes no arguments.
#include "ending.h"

#include <stdlib.h>

#include "exchange.h"
#include "system/system_signals.h"
#include "system/system_threads.h"

static hy_mutex lock = HY_MUTEX_INIT;
static hy_robot *open_robots; // linked by next_open
static unsigned signal_users; // open robots, and hy_robot_watch_signals()
static uint32_t owner;        // a fork's exit() must not stop its parent's robots

// Lets the stops of `robots` run out; at most about 100 ms.
static void flush_stops(hy_robot *robots)
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
            // A signal cuts it short, which does no harm.
            hy_time_sleep(wait_us < HY_STOP_REPEAT_US ? wait_us : HY_STOP_REPEAT_US);
        }
    }
}

static void on_exit_stop(void)
{
    if (owner != hy_process_id()) {
        return;
    }
    hy_mutex_lock(&lock);
    for (hy_robot *robot = open_robots; robot != NULL; robot = robot->next_open) {
        hy_robot_disable(robot);
    }
    flush_stops(open_robots);
    hy_mutex_unlock(&lock);
}

// --------------------------------------------------------------------------- suspended

static int64_t suspend_due_us; // 0: no suspension is under way; guarded by the lock, as `suspension` is

static void suspend(void)
{
    for (hy_robot *robot = open_robots; robot != NULL; robot = robot->next_open) {
        robot->suspension = HY_ROBOT_RUNS;
    }
    suspend_due_us = 0;
    hy_signals_pause();
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
        hy_robot_disable(self); // also when it is disabled: an extra stop is harmless
    } else if (hy_robot_is_stopped(self)) {
        self->suspension = HY_ROBOT_HAS_STOPPED;
    }
    if (all_have_stopped() || now_us >= suspend_due_us) {
        suspend();
    }
}

void hy_ending_suspend(hy_robot *self, int64_t now_us)
{
    if (!hy_robot_is_suspending()) {
        return;
    }
    hy_mutex_lock(&lock);
    if (hy_robot_is_suspending()) { // another thread may just have been through it
        advance_suspension(self, now_us);
    }
    hy_mutex_unlock(&lock);
}

// --------------------------------------------------------------------------- signals

static void watch_signals(void)
{
    if (signal_users++ == 0) {
        hy_signals_watch();
    }
}

// Without a robot nothing would heed them.
static void give_back_signals(void)
{
    if (--signal_users > 0) {
        return;
    }
    if (hy_robot_is_suspending()) {
        suspend();
    }
    hy_signals_give_back();
}

void hy_robot_watch_signals(void)
{
    hy_mutex_lock(&lock);
    watch_signals();
    hy_mutex_unlock(&lock);
}

void hy_robot_unwatch_signals(void)
{
    hy_mutex_lock(&lock);
    give_back_signals();
    hy_mutex_unlock(&lock);
}

void hy_robot_suspend(void)
{
    hy_mutex_lock(&lock);
    if (hy_robot_is_suspending()) {
        suspend();
    }
    hy_mutex_unlock(&lock);
}

// --------------------------------------------------------------------------- open robots

hy_status hy_ending_add(hy_robot *robot)
{
    static bool is_registered;
    hy_mutex_lock(&lock);
    is_registered = is_registered || atexit(on_exit_stop) == 0;
    const bool is_ready = is_registered;
    if (is_ready) {
        watch_signals();
        owner = hy_process_id();
        robot->next_open = open_robots;
        open_robots = robot;
    }
    hy_mutex_unlock(&lock);
    return is_ready ? HY_OK : HY_ESYSTEM;
}

void hy_ending_remove(hy_robot *robot)
{
    hy_mutex_lock(&lock);
    hy_robot **place = &open_robots;
    while (*place != NULL && *place != robot) {
        place = &(*place)->next_open;
    }
    if (*place != NULL) {
        *place = robot->next_open;
    }
    robot->next_open = NULL;
    hy_mutex_unlock(&lock);
    flush_stops(robot);
    hy_mutex_lock(&lock);
    give_back_signals();
    hy_mutex_unlock(&lock);
}
