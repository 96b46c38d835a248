"""A program over WPILib's real simulated HAL that a test drives line by line."""

import contextlib
import os
import socket
import subprocess

import harness


class HalHost:
    """tests/interop/ext_host/hal_host.c over the real HAL, a datagram socket in the robot's place."""

    def __init__(self, season, extension, log_path, kind="xrp", host="127.0.0.1", **more):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.robot = socket.socket(family, socket.SOCK_DGRAM)
        self.robot.bind(("::1" if family == socket.AF_INET6 else "127.0.0.1", 0))
        self.robot.settimeout(2)
        self.peer = None
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
        with open(log_path, "wb") as log:
            self.process = subprocess.Popen(
                argv,
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
