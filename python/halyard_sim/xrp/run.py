"""`halyard xrp main.py`: runs a MicroPython program for the XRP on a virtual one."""

from __future__ import annotations

import math
import os
import signal
import sys
from types import CodeType, FrameType, ModuleType

from .. import _native
from .backend import GRAIN_US, Ended, Robot, is_terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Optional, Sequence, TextIO

PROGRAM = "halyard xrp"
MODULES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "robot")
PWM_HZ = 50  # of XRPLib's motors
ENDLESS_S = 5  # of processor time, without any call of hardware or clock
FAILED, USAGE, INTERRUPTED = 1, 2, 130


class Endless(BaseException):
    """The program has a loop that calls nothing."""


# --------------------------------------------------------------------------- the command line


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value <= 1e9:
        raise ValueError
    return value


def _press(text: str) -> tuple[float, float]:
    first, _, second = text.partition(":")
    out = float(first), float(second)
    if not 0 <= out[0] <= out[1] < 1e9:
        raise ValueError
    return out


def _speed(text: str) -> float:
    """0: as fast as it goes."""
    return 0.0 if text == "max" else _positive(text)


class _Usage(Exception):
    """What is wrong with the command line."""


# Name, what its value is called (None: it has none), how it is read, help.
_OPTIONS: "list[tuple[str, Optional[str], Callable[[str], Any], str]]" = [
    ("world", "NAME|FILE", str, "the world around the robot (default xrp-arena; for courses: xrp-circle,\nxrp-grid, xrp-line, xrp-maze)"),
    ("robot", "ideal|typical|SEED|FILE", str, "how it differs from an ideal robot (default: what the world says)"),
    ("seed", "N", int, "seed for all sensor noise, and of the program's random (default 1)"),
    ("view", None, str, "show it in the browser (default 127.0.0.1:5800; another address:\n--view=ADDR:PORT)"),
    ("open", None, str, "open the page in this user's browser"),
    ("speed", "X|max", _speed, "simulated over real time (default: max; 1 with --view)"),
    ("press", "T0:T1", _press, "hold the user button from T0 to T1 seconds; may be repeated"),
    ("duration", "SECONDS", _positive, "end the program after that time"),
    ("record", "FILE", str, "write a log for AdvantageScope and 'halyard replay', with what the\nprogram prints"),
    ("overwrite", None, str, "replace the log if it is there"),
    ("xrplib", "FOLDER", str, "run a copy of the official library: the folder that has XRPLib in it"),
    ("json", None, str, "end with one line of JSON about the run"),
    ("help", None, str, "print this help"),
]


class _Asked:
    """The command line."""

    def __init__(self) -> None:
        self.program = ""
        self.world, self.robot, self.seed = "xrp-arena", None, 1
        self.view: Optional[str] = None
        self.speed: Optional[float] = None
        self.duration: Optional[float] = None
        self.record: Optional[str] = None
        self.xrplib: Optional[str] = None
        self.press: list[tuple[float, float]] = []
        self.open = self.overwrite = self.json = self.help = False

    def put(self, name: str, text: Optional[str], read: Callable[[str], Any]) -> None:
        if name == "view":
            self.view = text or ""
        elif text is None:
            setattr(self, name, True)
        elif name == "press":
            self.press.append(read(text))
        else:
            setattr(self, name, read(text))


def _help() -> str:
    out = [f"Usage: {PROGRAM} main.py [OPTION...]", "", "Runs an unchanged MicroPython program for the XRP on a virtual one; also a .blocks file of XRPCode.", ""]
    for name, value, _, text in _OPTIONS:
        left = f"  --{name} {value or ''}".rstrip()
        lines = text.split("\n")
        if len(left) > 24:
            out.append(left)
            left = ""
        out += [f"{left:<26}{lines[0]}"] + [" " * 26 + line for line in lines[1:]]
    return "\n".join(out + ["", "Time is simulated: each call of hardware takes as long as on the robot, so equal runs are equal.", "More is in docs/guide/python.md."])


