"""Everything off, as after a program was stopped."""

import halyard_robot as _robot

for _i in range(_robot.MOTORS):
    _robot.set_motor(_i, 0)
for _i in range(_robot.SERVOS):
    _robot.servo(_i, 0)
_robot.led(False)
