# Follows the line with both sensors, proportionally: how far off it is decides how much it turns.
from XRPLib.defaults import *
import time

SPEED = 0.4
KP = 0.45

board.wait_for_button()
start = time.ticks_ms()
while time.ticks_diff(time.ticks_ms(), start) < 40000:
    error = reflectance.get_left() - reflectance.get_right()
    drivetrain.set_effort(SPEED - KP * error, SPEED + KP * error)
    time.sleep_ms(5)
drivetrain.stop()
