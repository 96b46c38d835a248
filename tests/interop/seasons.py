"""The seasons of WPILib that the tests run over, and what each needs to run on this machine."""

import fcntl
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
NAMES = ("2025", "2026", "2027")
UNREACHABLE = 77


class Season:
    """WPILib of one year as RobotPy brings it, in a folder of its own."""

    def __init__(self, name, shared):
        self.name = name
        self.folder = shared / name
        # 2027 is built for a newer system: its programs run through that one's dynamic linker.
        self.system = shared / "debian13" if name == "2027" else None

    def __str__(self):
        return self.name

    @property
    def extension(self):
        """WPILib's own XRP extension."""
        return self.folder / "xrp/extension/lib/libhalsim_xrp.so"

    @property
    def ds_socket(self):
        return self.folder / "halsim_ds_socket/lib/libhalsim_ds_socket.so"

    @property
    def hal(self):
        return self.native("wpihal") / "lib/libwpiHal.so"

    @property
    def has_accelerometer(self):
        return self.name != "2027"

    def native(self, part):
        """The folder of one of WPILib's C++ libraries."""
        return self.folder / "native" / part

    def libraries(self):
        return [self.native(part) / "lib" for part in ("wpihal", "wpinet", "wpiutil")]

    def command(self, argv, libraries=()):
        """`argv` as it runs here, and what that adds to the environment."""
        if self.system is None:
            return argv, {"LD_LIBRARY_PATH": ":".join(map(str, libraries))} if libraries else {}
        system_libraries = self.system / "usr/lib/x86_64-linux-gnu"
        path = ":".join(map(str, (system_libraries, *libraries)))
        return [system_libraries / "ld-linux-x86-64.so.2", "--library-path", path, *argv], {}

    def python(self, argv):
        """As command(), of a Python program."""
        environment = {"PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        if self.system is None:
            return [sys.executable, *argv], environment
        command, more = self.command([self.system / "usr/bin/python3.13", *argv])
        return command, {**environment, **more, "PYTHONHOME": str(self.system / "usr")}


def install(name, shared):
    """Installs a season into `shared` unless it is there; several tests may ask at once. None if the
    network cannot be reached; raises CalledProcessError for anything else."""
    shared.mkdir(parents=True, exist_ok=True)
    with open(shared / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        environment = {**os.environ, "PYTHON": sys.executable}
        status = subprocess.run([HERE / "setup.sh", name, shared], env=environment, check=False).returncode
    if status not in (0, UNREACHABLE):
        raise subprocess.CalledProcessError(status, "setup.sh")
    return Season(name, shared) if status == 0 else None
