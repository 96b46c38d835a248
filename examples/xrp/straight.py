# Half a metre forward, and back again.
from XRPLib.defaults import *

drivetrain.straight(50)
print("left wheel:", drivetrain.get_left_encoder_position(), "cm")
drivetrain.straight(-20, max_effort=0.6)
print("left wheel:", drivetrain.get_left_encoder_position(), "cm")