def _option(asked: _Asked, word: str, rest: list[str]) -> None:
    name, equals, text = word[2:].partition("=")
    found = next((one for one in _OPTIONS if one[0] == name), None)
    if found is None:
        import difflib

        close = difflib.get_close_matches(name, [one[0] for one in _OPTIONS], 1)
        raise _Usage(f"unknown option '--{name}'" + (f"; did you mean --{close[0]}?" if close else ""))
    if found[1] is None and equals and name != "view":
        raise _Usage(f"--{name} has no value")
    if found[1] is not None and not equals:
        if not rest:
            raise _Usage(f"--{name} needs {found[1]}")
        text = rest.pop(0)
    try:
        asked.put(name, text if found[1] is not None or equals else None, found[2])
    except ValueError:
        raise _Usage(f"--{name} needs {found[1]}, not '{text}'") from None


def _parse(arguments: Sequence[str]) -> _Asked:
    asked, rest = _Asked(), list(arguments)
    while rest:
        word = rest.pop(0)
        if word in ("-h", "--help"):
            asked.help = True
        elif word.startswith("--"):
            _option(asked, word, rest)
        elif asked.program:
            raise _Usage(f"unexpected argument '{word}'")
        else:
            asked.program = word
    if not asked.program and not asked.help:
        raise _Usage("a program is missing: main.py")
    return asked


# --------------------------------------------------------------------------- the program's surroundings


class _Recorder:
    """Standard output, whose lines also go into the recording, at their time."""

    def __init__(self, out: TextIO, handle: _native.Handle) -> None:
        self._out, self._handle, self._line = out, handle, ""

    def write(self, text: str) -> int:
        self._line += text
        *lines, self._line = self._line.split("\n")
        for line in lines:
            self._handle.print(line)
        return self._out.write(text)

    def finish(self) -> None:
        if self._line:
            self._handle.print(self._line)
        self._line = ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)


class _SeededRandom:
    """Python's `random`, which begins with the seed of the run, once somebody imports it."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        if name != "random":
            return None
        from importlib.util import find_spec

        sys.meta_path.remove(self)
        spec = find_spec(name)
        assert spec is not None and spec.loader is not None
        load = spec.loader.exec_module

        def load_and_seed(module: Any) -> None:
            load(module)
            module.seed(self._seed)

        spec.loader.exec_module = load_and_seed  # type: ignore[method-assign]
        return spec


def _load_time() -> None:
    """The robot's `time`, for every import from now on: Python's own is built in, and would be found before any file."""
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("time", os.path.join(MODULES, "time.py"))
    assert spec is not None and spec.loader is not None
    sys.modules["time"] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules["time"])


def _install(robot: Robot, program: str, xrplib: Optional[str]) -> None:
    """Gives the program the robot's modules in place of the PC's."""
    sys.modules["halyard_real_time"] = sys.modules["time"]
    sys.modules["halyard_robot"] = robot.module(False)
    for name in ("time", "utime", "machine", "rp2", "neopixel", "network", "micropython", "halyard_clock"):
        sys.modules.pop(name, None)
    for name, real in (("urandom", "random"), ("ujson", "json"), ("uos", "os"), ("usys", "sys"), ("ustruct", "struct"),
                       ("umath", "math"), ("ucollections", "collections"), ("uasyncio", "asyncio"), ("ure", "re")):
        if real in sys.modules:
            sys.modules[name] = sys.modules[real]
    sys.path[:0] = ([os.path.abspath(xrplib)] if xrplib else []) + [MODULES, os.path.dirname(os.path.abspath(program))]
    sys.implementation._machine = sys.modules["halyard_robot"].MACHINE  # type: ignore[attr-defined]
    import gc

    for name, value in (("mem_free", 200000), ("mem_alloc", 60000), ("threshold", -1)):  # as MicroPython has them
        setattr(gc, name, lambda *_, value=value: value)
    _load_time()
    sys.modules.pop("random", None)
    sys.meta_path.insert(0, _SeededRandom(robot.handle.seed))


def _is_own(path: str, folder: str) -> bool:
    return os.path.abspath(path).startswith(folder + os.sep) and not path.startswith(MODULES)


def _print_exception(why: BaseException, folder: str) -> None:
    """As Python does, with the program's own lines alone."""
    import traceback

    lines = traceback.extract_tb(why.__traceback__)
    own = [line for line in lines if _is_own(line.filename, folder)]
    print("Traceback (most recent call last):", file=sys.stderr)
    sys.stderr.write("".join(traceback.format_list(own or lines)))
    sys.stderr.write("".join(traceback.format_exception_only(type(why), why)))


