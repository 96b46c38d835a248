// A motor of the Teensy swerve robot, as halsim_teensy carries it (docs/guide/extensions.md).
// Needs WPILib 2026 and C++20; nothing to link beyond WPILib.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>

#include <frc/motorcontrol/MotorController.h>
#include <hal/SimDevice.h>

#include "TeensyDevice.h"

namespace teensy {

inline constexpr std::array<std::string_view, 8> kMotors{
    "frontLeftDrive", "frontLeftAzimuth", "rearLeftDrive",   "rearLeftAzimuth",
    "rearRightDrive", "rearRightAzimuth", "frontRightDrive", "frontRightAzimuth"};

class TeensyMotor : public frc::MotorController {
 public:
  // `name` is one of kMotors, otherwise std::invalid_argument is thrown; each can be made once.
  explicit TeensyMotor(std::string_view name)
      : m_device{CreateDevice("TeensyMotor:" + Checked(name))},
        m_speed{m_device.CreateDouble("speed", hal::SimDevice::kOutput, 0.0)} {}

  // -1 .. +1; beyond that it is limited, and NaN stops the motor.
  void Set(double speed) override {
    const double limited = std::isnan(speed) ? 0.0 : std::clamp(speed, -1.0, 1.0);
    m_speed.Set(m_inverted ? -limited : limited);
  }

  double Get() const override { return m_inverted ? -m_speed.Get() : m_speed.Get(); }

  // Holds from the next Set() on.
  void SetInverted(bool isInverted) override { m_inverted = isInverted; }

  bool GetInverted() const override { return m_inverted; }

  void Disable() override { m_speed.Set(0.0); }

  void StopMotor() override { Disable(); }

 private:
  static std::string Checked(std::string_view name) {
    if (std::find(kMotors.begin(), kMotors.end(), name) == kMotors.end()) {
      throw std::invalid_argument("there is no Teensy motor '" + std::string{name} +
                                  "'; see teensy::kMotors");
    }
    return std::string{name};
  }

  hal::SimDevice m_device;
  hal::SimDouble m_speed;
  bool m_inverted = false;
};

}  // namespace teensy
