#!/usr/bin/env -S python3 -B
"""An ordinary WPILib robot program drives the virtual XRP round a course, an extension in between.

The world's truth says whether it got there, and whether what it was told on the way was so.

    run_xrp.py --season 2026 --extension wpilib|ours
"""

import math

import harness
from harness import Board, DriverStation, RobotProgram, TestError, Trial, Truth, count_edges, our_extension

METRES_PER_COUNT = math.pi * 0.060 / 585
TRACK_M = 0.155
PRESS_S = (10.0, 11.0)

# A reading is as old as the status that brought it (50 ms) and the loops on both sides: it must
# have been true at some moment this close to when it was noted. A machine with other work to do may
# spoil a few.
STALE_S = 0.12
MAY_STRAY = 0.03

# A machine that pauses a program makes another run of it, which says nothing about extensions: WPILib's driver-station
# socket disables the robot after 100 ms, and the board leaves simulated time out. Such a run counts only if it passes all the same:
# a virtual machine whose processors are both busy may be paused for 100 ms every few seconds.
HELD_UP_S = 0.1
ATTEMPTS = 5

# How far a reading may be off for its sensor's noise, or its steps.
NOISE = {
    "left_m": 0.003,
    "right_m": 0.003,
    "left_m_s": 0.02,
    "right_m_s": 0.02,
    "angle_rad": math.radians(2),
    "rate_rad_s": math.radians(3),
    "accel_x_g": 0.05,
    "accel_y_g": 0.05,
    "accel_z_g": 0.05,
    "left_dark": 0.05,
    "right_dark": 0.05,
    "range_m": 0.02,
    "button": 0,
}


def add_extension(parser):
    parser.add_argument("--extension", default="wpilib", choices=("wpilib", "ours"))


def play(checks, programs, given, work):
    work = work / given.extension
    work.mkdir(exist_ok=True)
    for attempt in range(1, ATTEMPTS + 1):
        board, robot, error = drive(programs, given, work)
        trial = Trial()
        if error is None:
            trial.check("the board ends cleanly on Ctrl-C", board.stop() == 0)
            judge(trial, robot.notes(), Truth(board.truth_path))
        held_up = what_was_held_up(board, robot)
        if not held_up or (error is None and trial.failed == 0):
            break  # being held up spoils a run only if it shows
        board.kill()
        print(f"note: attempt {attempt} of {ATTEMPTS}: this machine held up {held_up}", flush=True)
    if error is not None:
        raise error
    trial.count_for(checks)


def what_was_held_up(board, robot):
    """In words, by the programs' own accounts; nothing if all were in time."""
    held_up = []
    if robot is not None and robot.longest_gap_s() > HELD_UP_S:
        held_up.append(f"the robot program for {robot.longest_gap_s():.2f} s")
    if "host stalled" in board.log():
        held_up.append("the board")
    interruptions = count_edges(Truth(board.truth_path).samples, "enabled") - 1
    if interruptions > 0:
        held_up.append(f"the driver station {interruptions} times")
    return ", ".join(held_up)


def drive(programs, given, work):
    """One run; returns the board, the robot program, and what ended it too early."""
    board = Board(given.halyard, work, "--press", f"{PRESS_S[0]}:{PRESS_S[1]}")
    programs.append(board)
    station = DriverStation()
    extension = our_extension("xrp") if given.extension == "ours" else None
    robot = error = None
    try:
        robot = RobotProgram("xrp_course", board, given.season, work, extension)
        programs.append(robot)
        take_the_course(board, robot, station)
    except TestError as early:
        error = early
    station.close()
    if robot is not None:
        robot.stop()
    return board, robot, error


def take_the_course(board, robot, station):
    robot.wait_for(lambda: robot.last_note()["range_m"] > 0, 30, "reading from the robot")
    robot.wait_for(lambda: robot.last_note()["t_s"] > 2, 30, "two seconds at rest")
    station.control = DriverStation.AUTONOMOUS
    robot.wait_for(lambda: robot.last_note()["phase"] == "done", 60, "end of the course")
    board.wait_for(lambda: board.truth_now()["t_s"] > PRESS_S[1] + 0.5, 30, "end of the button's press")
    station.control = DriverStation.DISABLED
    board.wait_for(lambda: not board.truth_now()["enabled"], 30, "disabled robot")


def judge(checks, notes, truth):
    notes = [note for note in notes if note["range_m"] > 0]  # nothing has arrived before
    judge_goal(checks, truth)
    judge_actuators(checks, truth)
    judge_scenery(checks, truth)
    judge_rest(checks, [note for note in notes if note["phase"] == "waiting"])
    judge_readings(checks, notes, truth)
    checks.near("times the button is seen pressed", count_edges(notes, "button"), 1, 0, "")


def judge_goal(checks, truth):
    first, last = truth.samples[0], truth.samples[-1]
    ahead_m, left_m = in_start_frame(first, last)
    detail = f"{ahead_m:.4f} m ahead, {left_m:.4f} m to the left"
    checks.check("ends within 3 cm of the goal", math.hypot(ahead_m - 1, left_m) <= 0.03, detail)
    turned_deg = math.degrees(last["heading_rad"] - first["heading_rad"])
    checks.near("ends facing left", turned_deg, 90, 3, "deg")
    checks.near("stands at the end", last["speed_m_s"], 0, 0.001, "m/s")
    checks.check("touches nothing on the way", not any(sample["touching"] for sample in truth.samples))


