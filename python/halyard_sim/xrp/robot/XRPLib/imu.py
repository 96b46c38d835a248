import halyard_clock as _clock
import halyard_robot as _robot
import time
from machine import Timer

_MDPS = 57295.77951308232  # a rad/s
_MG = 1000 / 9.80665  # a m/s^2
# The IMU sits with x to the right, y forward and z up: for each of its axes the robot's, and the sign.
_AXES = ((1, -1), (0, 1), (2, 1))


class IMU:
    """Accelerations in mg, rates in mdps, angles in degrees: pitch about x, roll about y, yaw about z, counter-clockwise."""

    _default = None
    _PERIOD_MS = 5  # 208 Hz is the sensor's next rate

    @classmethod
    def get_default_imu(cls):
        if cls._default is None:
            cls._default = cls()
            cls._default.calibrate(1)
        return cls._default

    def __init__(self, *pins):
        self._rate_offset = [0.0, 0.0, 0.0]
        self._acc_offset = [0.0, 0.0, 0.0]
        self._angle = [0.0, 0.0, 0.0]
        self._timer = Timer(-1)
        self._start()

    def _start(self):
        self._timer.init(period=self._PERIOD_MS, callback=self._update)

    def _update(self, _):
        _clock.spend(_clock.i2c_us(6, True))
        gyro, angle, offset = _robot.gyro, self._angle, self._rate_offset
        seconds = self._PERIOD_MS / 1000
        angle[0] -= (gyro(1) + offset[0]) * seconds
        angle[1] += (gyro(0) - offset[1]) * seconds
        angle[2] += (gyro(2) - offset[2]) * seconds

    def _raw_rate(self, i):
        return _robot.gyro(_AXES[i][0]) * _AXES[i][1]

    def _raw_acc(self, i):
        return _robot.accel(_AXES[i][0]) * _AXES[i][1]

    def is_connected(self):
        _clock.spend(_clock.i2c_us(1, True))
        return True

    def reset(self, wait_for_reset=True, wait_timeout_ms=100):
        self._rate_offset = [0.0, 0.0, 0.0]
        self._acc_offset = [0.0, 0.0, 0.0]
        self._angle = [0.0, 0.0, 0.0]
        return True

    def calibrate(self, calibration_time=1, vertical_axis=2):
        """Takes the mean over some seconds, in which the robot must not be moved, for standing still."""
        self._timer.deinit()
        rates, accs, count = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], 0
        end_us = _clock.now_us + int(calibration_time * 1000000)
        while _clock.now_us < end_us:
            _clock.spend(_clock.i2c_us(12, True))
            for i in range(3):
                rates[i] += self._raw_rate(i)
                accs[i] += self._raw_acc(i)
            count += 1
            time.sleep_ms(self._PERIOD_MS)
        if count > 0:
            for i in range(3):
                self._rate_offset[i] = rates[i] / count
                self._acc_offset[i] = accs[i] / count - (9.80665 if i == vertical_axis else 0)
        self._angle = [0.0, 0.0, 0.0]
        self._start()

    # Accelerations, mg.
    def _acc(self, i):
        _clock.spend(_clock.i2c_us(2, True))
        return int((self._raw_acc(i) - self._acc_offset[i]) * _MG)

    def get_acc_x(self):
        return self._acc(0)

    def get_acc_y(self):
        return self._acc(1)

    def get_acc_z(self):
        return self._acc(2)

    def get_acc_rates(self):
        return [self._acc(0), self._acc(1), self._acc(2)]

    # Rates, mdps.
    def _rate(self, i):
        _clock.spend(_clock.i2c_us(2, True))
        return int((self._raw_rate(i) - self._rate_offset[i]) * _MDPS)

    def get_gyro_x_rate(self):
        return self._rate(0)

    def get_gyro_y_rate(self):
        return self._rate(1)

    def get_gyro_z_rate(self):
        return self._rate(2)

    def get_gyro_rates(self):
        return [self._rate(0), self._rate(1), self._rate(2)]

    def get_acc_gyro_rates(self):
        return [self.get_acc_rates(), self.get_gyro_rates()]

    # Angles, degrees.
    def _get_angle(self, i):
        _clock.spend(_clock.CALL_US)
        return self._angle[i] * 57.29577951308232

    def get_pitch(self):
        return self._get_angle(0)

    def get_roll(self):
        return self._get_angle(1)

    def get_yaw(self):
        """Not limited to a turn: 720 after two of them."""
        return self._get_angle(2)

    def get_heading(self):
        """The yaw, from 0 up to 360."""
        return self._get_angle(2) % 360

    def set_pitch(self, pitch):
        self._angle[0] = pitch / 57.29577951308232

    def set_roll(self, roll):
        self._angle[1] = roll / 57.29577951308232

    def set_yaw(self, yaw):
        self._angle[2] = yaw / 57.29577951308232

    def reset_pitch(self):
        self.set_pitch(0)

    def reset_roll(self):
        self.set_roll(0)

    def reset_yaw(self):
        self.set_yaw(0)

    def temperature(self):
        """Degrees Celsius."""
        _clock.spend(_clock.i2c_us(2, True))
        return 25.0

    # Ranges and rates of the sensor: accepted, of no effect.
    def acc_scale(self, value=None):
        return "16g" if value is None else None

    def gyro_scale(self, value=None):
        return "2000dps" if value is None else None

    def acc_rate(self, value=None):
        return "208Hz" if value is None else None

    def gyro_rate(self, value=None):
        return "208Hz" if value is None else None
