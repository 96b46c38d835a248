"""An XRP whose program says itself where its robot is, as many programs for one robot do.

The port is that of ROBOT_PORT, for the test's sake. It writes a JSON object a line to the file that ROBOT_NOTES names.
"""

import json
import os

import wpilib
from xrp import XRPMotor

os.environ["HALSIMXRP_HOST"] = "127.0.0.1"
os.environ["HALSIMXRP_PORT"] = os.environ["ROBOT_PORT"]


class XrpOwnHost(wpilib.TimedRobot):
    def robotInit(self):
        self.motor = XRPMotor(0)
        self.notes = open(os.environ["ROBOT_NOTES"], "w", buffering=1)

    def robotPeriodic(self):
        self.notes.write(json.dumps({"t_s": wpilib.Timer.getFPGATimestamp()}) + "\n")

    def autonomousPeriodic(self):
        self.motor.set(0.5)
