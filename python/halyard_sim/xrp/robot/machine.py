"""MicroPython's `machine` on the virtual XRP: pins by the names of its board, ADC, PWM, timers, I2C with the IMU."""

import halyard_clock as _clock
import halyard_robot as _robot

PWRON_RESET = 1
WDT_RESET = 3

_MOTOR_PINS = ("MOTOR_L", "MOTOR_R", "MOTOR_3", "MOTOR_4")
_LINE_PINS = ("LINE_L", "LINE_R", "LINE_C")
# The motors' wires: full level on IN_1 drives the left wheel forward and the right one, which is mounted the other way round, backward.
_MOTOR_SIGN = (1, -1, -1, 1)
ENCODER_SIGN = (-1, 1, 1, -1)
# The RP2040's board has numbers for names.
_NUMBERS = {
    "LED": "LED", "WL_GPIO0": "LED", 22: "BOARD_USER_BUTTON", 28: "BOARD_VIN_MEASURE",
    6: "MOTOR_L_IN_1", 7: "MOTOR_L_IN_2", 14: "MOTOR_R_IN_1", 15: "MOTOR_R_IN_2",
    2: "MOTOR_3_IN_1", 3: "MOTOR_3_IN_2", 10: "MOTOR_4_IN_1", 11: "MOTOR_4_IN_2",
    4: "MOTOR_L_ENCODER_A", 5: "MOTOR_L_ENCODER_B", 12: "MOTOR_R_ENCODER_A", 13: "MOTOR_R_ENCODER_B",
    0: "MOTOR_3_ENCODER_A", 1: "MOTOR_3_ENCODER_B", 8: "MOTOR_4_ENCODER_A", 9: "MOTOR_4_ENCODER_B",
    16: "SERVO_1", 17: "SERVO_2", 18: "I2C_SDA_1", 19: "I2C_SCL_1", 20: "RANGE_TRIGGER", 21: "RANGE_ECHO",
    26: "LINE_L", 27: "LINE_R",
}


def _channel(name, prefixes):
    for i in range(len(prefixes)):
        if name.startswith(prefixes[i]):
            return i
    return None


def encoder_of(pin):
    """The number of the encoder whose pin it is; None if it is none of theirs."""
    name = getattr(pin, "_name", "")
    return _channel(name, _MOTOR_PINS) if "ENC" in name else None


def _servo_of(name):
    return int(name[6]) - 1 if name.startswith("SERVO_") and name[6:7] in ("1", "2", "3", "4") else None


def _is_light(name):
    return name.find("LED") >= 0 and name.find("NEO") < 0


class _Levels:
    """What the program has put on the pins of the motors, as shares of full duty: IN_1, IN_2 of each."""

    duty = [[0.0, 0.0] for _ in range(4)]

    @classmethod
    def put(cls, name, share):
        motor = _channel(name, _MOTOR_PINS)
        servo = _servo_of(name)
        if motor is not None and "ENC" not in name:
            two = cls.duty[motor]
            two[1 if name.endswith("2") else 0] = share
            if motor < _robot.MOTORS:
                _robot.set_motor(motor, (two[0] - two[1]) * _MOTOR_SIGN[motor])
        elif servo is None and _is_light(name):
            _robot.led(share > 0)


