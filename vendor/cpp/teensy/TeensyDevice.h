// What TeensyMotor and TeensyGyro share.
#pragma once

#include <stdexcept>
#include <string>

#include <hal/SimDevice.h>

namespace teensy {

// Throws std::runtime_error if the device exists already or this is not a simulation.
inline hal::SimDevice CreateDevice(const std::string& name) {
  hal::SimDevice device{name.c_str()};
  if (!device) {
    throw std::runtime_error(
        name + " cannot be made: it exists already, or this is not a simulation");
  }
  device.CreateBoolean("init", hal::SimDevice::kOutput, true);
  return device;
}

}  // namespace teensy
