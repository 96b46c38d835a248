// The runner: keys in, the loop at its rate, commands out, one picture of the state.
#include <halyard/robot.h>
#include <halyard/robot_program.h>

#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program_options.h"
#include "program_probe.h"
#include "program_say.h"
#include "program_sim.h"
#include "program_watch.h"
#include "robot_state.h"

#define FRAME_PERIOD_US 100000
#define NOTE_MAX        80
#define PICTURE_MAX     1024

typedef struct {
    const hy_program *program;
    program_options options;
    hy_robot *robot[HY_PROGRAM_ROBOTS];
    uint64_t statuses_seen[HY_PROGRAM_ROBOTS], restarts_seen[HY_PROGRAM_ROBOTS];
    size_t robots;
    program_probe probe[HY_PROGRAM_ROBOTS];
    hy_timed_robot loop;
    program_watch watch;
    int64_t polled_us, held_up_us; // when robots were polled last; the last pause that was too long
    hy_mode mode;                  // what enabling means
    hy_key_parser parser;
    int64_t frame_due_us, end_us;
    char event[NOTE_MAX]; // what happened last
    char picture[PICTURE_MAX];
    size_t picture_at, picture_size; // what of the last one the terminal has not taken yet
    bool with_terminal;              // a person sits there
    bool has_terminal;               // ... and the terminal is ours at the moment
    bool enabled, enable_pending, over, failed;
    bool all_are_here; // all robots are on this computer: virtual ones
} runner;

// --------------------------------------------------------------------------- what is said

__attribute__((format(printf, 2, 3))) static void report(runner *self, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(self->event, sizeof self->event, format, arguments);
    va_end(arguments);
    if (!self->with_terminal) {
        printf("%s: %s\n", self->program->name, self->event);
        fflush(stdout);
    }
}

static void print_note(const runner *self)
{
    const char *const said = program_take_said();
    if (said != NULL && !self->with_terminal) {
        printf("%s: %s\n", self->program->name, said);
        fflush(stdout);
    }
}

// --------------------------------------------------------------------------- enable and disable

static bool all_are(const runner *self, bool (*is)(const hy_robot *robot))
{
    for (size_t i = 0; i < self->robots; i++) {
        if (!is(self->robot[i])) {
            return false;
        }
    }
    return true;
}

static bool answers(const hy_robot *robot)
{
    return hy_robot_is_up(robot, hy_clock_now_us());
}

// Tells the program that no key counts as held down any more.
static void release_keys(const runner *self, int64_t now_us)
{
    const hy_key_event event = { .what = HY_FOCUS_OUT };
    if (self->program->key != NULL) {
        self->program->key(self->program->loop.context, &event, now_us);
    }
}

static void disable(runner *self, const char *why, int64_t now_us)
{
    for (size_t i = 0; i < self->robots; i++) {
        hy_robot_disable(self->robot[i]); // also one that is disabled: an extra stop is harmless
        hy_program_devices_stop(&self->program->robots[i], now_us);
    }
    release_keys(self, now_us);
    if (self->enabled) {
        report(self, "disabled: %s", why);
    }
    self->enabled = self->enable_pending = false;
}

static const char *why_not_enabled(const runner *self, int64_t now_us)
{
    for (size_t i = 0; i < self->robots; i++) {
        if (!answers(self->robot[i])) {
            return program_probe_is_answered(&self->probe[i], now_us)
                       ? "another program drives this robot; end it first"
                       : "a robot does not answer; is it on?";
        }
    }
    return "the last stop is still being sent; press Enter again";
}

static void enable(runner *self, int64_t now_us)
{
    bool granted = true;
    for (size_t i = 0; i < self->robots && granted; i++) {
        granted = hy_robot_enable(self->robot[i]);
    }
    if (granted) {
        release_keys(self, now_us); // what was held down before does not count
        self->enabled = true;
        report(self, "enabled");
    } else {
        disable(self, "", now_us);
        report(self, "not enabled: %s", why_not_enabled(self, now_us));
    }
}

static void emergency_stop(runner *self, int64_t now_us)
{
    for (size_t i = 0; i < self->robots; i++) {
        hy_robot_emergency_stop(self->robot[i]);
    }
    disable(self, "emergency stop", now_us);
    self->over = true;
}

