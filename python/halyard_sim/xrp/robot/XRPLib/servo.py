import halyard_clock as _clock
import halyard_robot as _robot


class Servo:
    """An arm that goes to an angle of 0 to 200 degrees."""

    _servos = {}

    @classmethod
    def get_default_servo(cls, index):
        """1 or 2; some boards have 3 and 4."""
        if index < 1 or index > _robot.SERVOS:
            raise Exception("Invalid servo index: " + str(index))
        if index not in cls._servos:
            cls._servos[index] = cls(index)
        return cls._servos[index]

    def __init__(self, index):
        self._index = index - 1

    def set_angle(self, degrees):
        """Pulses of 500 us for 0 to 2500 us for 200 degrees."""
        _clock.spend(_clock.LIBRARY_US)
        _robot.servo(self._index, 500 + 10 * max(0, min(200, degrees)))

    def free(self):
        """No pulses: the arm is not held."""
        _clock.spend(_clock.LIBRARY_US)
        _robot.servo(self._index, 0)
