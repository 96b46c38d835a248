"""The shared library behind the package, by ctypes.

Nothing else in the package knows ctypes. python/native/native.h describes the functions and the structs, which are mirrored
here; their sizes are compared when the library is loaded.
"""

from __future__ import annotations

import ctypes
import math
import os
import sys
from ctypes import (POINTER, Structure, byref, c_bool, c_char, c_char_p, c_double, c_size_t, c_uint, c_uint64,
                    c_void_p)

TYPE_CHECKING = False  # typing takes longer to load than all the rest of this file
if TYPE_CHECKING:
    from typing import Any, Optional, Sequence

MOTORS, SERVOS, ENCODERS, REFLECTANCE = 8, 4, 8, 2
BUTTON, RESET, STOP = 1, 2, 4
_ERROR_BYTES = 1536


class HalyardError(Exception):
    """What the library refused, as one sentence."""


class Setup(Structure):
    _fields_ = [("world", c_char_p), ("robot", c_char_p), ("seed", c_uint64), ("pwm_hz", c_double), ("step_s", c_double)]


class Facts(Structure):
    _fields_ = [("step_s", c_double), ("width_m", c_double), ("height_m", c_double), ("motors", c_double),
                ("servos", c_double), ("encoders", c_double), ("m_per_count", c_double), ("track_m", c_double),
                ("world", c_char * 64), ("kind", c_char * 64), ("robot", c_char * 64)]


class Actions(Structure):
    _fields_ = [("motor", c_double * MOTORS), ("servo_us", c_double * SERVOS), ("led", c_double), ("button", c_double)]


class Sensors(Structure):
    _fields_ = [("time_s", c_double), ("encoder_counts", c_double * ENCODERS), ("gyro_rate_rad_s", c_double * 3),
                ("gyro_angle_rad", c_double * 3), ("accel_m_s2", c_double * 3), ("reflectance", c_double * REFLECTANCE),
                ("range_m", c_double), ("battery_v", c_double), ("button", c_double)]


class Truth(Structure):
    _fields_ = [("x_m", c_double), ("y_m", c_double), ("heading_rad", c_double), ("speed_m_s", c_double),
                ("lateral_m_s", c_double), ("rate_z_rad_s", c_double), ("wheel_counts", c_double * ENCODERS),
                ("reflectance", c_double * REFLECTANCE), ("range_m", c_double), ("battery_v", c_double),
                ("motor_duty", c_double * MOTORS), ("servo_rad", c_double * SERVOS), ("touching", c_double),
                ("touching_field", c_double), ("led", c_double), ("button", c_double), ("browned_out", c_double)]


class Outcome(Structure):
    _fields_ = [("driven_m", c_double), ("touches", c_double), ("has_line", c_double), ("laps", c_double),
                ("line_mean_m", c_double), ("line_most_m", c_double)]


_STRUCTS = (Setup, Facts, Actions, Sensors, Truth, Outcome)

_FUNCTIONS: "dict[str, tuple[Any, list[Any]]]" = {
    "sizes": (None, [POINTER(c_size_t)]),
    "version": (c_char_p, []),
    "open": (c_bool, [POINTER(Setup), POINTER(c_void_p), c_char_p]),
    "close": (None, [c_void_p]),
    "facts_of": (None, [c_void_p, POINTER(Facts)]),
    "restart": (c_bool, [c_void_p, c_uint64, c_char_p]),
    "put_back": (None, [c_void_p]),
    "step": (None, [c_void_p, POINTER(Actions), c_uint64, POINTER(Sensors)]),
    "sense": (None, [c_void_p, POINTER(Sensors)]),
    "true": (None, [c_void_p, POINTER(Truth)]),
    "pose": (None, [c_void_p, POINTER(c_double)]),
    "judge": (c_bool, [c_void_p, c_char_p]),
    "judged": (None, [c_void_p, POINTER(Outcome)]),
    "hash": (c_uint64, [c_void_p]),
    "render": (None, [c_void_p, c_void_p, c_uint64, c_uint64]),
    "record": (c_bool, [c_void_p, c_char_p, c_bool, c_char_p]),
    "record_end": (c_bool, [c_void_p, c_char_p]),
    "print": (None, [c_void_p, c_char_p]),
    "page": (c_bool, [c_void_p, c_char_p, c_bool, c_char_p]),
    "poll": (c_uint, [c_void_p]),
    "url": (None, [c_void_p, c_char_p]),
}


def files() -> str:
    """The folder with bin, lib and share: the one in the wheel, else where the project was built or installed."""
    here = os.path.dirname(os.path.abspath(__file__))
    inside = os.path.join(here, "files")
    return inside if os.path.isdir(inside) else os.path.join(here, "..", "..", "..", "..")


def _candidates() -> list[str]:
    name = {"darwin": "libhalyard_python.dylib", "win32": "halyard_python.dll"}.get(sys.platform, "libhalyard_python.so")
    named = os.environ.get("HALYARD_PYTHON_LIBRARY")
    if named:
        return [named]
    here = os.path.dirname(os.path.abspath(__file__))
    multiarch = os.path.join("lib", getattr(sys.implementation, "_multiarch", ""))
    folders = [os.path.join(files(), one) for one in ("lib", "lib64", multiarch)]
    return [os.path.join(one, name) for one in folders + [os.path.join(here, "..", "..", "build", "lib")]]


