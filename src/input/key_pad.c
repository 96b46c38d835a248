// A terminal's keys as a game pad.

#include "input.h"

#define FOREVER INT64_MAX

// What a key stands for: a button, or one end of an axis.
typedef struct {
    size_t axis; // offset in hy_pad; unused for a button
    double value;
    uint32_t key, button; // button 0: an axis
} key_role;

#define AXIS(member) offsetof(hy_pad, member)

// clang-format off
static const key_role roles[] = {
    { AXIS(left_y), 1.0, 'w', 0 },             { AXIS(left_y), -1.0, 's', 0 },
    { AXIS(left_x), 1.0, 'd', 0 },             { AXIS(left_x), -1.0, 'a', 0 },
    { AXIS(right_y), 1.0, HY_KEY_UP, 0 },      { AXIS(right_y), -1.0, HY_KEY_DOWN, 0 },
    { AXIS(right_x), 1.0, HY_KEY_RIGHT, 0 },   { AXIS(right_x), -1.0, HY_KEY_LEFT, 0 },
    { AXIS(left_trigger), 1.0, 'q', 0 },       { AXIS(right_trigger), 1.0, 'e', 0 },
    { 0, 0.0, 'k', HY_PAD_A },                 { 0, 0.0, 'l', HY_PAD_B },
    { 0, 0.0, 'j', HY_PAD_X },                 { 0, 0.0, 'i', HY_PAD_Y },
    { 0, 0.0, 'u', HY_PAD_LEFT_BUMPER },       { 0, 0.0, 'o', HY_PAD_RIGHT_BUMPER },
    { 0, 0.0, 't', HY_PAD_UP },                { 0, 0.0, 'g', HY_PAD_DOWN },
    { 0, 0.0, 'f', HY_PAD_LEFT },              { 0, 0.0, 'h', HY_PAD_RIGHT },
    { 0, 0.0, 'b', HY_PAD_BACK },              { 0, 0.0, HY_KEY_ENTER, HY_PAD_START },
    { 0, 0.0, HY_KEY_BACKSPACE, HY_PAD_GUIDE },
};
// clang-format on

enum { ROLES = sizeof roles / sizeof roles[0] };
_Static_assert(ROLES <= HY_KEY_PAD_KEYS, "room for every key");

static size_t role_of(uint32_t key)
{
    size_t i = 0;
    while (i < ROLES && roles[i].key != key) {
        i++;
    }
    return i;
}

void hy_key_pad_release(hy_key_pad *self)
{
    for (size_t i = 0; i < ROLES; i++) {
        self->until_us[i] = 0;
    }
}

bool hy_key_pad_feed(hy_key_pad *self, const hy_key_event *event, int64_t now_us)
{
    if (event->what == HY_KEYBOARD_REPORT || event->what == HY_FOCUS_OUT) {
        hy_key_pad_release(self);
        self->releases = event->what == HY_KEYBOARD_REPORT ? event->releases : self->releases;
        return true;
    }
    if (event->what > HY_KEY_RELEASE) {
        return false;
    }
    if (event->key == ' ') { // the key that stops, whatever else is held down
        hy_key_pad_release(self);
        return true;
    }
    const size_t i = role_of(event->key);
    if (i == ROLES) {
        return false;
    }
    if (event->what == HY_KEY_RELEASE) {
        self->until_us[i] = 0;
    } else if ((event->modifiers & (HY_MODIFIER_CTRL | HY_MODIFIER_ALT)) != 0) {
        return false; // Ctrl-D is not "turn right"; its release above still counts
    } else {
        self->until_us[i] = self->releases ? FOREVER : now_us + HY_STICK_RETURN_US;
    }
    return true;
}

hy_pad hy_key_pad_read(const hy_key_pad *self, int64_t now_us)
{
    hy_pad pad = { 0 };
    for (size_t i = 0; i < ROLES; i++) {
        if (self->until_us[i] <= now_us) {
            continue;
        }
        if (roles[i].button != 0) {
            pad.buttons |= roles[i].button;
        } else {
            *(double *)(void *)((char *)&pad + roles[i].axis) += roles[i].value;
        }
    }
    return pad;
}

double hy_pad_deadband(double value, double deadband)
{
    const double limited = hy_clamp(value, -1.0, 1.0, 0.0);
    const double size = limited < 0.0 ? -limited : limited;
    if (size <= deadband) {
        return 0.0;
    }
    const double stretched = (size - deadband) / (1.0 - deadband);
    return limited < 0.0 ? -stretched : stretched;
}
