import halyard_clock as _clock
import halyard_robot as _robot

_spend, _set_motor = _clock.spend, _robot.set_motor
_COST_US = _clock.LIBRARY_US + _clock.CALL_US  # two PWM a motor


class SinglePWMMotor:
    """A motor without an encoder: an effort of -1 to 1."""

    def __init__(self, channel, flip_dir=False):
        self._channel = channel
        self.flip_dir = flip_dir
        self.effort = 0

    def set_effort(self, effort):
        _spend(_COST_US)
        if effort > 1 or effort < -1:
            effort = 1 if effort > 0 else -1
        self.effort = effort
        _set_motor(self._channel, -effort if self.flip_dir else effort)

    def get_effort(self):
        return self.effort

    def brake(self):
        self.set_effort(0)

    coast = brake


DualPWMMotor = SinglePWMMotor
