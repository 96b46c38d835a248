import halyard_clock as _clock
import halyard_robot as _robot


class Rangefinder:
    """Centimetres to what is ahead; 65535 if nothing echoes."""

    MAX_VALUE = 65535
    _default = None

    @classmethod
    def get_default_rangefinder(cls):
        if cls._default is None:
            cls._default = cls()
        return cls._default

    def __init__(self, trigger_pin=None, echo_pin=None):
        pass

    def distance(self):
        range_m = _robot.range_m()
        echo_us = _clock.echo_us(range_m)
        _clock.spend(_clock.LIBRARY_US + _clock.ECHO_START_US + echo_us)
        return self.MAX_VALUE if echo_us >= _clock.ECHO_NONE_US else range_m * 100
