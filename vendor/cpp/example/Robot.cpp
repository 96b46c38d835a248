// A field-relative swerve robot for the Teensy: left stick drives, right stick turns.
#include <array>
#include <cmath>
#include <numbers>

#include <frc/Encoder.h>
#include <frc/TimedRobot.h>
#include <frc/XboxController.h>
#include <frc/kinematics/SwerveDriveKinematics.h>

#include "teensy/TeensyGyro.h"
#include "teensy/TeensyMotor.h"

// docs/spec/teensy-robot.md
constexpr double kAzimuthCountsPerTurn = 3591.84;
constexpr units::meters_per_second_t kTopSpeed = 0.8_mps;
constexpr units::radians_per_second_t kTopTurn = 2.5_rad_per_s;
// Effort that just overcomes friction, and what a metre per second takes beyond it.
constexpr double kDriveStart = 0.07;
constexpr double kDrivePerMps = 0.82;
constexpr double kAzimuthPerRad = 2.5;

struct Module {
  // `number` counts the modules: its azimuth encoder is on DIO 6/7, 10/11, ...
  Module(std::string_view driveName, std::string_view azimuthName, int number)
      : drive{driveName}, azimuth{azimuthName}, encoder{6 + 4 * number, 7 + 4 * number} {
    encoder.SetDistancePerPulse(2 * std::numbers::pi / kAzimuthCountsPerTurn);
  }

  void Set(frc::SwerveModuleState state) {
    if (units::math::abs(state.speed) < 0.005_mps) {
      drive.StopMotor();
      azimuth.StopMotor();
      return;
    }
    const frc::Rotation2d now{units::radian_t{encoder.GetDistance()}};
    state.Optimize(now);
    state.CosineScale(now);
    const double speed = state.speed.value();
    drive.Set(std::copysign(kDriveStart, speed) + kDrivePerMps * speed);
    azimuth.Set(kAzimuthPerRad * (state.angle - now).Radians().value());
  }

  teensy::TeensyMotor drive;
  teensy::TeensyMotor azimuth;
  frc::Encoder encoder;
};

class Robot : public frc::TimedRobot {
 public:
  void TeleopPeriodic() override {
    const auto speeds = frc::ChassisSpeeds::FromFieldRelativeSpeeds(
        -m_stick.GetLeftY() * kTopSpeed, -m_stick.GetLeftX() * kTopSpeed,
        -m_stick.GetRightX() * kTopTurn, m_gyro.GetRotation2d());
    auto states = m_kinematics.ToSwerveModuleStates(speeds);
    m_kinematics.DesaturateWheelSpeeds(&states, kTopSpeed);
    for (size_t i = 0; i < states.size(); i++) {
      m_modules[i].Set(states[i]);
    }
  }

 private:
  frc::XboxController m_stick{0};
  teensy::TeensyGyro m_gyro;
  std::array<Module, 4> m_modules{Module{"frontLeftDrive", "frontLeftAzimuth", 0},
                                  Module{"rearLeftDrive", "rearLeftAzimuth", 1},
                                  Module{"rearRightDrive", "rearRightAzimuth", 2},
                                  Module{"frontRightDrive", "frontRightAzimuth", 3}};
  frc::SwerveDriveKinematics<4> m_kinematics{
      frc::Translation2d{0.115_m, 0.115_m}, frc::Translation2d{-0.115_m, 0.115_m},
      frc::Translation2d{-0.115_m, -0.115_m}, frc::Translation2d{0.115_m, -0.115_m}};
};

int main() {
  return frc::StartRobot<Robot>();
}