class _Guard:
    """Ends a loop that calls nothing: the processor's time is counted, so a busy or sleeping computer ends none."""

    def __init__(self, robot: Robot, folder: str) -> None:
        self._robot, self._folder, self._clock = robot, folder, sys.modules["halyard_clock"]
        self._seen, self._ticks = -1, 0
        if hasattr(signal, "SIGVTALRM"):
            signal.signal(signal.SIGVTALRM, self._tick)
            signal.setitimer(signal.ITIMER_VIRTUAL, 1, 1)

    def _tick(self, _: int, frame: Optional[FrameType]) -> None:
        now = self._clock.now_us
        self._ticks = self._ticks + 1 if now == self._seen else 0
        self._seen = now
        if self._ticks < ENDLESS_S:
            return
        while frame is not None and not _is_own(frame.f_code.co_filename, self._folder):
            frame = frame.f_back
        where = f"{os.path.basename(frame.f_code.co_filename)}, line {frame.f_lineno}" if frame is not None else "the program"
        raise Endless(f"{where}: a loop that calls nothing of the robot ran for {ENDLESS_S} s; time stands still in it. "
                      "Read a sensor in it, or call time.sleep(0.01)")

    def end(self) -> None:
        if hasattr(signal, "SIGVTALRM"):
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _compile(path: str) -> CodeType:
    with open(path, "rb") as file:
        source = file.read()
    return compile(source, os.path.abspath(path), "exec", dont_inherit=True)


def _run(code: CodeType, robot: Robot, folder: str) -> tuple[int, str]:
    """Runs the program to its end: the exit status, and why it ended."""
    main = ModuleType("__main__")
    main.__dict__.update(__file__=code.co_filename, __builtins__=__builtins__)
    sys.modules["__main__"] = main
    guard = _Guard(robot, folder)
    try:
        exec(code, main.__dict__)
    except Ended as why:
        return 0, str(why)
    except SystemExit as why:
        return (why.code if isinstance(why.code, int) else 0 if why.code is None else FAILED), "the program called sys.exit()"
    except KeyboardInterrupt:
        return INTERRUPTED, "it was interrupted"
    except Endless as why:
        print(f"{PROGRAM}: {why}", file=sys.stderr)
        return FAILED, "a loop without end"
    except BaseException as why:
        _print_exception(why, folder)
        return FAILED, f"{type(why).__name__}"
    finally:
        guard.end()
    return 0, "the program ended"


# --------------------------------------------------------------------------- the run


