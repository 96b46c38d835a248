"""What the interop tests share: a private network, programs that end with the test, a driver
station, the board's account of the truth, and named checks.

Python's standard library only; RobotPy is started as a program and never imported here.
"""

import argparse
import bisect
import contextlib
import ctypes
import fcntl
import itertools
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

import seasons

HERE = pathlib.Path(__file__).resolve().parent
VENDOR = HERE.parents[1] / "vendor"
SKIPPED = 77


# ---------------------------------------------------------------------------------------------
# Skipping aloud


def skip(reason):
    """Ends the test as skipped; where a skip is not acceptable (CI), as failed."""
    if os.environ.get("CI") == "true" or os.environ.get("HALYARD_NO_SKIP") == "1":
        print(f"FAILED: {reason}; a skip counts as a failure here")
        sys.exit(1)
    print(f"SKIPPED: {reason}")
    sys.exit(SKIPPED)


def install_season(name, shared):
    """WPILib of that season, installed if need be. Skips the test without a registry."""
    try:
        season = seasons.install(name, shared)
    except subprocess.CalledProcessError:
        sys.exit(f"FAILED: tests/interop/setup.sh could not install WPILib {name} (see above)")
    if season is None:
        skip(f"WPILib {name} is not installed and cannot be (see above)")
    return season


# ---------------------------------------------------------------------------------------------
# A network of our own: ports 1110, 1735 and 5810 are fixed in WPILib


# One of those for documentation (RFC 5737): without any beside loopback's, a resolver that is asked with AI_ADDRCONFIG, as WPILib's
# NetworkTables client does, finds no address for 127.0.0.1 either.
ADDRESS = "192.0.2.1"
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
SIOCGIFFLAGS, SIOCSIFFLAGS, SIOCSIFADDR, IFF_UP = 0x8913, 0x8914, 0x8916, 0x1
PR_SET_PDEATHSIG = 1

libc = ctypes.CDLL(None, use_errno=True)


def wait_for_turn():
    """Returns once no other test runs on this machine's own ports; the turn ends with this process."""
    path = pathlib.Path(tempfile.gettempdir()) / f"halyard-interop-{os.getuid()}.lock"
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)


def enter_own_network(address=None):
    """Moves this process into a network namespace of its own, loopback up, where it may. `address` is one more for loopback."""
    flags = CLONE_NEWNET if os.geteuid() == 0 else CLONE_NEWNET | CLONE_NEWUSER
    if libc.unshare(flags) != 0:
        print("note: no network namespace here, so robot programs wait for each other")
        wait_for_turn()
        return
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", b"lo", 0)
        (up,) = struct.unpack_from("h", fcntl.ioctl(any_socket, SIOCGIFFLAGS, request), 16)
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", up | IFF_UP))
        if address is not None:
            more = struct.pack("=H2x4s8x", socket.AF_INET, socket.inet_aton(address))
            fcntl.ioctl(any_socket, SIOCSIFADDR, struct.pack("16s16s8x", b"lo:1", more))


# ---------------------------------------------------------------------------------------------
# Programs


def go_first():
    """What lives by the clock goes before what only computes, as far as we may say so. For Linux a
    session is one among others, however important its processes are, unless it is told."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, -10)
        pathlib.Path("/proc/self/autogroup").write_text("-19")


def go_at_once():
    """For a thread that does little, and that at its time."""
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))


def before_program():
    """In the child, whose session is its own: it ends with us, and hears Ctrl-C, which a shell has
    programs in the background ignore."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    go_first()


class Program:
    """A child process in a group of its own; it does not outlive this one, however this one ends."""

    def __init__(self, name, argv, log_path, **popen_arguments):
        self.name = name
        self.log_path = log_path
        with open(log_path, "wb") as log:
            self.process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=before_program,
                **popen_arguments,
            )

    def wait_for(self, happened, timeout_s, what):
        """Returns what `happened()` returns, as soon as that is true."""
        give_up = time.monotonic() + timeout_s
        while time.monotonic() < give_up:
            result = happened()
            if result:
                return result
            if self.process.poll() is not None:
                raise TestError(
                    f"{self.name} ended with status {self.process.returncode}, waiting for {what}"
                )
            time.sleep(0.02)
        raise TestError(f"{self.name}: no {what} within {timeout_s} s")

    def stop(self):
        """Ctrl-C, then by force. Returns the exit status, None if it took force."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
                return None
        return self.process.returncode

    def kill(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def log(self):
        return self.log_path.read_text(errors="replace")


class TestError(Exception):
    """The test cannot go on; the message is one sentence for the reader."""


class Board(Program):
    """A virtual robot on a free port, writing the world's truth."""

    def __init__(self, halyard, work, *options, kind="xrp"):
        self.truth_path = work / "truth.jsonl"
        self.truth_path.unlink(missing_ok=True)
        # Sensors are compared with the truth: those of an ideal robot do not err.
        robot = ["--robot", "ideal"] if kind == "xrp" else []
        argv = [halyard, "board", kind, "--listen", "127.0.0.1:0", "--truth", self.truth_path, *robot]
        super().__init__("board", [*argv, *options], work / "board.log")
        address = self.wait_for(self._address, 10, "line 'halyard: ready udp=ADDR:PORT'")
        self.host, self.port = address.rsplit(":", 1)

    def _address(self):
        for line in self.log().splitlines(keepends=True):
            if line.startswith("halyard: ready ") and line.endswith("\n"):
                return dict(pair.split("=", 1) for pair in line.split()[2:])["udp"]
        return None

    def truth_now(self):
        """The last whole line of the truth so far."""
        return last_line(self.truth_path)


