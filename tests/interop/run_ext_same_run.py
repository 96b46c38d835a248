#!/usr/bin/env -S python3 -B
"""One robot program, one course: under our extension and under WPILib's own it is the same run.

Both drive at once, each a whole run_xrp.py in a network of its own, in worlds with the same seed.

    run_ext_same_run.py --season 2026
"""

import json
import math
import subprocess
import sys

import harness
from run_xrp import HELD_UP_S, MAY_STRAY, NOISE, STALE_S

EXTENSIONS = ("ours", "wpilib")
TIMEOUT_S = 500  # of all attempts of run_xrp.py
# A phase may last a loop longer in one of the runs: that is 6 mm of way (20 ms at 0.3 m/s), which stays to the end. Two phases may.
WAY_APART_M = 0.012
# The turn ends within 1 degree of its goal in each run, which stays to the end, too.
TURN_APART_RAD = math.radians(3)
APART = {"left_m": WAY_APART_M, "right_m": WAY_APART_M, "angle_rad": TURN_APART_RAD}
# How long the course's profiles lead each phase: distance over speed, and speed over acceleration, of robots/xrp_course. What follows
# is a search for the goal against static friction: whether the wheels break loose a last time, and when, differs from run to run.
LED_S = {"straight": 1.0 / 0.16 + 0.16 / 0.20, "turn": math.radians(90) / 1.2 + 1.2 / 1.5}
# A loop takes 20 ms. One that begins later than this was held up by the machine, as the program's own clock says; the robot is behind the
# course then, and catches up within so long. What both runs read meanwhile is not compared. Runs that differ, or of which little is left to
# compare, are driven again if one of them was held up for HELD_UP_S, or for most of the way.
LATE_S = 0.03
CATCHES_UP_S = 0.6
TRIES = 5
LEAST_COMPARED = 400
SPEEDS = ("left_m_s", "right_m_s", "rate_rad_s")  # compared while a profile leads, or nothing drives


class Run:
    """What a run_xrp.py left behind."""

    def __init__(self, folder):
        truth = harness.Truth(folder / "truth.jsonl")
        self.last = truth.samples[-1]
        self.notes = [json.loads(line) for line in harness.whole_lines(folder / "xrp_course/notes.jsonl")]
        begins_s = {}  # of each phase: the programs' clocks differ, and so does when a manoeuvre is over
        self.places = {}  # phase -> (seconds into it, note)
        late_s, before_s = -math.inf, math.inf
        self.was_held_up = "host stalled" in (folder / "board.log").read_text(errors="replace")
        for note in self.notes:
            late_s = note["t_s"] if note["t_s"] - before_s > LATE_S else late_s
            self.was_held_up |= note["t_s"] - before_s > HELD_UP_S
            before_s = note["t_s"]
            note["is_on_time"] = note["t_s"] - late_s > CATCHES_UP_S
            begin_s = begins_s.setdefault(note["phase"], note["t_s"])
            self.places.setdefault(note["phase"], []).append((note["t_s"] - begin_s, note))
        on_time = sum(note["is_on_time"] for note in self.notes if note["phase"] != "waiting")
        self.was_held_up |= on_time < 1.5 * LEAST_COMPARED

    def readings_near(self, phase, t_s, name):
        """None of them if the machine held the program up there."""
        near = [note for place_s, note in self.places[phase] if abs(place_s - t_s) <= STALE_S]
        return [note[name] for note in near] if all(note["is_on_time"] for note in near) else []


def play(checks, programs, given, work):
    for attempt in range(1, TRIES + 1):
        trial = harness.Trial()
        drive(trial, programs, given, work)
        if trial.failed > 0:
            break
        runs = [Run(work / f"run_xrp-{given.season}" / extension) for extension in EXTENSIONS]
        compare(trial, *runs)
        if trial.failed == 0 or not any(run.was_held_up for run in runs):
            break  # being held up spoils a run only if it shows
        print(f"note: attempt {attempt} of {TRIES}: this machine held a program or a board up, and the runs differ", flush=True)
    trial.count_for(checks)


def drive(checks, programs, given, work):
    """Both at once, each judged by the truth of its own world."""
    script = harness.HERE / "run_xrp.py"
    both = []
    for extension in EXTENSIONS:
        argv = [sys.executable, "-B", script, "--season", given.season.name, "--extension", extension]
        argv += ["--halyard", given.halyard, "--work", work, "--deps", given.deps]
        both.append(harness.Program(extension, argv, work / f"{extension}.log"))
    programs.extend(both)
    for program in both:
        try:
            status = program.process.wait(TIMEOUT_S)
        except subprocess.TimeoutExpired:
            status = "still running"
        detail = program.log().strip().splitlines()[-1:]
        checks.check(f"{program.name}: drives the course as the truth says", status == 0, f"{detail}")


def compare(checks, ours, theirs):
    """`ours` and `theirs` end at the same place, having read the same on the way."""
    apart_m = math.hypot(ours.last["x_m"] - theirs.last["x_m"], ours.last["y_m"] - theirs.last["y_m"])
    apart_rad = math.remainder(ours.last["heading_rad"] - theirs.last["heading_rad"], math.tau)
    checks.near("the final places differ", apart_m, 0, 0.03, "m")
    checks.near("the final headings differ", math.degrees(apart_rad), 0, math.degrees(TURN_APART_RAD), "deg")
    checks.check("both pass through the same phases", list(ours.places) == list(theirs.places))
    logged = [name for name in ours.notes[0] if name not in ("t_s", "phase", "is_on_time")]
    for name in logged:
        if name == "button":  # pressed by the world's clock, not by the course's; run_xrp.py counts it
            continue
        compare_reading(checks, name, ours, theirs)


def compare_reading(checks, name, ours, theirs):
    """Each of our readings lies between the least and the most of theirs around its place in the course."""
    excess = []
    for phase, places in ours.places.items():
        ends_s = LED_S.get(phase, math.inf) if name in SPEEDS else math.inf
        for t_s, note in places if phase != "waiting" else ():
            if t_s > ends_s:
                break
            near = theirs.readings_near(phase, t_s, name)
            if near and note["is_on_time"]:
                excess.append(max(min(near) - note[name], note[name] - max(near), 0))
    noise = APART.get(name, NOISE[name])
    strays = sum(e > noise for e in excess)
    detail = f"{strays} of {len(excess)} off by more than {noise:.3g}, the worst by {max(excess, default=0):.3g}"
    checks.check(f"{name} is the same", len(excess) > (LEAST_COMPARED // 2 if name in SPEEDS else LEAST_COMPARED) and strays <= MAY_STRAY * len(excess), detail)


if __name__ == "__main__":
    harness.main(__doc__, play)
