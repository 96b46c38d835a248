"""A program over WPILib's real simulated HAL that a test drives line by line."""

import contextlib
import os
import socket
import struct
import subprocess
import time

import harness

# How long anything may take that has to come: a machine with other work to do is late by seconds.
PATIENCE_S = 20
SO_TIMESTAMPNS = 35


class HalHost:
    """tests/interop/ext_host/hal_host.c over the real HAL, a datagram socket in the robot's place."""

    def __init__(self, season, extension, log_path, kind="xrp", host="127.0.0.1", **more):
        self.address = "::1" if ":" in host else "127.0.0.1"
        self.open_robot()
        self.peer = None
        self.heard_s = 0.0  # when the last datagram came, by the system's account, not by ours
        variables = harness.VARIABLES[kind]
        program = harness.build_folder() / "tests/interop/ext_hal_host"
        argv, libraries = season.command([program, season.hal], season.libraries())
        environment = {
            **os.environ,
            **libraries,
            "HALSIM_EXTENSIONS": str(extension),
            f"{variables}_HOST": host,
            f"{variables}_PORT": str(self.robot.getsockname()[1]),
            **harness.sanitizer_environment(),
            **more,
        }
        self.log_path = log_path
        self.launch(argv, environment)
        # Only where the season says so, and only for a program that ends without a word before the HAL starts and loads the extension.
        for _ in range(getattr(season, "restarts", 0)):
            if self.tell("sleep 0") is not None or self.log() != "":
                break
            print(f"{season}: {argv[0]} ended with {self.process.wait()} before the program began; started again")
            self.process.stdout.close()
            self.launch(argv, environment)

    def launch(self, argv, environment):
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=environment,
                text=True,
            )

    def open_robot(self, port=0):
        """The socket in the robot's place."""
        self.robot = socket.socket(socket.AF_INET6 if ":" in self.address else socket.AF_INET, socket.SOCK_DGRAM)
        self.robot.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self.robot.bind((self.address, port))

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

    def start(self):
        """Has the HAL start; returns once it has."""
        answer = self.tell("init")
        if answer != "1":
            raise harness.TestError(f"the HAL did not start: answer {answer}, exit status {self.process.poll()}: {self.log()}")

    def end(self, how="exit"):
        """Has it end; returns its exit status."""
        self.tell(how)
        return self.process.wait(PATIENCE_S)

    def state(self):
        """What the HAL has: name -> text. Not one moment's: a status may be on its way in meanwhile."""
        said = self.tell("state")
        if said is None:
            raise harness.TestError("the host is gone: " + self.log())
        return dict(item.split("=", 1) for item in said.split())

    def await_state(self, expected, timeout_s=PATIENCE_S):
        """Returns once all of `expected` (name -> number) is in the HAL, or the time is over: then what
        differs, name -> (expected, found), else nothing."""
        until = time.monotonic() + timeout_s
        while True:
            state = self.state()
            differs = {
                name: (number, state[name]) for name, number in expected.items() if float(state[name]) != number
            }
            if not differs or time.monotonic() > until:
                return differs
            time.sleep(0.002)

    def hear(self, timeout_s=PATIENCE_S):
        """The next datagram from the extension, None if there is none in time. 0: what is there already."""
        self.robot.settimeout(timeout_s)
        try:
            datagram, extra, _, self.peer = self.robot.recvmsg(2048, 64)
        except (TimeoutError, BlockingIOError):
            return None
        for _, _, stamp in extra:
            seconds, nanoseconds = struct.unpack("qq", stamp)
            self.heard_s = seconds + nanoseconds * 1e-9
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
