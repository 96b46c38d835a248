/// @file halyard.h
/// Everything that a robot program needs: robots' devices, drives and controllers, the program that
/// calls them, the blocking functions for beginners, game pads, and the link to a robot for
/// programs that run a loop of their own.
///
///     static hy_xrp xrp;
///     static void ahead(void *context, int64_t now_us)
///     {
///         (void)context;
///         hy_motor_set(&xrp.motor[0], 0.5, now_us);
///         hy_motor_set(&xrp.motor[1], 0.5, now_us);
///     }
///     static const hy_program program = {
///         .name = "ahead",
///         .robots = { { .xrp = &xrp } },
///         .loop = { .mode = { [HY_MODE_TELEOP] = { .periodic = ahead } } },
///     };
///     HY_PROGRAM_MAIN(program)
#ifndef HALYARD_HALYARD_H
#define HALYARD_HALYARD_H

#include <halyard/bot.h>
#include <halyard/controls.h>
#include <halyard/program.h>
#include <halyard/robot.h>
#include <halyard/robots.h>
#include <halyard/simple.h>

#endif
