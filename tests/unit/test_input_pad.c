// Keys as a game pad, and game pads that SDL2 makes up.

#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "input/input.h"

static hy_key_event press(uint32_t key)
{
    return (hy_key_event){ .what = HY_KEY_PRESS, .key = key };
}

static void feed(hy_key_pad *pad, hy_key_what what, uint32_t key, int64_t now_us)
{
    const hy_key_event event = { .what = what, .key = key };
    assert_true(hy_key_pad_feed(pad, &event, now_us));
}

static void assert_pad(const hy_pad *got, const hy_pad *wanted)
{
    assert_true(got->left_x == wanted->left_x && got->left_y == wanted->left_y);
    assert_true(got->right_x == wanted->right_x && got->right_y == wanted->right_y);
    assert_true(got->left_trigger == wanted->left_trigger);
    assert_true(got->right_trigger == wanted->right_trigger);
    assert_int_equal(got->buttons, wanted->buttons);
}

static void every_key_has_its_place(void **state)
{
    (void)state;
    static const struct {
        uint32_t key;
        hy_pad pad;
    } expected[] = {
        { 'w', { .left_y = 1 } },
        { 's', { .left_y = -1 } },
        { 'd', { .left_x = 1 } },
        { 'a', { .left_x = -1 } },
        { HY_KEY_UP, { .right_y = 1 } },
        { HY_KEY_DOWN, { .right_y = -1 } },
        { HY_KEY_RIGHT, { .right_x = 1 } },
        { HY_KEY_LEFT, { .right_x = -1 } },
        { 'q', { .left_trigger = 1 } },
        { 'e', { .right_trigger = 1 } },
        { 'k', { .buttons = HY_PAD_A } },
        { 'l', { .buttons = HY_PAD_B } },
        { 'j', { .buttons = HY_PAD_X } },
        { 'i', { .buttons = HY_PAD_Y } },
        { 'u', { .buttons = HY_PAD_LEFT_BUMPER } },
        { 'o', { .buttons = HY_PAD_RIGHT_BUMPER } },
        { 't', { .buttons = HY_PAD_UP } },
        { 'g', { .buttons = HY_PAD_DOWN } },
        { 'f', { .buttons = HY_PAD_LEFT } },
        { 'h', { .buttons = HY_PAD_RIGHT } },
        { 'b', { .buttons = HY_PAD_BACK } },
        { HY_KEY_ENTER, { .buttons = HY_PAD_START } },
        { HY_KEY_BACKSPACE, { .buttons = HY_PAD_GUIDE } },
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        hy_key_pad pad = { 0 };
        feed(&pad, HY_KEY_PRESS, expected[i].key, 1000);
        const hy_pad got = hy_key_pad_read(&pad, 2000);
        assert_pad(&got, &expected[i].pad);
    }
    hy_key_pad pad = { 0 };
    const hy_key_event other = press('p');
    assert_false(hy_key_pad_feed(&pad, &other, 0));
    assert_false(hy_key_pad_feed(&pad, &(hy_key_event){ .what = HY_FOCUS_IN, .key = 'w' }, 0));
    assert_true(hy_key_pad_read(&pad, 0).left_y == 0.0);
}

static void without_releases_a_key_lets_go_by_itself(void **state)
{
    (void)state;
    hy_key_pad pad = { 0 };
    feed(&pad, HY_KEY_PRESS, 'w', 0);
    assert_true(hy_key_pad_read(&pad, HY_STICK_RETURN_US - 1).left_y == 1.0);
    assert_true(hy_key_pad_read(&pad, HY_STICK_RETURN_US).left_y == 0.0);
    feed(&pad, HY_KEY_REPEAT, 'w', 500000);
    assert_true(hy_key_pad_read(&pad, 500000 + HY_STICK_RETURN_US - 1).left_y == 1.0);
}

static void with_releases_a_key_counts_while_it_is_held(void **state)
{
    (void)state;
    hy_key_pad pad = { 0 };
    const hy_key_event report = { .what = HY_KEYBOARD_REPORT, .releases = true };
    assert_true(hy_key_pad_feed(&pad, &report, 0));
    feed(&pad, HY_KEY_PRESS, 'w', 0);
    feed(&pad, HY_KEY_PRESS, 's', 0);
    assert_true(hy_key_pad_read(&pad, 1000000000).left_y == 0.0); // against each other
    feed(&pad, HY_KEY_RELEASE, 's', 5);
    assert_true(hy_key_pad_read(&pad, 1000000000).left_y == 1.0);
    feed(&pad, HY_KEY_RELEASE, 'w', 6);
    assert_true(hy_key_pad_read(&pad, 7).left_y == 0.0);
}