def judge_actuators(checks, truth):
    checks.near("times the LED blinks", count_edges(truth.samples, "led"), 3, 0, "")
    positions_us = [sample["servo_us"][0] for sample in truth.samples]
    for goal_us in (2000, 1000):
        nearest_us = min(positions_us, key=lambda us: abs(us - goal_us))
        checks.near(f"servo 1 moves to {goal_us} us", nearest_us, goal_us, 12, "us")  # a degree is 11.1 us
    duty = truth.samples[-1]["duty"]
    checks.check("disabled, all motors are off", not any(duty), f"duty {duty}")


def judge_scenery(checks, truth):
    """Sensors that have nothing to see prove nothing."""
    for name, least in (("left_dark", 0.5), ("right_dark", 0.5), ("range_m", 0.5), ("button", 1)):
        values = [true_readings(sample)[name] for sample in truth.samples]
        span = max(values) - min(values)
        checks.check(f"the world gives {name} something to see", span >= least, f"spans {span:.3g}")


def judge_rest(checks, at_rest):
    for name, goal, tolerance in (
        ("angle_rad", math.pi, 0.02),  # before the program resets it: the robot starts at 180 degrees
        ("accel_x_g", 0, NOISE["accel_x_g"]),
        ("accel_y_g", 0, NOISE["accel_y_g"]),
        ("accel_z_g", 1, NOISE["accel_z_g"]),
    ):
        if name not in at_rest[0]:
            print(f"note: {name} is not to be had from this WPILib")
            continue
        mean = sum(note[name] for note in at_rest) / len(at_rest)
        checks.near(f"{name} at rest", mean, goal, tolerance, "")


def judge_readings(checks, notes, truth):
    course = [note for note in notes if note["phase"] != "waiting"]
    cruise = [note for note in course if note["left_m_s"] > 0.1 and note["right_m_s"] > 0.1]
    checks.check("cruises for two seconds at least", len(cruise) >= 100, f"{len(cruise)} loops")

    offset_s = clock_offset(course, truth)
    origin = true_readings(
        truth.at(course[0]["t_s"] + offset_s)
    )  # the program resets what can be reset there
    for name, noted in (
        ("left_m", course),
        ("right_m", course),
        ("left_m_s", cruise),
        ("right_m_s", cruise),
        ("angle_rad", course),
        ("rate_rad_s", course),
        ("left_dark", notes),
        ("right_dark", notes),
        ("range_m", notes),
        ("button", notes),
    ):
        zero = origin[name] if name in ("left_m", "right_m", "angle_rad") else 0
        judge_reading(
            checks, name, NOISE[name], noted, lambda t_s: truth_around(truth, t_s + offset_s, name, zero)
        )


def judge_reading(checks, name, tolerance, notes, true_around):
    """Each reading lies between the least and the most that was true around its time."""
    excess = []
    for note in notes:
        true = true_around(note["t_s"])
        excess.append(max(min(true) - note[name], note[name] - max(true), 0))
    strays = sum(e > tolerance for e in excess)
    detail = f"{strays} of {len(notes)} off by more than {tolerance:.3g}, the worst by {max(excess, default=0):.3g}"
    checks.check(f"{name} agrees with the truth", notes and strays <= MAY_STRAY * len(notes), detail)


def truth_around(truth, t_s, name, zero):
    return [true_readings(sample)[name] - zero for sample in truth.between(t_s - STALE_S, t_s + STALE_S)]


def true_readings(sample):
    """What the program ought to read of a sample of the truth, by the names of its notes."""
    left_count, right_count = sample["told_counts"][:2]
    differential_m_s = sample["rate_z_rad_s"] * TRACK_M / 2
    return {
        "left_m": left_count * METRES_PER_COUNT,
        "right_m": right_count * METRES_PER_COUNT,
        "left_m_s": sample["speed_m_s"] - differential_m_s,
        "right_m_s": sample["speed_m_s"] + differential_m_s,
        "angle_rad": sample["heading_rad"],
        "rate_rad_s": sample["rate_z_rad_s"],
        "left_dark": sample["reflectance"][0],
        "right_dark": sample["reflectance"][1],
        "range_m": sample["range_m"],
        "button": sample["button"],
    }


def in_start_frame(first, last):
    """Where `last` is, in metres ahead and to the left of `first`."""
    dx, dy = last["x_m"] - first["x_m"], last["y_m"] - first["y_m"]
    cos, sin = math.cos(first["heading_rad"]), math.sin(first["heading_rad"])
    return dx * cos + dy * sin, dy * cos - dx * sin


def clock_offset(course, truth):
    """What to add to the program's clock to get simulated time: where both odometers agree best."""
    straight = [note for note in course if note["phase"] == "straight"]
    start_m = true_readings(truth.samples[0])["left_m"]
    half_m = straight[-1]["left_m"] / 2
    noted_s = next((note["t_s"] for note in straight if note["left_m"] > half_m), None)
    true_s = next((s["t_s"] for s in truth.samples if true_readings(s)["left_m"] - start_m > half_m), None)
    if noted_s is None or true_s is None:
        raise TestError("the robot did not drive, so the program's clock cannot be laid over the world's")

    def misfit(offset_s):
        return sum(
            abs(note["left_m"] - (true_readings(truth.at(note["t_s"] + offset_s))["left_m"] - start_m))
            for note in straight
        )

    return min((true_s - noted_s + step * 0.005 for step in range(-40, 41)), key=misfit)


if __name__ == "__main__":
    harness.main(__doc__, play, add_extension)
