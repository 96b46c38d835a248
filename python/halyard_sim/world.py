"""A world with one robot in it, stepped by its caller."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence, Union

from . import _native
from ._native import HalyardError

if TYPE_CHECKING:
    import numpy

__all__ = ["HalyardError", "Pose", "Sensors", "Truth", "World"]


class Pose(NamedTuple):
    """Where the robot is: metres from the lower left corner of the floor; radians, counter-clockwise from +x, never wrapped."""

    x_m: float
    y_m: float
    heading_rad: float


class Sensors(NamedTuple):
    """What the robot's sensors read after the last step, noise included. Axes: x forward, y left, z up."""

    time_s: float  #: Simulated time since the start.
    encoder_counts: tuple[int, ...]  #: One a motor; rises when its wheel goes forward.
    gyro_rate_rad_s: tuple[float, float, float]
    gyro_angle_rad: tuple[float, float, float]  #: The rates, added up since the start; never wraps.
    accel_m_s2: tuple[float, float, float]  #: (0, 0, 9.8) at rest.
    reflectance: tuple[float, float]  #: Left, right: 0 white .. 1 black.
    range_m: float  #: Its largest range where nothing echoes.
    battery_v: float
    button: bool  #: The user button is held down.


class Truth(NamedTuple):
    """What is true of the robot now: for rewards, referees and tests. A real robot cannot know it."""

    x_m: float
    y_m: float
    heading_rad: float
    speed_m_s: float  #: Forward.
    lateral_m_s: float  #: To the left.
    rate_z_rad_s: float  #: Counter-clockwise.
    wheel_counts: tuple[float, ...]  #: Turned since the start, forward positive.
    reflectance: tuple[float, float]  #: Without noise, as is the range.
    range_m: float
    battery_v: float
    motor_duty: tuple[float, ...]  #: What the motors get, [-1, +1].
    servo_rad: tuple[float, ...]  #: Where the arms are, 0 in the middle.
    touching: bool  #: In contact with a wall, an obstacle, a piece or another robot.
    led: bool


class World:
    """A simulated world, of whose robots the first one is driven by its caller.

    >>> with World("xrp-arena", robot="typical", seed=3) as world:
    ...     for _ in range(100):
    ...         sensors = world.step([0.5, 0.5])
    ...     world.pose.x_m > 0.9
    True

    ``world`` is a name, such as "xrp-line", or the path of a world file. ``robot`` says how the robot differs from an ideal
    one: "ideal", "typical", a number (the seed of a robot as others are built), or the path of a robot file; None: what the
    world's file says. ``seed`` feeds the noise of all sensors: the same arguments and actions give the same states, bit for
    bit, on every machine. ``pwm_hz`` is the frequency of the motors' PWM (0: the controller's), ``step_ms`` the length of a
    step, 1 to 20 (0: the world's, 10 as a rule).

    What the library refuses is a HalyardError with its sentence; wrong numbers are a ValueError or a TypeError. One thread
    at a time.
    """

    def __init__(self, world: Union[str, "os.PathLike[str]"] = "xrp-arena", *,
                 robot: Union[str, int, "os.PathLike[str]", None] = None, seed: int = 1, pwm_hz: float = 0.0,
                 step_ms: float = 0.0) -> None:
        self._handle = _native.Handle(world, robot, seed, pwm_hz, step_ms)
        facts = self._handle.facts
        self.name: str = facts.world.decode()  #: Of the world, as its file has it.
        self.robot: str = facts.robot.decode()  #: "ideal", "typical", "robot 7" ...
        self.kind: str = facts.kind.decode()  #: Of the robot: "xrp", "teensy".
        self.step_s: float = facts.step_s  #: Simulated seconds of a step.
        self.size_m: tuple[float, float] = (facts.width_m, facts.height_m)
        self.motors: int = int(facts.motors)
        self.servos: int = int(facts.servos)
        self.encoders: int = int(facts.encoders)

    def step(self, actions: Sequence[float], n: int = 1, *, servos: Optional[Sequence[float]] = None,
             led: bool = False, button: bool = False) -> Sensors:
        """Holds ``actions`` for ``n`` steps (at least 1) and returns what the sensors read then.

        ``actions`` are the efforts of the motors, at most ``motors`` of them, limited to [-1, +1]: left and right wheel of
        an XRP first; positive drives forward. Motors that are not named get 0. ``servos`` are pulse widths in microseconds,
        500 to 2500, 0 for none; a servo that is not named stays where it is. ``button``: somebody holds the user button.
        """
        to = self._handle.actions
        _native.fill(to.motor, "actions", actions, self.motors)
        if servos is not None:
            _native.fill(to.servo_us, "servos", servos, self.servos)
        to.led, to.button = float(bool(led)), float(bool(button))
        self._handle.at()
        self._handle.step(_native.whole("n", n, 1, 10**9))
        return self.sensors

    @property
    def sensors(self) -> Sensors:
        """What the sensors read after the last step."""
        self._handle.at()
        read = self._handle.sensors
        return Sensors(read.time_s, tuple(int(one) for one in read.encoder_counts[: self.encoders]),
                       tuple(read.gyro_rate_rad_s), tuple(read.gyro_angle_rad), tuple(read.accel_m_s2),
                       tuple(read.reflectance), read.range_m, read.battery_v, bool(read.button))

    @property
    def pose(self) -> Pose:
        """Where the robot really is."""
        return Pose(*self._handle.pose())

    @property
    def truth(self) -> Truth:
        """All that is true of the robot; costs about as much as a step."""
        true = self._handle.truth()
        return Truth(true.x_m, true.y_m, true.heading_rad, true.speed_m_s, true.lateral_m_s, true.rate_z_rad_s,
                     tuple(true.wheel_counts[: self.encoders]), tuple(true.reflectance), true.range_m, true.battery_v,
                     tuple(true.motor_duty[: self.motors]), tuple(true.servo_rad[: self.servos]), bool(true.touching),
                     bool(true.led))

    @property
    def hash(self) -> int:
        """A hash over the whole state: equal states, equal hashes, on every machine."""
        return self._handle.hash()

    def reset(self, seed: int = 1) -> Sensors:
        """Starts again with another seed, as a World of that seed starts. Not while it is recorded."""
        self._handle.restart(_native.whole("seed", seed, 0, 2**64 - 1))
        return self.sensors

    def render(self, height: int = 300) -> "numpy.ndarray[Any, Any]":
        """The world from above: an array of uint8 and shape (height, width, 3), red, green, blue; the upper row first.

        The width follows from the size of the floor. Needs numpy.
        """
        import numpy

        rows = _native.whole("height", height, 1, 4096)
        columns = max(1, min(16384, round(rows * self.size_m[0] / self.size_m[1])))
        out = numpy.empty((rows, columns, 3), dtype=numpy.uint8)
        self._handle.render(out.ctypes.data, columns, rows)
        return out

    def record(self, file: Union[str, "os.PathLike[str]"], *, overwrite: bool = False) -> None:
        """Records everything from now on, the start, into a log file, which close() or end_record() completes.

        AdvantageScope opens it, and ``halyard replay`` runs it again.
        """
        self._handle.record(file, overwrite)

    def end_record(self) -> None:
        """Completes the recording. A HalyardError says if not everything got into the file."""
        self._handle.record_end()

    def close(self) -> None:
        """Frees the world; every other call raises HalyardError afterwards."""
        self._handle.close()

    def __enter__(self) -> "World":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle is not None:
            handle.close()
