import halyard_clock as _clock


class Timeout:
    """Is done after some seconds; never with None."""

    def __init__(self, timeout):
        self.timeout = None if timeout is None else timeout * 1000
        self.start_time = _clock.now_us

    def is_done(self):
        if self.timeout is None:
            return False
        _clock.spend(_clock.LIBRARY_US)
        return _clock.now_us - self.start_time > self.timeout * 1000
