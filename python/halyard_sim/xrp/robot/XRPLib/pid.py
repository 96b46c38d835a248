import time

from .controller import Controller


class PID(Controller):
    """Output = kp * error + ki * integral + kd * derivative; its size is limited to min_output .. max_output.

    max_derivative limits how much the output changes in a second, max_integral the integral. It is done once tolerance_count
    errors in a row were smaller than tolerance.
    """

    def __init__(self, kp=1.0, ki=0.0, kd=0.0, min_output=0.0, max_output=1.0, max_derivative=None, max_integral=None,
                 tolerance=0.1, tolerance_count=1):
        self.kp, self.ki, self.kd = kp, ki, kd
        self.min_output, self.max_output = min_output, max_output
        self.max_derivative, self.max_integral = max_derivative, max_integral
        self.tolerance, self.tolerance_count = tolerance, tolerance_count
        self.clear_history()

    def clear_history(self):
        self._last_us = None
        self._last_error = 0
        self._last_output = 0
        self._last_raw = 0
        self._integral = 0
        self._small = 0

    def _seconds(self):
        now = time.ticks_us()
        seconds = 0.01 if self._last_us is None else min(0.1, max(0.0001, time.ticks_diff(now, self._last_us) / 1000000))
        self._last_us = now
        return seconds

    def update(self, error, debug=False):
        is_first = self._last_us is None
        seconds = self._seconds()
        if abs(self._last_raw) < self.max_output:  # more would do nothing but delay the way back
            self._integral += error * seconds
        if self.max_integral is not None:
            self._integral = max(-self.max_integral, min(self.max_integral, self._integral))
        derivative = 0 if is_first else (error - self._last_error) / seconds
        output = self.kp * error + self.ki * self._integral + self.kd * derivative
        self._last_raw = output
        size = max(self.min_output, min(self.max_output, abs(output)))
        output = size if output > 0 else -size if output < 0 else 0
        if self.max_derivative is not None:
            most = self.max_derivative * seconds
            output = max(self._last_output - most, min(self._last_output + most, output))
        self._last_error, self._last_output = error, output
        self._small = self._small + 1 if abs(error) < self.tolerance else 0
        if debug:
            print("error", error, "integral", self._integral, "derivative", derivative, "output", output)
        return output

    def is_done(self):
        return self._small >= self.tolerance_count
