# Drives 40 cm by looking at the encoders, without a pause in the loop.
from XRPLib.defaults import *

drivetrain.reset_encoder_position()
drivetrain.set_effort(0.4, 0.4)
while drivetrain.get_left_encoder_position() < 40:
    pass
drivetrain.stop()
print("stopped at", round(drivetrain.get_left_encoder_position(), 1), "cm,", left_motor.get_position_counts(), "counts")