static void what_stops_lets_go_of_everything(void **state)
{
    (void)state;
    static const hy_key_event stops[] = {
        { .what = HY_KEY_PRESS, .key = ' ' },
        { .what = HY_FOCUS_OUT },
    };
    for (size_t i = 0; i < 2; i++) {
        hy_key_pad pad = { .releases = true };
        feed(&pad, HY_KEY_PRESS, 'w', 0);
        feed(&pad, HY_KEY_PRESS, 'k', 0);
        assert_true(hy_key_pad_feed(&pad, &stops[i], 1));
        const hy_pad got = hy_key_pad_read(&pad, 2), none = { 0 };
        assert_pad(&got, &none);
    }
}

static void ctrl_and_a_letter_is_not_the_letter(void **state)
{
    (void)state;
    hy_key_pad pad = { 0 };
    const hy_key_event event = { .what = HY_KEY_PRESS, .key = 'd', .modifiers = HY_MODIFIER_CTRL };
    assert_false(hy_key_pad_feed(&pad, &event, 0));
    assert_true(hy_key_pad_read(&pad, 1).left_x == 0.0);
}

static void the_deadband_is_cut_out_and_the_rest_reaches_the_ends(void **state)
{
    (void)state;
    assert_true(hy_pad_deadband(0.1, 0.1) == 0.0);
    assert_true(hy_pad_deadband(-0.1, 0.1) == 0.0);
    assert_true(hy_pad_deadband(1.0, 0.1) == 1.0);
    assert_true(hy_pad_deadband(-7.0, 0.1) == -1.0);
    assert_true(fabs(hy_pad_deadband(0.55, 0.1) - 0.5) < 1e-15);
    assert_true(hy_pad_deadband((double)NAN, 0.1) == 0.0);
}

#ifdef HALYARD_HAS_SDL2
#include <SDL2/SDL.h>

// SDL2 itself offers pads that a program makes up: everything but the cable is real.
static void a_pad_is_plugged_in_used_and_pulled_out(void **state)
{
    (void)state;
    char why[128] = "";
    hy_gamepads *const pads = hy_gamepads_open(why, sizeof why);
    assert_non_null(pads);
    const unsigned before = hy_gamepads_update(pads);
    const int device = SDL_JoystickAttachVirtual(
        SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX, SDL_CONTROLLER_BUTTON_MAX, 0);
    assert_true(device >= 0);
    assert_int_equal(hy_gamepads_update(pads), before + 1);
    unsigned index = 0;
    while (index < HY_GAMEPADS_MAX && hy_gamepads_name(pads, index) == NULL) {
        index++;
    }
    assert_true(index < HY_GAMEPADS_MAX);
    SDL_Joystick *const joystick = SDL_JoystickOpen(device);
    assert_non_null(joystick);
    SDL_JoystickSetVirtualAxis(joystick, SDL_CONTROLLER_AXIS_LEFTY, -32768);
    SDL_JoystickSetVirtualAxis(joystick, SDL_CONTROLLER_AXIS_RIGHTX, 1000); // within the deadband
    SDL_JoystickSetVirtualButton(joystick, SDL_CONTROLLER_BUTTON_START, 1);
    SDL_JoystickSetVirtualButton(joystick, SDL_CONTROLLER_BUTTON_DPAD_LEFT, 1);
    hy_gamepads_update(pads);
    const hy_pad pad = hy_gamepads_read(pads, index);
    assert_true(pad.left_y == 1.0);
    assert_true(pad.right_x == 0.0);
    assert_int_equal(pad.buttons, HY_PAD_START | HY_PAD_LEFT);
    SDL_JoystickClose(joystick);
    SDL_JoystickDetachVirtual(device);
    assert_int_equal(hy_gamepads_update(pads), before);
    assert_null(hy_gamepads_name(pads, index));
    const hy_pad gone = hy_gamepads_read(pads, index), none = { 0 };
    assert_pad(&gone, &none);
    hy_gamepads_close(pads);
}