// The robot library has disabled a robot by itself: that one sent nothing, or this program did not poll.
static void report_disabled(runner *self, int64_t now_us)
{
    char why[NOTE_MAX];
    snprintf(why, sizeof why, "this program was held up for %.2f s (by a call that takes long?)",
             (double)self->held_up_us * 1e-6);
    for (size_t i = 0; i < self->robots && self->held_up_us == 0; i++) {
        if (!answers(self->robot[i])) {
            snprintf(why, sizeof why, "no status from %.40s for %.1f s", self->options.url[i],
                     (double)hy_robot_measure(self->robot[i], now_us).age_us * 1e-6);
            break;
        }
    }
    disable(self, why, now_us);
}

static void watch(runner *self, int64_t now_us)
{
    if (self->enabled && !all_are(self, hy_robot_is_enabled) && !hy_robot_is_ending()) {
        report_disabled(self, now_us);
        self->failed = self->over = !self->with_terminal;
    }
    if (self->enable_pending && all_are(self, answers)) {
        self->enable_pending = false;
        enable(self, now_us);
    }
    self->held_up_us = 0;
    self->over = self->over || hy_robot_is_ending() || now_us >= self->end_us;
}

// --------------------------------------------------------------------------- keys

static void press_with_ctrl(runner *self, uint32_t key, int64_t now_us)
{
    if (key == 'c') {
        self->over = true;
    } else if (key == 'z') {
        disable(self, "Ctrl-Z", now_us);
        kill(0, SIGTSTP); // as the terminal would: whoever started us has to notice, too
    }
}

/// Returns whether the key was one of the runner's.
static bool press(runner *self, const hy_key_event *event, int64_t now_us)
{
    if ((event->modifiers & HY_MODIFIER_CTRL) != 0) {
        press_with_ctrl(self, event->key, now_us);
        return true;
    }
    switch (event->key) {
    case ' ':
    case HY_KEY_ESCAPE: disable(self, "stopped by key", now_us); return true;
    case HY_KEY_BACKSPACE: emergency_stop(self, now_us); return true;
    case 'q': self->over = true; return true;
    case HY_KEY_ENTER:
        if (event->what == HY_KEY_PRESS && !self->enabled) {
            enable(self, now_us);
        }
        return true;
    default: return false;
    }
}

static void take_event(void *context, const hy_key_event *event, int64_t now_us)
{
    runner *const self = context;
    if (event->what == HY_FOCUS_OUT) {
        // A virtual robot is watched in another window: its page's camera and button need the mouse.
        if (self->all_are_here) {
            release_keys(self, now_us);
        } else {
            disable(self, "another window has the keys", now_us);
        }
        return;
    }
    const bool is_down = event->what == HY_KEY_PRESS || event->what == HY_KEY_REPEAT;
    if (!(is_down && press(self, event, now_us)) && self->program->key != NULL) {
        self->program->key(self->program->loop.context, event, now_us);
    }
}

static void lose_terminal(runner *self, const char *why, int64_t now_us)
{
    disable(self, "the terminal is gone", now_us);
    self->over = self->failed = true;
    program_complain(self->program, "%s; the robot is stopped", why);
}

static void read_keys(runner *self, int64_t now_us)
{
    if (self->has_terminal && !hy_terminal_read_keys(&self->parser, now_us, take_event, self)) {
        lose_terminal(self, "the terminal is gone", now_us);
    }
}

// --------------------------------------------------------------------------- the terminal

static void take_terminal(runner *self, int64_t now_us)
{
    const hy_status status = hy_terminal_open(STDIN_FILENO, STDOUT_FILENO);
    self->has_terminal = status == HY_OK;
    self->picture_at = self->picture_size = 0;
    if (status != HY_OK && status != HY_AGAIN) {
        lose_terminal(self, "the terminal cannot be taken over", now_us);
    }
}

// The shell gets its terminal back before the robot library suspends the program. In the background the
// robot stays disabled, for want of keys.
static void hold_terminal(runner *self, int64_t now_us)
{
    if (hy_robot_is_suspending()) {
        disable(self, "the program was suspended", now_us);
        hy_terminal_close();
        self->has_terminal = false;
    } else if (self->with_terminal && !self->has_terminal) {
        take_terminal(self, now_us);
    }
}

static size_t draw_robots(const runner *self, char *at, size_t room, int64_t now_us)
{
    size_t used = 0;
    for (size_t i = 0; i < self->robots && used < room; i++) {
        const hy_robot_figures f = hy_robot_measure(self->robot[i], now_us);
        const char *const state = hy_robot_is_up(self->robot[i], now_us) ? "answers"
                                  : program_probe_is_answered(&self->probe[i], now_us)
                                      ? "DRIVEN BY ANOTHER PROGRAM"
                                      : "SILENT";
        const int size =
            snprintf(at + used, room - used, "%.50s: %s, %.0f statuses/s, %.0f %% lost\x1b[K\r\n",
                     self->options.url[i], state, f.rate_hz, f.loss * 100.0);
        used += size > 0 ? (size_t)size : 0;
    }
    return used < room ? used : room - 1;
}

