# Drives to the wall and stops 20 cm before it.
from XRPLib.defaults import *

board.wait_for_button()
drivetrain.set_effort(0.35, 0.35)
while rangefinder.distance() > 20:
    pass
drivetrain.stop()
print("distance:", round(rangefinder.distance(), 1))
