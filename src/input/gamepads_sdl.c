// Game pads through SDL2's GameController, which has a mapping for every pad in the field.
#include <halyard/input.h>

#include <SDL2/SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hy_gamepads {
    SDL_GameController *pad[HY_GAMEPADS_MAX]; // NULL: free
    SDL_JoystickID id[HY_GAMEPADS_MAX];
};

bool hy_gamepads_are_built_in(void)
{
    return true;
}

static void explain(char *why, size_t why_size)
{
    if (why != NULL) {
        snprintf(why, why_size, "SDL2 says: %s", SDL_GetError());
    }
}

hy_gamepads *hy_gamepads_open(char *why, size_t why_size)
{
    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1"); // there is no window to be in front
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    SDL_SetMainReady();
    if (SDL_Init(SDL_INIT_GAMECONTROLLER) != 0) {
        explain(why, why_size);
        return NULL;
    }
    hy_gamepads *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        if (why != NULL) {
            snprintf(why, why_size, "there is not enough memory");
        }
        SDL_Quit();
    }
    return self;
}

static void drop_pad(hy_gamepads *self, unsigned index)
{
    SDL_GameControllerClose(self->pad[index]);
    self->pad[index] = NULL;
}

void hy_gamepads_close(hy_gamepads *self)
{
    if (self == NULL) {
        return;
    }
    for (unsigned i = 0; i < HY_GAMEPADS_MAX; i++) {
        if (self->pad[i] != NULL) {
            drop_pad(self, i);
        }
    }
    free(self);
    SDL_Quit();
}

static unsigned find_pad(const hy_gamepads *self, SDL_JoystickID id)
{
    unsigned i = 0;
    while (i < HY_GAMEPADS_MAX && (self->pad[i] == NULL || self->id[i] != id)) {
        i++;
    }
    return i;
}

static void take_in(hy_gamepads *self, int device)
{
    unsigned place = 0;
    while (place < HY_GAMEPADS_MAX && self->pad[place] != NULL) {
        place++;
    }
    const SDL_JoystickID id = SDL_JoystickGetDeviceInstanceID(device);
    if (place == HY_GAMEPADS_MAX || !SDL_IsGameController(device) ||
        find_pad(self, id) < HY_GAMEPADS_MAX) {
        return;
    }
    self->pad[place] = SDL_GameControllerOpen(device);
    self->id[place] = id;
}

unsigned hy_gamepads_update(hy_gamepads *self)
{
    SDL_GameControllerUpdate();
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT); // the state is asked for, nobody reads the queue
    unsigned count = 0;
    for (unsigned i = 0; i < HY_GAMEPADS_MAX; i++) {
        if (self->pad[i] != NULL && !SDL_GameControllerGetAttached(self->pad[i])) {
            drop_pad(self, i);
        }
    }
    for (int device = 0; device < SDL_NumJoysticks(); device++) {
        take_in(self, device);
    }
    for (unsigned i = 0; i < HY_GAMEPADS_MAX; i++) {
        count += self->pad[i] != NULL;
    }
    return count;
}

const char *hy_gamepads_name(const hy_gamepads *self, unsigned index)
{
    if (index >= HY_GAMEPADS_MAX || self->pad[index] == NULL) {
        return NULL;
    }
    const char *const name = SDL_GameControllerName(self->pad[index]);
    return name != NULL ? name : "a game pad without a name";
}

static double axis(SDL_GameController *pad, SDL_GameControllerAxis which, double deadband)
{
    return hy_pad_deadband(SDL_GameControllerGetAxis(pad, which) / 32767.0, deadband);
}

static uint32_t buttons_of(SDL_GameController *pad)
{
    static const SDL_GameControllerButton of[] = {
        // in the order of HY_PAD_A ...
        SDL_CONTROLLER_BUTTON_A,
        SDL_CONTROLLER_BUTTON_B,
        SDL_CONTROLLER_BUTTON_X,
        SDL_CONTROLLER_BUTTON_Y,
        SDL_CONTROLLER_BUTTON_BACK,
        SDL_CONTROLLER_BUTTON_GUIDE,
        SDL_CONTROLLER_BUTTON_START,
        SDL_CONTROLLER_BUTTON_LEFTSHOULDER,
        SDL_CONTROLLER_BUTTON_RIGHTSHOULDER,
        SDL_CONTROLLER_BUTTON_DPAD_UP,
        SDL_CONTROLLER_BUTTON_DPAD_DOWN,
        SDL_CONTROLLER_BUTTON_DPAD_LEFT,
        SDL_CONTROLLER_BUTTON_DPAD_RIGHT,
    };
    uint32_t buttons = 0;
    for (unsigned i = 0; i < sizeof of / sizeof of[0]; i++) {
        buttons |= SDL_GameControllerGetButton(pad, of[i]) != 0 ? 1u << i : 0u;
    }
    return buttons;
}

hy_pad hy_gamepads_read(const hy_gamepads *self, unsigned index)
{
    if (index >= HY_GAMEPADS_MAX || self->pad[index] == NULL) {
        return (hy_pad){ 0 };
    }
    SDL_GameController *const pad = self->pad[index];
    return (hy_pad){
        // SDL's y points down
        .left_x = axis(pad, SDL_CONTROLLER_AXIS_LEFTX, HY_PAD_DEADBAND),
        .left_y = -axis(pad, SDL_CONTROLLER_AXIS_LEFTY, HY_PAD_DEADBAND),
        .right_x = axis(pad, SDL_CONTROLLER_AXIS_RIGHTX, HY_PAD_DEADBAND),
        .right_y = -axis(pad, SDL_CONTROLLER_AXIS_RIGHTY, HY_PAD_DEADBAND),
        .left_trigger = axis(pad, SDL_CONTROLLER_AXIS_TRIGGERLEFT, 0.0),
        .right_trigger = axis(pad, SDL_CONTROLLER_AXIS_TRIGGERRIGHT, 0.0),
        .buttons = buttons_of(pad),
    };
}
