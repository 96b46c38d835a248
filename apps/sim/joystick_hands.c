#include "joystick_hands.h"

#include <math.h>
#include <stdio.h>

#include "options/options.h"
#include "script_file.h"
#include "system/system_terminal.h"
#include "text/text_plain.h"

#define NO_PAD "no game pad yet: plug one in"

static int full(double share)
{
    return (int)lround(share * HY_ICD_FULL);
}

static hy_icd_sticks sticks_of(const hy_pad *pad)
{
    const uint32_t b = pad->buttons;
    return (hy_icd_sticks){
        .left_x = full(pad->left_x),
        .left_y = full(pad->left_y),
        .right_x = full(pad->right_x),
        .right_y = full(pad->right_y),
        .left_trigger = full(pad->left_trigger),
        .right_trigger = full(pad->right_trigger),
        .dpad_up = (b & HY_PAD_UP) != 0,
        .dpad_down = (b & HY_PAD_DOWN) != 0,
        .dpad_left = (b & HY_PAD_LEFT) != 0,
        .dpad_right = (b & HY_PAD_RIGHT) != 0,
        .left_bumper = (b & HY_PAD_LEFT_BUMPER) != 0,
        .right_bumper = (b & HY_PAD_RIGHT_BUMPER) != 0,
        .a = (b & HY_PAD_A) != 0,
        .b = (b & HY_PAD_B) != 0,
        .x = (b & HY_PAD_X) != 0,
        .y = (b & HY_PAD_Y) != 0,
        .back = (b & HY_PAD_BACK) != 0,
        .start = (b & HY_PAD_START) != 0,
        .guide = (b & HY_PAD_GUIDE) != 0,
    };
}

// The pad that was asked for, as --list counts them, or the first.
static hy_pad read_pad(joystick_hands *self)
{
    hy_gamepads_update(self->pads);
    unsigned number = 0;
    for (unsigned i = 0; i < HY_GAMEPADS_MAX; i++) {
        const char *const name = hy_gamepads_name(self->pads, i);
        if (name != NULL && (++number == self->wishes.pad || self->wishes.pad == 0)) {
            self->source = name;
            return hy_gamepads_read(self->pads, i);
        }
    }
    self->source = NO_PAD;
    return (hy_pad){ 0 };
}

// The keyboard, as long as no pad is plugged in.
static hy_pad read_terminal(joystick_hands *self, int64_t now_us)
{
    const bool has_pad = self->pads != NULL && hy_gamepads_update(self->pads) > 0;
    self->has_keys = !has_pad;
    if (has_pad) {
        return read_pad(self);
    }
    self->source = "keyboard";
    return hy_key_pad_read(&self->keys, now_us);
}

hy_icd_sticks joystick_hands_read(joystick_hands *self, int64_t now_us, double t_s)
{
    if (self->from == FROM_SCRIPT) {
        return hy_player_script_at(&self->script, t_s);
    }
    const hy_pad pad = self->from == FROM_PAD ? read_pad(self) : read_terminal(self, now_us);
    return sticks_of(&pad);
}

bool joystick_hands_open(joystick_hands *self, const char *command, const joystick_wishes *wishes)
{
    char why[200] = "";
    self->wishes = *wishes;
    if (wishes->script != NULL) {
        self->from = FROM_SCRIPT;
        self->source = wishes->script;
        const bool ok = script_file_load(&self->script, wishes->script,
                                         (hy_player_error){ why, sizeof why }) == HY_OK;
        if (!ok) {
            hy_print_error(command, "%s", why);
        }
        return ok;
    }
    const bool has_terminal = hy_terminal_is_there();
    self->pads = wishes->keys ? NULL : hy_gamepads_open(why, sizeof why);
    self->from = wishes->keys || (wishes->pad == 0 && has_terminal) ? FROM_TERMINAL : FROM_PAD;
    if (self->from == FROM_PAD && self->pads == NULL) {
        hy_print_error(
            command,
            "there is nothing to play with: %s; or start it in a terminal, or give a --script", why);
    } else if (self->from == FROM_TERMINAL && !has_terminal) {
        hy_print_error(command, "--keys needs a terminal");
    } else {
        (void)joystick_hands_read(self, 0, 0.0); // names the pad
    }
    return self->from == FROM_PAD ? self->pads != NULL : has_terminal;
}

void joystick_hands_close(joystick_hands *self)
{
    hy_gamepads_close(self->pads);
    hy_player_script_free(&self->script);
}

bool joystick_hands_list(const char *command)
{
    char why[200] = "";
    hy_gamepads *const pads = hy_gamepads_open(why, sizeof why);
    if (pads == NULL) {
        hy_print_error(command, "%s", why);
        return false;
    }
    unsigned number = 0;
    hy_gamepads_update(pads);
    for (unsigned i = 0; i < HY_GAMEPADS_MAX; i++) {
        if (hy_gamepads_name(pads, i) != NULL) {
            hy_print(stdout, "%u: %s\n", ++number, hy_gamepads_name(pads, i));
        }
    }
    if (number == 0) {
        printf("no game pad is plugged in\n");
    }
    if (hy_gamepads_unknown(pads) > 0) {
        printf("joysticks whose layout SDL2 does not know: %u; SDL_GAMECONTROLLERCONFIG in the "
               "environment can describe them\n",
               hy_gamepads_unknown(pads));
    }
    hy_gamepads_close(pads);
    return true;
}
