# Out of the maze: straight on until a wall is near, then to the side where there is more room.
from XRPLib.defaults import *

CELL_CM = 50


def distance():
    values = sorted(rangefinder.distance() for _ in range(3))
    return values[1]


def is_goal():
    return reflectance.get_left() > 0.5 and reflectance.get_right() > 0.5


def look(degrees):
    """Turns, and tells how far it sees there."""
    drivetrain.turn(degrees, timeout=4)
    return distance()


board.wait_for_button()
heading = 0
steps = 0
while not is_goal() and steps < 30:
    steps += 1
    if distance() > 30:
        drivetrain.straight(CELL_CM, 0.6, timeout=6)
    elif look(90) > 30:
        heading += 90
    elif look(-180) > 30:
        heading -= 90
    else:
        look(-90)
        heading += 180
    drivetrain.turn(heading - imu.get_yaw(), timeout=2)  # the gyro remembers which way the walls run
print("goal" if is_goal() else "lost", "after", steps, "steps")