static void compose(runner *self, int64_t now_us)
{
    char robots[PICTURE_MAX / 2];
    const char *const faults = self->options.faults_text;
    draw_robots(self, robots, sizeof robots, now_us);
    const int size = snprintf(
        self->picture, sizeof self->picture,
        "\x1b[H\x1b[1m%s\x1b[0m  Enter enables, Space or Esc stops at once, q "
        "ends\x1b[K\r\n%s%s%.60s%s%s\x1b[0m  %s\x1b[K\r\n%s\x1b[K\x1b[J",
        self->program->name, robots, faults != NULL ? "injecting faults: " : "",
        faults != NULL ? faults : "", faults != NULL ? "\x1b[K\r\n" : "",
        self->enabled ? "\x1b[1;32mENABLED " : "\x1b[1mdisabled", self->event, program_said());
    self->picture_at = 0;
    self->picture_size = size > 0 && (size_t)size < sizeof self->picture ? (size_t)size : 0;
}

// A picture that a slow terminal takes in pieces is shown whole before the next one is drawn.
static void draw(runner *self, int64_t now_us)
{
    if (now_us < self->frame_due_us) {
        return;
    }
    self->frame_due_us = now_us + FRAME_PERIOD_US;
    if (!self->has_terminal) {
        return;
    }
    if (self->picture_at == self->picture_size) {
        compose(self, now_us);
    }
    self->picture_at +=
        hy_terminal_write(self->picture + self->picture_at, self->picture_size - self->picture_at);
}

// --------------------------------------------------------------------------- the loop

// What came since the last turn goes into the devices, in the order in which it came.
static void update_devices(runner *self)
{
    for (size_t i = 0; i < self->robots; i++) {
        const hy_robot *const robot = self->robot[i];
        if (robot->counters.statuses == self->statuses_seen[i]) {
            continue;
        }
        self->statuses_seen[i] = robot->counters.statuses;
        if (robot->peer.restarts != self->restarts_seen[i]) {
            self->restarts_seen[i] = robot->peer.restarts;
            hy_program_devices_rebase(&self->program->robots[i]);
        }
        hy_program_devices_update(&self->program->robots[i], &robot->status, robot->status_us);
    }
}

static void command(runner *self, int64_t now_us)
{
    for (size_t i = 0; i < self->robots; i++) {
        if (!self->enabled) { // whatever the program sets: enabling moves nothing by itself
            hy_program_devices_stop(&self->program->robots[i], now_us);
        }
        hy_program_devices_command(&self->program->robots[i],
                                   &self->robot[i]->peer.commander.command, now_us);
    }
}

static void poll_robots(runner *self, int64_t now_us)
{
    if (now_us - self->polled_us >= HY_ROBOT_PAUSE_US) {
        self->held_up_us = now_us - self->polled_us;
    }
    self->polled_us = now_us;
    for (size_t i = 0; i < self->robots; i++) {
        hy_robot_poll(self->robot[i], now_us);
        program_probe_poll(&self->probe[i], self->robot[i], now_us);
    }
}

static void turn(runner *self, int64_t now_us)
{
    hold_terminal(self, now_us);
    read_keys(self, now_us);
    watch(self, now_us);
    if (hy_timed_robot_begin(&self->loop, self->enabled ? self->mode : HY_MODE_DISABLED, now_us)) {
        command(self, now_us);
        poll_robots(self, now_us);
        hy_timed_robot_end(&self->loop, hy_clock_now_us());
    } else {
        poll_robots(self, now_us);
    }
    update_devices(self);
    print_note(self);
    draw(self, now_us);
}

static int64_t earlier(int64_t a_us, int64_t b_us)
{
    return a_us < b_us ? a_us : b_us;
}

static void wait_for_something(const runner *self)
{
    int64_t due_us = earlier(self->loop.due_us, hy_key_parse_due_us(&self->parser));
    due_us = earlier(earlier(self->frame_due_us, self->end_us), due_us);
    struct pollfd sources[1 + HY_PROGRAM_ROBOTS] = {
        { .fd = self->has_terminal ? STDIN_FILENO : -1, .events = POLLIN },
    };
    for (size_t i = 0; i < self->robots; i++) {
        due_us = earlier(due_us, hy_robot_due_us(self->robot[i]));
        sources[1 + i] =
            (struct pollfd){ .fd = (int)hy_robot_descriptor(self->robot[i]), .events = POLLIN };
    }
    const int64_t wait_us = due_us - hy_clock_now_us();
    poll(sources, 1 + (nfds_t)self->robots, wait_us > 0 ? (int)((wait_us + 999) / 1000) : 0);
}

