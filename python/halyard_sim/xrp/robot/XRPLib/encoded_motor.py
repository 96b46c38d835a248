import halyard_robot as _robot
from machine import Timer

from .controller import Controller
from .encoder import Encoder
from .motor import SinglePWMMotor
from .pid import PID


class EncodedMotor:
    """A motor with an encoder: effort, position, and a speed that is held."""

    ZERO_EFFORT_BRAKE = True
    ZERO_EFFORT_COAST = False
    _motors = {}
    _PERIOD_MS = 20

    @classmethod
    def get_default_encoded_motor(cls, index=1):
        """1 left, 2 right, 3, 4."""
        if index < 1 or index > _robot.MOTORS:
            raise Exception("Invalid motor index: " + str(index))
        if index not in cls._motors:
            cls._motors[index] = cls(SinglePWMMotor(index - 1), Encoder(index - 1))
        return cls._motors[index]

    def __init__(self, motor, encoder):
        self._motor, self._encoder = motor, encoder
        self.target_speed = None  # revolutions a minute
        self._controller = self._default_controller()
        self._timer = Timer(-1)
        self._last_counts = None
        self._speed = 0.0

    @staticmethod
    def _default_controller():
        return PID(kp=0.0035, ki=0.04, max_output=1.0, max_integral=25)

    def set_effort(self, effort):
        """-1 to 1; ends a speed that was held."""
        self.target_speed = None
        self._motor.set_effort(effort)

    def set_zero_effort_behavior(self, brake_at_zero_effort):
        """Accepted; the virtual robot's bridges do at zero what its hardware does."""

    def brake(self):
        self.set_effort(0)

    def coast(self):
        self.set_effort(0)

    def get_position(self):
        """Revolutions of the wheel since the last reset."""
        return self._encoder.get_position()

    def get_position_counts(self):
        return self._encoder.get_position_counts()

    def reset_encoder_position(self):
        if self._last_counts is not None:
            self._last_counts -= self._encoder.get_position_counts()
        self._encoder.reset_encoder_position()

    def get_speed(self):
        """Revolutions a minute, over 20 ms."""
        self._start_timer()
        return self._speed

    def set_speed(self, speed_rpm=None):
        """Holds this speed from now on; None, or 0, stops."""
        if not speed_rpm:
            self.set_effort(0)
            return
        self.target_speed = speed_rpm
        self._controller.clear_history()
        self._start_timer()

    def set_speed_controller(self, new_controller):
        """A Controller that gets the error of the speed in revolutions a minute; None: the library's own."""
        self._controller = new_controller if isinstance(new_controller, Controller) else self._default_controller()
        self._controller.clear_history()

    def _start_timer(self):
        if self._last_counts is None:
            self._last_counts = self._encoder.get_position_counts()
            self._timer.init(period=self._PERIOD_MS, callback=self._update)

    def _update(self, _=None):
        counts = self._encoder.get_position_counts()
        turns = (counts - self._last_counts) / self._encoder.resolution
        self._last_counts = counts
        self._speed = turns * 60000 / self._PERIOD_MS
        if self.target_speed is not None:
            forward = self.target_speed / 250.0  # a motor turns about that fast at full effort and 6 V
            self._motor.set_effort(forward + self._controller.update(self.target_speed - self._speed))
