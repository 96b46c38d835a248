#!/usr/bin/env -S python3 -B
"""A robot program of RobotPy that sets HALSIMXRP_HOST in its own code, behind what loads the extension: it drives that robot and
sends nothing elsewhere, and if nobody is there it says who set the address.

    run_ext_own_host.py --season 2026
"""

import os
import socket
import types

import harness
from harness import Board, DriverStation, RobotProgram

LATE = "(HALSIMXRP_HOST was set after the extension was loaded)"
ELSEWHERE = "127.0.0.9"


def start(programs, given, work, port, elsewhere):
    """Its environment leads elsewhere; it sets its own address with `port`."""
    os.environ["ROBOT_PORT"] = str(port)
    work.mkdir(exist_ok=True)
    place = types.SimpleNamespace(host=ELSEWHERE, port=str(elsewhere.getsockname()[1]))
    robot = RobotProgram("xrp_own_host", place, given.season, work, harness.our_extension("xrp"))
    programs.append(robot)
    return robot


def listen():
    listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listener.bind((ELSEWHERE, 0))
    listener.setblocking(False)
    return listener


def has_heard(listener):
    try:
        listener.recv(1)
    except BlockingIOError:
        return False
    return True


def judge_robot(checks, programs, given, work, elsewhere):
    board = Board(given.halyard, work)
    programs.append(board)
    station = DriverStation()
    robot = start(programs, given, work / "there", board.port, elsewhere)
    station.control = DriverStation.AUTONOMOUS
    board.wait_for(lambda: board.truth_now()["duty"][0] > 0, 30, "motor that turns")
    checks.check("the robot that the program names is driven", True)
    checks.check("and the program says so", f"commands go to 127.0.0.1:{board.port} {LATE}" in robot.log(), robot.log())
    checks.check("nothing is sent where the environment led before", not has_heard(elsewhere))
    robot.stop()
    station.close()
    checks.check("the board ends cleanly on Ctrl-C", board.stop() == 0)


def judge_nobody(checks, programs, given, work, elsewhere):
    robot = start(programs, given, work / "nobody", 9, elsewhere)
    robot.wait_for(lambda: f"nobody answers at 127.0.0.1:9 {LATE}" in robot.log(), 30, f"line with {LATE}")
    checks.check("if nobody answers, the program says who set the address", True)
    robot.stop()


def play(checks, programs, given, work):
    elsewhere = listen()
    judge_robot(checks, programs, given, work, elsewhere)
    judge_nobody(checks, programs, given, work, elsewhere)


if __name__ == "__main__":
    harness.main(__doc__, play)
