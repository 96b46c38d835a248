# Follows the lowest line of the grid and stops on the fourth crossing behind the start.
from XRPLib.defaults import *

SENSORS_CM = 8.5  # so far ahead of the wheels


def follow_to_crossing(effort=0.3):
    is_off = False
    while True:
        left, right = reflectance.get_left(), reflectance.get_right()
        both = left > 0.75 and right > 0.75
        if both and is_off:
            return
        if not both:
            is_off = True
        turn = 0.3 * (left - right)
        drivetrain.set_effort(effort - turn, effort + turn)


for crossing in range(4):
    follow_to_crossing()
    print("crossing", crossing + 1)
drivetrain.straight(SENSORS_CM)
