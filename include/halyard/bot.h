/// @file bot.h
/// The robot library: what a robot program is written with, on a PC over a link or on the
/// microcontroller itself.
///
/// Freestanding C11: no operating system, no allocation, no global state, no clock (time is an
/// argument). It computes in double on every target and gives the same bits there
/// (-ffp-contract=off, and base's elementary functions), so a controller that was tuned on a PC
/// behaves the same on the robot. SI units; angles in radians, counter-clockwise. NaN and
/// infinities are refused wherever they come in, and never reach a motor.
///
/// This header brings all of it; each of the headers below can be included alone.
///
///     static hy_xrp xrp;             // all devices of an XRP; hy_xrp_init() once
///     static hy_differential_drive drive;
///
///     static void drive_ahead(int64_t now_us)
///     {
///         hy_differential_drive_init(&drive, &xrp.motor[0], &xrp.motor[1]);
///         hy_differential_drive_arcade(&drive, 0.5, 0.0, true, now_us);
///     }
#ifndef HALYARD_BOT_H
#define HALYARD_BOT_H

#include <halyard/bot_commands.h>
#include <halyard/bot_control.h>
#include <halyard/bot_devices.h>
#include <halyard/bot_drive.h>
#include <halyard/bot_geometry.h>
#include <halyard/bot_kinematics.h>
#include <halyard/bot_loop.h>
#include <halyard/bot_trajectory.h>

#endif
