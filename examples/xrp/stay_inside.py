# Stays inside the circle: at the tape it goes back and turns by chance. It ends after ten of them.
from XRPLib.defaults import *
import random

turns = 0
while turns < 10:
    drivetrain.set_effort(0.35, 0.35)
    while reflectance.get_left() < 0.5 and reflectance.get_right() < 0.5:
        pass
    drivetrain.stop()
    drivetrain.straight(-14, 0.5)
    drivetrain.turn(random.choice([-1, 1]) * random.randrange(100, 170))
    turns += 1
    print("turn", turns)