class _Board:
    """Pin.board: a pin of any name."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Pin(name)


class Pin:
    IN, OUT, OPEN_DRAIN, ALT = 0, 1, 2, 3
    PULL_UP, PULL_DOWN = 1, 2
    IRQ_RISING, IRQ_FALLING = 8, 4
    board = _Board()
    cpu = board

    def __init__(self, id, mode=-1, pull=-1, value=None, alt=-1):
        name = getattr(id, "_name", id)
        self._name = _NUMBERS.get(name, str(name))
        self._level = 0
        if value is not None:
            self.value(value)

    def init(self, mode=-1, pull=-1, value=None, alt=-1):
        if value is not None:
            self.value(value)

    def value(self, level=None):
        _clock.spend(_clock.CALL_US)
        if level is not None:
            self._level = 1 if level else 0
            _Levels.put(self._name, float(self._level))
            return None
        if "BUTTON" in self._name:
            return 0 if _robot.button() else 1  # it pulls the pin down
        return self._level

    def __call__(self, level=None):
        return self.value(level)

    def on(self):
        self.value(1)

    def off(self):
        self.value(0)

    high = on
    low = off

    def toggle(self):
        self.value(0 if self._level else 1)

    def irq(self, handler=None, trigger=12, hard=False):
        """Calls `handler(pin)` when the button changes; it is looked at every 10 ms."""
        if "BUTTON" not in self._name or handler is None:
            return
        state = [_robot.button()]

        def look(_):
            now = _robot.button()
            if now != state[0]:
                state[0] = now
                if trigger & (Pin.IRQ_FALLING if now else Pin.IRQ_RISING):
                    handler(self)

        _clock.Alarm(10000, look, None)

    def __repr__(self):
        return "Pin(" + self._name + ")"


class Signal:
    def __init__(self, pin, *arguments, invert=False):
        self._pin, self._invert = pin, invert

    def value(self, level=None):
        if level is None:
            return self._pin.value() ^ self._invert
        return self._pin.value(bool(level) ^ self._invert)

    def on(self):
        self.value(1)

    def off(self):
        self.value(0)


class ADC:
    CORE_TEMP = 4

    def __init__(self, pin):
        self._name = Pin(pin)._name if not isinstance(pin, Pin) else pin._name

    def read_u16(self):
        _clock.spend(_clock.ADC_US)
        line = _channel(self._name, _LINE_PINS)
        if line is not None:
            share = _robot.reflectance(line)
        elif "VIN" in self._name:
            share = _robot.battery_v() / (3.3 * (100 + 33) / 33)  # through a divider
        else:
            share = 0.21  # the core's temperature: 27 degrees
        return int(max(0.0, min(1.0, share)) * 65535)


class PWM:
    def __init__(self, pin, freq=0, duty_u16=0, duty_ns=None, invert=False):
        self._name = Pin(pin)._name if not isinstance(pin, Pin) else pin._name
        self._freq = freq or 1000
        self._duty = 0
        if duty_u16:
            self.duty_u16(duty_u16)
        if duty_ns is not None:
            self.duty_ns(duty_ns)

    def init(self, freq=0, duty_u16=None, duty_ns=None):
        self._freq = freq or self._freq
        if duty_u16 is not None:
            self.duty_u16(duty_u16)
        if duty_ns is not None:
            self.duty_ns(duty_ns)

    def freq(self, hz=None):
        if hz is None:
            return self._freq
        _clock.spend(_clock.CALL_US)
        self._freq = hz

    def duty_u16(self, duty=None):
        if duty is None:
            return self._duty
        _clock.spend(_clock.CALL_US)
        self._duty = max(0, min(65535, int(duty)))
        servo = _servo_of(self._name)
        if servo is not None:
            if servo < _robot.SERVOS:
                _robot.servo(servo, self._duty / 65535 * 1000000 / self._freq)
        else:
            _Levels.put(self._name, self._duty / 65535)

    def duty_ns(self, ns=None):
        if ns is None:
            return int(self._duty / 65535 * 1000000000 / self._freq)
        self.duty_u16(ns * self._freq * 65535 / 1000000000)

    def deinit(self):
        self.duty_u16(0)


class Timer:
    ONE_SHOT, PERIODIC = 0, 1

    def __init__(self, id=-1, **settings):
        self._alarm = None
        if settings:
            self.init(**settings)

    def init(self, mode=PERIODIC, freq=-1, period=-1, callback=None, hard=False, tick_hz=1000):
        self.deinit()
        period_us = int(1000000 / freq) if freq > 0 else int(period * 1000000 / tick_hz)
        if callback is not None and period_us > 0:
            self._alarm = _clock.Alarm(-period_us if mode == Timer.ONE_SHOT else period_us, callback, self)

    def deinit(self):
        if self._alarm is not None:
            self._alarm.stop()
            self._alarm = None


# --------------------------------------------------------------------------- the IMU on its bus

_IMU_ADDRESSES = (0x6A, 0x6B)
_WHO_AM_I, _CTRL1_XL, _CTRL2_G, _STATUS, _OUT_TEMP, _OUT_GYRO, _OUT_ACCEL = 0x0F, 0x10, 0x11, 0x1E, 0x20, 0x22, 0x28
# Data sheet of the LSM6DSO, table 2: mg and mdps for a bit, by the bits of the range in CTRL1_XL and CTRL2_G.
_MG = {0: 0.061, 1: 0.488, 2: 0.122, 3: 0.244}
_MDPS = {0: 8.75, 1: 4.375, 2: 17.5, 4: 35.0, 6: 70.0}


class _Imu:
    """The registers of an LSM6DSO that sits with x to the right, y forward and z up."""

    registers = bytearray(128)

    @classmethod
    def _put(cls, at, value):
        value = max(-32768, min(32767, int(value)))
        cls.registers[at] = value & 255
        cls.registers[at + 1] = value >> 8 & 255

    @classmethod
    def latch(cls):
        cls.registers[_WHO_AM_I] = 0x6C
        cls.registers[_STATUS] = 7
        mg = _MG[cls.registers[_CTRL1_XL] >> 2 & 3]
        mdps = _MDPS.get(cls.registers[_CTRL2_G] >> 1 & 7, 8.75)
        for i, axis, sign in ((0, 1, -1), (1, 0, 1), (2, 2, 1)):
            cls._put(_OUT_GYRO + 2 * i, _robot.gyro(axis) * sign * 57295.779513 / mdps)
            cls._put(_OUT_ACCEL + 2 * i, _robot.accel(axis) * sign / 9.80665 * 1000 / mg)

    @classmethod
    def read(cls, register, size):
        cls.latch()
        return bytes(cls.registers[(register + i) & 127] for i in range(size))

    @classmethod
    def write(cls, register, data):
        for i in range(len(data)):
            cls.registers[(register + i) & 127] = data[i]
        cls.registers[0x12] &= 0xFE  # a software reset is done at once


class I2C:
    def __init__(self, id=0, scl=None, sda=None, freq=400000, timeout=50000):
        self._register = 0

    def _need(self, address):
        if address not in _IMU_ADDRESSES:
            raise OSError(5, "no device answers at address " + str(address))

    def scan(self):
        _clock.spend(_clock.i2c_us(112, False))
        return [_IMU_ADDRESSES[1]]

    def readfrom_mem(self, address, register, size, addrsize=8):
        self._need(address)
        _clock.spend(_clock.i2c_us(size, True))
        return _Imu.read(register, size)

    def readfrom_mem_into(self, address, register, buffer, addrsize=8):
        buffer[:] = self.readfrom_mem(address, register, len(buffer))

    def writeto_mem(self, address, register, data, addrsize=8):
        self._need(address)
        _clock.spend(_clock.i2c_us(len(data), False))
        _Imu.write(register, bytes(data))

    def readfrom(self, address, size, stop=True):
        return self.readfrom_mem(address, self._register, size)

    def readfrom_into(self, address, buffer, stop=True):
        buffer[:] = self.readfrom(address, len(buffer))

    def writeto(self, address, data, stop=True):
        self._need(address)
        _clock.spend(_clock.i2c_us(len(data), False))
        data = bytes(data)
        if data:
            self._register = data[0]
            _Imu.write(self._register, data[1:])
        return len(data)


SoftI2C = I2C


# --------------------------------------------------------------------------- functions


def time_pulse_us(pin, level, timeout=1000000):
    """The echo of the rangefinder; -2 if none begins in time, -1 if it is too long."""
    name = getattr(pin, "_name", "")
    if "ECHO" not in name:
        _clock.spend(timeout)
        return -2
    us = _clock.echo_us(_robot.range_m())
    _clock.spend(_clock.ECHO_START_US + min(us, timeout))
    return us if us <= timeout else -1


def unique_id():
    return b"\xe6\x61\x41\x04\x03\x21\x5c\x2a"


def freq(hz=None):
    return 150000000


def disable_irq():
    return 0


def enable_irq(state=0):
    pass


def idle():
    _clock.spend(1000)


def lightsleep(ms=0):
    _clock.spend(int(ms * 1000))


deepsleep = lightsleep


def reset_cause():
    return PWRON_RESET


def reset():
    raise SystemExit


soft_reset = reset


class WDT:
    def __init__(self, id=0, timeout=5000):
        pass

    def feed(self):
        _clock.spend(_clock.CALL_US)
