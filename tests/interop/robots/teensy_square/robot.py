"""A swerve robot that drives a square of one metre, field-relative, and turns once around meanwhile.

It needs vendor/python/teensy.py next to it, and halsim_teensy. It writes its notes, a JSON object a
line, to the file that ROBOT_NOTES names.
"""

import json
import math
import os

import wpilib
from teensy import TeensyGyro, TeensyMotor
from wpimath.geometry import Rotation2d, Translation2d
from wpimath.kinematics import (
    ChassisSpeeds,
    SwerveDrive4Kinematics,
    SwerveDrive4Odometry,
    SwerveModulePosition,
)

# docs/spec/teensy-robot.md
CORNERS = ("frontLeft", "rearLeft", "rearRight", "frontRight")
PLACES = (
    Translation2d(0.115, 0.115),
    Translation2d(-0.115, 0.115),
    Translation2d(-0.115, -0.115),
    Translation2d(0.115, -0.115),
)
WHEEL_RADIUS_M = 0.030
DRIVE_COUNTS_PER_TURN, AZIMUTH_COUNTS_PER_TURN = 979.68, 3591.84

# Effort that just overcomes friction, and what a metre per second takes beyond it.
DRIVE_START, DRIVE_PER_M_S = 0.07, 0.82
AZIMUTH_PER_RAD = 2.5
STANDSTILL_M_S = 0.005

# The square's corners as they are driven to, and the heading that is reached there.
GOALS = [(1, 0, 90), (1, 1, 180), (0, 1, 270), (0, 0, 360)]
SPEED_M_S, SPEED_PER_M = 0.4, 1.5
TURN_RAD_S, TURN_PER_RAD = 0.8, 2.0
NEAR_M, NEAR_RAD, NEAR_LOOPS = 0.008, math.radians(1), 10


class Module:
    def __init__(self, corner, first_dio):
        self.drive = TeensyMotor(f"{corner}Drive")
        self.azimuth = TeensyMotor(f"{corner}Azimuth")
        self.drive_encoder = wpilib.Encoder(first_dio, first_dio + 1)
        self.drive_encoder.setDistancePerPulse(math.tau * WHEEL_RADIUS_M / DRIVE_COUNTS_PER_TURN)
        self.azimuth_encoder = wpilib.Encoder(first_dio + 2, first_dio + 3)
        self.azimuth_encoder.setDistancePerPulse(math.tau / AZIMUTH_COUNTS_PER_TURN)

    def angle(self):
        return Rotation2d(self.azimuth_encoder.getDistance())

    def position(self):
        return SwerveModulePosition(self.drive_encoder.getDistance(), self.angle())

    def set(self, state):
        if abs(state.speed) < STANDSTILL_M_S:
            self.drive.stopMotor()
            self.azimuth.stopMotor()
            return
        state.optimize(self.angle())
        state.cosineScale(self.angle())
        self.drive.set(math.copysign(DRIVE_START, state.speed) + DRIVE_PER_M_S * state.speed)
        self.azimuth.set(AZIMUTH_PER_RAD * (state.angle - self.angle()).radians())


class TeensySquare(wpilib.TimedRobot):
    def robotInit(self):
        self.modules = [Module(corner, 4 + 4 * i) for i, corner in enumerate(CORNERS)]
        self.gyro = TeensyGyro()
        self.kinematics = SwerveDrive4Kinematics(*PLACES)
        self.odometry = SwerveDrive4Odometry(self.kinematics, self.gyro.getRotation2d(), self.positions())
        self.goals_reached = 0
        self.loops_near = 0
        self.notes = open(os.environ["ROBOT_NOTES"], "w", buffering=1)

    def positions(self):
        return tuple(module.position() for module in self.modules)

    def robotPeriodic(self):
        pose = self.odometry.update(self.gyro.getRotation2d(), self.positions())
        note = {
            "t_s": wpilib.Timer.getFPGATimestamp(),
            "x_m": pose.x,
            "y_m": pose.y,
            "heading_rad": self.gyro.getAngle(),
            "goals_reached": self.goals_reached,
        }
        self.notes.write(json.dumps(note) + "\n")

    def autonomousPeriodic(self):
        if self.goals_reached == len(GOALS):
            self.drive(0, 0, 0)
            return
        x_m, y_m, heading_deg = GOALS[self.goals_reached]
        off = Translation2d(x_m, y_m) - self.odometry.getPose().translation()
        off_rad = math.radians(heading_deg) - self.gyro.getAngle()
        is_near = off.norm() < NEAR_M and abs(off_rad) < NEAR_RAD
        self.loops_near = self.loops_near + 1 if is_near else 0
        if self.loops_near == NEAR_LOOPS:
            self.goals_reached += 1
            self.loops_near = 0
        velocity = off * min(SPEED_PER_M, SPEED_M_S / max(off.norm(), 1e-6))
        turn = max(-TURN_RAD_S, min(TURN_RAD_S, TURN_PER_RAD * off_rad))
        self.drive(velocity.x, velocity.y, turn)

    def disabledPeriodic(self):
        self.drive(0, 0, 0)

    def drive(self, x_m_s, y_m_s, turn_rad_s):
        """Field-relative: x and y are the field's, whichever way the robot points."""
        speeds = ChassisSpeeds.fromFieldRelativeSpeeds(x_m_s, y_m_s, turn_rad_s, self.gyro.getRotation2d())
        for module, state in zip(self.modules, self.kinematics.toSwerveModuleStates(speeds), strict=True):
            module.set(state)
