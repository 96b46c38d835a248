#!/usr/bin/env -S python3 -B
"""Makes the first allocations and system calls of each kind fail in turn, one a run, in every program.

After each: one sentence or carried on; no crash, no hang, no memory that is not freed, no motor on.

    run.py --most 500           all of them, hours
    run.py --most 4 --only sim  a few, of one program
"""

import argparse
import concurrent.futures
import contextlib
import itertools
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = ("alloc open read write stat fsync socket bind listen accept option name send recv poll mmap pipe fork thread").split()
PATIENCE_S = 60  # of a machine that does other things as well
READY_S = 5  # of a program that cannot say that it is ready
SAID_MAX = 2  # lines of a program that could not go on; what it says at any end does not count
COUNTERS = re.compile(r": ran |robots ran |commands obeyed|pictures shown|commands sent|messages sent|faults, |injecting faults|host stalled|^$")


class Scenario:
    """One program: what it is called with, after how many seconds it is told to end (None: it ends by itself), whether it
    drives the robot, and whether its output is a report with sentences of its own."""

    def __init__(self, name, argv, ends_after_s=None, robot=False, reports=False):
        self.name, self.argv, self.ends_after_s, self.robot, self.reports = name, argv, ends_after_s, robot, reports


def scenarios(build):
    halyard, examples = str(build / "halyard"), build / "examples"
    match = ["--shift", "{shift}"]
    recording = str(ROOT / "tests/replay/xrp-line.wpilog")
    board = [halyard, "board", "xrp", "--listen", "127.0.0.1:0"]
    return [
        Scenario("board", [*board, "--duration", "0.3", "--record", "{work}/b.wpilog", "--overwrite", "--truth", "{work}/t"]),
        Scenario("board --view", [*board, "--duration", "0.3", "--view=127.0.0.1:0"]),
        Scenario("board teensy", [halyard, "board", "teensy", "--listen", "127.0.0.1:0", "--duration", "0.3", "--faults", "bad-wifi"]),
        Scenario("sim", [halyard, "sim", *match, "--players", "2", "--speed", "max", "--duration", "60", "--seconds", "50",
                         "--board", "xrp@127.0.0.1:0", "--record", "{work}/s.wpilog", "--overwrite"]),
        Scenario("program --sim", [str(examples / "line_follow"), "--sim", "xrp-line", "--speed", "max", "--duration", "60",
                                   "--record", "{work}/p.wpilog", "--overwrite"]),
        Scenario("program", [str(examples / "drive_square"), "{robot}", "--enable", "--duration", "0.5"], robot=True),
        Scenario("drive", [halyard, "drive", "{robot}", "--script", "{work}/script", "--enable", "--duration", "0.5"], robot=True),
        Scenario("doctor", [halyard, "doctor", "{robot}", "--duration", "0.5"], robot=True, reports=True),
        Scenario("dump", [halyard, "dump", "--hex", "0001 01 0612003f000000", "--json"]),
        Scenario("joystick", [halyard, "joystick", *match, "--script", "{work}/pad", "--duration", "0.5"]),
        Scenario("core", [halyard, "core", *match, "--demo"], 0.5),
        Scenario("view", [halyard, "view", *match, "--listen", "127.0.0.1:0", "--duration", "0.5"]),
        Scenario("play", [halyard, "play", *match, "--listen", "127.0.0.1:0", "--players", "2", "--scripted"], 2.5, reports=True),
        Scenario("replay", [halyard, "replay", recording, "--view=127.0.0.1:0"], 0.5),
        Scenario("replay --verify", [halyard, "replay", recording, "--verify"]),
        Scenario("calibrate", [halyard, "calibrate", "sim://xrp-open", "--robot", "7", "--out", "{work}/twin.yaml", "--overwrite"], reports=True),
        Scenario("conform client", [halyard, "conform", "client", "--listen", "127.0.0.1:0", "--duration", "0.5", "--", "sh", "-c",
                                    f"exec {examples}/drive_square xrp://127.0.0.1:$HALYARD_CONFORM_PORT --enable"], reports=True),
        Scenario("conform", [halyard, "conform", "{robot}", "--junit", "{work}/results.xml"], 0.5, robot=True, reports=True),
    ]


class Robot:
    """A virtual robot, whose truth says whether a motor is on."""

    def __init__(self, build, work):
        self.truth = work / "truth.jsonl"
        argv = [str(build / "halyard"), "board", "xrp", "--listen", "127.0.0.1:0", "--truth", str(self.truth)]
        self.process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
        ready = dict(pair.split("=", 1) for pair in self.process.stdout.readline().split()[2:])
        self.url = "xrp://" + ready["udp"]

    def is_moving(self):
        with open(self.truth, "rb") as file:
            file.seek(max(0, os.path.getsize(self.truth) - 4096))
            lines = file.read().split(b"\n")
        now = json.loads(lines[-2])
        return now["enabled"] or any(now["duty"])

    def comes_to_rest(self):
        """Its watchdog stops it half a second after the last command, whatever became of who sent it."""
        give_up = time.monotonic() + PATIENCE_S
        while self.is_moving():
            if time.monotonic() > give_up:
                return False
            time.sleep(0.01)
        return True

    def end(self):
        self.process.kill()
        self.process.wait()


