/// @file tank.h
/// A competition robot: wheels on both sides that turn together, intakes in front and a tube that carries
/// pieces through it to the rear. docs/spec/world.md has its numbers.
#ifndef HY_WORLD_TANK_H
#define HY_WORLD_TANK_H

#include "drive.h"

/// Its motors: the two sides of its drive, then the intakes and the tube.
#define HY_TANK_INTAKES 2 ///< The first of these.
#define HY_TANK_MOTORS  6

typedef struct {
    hy_world_tank facts;
    hy_drive_model drive;              ///< Of HY_WORLD_DRIVE_DCMOTOR.
    double full_rad_s[HY_TANK_MOTORS]; ///< As commanded by a duty of 1.
    double scrub_rad_s;                ///< Of turning, that sliding wheels take in a step.
} hy_tank_model;

#endif
