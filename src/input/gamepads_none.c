// Game pads in a build without SDL2: there are none, and the reason is said.

#include <stdio.h>

#include "input.h"

bool hy_gamepads_are_built_in(void)
{
    return false;
}

hy_gamepads *hy_gamepads_open(char *why, size_t why_size)
{
    if (why != NULL) {
        snprintf(
            why,
            why_size, "this build knows no game pads: install SDL2 (Debian: libsdl2-dev) and build again, or use the page");
    }
    return NULL;
}

void hy_gamepads_close(hy_gamepads *self)
{
    (void)self;
}

unsigned hy_gamepads_update(hy_gamepads *self)
{
    (void)self;
    return 0;
}

unsigned hy_gamepads_unknown(const hy_gamepads *self)
{
    (void)self;
    return 0;
}

const char *hy_gamepads_name(const hy_gamepads *self, unsigned index)
{
    (void)self;
    (void)index;
    return NULL;
}

hy_pad hy_gamepads_read(const hy_gamepads *self, unsigned index)
{
    (void)self;
    (void)index;
    return (hy_pad){ 0 };
}
