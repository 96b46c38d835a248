"""`halyard xrp main.py`: runs a MicroPython program for the XRP on a virtual one."""

from __future__ import annotations

import json
import math
import os
import signal
import sys
import traceback
from types import CodeType, FrameType, ModuleType
from typing import Any, Optional, Sequence, TextIO, cast

from .. import _native
from .backend import GRAIN_US, Ended, Robot

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


def _parse(arguments: Sequence[str]) -> Any:
    import argparse

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> Any:
            print(f"{PROGRAM}: {message}; '{PROGRAM} --help' explains the options", file=sys.stderr)
            sys.exit(USAGE)

    out = Parser(prog=PROGRAM, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
                 description="Runs an unchanged MicroPython program for the XRP on a virtual one.",
                 epilog="The modules of XRPLib are there under their names. Time is simulated: each call of hardware takes as long as on\n"
                        "the robot, so equal runs are equal. docs/guide/python.md explains more.")
    add = out.add_argument
    add("program", metavar="main.py", help="the program, also a .blocks file of XRPCode")
    add("--world", metavar="NAME|FILE", default="xrp-arena", help="the world around the robot (default xrp-arena; for courses: "
        "xrp-circle, xrp-grid, xrp-maze, xrp-line)")
    add("--robot", metavar="ideal|typical|SEED|FILE", help="how it differs from an ideal robot (default: what the world says)")
    add("--seed", metavar="N", type=int, default=1, help="seed for all sensor noise, and of the program's random (default 1)")
    add("--view", metavar="ADDR:PORT", help="show it in the browser (--view alone: 127.0.0.1:5800; with = another address)")
    add("--open", action="store_true", help="open the page in this user's browser")
    add("--speed", metavar="X|max", type=_speed, help="simulated over real time (default: max; 1 with --view)")
    add("--press", metavar="T0:T1", type=_press, action="append", default=[], help="hold the user button from T0 to T1 seconds; may be repeated")
    add("--duration", metavar="SECONDS", type=_positive, help="end the program after that time")
    add("--record", metavar="FILE", help="write a log for AdvantageScope and 'halyard replay', with what the program prints")
    add("--overwrite", action="store_true", help="replace the log if it is there")
    add("--xrplib", metavar="FOLDER", help="run a copy of the official library: the folder that has XRPLib in it")
    add("--json", action="store_true", help="end with one line of JSON about the run")
    return out.parse_args(["--view=" if one == "--view" else one for one in arguments])


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


def _load_time() -> None:
    """The robot's `time`, for every import from now on: Python's own is built in, and would be found before any file."""
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("time", os.path.join(MODULES, "time.py"))
    assert spec is not None and spec.loader is not None
    sys.modules["time"] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules["time"])


def _install(robot: Robot, program: str, xrplib: Optional[str]) -> None:
    """Gives the program the robot's modules in place of the PC's."""
    import random  # before `time` is the robot's

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
    random.seed(robot.handle.seed)


def _is_own(path: str, folder: str) -> bool:
    return os.path.abspath(path).startswith(folder + os.sep) and not path.startswith(MODULES)


def _print_exception(why: BaseException, folder: str) -> None:
    """As Python does, with the program's own lines alone."""
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


def _report(asked: Any, handle: _native.Handle, ended_us: int, why: str) -> None:
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
        print(json.dumps(facts), flush=True)
        return
    laps = f", {facts['laps']:.2f} laps" if judged.has_line else ""
    print(f"{PROGRAM}: {why} after {facts['time_s']:.2f} s at x {x_m:.3f} m, y {y_m:.3f} m, heading "
          f"{facts['heading_deg']:.1f} deg; drove {judged.driven_m:.2f} m, touched something {facts['touches']} times{laps}",
          file=sys.stderr)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _start(asked: Any) -> tuple[_native.Handle, Robot]:
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


def main(arguments: Sequence[str]) -> int:
    """The command; returns its exit status."""
    asked = _parse(arguments)
    if asked.xrplib and not os.path.isdir(os.path.join(asked.xrplib, "XRPLib")):
        print(f"{PROGRAM}: --xrplib {asked.xrplib}: there is no folder XRPLib in it", file=sys.stderr)
        return USAGE
    try:
        code = _compile(asked.program)
        handle, robot = _start(asked)
    except SyntaxError as why:
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
    if asked.record:
        sys.stdout = sys.__stdout__
        try:
            handle.record_end()
        except _native.HalyardError as why:
            print(f"{PROGRAM}: {why}", file=sys.stderr)
            status = status or FAILED
    handle.close()
    return status
