// The gyro of the Teensy swerve robot, as halsim_teensy carries it (docs/guide/extensions.md).
// Needs WPILib 2026 and C++20; nothing to link beyond WPILib.
#pragma once

#include <frc/geometry/Rotation2d.h>
#include <hal/SimDevice.h>
#include <units/angle.h>
#include <units/angular_velocity.h>

#include "TeensyDevice.h"

namespace teensy {

// Counter-clockwise is positive; angles go on past a turn. The robot has one.
class TeensyGyro {
 public:
  units::radian_t GetAngle() const { return GetAngleZ(); }
  units::radian_t GetAngleX() const { return m_x.Angle(); }
  units::radian_t GetAngleY() const { return m_y.Angle(); }
  units::radian_t GetAngleZ() const { return m_z.Angle(); }

  units::radians_per_second_t GetRate() const { return GetRateZ(); }
  units::radians_per_second_t GetRateX() const { return m_x.Rate(); }
  units::radians_per_second_t GetRateY() const { return m_y.Rate(); }
  units::radians_per_second_t GetRateZ() const { return m_z.Rate(); }

  frc::Rotation2d GetRotation2d() const { return frc::Rotation2d{GetAngleZ()}; }

  // Takes the present angles as zero.
  void Reset() {
    m_x.Reset();
    m_y.Reset();
    m_z.Reset();
  }

 private:
  struct Axis {
    Axis(hal::SimDevice& device, const char* rateName, const char* angleName)
        : rate{device.CreateDouble(rateName, hal::SimDevice::kInput, 0.0)},
          angle{device.CreateDouble(angleName, hal::SimDevice::kInput, 0.0)} {}

    units::radian_t Angle() const { return units::degree_t{angle.Get() - zero_deg}; }
    units::radians_per_second_t Rate() const { return units::degrees_per_second_t{rate.Get()}; }
    void Reset() { zero_deg = angle.Get(); }

    hal::SimDouble rate;
    hal::SimDouble angle;
    double zero_deg = 0;
  };

  hal::SimDevice m_device = CreateDevice("Gyro:TeensyGyro");
  Axis m_x{m_device, "rate_x", "angle_x"};
  Axis m_y{m_device, "rate_y", "angle_y"};
  Axis m_z{m_device, "rate_z", "angle_z"};
};

}  // namespace teensy
