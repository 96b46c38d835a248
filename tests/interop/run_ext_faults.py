#!/usr/bin/env -S python3 -B
"""A robot program drives in circles under our extension while the network between does its worst.

After each fault the sensors must move again within a second, and while the robot cannot be reached
its motors must stop within the watchdog's time. The end sums up the worst of it.

    run_ext_faults.py --seconds 60      (make soak-wpilib: 600)
"""

import functools
import itertools
import os
import random
import select
import socket
import threading
import time

import harness
from harness import Board, DriverStation, RobotProgram, TestError

FAULT_S, PEACE_S = 5.0, 3.0
RECOVERED_S = 1.0  # of the fault's end
BOOT_S = 0.5  # beyond that, for a robot that has just been switched on: its world starts anew too
# A watchdog of a second would be far from it. A busy machine makes things later and nothing earlier, so
# of several cuts the least is judged.
WATCHDOG_S, LATE_S, CUTS = 0.5, 0.15, 5
PATIENCE_S = 20
NETWORK_FAULTS = ("loss", "reordering", "duplicates", "stalls", "garbage")


class Network(threading.Thread):
    """What lies between the program and the robot; `fault` says how badly."""

    def __init__(self, seed):
        super().__init__(daemon=True)
        self.rng = random.Random(seed)
        self.front = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.front.bind(("127.0.0.1", 0))
        self.host, self.port = "127.0.0.1", str(self.front.getsockname()[1])
        self.back = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.back.bind(("127.0.0.1", 0))
        self.program = self.robot = None
        self.fault, self.later, self.over = None, [], threading.Event()
        self.lock = threading.Lock()
        self.held_up_s = 0.0  # in all, by a machine that had other things to do

    def set_robot(self, board):
        self.robot = (board.host, int(board.port))

    def close_front(self):
        """Whoever sends here learns that nobody listens."""
        with self.lock:
            self.front.close()

    def open_front(self):
        with self.lock:
            self.front = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.front.bind((self.host, int(self.port)))

    def run(self):
        harness.go_at_once()
        turned_s = time.monotonic()
        while not self.over.is_set():
            before_s, turned_s = turned_s, time.monotonic()
            self.held_up_s += max(0, turned_s - before_s - LATE_S)
            with self.lock:
                is_open = self.front.fileno() >= 0
                readable, _, _ = select.select([self.front, self.back] if is_open else [self.back], [], [], 0.005)
                for end in readable:
                    self.pass_on(end)
                now = time.monotonic()
                due = [item for item in self.later if item[0] <= now]
                self.later = [item for item in self.later if item[0] > now]
                for _, to_robot, datagram in due:
                    self.send(to_robot, datagram)

    def pass_on(self, end):
        try:
            datagram, sender = end.recvfrom(2048)
        except OSError:
            return
        to_robot = end is self.front
        if to_robot:
            self.program = sender
        rng, now = self.rng, time.monotonic()
        copies = 2 if self.fault == "duplicates" and rng.random() < 0.5 else 1
        if self.fault == "loss" and rng.random() < 0.2:
            return
        if self.fault == "garbage" and not to_robot:
            self.send(False, rng.randbytes(rng.randrange(1, 200)))
            self.send(False, datagram[: rng.randrange(len(datagram))])
        for _ in range(copies):
            if self.fault == "reordering" and rng.random() < 0.3:
                self.later.append((now + rng.uniform(0.01, 0.15), to_robot, datagram))
            elif self.fault == "stalls" and (now % 1.0) < 0.2:
                self.later.append((now - now % 1.0 + 0.2, to_robot, datagram))
            else:
                self.send(to_robot, datagram)

    def send(self, to_robot, datagram):
        try:
            if to_robot:
                self.back.sendto(datagram, self.robot)
            elif self.program is not None and self.front.fileno() >= 0:
                self.front.sendto(datagram, self.program)
        except OSError:
            pass


