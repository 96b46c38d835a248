# Holds 15 cm a second for four seconds, then turns on the spot by unequal speeds.
from XRPLib.defaults import *
import time

drivetrain.set_speed(15, 15)
for second in range(4):
    time.sleep(1)
    print("rpm:", round(left_motor.get_speed()), round(right_motor.get_speed()))
drivetrain.stop()
time.sleep(0.5)
start = imu.get_yaw()
drivetrain.set_speed(-8, 8)
while imu.get_yaw() - start < 90:
    time.sleep(0.01)
drivetrain.stop()
