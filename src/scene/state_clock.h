/// @file state_clock.h
/// The simulation's time of a state, from the times at which states arrive.
///
/// The interface document's states carry no time. The simulator sends one every step, so their times are a whole number of steps
/// apart, whatever network and scheduling add to each arrival. A page that draws between states needs the steps, not the arrivals:
/// a millisecond too late in ten is a tenth too slow on the screen.
#ifndef HALYARD_STATE_CLOCK_H
#define HALYARD_STATE_CLOCK_H

#include "scene.h"

/// A state arrived at `arrived_us`, microseconds of any clock. Returns its time on that clock: whole steps of `step_us` behind the one
/// before, corrected by a twentieth of what is left of the difference to the arrival. After a difference of 50 ms it begins anew.
/// Never earlier than the state before. O(1).
double hy_state_clock_receive(hy_state_clock *self, int64_t arrived_us, int64_t step_us);

#endif