// Axes of `pad`, a virtual one that was opened for its hands, and what is read of it then.
static hy_pad read_axes(hy_gamepads *pads, SDL_Joystick *pad, int left_y, int right_x, int trigger)
{
    SDL_JoystickSetVirtualAxis(pad, SDL_CONTROLLER_AXIS_LEFTY, (Sint16)left_y);
    SDL_JoystickSetVirtualAxis(pad, SDL_CONTROLLER_AXIS_RIGHTX, (Sint16)right_x);
    SDL_JoystickSetVirtualAxis(pad, SDL_CONTROLLER_AXIS_TRIGGERLEFT, (Sint16)trigger);
    hy_gamepads_update(pads);
    unsigned index = 0;
    while (index < HY_GAMEPADS_MAX && hy_gamepads_name(pads, index) == NULL) {
        index++;
    }
    return hy_gamepads_read(pads, index);
}

static int attach_held(SDL_Joystick **held)
{
    const int device = SDL_JoystickAttachVirtual(
        SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX, SDL_CONTROLLER_BUTTON_MAX, 0);
    assert_true(device >= 0);
    *held = SDL_JoystickOpen(device);
    assert_non_null(*held);
    return device;
}

static void an_axis_that_rests_off_zero_is_no_stick(void **state)
{
    (void)state;
    hy_gamepads *const pads = hy_gamepads_open(NULL, 0);
    assert_non_null(pads);
    if (hy_gamepads_update(pads) > 0) {
        hy_gamepads_close(pads);
        skip(); // a real pad would be read instead
    }
    const hy_pad none = { 0 };
    for (int time = 0; time < 2; time++) { // plugged in, and plugged in again
        SDL_Joystick *pad;
        const int device = attach_held(&pad);
        hy_pad got = read_axes(pads, pad, -32768, 20000, 0); // a trigger's 0 is its middle
        assert_pad(&got, &none);
        got = read_axes(pads, pad, -20000, 32767, 32767);
        assert_pad(&got, &none);
        got = read_axes(pads, pad, 1000, 32767, -32768); // each by itself
        assert_pad(&got, &none);
        got = read_axes(pads, pad, -32768, 32767, 32767);
        const hy_pad driven = { .left_y = 1.0, .left_trigger = 1.0 };
        assert_pad(&got, &driven);
        SDL_JoystickDetachVirtual(device); // while the stick is held
        hy_gamepads_update(pads);
        got = read_axes(pads, pad, 32767, 0, 0);
        assert_pad(&got, &none);
        SDL_JoystickClose(pad);
    }
    hy_gamepads_close(pads);
}

// A flight stick: SDL2 does not know which of its axes are sticks.
static void a_joystick_that_is_no_game_pad_is_not_read(void **state)
{
    (void)state;
    hy_gamepads *const pads = hy_gamepads_open(NULL, 0);
    assert_non_null(pads);
    const unsigned before = hy_gamepads_update(pads);
    const int device = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_FLIGHT_STICK, 6, 16, 1);
    assert_true(device >= 0);
    assert_int_equal(hy_gamepads_update(pads), before);
    assert_int_equal(hy_gamepads_unknown(pads), 1);
    SDL_JoystickDetachVirtual(device);
    assert_int_equal(hy_gamepads_unknown(pads), 0);
    hy_gamepads_close(pads);
}
#else
static void a_build_without_pads_says_so(void **state)
{
    (void)state;
    char why[128] = "";
    assert_null(hy_gamepads_open(why, sizeof why));
    assert_non_null(strstr(why, "SDL2"));
    assert_false(hy_gamepads_are_built_in());
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_has_its_place),
        cmocka_unit_test(without_releases_a_key_lets_go_by_itself),
        cmocka_unit_test(with_releases_a_key_counts_while_it_is_held),
        cmocka_unit_test(what_stops_lets_go_of_everything),
        cmocka_unit_test(ctrl_and_a_letter_is_not_the_letter),
        cmocka_unit_test(the_deadband_is_cut_out_and_the_rest_reaches_the_ends),
#ifdef HALYARD_HAS_SDL2
        cmocka_unit_test(a_pad_is_plugged_in_used_and_pulled_out),
        cmocka_unit_test(an_axis_that_rests_off_zero_is_no_stick),
        cmocka_unit_test(a_joystick_that_is_no_game_pad_is_not_read),
#else
        cmocka_unit_test(a_build_without_pads_says_so),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
