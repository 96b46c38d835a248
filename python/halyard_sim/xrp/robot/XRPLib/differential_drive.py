import halyard_robot as _robot
import math
import time

from .encoded_motor import EncodedMotor
from .imu import IMU
from .pid import PID
from .timeout import Timeout


class DifferentialDrive:
    """Both wheels together: efforts, speeds, straight lines and turns."""

    _default = None

    @classmethod
    def get_default_differential_drive(cls):
        if cls._default is None:
            cls._default = cls(EncodedMotor.get_default_encoded_motor(1), EncodedMotor.get_default_encoded_motor(2),
                               IMU.get_default_imu())
        return cls._default

    def __init__(self, left_motor, right_motor, imu=None, wheel_diam=_robot.WHEEL_CM, wheel_track=_robot.TRACK_CM):
        self.left_motor, self.right_motor, self.imu = left_motor, right_motor, imu
        self.wheel_diam, self.wheel_track = wheel_diam, wheel_track

    def set_effort(self, left_effort, right_effort):
        """-1 to 1 each."""
        self.left_motor.set_effort(left_effort)
        self.right_motor.set_effort(right_effort)

    def set_speed(self, left_speed, right_speed):
        """Centimetres a second each, which are held."""
        rpm = 60 / (math.pi * self.wheel_diam)
        self.left_motor.set_speed(left_speed * rpm)
        self.right_motor.set_speed(right_speed * rpm)

    def stop(self):
        self.left_motor.set_speed()
        self.right_motor.set_speed()

    def set_zero_effort_behavior(self, brake_at_zero_effort):
        self.left_motor.set_zero_effort_behavior(brake_at_zero_effort)
        self.right_motor.set_zero_effort_behavior(brake_at_zero_effort)

    def arcade(self, straight, turn):
        """Forward and turn, -1 to 1 each, counter-clockwise positive; scaled down together where a wheel would need more."""
        if straight == 0 and turn == 0:
            self.set_effort(0, 0)
            return
        scale = max(abs(straight), abs(turn)) / (abs(straight) + abs(turn))
        self.set_effort((straight - turn) * scale, (straight + turn) * scale)

    def reset_encoder_position(self):
        self.left_motor.reset_encoder_position()
        self.right_motor.reset_encoder_position()

    def _cm(self, motor):
        return motor.get_position() * math.pi * self.wheel_diam

    def get_left_encoder_position(self):
        """Centimetres."""
        return self._cm(self.left_motor)

    def get_right_encoder_position(self):
        return self._cm(self.right_motor)

    def straight(self, distance, max_effort=0.5, timeout=None, main_controller=None, secondary_controller=None):
        """Drives `distance` centimetres, backward if it or the effort is negative. False if the time ran out before."""
        if max_effort < 0:
            distance, max_effort = -distance, -max_effort
        main = main_controller or PID(kp=0.12, ki=0.1, kd=0.012, min_output=min(0.22, max_effort), max_output=max_effort,
                                      tolerance=0.25, tolerance_count=3)
        second = secondary_controller or PID(kp=0.04, kd=0.002, max_output=0.4)
        left_from, right_from = self.get_left_encoder_position(), self.get_right_encoder_position()
        yaw_from = self.imu.get_yaw() if self.imu is not None else 0
        limit = Timeout(timeout)
        while not limit.is_done():
            left = self.get_left_encoder_position() - left_from
            right = self.get_right_encoder_position() - right_from
            effort = main.update(distance - (left + right) / 2)
            if main.is_done():
                break
            if self.imu is not None:
                off_deg = yaw_from - self.imu.get_yaw()
            else:
                off_deg = (left - right) / self.wheel_track * 57.29577951308232
            turn = second.update(off_deg)
            self.set_effort(effort - turn, effort + turn)
            time.sleep_ms(10)
        self.stop()
        return not limit.is_done()

    def turn(self, turn_degrees, max_effort=0.5, timeout=None, main_controller=None, secondary_controller=None, use_imu=True):
        """Turns on the spot, counter-clockwise if positive. False if the time ran out before."""
        if max_effort < 0:
            turn_degrees, max_effort = -turn_degrees, -max_effort
        main = main_controller or PID(kp=0.02, ki=0.03, kd=0.0012, min_output=min(0.24, max_effort), max_output=max_effort,
                                      tolerance=1, tolerance_count=3)
        second = secondary_controller or PID(kp=0.1, max_output=0.2)
        left_from, right_from = self.get_left_encoder_position(), self.get_right_encoder_position()
        by_imu = use_imu and self.imu is not None
        yaw_from = self.imu.get_yaw() if by_imu else 0
        limit = Timeout(timeout)
        while not limit.is_done():
            left = self.get_left_encoder_position() - left_from
            right = self.get_right_encoder_position() - right_from
            turned = self.imu.get_yaw() - yaw_from if by_imu else (right - left) / self.wheel_track * 57.29577951308232
            effort = main.update(turn_degrees - turned)
            if main.is_done():
                break
            shift = second.update(left + right)  # away from the spot
            self.set_effort(-effort - shift, effort - shift)
            time.sleep_ms(10)
        self.stop()
        return not limit.is_done()
