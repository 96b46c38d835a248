#!/usr/bin/env -S python3 -B
"""A WPILib program that is disabled, or dies, leaves a robot that stands; its successor is served.

run_watchdog.py --halyard build/halyard --work build/interop
"""

import harness
from harness import Board, DriverStation, RobotProgram, Truth

WATCHDOG_S = 0.5
ROUNDING_S = 1e-6
# From a word of the driver station to its effect: its 20 ms, the program's 20 ms, a world step,
# and a shared machine that is late. Still far from what the watchdog takes.
AT_ONCE_S = 0.15
# At the enable and the disable, a world step may be counted by one and not by the other: 4 of them.
STEP_COUNTS = 30


def play(checks, programs, given, work):
    board = Board(given.halyard, work)
    programs.append(board)
    station = DriverStation()

    robot = start_robot(programs, board, given, work)
    drive(board, station)
    disabled_s = board.truth_now()["t_s"]
    station.control = DriverStation.DISABLED
    wait_until_off(board)

    drive(board, station)
    before_kill_s = board.truth_now()["t_s"]
    robot.kill()
    killed_s = board.truth_now()["t_s"]
    wait_until_off(board)
    board.wait_for(lambda: board.truth_now()["t_s"] > killed_s + 2, 10, "two seconds of rest")

    station.control = DriverStation.DISABLED
    restarted_s = board.truth_now()["t_s"]
    successor = start_robot(programs, board, given, work)
    counts_at_start = successor.last_note()["counts"]
    drive(board, station)
    station.control = DriverStation.DISABLED
    wait_until_off(board)
    stopped_s = board.truth_now()["t_s"]
    successor.wait_for(lambda: successor.last_note()["t_s"] > 3, 10, "last notes")

    successor.stop()
    station.close()
    checks.check("the board ends cleanly on Ctrl-C", board.stop() == 0)

    truth = Truth(board.truth_path)
    judge_disable(checks, truth, disabled_s)
    judge_death(checks, truth, before_kill_s, killed_s)
    judge_successor(checks, truth, successor, restarted_s, stopped_s, counts_at_start)


def start_robot(programs, board, given, work):
    """A program that has run for a second, so was answered if anybody answers."""
    robot = RobotProgram("xrp_circle", board, given.season, work)
    programs.append(robot)
    robot.wait_for(lambda: robot.last_note()["t_s"] > 1, 10, "second of its loop")
    return robot


def drive(board, station):
    station.control = DriverStation.AUTONOMOUS
    board.wait_for(lambda: board.truth_now()["speed_m_s"] > 0.05, 10, "robot in motion")
    started_s = board.truth_now()["t_s"]
    board.wait_for(lambda: board.truth_now()["t_s"] > started_s + 1, 10, "second of driving")


def wait_until_off(board):
    board.wait_for(lambda: not any(board.truth_now()["duty"]), 10, "motors off")


def judge_disable(checks, truth, disabled_s):
    off_s = motors_off_after(truth, disabled_s)
    late_s = off_s - disabled_s
    checks.check(
        "disabled by the driver station, the motors are off at once",
        late_s <= AT_ONCE_S,
        f"after {late_s:.3f} s",
    )


def judge_death(checks, truth, before_kill_s, killed_s):
    step_s = truth.times_s[1] - truth.times_s[0]
    off_s = motors_off_after(truth, before_kill_s)
    detail = f"killed between {before_kill_s:.3f} s and {killed_s:.3f} s, off at {off_s:.3f} s"
    checks.check(
        "killed, its motors are off after 500 ms and a step", off_s <= killed_s + WATCHDOG_S + step_s + ROUNDING_S, detail
    )
    checks.check(
        "and not before the watchdog could know", off_s >= before_kill_s + WATCHDOG_S - AT_ONCE_S, detail
    )
    after = truth.between(off_s + 1, off_s + 1.5)
    checks.check("a second later it stands", after and all(abs(s["speed_m_s"]) < 0.001 for s in after))
    checks.check("and is disabled", after and not any(sample["enabled"] for sample in after))


def judge_successor(checks, truth, successor, restarted_s, stopped_s, counts_at_start):
    for side, name in enumerate(("left", "right")):
        checks.near(f"a program started anew reads the {name} encoder as it is", counts_at_start[side],
                    truth.at(restarted_s)["told_counts"][side], STEP_COUNTS, "counts")  # fmt: skip
    driven = [sample["speed_m_s"] for sample in truth.between(restarted_s, stopped_s)]
    checks.near("and drives it", max(driven), 0.15, 0.1, "m/s")
    counts = successor.last_note()["counts"]
    for side, name in enumerate(("left", "right")):
        checks.near(f"and its {name} encoder to the end", counts[side],
                    truth.samples[-1]["told_counts"][side], STEP_COUNTS, "counts")  # fmt: skip


def motors_off_after(truth, t_s):
    """When the motors were first off after `t_s`; the end of the truth if never."""
    return next(
        (s["t_s"] for s in truth.between(t_s, truth.times_s[-1]) if not any(s["duty"])), truth.times_s[-1]
    )


if __name__ == "__main__":
    harness.main(__doc__, play)
