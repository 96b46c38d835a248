#!/usr/bin/env -S python3 -B
"""`halyard conform client` grades WPILib's own XRP extension and ours, both over WPILib's real HAL, at once.

Exactly the known defects are found.

    run_conform_client.py --season 2026 --work build/interop
"""

import json
import os
import subprocess

import harness

# What robot code does before the test: an effort that no motor has, and so many steps that the numbers wrap.
SETUP = ["init", "device XRPMotor:motorL", "value XRPMotor:motorL init 1,1 1"]
SETUP += ["value XRPMotor:motorL inverted 0,1 0", "value XRPMotor:motorL speed 1,2 0", "step", "sleep 100000"]
SETUP += ["drive XRPMotor:motorL speed 66000", "set XRPMotor:motorL speed {effort}", "spin 20000"]

WPILIB_FAILS = {
    "client.number-zero": "the first number is 0",
    "client.number-wrap": " 0 copies 65535",
    "client.values": "motor 0 is ",
    "client.stop-motors": "disabling commands with an effort",
    "client.robot-silent": "enabled for another",
    "client.self-enable": "enabled commands in the first second",
    "client.damaged-status": "the commands ended after",
    "client.exit": "control 1; ended by signal",
    "client.sigterm": "control 1; ended by signal 15",
    "client.sigint": "control 1; ended by signal 2",
}
# Neither disables for the silence, so that it cannot be seen whether lower numbers are taken.
UNTESTED = {"client.sigkill", "client.status-after-restart"}
# Enabling is the driver station's, and signals are the robot program's: this one does not turn them into an exit.
OURS_FAILS = {"client.robot-silent", "client.self-enable", "client.sigterm", "client.sigint"}


def start(given, name, extension, effort, work):
    argv, libraries = given.season.command(
        [harness.build_folder() / "tests/interop/ext_hal_host", given.season.hal], given.season.libraries()
    )
    argv += [line.format(effort=effort) for line in SETUP]
    environment = {**os.environ, **libraries, "HALSIM_EXTENSIONS": str(extension), "HALSIMXRP_HOST": "127.0.0.1"}
    environment.update(harness.sanitizer_environment())
    conform = [given.halyard, "conform", "client", "--listen", "127.0.0.1:0", "--json"]
    conform += ["--enable", "enable 1", "--disable", "enable 0", "--end", "exit", "--"]
    conform += ["sh", "-c", 'HALSIMXRP_PORT=$HALYARD_CONFORM_PORT exec "$@"', "sh", *argv]
    log = open(work / f"{name}.log", "wb")  # noqa: SIM115 the process has it
    return subprocess.Popen(conform, env=environment, stdout=subprocess.PIPE, stderr=log, text=True)


def results(process):
    """id -> (verdict, what came), and the exit status."""
    output, _ = process.communicate(timeout=150)
    lines = [json.loads(line) for line in output.splitlines()]
    return {line["id"]: (line["verdict"], line["came"]) for line in lines if "id" in line}, process.returncode


def play(checks, programs, given, work):
    wpilib = start(given, "wpilib", given.season.extension, "2.5", work)
    ours = start(given, "ours", harness.our_extension("xrp"), "2.5", work)
    graded, _ = results(ours)
    judge(checks, "our extension", graded, OURS_FAILS)
    graded, status = results(wpilib)
    judge(checks, "WPILib's own extension", graded, WPILIB_FAILS.keys())
    for name, came in WPILIB_FAILS.items():
        checks.check(f"  {name}", came in graded[name][1], graded[name][1])
    checks.check("the exit status tells of defects", status == 1, f"{status}")


def judge(checks, what, graded, known):
    failed = {name for name, (verdict, _) in graded.items() if verdict == "failed"}
    untested = {name for name, (verdict, _) in graded.items() if verdict == "not tested"}
    checks.check(f"{what} has exactly its known defects", graded and failed == known, f"{sorted(failed ^ known)}")
    checks.check(f"{what}: all was tested that can be seen", untested == UNTESTED, f"{sorted(untested)}")


if __name__ == "__main__":
    harness.main(__doc__, play)
