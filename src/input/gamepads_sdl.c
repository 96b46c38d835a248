// Game pads through SDL2's GameController, which has a mapping for every pad in the field. SDL2 is loaded when a pad is asked for:
// linked, it and the libraries behind it cost 7.5 of the 9.6 million instructions in which any program starts.

#include <SDL2/SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "system/system.h"

// What is called of it, here without its SDL_.
#define SDL_FUNCTIONS(X)           \
    X(FlushEvents)                 \
    X(GameControllerClose)         \
    X(GameControllerGetAttached)   \
    X(GameControllerGetAxis)       \
    X(GameControllerGetButton)     \
    X(GameControllerName)          \
    X(GameControllerOpen)          \
    X(GameControllerUpdate)        \
    X(GetError)                    \
    X(Init)                        \
    X(IsGameController)            \
    X(JoystickGetDeviceInstanceID) \
    X(NumJoysticks)                \
    X(Quit)                        \
    X(SetHint)                     \
    X(SetMainReady)

static struct {
#define MEMBER(name) __typeof__(SDL_##name) *name;
    SDL_FUNCTIONS(MEMBER)
#undef MEMBER
} sdl;

// It stays loaded: drivers that it has loaded in turn do not all survive being unloaded.
static bool load_sdl(char *why, size_t why_size)
{
    if (sdl.Init != NULL) {
        return true;
    }
    void *const library = hy_library_open(HALYARD_SDL2_LIBRARY);
    bool ok = library != NULL;
#define FIND(name) \
    ok = ok && hy_library_find(library, "SDL_" #name, (hy_library_function **)&sdl.name);
    SDL_FUNCTIONS(FIND)
#undef FIND
    if (!ok) {
        sdl.Init = NULL;
        if (why != NULL) {
            snprintf(why, why_size, "SDL2 cannot be loaded: %s", hy_library_error());
        }
    }
    return ok;
}

struct hy_gamepads {
    SDL_GameController *pad[HY_GAMEPADS_MAX]; // NULL: free
    SDL_JoystickID id[HY_GAMEPADS_MAX];
    bool has_rested[HY_GAMEPADS_MAX][SDL_CONTROLLER_AXIS_MAX]; // else it may rest off zero
};

bool hy_gamepads_are_built_in(void)
{
    return true;
}

static void explain(char *why, size_t why_size)
{
    if (why != NULL) {
        snprintf(why, why_size, "SDL2 says: %s", sdl.GetError());
    }
}

hy_gamepads *hy_gamepads_open(char *why, size_t why_size)
{
    if (!load_sdl(why, why_size)) {
        return NULL;
    }
    sdl.SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1"); // there is no window to be in front
    sdl.SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    sdl.SetMainReady();
    if (sdl.Init(SDL_INIT_GAMECONTROLLER) != 0) {
        explain(why, why_size);
        return NULL;
    }
    hy_gamepads *const self = calloc(1, sizeof *self);
    if (self == NULL) {
        if (why != NULL) {
            snprintf(why, why_size, "there is not enough memory");
        }
        sdl.Quit();
    }
    return self;
}

static void drop_pad(hy_gamepads *self, unsigned index)
{
    sdl.GameControllerClose(self->pad[index]);
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
    sdl.Quit();
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
    const SDL_JoystickID id = sdl.JoystickGetDeviceInstanceID(device);
    if (place == HY_GAMEPADS_MAX || !sdl.IsGameController(device) ||
        find_pad(self, id) < HY_GAMEPADS_MAX) {
        return;
    }
    self->pad[place] = sdl.GameControllerOpen(device);
    self->id[place] = id;
    memset(self->has_rested[place], 0, sizeof self->has_rested[place]);
}

static double axis(SDL_GameController *pad, int which, double deadband)
{
    return hy_pad_deadband(sdl.GameControllerGetAxis(pad, which) / 32767.0, deadband);
}

static void note_rest(hy_gamepads *self, unsigned index)
{
    for (int i = 0; i < SDL_CONTROLLER_AXIS_MAX; i++) {
        bool *const has_rested = &self->has_rested[index][i];
        *has_rested = *has_rested || axis(self->pad[index], i, HY_PAD_DEADBAND) == 0.0;
    }
}

unsigned hy_gamepads_update(hy_gamepads *self)
{
    for (int device = 0; device < sdl.NumJoysticks(); device++) {
        take_in(self, device); // before the update: until then its axes seem to be at rest
    }
    sdl.GameControllerUpdate();
    sdl.FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT); // the state is asked for, nobody reads the queue
    unsigned count = 0;
    for (unsigned i = 0; i < HY_GAMEPADS_MAX; i++) {
        if (self->pad[i] != NULL && !sdl.GameControllerGetAttached(self->pad[i])) {
            drop_pad(self, i);
        } else if (self->pad[i] != NULL) {
            note_rest(self, i);
            count++;
        }
    }
    return count;
}

unsigned hy_gamepads_unknown(const hy_gamepads *self)
{
    (void)self;
    unsigned count = 0;
    for (int device = 0; device < sdl.NumJoysticks(); device++) {
        count += !sdl.IsGameController(device);
    }
    return count;
}

const char *hy_gamepads_name(const hy_gamepads *self, unsigned index)
{
    if (index >= HY_GAMEPADS_MAX || self->pad[index] == NULL) {
        return NULL;
    }
    const char *const name = sdl.GameControllerName(self->pad[index]);
    return name != NULL ? name : "a game pad without a name";
}

static double rested_axis(const hy_gamepads *self, unsigned index, int which, double deadband)
{
    return self->has_rested[index][which] ? axis(self->pad[index], which, deadband) : 0.0;
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
        buttons |= sdl.GameControllerGetButton(pad, of[i]) != 0 ? 1u << i : 0u;
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
        .left_x = rested_axis(self, index, SDL_CONTROLLER_AXIS_LEFTX, HY_PAD_DEADBAND),
        .left_y = -rested_axis(self, index, SDL_CONTROLLER_AXIS_LEFTY, HY_PAD_DEADBAND),
        .right_x = rested_axis(self, index, SDL_CONTROLLER_AXIS_RIGHTX, HY_PAD_DEADBAND),
        .right_y = -rested_axis(self, index, SDL_CONTROLLER_AXIS_RIGHTY, HY_PAD_DEADBAND),
        .left_trigger = rested_axis(self, index, SDL_CONTROLLER_AXIS_TRIGGERLEFT, 0.0),
        .right_trigger = rested_axis(self, index, SDL_CONTROLLER_AXIS_TRIGGERRIGHT, 0.0),
        .buttons = buttons_of(pad),
    };
}
