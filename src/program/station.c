#include "station.h"

#include <halyard/robot.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/input.h"
#include "options.h"
#include "system/system_signals.h"
#include "text/text_plain.h"

#define FRAME_PERIOD_US     100000
#define OWN_FRAME_PERIOD_US 50000   // of a program that draws itself
#define MISSED_US           2000000 // of a robot that does not answer and is to be enabled

void station_report(program_station *self, const char *format, ...)
{
    const hy_program *const program = self->setup.program;
    char before[STATION_TEXT_MAX];
    va_list arguments;
    memcpy(before, self->event, sizeof before);
    va_start(arguments, format);
    vsnprintf(self->event, sizeof self->event, format, arguments);
    va_end(arguments);
    const bool is_news = strcmp(before, self->event) != 0; // or a page's flood would fill a pipe
    self->is_about_silence = false;
    if (!self->setup.with_terminal && program->supervise == NULL && is_news) {
        FILE *const out = self->setup.options->json ? stderr : stdout;
        hy_print(out, "%s: %s\n", program->name, self->event);
        fflush(out);
    }
}

void station_fail(program_station *self, const char *format, ...)
{
    char text[STATION_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    self->over = self->failed = true;
    hy_print_error(self->setup.program->name, "%s", text);
}

static void describe(program_station *self)
{
    hy_program_state *const state = &self->state;
    self->setup.robots.describe(self->setup.robots.context, state);
    state->now_us = self->now_us;
    state->is_enabled = self->enabled;
    state->is_emergency = self->emergency;
    state->has_terminal = self->has_terminal;
    state->is_ending = hy_robot_is_ending();
    state->message = self->event;
}

// --------------------------------------------------------------------------- enable and disable

// Tells the program that no key counts as held down any more.
static void release_keys(const program_station *self)
{
    const hy_key_event event = { .what = HY_FOCUS_OUT };
    const hy_program *const program = self->setup.program;
    if (program->key != NULL) {
        program->key(program->loop.context, &event, self->now_us);
    }
}

static void disable(program_station *self, const char *why)
{
    // Also robots that are disabled: an extra stop is harmless.
    self->setup.robots.disable(self->setup.robots.context, self->now_us);
    release_keys(self);
    if (self->enabled) {
        station_report(self, "disabled: %s", why);
    }
    self->enabled = self->enable_pending = false;
}

static bool all_answer(const program_station *self)
{
    for (size_t i = 0; i < self->state.robots; i++) {
        if (!self->state.link[i].is_up) {
            return false;
        }
    }
    return true;
}

static const char *why_not_enabled(const program_station *self, char text[STATION_TEXT_MAX])
{
    char help[HY_ROBOT_MISSING_MAX];
    if (self->emergency) {
        return "after an emergency stop the robot stays disabled until the program is started "
               "again";
    }
    for (size_t i = 0; i < self->state.robots; i++) {
        const char *const address = self->state.link[i].address;
        if (!self->state.link[i].is_up) {
            (void)snprintf(text, STATION_TEXT_MAX, "no robot answers at %.50s; %s", address,
                           hy_robot_missing(address, help));
            return self->state.link[i].is_taken ? "another program drives this robot; end it first"
                   : self->setup.options->faults != NULL
                       ? "no status came through the faults that are injected; is the robot on?"
                       : text;
        }
    }
    return "the last stop is still being sent; press Enter again";
}

static bool try_to_enable(program_station *self)
{
    if (self->emergency || self->is_held || !self->setup.robots.enable(self->setup.robots.context)) {
        return false;
    }
    release_keys(self); // what was held down before does not count
    self->enabled = true;
    self->note.has_finished = false;
    station_report(self, "enabled: the robot obeys");
    return true;
}

static void report_why_not(program_station *self)
{
    char text[STATION_TEXT_MAX];
    station_report(self, "not enabled: %s", why_not_enabled(self, text));
    self->is_about_silence = !self->emergency && !all_answer(self);
}

static void enable(program_station *self)
{
    self->is_held = false;
    if (!try_to_enable(self)) {
        disable(self, "");
        report_why_not(self);
    }
}

static void emergency_stop(program_station *self)
{
    self->emergency = true;
    self->setup.robots.emergency_stop(self->setup.robots.context);
    disable(self, "");
    station_report(self, "emergency stop");
}

void station_hold(program_station *self, const char *why)
{
    const bool was_enabled = self->enabled;
    self->is_held = true;
    disable(self, why);
    if (!was_enabled) { // also of a run that has nobody who enables
        station_report(self, "disabled: %s", why);
    }
}

// --------------------------------------------------------------------------- keys

static void press_with_ctrl(program_station *self, uint32_t key)
{
    if (key == 'c') {
        self->over = true;
    } else if (key == 'z') {
        disable(self, "Ctrl-Z");
        hy_signals_pause_job(); // as the terminal would
    }
}

/// Returns whether the key was one of the station's.
static bool press(program_station *self, const hy_key_event *event)
{
    if (event->key == ' ' || event->key == HY_KEY_ESCAPE) { // whatever else is held down
        disable(self, "stopped by key");
        return true;
    }
    if ((event->modifiers & HY_MODIFIER_CTRL) != 0) {
        press_with_ctrl(self, event->key);
        return true;
    }
    switch (event->key) {
    case HY_KEY_BACKSPACE: emergency_stop(self); return true;
    case 'q': self->over = true; return true;
    case HY_KEY_ENTER:
        if (self->enabled) {
            return false; // the program's, for which any key may be a stop
        }
        if (event->what == HY_KEY_PRESS) {
            enable(self);
        }
        return true;
    default: return false;
    }
}

static void take_event(void *context, const hy_key_event *event, int64_t host_us)
{
    (void)host_us;
    program_station *const self = context;
    const hy_program *const program = self->setup.program;
    if (event->what == HY_FOCUS_OUT) {
        // A virtual robot is watched in another window: its page's camera and button need the mouse.
        if (self->setup.all_are_here) {
            release_keys(self);
        } else {
            disable(self, "another window has the keys");
        }
        return;
    }
    const bool is_down = event->what == HY_KEY_PRESS || event->what == HY_KEY_REPEAT;
    if (!(is_down && press(self, event)) && program->key != NULL) {
        program->key(program->loop.context, event, self->now_us);
    }
}

static void lose_terminal(program_station *self, const char *why)
{
    disable(self, "the terminal was closed");
    station_fail(self, "%s; the robot is stopped", why);
}

// --------------------------------------------------------------------------- the terminal

static void take_terminal(program_station *self)
{
    const hy_status status = hy_terminal_open();
    self->has_terminal = status == HY_OK;
    self->picture_at = self->picture_size = 0;
    if (status != HY_OK && status != HY_AGAIN) {
        lose_terminal(self, "the terminal cannot be taken over");
    }
}

// The shell gets its terminal back before the robot library suspends the program. In the background the
// robot stays disabled, for want of keys.
static void hold_terminal(program_station *self)
{
    if (hy_robot_is_suspending()) {
        if (!self->has_terminal) {
            return; // the stop is under way: another one would start it again
        }
        disable(self, "the program was suspended");
        hy_terminal_close();
        self->has_terminal = false;
    } else if (self->setup.with_terminal && !self->has_terminal) {
        take_terminal(self);
    }
}

void station_read_keys(program_station *self, int64_t host_us, int64_t now_us)
{
    self->now_us = now_us;
    hold_terminal(self);
    if (self->has_terminal && !hy_terminal_read_keys(&self->parser, host_us, take_event, self)) {
        lose_terminal(self, "the terminal was closed");
    }
}

// --------------------------------------------------------------------------- a turn

// The robots were disabled by themselves: one sent nothing, or this program did not poll.
static void report_disabled(program_station *self, int64_t held_up_us)
{
    char why[STATION_TEXT_MAX - 16];
    snprintf(why, sizeof why,
             "this program was held up for %.2f s (by a call that takes long, or this computer is "
             "busy)",
             (double)held_up_us * 1e-6);
    for (size_t i = 0; i < self->state.robots && held_up_us == 0; i++) {
        const hy_program_link *const link = &self->state.link[i];
        if (!link->is_up) {
            snprintf(why, sizeof why, "no status from %.80s for %.1f s", link->address,
                     (double)link->age_us * 1e-6);
            break;
        }
    }
    disable(self, why);
}

static void obey_program(program_station *self)
{
    const hy_program *const program = self->setup.program;
    if (program->supervise == NULL) {
        return;
    }
    switch (program->supervise(program->loop.context, &self->state)) {
    case HY_PROGRAM_ENABLE:
        if (!self->enabled && all_answer(self)) {
            (void)try_to_enable(self);
        }
        break;
    case HY_PROGRAM_DISABLE:
        if (self->enabled) {
            disable(self, "by the program");
        }
        break;
    case HY_PROGRAM_END: self->over = true; break;
    case HY_PROGRAM_GO_ON:
    default: break;
    }
}

void station_watch(program_station *self, int64_t now_us, int64_t held_up_us)
{
    self->now_us = now_us;
    describe(self);
    if (self->is_about_silence && all_answer(self)) {
        self->event[0] = '\0'; // it is true no longer
        self->is_about_silence = false;
    }
    if (self->enabled && !self->setup.robots.is_enabled(self->setup.robots.context) &&
        !self->state.is_ending) {
        report_disabled(self, held_up_us);
        self->failed = self->over = !self->setup.with_terminal;
        self->state.has_failed = self->failed;
        self->state.is_enabled = false;
    }
    if (self->enable_pending && all_answer(self)) {
        self->enable_pending = false;
        enable(self);
    }
    if (self->missed_due_us == 0) {
        self->missed_due_us = now_us + MISSED_US;
    }
    if (self->enable_pending && now_us >= self->missed_due_us) {
        self->missed_due_us = INT64_MAX;
        report_why_not(self);
    }
    if (self->enabled && self->note.has_finished) {
        disable(self, self->setup.with_terminal
                          ? "the program has done its task; Enter starts it again"
                          : "the program has done its task");
        self->over = self->over || !self->setup.with_terminal;
    }
    obey_program(self);
    self->over = self->over || self->state.is_ending;
}

// --------------------------------------------------------------------------- the picture

static size_t draw_robots(const program_station *self, char *at, size_t room)
{
    size_t used = 0;
    for (size_t i = 0; i < self->state.robots && used < room; i++) {
        const hy_program_link *const link = &self->state.link[i];
        const char *const state = link->is_up      ? "answers"
                                  : link->is_taken ? "DRIVEN BY ANOTHER PROGRAM"
                                                   : "SILENT";
        const int size =
            snprintf(at + used, room - used, "%.50s: %s, %.0f statuses/s, %.0f %% lost\x1b[K\r\n",
                     link->address, state, link->rate_hz, link->loss * 100.0);
        used += size > 0 ? (size_t)size : 0;
    }
    return used < room ? used : room - 1;
}

static size_t compose(program_station *self, hy_room room)
{
    char robots[512];
    const char *const faults = self->setup.options->faults_text;
    const char *const page = self->state.page;
    draw_robots(self, robots, sizeof robots);
    const int size =
        snprintf((char *)room.data, room.size,
                 "\x1b[H\x1b[1m%s\x1b[0m  Enter enables, Space or Esc stops at once, q "
                 "ends\x1b[K\r\n%s%s%s%s%s%.60s%s%s\x1b[0m  %s\x1b[K\r\n%s\x1b[K\x1b[J",
                 self->setup.program->name, page != NULL ? "open " : "", page != NULL ? page : "",
                 page != NULL ? "\x1b[K\r\n" : "", robots, faults != NULL ? "injecting faults: " : "",
                 faults != NULL ? faults : "", faults != NULL ? "\x1b[K\r\n" : "",
                 self->enabled ? "\x1b[1;32mENABLED " : "\x1b[1mdisabled", self->event,
                 program_note_text(&self->note));
    return size > 0 && (size_t)size < room.size ? (size_t)size : 0;
}

static void print_note(program_station *self)
{
    const bool is_quiet = self->setup.with_terminal || self->state.sim != NULL;
    if (is_quiet) {
        return;
    }
    const char *const text = program_note_text(&self->note);
    if (self->note.has_changed) {
        FILE *const out = self->setup.options->json ? stderr : stdout;
        hy_print(out, "%s: %s\n", self->setup.program->name, text);
        fflush(out);
    }
    self->note.has_changed = false;
}

// A person sees them in the picture, and again when that is gone.
static void print_hints(program_station *self)
{
    const char *hint;
    while ((hint = program_note_next_hint(&self->note)) != NULL) {
        if (self->setup.with_terminal) {
            station_report(self, "%s", hint);
        } else {
            hy_print_error(self->setup.program->name, "%s", hint);
        }
    }
}

// A picture that a slow terminal takes in pieces is shown whole before the next one is drawn.
void station_show(program_station *self, int64_t host_us)
{
    const hy_program *const program = self->setup.program;
    print_note(self);
    print_hints(self);
    if (!self->has_terminal || host_us < self->frame_due_us) {
        return;
    }
    self->frame_due_us = host_us + (program->draw != NULL ? OWN_FRAME_PERIOD_US : FRAME_PERIOD_US);
    if (self->picture_at == self->picture_size) {
        const hy_room room = { self->picture, HY_PROGRAM_FRAME_MAX };
        self->picture_at = 0;
        self->picture_size = program->draw != NULL ? program->draw(program->loop.context, room)
                                                   : compose(self, room);
    }
    self->picture_at += hy_terminal_write((const char *)self->picture + self->picture_at,
                                          self->picture_size - self->picture_at);
}

int64_t station_due_us(const program_station *self)
{
    const int64_t parser_us = hy_key_parse_due_us(&self->parser);
    return self->setup.with_terminal && self->frame_due_us < parser_us ? self->frame_due_us
                                                                       : parser_us;
}

// --------------------------------------------------------------------------- start and end

hy_status station_start(program_station *self, const station_setup *setup)
{
    memset(self, 0, sizeof *self);
    self->setup = *setup;
    self->enable_pending = setup->options->enable;
    self->picture = malloc(HY_PROGRAM_FRAME_MAX);
    describe(self);
    return self->picture != NULL ? HY_OK : HY_EMEMORY;
}

void station_stop(program_station *self, int64_t now_us)
{
    self->now_us = now_us;
    disable(self, "the program ends");
    hy_terminal_close();
    self->has_terminal = false;
}

void station_end(program_station *self)
{
    const hy_program *const program = self->setup.program;
    for (size_t i = 0; i < self->note.hints && self->setup.with_terminal; i++) {
        hy_print_error(program->name, "%s", self->note.hint[i]);
    }
    describe(self);
    self->state.is_over = true;
    if (program->supervise != NULL) {
        (void)program->supervise(program->loop.context, &self->state);
    }
    free(self->picture);
    self->picture = NULL;
}