def sanitizer_environment():
    """A sanitized extension in a program that is not: its runtime has to be there first. Python and
    WPILib leak at exit, and WPILib's driver-station socket races with itself."""
    runtime = os.environ.get("HALYARD_EXT_PRELOAD")
    if not runtime:
        return {}
    suppressions = HERE / "ext_host/tsan.supp"
    return {
        "LD_PRELOAD": runtime,
        "ASAN_OPTIONS": "detect_leaks=0",
        "TSAN_OPTIONS": f"suppressions={suppressions}",
    }


def is_about_us(log):
    """Whether a sanitizer's report is about our code. A crash is not if it says so itself: the signal came to code that
    was not built with the sanitizer, and no frame is ours. WPILib and Python crash like that at exit, with any extension."""
    report = log[log.index("Sanitizer") :]
    sources = str(HERE.parents[1] / "src")
    is_crash = "Sanitizer:DEADLYSIGNAL" in report and "SUMMARY" in report
    kinds = {line.split(": ", 2)[-1].split()[0] for line in report.splitlines() if "ERROR: " in line or "WARNING: " in line}
    return not is_crash or not kinds <= {"SEGV", "ABRT"} or any(
        ours in report for ours in (sources, "/libhalsim_xrp.so", "/libhalsim_teensy.so", "hy_")
    )


def build_folder():
    return pathlib.Path(os.environ.get("HALYARD_BUILD_DIR", HERE.parents[1] / "build"))


def our_extension(kind):
    return build_folder() / "ext" / f"libhalsim_{kind}.so"


# Of each extension under test: the beginning of its variables' names.
VARIABLES = {"xrp": "HALSIMXRP", "teensy": "HALSIMTEENSY", "myboard": "HALSIMMYBOARD"}


class RobotProgram(Program):
    """One of our robot programs under `extension`, a path; None is WPILib's own, which in 2026 is
    started the way a user of RobotPy does."""

    def __init__(self, name, board, season, work, extension=None, kind="xrp"):
        folder = work / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(HERE / "robots" / name, folder)
        self.notes_path = folder / "notes.jsonl"
        argv, environment = season.python(["-m", "robotpy"])
        environment["PYTHONPATH"] += f":{VENDOR / 'python'}"
        environment["ROBOT_NOTES"] = str(self.notes_path)
        if extension is None and season.name == "2026":
            argv += ["run-xrp", "--host", board.host, "--port", board.port, "--nogui", "--ds-socket"]
        else:
            argv += ["run"]
            environment["HALSIM_EXTENSIONS"] = f"{extension or season.extension}:{season.ds_socket}"
            environment[f"{VARIABLES[kind]}_HOST"] = board.host
            environment[f"{VARIABLES[kind]}_PORT"] = board.port
        if extension is not None:
            environment.update(sanitizer_environment())
        environment = {**os.environ, **environment}
        super().__init__("robot program", argv, folder / "robot.log", cwd=folder, env=environment)
        self.wait_for(self.last_note, 60, "start of its loop")

    def stop(self):
        """Its exit status is not to be judged: on Ctrl-C a few programs in a hundred crash in WPILib's own code."""
        before = "Sanitizer" in self.log()
        status = super().stop()
        if "Sanitizer" in self.log() and (before or is_about_us(self.log())):
            raise TestError("a sanitizer complains; see " + str(self.log_path))
        return status

    def longest_gap_s(self):
        """Between two of its loops, which take 20 ms each."""
        times_s = [note["t_s"] for note in self.notes()]
        return max((after - before for before, after in itertools.pairwise(times_s)), default=0)

    def notes(self):
        if not self.notes_path.exists():
            return []
        return [json.loads(line) for line in whole_lines(self.notes_path)]

    def last_note(self):
        return last_line(self.notes_path)


def last_line(path):
    """The last whole line of a file that grows, read as JSON; None if there is none."""
    if not path.exists():
        return None
    with open(path, "rb") as file:
        file.seek(max(0, os.path.getsize(path) - 8192))
        lines = file.read().split(b"\n")
    return json.loads(lines[-2]) if len(lines) > 1 else None


