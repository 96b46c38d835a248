"""MicroPython's `time` on the virtual robot."""

import halyard_clock as _clock

_WRAP = 1 << 30
_BOOT_S = 1609459200  # 2021-01-01, where the RP2040's clock starts


def sleep(seconds):
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    _clock.spend(int(seconds * 1000000) + _clock.CALL_US)


def sleep_ms(ms):
    _clock.spend(max(0, int(ms)) * 1000 + _clock.CALL_US)


def sleep_us(us):
    _clock.spend(max(0, int(us)) + _clock.CALL_US)


def ticks_us():
    _clock.spend(_clock.CALL_US)
    return _clock.now_us % _WRAP


ticks_cpu = ticks_us


def ticks_ms():
    _clock.spend(_clock.CALL_US)
    return _clock.now_us // 1000 % _WRAP


def ticks_add(ticks, delta):
    return (ticks + delta) % _WRAP


def ticks_diff(end, start):
    return (end - start + _WRAP // 2) % _WRAP - _WRAP // 2


def time():
    _clock.spend(_clock.CALL_US)
    return _BOOT_S + _clock.now_us // 1000000


def time_ns():
    _clock.spend(_clock.CALL_US)
    return _BOOT_S * 1000000000 + _clock.now_us * 1000


def gmtime(seconds=None):
    seconds = time() if seconds is None else int(seconds)
    days, second = divmod(seconds, 86400)
    z = days + 719468  # days since 0000-03-01
    era, of_era = divmod(z, 146097)
    year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    day = of_year - (153 * month + 2) // 5 + 1
    month = month + 3 if month < 10 else month - 9
    year += era * 400 + (1 if month <= 2 else 0)
    leap = 1 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 0
    before = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)[month - 1] + (leap if month > 2 else 0)
    return year, month, day, second // 3600, second // 60 % 60, second % 60, (days + 3) % 7, before + day


localtime = gmtime


def __getattr__(name):
    """What only CPython's own modules ask for, such as perf_counter: the real ones."""
    import sys

    real = sys.modules.get("halyard_real_time")
    if real is None or name.startswith("__"):
        raise AttributeError("module 'time' has no attribute '" + name + "'")
    return getattr(real, name)