class Worker:
    """A folder, ports and a robot of its own."""

    numbers = itertools.count()

    def __init__(self, given):
        self.given, self.number = given, next(Worker.numbers)
        self.folder = tempfile.TemporaryDirectory(prefix="halyard-inject-")
        self.work = pathlib.Path(self.folder.name)
        (self.work / "script").write_text("0 enable\n+0.1 motor 0 0.5\n")
        (self.work / "pad").write_text("0 start=1\n+0.3 left_y=-512\n")
        self.robot = Robot(given.build, self.work)

    def end(self):
        self.robot.end()
        self.folder.cleanup()

    def run(self, scenario, kind, number):
        """What is wrong, in words ("" if nothing is), and whether there was such a call at all."""
        names = {"work": self.work, "shift": 20003 + 100 * self.number, "robot": self.robot.url}
        argv = [part.format(**names) if "{" in part else part for part in scenario.argv]
        report = self.work / "report"
        report.unlink(missing_ok=True)
        environment = {**os.environ, "LD_PRELOAD": str(self.given.library), "HALYARD_INJECT": f"{kind}:{number}",
                       "HALYARD_INJECT_REPORT": str(report)}  # fmt: skip
        said = self.work / "said"
        with open(said, "wb") as output, open(self.work / "out", "wb") as out:
            process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=output, env=environment,
                                       start_new_session=True)  # fmt: skip
        try:
            if scenario.ends_after_s is not None:
                self.await_ready(process)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(scenario.ends_after_s)
                if process.poll() is None:
                    process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return "does not end: " + said.read_text(errors="replace"), True
        lines = [dict(word.split(":") for word in line.split() if ":" in word) | {"from": line.partition(" 0x")[2]}
                 for line in report.read_text().splitlines()] if report.exists() else []  # fmt: skip
        self.counts = {kind: max((int(line[kind]) for line in lines), default=0) for kind in KINDS}
        was_there = not lines or self.counts[kind] >= number
        words = said.read_text(errors="replace") + ((self.work / "out").read_text(errors="replace") if scenario.reports else "")
        return self.judge(scenario, process.returncode, words, lines), was_there

    def await_ready(self, process):
        """Returns once it says that it is ready, or will not."""
        give_up = time.monotonic() + READY_S
        while process.poll() is None and time.monotonic() < give_up and b"ready" not in (self.work / "out").read_bytes():
            time.sleep(0.01)

    def judge(self, scenario, status, said, lines):
        if status == -signal.SIGTERM and scenario.ends_after_s is not None and said.strip():
            return ""  # it was ending by itself, with a sentence, when it was told to
        if status < 0 or status > 2:
            return f"ends with {status}: {said[-300:]}"
        if "signal" in said:
            return f"a program of it crashed: {said[-300:]}"
        if status != 0 and not said.strip():
            return f"status {status} without a sentence"
        if status != 0 and not scenario.reports and len([line for line in said.splitlines() if not COUNTERS.search(line)]) > SAID_MAX:
            return f"says more than a sentence: {said[-600:]}"
        leaks = [line for line in lines if line["blocks"] != "0"]
        if leaks:
            return f"does not free memory from 0x{leaks[0]['from']} (status {status}): {said[-200:]}"
        if scenario.robot and not self.robot.comes_to_rest():
            return "a motor is on"
        return ""


class Sum:
    def __init__(self):
        self.lock, self.runs, self.failing, self.wrong = threading.Lock(), 0, 0, []
        self.counts = None  # of each kind of call


def try_kind(worker, scenario, kind, end, total):
    with total.lock:
        if total.counts is None:  # nothing fails: what there is
            wrong, _ = worker.run(scenario, kind, 0)
            total.counts = worker.counts
            if wrong:
                total.wrong.append(f"{scenario.name}, without a failure: {wrong}")
                print(f"FAILED {total.wrong[-1]}", flush=True)
    for number in range(1, min(worker.given.most, total.counts[kind]) + 1):
        if time.monotonic() > end:
            return
        wrong, was_there = worker.run(scenario, kind, number)
        with total.lock:
            total.runs += 1
            total.failing += was_there
            if wrong:
                total.wrong.append(f"{scenario.name}, {kind} {number}: {wrong}")
                print(f"FAILED {total.wrong[-1]}", flush=True)
        if not was_there:
            return


def arguments():
    build = pathlib.Path(os.environ.get("HALYARD_BUILD_DIR", ROOT / "build"))
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--build", default=build, type=pathlib.Path)
    parser.add_argument("--library", type=pathlib.Path, help="inject.c as a shared library")
    parser.add_argument("--most", default=500, type=int, help="calls of each kind in each program")
    parser.add_argument("--only", help="one program, by the beginning of its name")
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin nothing new after that")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    given.library = given.library or given.build / "tests/inject/libhalyard_inject.so"
    return given


def main():
    given = arguments()
    began = time.monotonic()
    chosen = [s for s in scenarios(given.build) if given.only is None or s.name.startswith(given.only)]
    left = [(scenario, kind) for scenario in chosen for kind in KINDS if given.kind in (None, kind)]
    total, sums, lock, end = Sum(), {}, threading.Lock(), began + given.seconds
    for scenario in chosen:
        sums[scenario.name] = Sum()

    def work():
        worker = Worker(given)
        try:
            while time.monotonic() < end:
                with lock:
                    if not left:
                        return
                    scenario, kind = left.pop(0)
                try_kind(worker, scenario, kind, end, sums[scenario.name])
        finally:
            worker.end()

    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for job in [pool.submit(work) for _ in range(given.jobs)]:
            job.result()
    for name, one in sums.items():
        print(f"{name:14} {one.runs:6} runs, {one.failing:6} with a failed call, {len(one.wrong)} wrong")
        total.runs, total.failing, total.wrong = total.runs + one.runs, total.failing + one.failing, total.wrong + one.wrong
    print(f"{total.runs} runs, {total.failing} with a failed call, {len(total.wrong)} wrong, {len(left)} kinds not begun, "
          f"{time.monotonic() - began:.0f} s")  # fmt: skip
    sys.exit(1 if total.wrong or total.failing == 0 else 0)


if __name__ == "__main__":
    main()
