"""The module `halyard_robot` for the files of `robot/`, over a simulation in this process (halyard_clock.py describes it)."""

from __future__ import annotations

import math
import select
import sys
import time
from _thread import get_ident
from types import ModuleType

from .. import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional, Sequence

GRAIN_US = 2000
TURN_US = 10000  # with a pace or a page, the world moves in turns of so much
POLL_S = 0.02  # how often the page is asked
AUTOMATIC_US = 500000  # a wait for the button is answered after so long, if nobody can press it
AUTOMATIC_HOLD_US = 100000
ENTER_HOLD_US = 200000
WAIT_GAP_US = 200000  # polls of the button that are farther apart are no wait
BEHIND_S = 0.25  # what a run is behind its pace by more is left out


class Ended(BaseException):
    """The time of the run is over, or somebody has stopped the program."""


class Robot:
    """What the program's modules do to the world, and what they see of it."""

    def __init__(self, handle: _native.Handle, presses: Sequence[tuple[float, float]], duration_s: Optional[float],
                 speed: Optional[float], has_page: bool) -> None:
        self.handle = handle
        self.now_us = 0
        self.said = False  # that waits are answered
        self._presses = sorted((round(a * 1e6), round(b * 1e6)) for a, b in presses)
        self._end_us = None if duration_s is None else max(GRAIN_US, round(duration_s * 1e6) // GRAIN_US * GRAIN_US)
        self._speed, self.has_page = speed, has_page
        self._has_keys = not presses and is_terminal()
        self._actions, self._sensors, self._step = handle.actions, handle.sensors, handle.step
        self._steps = round(handle.facts.step_s * 1e6)
        self._thread = get_ident()
        # A wait for the button: since when nothing else was asked for, and the last poll.
        self._is_busy = True
        self._wait_us = self._polled_us = 0
        self._held_until_us = -1
        self._page_button = False
        self._next_poll_s = 0.0
        self._base_s = time.monotonic()
        self._base_us = 0

    def module(self, is_nano: bool) -> ModuleType:
        """The module, whose functions are this robot's."""
        out = ModuleType("halyard_robot")
        for name in ("advance_us", "set_motor", "counts", "reflectance", "range_m", "gyro", "accel", "servo", "led", "button",
                     "battery_v"):
            setattr(out, name, getattr(self, name))
        facts = self.handle.facts
        wheel_cm = 100 * facts.m_per_count * 585 / math.pi
        for name, value in (("GRAIN_US", GRAIN_US), ("MACHINE", "Raspberry Pi Pico 2 W with RP2350, XRP"),
                            ("COUNTS_PER_TURN", 585), ("WHEEL_CM", round(wheel_cm, 3)),
                            ("TRACK_CM", round(100 * facts.track_m, 3)), ("MOTORS", int(facts.motors)),
                            ("SERVOS", int(facts.servos)), ("REFLECTANCE", 2)):
            setattr(out, name, value)
        return out

    # ------------------------------------------------------------------------- time

    def advance_us(self, us: int) -> None:
        if get_ident() != self._thread:
            raise RuntimeError("a second thread cannot use the virtual robot")
        end_us = self.now_us + us
        if self._end_us is not None:
            end_us = min(end_us, self._end_us)
        if self._speed is None and not self.has_page:
            self._move(end_us)
        while self.now_us < end_us:
            self._move(min(end_us, self.now_us + TURN_US))
            self._keep_pace()
        if self.now_us == self._end_us:
            raise Ended("duration")

    def _move(self, to_us: int) -> None:
        self._actions.button = self._pressed()
        self._step((to_us - self.now_us) // self._steps)
        self.now_us = to_us

    def _keep_pace(self) -> None:
        """Shows the page what happened, and waits until the clock on the wall has come as far."""
        speed = 1.0 if self._speed is None and self._is_waiting() else self._speed
        now_s = time.monotonic()
        if speed is None:
            self._base_s, self._base_us = now_s, self.now_us
        else:
            wait_s = self._base_s + (self.now_us - self._base_us) * 1e-6 / speed - now_s
            if wait_s < -BEHIND_S:
                self._base_s, self._base_us = now_s, self.now_us
            elif wait_s > 0:
                time.sleep(wait_s)
        if time.monotonic() >= self._next_poll_s:
            self.poll()

    def poll(self) -> None:
        """Asks the page."""
        self._next_poll_s = time.monotonic() + POLL_S
        if not self.has_page:
            return
        wanted = self.handle.poll()
        self._page_button = bool(wanted & _native.BUTTON)
        if wanted & _native.STOP:
            raise Ended("a page stopped the program")
        if wanted & _native.RESET:
            self.handle.put_back()

    # ------------------------------------------------------------------------- the button

    def _pressed(self) -> bool:
        now_us = self.now_us
        return (self._page_button or now_us < self._held_until_us
                or any(a <= now_us < b for a, b in self._presses))

    def _is_waiting(self) -> bool:
        return not self._is_busy and self.now_us - self._polled_us < WAIT_GAP_US and (self.has_page or self._has_keys)

    def button(self) -> bool:
        now_us = self.now_us
        if self._is_busy or now_us - self._polled_us > WAIT_GAP_US:
            self._is_busy, self._wait_us = False, now_us
        self._polled_us = now_us
        if self._pressed():
            self._wait_us = now_us
            return True
        if self._has_keys:
            self._look_for_enter()
        elif not self.has_page and now_us - self._wait_us >= AUTOMATIC_US and not any(b > now_us for _, b in self._presses):
            self._held_until_us = now_us + AUTOMATIC_HOLD_US
            if not self.said:
                self.said = True
                print("halyard xrp: nobody can press the button here: each wait for it is answered after 0.5 s "
                      "(--press T0:T1, --view)", file=sys.stderr)
        return self._pressed()

    def _look_for_enter(self) -> None:
        if not self.said:
            self.said = True
            print("halyard xrp: Enter presses the button of the robot", file=sys.stderr)
        while select.select([sys.stdin], [], [], 0)[0]:
            if not sys.stdin.readline():
                self._has_keys = False
                return
            self._held_until_us = self.now_us + ENTER_HOLD_US
        if not self.has_page and self._speed is None:
            time.sleep(0.002)  # a person is slower than that

    # ------------------------------------------------------------------------- outputs and inputs

    def set_motor(self, index: int, effort: float) -> None:
        self._is_busy = True
        self._actions.motor[index] = effort

    def servo(self, index: int, pulse_us: float) -> None:
        self._actions.servo_us[index] = pulse_us

    def led(self, is_on: bool) -> None:
        self._actions.led = bool(is_on)

    def counts(self, index: int) -> int:
        self._is_busy = True
        return int(self._sensors.encoder_counts[index])

    def reflectance(self, index: int) -> float:
        self._is_busy = True
        read: float = self._sensors.reflectance[index]
        return read

    def range_m(self) -> float:
        self._is_busy = True
        read: float = self._sensors.range_m
        return read

    def gyro(self, axis: int) -> float:
        read: float = self._sensors.gyro_rate_rad_s[axis]
        return read

    def accel(self, axis: int) -> float:
        read: float = self._sensors.accel_m_s2[axis]
        return read

    def battery_v(self) -> float:
        read: float = self._sensors.battery_v
        return read

    def stop(self) -> None:
        """Motors off, and the world goes on until the robot stands."""
        self._presses, self._end_us = [], None
        for i in range(_native.MOTORS):
            self._actions.motor[i] = 0.0
        for _ in range(100):
            before = self.handle.pose()
            self._move(self.now_us + 10 * GRAIN_US)
            if all(abs(a - b) < 1e-6 for a, b in zip(before, self.handle.pose())):
                break


def is_terminal() -> bool:
    """Whether somebody sits at the standard input."""
    try:
        return sys.stdin is not None and sys.stdin.isatty()
    except ValueError:  # it is closed
        return False
