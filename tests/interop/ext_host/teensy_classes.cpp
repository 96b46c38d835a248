// The C++ classes of vendor/cpp over the real HAL; run_ext_square.py compiles and runs it.
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include <hal/HALBase.h>
#include <hal/simulation/SimDeviceData.h>

#include "teensy/TeensyGyro.h"
#include "teensy/TeensyMotor.h"

static int failures = 0;

static void Check(const char* name, bool holds) {
  if (!holds) {
    std::printf("wrong: %s\n", name);
    failures++;
  }
}

// What the extension sees, and a sensor's value as the extension sets it.
static hal::SimDouble Value(const char* device, const char* value) {
  return HALSIM_GetSimValueHandle(HALSIM_GetSimDeviceHandle(device), value);
}

template <typename Error>
static bool Refuses(const char* motor) {
  try {
    teensy::TeensyMotor refused{motor};
  } catch (const Error&) {
    return true;
  }
  return false;
}

static void CheckMotor() {
  teensy::TeensyMotor motor{"frontLeftDrive"};
  hal::SimDouble speed = Value("TeensyMotor:frontLeftDrive", "speed");
  motor.Set(0.5);
  Check("a speed", motor.Get() == 0.5 && speed.Get() == 0.5);
  motor.Set(7);
  Check("too fast", speed.Get() == 1);
  motor.Set(-INFINITY);
  Check("infinity", speed.Get() == -1);
  motor.Set(NAN);
  Check("NaN", speed.Get() == 0);
  motor.SetInverted(true);
  motor.Set(0.5);
  Check("inverted", motor.Get() == 0.5 && speed.Get() == -0.5);
  motor.StopMotor();
  Check("stopped", speed.Get() == 0);
  Check("made twice", Refuses<std::runtime_error>("frontLeftDrive"));
  Check("no such motor", Refuses<std::invalid_argument>("frontLeft"));
}

static void CheckGyro() {
  teensy::TeensyGyro gyro;
  Value("Gyro:TeensyGyro", "angle_z").Set(540);
  Value("Gyro:TeensyGyro", "rate_x").Set(180);
  Check("an angle", std::abs(gyro.GetAngle().value() - 3 * M_PI) < 1e-12);
  Check("a rate", std::abs(gyro.GetRateX().value() - M_PI) < 1e-12);
  gyro.Reset();
  Check("reset", gyro.GetAngleZ().value() == 0 && gyro.GetRotation2d().Radians().value() == 0);
}

int main() {
  if (!HAL_Initialize(500, 0)) {
    return 2;
  }
  CheckMotor();
  CheckGyro();
  return failures;
}