def _report(asked: _Asked, handle: _native.Handle, ended_us: int, why: str) -> None:
    x_m, y_m, heading_rad = handle.pose()
    judged = handle.judged()
    facts = {
        "world": asked.world, "robot": handle.facts.robot.decode(), "seed": asked.seed, "ended": why,
        "time_s": ended_us / 1e6, "x_m": round(x_m, 6), "y_m": round(y_m, 6),
        "heading_deg": round(math.degrees(heading_rad), 4), "driven_m": round(judged.driven_m, 6),
        "touches": int(judged.touches), "laps": round(judged.laps, 4) if judged.has_line else None,
        "line_mean_m": round(judged.line_mean_m, 6) if judged.has_line else None,
        "line_most_m": round(judged.line_most_m, 6) if judged.has_line else None, "hash": f"{handle.hash():016x}",
    }
    if asked.json:
        import json

        print(json.dumps(facts), flush=True)
        return
    laps = f", {facts['laps']:.2f} laps" if judged.has_line else ""
    print(f"{PROGRAM}: {why} after {facts['time_s']:.2f} s at x {x_m:.3f} m, y {y_m:.3f} m, heading "
          f"{facts['heading_deg']:.1f} deg; drove {judged.driven_m:.2f} m, touched something {facts['touches']} times{laps}",
          file=sys.stderr)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _start(asked: _Asked) -> tuple[_native.Handle, Robot]:
    handle = _native.Handle(asked.world, asked.robot, asked.seed, PWM_HZ, GRAIN_US / 1000)
    if handle.facts.kind != b"xrp":
        raise _native.HalyardError(f"--world {asked.world}: its robot is of type {handle.facts.kind.decode()}, not an XRP")
    if asked.record:
        handle.record(asked.record, asked.overwrite)
    if asked.view is not None:
        sys.stdout.flush()
        print(f"halyard: ready page={handle.page(asked.view, asked.open)}", flush=True)
    handle.judge()
    has_page = asked.view is not None
    speed = (1.0 if has_page else 0.0) if asked.speed is None else asked.speed
    return handle, Robot(handle, asked.press, asked.duration, speed or None, has_page)


def _stay(robot: Robot) -> None:
    """In a terminal the page stays, so that somebody can look at where the robot has come to."""
    if not robot.has_page or not is_terminal():
        return
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        print(f"{PROGRAM}: the page stays until Ctrl-C", file=sys.stderr)
        while True:
            robot.poll()
            sys.modules["halyard_real_time"].sleep(0.02)
    except (KeyboardInterrupt, Ended):
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def main(arguments: Sequence[str]) -> int:
    """The command; returns its exit status."""
    try:
        asked = _parse(arguments)
    except _Usage as why:
        print(f"{PROGRAM}: {why}; '{PROGRAM} --help' explains the options", file=sys.stderr)
        return USAGE
    if asked.help:
        print(_help())
        return 0
    if asked.xrplib and not os.path.isdir(os.path.join(asked.xrplib, "XRPLib")):
        print(f"{PROGRAM}: --xrplib {asked.xrplib}: there is no folder XRPLib in it", file=sys.stderr)
        return USAGE
    try:
        code = _compile(asked.program)
        handle, robot = _start(asked)
    except SyntaxError as why:
        import traceback

        sys.stderr.write("".join(traceback.format_exception_only(type(why), why)))
        return FAILED
    except OSError as why:
        print(f"{PROGRAM}: {asked.program}: {why.strerror}", file=sys.stderr)
        return USAGE
    except (_native.HalyardError, ValueError) as why:
        print(f"{PROGRAM}: {why}", file=sys.stderr)
        return FAILED
    signal.signal(signal.SIGTERM, _interrupt)
    recorder = _Recorder(sys.stdout, handle)
    if asked.record:
        sys.stdout = recorder
    folder = os.path.dirname(os.path.abspath(asked.program))
    _install(robot, asked.program, asked.xrplib)
    status, why_ended = _run(code, robot, folder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # what follows takes milliseconds
    ended_us = robot.now_us
    robot.stop()
    recorder.finish()
    sys.stdout.flush()
    _report(asked, handle, ended_us, why_ended)
    _stay(robot)
    if asked.record:
        sys.stdout = sys.__stdout__
        try:
            handle.record_end()
        except _native.HalyardError as why:
            print(f"{PROGRAM}: {why}", file=sys.stderr)
            status = status or FAILED
    handle.close()
    return status