class Run:
    def __init__(self, checks, programs, given, work):
        self.checks, self.programs, self.given, self.work = checks, programs, given, work
        self.network = Network(int(os.environ.get("HY_SEED", "1")))
        self.board = self.start_board()
        self.network.start()
        self.station = DriverStation()
        self.began_s = time.monotonic()
        self.faults, self.worst_stop_s = 0, 0.0
        self.worst_recovery_s, self.worst_fault = 0.0, "none"
        extension = harness.our_extension("xrp")
        self.robot = RobotProgram("xrp_circle", self.network, given.season, work, extension)
        programs.append(self.robot)
        self.station.control = DriverStation.AUTONOMOUS
        self.robot.wait_for(lambda: any(self.readings()), PATIENCE_S, "reading of a robot that drives")
        self.expect_motion("at the start", 3.0)

    def start_board(self):
        board = Board(self.given.halyard, self.work, "--world", "xrp-open")
        self.programs.append(board)
        self.network.set_robot(board)
        return board

    def readings(self):
        note = self.robot.last_note()
        return (*note["counts"], note["angle_rad"])

    def program_held_up_s(self):
        """For how long in all the program's loop was late."""
        times_s = [note["t_s"] for note in self.robot.notes()]
        return sum(max(0, after - before - LATE_S) for before, after in itertools.pairwise(times_s))

    def expect_motion(self, when, within_s):
        """For PEACE_S every sensor goes on changing, none waits for longer than `within_s`, and what held
        up the network itself or the program. Returns the longest wait."""
        held_up_s = self.network.held_up_s + self.program_held_up_s()
        began_s, last = time.monotonic(), self.readings()
        changed_s, longest_s = [began_s] * len(last), 0.0
        while (now_s := time.monotonic()) < began_s + max(PEACE_S, within_s):
            now = self.readings()
            for i, reading in enumerate(now):
                longest_s = max(longest_s, now_s - changed_s[i])
                if reading != last[i]:
                    changed_s[i] = now_s
            last = now
            time.sleep(0.01)
        held_up_s = self.network.held_up_s + self.program_held_up_s() - held_up_s
        detail = f"{longest_s:.2f} s without" + (f", {held_up_s:.2f} s of it this machine's" if held_up_s else "")
        self.checks.check(f"{when}: the sensors move", longest_s <= within_s + held_up_s, detail)
        return longest_s

    def recover(self, fault, within_s=RECOVERED_S):
        longest_s = self.expect_motion(f"after {fault}", within_s)
        self.faults += 1
        if longest_s > self.worst_recovery_s:
            self.worst_recovery_s, self.worst_fault = longest_s, fault

    def network_fault(self, fault):
        self.network.fault = fault
        time.sleep(FAULT_S)
        self.network.fault = None
        self.recover(fault)

    def cut_off(self):
        """Nothing reaches the robot any more; returns after how long its motors are off."""
        self.board.wait_for(lambda: self.board.truth_now()["enabled"], PATIENCE_S, "enabled robot")
        self.network.close_front()
        cut = time.monotonic()
        while self.board.truth_now()["enabled"]:
            if time.monotonic() > cut + PATIENCE_S:
                raise TestError("the robot drives on, although nothing reaches it")
            time.sleep(0.005)
        return time.monotonic() - cut

    def unreachable(self):
        took_s = self.cut_off()
        for _ in range(1, CUTS):
            if took_s <= WATCHDOG_S + LATE_S:
                break
            self.network.open_front()
            took_s = min(took_s, self.cut_off())
        detail = f"after {took_s:.2f} s"
        self.checks.check("unreachable: motors off within the watchdog's time", took_s <= WATCHDOG_S + LATE_S, detail)
        time.sleep(FAULT_S)
        self.network.open_front()
        self.worst_stop_s = max(self.worst_stop_s, took_s)
        self.recover("being unreachable")

    def reboot(self):
        self.board.kill()
        time.sleep(0.7)
        self.board = self.start_board()
        self.recover("a reboot of the robot", RECOVERED_S + BOOT_S)

    def all_faults(self):
        network_faults = [functools.partial(self.network_fault, fault) for fault in NETWORK_FAULTS]
        return [*network_faults, self.unreachable, self.reboot]

    def end(self):
        self.station.control = DriverStation.DISABLED
        self.board.wait_for(lambda: not self.board.truth_now()["enabled"], PATIENCE_S, "disabled robot")
        # How it ends is not judged: with any extension, or an empty one, WPILib's driver-station socket
        # crashes a few programs in a hundred on Ctrl-C.
        print(f"       its exit status: {self.robot.stop()}")
        self.station.close()
        self.board.stop()
        self.network.over.set()

    def has_crashed(self):
        return self.robot.process.poll() is not None

    def sum_up(self):
        crashes = int(self.has_crashed())
        print(f"       {time.monotonic() - self.began_s:.0f} s, {self.faults} faults, {crashes} crashes; the "
              f"longest wait for a sensor after a fault {self.worst_recovery_s:.2f} s ({self.worst_fault}), "
              f"the longest until the motors of an unreachable robot were off {self.worst_stop_s:.2f} s", flush=True)  # fmt: skip


def add_seconds(parser):
    parser.add_argument("--seconds", type=float, default=60, help="at least; every fault comes at least once")


def play(checks, programs, given, work):
    run = Run(checks, programs, given, work)
    for count, fault in enumerate(itertools.cycle(run.all_faults())):
        is_over = time.monotonic() > run.began_s + given.seconds
        if run.has_crashed() or (is_over and count >= len(run.all_faults())):
            break
        fault()
    run.sum_up()
    checks.check("the program lives on", not run.has_crashed())
    if not run.has_crashed():
        run.end()


if __name__ == "__main__":
    harness.main(__doc__, play, add_seconds)
