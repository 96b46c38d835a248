#!/usr/bin/env -S python3 -B
"""A WPILib program that is disabled, or dies, leaves a robot that stands; its successor is served.

run_watchdog.py --halyard build/halyard --work build/interop
"""

import contextlib
import math

import harness
from harness import Board, DriverStation, RobotProgram, TestError, Truth, count_edges

WATCHDOG_S = 0.5
# From a word of the driver station to its effect: its 20 ms, the program's 20 ms, a world step. Still
# far from what the watchdog takes.
AT_ONCE_S = 0.15
# The truth has a sample a step, the last of them was read before it was acted upon, and a command was
# on its way: together not a watchdog of 600 ms.
SAMPLING_S = 0.08
# A busy machine makes everything later and nothing earlier, so of several tries the least is judged.
TRIES = 5
# At an enable and at a disable a world step may be counted by one and not by the other.
EDGE_COUNTS = 8
PATIENCE_S = 20


def play(checks, programs, given, work):
    board = Board(given.halyard, work, "--world", "xrp-open")  # it has room for the circle
    programs.append(board)
    station = DriverStation()

    robot = start_robot(programs, board, given, work)
    disable_until_in_time(checks, board, station)
    for attempt in range(1, TRIES + 1):
        robot = robot or start_robot(programs, board, given, work)
        before_kill_s, killed_s = drive_and_kill(board, station, robot)
        robot = None
        truth = Truth(board.truth_path)
        off_s = motors_off_after(truth, before_kill_s)
        if is_soon_enough(off_s, killed_s) and is_late_enough(off_s, before_kill_s):
            break
        print(f"note: try {attempt}: the motors were off {off_s - killed_s:.3f} s after the end", flush=True)
    judge_death(checks, truth, before_kill_s, killed_s)

    restarted_s = board.truth_now()["t_s"]
    successor = start_robot(programs, board, given, work)
    await_counts(checks, "a program started anew reads the encoders as they are", successor, board)
    drive(board, station)
    station.control = DriverStation.DISABLED
    wait_until_off(board)
    await_counts(checks, "and to the end", successor, board)
    driven = Truth(board.truth_path).between(restarted_s, board.truth_now()["t_s"])
    checks.near("and drives it", max(sample["speed_m_s"] for sample in driven), 0.27, 0.08, "m/s")

    successor.stop()
    station.close()
    checks.check("the board ends cleanly on Ctrl-C", board.stop() == 0)


def start_robot(programs, board, given, work):
    """A program that has run for a second, so was answered if anybody answers."""
    robot = RobotProgram("xrp_circle", board, given.season, work)
    programs.append(robot)
    robot.wait_for(lambda: robot.last_note()["t_s"] > 1, PATIENCE_S, "second of its loop")
    return robot


def drive(board, station):
    station.control = DriverStation.AUTONOMOUS
    board.wait_for(lambda: board.truth_now()["speed_m_s"] > 0.05, PATIENCE_S, "robot in motion")
    started_s = board.truth_now()["t_s"]
    board.wait_for(lambda: board.truth_now()["t_s"] > started_s + 1, PATIENCE_S, "second of driving")


def wait_until_off(board):
    board.wait_for(lambda: not any(board.truth_now()["duty"]), PATIENCE_S, "motors off")


def disable_until_in_time(checks, board, station):
    least_s = math.inf
    for _ in range(TRIES):
        drive(board, station)
        disabled_s = board.truth_now()["t_s"]
        station.control = DriverStation.DISABLED
        wait_until_off(board)
        least_s = min(least_s, motors_off_after(Truth(board.truth_path), disabled_s) - disabled_s)
        if least_s <= AT_ONCE_S:
            break
    checks.check("disabled by the driver station, the motors are off at once", least_s <= AT_ONCE_S, f"{least_s:.3f} s")


def drive_and_kill(board, station, robot):
    """The world's time just before the robot program was killed and just after."""
    drive(board, station)
    before_kill_s = board.truth_now()["t_s"]
    robot.kill()
    killed_s = board.truth_now()["t_s"]
    station.control = DriverStation.DISABLED
    wait_until_off(board)
    board.wait_for(lambda: board.truth_now()["t_s"] > killed_s + 3, PATIENCE_S, "three seconds of rest")
    return before_kill_s, killed_s


def is_soon_enough(off_s, killed_s):
    return off_s <= killed_s + WATCHDOG_S + SAMPLING_S


def is_late_enough(off_s, before_kill_s):
    return off_s >= before_kill_s + WATCHDOG_S - AT_ONCE_S


def judge_death(checks, truth, before_kill_s, killed_s):
    off_s = motors_off_after(truth, before_kill_s)
    detail = f"killed between {before_kill_s:.3f} s and {killed_s:.3f} s, off at {off_s:.3f} s"
    checks.check("killed, its motors are off after 500 ms", is_soon_enough(off_s, killed_s), detail)
    checks.check("and not before the watchdog could know", is_late_enough(off_s, before_kill_s), detail)
    after = truth.between(off_s + 1, off_s + 1.5)
    checks.check("a second later it stands", after and all(abs(s["speed_m_s"]) < 0.001 for s in after))
    checks.check("and is disabled", after and not any(sample["enabled"] for sample in after))


def await_counts(checks, name, robot, board):
    """The program's encoders come to what the robot told, if it goes on telling."""
    truth = Truth(board.truth_path)
    told = truth.samples[-1]["told_counts"][:2]
    tolerance = EDGE_COUNTS * (2 * count_edges(truth.samples, "enabled") + 1)

    def agree():
        return all(abs(count - right) <= tolerance for count, right in zip(robot.last_note()["counts"], told, strict=True))

    with contextlib.suppress(TestError):
        robot.wait_for(agree, PATIENCE_S, "such counts")
    detail = f"{robot.last_note()['counts']}, in truth {told} +- {tolerance}"
    checks.check(name, agree(), detail)


def motors_off_after(truth, t_s):
    """When the motors were first off after `t_s`; the end of the truth if never."""
    return next(
        (s["t_s"] for s in truth.between(t_s, truth.times_s[-1]) if not any(s["duty"])), truth.times_s[-1]
    )


if __name__ == "__main__":
    harness.main(__doc__, play)
