"""An XRP that drives in a circle for as long as it is enabled.

Runs on a real XRP as it is:  python3 -m robotpy run-xrp
It writes what its encoders and its gyro say, a JSON object a line, to the file that ROBOT_NOTES names.
"""

import json
import os

import wpilib
from wpilib.drive import DifferentialDrive
from xrp import XRPGyro, XRPMotor


class XrpCircle(wpilib.TimedRobot):
    def robotInit(self):
        self.left_motor = XRPMotor(0)
        self.right_motor = XRPMotor(1)
        self.right_motor.setInverted(True)
        self.drive = DifferentialDrive(self.left_motor, self.right_motor)
        self.left_encoder = wpilib.Encoder(4, 5)
        self.right_encoder = wpilib.Encoder(6, 7)
        self.gyro = XRPGyro()
        self.notes = open(os.environ["ROBOT_NOTES"], "w", buffering=1)

    def robotPeriodic(self):
        note = {
            "t_s": wpilib.Timer.getFPGATimestamp(),
            "enabled": self.isEnabled(),
            "counts": [self.left_encoder.get(), self.right_encoder.get()],
            "angle_rad": self.gyro.getAngle(),
        }
        self.notes.write(json.dumps(note) + "\n")

    def autonomousPeriodic(self):
        self.drive.curvatureDrive(0.6, 0.4, False)
