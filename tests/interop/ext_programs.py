"""What the tests of our own WPILib extensions share: robot programs under an extension of ours, and a
host over the real HAL that is driven line by line."""

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import sys

import harness

HOST_VARIABLES = {"xrp": "HALSIMXRP", "teensy": "HALSIMTEENSY", "myboard": "HALSIMMYBOARD"}


class ExtensionProgram(harness.RobotProgram):
    """One of our robot programs, under an extension of ours instead of WPILib's own."""

    def __init__(self, name, board, robotpy, work, kind="xrp", extension=None):
        folder = work / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(harness.HERE / "robots" / name, folder)
        self.notes_path = folder / "notes.jsonl"
        ds_socket = robotpy / "halsim_ds_socket/lib/libhalsim_ds_socket.so"
        environment = {
            **os.environ,
            "PYTHONPATH": f"{robotpy}:{harness.HERE.parents[1] / 'vendor/python'}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "ROBOT_NOTES": str(self.notes_path),
            "HALSIM_EXTENSIONS": f"{extension or extension_path(kind)}:{ds_socket}",
            f"{HOST_VARIABLES[kind]}_HOST": board.host,
            f"{HOST_VARIABLES[kind]}_PORT": board.port,
            **sanitizer_environment(),
        }
        argv = [sys.executable, "-m", "robotpy", "run"]
        harness.Program.__init__(
            self, "robot program", argv, folder / "robot.log", cwd=folder, env=environment
        )
        self.wait_for(self.last_note, 60, "start of its loop")

    def stop(self):
        status = super().stop()
        if "Sanitizer" in self.log():
            raise harness.TestError("a sanitizer complains; see " + str(self.log_path))
        return status


def main(description, play):
    """harness.main(), with the WPILib of HALYARD_ROBOTPY instead of 2026 (ext_seasons.sh)."""
    folder = os.environ.get("HALYARD_ROBOTPY")
    if not folder:
        harness.main(description, play)

    def play_there(checks, programs, given, work):
        given.robotpy = pathlib.Path(folder)
        play(checks, programs, given, work)

    harness.install_robotpy = lambda _: None
    harness.main(description, play_there)


def build_folder():
    return pathlib.Path(os.environ.get("HALYARD_BUILD_DIR", harness.HERE.parents[1] / "build"))


def extension_path(kind):
    """The extension under test; HALYARD_EXT_DIR names another build's."""
    folder = pathlib.Path(os.environ.get("HALYARD_EXT_DIR", build_folder() / "ext"))
    return folder / f"libhalsim_{kind}.so"


def sanitizer_environment():
    """A sanitized extension in a program that is not: its runtime has to be there first. Python and
    WPILib leak at exit, and WPILib's driver-station socket races with itself."""
    runtime = os.environ.get("HALYARD_EXT_PRELOAD")
    if not runtime:
        return {}
    suppressions = harness.HERE / "ext_host/tsan.supp"
    return {
        "LD_PRELOAD": runtime,
        "ASAN_OPTIONS": "detect_leaks=0",
        "TSAN_OPTIONS": f"suppressions={suppressions}",
    }


def library_path(robotpy):
    return ":".join(str(robotpy / "native" / part / "lib") for part in ("wpihal", "wpinet", "wpiutil"))


class HalHost:
    """tests/interop/ext_host/hal_host.c over the real HAL, a datagram socket in the robot's place.

    HALYARD_HAL_PREFIX goes before its command line: "chroot ROOT" for a HAL that needs a newer system.
    """

    def __init__(self, robotpy, extension, log_path, kind="xrp", host="127.0.0.1", **more):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.robot = socket.socket(family, socket.SOCK_DGRAM)
        self.robot.bind(("::1" if family == socket.AF_INET6 else "127.0.0.1", 0))
        self.robot.settimeout(2)
        self.peer = None
        variables = HOST_VARIABLES[kind]
        environment = {
            **os.environ,
            "LD_LIBRARY_PATH": library_path(robotpy),
            "HALSIM_EXTENSIONS": str(extension),
            f"{variables}_HOST": host,
            f"{variables}_PORT": str(self.robot.getsockname()[1]),
            **sanitizer_environment(),
            **more,
        }
        program = os.environ.get("HALYARD_HAL_HOST", build_folder() / "tests/interop/ext_hal_host")
        self.log_path = log_path
        with open(log_path, "wb") as log:
            self.process = subprocess.Popen(
                [*os.environ.get("HALYARD_HAL_PREFIX", "").split(), program, robotpy / "native/wpihal/lib/libwpiHal.so"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=environment,
                text=True,
            )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()
        self.robot.close()
        if "Sanitizer" in self.log():
            raise harness.TestError("a sanitizer complains:\n" + self.log())

    def log(self):
        return self.log_path.read_text(errors="replace")

    def tell(self, command):
        """One command, one answer; None once the program is gone."""
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return None
        for line in self.process.stdout:
            if line.startswith("> "):
                return line[2:].strip()
        return None

    def end(self, how="exit"):
        """Has it end; returns its exit status."""
        self.tell(how)
        return self.process.wait(10)

    def state(self):
        return dict(item.split("=", 1) for item in self.tell("state").split())

    def hear(self, timeout_s=2.0):
        """The next datagram from the extension, None if there is none."""
        self.robot.settimeout(timeout_s)
        try:
            datagram, self.peer = self.robot.recvfrom(2048)
        except (TimeoutError, BlockingIOError):
            return None
        return datagram

    def hear_all(self, quiet_s=0.05):
        heard = []
        while (datagram := self.hear(quiet_s)) is not None:
            heard.append(datagram)
        return heard

    def say(self, datagram):
        self.robot.sendto(datagram, self.peer)

    def create(self, device, values):
        """A SimDevice; `values`: name -> (direction, type, initial)."""
        self.tell(f"device {device}")
        for name, (direction, kind, initial) in values.items():
            self.tell(f"value {device} {name} {direction},{kind} {initial}")

    def create_motor(self, device, value="speed"):
        self.create(device, {"init": (1, 1, 1), "inverted": (0, 1, 0), value: (1, 2, 0)})

    def create_servo(self, device):
        self.create(device, {"init": (1, 1, 1), "position": (1, 2, 0.5)})

    def create_gyro(self, device):
        names = [f"{kind}_{axis}" for kind in ("rate", "angle") for axis in "xyz"]
        self.create(device, {"init": (1, 1, 1), **{name: (0, 2, 0) for name in names}})
