# A square with sides of 30 cm: back where it began.
from XRPLib.defaults import *

board.wait_for_button()
for side in range(4):
    drivetrain.straight(30, 0.5)
    drivetrain.turn(90)
    print("side", side + 1, "heading", round(imu.get_heading()))
