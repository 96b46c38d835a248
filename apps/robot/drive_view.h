/// @file drive_view.h
/// What somebody who drives a robot from the keyboard sees.
#ifndef HALYARD_APPS_DRIVE_VIEW_H
#define HALYARD_APPS_DRIVE_VIEW_H

#include "drive.h"

/// Draws a frame; screen_begin() came before, screen_end() comes after.
void drive_view_draw(const drive *self, screen *out);

#endif
