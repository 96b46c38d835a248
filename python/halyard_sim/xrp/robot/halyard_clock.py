"""Time on the virtual robot: what a call costs, sleeping, timers.

Runs under CPython and MicroPython, as all files of this folder, which know the robot only by the module `halyard_robot`:

    GRAIN_US                    how far the world moves at once
    advance_us(us)              the world goes on by a multiple of that
    set_motor(i, effort)        0 left, 1 right, 2, 3; -1 .. 1, positive forward; None lets the motor roll
    counts(i)                   whole counts of encoder i, forward positive
    reflectance(i)              0 left, 1 right, (2 middle); 0 white .. 1 black
    range_m()                   4.0 where nothing echoes
    gyro(axis), accel(axis)     rad/s and m/s^2; 0 forward, 1 left, 2 up
    servo(i, pulse_us)          0 for no pulses
    led(on)
    button()
    battery_v()
    MACHINE, COUNTS_PER_TURN, WHEEL_CM, TRACK_CM, MOTORS, SERVOS, REFLECTANCE

The program's own Python costs no time, only calls of hardware and of the clock do, so that loops that poll without sleeping
advance. Sources of the numbers:

    CALL_US   one call of a built-in hardware function and the loop around it: reading a pin and writing another take 18 us
              together under MicroPython on the RP2040 (hackster.io, "How fast is Raspberry Pi Pico")
    ADC_US    a conversion takes 96 cycles of 48 MHz (RP2040 data sheet, 4.9.2)
    I2C       9 bits a byte at 400 kHz; two bytes of address and register, and with a read the address again
    ECHO      the rangefinder sends 8 periods of 40 kHz and waits; then sound takes its way, 343 m/s (HC-SR04 data sheet)
    LIBRARY   a method of the library calls one more before it is at the hardware, and each counts as a call: an estimate
    PIXEL     24 bits of 1.25 us (WS2812 data sheet)
"""

import halyard_robot as robot

CALL_US = 9
ADC_US = CALL_US + 2
LIBRARY_US = 3 * CALL_US  # the two methods and the hardware's function
PIXEL_US = CALL_US + 30
ECHO_START_US = 450
ECHO_NONE_US = 38000


def i2c_us(size, reads):
    """A transfer of `size` bytes behind the register's address."""
    return CALL_US + (size + (3 if reads else 2)) * 45 // 2


def echo_us(range_m):
    """How long the echo's pin is high."""
    return ECHO_NONE_US if range_m >= 3.99 else int(range_m * 2000000 / 343)


now_us = 0
_world_us = 0
_due_us = robot.GRAIN_US
_timers = []
_in_callback = False


def spend(us):
    """Time goes on; the world moves, and timers fire that become due."""
    global now_us
    now_us += us
    if now_us >= _due_us:
        _catch_up()


def _simulate(to_us):
    global _world_us
    us = (to_us - _world_us) // robot.GRAIN_US * robot.GRAIN_US
    if us > 0:
        _world_us += us
        robot.advance_us(us)


def _plan():
    global _due_us
    _due_us = _world_us + robot.GRAIN_US
    if not _in_callback:
        for timer in _timers:
            _due_us = min(_due_us, timer.due_us)


def _next_timer():
    first = None
    for timer in _timers:
        if timer.due_us <= now_us and (first is None or timer.due_us < first.due_us):
            first = timer
    return first


def _fire(timer):
    """Runs a callback at its own time; the program goes on when it wanted to, or when the callback is done."""
    global now_us, _in_callback
    target_us = now_us
    _simulate(timer.due_us)
    now_us = max(timer.due_us, _world_us)
    if timer.period_us > 0:
        timer.due_us += timer.period_us
    else:
        _timers.remove(timer)
    _in_callback = True
    try:
        timer.callback(timer.argument)
    finally:
        _in_callback = False
        while 0 < timer.period_us and timer.due_us <= now_us:  # a callback that takes longer than its period
            timer.due_us += timer.period_us
        now_us = max(now_us, target_us)


def _catch_up():
    while not _in_callback:
        timer = _next_timer()
        if timer is None:
            break
        _fire(timer)
    _simulate(now_us)
    _plan()


def in_callback():
    return _in_callback


class Alarm:
    """Calls `callback(argument)` after a period, again and again unless the period is negative: then once."""

    def __init__(self, period_us, callback, argument):
        once = period_us < 0
        self.due_us = now_us + max(1, abs(period_us))
        self.period_us = 0 if once else max(1, period_us)
        self.callback = callback
        self.argument = argument
        _timers.append(self)
        _plan()

    def stop(self):
        if self in _timers:
            _timers.remove(self)
            _plan()
