# Follows the right edge of the line with one sensor, by two cases.
from XRPLib.defaults import *
from XRPLib.timeout import Timeout

limit = Timeout(60)
while not limit.is_done():
    if reflectance.get_right() > 0.5:
        drivetrain.set_effort(0.4, 0.05)
    else:
        drivetrain.set_effort(0.05, 0.4)
drivetrain.stop()
