"""The Teensy swerve robot's devices for RobotPy, as halsim_teensy carries them (docs/guide/extensions.md).

Copy this file next to robot.py. Encoders, digital and analog channels are wpilib's own classes.
"""

import math

import hal
from wpilib.interfaces import MotorController
from wpimath.geometry import Rotation2d

MOTORS = tuple(
    f"{corner}{part}"
    for corner in ("frontLeft", "rearLeft", "rearRight", "frontRight")
    for part in ("Drive", "Azimuth")
)


def _create_device(name):
    device = hal.SimDevice(name)
    if not device:
        raise RuntimeError(f"{name} cannot be made: it exists already, or this is not a simulation")
    device.createBoolean("init", hal.SimDevice.Direction.kOutput, True)
    return device


class TeensyMotor(MotorController):
    """One of the eight motors, by its name in MOTORS: TeensyMotor("frontLeftDrive")."""

    def __init__(self, name):
        super().__init__()
        if name not in MOTORS:
            raise ValueError(f"there is no Teensy motor {name!r}; the motors are {', '.join(MOTORS)}")
        # The device is freed together with its Python object, and the motor stops then.
        self._device = _create_device(f"TeensyMotor:{name}")
        self._speed = self._device.createDouble("speed", hal.SimDevice.Direction.kOutput, 0.0)
        self._inverted = False

    def set(self, speed):
        """-1 .. +1; beyond that it is limited, and NaN stops the motor."""
        # min() and max() would make full speed of NaN.
        speed = 0.0 if math.isnan(speed) else max(-1.0, min(1.0, speed))
        self._speed.set(-speed if self._inverted else speed)

    def get(self):
        speed = self._speed.get()
        return -speed if self._inverted else speed

    def setInverted(self, isInverted):
        """Holds from the next set() on."""
        self._inverted = isInverted

    def getInverted(self):
        return self._inverted

    def disable(self):
        self._speed.set(0.0)

    def stopMotor(self):
        self.disable()


class TeensyGyro:
    """Radians and radians per second, counter-clockwise positive; angles go on past a turn. There is one."""

    def __init__(self):
        self._device = _create_device("Gyro:TeensyGyro")
        self._rates, self._angles = (
            [self._device.createDouble(f"{kind}_{axis}", hal.SimDevice.Direction.kInput, 0.0) for axis in "xyz"]
            for kind in ("rate", "angle")
        )
        self._zeros = [0.0, 0.0, 0.0]

    def _angle(self, axis):
        return math.radians(self._angles[axis].get() - self._zeros[axis])

    def _rate(self, axis):
        return math.radians(self._rates[axis].get())

    def getAngle(self):
        return self.getAngleZ()

    def getAngleX(self):
        return self._angle(0)

    def getAngleY(self):
        return self._angle(1)

    def getAngleZ(self):
        return self._angle(2)

    def getRate(self):
        return self.getRateZ()

    def getRateX(self):
        return self._rate(0)

    def getRateY(self):
        return self._rate(1)

    def getRateZ(self):
        return self._rate(2)

    def getRotation2d(self):
        return Rotation2d(self.getAngleZ())

    def reset(self):
        """Takes the present angles as zero."""
        self._zeros = [angle.get() for angle in self._angles]
