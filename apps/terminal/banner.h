/// @file banner.h
/// Words that can be read from across the room, three rows high.
#ifndef HALYARD_APPS_BANNER_H
#define HALYARD_APPS_BANNER_H

#include "screen.h"

#define BANNER_ROWS 3

/// Fills `area` with `word` in the middle of its first BANNER_ROWS rows; letters without a shape are left out.
void banner_draw(screen *out, const screen_area *area, screen_look look, const char *word);

#endif
