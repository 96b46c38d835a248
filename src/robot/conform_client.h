/// @file conform_client.h
/// Private: what the run of a program under test and its grades share.
#ifndef HALYARD_ROBOT_CONFORM_CLIENT_PRIVATE_H
#define HALYARD_ROBOT_CONFORM_CLIENT_PRIVATE_H

#include "robot_conform_client.h"

#define CONFORM_STOP_COPIES 2
#define CONFORM_TOLD_US     2000000 // in which a program that was told to enable has to

/// When the robot spoke again after its silence.
int64_t conform_client_back_since(const hy_conform_client *self);

/// Whether all damaged statuses were sent.
bool conform_client_is_damage_done(const hy_conform_client *self);

#endif