// --------------------------------------------------------------------------- start and end

static bool open_robots(runner *self)
{
    for (size_t i = 0; i < self->options.robots; i++) {
        const hy_status status = hy_robot_open(&self->robot[i], self->options.url[i]);
        if (status != HY_OK) {
            program_complain(self->program, "cannot connect to %s: %s", self->options.url[i],
                             hy_status_text(status));
            return false;
        }
        self->robots++;
        hy_program_devices_init(&self->program->robots[i]);
        hy_faults_error error;
        if (hy_robot_set_faults(self->robot[i], &self->options.faults, &error) != HY_OK) {
            program_complain(self->program, "--faults: %s", error.text);
            return false;
        }
    }
    return true;
}

static void close_robots(runner *self)
{
    for (size_t i = 0; i < self->robots; i++) {
        hy_robot_disable(self->robot[i]); // all of them before the first one is waited for
    }
    for (size_t i = 0; i < self->robots; i++) {
        hy_robot_close(self->robot[i]);
        program_probe_close(&self->probe[i]);
    }
    self->robots = 0;
}

static bool are_all_here(const runner *self)
{
    for (size_t i = 0; i < self->robots; i++) {
        if (!hy_endpoint_is_loopback(&self->robot[i]->address)) {
            return false;
        }
    }
    return true;
}

static void run(runner *self)
{
    const int64_t now_us = hy_clock_now_us();
    self->end_us = self->options.duration_s > 0.0
                       ? now_us + (int64_t)(self->options.duration_s * 1e6)
                       : INT64_MAX;
    // The loop runs when a command is due, so that what it decides goes out at once.
    self->all_are_here = are_all_here(self);
    self->polled_us = now_us;
    hy_timed_robot_init(&self->loop, &self->program->loop, HY_ROBOT_COMMAND_PERIOD_US,
                        self->all_are_here, hy_robot_due_us(self->robot[0]));
    program_watch_start(&self->watch, self->program->name);
    self->loop.watcher = program_watch_call;
    self->loop.watcher_context = &self->watch;
    while (!self->over) {
        wait_for_something(self);
        turn(self, hy_clock_now_us());
    }
    disable(self, "the program ends", hy_clock_now_us());
    hy_timed_robot_exit(&self->loop, hy_clock_now_us());
    program_watch_end(&self->watch);
    hy_terminal_close();
}

static void sum_up(runner *self)
{
    for (size_t i = 0; i < self->robots; i++) {
        const uint64_t statuses = self->robot[i]->counters.statuses;
        if (statuses == 0) {
            const bool is_taken = program_probe_is_answered(&self->probe[i], hy_clock_now_us());
            program_complain(self->program,
                             is_taken
                                 ? "another program drives the robot at %s; end it first"
                                 : "no robot answered at %s; is it on, and is its address right?",
                             self->options.url[i]);
            self->failed = true;
        }
    }
    printf("%s: %llu loops, %llu late, the longest %.1f ms; %s\n", self->program->name,
           (unsigned long long)self->loop.loops, (unsigned long long)self->loop.overruns,
           (double)self->loop.worst_us * 1e-3,
           program_said()[0] != '\0' ? program_said() : self->event);
}

int hy_program_main(const hy_program *program, int argc, char **argv)
{
    static runner self; // there is one terminal, so there is one runner
    memset(&self, 0, sizeof self);
    program_say_nothing();
    self.program = program;
    self.mode = hy_program_mode(program);
    const int status = program_options_read(&self.options, program, argc, argv);
    if (status >= 0) {
        return status;
    }
    if (self.options.sim.world != NULL) {
        return program_sim_main(program, &self.options.sim, self.options.json);
    }
    self.enable_pending = self.options.enable;
    self.with_terminal = hy_terminal_is_there(STDIN_FILENO, STDOUT_FILENO);
    if (!self.with_terminal && !self.options.enable) {
        program_complain(program, "there is no terminal to press Enter at: add --enable");
        return 1;
    }
    self.failed = !open_robots(&self);
    if (!self.failed) {
        run(&self);
        sum_up(&self);
    }
    close_robots(&self);
    return self.failed ? 1 : 0;
}