def whole_lines(path):
    return [line for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")]


class DriverStation:
    """Tells WPILib's driver-station socket every 20 ms what the robot may do."""

    DISABLED, TELEOPERATED, AUTONOMOUS = 0x00, 0x04, 0x06

    def __init__(self):
        self.control = self.DISABLED
        self.axes = None  # of the first joystick, six of -128 .. 127; None: there is none
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        go_at_once()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sequence = 0
            while not self._over.wait(0.02):
                head = struct.pack(">HBBBB", sequence, 1, self.control, 0, 0)
                sender.sendto(head + self._joystick(), ("127.0.0.1", 1110))
                sequence = (sequence + 1) & 0xFFFF

    def _joystick(self):
        """A block of axes, ten buttons, a point-of-view hat."""
        if self.axes is None:
            return b""
        block = struct.pack(">BB6b", 0x0C, 6, *self.axes) + struct.pack(">BHBh", 10, 0, 1, -1)
        return bytes([len(block)]) + block

    def close(self):
        self._over.set()
        self._thread.join()


# ---------------------------------------------------------------------------------------------
# The truth


class Truth:
    """The world's own account of a run, a sample a step, in simulated time. `told_counts` of a sample
    is what its encoders have come to: they do not count while the robot is disabled."""

    def __init__(self, path):
        self.samples = [json.loads(line) for line in whole_lines(path)]
        self.times_s = [sample["t_s"] for sample in self.samples]
        self.samples[0]["told_counts"] = self.samples[0]["wheel_counts"]
        for before, after in itertools.pairwise(self.samples):
            turned = zip(before["told_counts"], before["wheel_counts"], after["wheel_counts"], strict=True)
            after["told_counts"] = [told + (now - was) * after["enabled"] for told, was, now in turned]

    def between(self, from_s, to_s):
        """All samples from `from_s` to `to_s`, and the one that held when that time began."""
        first = max(0, bisect.bisect_right(self.times_s, from_s) - 1)
        return self.samples[first : bisect.bisect_right(self.times_s, to_s)]

    def at(self, t_s):
        return self.samples[max(0, bisect.bisect_right(self.times_s, t_s) - 1)]


def count_edges(samples, key):
    """How often a flag went from false to true."""
    return sum(not before[key] and after[key] for before, after in zip(samples, samples[1:], strict=False))


# ---------------------------------------------------------------------------------------------
# Checks


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, holds, detail=""):
        self.passed += bool(holds)
        self.failed += not holds
        print(f"{'ok    ' if holds else 'FAILED'} {name}{': ' if detail else ''}{detail}", flush=True)

    def near(self, name, value, goal, tolerance, unit):
        detail = f"{value:.4g} {unit}, expected {goal:.4g} +- {tolerance:.4g}"
        self.check(name, abs(value - goal) <= tolerance, detail)

    def finish(self, programs):
        """Prints the sum, and on failure what the programs said. Ends the process."""
        if self.failed:
            for program in programs:
                print(f"--- the last lines of {program.log_path}")
                print("\n".join(program.log().splitlines()[-15:]))
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        sys.stderr.flush()
        # Not sys.exit(): with WPILib loaded, its threads crash a few interpreters in a hundred while these are taken
        # apart. Everything has been judged by then.
        os._exit(1 if self.failed or not self.passed else 0)


class Trial(Checks):
    """Keeps the verdicts, until it is known whether they count."""

    def __init__(self):
        super().__init__()
        self.verdicts = []

    def check(self, name, holds, detail=""):
        self.failed += not holds
        self.verdicts.append((name, holds, detail))

    def count_for(self, checks):
        for verdict in self.verdicts:
            checks.check(*verdict)


def arguments(description, add_more=lambda parser: None):
    build = build_folder()
    halyard = os.environ.get("HALYARD_BINARY", build / "halyard")
    shared = os.environ.get("HALYARD_DEPS_DIR", HERE.parents[1] / "build/deps")
    parser = argparse.ArgumentParser(description=description.partition("\n")[0])
    parser.add_argument("--halyard", default=halyard, type=pathlib.Path, help="the program under test")
    parser.add_argument("--season", default="2026", choices=seasons.NAMES, help="of WPILib")
    parser.add_argument("--work", default=build / "interop", type=pathlib.Path, help="folder for results")
    parser.add_argument(
        "--deps", default=shared, type=pathlib.Path, help="folder of what was downloaded, WPILib too"
    )
    add_more(parser)
    given = parser.parse_args()
    given.halyard, given.work = given.halyard.resolve(), given.work.resolve()
    if not given.halyard.exists():
        parser.error(f"there is no {given.halyard}: build it first (make build)")
    given.season = install_season(given.season, given.deps.resolve() / "robotpy")
    return given


def main(description, play, add_more=lambda parser: None):
    """Prepares, lets `play(checks, programs, given, work)` run, cleans up, sums up. `given` is the
    command line; add_more(parser) adds to it."""
    given = arguments(description, add_more)
    enter_own_network()
    with contextlib.suppress(PermissionError):  # so it is for the leader of a group, in a shell
        os.setsid()
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        go_first()
    work = given.work / f"{pathlib.Path(sys.argv[0]).stem}-{given.season}"
    work.mkdir(parents=True, exist_ok=True)
    checks, programs = Checks(), []
    try:
        play(checks, programs, given, work)
    except TestError as error:
        checks.check("the test ran to its end", False, str(error))
    finally:
        for program in programs:
            program.kill()
    checks.finish(programs)
