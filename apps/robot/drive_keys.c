// The keyboard: keys in, commands and a picture out.
#include <halyard/input.h>
#include <halyard/robot.h>

#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/app.h"
#include "drive.h"
#include "drive_view.h"

#define FRAME_PERIOD_US 50000 // 20 pictures a second
#define LIMIT_START     0.6   // an XRP at full speed is hard to steer by keys
#define LIMIT_STEP      0.1
#define TURN_SHARE      0.6 // turning on the spot at full speed is over half a turn a second
#define SERVO_STEP      0.05f

typedef struct {
    cockpit cockpit;
    hy_key_parser parser;
    screen screen;
    const drive_plan *plan;
    int64_t frame_due_us, end_us;
    const char *picture; // what of the last one the terminal has not taken yet
    size_t picture_size;
    uint64_t stops_seen;
    bool has_terminal, enable_pending, over;
} keys_drive;

__attribute__((format(printf, 3, 4))) static void say(keys_drive *self, screen_look look,
                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(self->cockpit.message, sizeof self->cockpit.message, format, arguments);
    va_end(arguments);
    self->cockpit.message_look = look;
}

// --------------------------------------------------------------------------- enable and disable

static void disable(keys_drive *self, const char *why)
{
    hy_key_stick_centre(&self->cockpit.stick);
    self->enable_pending = false;
    if (hy_robot_is_enabled(self->cockpit.session.robot)) {
        say(self, LOOK_WARN, "disabled: %s", why);
    }
    hy_robot_disable(self->cockpit.session.robot); // also when it is disabled: an extra stop is harmless
}

static void enable(keys_drive *self, int64_t now_us)
{
    hy_robot *const robot = self->cockpit.session.robot;
    if (hy_robot_is_enabled(robot)) {
        return;
    }
    hy_key_stick_centre(&self->cockpit.stick); // keys held down while disabled do not count
    if (hy_robot_enable(robot)) {
        say(self, LOOK_GOOD, "enabled: the robot obeys");
    } else if (self->cockpit.emergency) {
        say(self, LOOK_BAD,
            "after an emergency stop the robot stays disabled until the program is started again");
    } else if (!hy_robot_is_up(robot, now_us)) {
        say(self, LOOK_WARN, "the robot does not answer: is it on, and is its address right?");
    } else {
        say(self, LOOK_WARN, "the last stop is still being sent; press Enter again");
    }
}

static void emergency_stop(keys_drive *self)
{
    disable(self, "emergency stop");
    self->cockpit.emergency = true;
    hy_robot_emergency_stop(self->cockpit.session.robot);
    say(self, LOOK_BAD, "emergency stop");
}

// --------------------------------------------------------------------------- keys

static void change_limit(keys_drive *self, double step)
{
    self->cockpit.limit =
        hy_clamp(self->cockpit.limit + step, LIMIT_STEP, self->plan->max_effort, LIMIT_STEP);
}

static void move_servo(keys_drive *self, float step)
{
    const unsigned servo = self->cockpit.servo_chosen;
    float *const position = &self->cockpit.servo[servo];
    *position = (float)hy_clamp((double)(*position + step), 0.0, 1.0, 0.0);
    hy_robot_set_servo(self->cockpit.session.robot, servo, *position);
}

static void toggle_led(keys_drive *self)
{
    enum { DIO_LED = 1 };
    self->cockpit.led = !self->cockpit.led;
    hy_robot_set_dio(self->cockpit.session.robot, DIO_LED, self->cockpit.led);
}

static void press_with_ctrl(keys_drive *self, uint32_t key)
{
    if (key == 'c') {
        self->over = true;
    } else if (key == 'z') {
        disable(self, "Ctrl-Z");
        kill(0, SIGTSTP); // as the terminal would: whoever started us has to notice, too
    }
}

static void press(keys_drive *self, uint32_t key, int64_t now_us)
{
    switch (key) {
    case HY_KEY_ENTER: enable(self, now_us); break;
    case HY_KEY_BACKSPACE: emergency_stop(self); break;
    case 'q': self->over = true; break;
    case 'l': toggle_led(self); break;
    case '+':
    case '=': change_limit(self, LIMIT_STEP); break;
    case '-': change_limit(self, -LIMIT_STEP); break;
    case ',': move_servo(self, -SERVO_STEP); break;
    case '.': move_servo(self, SERVO_STEP); break;
    default:
        if (key >= '1' && key < '1' + COCKPIT_SERVOS) {
            self->cockpit.servo_chosen = key - '1';
        }
        break;
    }
}

static void take_event(void *context, const hy_key_event *event, int64_t now_us)
{
    keys_drive *const self = context;
    const bool is_down = event->what == HY_KEY_PRESS || event->what == HY_KEY_REPEAT;
    if (is_down && (event->key == ' ' || event->key == HY_KEY_ESCAPE)) {
        disable(self, "stopped by key"); // whatever else is held down
        return;
    }
    if (event->what == HY_FOCUS_OUT) {
        disable(self, "another window has the keys");
    }
    if (hy_key_stick_feed(&self->cockpit.stick, event, now_us) || !is_down) {
        return;
    }
    if ((event->modifiers & HY_MODIFIER_CTRL) != 0) {
        press_with_ctrl(self, event->key);
    } else if (event->what == HY_KEY_PRESS || event->key == ',' || event->key == '.') {
        press(self, event->key, now_us);
    }
}

