"""An XRP that drives a metre, turns left, waves its arm, blinks, and notes what it senses.

Runs on a real XRP as it is:  python3 -m robotpy run-xrp
It writes its notes, a JSON object a line, to the file that ROBOT_NOTES names.
"""

import json
import math
import os

import wpilib
from wpilib.drive import DifferentialDrive
from wpimath.controller import ProfiledPIDController
from wpimath.trajectory import TrapezoidProfile
from xrp import (
    XRPGyro,
    XRPMotor,
    XRPOnBoardIO,
    XRPRangefinder,
    XRPReflectanceSensor,
    XRPServo,
)

WHEEL_DIAMETER_M = 0.060
COUNTS_PER_TURN = 585.0

# Effort that just overcomes friction, and what a metre or a radian per second takes beyond it.
DRIVE_START, DRIVE_PER_M_S = 0.08, 3.0
TURN_START, TURN_PER_RAD_S = 0.08, 0.24


class XrpCourse(wpilib.TimedRobot):
    def robotInit(self):
        self.left_motor = XRPMotor(0)
        self.right_motor = XRPMotor(1)
        self.right_motor.setInverted(True)
        self.drive = DifferentialDrive(self.left_motor, self.right_motor)
        self.drive.setDeadband(0)

        self.left_encoder = wpilib.Encoder(4, 5)
        self.right_encoder = wpilib.Encoder(6, 7)
        for encoder in (self.left_encoder, self.right_encoder):
            encoder.setDistancePerPulse(math.pi * WHEEL_DIAMETER_M / COUNTS_PER_TURN)

        self.gyro = XRPGyro()
        # WPILib has none any more from 2027 on.
        has_accelerometer = hasattr(wpilib, "BuiltInAccelerometer")
        self.accelerometer = wpilib.BuiltInAccelerometer() if has_accelerometer else None
        self.reflectance = XRPReflectanceSensor()
        self.rangefinder = XRPRangefinder()
        self.board = XRPOnBoardIO()
        self.board.setLed(False)
        self.arm = XRPServo(4)

        self.distance_pid = ProfiledPIDController(4.0, 6.0, 0, TrapezoidProfile.Constraints(0.16, 0.20))
        self.distance_pid.setTolerance(0.005, 0.02)
        self.angle_pid = ProfiledPIDController(1.0, 1.5, 0, TrapezoidProfile.Constraints(1.2, 1.5))
        self.angle_pid.setTolerance(math.radians(1.0), math.radians(5))

        self.phase = "waiting"
        self.course = self.run_course()
        self.notes = open(os.environ["ROBOT_NOTES"], "w", buffering=1)

    def robotPeriodic(self):
        note = {
            "t_s": wpilib.Timer.getFPGATimestamp(),
            "phase": self.phase,
            "left_m": self.left_encoder.getDistance(),
            "right_m": self.right_encoder.getDistance(),
            "left_m_s": self.left_encoder.getRate(),
            "right_m_s": self.right_encoder.getRate(),
            "angle_rad": self.gyro.getAngle(),
            "rate_rad_s": self.gyro.getRate(),
            "left_dark": self.reflectance.getLeftReflectanceValue(),
            "right_dark": self.reflectance.getRightReflectanceValue(),
            "range_m": self.rangefinder.getDistance(),
            "button": self.board.getUserButtonPressed(),
        }
        if self.accelerometer is not None:
            for axis in "xyz":
                note[f"accel_{axis}_g"] = getattr(self.accelerometer, f"get{axis.upper()}")()
        self.notes.write(json.dumps(note) + "\n")

    def autonomousPeriodic(self):
        # Motors stop unless the course says otherwise; after a pause it goes on where it was.
        self.drive.arcadeDrive(0, 0)
        next(self.course, None)

    # The course: each step hands control back once a loop until it is finished.

    def run_course(self):
        yield from self.drive_straight(1.0)
        yield from self.turn(math.radians(90))
        yield from self.wave_arm()
        yield from self.blink(3)
        self.phase = "done"

    def drive_straight(self, distance_m):
        self.phase = "straight"
        self.left_encoder.reset()
        self.right_encoder.reset()
        self.gyro.reset()
        self.distance_pid.reset(0)
        self.distance_pid.setGoal(distance_m)
        standing = 0
        while standing < 10:
            travelled = (self.left_encoder.getDistance() + self.right_encoder.getDistance()) / 2
            effort = self.distance_pid.calculate(travelled)
            speed = self.distance_pid.getSetpoint().velocity
            effort = add_start(effort + DRIVE_PER_M_S * speed, DRIVE_START)
            standing = standing + 1 if self.distance_pid.atGoal() else 0
            if standing == 0:
                self.drive.arcadeDrive(effort, -1.0 * self.gyro.getAngle(), False)
            yield

    def turn(self, angle_rad):
        self.phase = "turn"
        self.angle_pid.reset(self.gyro.getAngle())
        self.angle_pid.setGoal(angle_rad)
        standing = 0
        while standing < 10:
            effort = self.angle_pid.calculate(self.gyro.getAngle())
            rate = self.angle_pid.getSetpoint().velocity
            effort = add_start(effort + TURN_PER_RAD_S * rate, TURN_START)
            standing = standing + 1 if self.angle_pid.atGoal() else 0
            if standing == 0:
                self.drive.arcadeDrive(0, effort, False)
            yield

    def wave_arm(self):
        self.phase = "arm"
        for angle_deg in (135, 45):
            self.arm.setAngle(math.radians(angle_deg))
            yield from pause(0.6)

    def blink(self, times):
        self.phase = "blink"
        for _ in range(times):
            self.board.setLed(True)
            yield from pause(0.3)
            self.board.setLed(False)
            yield from pause(0.3)


def add_start(effort, start):
    """Motors stand still below `start`; skip that band, but leave a true zero alone."""
    return effort + math.copysign(start, effort) if abs(effort) > 0.005 else 0


def pause(seconds):
    timer = wpilib.Timer()
    timer.start()
    while not timer.hasElapsed(seconds):
        yield
