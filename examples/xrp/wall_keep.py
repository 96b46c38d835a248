# Keeps 30 cm to the wall ahead, proportionally, for eight seconds.
from XRPLib.defaults import *
from XRPLib.timeout import Timeout
import time

KP = 0.02
limit = Timeout(8)
while not limit.is_done():
    error = rangefinder.distance() - 30
    effort = max(-0.5, min(0.5, KP * error))
    if abs(error) > 1 and abs(effort) < 0.2:
        effort = 0.2 if error > 0 else -0.2
    drivetrain.set_effort(effort, effort)
    time.sleep(0.05)
drivetrain.stop()
