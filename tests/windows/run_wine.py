#!/usr/bin/env -S python3 -B
"""Our extensions as Windows has them, over WPILib's own wpiHal.dll, by Wine.

run.sh builds what this needs and runs it.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import time

INTEROP = pathlib.Path(__file__).resolve().parents[1] / "interop"
sys.path.insert(0, str(INTEROP))

import harness
import run_ext_defects
import run_ext_differential
import run_ext_teensy
from hal_host import HalHost
from harness import Board, TestError

BEFORE_WATCHDOG_S = 0.4  # the board's own watchdog ends a command after 0.5 s


class Season:
    """WPILib for Windows in a folder, its programs run by Wine."""

    restarts = 2  # Wine 8 ends with status 1 and without a word before the program begins, in 2 of 19 runs of 40 programs

    def __init__(self, name, folder, prefix):
        self.name = f"{name} on Windows"
        self.has_accelerometer = name != "2027"
        self.hal, self.extension = folder / "wpiHal.dll", folder / "halsim_xrp.dll"
        self.environment = {
            "WINEPREFIX": str(prefix),
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree,mshtml=",  # else it asks whether to install .NET and a browser
            "WINEPATH": "Z:" + str(folder).replace("/", "\\"),
        }

    def __str__(self):
        return self.name

    def libraries(self):
        return []

    def command(self, argv, _libraries=()):
        return ["wine", f"{argv[0]}.exe", *argv[1:]], self.environment

    def start(self):
        """Wine's own server has the sockets, so it must not be one that began in another network. It stays between two programs,
        so that none has to start it."""
        self.end()
        self.run(["wineserver", "--persistent"])
        if not (pathlib.Path(self.environment["WINEPREFIX"]) / "system.reg").exists():
            self.run(["wineboot", "--init"])

    def end(self):
        self.run(["wineserver", "--kill"])
        self.run(["wineserver", "--wait"])

    def run(self, argv):
        environment = {**os.environ, **self.environment}
        subprocess.run(argv, env=environment, check=False, timeout=120, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_until(happened, timeout_s):
    """How long it took; None if it did not."""
    began = time.monotonic()
    while not happened():
        if time.monotonic() > began + timeout_s:
            return None
        time.sleep(0.005)
    return time.monotonic() - began


class Drive:
    """A robot program that drives forward, and the virtual XRP that it drives."""

    def __init__(self, programs, given, work, name):
        work = work / name
        work.mkdir(exist_ok=True)
        self.board = Board(given.halyard, work)
        programs.append(self.board)
        extension = harness.our_extension("xrp")
        address = {"HALSIMXRP_HOST": self.board.host, "HALSIMXRP_PORT": self.board.port}
        self.host = HalHost(given.season, extension, work / "host.log", **address)
        self.host.start()
        for motor in ("motorL", "motorR"):
            self.host.create_motor(f"XRPMotor:{motor}")
        self.host.tell("encoder 4 5")
        self.host.tell("enable 1")

    def step_until(self, happened, timeout_s=20):
        def step():
            self.host.tell("step")
            time.sleep(0.02)
            return happened()

        return wait_until(step, timeout_s) is not None

    def count(self):
        return int(self.host.state()["enc0"])

    def forward(self):
        # Both wheels forward; the right motor is mounted the other way round.
        self.host.tell("set XRPMotor:motorL speed 0.5")
        self.host.tell("set XRPMotor:motorR speed -0.5")
        return self.step_until(lambda: abs(self.count()) > 200)

    def is_still(self):
        truth = self.board.truth_now()
        return truth is not None and not truth["enabled"]


def drive_and_stop(checks, programs, given, work, name, how):
    """Seconds from the end of driving to the robot's standing still; None if it drives on."""
    drive = Drive(programs, given, work, name.split("(")[0].replace(" ", "-"))
    with drive.host as host:
        checks.check(f"{name}: the robot drives, and its encoder says so", drive.forward(), f"{drive.count()} counts")
        if how is None:
            host.process.stdin.close()
        else:
            host.process.stdin.write(how + "\n")
            host.process.stdin.flush()
        took_s = wait_until(drive.is_still, 20)
    checks.check(f"{name}: the board ends", drive.board.stop() == 0)
    return took_s


def virtual_robot(checks, programs, given, work):
    """The whole way: robot code, wpiHal.dll, our DLL, the board, the world, and back. Then it ends."""
    ends = {"disable": "enable 0", "HAL_Shutdown()": "shutdown", "exit()": "exit", "return from main()": None}
    for name, how in ends.items():
        took_s = None
        for _ in range(3):  # a busy machine may delay one stop for as long as the watchdog, but not all
            took_s = drive_and_stop(checks, programs, given, work, name, how)
            if took_s is not None and took_s < BEFORE_WATCHDOG_S:
                break
        checks.check(f"{name}: the robot stops", took_s is not None and took_s < BEFORE_WATCHDOG_S, f"after {took_s} s")


QUICK = [
    run_ext_defects.truncated_datagrams,
    run_ext_defects.first_command,
    run_ext_defects.stop_beside_steps,
    run_ext_defects.reboot,
    run_ext_defects.strangers,
    run_ext_defects.settings,
    run_ext_defects.late_robot,
]
LONG = [
    run_ext_defects.stops,
    run_ext_defects.stop_with_enable,
    run_ext_defects.lossy_stops,
    run_ext_defects.wrap,
    run_ext_defects.unknown_name,
]


def play(checks, programs, given, work):
    virtual_robot(checks, programs, given, work)
    run_ext_teensy.play(checks, programs, given, work)
    bench = run_ext_defects.Bench(given.season, work)
    for test in QUICK + (LONG if given.all else []):
        test(checks, bench)
    if given.all:
        run_ext_differential.play(checks, programs, given, work)
    else:
        steps = run_ext_differential.play_one(given.season, work, 1, 20)
        checks.check("the same as WPILib's halsim_xrp.dll but for what the guide lists", steps > 0, f"{steps} datagrams")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--season", required=True, help="of WPILib")
    parser.add_argument("--wpilib", required=True, type=pathlib.Path, help="folder of its DLLs")
    parser.add_argument("--halyard", required=True, type=pathlib.Path, help="the program with the virtual robot")
    parser.add_argument("--all", action="store_true", help="also what takes minutes")
    given = parser.parse_args()
    given.halyard = given.halyard.resolve()
    if not given.halyard.exists():
        parser.error(f"there is no {given.halyard}: build it first (make build)")
    harness.our_extension = lambda kind: harness.build_folder() / "ext" / f"halsim_{kind}.dll"
    work = harness.build_folder() / f"wine-test-{given.season}"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    harness.enter_own_network()
    given.season = Season(given.season, given.wpilib.resolve(), harness.build_folder() / "wine")
    given.season.start()
    checks, programs = harness.Checks(), []
    try:
        play(checks, programs, given, work)
    except TestError as error:
        checks.check("the test ran to its end", False, str(error))
    finally:
        for program in programs:
            program.kill()
        given.season.end()
    checks.finish(programs)


if __name__ == "__main__":
    main()
