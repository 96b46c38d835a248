// W A S D and the arrows as one stick.

#include "input.h"

enum {
    HELD_UP = 1,
    HELD_DOWN = 2,
    HELD_LEFT = 4,
    HELD_RIGHT = 8,
};

static uint8_t direction_of(uint32_t key)
{
    switch (key) {
    case 'w':
    case HY_KEY_UP: return HELD_UP;
    case 's':
    case HY_KEY_DOWN: return HELD_DOWN;
    case 'a':
    case HY_KEY_LEFT: return HELD_LEFT;
    case 'd':
    case HY_KEY_RIGHT: return HELD_RIGHT;
    default: return 0;
    }
}

static double stepped(double value, double step)
{
    return value * step < 0.0 ? 0.0 : hy_clamp(value + step, -1.0, 1.0, 0.0);
}

static void step_setpoint(hy_key_stick *self, uint8_t direction, int64_t now_us)
{
    const hy_stick before = hy_key_stick_read(self, now_us); // the middle, if the last key is long ago
    self->speed = before.speed;
    self->turn = before.turn;
    self->key_us = now_us;
    switch (direction) {
    case HELD_UP: self->speed = stepped(self->speed, HY_STICK_STEP); break;
    case HELD_DOWN: self->speed = stepped(self->speed, -HY_STICK_STEP); break;
    case HELD_LEFT: self->turn = stepped(self->turn, HY_STICK_STEP); break;
    default: self->turn = stepped(self->turn, -HY_STICK_STEP); break;
    }
}

void hy_key_stick_centre(hy_key_stick *self)
{
    self->held = 0;
    self->speed = self->turn = 0.0;
}

bool hy_key_stick_feed(hy_key_stick *self, const hy_key_event *event, int64_t now_us)
{
    if (event->what == HY_KEYBOARD_REPORT || event->what == HY_FOCUS_OUT) {
        hy_key_stick_centre(self);
        self->releases = event->what == HY_KEYBOARD_REPORT ? event->releases : self->releases;
        return true;
    }
    const uint8_t direction = event->what <= HY_KEY_RELEASE ? direction_of(event->key) : 0;
    if (direction == 0) {
        return false;
    }
    if (event->what == HY_KEY_RELEASE) {
        self->held &= (uint8_t)~direction;
    } else if ((event->modifiers & (HY_MODIFIER_CTRL | HY_MODIFIER_ALT)) != 0) {
        return false; // Ctrl-D is not "turn right"; its release above still counts
    } else if (self->releases) {
        self->held |= direction;
    } else {
        step_setpoint(self, direction, now_us);
    }
    return true;
}

static double axis(unsigned held, unsigned plus, unsigned minus)
{
    return ((held & plus) != 0 ? 1.0 : 0.0) - ((held & minus) != 0 ? 1.0 : 0.0);
}

hy_stick hy_key_stick_read(const hy_key_stick *self, int64_t now_us)
{
    if (self->releases) {
        return (hy_stick){ axis(self->held, HELD_UP, HELD_DOWN),
                           axis(self->held, HELD_LEFT, HELD_RIGHT) };
    }
    if (now_us - self->key_us >= HY_STICK_RETURN_US) {
        return (hy_stick){ 0.0, 0.0 };
    }
    return (hy_stick){ self->speed, self->turn };
}
