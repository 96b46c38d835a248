# Drives until a sensor sees the tape.
from XRPLib.defaults import *


def is_dark(value):
    return value > 0.5


drivetrain.set_effort(0.3, 0.3)
while not is_dark(reflectance.get_left()) and not is_dark(reflectance.get_right()):
    pass
drivetrain.stop()
print("tape:", reflectance.get_left(), reflectance.get_right())
