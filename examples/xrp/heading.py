# Holds its heading with a controller of the library while something (here: unequal efforts) pushes it aside.
from XRPLib.defaults import *
from XRPLib.pid import PID
import time

pid = PID(kp=0.03, ki=0.02, kd=0.001, max_output=0.4, max_integral=10, tolerance=2, tolerance_count=10)
imu.reset_yaw()
for _ in range(300):
    turn = pid.update(45 - imu.get_yaw())
    drivetrain.set_effort(0.3 - turn, 0.25 + turn)
    time.sleep(0.01)
drivetrain.stop()
print("done" if pid.is_done() else "not done", "yaw", round(imu.get_yaw()))
