import halyard_clock as _clock
import halyard_robot as _robot

_COST_US = _clock.LIBRARY_US + _clock.ADC_US - _clock.CALL_US


class Reflectance:
    """How dark the floor is under each sensor: 0 white to 1 black."""

    _default = None

    @classmethod
    def get_default_reflectance(cls):
        if cls._default is None:
            cls._default = cls()
        return cls._default

    def __init__(self, *pins):
        self._read = _robot.reflectance
        self._spend = _clock.spend

    def get_left(self):
        self._spend(_COST_US)
        return self._read(0)

    def get_right(self):
        self._spend(_COST_US)
        return self._read(1)

    def get_middle(self):
        if _robot.REFLECTANCE < 3:
            raise Exception("this XRP has no sensor in the middle")
        self._spend(_COST_US)
        return self._read(2)
