"""The parts of the robot under the names that programs use: `from XRPLib.defaults import *`."""

import halyard_robot as _robot

from .board import Board
from .differential_drive import DifferentialDrive
from .encoded_motor import EncodedMotor
from .gamepad import Gamepad
from .imu import IMU
from .rangefinder import Rangefinder
from .reflectance import Reflectance
from .servo import Servo
from .webserver import Webserver

left_motor = EncodedMotor.get_default_encoded_motor(index=1)
right_motor = EncodedMotor.get_default_encoded_motor(index=2)
imu = IMU.get_default_imu()
drivetrain = DifferentialDrive.get_default_differential_drive()
rangefinder = Rangefinder.get_default_rangefinder()
reflectance = Reflectance.get_default_reflectance()
servo_one = Servo.get_default_servo(index=1)
servo_two = Servo.get_default_servo(index=2)
webserver = Webserver.get_default_webserver()
gamepad = Gamepad.get_default_gamepad()
board = Board.get_default_board()
motor_three = EncodedMotor.get_default_encoded_motor(index=3)
if _robot.MOTORS > 3:
    motor_four = EncodedMotor.get_default_encoded_motor(index=4)
if _robot.SERVOS > 3:
    servo_three = Servo.get_default_servo(index=3)
    servo_four = Servo.get_default_servo(index=4)
