#include "joystick_view.h"

#include <inttypes.h>

enum {
    LEFT = 2,
    BAR_COLUMN = 18,
    BAR_HALF = 16, // cells on each side of the middle
    HELP_ROW = 16,
};

static void draw_bar(screen *out, unsigned row, const char *name, int value, bool is_trigger)
{
    screen_print(out, LEFT, row, LOOK_DIM, "%s", name);
    const int cells = value * BAR_HALF / HY_ICD_FULL;
    for (int i = is_trigger ? 0 : -BAR_HALF; i <= BAR_HALF; i++) {
        const bool is_in = (cells > 0 && i > 0 && i <= cells) || (cells < 0 && i < 0 && i >= cells);
        screen_put(out, (unsigned)(BAR_COLUMN + BAR_HALF + i), row, is_in ? LOOK_BAR : LOOK_DIM,
                   i == 0  ? 0x2502
                   : is_in ? 0x2588
                           : 0x00b7);
    }
    screen_print(out, BAR_COLUMN + 2 * BAR_HALF + 3, row, LOOK_STRONG, "%5d", value);
}

static void draw_buttons(screen *out, unsigned row, const hy_icd_sticks *s)
{
    const struct {
        const char *name;
        bool down;
    } buttons[] = {
        { "A", s->a },
        { "B", s->b },
        { "X", s->x },
        { "Y", s->y },
        { "LB", s->left_bumper },
        { "RB", s->right_bumper },
        { "back", s->back },
        { "guide", s->guide },
        { "start", s->start },
        { "up", s->dpad_up },
        { "down", s->dpad_down },
        { "left", s->dpad_left },
        { "right", s->dpad_right },
    };
    unsigned column = LEFT;
    for (size_t i = 0; i < sizeof buttons / sizeof buttons[0]; i++) {
        column = screen_print(out, column, row, buttons[i].down ? LOOK_ENABLED : LOOK_DIM, " %s ",
                              buttons[i].name);
    }
}

static void draw_keys(screen *out)
{
    static const char *const lines[] = {
        "W S A D   left stick        arrows    right stick",
        "Q         left trigger (intakes)      E   right trigger (tube)",
        "K L J I   A B X Y           U O       bumpers",
        "T G F H   the cross         B         back: one hand or two",
        "Enter     start the timer   Backspace guide: reset the match",
        "Space     lets go of everything       Ctrl-C ends",
    };
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        screen_print(out, LEFT, HELP_ROW + i, LOOK_PLAIN, "%s", lines[i]);
    }
}

void joystick_view_draw(const joystick_picture *self, screen *out)
{
    const hy_icd_sticks *const s = &self->sticks;
    unsigned column = screen_print(out, LEFT, 1, LOOK_TITLE, "Player %u", self->player);
    column =
        screen_print(out, column + 2, 1, self->connected ? LOOK_GOOD : LOOK_BAD, "%s",
                     self->connected ? "● connected" : "○ disconnected: the core does not answer");
    screen_print(out, column + 2, 1, LOOK_DIM, "%s", self->source);
    draw_bar(out, 3, "left stick  x", s->left_x, false);
    draw_bar(out, 4, "            y", s->left_y, false);
    draw_bar(out, 6, "right stick x", s->right_x, false);
    draw_bar(out, 7, "            y", s->right_y, false);
    draw_bar(out, 9, "left trigger", s->left_trigger, true);
    draw_bar(out, 10, "right trigger", s->right_trigger, true);
    draw_buttons(out, 12, s);
    screen_print(out, LEFT, 14, LOOK_DIM, "%" PRIu64 " sent, %" PRIu64 " answers", self->sent,
                 self->heartbeats);
    if (self->has_keys) {
        draw_keys(out);
    }
}