def _load() -> dict[str, Any]:
    path = next((one for one in _candidates() if os.path.exists(one)), None)
    if path is None:
        raise HalyardError("there is no libhalyard_python.so beside the package; install the wheel, or build the project "
                           "with 'make build' (HALYARD_PYTHON_LIBRARY names another one)")
    try:
        library = ctypes.CDLL(path)
    except OSError as why:
        raise HalyardError(f"{path} cannot be loaded: {why}") from None
    functions: dict[str, Any] = {}
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, "hy_py_" + name, None)
        if function is None:
            raise HalyardError(f"{path} is of another version than this package: it has no hy_py_{name}")
        function.restype, function.argtypes = result, arguments
        functions[name] = function
    sizes = (c_size_t * len(_STRUCTS))()
    functions["sizes"](sizes)
    if list(sizes) != [ctypes.sizeof(one) for one in _STRUCTS]:
        raise HalyardError(f"{path} is of another version than this package")
    return functions


_functions: dict[str, Any] = {}


def call(name: str) -> Any:
    """A function of the library, which is loaded with the first one."""
    if not _functions:
        _functions.update(_load())
    return _functions[name]


def version() -> str:
    """The version of the library."""
    return bytes(call("version")()).decode()


def _text(what: str, value: object) -> bytes:
    try:
        encoded = os.fsencode(value) if isinstance(value, (str, bytes, os.PathLike)) else None
    except UnicodeError:
        encoded = None
    if encoded is None:
        raise TypeError(f"{what} is a text, not {value!r}")
    if b"\0" in encoded or len(encoded) > 1000:
        raise HalyardError(f"{what} is longer than 1000 bytes, or has a NUL in it")
    return encoded


def number(what: str, value: object, low: float, high: float) -> float:
    """A finite number within its range; exceptions say which one is none."""
    try:
        out = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{what} is a number, not {value!r}") from None
    if not (math.isfinite(out) and low <= out <= high):
        raise ValueError(f"{what} is a number from {low:g} to {high:g}, not {out!r}")
    return out


def whole(what: str, value: object, low: int, high: int) -> int:
    """The same for whole numbers."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what} is a whole number, not {value!r}")
    out = int(value.__index__())
    if not low <= out <= high:
        raise ValueError(f"{what} is a whole number from {low} to {high}, not {out}")
    return out


class Handle:
    """One simulation. After close() everything raises HalyardError."""

    def __init__(self, world: object, robot: object, seed: object, pwm_hz: object, step_ms: object) -> None:
        self._at: Optional[c_void_p] = None
        self.seed = whole("seed", seed, 0, 2**64 - 1)
        setup = Setup(_text("world", world), None if robot is None else _text("robot", str(robot) if isinstance(robot, int) else robot),
                      self.seed, number("pwm_hz", pwm_hz, 0, 100000),
                      number("step_ms", step_ms, 0, 20) / 1000)
        at = c_void_p()
        self._checked("open", byref(setup), byref(at))
        self._at = at
        self.facts = Facts()
        call("facts_of")(at, byref(self.facts))
        self.actions, self.sensors = Actions(), Sensors()
        self._actions, self._sensors = byref(self.actions), byref(self.sensors)
        self._step = call("step")
        call("sense")(at, self._sensors)

    def _checked(self, name: str, *arguments: object) -> None:
        error = ctypes.create_string_buffer(_ERROR_BYTES)
        if not call(name)(*arguments, error):
            raise HalyardError(error.value.decode("utf-8", "replace"))

    def at(self) -> c_void_p:
        if self._at is None:
            raise HalyardError("this world is closed")
        return self._at

    def close(self) -> None:
        if self._at is not None:
            at, self._at = self._at, None
            call("close")(at)

    def step(self, count: int) -> Sensors:
        """Steps with `actions`, which then stay; the sensors are those of this handle, and change with the next step."""
        self._step(self._at or self.at(), self._actions, count, self._sensors)
        return self.sensors

    def restart(self, seed: int) -> Sensors:
        self._checked("restart", self.at(), seed)
        ctypes.memset(self._actions, 0, ctypes.sizeof(Actions))
        call("sense")(self.at(), self._sensors)
        return self.sensors

    def put_back(self) -> None:
        call("put_back")(self.at())

    def truth(self) -> Truth:
        out = Truth()
        call("true")(self.at(), byref(out))
        return out

    def pose(self) -> tuple[float, float, float]:
        out = (c_double * 3)()
        call("pose")(self.at(), out)
        return out[0], out[1], out[2]

    def judge(self) -> None:
        self._checked("judge", self.at())

    def judged(self) -> Outcome:
        out = Outcome()
        call("judged")(self.at(), byref(out))
        return out

    def hash(self) -> int:
        return int(call("hash")(self.at()))

    def render(self, address: int, columns: int, rows: int) -> None:
        call("render")(self.at(), address, columns, rows)

    def record(self, path: object, overwrite: bool) -> None:
        self._checked("record", self.at(), _text("the path of a recording", path), bool(overwrite))

    def record_end(self) -> None:
        self._checked("record_end", self.at())

    def print(self, text: str) -> None:
        call("print")(self.at(), text.replace("\0", "").encode("utf-8", "replace"))

    def page(self, listen: str, opens: bool) -> str:
        self._checked("page", self.at(), _text("the address of the page", listen), opens)
        out = ctypes.create_string_buffer(_ERROR_BYTES)
        call("url")(self.at(), out)
        return out.value.decode()

    def poll(self) -> int:
        return int(call("poll")(self.at()))


def fill(to: Any, what: str, values: Sequence[object], most: int) -> None:
    """Copies numbers of [-1, +1] into the first places of an array, and 0 into the rest."""
    checked = [number(what, value, -1e9, 1e9) for value in values]
    if len(checked) > most:
        raise ValueError(f"{what}: at most {most} numbers, not {len(checked)}")
    for i in range(len(to)):
        to[i] = checked[i] if i < len(checked) else 0.0