static void lose_terminal(keys_drive *self)
{
    self->over = true;
    session_fail(&self->cockpit.session, "the terminal is gone; the robot is stopped");
}

static void read_keys(keys_drive *self, int64_t now_us)
{
    if (self->has_terminal && !hy_terminal_read_keys(&self->parser, now_us, take_event, self)) {
        lose_terminal(self);
    }
}

// --------------------------------------------------------------------------- a turn of the loop

static void steer(keys_drive *self, int64_t now_us)
{
    const hy_stick stick = hy_key_stick_read(&self->cockpit.stick, now_us);
    if (hy_robot_is_enabled(self->cockpit.session.robot)) {
        session_arcade(&self->cockpit.session, stick.speed * self->cockpit.limit,
                       stick.turn * self->cockpit.limit * TURN_SHARE);
    }
}

static void notice_changes(keys_drive *self, int64_t now_us)
{
    const hy_robot *const robot = self->cockpit.session.robot;
    const hy_robot_counters counters = hy_robot_get_counters(robot);
    const uint64_t stops = counters.lost_robots + counters.pauses;
    if (stops != self->stops_seen) {
        self->stops_seen = stops;
        hy_key_stick_centre(&self->cockpit.stick);
        say(self, LOOK_BAD, "disabled: the robot was silent, or this program was held up");
    }
    if (self->enable_pending && hy_robot_is_up(robot, now_us)) {
        self->enable_pending = false;
        enable(self, now_us);
    }
    self->over = self->over || hy_robot_is_ending() || now_us >= self->end_us;
}

// A picture that a slow terminal takes in pieces is shown whole before the next one is drawn.
static void draw(keys_drive *self, int64_t now_us)
{
    if (now_us < self->frame_due_us) {
        return;
    }
    self->frame_due_us = now_us + FRAME_PERIOD_US;
    if (!self->has_terminal) {
        return;
    }
    if (self->picture_size == 0) {
        unsigned columns, rows;
        hy_terminal_size(&columns, &rows);
        screen_begin(&self->screen, columns, rows);
        drive_view_draw(&self->cockpit, &self->screen, now_us);
        self->picture = screen_end(&self->screen, &self->picture_size);
    }
    const size_t taken = hy_terminal_write(self->picture, self->picture_size);
    self->picture += taken;
    self->picture_size -= taken;
}

static void wait_for_something(const keys_drive *self)
{
    int64_t due_us = hy_robot_due_us(self->cockpit.session.robot);
    const int64_t parser_us = hy_key_parse_due_us(&self->parser);
    due_us = parser_us < due_us ? parser_us : due_us;
    due_us = self->frame_due_us < due_us ? self->frame_due_us : due_us;
    const int64_t wait_us = due_us - hy_clock_now_us();
    struct pollfd sources[] = {
        { .fd = self->has_terminal ? STDIN_FILENO : -1, .events = POLLIN },
        { .fd = (int)hy_robot_descriptor(self->cockpit.session.robot), .events = POLLIN },
    };
    poll(sources, 2, wait_us > 0 ? (int)((wait_us + 999) / 1000) : 0); // a signal ends it, too
}

// --------------------------------------------------------------------------- the terminal

static void take_terminal(keys_drive *self)
{
    const hy_status status = hy_terminal_open(STDIN_FILENO, STDOUT_FILENO);
    self->has_terminal = status == HY_OK;
    self->picture_size = 0;
    screen_forget(&self->screen);
    if (status != HY_OK && status != HY_AGAIN) {
        self->over = true;
        session_fail(&self->cockpit.session, "cannot take over the terminal: %s",
                     hy_status_text(status));
    }
}

// Ctrl-Z: the shell gets its terminal back before the robot library suspends the program. It is ours
// again once the shell has put us into the foreground; until then the robot stays disabled, for want of keys.
static void hold_terminal(keys_drive *self)
{
    if (!hy_robot_is_suspending()) {
        if (!self->has_terminal) {
            take_terminal(self);
        }
    } else if (self->has_terminal) {
        disable(self, "");
        say(self, LOOK_WARN, "disabled: the program was suspended");
        hy_terminal_close();
        self->has_terminal = false;
    }
}

// --------------------------------------------------------------------------- the loop

static void run(keys_drive *self)
{
    while (!self->over) {
        wait_for_something(self);
        const int64_t now_us = hy_clock_now_us();
        hold_terminal(self);
        read_keys(self, now_us);
        steer(self, now_us);
        hy_robot_poll(self->cockpit.session.robot, now_us);
        session_update(&self->cockpit.session);
        notice_changes(self, now_us);
        draw(self, now_us);
    }
    hy_robot_disable(self->cockpit.session.robot);
}

void drive_by_keys(session *on, const drive_plan *plan)
{
    static keys_drive self; // too large for a stack; there is one terminal
    memset(&self, 0, sizeof self);
    setlocale(LC_CTYPE, "");
    self.screen.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    self.plan = plan;
    self.cockpit =
        (cockpit){ .title = plan->title, .session = *on, .servo = { 0.5f, 0.5f, 0.5f, 0.5f } };
    self.cockpit.limit = hy_clamp(LIMIT_START, 0.0, plan->max_effort, 0.0);
    self.enable_pending = plan->enable;
    self.end_us =
        plan->duration_s > 0.0 ? hy_clock_now_us() + (int64_t)(plan->duration_s * 1e6) : INT64_MAX;
    run(&self);
    hy_terminal_close();
    *on = self.cockpit.session;
}
