/// @file device.h
/// Private: whether a call was handed an initialised device of its kind. An index that is too large leads to another device of the robot,
/// or between two, where neither the compiler nor a sanitizer sees a mistake.
#ifndef HALYARD_BOT_DEVICE_H
#define HALYARD_BOT_DEVICE_H

#include <halyard/bot_devices.h>

enum { DEVICE_MOTOR = 0x6d6f746f, DEVICE_SERVO = 0x73657276, DEVICE_ENCODER = 0x656e636f };

/// Notes for hy_device_mistaken() that `call` was handed something else. Always false.
bool device_refuse(const char *call);

#define DEVICE_IS(self, its_kind) ((self)->kind == (its_kind) || device_refuse(__func__))

#endif
