import halyard_clock as _clock
import halyard_robot as _robot


class Encoder:
    """Counts of one wheel's shaft."""

    resolution = _robot.COUNTS_PER_TURN
    ticks_per_rev = resolution

    def __init__(self, index, encAPin=None, encBPin=None):
        self._index = index
        self._zero = 0

    def reset_encoder_position(self):
        self._zero = _robot.counts(self._index)

    def get_position_counts(self):
        _clock.spend(_clock.LIBRARY_US)
        return _robot.counts(self._index) - self._zero

    def get_position(self):
        """In revolutions."""
        return self.get_position_counts() / self.resolution
